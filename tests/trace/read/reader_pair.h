/* tests/trace/read/reader_pair.h: an archive read by both readers of event files. MT: one thread. */
#ifndef READER_PAIR_H
#define READER_PAIR_H

#include "every_record.h"

typedef struct reader_pair {
    uint64_t   n_locations, n_records, n_cut; /* n_cut: locations whose events are not whole */
    uint64_t   n_differ;                      /* locations that the readers do not agree on */
    record_sum sum;                           /* of all locations, as Heddle reads them */
} reader_pair;

/* Each location of the archive: how many records, all that they say, how they end, with times as they were recorded and
 * corrected. Differences are printed. False: its definitions cannot be read. */
bool reader_pair_compare(const char *anchor, reader_pair *pair);

#endif

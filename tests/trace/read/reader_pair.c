#include "reader_pair.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive.h"
#include "defs_read.h"
#include "event_files.h"

typedef struct outcome {
    record_sum    sum;
    uint64_t      n;
    hd_events_end end;
    hd_status     status;
    bool          are_defined;
} outcome;

static outcome
read_location(hd_event_files *files, const hd_defs *defs, uint32_t location)
{
    outcome o = { .end = HD_EVENTS_NO_FILE };

    o.status = hd_event_files_define(files, defs, location, NULL, &o.are_defined);
    if (o.status == HD_OK)
        o.status = hd_event_files_read(files, hd_defs_locations(defs)[location].ref,
                                       &(hd_event_reading){ .handlers = &every_record, .user = &o.sum }, &o.n, &o.end);
    return o;
}

static void
add(reader_pair *pair, const outcome *o)
{
    pair->n_locations++;
    pair->n_records += o->sum.n;
    pair->n_cut += o->end != HD_EVENTS_WHOLE;
    pair->sum.n += o->sum.n;
    pair->sum.n_attributes += o->sum.n_attributes;
    for (int i = 0; i < 256; i++)
        pair->sum.kinds[i] += o->sum.kinds[i];
}

static void
compare_all(const char *anchor, const hd_defs *defs, bool raw_clocks, reader_pair *pair)
{
    hd_event_files *own = NULL, *otf2 = NULL;

    if (hd_event_files_open(anchor, HD_READER_OWN, raw_clocks, &own) != HD_OK ||
        hd_event_files_open(anchor, HD_READER_OTF2, raw_clocks, &otf2) != HD_OK)
        abort();
    for (uint32_t i = 0; i < defs->n_locations; i++) {
        outcome a = read_location(own, defs, i), b = read_location(otf2, defs, i);

        if (!raw_clocks)
            add(pair, &a);
        if (a.sum.hash == b.sum.hash && a.n == b.n && a.end == b.end && a.status == b.status && a.n == a.sum.n)
            continue;
        pair->n_differ++;
        printf("%s: location %" PRIu64 ", clocks %s: %" PRIu64 " and %" PRIu64 " records, sums %016" PRIx64
               " and %016" PRIx64 ", ends %d and %d\n", anchor, hd_defs_locations(defs)[i].ref,
               raw_clocks ? "raw" : "corrected", a.n, b.n, a.sum.hash, b.sum.hash, (int)a.end, (int)b.end);
    }
    hd_event_files_close(own);
    hd_event_files_close(otf2);
}

bool
reader_pair_compare(const char *anchor, reader_pair *pair)
{
    hd_defs *defs = NULL;

    *pair = (reader_pair){ .n_locations = 0 };
    hd_archive_keep_otf2_quiet();
    if (hd_defs_read(anchor, &defs) != HD_OK)
        return false;
    compare_all(anchor, defs, false, pair);
    compare_all(anchor, defs, true, pair);
    free(defs);
    return true;
}

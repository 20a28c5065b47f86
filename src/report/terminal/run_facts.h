/* src/report/terminal/run_facts.h: how a report came about, in words, for the sections "Analysis run" and "Provenance" here and in the HTML report.
 *
 * Uses: cube_reader. Owner: hd_run_facts_free(). MT: one thread. Ranks: local. Grows with: attributes of the report.
 */
#ifndef HD_RUN_FACTS_H
#define HD_RUN_FACTS_H

#include "cube_reader.h"

typedef struct hd_run_fact {
    char *name, *value; /* "Memory peak", "12.3 MiB"; control characters come out as \xNN */
    bool  has_words;    /* false: name is the key of an attribute that this version has no words for */
} hd_run_fact;

/* Those of Heddle's attributes that people read, in their order: [*n]. is_verbose: with counters of the analysis itself. */
hd_run_fact *hd_run_facts(const hd_cube *cube, bool is_verbose, size_t *n);
void         hd_run_facts_free(hd_run_fact *facts, size_t n);

#endif

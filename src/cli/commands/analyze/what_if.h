/* src/cli/commands/analyze/what_if.h: what is to be simulated, as the user wrote it.
 *
 *   HYPOTHESIS         hypothesis.h
 *   advice             what to change first (advice.h)
 *   curve SELECTION    the run time over what is removed there (curve.h)
 *   curves             the same for the call paths that are longest on the critical path
 *
 * A file has one in each line; lines that begin with "#" are comments. Uses: replay/simulate. MT: main thread only.
 * Ranks: local.
 */
#ifndef HD_WHAT_IF_H
#define HD_WHAT_IF_H

#include "hypothesis.h"

typedef struct hd_what_if {
    hd_hypothesis *hypotheses; /* [n] */
    char         **curves;     /* [n_curves] selections */
    size_t         n, capacity, n_curves, capacity_curves;
    bool           wants_advice, wants_curves;
} hd_what_if;

/* Errors: HD_EUSAGE, says where the text is wrong; HD_EOPEN, HD_EREAD. */
hd_status hd_what_if_add(hd_what_if *what_if, const char *text);
hd_status hd_what_if_add_curve(hd_what_if *what_if, const char *selection);
hd_status hd_what_if_read(hd_what_if *what_if, const char *path);
/* A file, if there is one of that name, else a text. */
hd_status hd_what_if_add_or_read(hd_what_if *what_if, const char *text);

/* Whether delays are to be removed. */
bool hd_what_if_has_delays(const hd_what_if *what_if);

/* Delays are found by an analysis; advice and curves need delay costs and the critical path. */
static inline bool
hd_what_if_needs_analysis(const hd_what_if *what_if)
{
    return what_if->wants_advice || what_if->wants_curves || what_if->n_curves > 0 || hd_what_if_has_delays(what_if);
}

void hd_what_if_fini(hd_what_if *what_if);

#endif

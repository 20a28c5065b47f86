/* src/cli/commands/record/profile_advice.h: what a profile says about a trace of the same run: how large it would be,
 * which functions to leave out, and which options make it smaller.
 * Uses: trace_size, short_functions, json_document. MT: main thread only. Ranks: local. */
#ifndef HD_PROFILE_ADVICE_H
#define HD_PROFILE_ADVICE_H

#include "status.h"

typedef struct hd_profile_advice_request {
    const char *path;         /* of a profile (.cubex), or of a folder with profile.cubex */
    const char *filter;       /* the filter file that it was recorded with, NULL: none, or not known */
    const char *write_filter; /* where a filter file goes, NULL: there is to be none */
    bool        force;        /* it may replace another one */
    bool        json;
} hd_profile_advice_request;

/* Prints the advice on standard output, and writes the filter file. Errors: HD_EOPEN, there is no profile; those of
 * hd_trace_sizes_estimate() and hd_short_functions_write(). */
hd_status hd_profile_advise(const hd_profile_advice_request *request);

#endif

/* src/export/export.h: a part of an archive as files for timeline viewers (docs/user-guide.md#export).
 *
 * The event files are read once to match messages, and once for each file format. Uses: walk, export_format.
 * MT: main thread only. Ranks: local. Memory: what one location has open; channels; of the scratch 88 bytes for each
 * message's end, and what a format needs.
 */
#ifndef HD_EXPORT_H
#define HD_EXPORT_H

#include "event_reader.h"
#include "export_format.h"

typedef struct hd_export_request {
    const char          *archive, *anchor;
    const hd_defs       *defs;
    const bool          *is_chosen;   /* [defs->n_locations] */
    hd_analysis_interval interval;
    const char          *clock;       /* as in hd_export */
    const hd_clock_logs *clocks;      /* times are corrected by them; NULL: not */
    hd_event_reader      reader;
    bool                 raw_clocks;
    const hd_wait_marks *waits;
    const hd_efficiency_list *efficiencies; /* n == 0: not known */
    hd_scratch          *scratch;
    const char          *paths[HD_N_EXPORT_FORMATS]; /* in the order of the table; NULL: not in this format */
    bool                 force;
    void               (*on_phase)(void *context, const char *what); /* "messages", or the name of a format */
    void                *context;
    _Atomic uint64_t    *n_done;      /* events that were read in the phase; NULL: not */
    const _Atomic int   *stop;
} hd_export_request;

typedef struct hd_export_result {
    hd_walk_result walk;
    uint64_t       n_regions;         /* calls, parts of calls at the borders and of suspended tasks counted, too */
    uint64_t       n_messages, n_alone, n_early; /* n_early: of n_messages those that arrive before they are sent */
} hd_export_result;

extern const hd_export_format *const hd_export_formats[HD_N_EXPORT_FORMATS];

/* Errors: those of the formats; HD_EOPEN, HD_EREAD; HD_ESTOPPED; HD_EWRITE, no space in the scratch. Nothing is left
 * then, but for formats that were complete before. */
hd_status hd_export_run(const hd_export_request *request, hd_export_result *result);

#endif

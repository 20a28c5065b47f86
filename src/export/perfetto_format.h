/* src/export/perfetto_format.h: the JSON trace event format, as Perfetto reads it (docs/formats.md#perfetto). Inside of
 * export only: what the parts of its writer share.
 */
#ifndef HD_PERFETTO_FORMAT_H
#define HD_PERFETTO_FORMAT_H

#include "export_file.h"
#include "export_format.h"

/* Perfetto shows nothing of process 0 and thread 0, which are those of the idle processor. */
#define HD_PERFETTO_PROCESS(process) ((uint64_t)(process) + 1)
#define HD_PERFETTO_THREAD(location) ((uint64_t)(location) + 1)

typedef struct hd_perfetto_counter { /* of a location, so far */
    hd_time time;                    /* of the last value */
    double  value, rate;             /* the last ones */
    bool    is_known, has_rate;
} hd_perfetto_counter;

typedef struct hd_perfetto {
    const hd_export *export;
    hd_export_file   file;
    FILE            *out;
    char           **quoted;    /* [n_regions] names as JSON, once they are needed */
    char            *args;      /* what the call has communicated, as members of its args */
    size_t           args_bytes;
    FILE            *args_file; /* writes args */
    uint32_t         args_depth; /* regions that were open then */
    bool             has_args;
    uint32_t         depth;     /* open regions of the location */
    uint32_t         location;
    bool             has_events;
    hd_perfetto_counter *counters; /* [counters of the definitions] of the location */
} hd_perfetto;

/* perfetto_counters.c: tracks with what counters counted in a second, and with levels. */
void hd_perfetto_counter_value(void *state, hd_time time, uint32_t counter, double value);
void hd_perfetto_counters_end(hd_perfetto *perfetto); /* of the location */

/* Microseconds since the origin, to the picosecond. */
void hd_perfetto_put_time(FILE *out, const hd_export *export, hd_time time);
/* The begin of an event up to its ids: {"ph":"B","ts":1.5,"pid":1,"tid":1 */
void hd_perfetto_begin_event(hd_perfetto *perfetto, const char *phase, hd_time time, uint64_t process, uint64_t thread);
/* A text as JSON. */
void hd_perfetto_put_text(FILE *out, const char *text);
/* The name of a process (thread: its first one), or of a thread. order: among those beside it. */
void hd_perfetto_put_name(hd_perfetto *perfetto, bool is_process, uint64_t process, uint64_t thread, const char *name,
                          uint64_t order);

/* perfetto_efficiencies.c: tracks with the efficiencies of the report's time windows, of a process of their own. */
void hd_perfetto_put_efficiencies(hd_perfetto *perfetto);

/* perfetto_waits.c: tracks with the wait states of the report and their causes. */
void hd_perfetto_put_waits(hd_perfetto *perfetto);

#endif

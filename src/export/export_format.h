/* src/export/export_format.h: a file format of timeline viewers: what it is given, and the table of all formats.
 *
 * A new format is a file with an hd_export_format and a row of HD_EXPORT_FORMATS. Its functions are called in the order
 * open, begin, then for each location begin_location, what it has, end_location; close in any case where open was well.
 * Uses: efficiency_list, location_walk, message_match, wait_marks. MT: main thread only. Ranks: local.
 */
#ifndef HD_EXPORT_FORMAT_H
#define HD_EXPORT_FORMAT_H

#include "efficiency_list.h"
#include "location_walk.h"
#include "message_match.h"
#include "wait_marks.h"

/* X(name, what the user writes, help): --name of heddle export, and hd_NAME_format. */
#define HD_EXPORT_FORMATS(X) \
    X(perfetto, "FILE", "write a JSON trace for Perfetto (ui.perfetto.dev); with .gz at the end compressed; " \
                        "-: standard output") \
    X(paraver, "BASE", "write BASE.prv, BASE.pcf and BASE.row for Paraver")

typedef struct hd_export { /* what formats know */
    const char             *archive;   /* as the user named it */
    const char             *anchor;
    const hd_defs          *defs;
    const bool             *is_chosen; /* [defs->n_locations] */
    hd_analysis_interval    interval;
    hd_time                 origin;    /* time 0 of the files: the begin of the trace */
    hd_time                 end;       /* of the last record in the interval */
    const char             *clock;     /* "none", "linear" or "clc" */
    const hd_message_match *messages;
    const hd_wait_marks    *waits;
    const hd_efficiency_list *efficiencies; /* of the report; n == 0: it has none */
    uint64_t                n_messages, n_alone; /* with both ends in the files; ends without the other one: omitted */
    const bool             *falls;     /* [n_counters + n_tracks] metrics over time whose values fall, so that they are
                                        * levels, also where they are declared as sums */
    hd_scratch             *scratch;   /* for what grows with the trace; NULL: the heap */
} hd_export;

typedef struct hd_export_format {
    const char *name;
    /* Makes the files. Errors: HD_EEXIST, one is there and force is not; HD_EWRITE. */
    hd_status (*open)(const char *path, bool force, void **state);
    void (*begin)(void *state, const hd_export *export);
    void (*begin_location)(void *state, uint32_t location);
    void (*enter)(void *state, hd_time time, uint32_t region, bool is_continued);
    void (*leave)(void *state, hd_time time, uint32_t region, bool is_continued);
    /* number: of the message's end in messages. */
    void (*message)(void *state, const hd_walk_message *message, uint64_t number);
    void (*collective)(void *state, const hd_walk_collective *collective);
    void (*counter)(void *state, hd_time time, uint32_t counter, double value); /* NULL: not wanted */
    void (*end_location)(void *state);
    /* is_done: the files are complete, and get their names; else they are removed. Errors: HD_EEXIST, HD_EWRITE. */
    hd_status (*close)(void *state, bool is_done);
} hd_export_format;

#define HD_EXPORT_DECLARE(name, value, help) extern const hd_export_format hd_##name##_format;
HD_EXPORT_FORMATS(HD_EXPORT_DECLARE)

#define HD_EXPORT_COUNT(name, value, help) +1
enum { HD_N_EXPORT_FORMATS = 0 HD_EXPORT_FORMATS(HD_EXPORT_COUNT) };

#endif

/* src/profile/excerpt.h: what the processes of an instance did around that time, for a picture of it.
 *
 * The locations that took part in the worst instances are read once more, each once, by the rank that hosts them, and
 * only the excerpts around these instances are kept: in which call path a location was, exclusively, from when to when.
 * A picture goes from half the length of the waiting call before that call to as much after it. What is shorter than
 * 1/500 of it is put together with what follows, until that is long enough, or with what stands before it; the call
 * path with most of it stands for the whole.
 * Uses: instance_table, trace. Owner: the program. Grows with: pictures, at most 500 excerpts of 40 bytes for each of
 * at most 8 threads.
 */
#ifndef HD_EXCERPT_H
#define HD_EXCERPT_H

#include "instance_table.h"
#include "status.h"

struct hd_load_request;

enum {
    HD_MAX_LANES           = 8,   /* threads in a picture */
    HD_PICTURES_OF_METRIC   = 10,  /* the first ones of hd_wait_statistics have one */
    HD_PIECES_OF_PICTURE    = 500
};

typedef enum hd_excerpt_kind { HD_EXCERPT_CALL, HD_EXCERPT_WAIT } hd_excerpt_kind;

typedef struct hd_excerpt {
    uint32_t instance;        /* index in hd_wait_statistics.instances */
    uint32_t process, thread;
    uint32_t call_path;       /* of the unified tree */
    hd_time  begin, end;
    uint32_t kind;            /* hd_excerpt_kind; a wait lies over the calls */
    uint32_t unused;
} hd_excerpt;

typedef struct hd_excerpts { /* free() rows */
    hd_excerpt *rows; /* [n] by instance, process, thread, begin, kind */
    size_t     n;
} hd_excerpts;

/* The excerpts of all ranks, on rank 0; nothing on the others.
 *   load        what this rank has loaded; it is not changed
 *   maps        [load->n_processes] node of the process -> unified call path
 *   statistics  used on rank 0
 * Ranks: all, together. MT: main thread only. Cost: as much as loading those processes, of which threads are looked at.
 * Errors: those of hd_trace_load(), the same on all ranks. */
hd_status hd_excerpts_find(hd_analysis_comm *analysis_comm, const struct hd_load_request *load, uint32_t *const *maps,
                           const hd_wait_statistics *statistics, hd_excerpts *excerpts);

#endif

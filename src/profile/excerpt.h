/* src/profile/excerpt.h: timeline excerpts: what the threads of an instance did around that time, and the messages
 * between them.
 *
 * An excerpt has a window, from half the length of the waiting call before that call to as much after it, and lanes:
 * threads that have a part in the instance. Those that wait and the one that is waited for come first, then partners:
 * processes that exchange messages in the window with the thread that waits longest, or with the one waited for; those
 * with the most messages first.
 *
 *   hd_excerpts_plan()   after the forward replay, while there are op logs: chooses the lanes, matches the messages
 *   hd_excerpts_read()   reads the locations of the lanes once more: in which call path they were from when to when
 *
 * Uses: instance_table, trace. Owner: hd_excerpts_fini(). Grows with: excerpts; each has at most 16 lanes, with at most
 * 1,000 pieces of 40 bytes and 500 ends of messages of 48 bytes each.
 */
#ifndef HD_EXCERPT_H
#define HD_EXCERPT_H

#include "instance_table.h"
#include "status.h"

struct hd_load_request;
struct hd_trace;

enum {
    HD_MAX_LANES           = 16,
    HD_EXCERPTS_OF_METRIC  = 10,   /* the first ones of hd_wait_statistics have one */
    HD_PIECES_OF_LANE      = 1000, /* where there are more, short ones are put together */
    HD_ENDS_OF_LANE        = 500   /* of messages; where there are more, those nearest to the end of the wait */
};

typedef struct hd_excerpt_lane {
    uint32_t process, thread;
    uint32_t wait_path;   /* of the unified tree; HD_NONE: it is not known to wait */
    uint32_t unused;
    hd_time  from, until; /* of the wait, within the window */
} hd_excerpt_lane;

typedef struct hd_excerpt_window {
    uint32_t        instance;   /* index in hd_wait_statistics.instances */
    uint32_t        n_lanes;
    uint32_t        n_main;     /* of them: 1, or 2 where it is known who was waited for */
    uint32_t        unused;
    hd_time         begin, end;
    hd_time         focus;      /* leave of the waiting call */
    uint64_t        n_partners; /* those without a lane, too */
    uint64_t        n_sends, n_receives; /* of all lanes in the window, wherever the other end is. On rank 0 */
    hd_excerpt_lane lanes[HD_MAX_LANES]; /* who waits longest, who is waited for, others that wait, partners */
} hd_excerpt_window;

typedef struct hd_excerpt_message { /* both ends are in the window, on lanes */
    uint32_t instance;
    uint32_t sender, sender_thread, receiver, receiver_thread;
    uint32_t tag;
    hd_time  sent, received; /* enter of the call that starts the send; leave of the one that completes the receive */
    uint64_t bytes;
} hd_excerpt_message;

typedef enum hd_excerpt_kind {
    HD_EXCERPT_CALL,
    HD_EXCERPT_CALLS, /* several short ones, most of the time in the call path */
    HD_EXCERPT_WAIT   /* lies over the calls */
} hd_excerpt_kind;

typedef struct hd_excerpt_piece { /* of a lane's time */
    uint32_t instance;
    uint32_t process, thread;
    uint32_t call_path; /* of the unified tree, exclusively */
    hd_time  begin, end;
    uint32_t kind;      /* hd_excerpt_kind */
    uint32_t unused;
} hd_excerpt_piece;

typedef struct hd_excerpts {
    hd_excerpt_window  *windows;  /* [n_windows] by instance; on all ranks */
    hd_excerpt_message *messages; /* [n_messages] by instance, sent, received, sender, receiver, tag; on rank 0 */
    hd_excerpt_piece   *pieces;   /* [n_pieces] by instance, process, thread, begin, kind; on rank 0 */
    size_t              n_windows, n_messages, n_pieces;
} hd_excerpts;

void hd_excerpts_fini(hd_excerpts *excerpts);

/* Windows and messages.
 *   trace       what this rank hosts, with op logs
 *   statistics  used on rank 0
 * Ranks: all, together. MT: main thread only. Cost: op logs of the lanes are decoded twice at most. Errors: none. */
void hd_excerpts_plan(hd_analysis_comm *analysis_comm, const struct hd_trace *trace,
                      const hd_wait_statistics *statistics, hd_excerpts *excerpts);

/* The pieces, after hd_excerpts_plan().
 *   load  what this rank has loaded; it is not changed
 *   maps  [load->n_processes] node of the process -> unified call path
 * Ranks: all, together. MT: main thread only. Cost: as much as loading the processes of the lanes. Errors: those of
 * hd_trace_load(), the same on all ranks; there are no pieces then. */
hd_status hd_excerpts_read(hd_analysis_comm *analysis_comm, const struct hd_load_request *load, uint32_t *const *maps,
                           hd_excerpts *excerpts);

#endif

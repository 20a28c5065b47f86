/* src/trace/extract/event_cut.h: one location's events while those of the part are written. Inside of extract only.
 *
 * Its parts are open_things.h (what is begun and not ended), cut_tasks.h (by which task), cut_border.h (the borders of
 * the part), cut_records.h (what is done with each record) and cut_loss.h (what is lost). Uses: defs, read. Owner:
 * hd_extract_write().
 * MT: main thread only. Ranks: local. Grows with: what is open.
 */
#ifndef HD_EVENT_CUT_H
#define HD_EVENT_CUT_H

#include <otf2/otf2.h>

#include "crossing.h"
#include "extract_result.h"
#include "record_time.h"
#include "ref_map.h"

typedef enum hd_cut_kind {
    HD_CUT_REGION, HD_CUT_CONTEXT, HD_CUT_PROGRAM, HD_CUT_OFF, HD_CUT_FORK, HD_CUT_TEAM, HD_CUT_THREAD
} hd_cut_kind;

typedef struct hd_cut_open {    /* begun and not ended */
    hd_cut_kind     kind;
    uint32_t        ref;       /* region, calling context, name of the program, paradigm, team, contingent */
    uint64_t        number;    /* that its record has besides; not of a calling context */
    OTF2_StringRef *arguments; /* [number] of the program */
    uint32_t        context;   /* calling context recorded last, HD_NONE: none */
} hd_cut_open;

typedef struct hd_cut_task_id {
    uint32_t team, creator, generation; /* generation 0: the implicit task */
} hd_cut_task_id;

typedef struct hd_cut_task {
    hd_cut_task_id id;
    uint64_t       fragment;    /* the location's last switch to it, from 1 on; 0: it is over */
    hd_cut_open   *open;    /* [n] what it has open, the innermost last */
    size_t         n, capacity;
    uint32_t       context; /* calling context recorded last, HD_NONE: none */
    uint32_t       around;  /* how many of the contexts that it is in are around the task */
} hd_cut_task;

typedef struct hd_cut_fragment { /* where a task was before the part */
    uint32_t       process, location;
    hd_cut_task_id id;
    hd_time        time;
} hd_cut_fragment;

typedef struct hd_extraction { /* of the whole archive */
    const hd_extract_request *request;
    hd_extract_result         result;
    hd_ref_maps               refs;
    hd_crossing              *crossing;
    hd_cut_fragment          *fragments; /* [n_fragments] of explicit tasks that are not over; sorted once all are
                                              * known (cut_tasks.h) */
    size_t                    n_fragments, capacity_fragments;
    uint64_t                 *n_events;          /* [defs->n_locations] written, and those that are lost */
    bool                      knows_need;        /* the next member is known */
    bool                      needs_definitions; /* a location's events need its own definitions */
    OTF2_ErrorCode            error;             /* the first one of writing */
    int                       system_error;      /* errno then */
} hd_extraction;

typedef enum hd_cut_side { HD_CUT_BEFORE, HD_CUT_INSIDE, HD_CUT_BEHIND } hd_cut_side; /* of the part */

typedef struct hd_cut {
    hd_extraction  *all;
    uint32_t        location, process;
    OTF2_EvtWriter *writer;  /* NULL: what is before the part is looked at only */
    hd_cut_side     side;    /* where the last record was */
    hd_time         now;     /* of the last record */
    hd_span         moved_by; /* the last record: how much later it is in the new archive */
    hd_record_times times;    /* other times of the records; empty: they stay */
    hd_record_times_cursor at; /* in times */
    hd_plausible    plausible;
    hd_time         flushed; /* the trace buffer is being written until then */
    hd_cut_task    *tasks;   /* [n_tasks] the first one is the implicit one; those that are over are taken for others */
    size_t          n_tasks, capacity_tasks;
    size_t          current; /* the task that runs, in tasks */
    hd_time        *resumed; /* [n_resumed] by task: when it began to run last */
    size_t          n_resumed, capacity_resumed;
    uint64_t        n_fragments;
    uint64_t        n_read;     /* records */
    uint64_t        n_unknown;  /* of the part, of a kind that OTF2 does not know */
    uint64_t        n_mistimed; /* of the part, with a damaged time */
    bool            knows_implicit; /* tasks[0].id is a record's */
    uint32_t        sampler; /* interrupt generator of the last sample */
    size_t         *before;     /* [n_before] receives of messages from before the part: positions among those in it */
    size_t          n_before, i_before;
    size_t          n_receives; /* in the part so far */
} hd_cut;

void hd_cut_init(hd_cut *cut, hd_extraction *all, uint32_t location);
void hd_cut_fini(hd_cut *cut);

/* The innermost thing that the task has open is forgotten. */
void hd_cut_pop(hd_cut_task *of);

/* Keeps the first error of writing. OTF2 does not report everything that could not be written, least of all when it
 * closes a file: errno, 0 in the beginning, does. */
void hd_extract_note_error(hd_extraction *all, OTF2_ErrorCode error);
/* The same of a record of the location. */
void hd_cut_put(hd_cut *cut, OTF2_ErrorCode error);
bool hd_extract_is_of_the_disk(int error); /* errno */
bool hd_extract_is_to_stop(const hd_extraction *all);
bool hd_extract_goes_on(const hd_extraction *all); /* no error, and not to stop */

#endif

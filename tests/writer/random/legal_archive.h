/* tests/writer/random/legal_archive.h: whether an archive is that of a legal MPI program, see legal_archive_check().
 *
 * legal_archive.c reads it and knows processes, messages and collectives; legal_windows.c the records of windows. One
 * thread.
 */
#ifndef LEGAL_ARCHIVE_H
#define LEGAL_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_MEMBERS = 8, MAX_NUMBERS = 128, MAX_WINDOWS = 4, MAX_EVENTS = 1200, POST_SHIFT = 40 };

typedef enum stream_kind { MESSAGES, COLLECTIVES, EPOCHS, WINDOW_COLLECTIVES } stream_kind;

/* A stream of numbers that two sides must agree on: bytes of the messages of a channel (of receives above POST_SHIFT:
 * how many receives were posted before, by which they are put in order), operations of a communicator or
 * window (from: process), times of completes and of the waits for them. */
typedef struct stream {
    stream_kind kind;
    uint32_t    comm, from, to, tag; /* comm: or window */
    uint64_t    values[2][256]; /* sent, received; collectives: [0]; entered, left */
    uint32_t    n[2];
} stream;

/* What a process has opened on a window. */
typedef struct epochs {
    bool     is_fenced, is_started, is_posted, holds_all;
    bool     targets[MAX_MEMBERS], holds[MAX_MEMBERS]; /* targets: processes; holds: ranks */
    bool     is_open[256];                               /* operations, by their number */
} epochs;

typedef struct reading {
    uint32_t  group_of_comm[MAX_NUMBERS], remote_of_comm[MAX_NUMBERS]; /* HD_NONE: none */
    uint64_t  members[MAX_NUMBERS][MAX_MEMBERS];
    uint32_t  n_members[MAX_NUMBERS];
    bool      is_self[MAX_NUMBERS];
    uint32_t  comm_of_window[MAX_WINDOWS];
    epochs    epochs[MAX_WINDOWS]; /* of the location */
    uint32_t  n_errors, n_failures; /* known errors of the program; what is not legal, or cannot be read */
    uint32_t  name_of_region[MAX_NUMBERS];
    char     *strings[256];
    uint32_t  regions[16]; /* [depth] that are entered */
    uint64_t  entered[16];
    uint32_t  waited_window, waited_group; /* of the wait that goes on; HD_NONE: none */
    uint64_t  n_announced[MAX_NUMBERS];
    uint32_t  n_locations;
    int64_t   depth;
    uint64_t  last;
    struct {
        uint64_t number;
        uint32_t comm, peer, tag;
        uint64_t bytes;
        uint64_t post; /* of a receive: how many were posted before */
        bool     is_send;
    } open[256];
    uint32_t n_open, n_records;
    uint64_t n_posts;
    stream  *streams;
    size_t   n_streams, capacity;
} reading;

/* Prints what is not legal, and returns how much that is. *n_errors: wrong calls on windows, which few programs have on
 * purpose. */
uint32_t legal_archive_check(const char *anchor, uint32_t *n_errors);

/* ---- between the two files */

#define LEGAL(holds) legal_that(all, (holds), #holds, __FILE__, __LINE__)
void legal_that(reading *all, bool holds, const char *words, const char *file, int line);

#define EVENT_START OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,                     \
    OTF2_AttributeList *list
#define EVENT                                                                                                          \
    reading *all = data;                                                                                               \
    (void)location;                                                                                                    \
    (void)position;                                                                                                    \
    (void)list;                                                                                                        \
    LEGAL(time >= all->last);                                                                                          \
    all->last = time

/* The process that a record of a process means by a rank of a communicator. */
uint32_t legal_world_rank(reading *all, uint32_t comm, uint64_t self, uint32_t rank);
void     legal_stream_put(reading *all, stream key, uint32_t side, uint64_t value);
/* The end of an epoch: a complete, or a wait or test. */
void     legal_group_put(reading *all, uint64_t self, bool is_origin, uint32_t window, uint32_t group, uint64_t time);

void legal_windows_register(OTF2_EvtReaderCallbacks *callbacks);
/* At the end of a location: no epoch is open, and no operation. */
void legal_windows_end(reading *all);

#endif

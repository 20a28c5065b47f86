/* src/trace/walk/walk_sink.h: what a walk tells of a location (location_walk.h). Uses: base.
 * MT: the thread that walks. */
#ifndef HD_WALK_SINK_H
#define HD_WALK_SINK_H

#include "types.h"

#define HD_WALK_NO_REQUEST UINT64_MAX

typedef struct hd_walk_message {
    hd_time  time;      /* of the record */
    hd_time  enter;     /* of the call that it stands in */
    uint32_t comm;      /* index in the definitions */
    uint32_t peer;      /* process */
    uint32_t tag;
    uint64_t bytes;
    uint64_t request;   /* HD_WALK_NO_REQUEST: blocking */
    bool     is_send;
    bool     is_inside; /* of the interval */
} hd_walk_message;

typedef enum hd_walk_request_event { HD_WALK_POSTED, HD_WALK_SENT, HD_WALK_CANCELLED } hd_walk_request_event;

typedef struct hd_walk_collective {
    hd_time  time;           /* of the record */
    uint32_t comm;           /* index in the definitions: of a window, that of its communicator */
    uint32_t n_members;
    uint32_t root;           /* rank in the communicator; HD_NONE: none */
    uint64_t sent, received; /* bytes */
} hd_walk_collective;

/* What is told; NULL: not. is_continued: the region was entered before (it goes on after it), as the interval begins
 * (ends) or a task goes on (is suspended). */
typedef struct hd_walk_sink {
    void (*enter)(void *user, hd_time time, uint32_t region, bool is_continued);
    void (*leave)(void *user, hd_time time, uint32_t region, bool is_continued);
    void (*message)(void *user, const hd_walk_message *message);
    void (*request)(void *user, hd_walk_request_event event, uint64_t request, hd_time enter); /* of a message */
    void (*collective)(void *user, const hd_walk_collective *collective);
    void (*counter)(void *user, hd_time time, uint32_t counter, double value); /* index in the definitions */
} hd_walk_sink;

#endif

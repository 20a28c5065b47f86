/* src/export/message_match.h: which receive belongs to which send.
 *
 * On a channel (communicator, sender, receiver, tag) the k-th send belongs to the k-th receive, sends in the order of
 * their records, receives in the order in which they were posted, as MPI matches them. Cancelled sends are left out;
 * cancelled receives have no record. First all messages are noted, location by location (hd_message_match_sink of a
 * walk), then they are matched, then each is asked for in the same order.
 *
 * Uses: walk, scratch. Owner: the caller. MT: one thread at a time. Ranks: local.
 * Memory: channels, requests under way, and of the scratch 88 bytes for each message's end.
 */
#ifndef HD_MESSAGE_MATCH_H
#define HD_MESSAGE_MATCH_H

#include "location_walk.h"
#include "scratch.h"

typedef struct hd_message_end { /* a send or a receive */
    hd_time  time;     /* of the record */
    hd_time  begin;    /* enter of the call that sends; of the one that posted the receive, of its own where no post is
                        * recorded */
    uint64_t post;     /* place among the posts of the location */
    uint64_t bytes;
    uint64_t partner;  /* number of the other end; UINT64_MAX: it has none, or not in the interval */
    uint32_t location; /* index in the definitions */
    uint32_t channel;
    bool     is_send, is_inside, is_cancelled;
} hd_message_end;

typedef struct hd_message_match hd_message_match;

/* defs, scratch (NULL: the heap): live as long. */
hd_message_match *hd_message_match_new(const hd_defs *defs, hd_scratch *scratch);
void              hd_message_match_free(hd_message_match *match);

/* Notes what the walk of a location tells: user is the match. Locations of a process follow each other. */
extern const hd_walk_sink hd_message_match_sink;
void hd_message_match_begin(hd_message_match *match, uint32_t location);

/* All are noted. Of the interval: n_paired: messages with both ends; n_alone: ends without the other one; n_early: of
 * n_paired those that arrive before they are sent. */
void hd_message_match_finish(hd_message_match *match, uint64_t *n_paired, uint64_t *n_alone, uint64_t *n_early);

/* Goes through them again: the number of the location's first one, and then the numbers count up. */
uint64_t              hd_message_match_first(const hd_message_match *match, uint32_t location);
const hd_message_end *hd_message_match_get(const hd_message_match *match, uint64_t number);

#endif

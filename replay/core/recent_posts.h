/* replay/core/recent_posts.h: the calls that posted a location's latest receives. Of a receive that a send waited for
 * it is known then in which call it was posted; else the op log has to be gone through once more (sync_complete.h).
 *
 * Inside of the replay only. Uses: memory. MT: the worker's thread. Ranks: local.
 * Memory: 24 bytes per post, for 8 at first; for twice as many whenever one is not among them, up to 512.
 */
#ifndef HD_RECENT_POSTS_H
#define HD_RECENT_POSTS_H

#include "memory.h"
#include "types.h"

typedef struct hd_recent_post {
    hd_time  enter;     /* of the call */
    uint32_t length;    /* of the call [ticks] */
    uint32_t call_path; /* of the location */
    uint32_t order, post; /* of the record in the op log; see hd_op. order 0: there is none, or it is not kept */
} hd_recent_post;

typedef struct hd_recent_posts {
    uint32_t       n, mask; /* posts so far; number of rows - 1 */
    hd_recent_post rows[];  /* post i is in row i & mask */
} hd_recent_posts;

hd_recent_posts *hd_recent_posts_new(void); /* free() it */

/* A call from `enter` to `leave` that is entered no earlier than the last one; where it is longer than 32 bits hold it
 * is not kept. */
static inline void
hd_recent_posts_put(hd_recent_posts *posts, hd_time enter, hd_time leave, uint32_t call_path, uint32_t order,
                    uint32_t post)
{
    hd_recent_post *row = &posts->rows[posts->n++ & posts->mask];

    row->enter     = enter;
    row->length    = (uint32_t)(leave - enter);
    row->call_path = call_path;
    row->order     = HD_LIKELY(leave - enter <= UINT32_MAX) ? order : 0;
    row->post      = post;
}

/* NULL: it is not there any more, or never was; *posts may be NULL. Valid until the next call. */
const hd_recent_post *hd_recent_posts_find(hd_recent_posts **posts, hd_time enter, uint32_t post);

#endif

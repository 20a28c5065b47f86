/* src/profile/excerpt_messages.h: messages in the windows of timeline excerpts, from the op logs. Private to the
 * component. Uses: excerpt, trace. MT: main thread only.
 */
#ifndef HD_EXCERPT_MESSAGES_H
#define HD_EXCERPT_MESSAGES_H

#include "bytes.h"
#include "excerpt.h"

/* A process that exchanges messages with a main lane of a window, in the window. */
typedef struct hd_excerpt_partner {
    uint32_t window, process;
    uint64_t n; /* messages */
} hd_excerpt_partner;

static inline bool
hd_excerpt_has_process(const hd_excerpt_window *window, uint32_t process)
{
    for (uint32_t i = 0; i < window->n_lanes; i++)
        if (window->lanes[i].process == process)
            return true;
    return false;
}

/* Those that the main lanes on this rank know of, hd_excerpt_partner in bytes, in any order, each once. Ranks:
 * local. */
void hd_excerpt_partners_find(const struct hd_trace *trace, const hd_excerpts *excerpts, hd_bytes *partners);

/* Fills the messages, n_sends and n_receives. Ranks: all, together. */
void hd_excerpt_messages_find(hd_analysis_comm *analysis_comm, const struct hd_trace *trace, hd_excerpts *excerpts);

#endif

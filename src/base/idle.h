/* src/base/idle.h: how a thread waits for what another thread or rank does.
 *
 * It asks, calls hd_idle() when the answer is no, and asks again:
 *
 *     for (hd_idling idling = { 0 }; !is_there(); hd_idle(&idling, shares_core))
 *         ;
 *
 * A core that is given up while another program wants it is gone for a time slice, some milliseconds. A message comes
 * in far less. So a thread with a core of its own keeps the core for some milliseconds and then sleeps, 50 us each
 * time. One that shares its core gives it up for a millisecond, beside another program for one time slice, and then
 * sleeps, too.
 *
 * Uses: nothing. MT: any thread, each with its own. Ranks: local.
 */
#ifndef HD_IDLE_H
#define HD_IDLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_idling { /* 0: the thread had something to do */
    uint64_t n;        /* calls of hd_idle() since */
    uint64_t since_ns; /* the first of them that gave up the core */
} hd_idling;

/* shares_core: there are more threads than cores. Errors: none. */
void hd_idle(hd_idling *idling, bool shares_core);

#endif

/* replay/clock/clock_message.h: messages and the clock condition. A receive must not be earlier than its send.
 *
 * A send's stamp travels to the receiver's worker; while clocks are corrected, what the send must not be later than
 * travels back. Inside of the replay only. Uses: clock_vproc. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_CLOCK_MESSAGE_H
#define HD_CLOCK_MESSAGE_H

#include "clock_vproc.h"

/* ch->replay is set. */
void hd_clock_messages_init(hd_clock_worker *ch);
void hd_clock_messages_fini(hd_clock_worker *ch);

/* Set-up: receivers learn how many messages will come. The second one frees what the first one took. */
void hd_clock_messages_announce(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc);
void hd_clock_messages_forget(hd_clock_vproc *vproc);

/* The vproc is at a send. */
void hd_clock_send(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc);
/* The vproc is at a receive. False: the message is not there yet, the vproc waits. */
bool hd_clock_receive(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc);

/* An item up to HD_CLOCK_ITEM_LIMIT. */
void hd_clock_message_deliver(hd_clock_worker *ch, hd_worker *worker, uint32_t kind, const void *data);

#endif

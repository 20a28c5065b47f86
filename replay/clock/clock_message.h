/* replay/clock/clock_message.h: messages and the clock condition. A receive must not be earlier than its send.
 *
 * A send's stamp travels to the receiver's host; while clocks are corrected, what the send must not be later than
 * travels back. Inside of the replay only. Uses: clock_agent. MT: the host's thread. Ranks: local.
 */
#ifndef HD_CLOCK_MESSAGE_H
#define HD_CLOCK_MESSAGE_H

#include "clock_agent.h"

/* ch->replay is set. */
void hd_clock_messages_init(hd_clock_host *ch);
void hd_clock_messages_fini(hd_clock_host *ch);

/* Set-up: receivers learn how many messages will come. The second one frees what the first one took. */
void hd_clock_messages_announce(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);
void hd_clock_messages_forget(hd_clock_agent *agent);

/* The agent is at a send. */
void hd_clock_send(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);
/* The agent is at a receive. False: the message is not there yet, the agent waits. */
bool hd_clock_receive(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);

/* An item up to HD_CLOCK_ITEM_LIMIT. */
void hd_clock_message_deliver(hd_clock_host *ch, hd_host *host, uint32_t kind, const void *data);

#endif

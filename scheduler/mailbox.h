/* scheduler/mailbox.h: the mailboxes of one host: per channel, the mail that has come and nobody has taken yet.
 *
 * A channel is (communicator, sender, receiver, tag); its mail is numbered 0, 1, ... by the sender, and is taken by number, so
 * threads of a process may share a channel. Invariants: (1) mail of a box is in ascending order of its numbers; (2) a box has
 * waiting agents only while the mail that each of them wants is not in it. hd_mailbox_check() tests the first.
 *
 * Uses: base. MT: the host's thread. Ranks: local.
 * Memory: 72 bytes per channel, and per mail under way its payload and 16 bytes. Cost of every call: O(1) where a channel has one sending thread.
 */
#ifndef HD_MAILBOX_H
#define HD_MAILBOX_H

#include "memory.h"
#include "table.h"
#include "types.h"

typedef struct hd_mail {
    struct hd_mail *next;
    uint32_t        number;
    _Alignas(8) uint8_t payload[];
} hd_mail;

typedef struct hd_channel_key {
    uint32_t comm, tag, sender, receiver; /* sender, receiver: processes */
} hd_channel_key;

typedef struct hd_box {
    hd_channel_key key;
    hd_mail       *first, *last;
    uint32_t       n_announced; /* mail that will come in all, as the senders said */
    uint32_t       n_expected;  /* mail that the receiver will take in all */
    uint32_t       waiting;     /* agent, the first of a list through hd_mailbox.next_waiting; HD_NONE */
} hd_box;

typedef struct hd_mailbox {
    hd_box  **boxes; /* [n_boxes] */
    size_t    n_boxes, capacity;
    hd_table  index;
    hd_pool   box_pool, mail_pool;
    size_t    payload_bytes;
    uint32_t *next_waiting; /* [n_agents] of the rank */
} hd_mailbox;

void    hd_mailbox_init(hd_mailbox *mailbox, size_t payload_bytes, uint32_t n_agents);
void    hd_mailbox_fini(hd_mailbox *mailbox);
hd_box *hd_mailbox_box(hd_mailbox *mailbox, hd_channel_key key); /* made if not there; stays where it is */

/* Puts mail number `number`; the payload is copied. */
void hd_mailbox_put(hd_mailbox *mailbox, hd_box *box, uint32_t number, const void *payload);
/* Takes mail number `number` out: hd_mailbox_drop() it after use. NULL if it is not there. */
hd_mail *hd_mailbox_take(hd_box *box, uint32_t number);
void     hd_mailbox_drop(hd_mailbox *mailbox, hd_mail *mail);

/* An agent waits for mail of this box; the next mail lets go of all that wait: hd_box_waiting_take() gives them one by one. */
void     hd_box_wait(hd_mailbox *mailbox, hd_box *box, uint32_t agent);
uint32_t hd_box_waiting_take(hd_mailbox *mailbox, hd_box *box); /* HD_NONE: no more */
void     hd_box_unwait(hd_mailbox *mailbox, hd_box *box, uint32_t agent); /* it waits no longer */

void hd_mailbox_check(const hd_mailbox *mailbox);

#endif

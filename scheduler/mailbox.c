#include "mailbox.h"

#include "status.h"

void
hd_mailbox_init(hd_mailbox *mailbox, size_t payload_bytes, uint32_t n_agents)
{
    *mailbox = (hd_mailbox){ .payload_bytes = payload_bytes };
    hd_table_init(&mailbox->index);
    hd_pool_init(&mailbox->box_pool, sizeof(hd_box));
    hd_pool_init(&mailbox->mail_pool, sizeof(hd_mail) + payload_bytes);
    mailbox->next_waiting = HD_NEW_ARRAY(uint32_t, n_agents);
}

void
hd_mailbox_fini(hd_mailbox *mailbox)
{
    free(mailbox->boxes);
    free(mailbox->next_waiting);
    hd_table_fini(&mailbox->index);
    hd_pool_fini(&mailbox->box_pool);
    hd_pool_fini(&mailbox->mail_pool);
}

hd_box *
hd_mailbox_box(hd_mailbox *mailbox, hd_channel_key key)
{
    uint64_t hash = hd_hash((uint64_t)key.comm << 32 | key.tag) ^ ((uint64_t)key.sender << 32 | key.receiver);
    hd_box  *box;
    uint32_t i;

    while ((i = hd_table_get(&mailbox->index, hash)) != HD_NONE) {
        if (memcmp(&mailbox->boxes[i]->key, &key, sizeof key) == 0)
            return mailbox->boxes[i];
        hash++;
    }
    box  = hd_pool_take(&mailbox->box_pool);
    *box = (hd_box){ .key = key, .waiting = HD_NONE };
    hd_table_add(&mailbox->index, hash, (uint32_t)mailbox->n_boxes);
    HD_PUSH(mailbox->boxes, mailbox->n_boxes, mailbox->capacity, box);
    return box;
}

void
hd_mailbox_put(hd_mailbox *mailbox, hd_box *box, uint32_t number, const void *payload)
{
    hd_mail  *mail  = hd_pool_take(&mailbox->mail_pool);
    hd_mail **place = &box->first;

    mail->number = number;
    memcpy(mail->payload, payload, mailbox->payload_bytes);
    if (HD_LIKELY(box->first == NULL || box->last->number < number)) {
        mail->next = NULL;
        if (box->first == NULL)
            box->first = mail;
        else
            box->last->next = mail;
        box->last = mail;
        return;
    }
    while ((*place)->number < number)
        place = &(*place)->next;
    mail->next = *place;
    *place     = mail;
}

hd_mail *
hd_mailbox_take(hd_box *box, uint32_t number)
{
    hd_mail *mail = box->first, *before = NULL;

    while (mail != NULL && mail->number < number) {
        before = mail;
        mail   = mail->next;
    }
    if (mail == NULL || mail->number != number)
        return NULL;
    if (before == NULL)
        box->first = mail->next;
    else
        before->next = mail->next;
    if (box->last == mail)
        box->last = before;
    return mail;
}

void
hd_mailbox_drop(hd_mailbox *mailbox, hd_mail *mail)
{
    hd_pool_put(&mailbox->mail_pool, mail);
}

void
hd_box_wait(hd_mailbox *mailbox, hd_box *box, uint32_t agent)
{
    mailbox->next_waiting[agent] = box->waiting;
    box->waiting                 = agent;
}

uint32_t
hd_box_waiting_take(hd_mailbox *mailbox, hd_box *box)
{
    uint32_t agent = box->waiting;

    if (agent != HD_NONE)
        box->waiting = mailbox->next_waiting[agent];
    return agent;
}

void
hd_box_unwait(hd_mailbox *mailbox, hd_box *box, uint32_t agent)
{
    for (uint32_t *at = &box->waiting; *at != HD_NONE; at = &mailbox->next_waiting[*at])
        if (*at == agent) {
            *at = mailbox->next_waiting[agent];
            return;
        }
}

void
hd_mailbox_check(const hd_mailbox *mailbox)
{
    for (size_t i = 0; i < mailbox->n_boxes; i++) {
        const hd_box *box = mailbox->boxes[i];

        for (const hd_mail *mail = box->first; mail != NULL; mail = mail->next) {
            HD_ASSERT(mail->next == NULL || mail->next->number > mail->number);
            HD_ASSERT(mail->next != NULL || box->last == mail);
        }
    }
}

#include "letter.h"

#include <stddef.h>

#define POOLED_ENTRIES 16 /* longer ones are rare */

/* What has come for a point of the agent's process, made if nothing has. */
static hd_letters *
letters_of(hd_replay_host *rh, hd_agent *agent, uint64_t key)
{
    bool      is_new;
    hd_agent *first = agent - agent->thread;
    uint64_t *place = hd_map_add(&first->backward->letters, key, &is_new);

    if (is_new) {
        hd_letters *made = hd_pool_take(&rh->backward->letters);

        *made  = (hd_letters){ .waiting = HD_NONE };
        *place = (uint64_t)(uintptr_t)made;
    }
    return (hd_letters *)(uintptr_t)*place;
}

static void
drop_mail(hd_replay_host *rh, hd_letters *all)
{
    while (all->first != NULL) {
        hd_letter *letter = all->first;

        all->first = letter->next;
        if (hd_letter_n_entries(&letter->item) <= POOLED_ENTRIES)
            hd_pool_put(&rh->backward->mail, letter);
        else
            hd_scratch_free(rh->replay->scratch, letter);
    }
}

static void
drop(hd_replay_host *rh, hd_agent *agent, uint64_t key, hd_letters *all)
{
    drop_mail(rh, all);
    hd_map_remove(&(agent - agent->thread)->backward->letters, key);
    hd_pool_put(&rh->backward->letters, all);
}

hd_letters *
hd_letters_expect(hd_replay_host *rh, hd_agent *agent, uint64_t key, uint32_t n)
{
    hd_letters *all = letters_of(rh, agent, key);

    agent->backward->is_waiting = all->n < n && !agent->backward->given_up;
    agent->backward->awaited    = all;
    all->waiting                = agent->backward->is_waiting ? agent->number : HD_NONE;
    return agent->backward->is_waiting ? NULL : all;
}

void
hd_letters_give_up(hd_agent *agent)
{
    agent->backward->given_up         = true;
    agent->backward->awaited->is_over = true;
}

void
hd_letters_done(hd_replay_host *rh, hd_agent *agent, uint64_t key, hd_letters *all)
{
    bool given_up = agent->backward->given_up;

    agent->backward->given_up = false;
    drop(rh, agent, key, all);
    if (given_up)
        letters_of(rh, agent, key)->is_over = true;
}

bool
hd_letters_put(hd_replay_host *rh, hd_host *host, const hd_wait_item *item)
{
    hd_agent *agent = hd_replay_agent(rh->replay, item->process, 0);
    hd_letters  *all   = letters_of(rh, agent, item->key);
    hd_letter *letter;
    size_t    bytes;

    if (all->is_over)
        return false;
    bytes = sizeof *item + hd_letter_n_entries(item) * sizeof *letter->entries;
    if (hd_letter_n_entries(item) <= POOLED_ENTRIES)
        letter = hd_pool_take(&rh->backward->mail);
    else
        letter = hd_scratch_realloc(rh->replay->scratch, NULL, 1, offsetof(hd_letter, item) + bytes);
    memcpy(&letter->item, item, bytes);
    letter->next = all->first;
    all->first   = letter;
    all->n++;
    if (all->waiting != HD_NONE)
        hd_host_wake(host, all->waiting);
    return true;
}

void
hd_letters_host_init(hd_replay_host *rh)
{
    hd_pool_init(&rh->backward->letters, sizeof(hd_letters));
    hd_pool_init(&rh->backward->mail, sizeof(hd_letter) + POOLED_ENTRIES * sizeof(hd_mail_entry));
}

void
hd_letters_host_fini(hd_replay_host *rh)
{
    hd_pool_fini(&rh->backward->letters);
    hd_pool_fini(&rh->backward->mail);
}

void
hd_letters_fini(hd_replay_host *rh, hd_agent *agent)
{
    hd_map *all = &agent->backward->letters;

    for (uint32_t i = 0; all->slots != NULL && i <= all->mask; i++)
        if (all->slots[i].key != HD_MAP_FREE)
            drop_mail(rh, (hd_letters *)(uintptr_t)all->slots[i].value);
    hd_map_fini(all);
}

_Static_assert(sizeof(hd_wait_item) % 8 == 0, "items are whole words");
_Static_assert(offsetof(hd_letter, entries) == offsetof(hd_letter, item) + sizeof(hd_wait_item), "entries follow the item in both");

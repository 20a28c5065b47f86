/* src/report/algebra/matcher.c: things with keys, matched in rounds. */
#include "matcher.h"

#include "memory.h"

uint32_t
hd_match(hd_matcher *all, uint64_t key, uint32_t round, bool *is_new)
{
    uint32_t first = hd_table_get(&all->first, key), number = (uint32_t)all->n;

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): first is an item */
    if (first != HD_NONE && all->items[first].round != round) {
        all->items[first].round = round;
        all->items[first].at    = first;
    }
    *is_new = first == HD_NONE || all->items[first].at == HD_NONE;
    if (!*is_new) {
        number                = all->items[first].at;
        all->items[first].at = all->items[number].next;
        return number;
    }
    HD_PUSH(all->items, all->n, all->capacity,
            ((hd_match_item){ .next = HD_NONE, .at = HD_NONE, .last = number, .round = round }));
    if (first == HD_NONE)
        hd_table_add(&all->first, key, number);
    else {
        all->items[all->items[first].last].next = number;
        all->items[first].last                  = number;
    }
    return number;
}

void
hd_matcher_fini(hd_matcher *all)
{
    hd_table_fini(&all->first);
    free(all->items);
}

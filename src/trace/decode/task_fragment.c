#include "task_fragment.h"

#include <stdlib.h>

int
hd_task_key_compare(const hd_task_key *a, const hd_task_key *b)
{
#define HD_COMPARE(field)                                                                                              \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1
    HD_COMPARE(comm);
    HD_COMPARE(instance);
    HD_COMPARE(creator);
    HD_COMPARE(generation);
    return 0;
#undef HD_COMPARE
}

uint32_t
hd_migrated_tasks_index(const hd_migrated_tasks *moved, hd_task_key key)
{
    size_t first = 0, n = moved->n;

    while (n > 0) {
        int order = hd_task_key_compare(&key, &moved->keys[first + n / 2]);

        if (order == 0)
            return (uint32_t)(first + n / 2);
        if (order > 0)
            first += n / 2 + 1;
        n = order > 0 ? n - n / 2 - 1 : n / 2;
    }
    return HD_NONE;
}

void
hd_migrated_tasks_fini(hd_migrated_tasks *moved)
{
    free(moved->keys);
    *moved = (hd_migrated_tasks){ 0 };
}

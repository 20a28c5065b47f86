/* tests/writer/situation/rma_operations.c: which operations on windows are open, and which of them a call completes. */
#include "rma_operations.h"

#include "memory.h"

uint64_t
rma_operation_add(rma_operations *all, uint32_t window, uint32_t target, bool is_get, uint32_t request)
{
    rma_operation row = { .window = window, .target = target, .is_get = is_get, .request = request };

    for (size_t i = 0; request == 0 && i < all->n; i++)
        if (all->rows[i].window == window && all->rows[i].target == target && all->rows[i].is_get == is_get &&
            all->rows[i].request == 0 && !all->rows[i].is_complete)
            return all->rows[i].matching;
    row.matching = ++all->last_matching;
    HD_PUSH(all->rows, all->n, all->capacity, row);
    return row.matching;
}

bool
rma_operation_is_of(const rma_operation *operation, uint32_t window, uint32_t target)
{
    return operation->window == window && (target == TW_ALL_TARGETS || operation->target == target);
}

bool
rma_operations_go_on(const rma_operations *all, uint32_t window, uint32_t target)
{
    for (size_t i = 0; i < all->n; i++)
        if (rma_operation_is_of(&all->rows[i], window, target))
            return true;
    return false;
}

void
rma_operations_drop(rma_operations *all, uint32_t window, uint32_t target)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (!rma_operation_is_of(&all->rows[i], window, target))
            all->rows[n++] = all->rows[i];
    all->n = n;
}

rma_operation *
rma_operation_of_request(rma_operations *all, uint32_t request)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->rows[i].request == request)
            return &all->rows[i];
    return NULL;
}

void
rma_operations_fini(rma_operations *all)
{
    free(all->rows);
    *all = (rma_operations){ 0 };
}

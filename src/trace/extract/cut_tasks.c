#include "cut_tasks.h"

#include "memory.h"
#include "open_things.h"

static bool
same_id(hd_cut_task_id a, hd_cut_task_id b)
{
    return a.team == b.team && a.creator == b.creator && a.generation == b.generation;
}

static size_t
find_task(const hd_cut *cut, hd_cut_task_id id)
{
    size_t i = 1;

    while (i < cut->n_tasks && (cut->tasks[i].fragment == 0 || !same_id(cut->tasks[i].id, id)))
        i++;
    return i;
}

static size_t
new_task(hd_cut *cut, hd_cut_task_id id)
{
    size_t i = 1;

    while (i < cut->n_tasks && cut->tasks[i].fragment != 0)
        i++;
    if (i == cut->n_tasks) {
        HD_PUSH(cut->tasks, cut->n_tasks, cut->capacity_tasks, ((hd_cut_task){ .fragment = 0 }));
        HD_PUSH(cut->resumed, cut->n_resumed, cut->capacity_resumed, 0);
    }
    cut->tasks[i].id      = id;
    cut->tasks[i].context = HD_NONE;
    cut->tasks[i].around  = 0;
    return i;
}

bool
hd_cut_switch_task(hd_cut *cut, hd_cut_task_id id)
{
    size_t i = 0;

    if (id.generation == 0) {
        cut->tasks[0].id    = id;
        cut->knows_implicit = true;
    } else
        i = find_task(cut, id);
    if (i == cut->n_tasks)
        i = new_task(cut, id);
    cut->tasks[i].fragment = ++cut->n_fragments;
    cut->resumed[i]    = cut->now;
    cut->current       = i;
    return true;
}

/* What it left open it left elsewhere. */
bool
hd_cut_complete_task(hd_cut *cut, hd_cut_task_id id)
{
    size_t i = id.generation == 0 ? cut->n_tasks : find_task(cut, id);

    if (i == cut->n_tasks)
        return true;
    while (cut->tasks[i].n > 0) {
        if (cut->side == HD_CUT_INSIDE && cut->current == i)
            hd_cut_put_end(cut, &cut->tasks[i].open[cut->tasks[i].n - 1], cut->now);
        hd_cut_pop(&cut->tasks[i]);
    }
    cut->tasks[i].fragment = 0;
    cut->current       = cut->current == i ? 0 : cut->current;
    return true;
}

static int
compare_tasks(const hd_cut_fragment *a, const hd_cut_fragment *b)
{
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->id.team != b->id.team)
        return a->id.team < b->id.team ? -1 : 1;
    if (a->id.creator != b->id.creator)
        return a->id.creator < b->id.creator ? -1 : 1;
    return (a->id.generation > b->id.generation) - (a->id.generation < b->id.generation);
}

/* Of one task the latest fragment first. */
static int
compare_fragments(const void *left, const void *right)
{
    const hd_cut_fragment *a = left, *b = right;
    int                    order = compare_tasks(a, b);

    if (order != 0)
        return order;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

bool
hd_cut_is_here(const hd_cut *cut, size_t i)
{
    hd_cut_fragment        key       = { .process = cut->process, .id = cut->tasks[i].id };
    const hd_cut_fragment *fragments = cut->all->fragments;
    size_t                 low = 0, high = cut->all->n_fragments;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_tasks(&fragments[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low == cut->all->n_fragments || compare_tasks(&fragments[low], &key) != 0 ||
           fragments[low].location == cut->location;
}

void
hd_cut_note_fragments(const hd_cut *cut)
{
    hd_extraction *all = cut->all;

    for (size_t i = 1; i < cut->n_tasks; i++)
        if (cut->tasks[i].fragment != 0)
            HD_PUSH(all->fragments, all->n_fragments, all->capacity_fragments,
                    ((hd_cut_fragment){ cut->process, cut->location, cut->tasks[i].id, cut->resumed[i] }));
}

void
hd_cut_sort_fragments(hd_extraction *all)
{
    if (all->n_fragments > 1)
        qsort(all->fragments, all->n_fragments, sizeof *all->fragments, compare_fragments);
}

size_t
hd_cut_next_suspended(const hd_cut *cut, uint64_t after)
{
    size_t next = cut->n_tasks;

    for (size_t i = 1; i < cut->n_tasks; i++)
        if (i != cut->current && cut->tasks[i].fragment > after && cut->tasks[i].n > 0 &&
            (next == cut->n_tasks || cut->tasks[i].fragment < cut->tasks[next].fragment))
            next = i;
    return next;
}

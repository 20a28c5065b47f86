#include "comm_group.h"

#include <string.h>

#include "status.h"

enum { RUN_NUMBERS = 3 }; /* of a run: its first rank, the process with it, and the distance to the next process, modulo
                           * 2^32 */

/* How many members from `from` on are equally spaced; one of another kind than a process stands alone. */
static uint32_t
run_length(const uint32_t *members, uint32_t from, uint32_t n)
{
    uint32_t to = from + 1;

    if (members[from] == HD_NONE)
        return 1;
    while (to < n && members[to] != HD_NONE && members[to] - members[to - 1] == members[from + 1] - members[from])
        to++;
    return to - from;
}

uint32_t
hd_comm_group_write(hd_comm_group *group, uint32_t *to, const uint32_t *members, uint32_t n)
{
    uint32_t n_runs = 0, length;

    group->n      = n;
    group->n_runs = 0;
    for (uint32_t from = 0; from < n; from += length, n_runs++) {
        uint32_t *run = to + (size_t)n_runs * RUN_NUMBERS;

        length = run_length(members, from, n);
        if (((size_t)n_runs + 1) * RUN_NUMBERS > n) {
            memcpy(to, members, n * sizeof *to);
            return n;
        }
        run[0] = from;
        run[1] = members[from];
        run[2] = length > 1 ? members[from + 1] - members[from] : 0;
    }
    group->n_runs = n_runs;
    return n_runs * RUN_NUMBERS;
}

static const uint32_t *
numbers_of(const hd_defs *defs, const hd_comm_group *group)
{
    HD_ASSERT(group->self == 0);
    return hd_defs_members(defs) + group->first;
}

static uint32_t
end_of_run(const hd_comm_group *group, const uint32_t *run, uint32_t i)
{
    return i + 1 < group->n_runs ? run[RUN_NUMBERS] : group->n;
}

void
hd_comm_group_read(const hd_defs *defs, const hd_comm_group *group, uint32_t *members)
{
    const uint32_t *run = numbers_of(defs, group);

    if (group->n_runs == 0 && group->n > 0)
        memcpy(members, run, group->n * sizeof *members);
    for (uint32_t i = 0; i < group->n_runs; i++, run += RUN_NUMBERS) {
        uint32_t end = end_of_run(group, run, i), member = run[1], step = run[2];

        for (uint32_t rank = run[0]; rank < end; rank++, member += step)
            members[rank] = member;
    }
}

uint32_t
hd_comm_group_member(const hd_defs *defs, const hd_comm_group *group, uint32_t rank)
{
    const uint32_t *numbers = numbers_of(defs, group);
    uint32_t        low = 0, high = group->n_runs;

    if (high == 0)
        return numbers[rank];
    while (low + 1 < high) { /* the last run that starts at this rank or before */
        uint32_t middle = (low + high) / 2;

        if (numbers[(size_t)middle * RUN_NUMBERS] <= rank)
            low = middle;
        else
            high = middle;
    }
    numbers += (size_t)low * RUN_NUMBERS;
    return numbers[1] + (rank - numbers[0]) * numbers[2];
}

uint32_t
hd_comm_group_rank(const hd_defs *defs, const hd_comm_group *group, uint32_t process)
{
    const uint32_t *run = numbers_of(defs, group);

    if (process == HD_NONE)
        return HD_NONE;
    for (uint32_t rank = 0; group->n_runs == 0 && rank < group->n; rank++)
        if (run[rank] == process)
            return rank;
    for (uint32_t i = 0; i < group->n_runs; i++, run += RUN_NUMBERS) {
        bool     falls    = run[2] > UINT32_MAX / 2;
        uint32_t distance = falls ? run[1] - process : process - run[1], step = falls ? -run[2] : run[2];

        if (distance == 0)
            return run[0];
        if (step > 0 && distance % step == 0 && distance / step < end_of_run(group, run, i) - run[0])
            return run[0] + distance / step;
    }
    return HD_NONE;
}

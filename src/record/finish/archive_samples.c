/* src/record/finish/archive_samples.c: compares call stacks with what is open. */
#include "archive_samples.h"

/* Behind the innermost region that was recorded. */
static size_t
find_segment(const hd_opened *open, size_t n_open)
{
    while (n_open > 0 && open[n_open - 1].by == HD_OPENED_SAMPLED)
        n_open--;
    return n_open;
}

/* Behind the innermost parallel region or task of those: the libraries of OpenMP call what is inside. */
static size_t
find_body(const hd_recorded_run *run, const hd_opened *open, size_t n)
{
    for (; n > 0; n--) {
        const hd_run_region *region = &run->regions[open[n - 1].region];

        if (region->paradigm == HD_RUN_OPENMP &&
            (region->role == HD_RAW_ROLE_PARALLEL || region->role == HD_RAW_ROLE_TASK))
            break;
    }
    return n;
}

/* The functions that have names, the outermost first. Those around the innermost one of a library of OpenMP, or of the
 * recorder, belong to what is around the region that it runs. is_body: out, there is one. */
static uint32_t
name_stack(const hd_run_process *process, const uint64_t *words, uint32_t n, uint32_t *names, bool *is_body)
{
    uint32_t n_names = 0;

    *is_body = false;
    for (uint32_t i = n; i > 0; i--) {
        uint64_t        address = words[i - 1];
        const uint64_t *known = address != 0 && address != HD_MAP_FREE ? hd_map_get(&process->callers, address) : NULL;

        if (known != NULL && *known == HD_RUN_RUNS_BODY) {
            n_names  = 0;
            *is_body = true;
        } else if (known != NULL && *known != HD_NONE)
            names[n_names++] = (uint32_t)*known;
    }
    return n_names;
}

void
hd_stack_change_find(const hd_recorded_run *run, const hd_run_process *process, const hd_opened *open, size_t n_open,
                     const uint64_t *words, uint32_t n, hd_stack_change *change)
{
    uint32_t names[HD_RAW_MAX_PAYLOAD], at = 0;
    bool     is_body;
    uint32_t n_names = name_stack(process, words, n, names, &is_body);
    size_t   segment = find_segment(open, n_open), stay = segment;

    *change = (hd_stack_change){ .n_stay = n_open };
    if (n_names == 0 && !is_body)
        return;
    for (size_t i = is_body ? find_body(run, open, segment) : 0; i < segment && at < n_names; i++)
        at += open[i].region == names[at];
    while (stay < n_open && at < n_names && open[stay].region == names[at]) {
        stay++;
        at++;
    }
    change->n_stay = stay;
    while (at < n_names)
        change->entered[change->n_entered++] = names[at++];
}

void
hd_stack_change_to_function(const hd_opened *open, size_t n_open, uint32_t function, hd_stack_change *change)
{
    size_t segment = find_segment(open, n_open), stay = n_open;

    while (stay > segment && open[stay - 1].region != function)
        stay--;
    change->n_stay    = stay;
    change->n_entered = 0;
}

bool
hd_stack_is_computing(const hd_recorded_run *run, const hd_opened *open, size_t n_open)
{
    size_t               segment = find_segment(open, n_open);
    const hd_run_region *region  = segment > 0 ? &run->regions[open[segment - 1].region] : NULL;

    if (region == NULL || region->paradigm == HD_RUN_FUNCTION || region->paradigm == HD_RUN_USER)
        return true;
    if (region->paradigm != HD_RUN_OPENMP)
        return false;
    switch (region->role) {
    case HD_RAW_ROLE_PARALLEL:
    case HD_RAW_ROLE_CRITICAL_SBLOCK:
    case HD_RAW_ROLE_LOOP:
    case HD_RAW_ROLE_SECTIONS:
    case HD_RAW_ROLE_SINGLE:
    case HD_RAW_ROLE_ORDERED_SBLOCK:
    case HD_RAW_ROLE_TASK:
        return true;
    default:
        return false;
    }
}

/* src/profile/excerpt_plan.c: which instances have timeline excerpts, and which threads are lanes of them. */
#include "analysis_comm.h"
#include "excerpt.h"
#include "excerpt_messages.h"
#include "trace.h"

/* ---- those that wait, and the one waited for --------------------------------------------------------------------- */

static void
add_lane(hd_excerpt_window *window, hd_excerpt_lane lane)
{
    if (window->n_lanes < HD_MAX_LANES)
        window->lanes[window->n_lanes++] = lane;
}

static hd_excerpt_lane
lane_of_waiter(const hd_excerpt_window *window, const hd_waiter *waiter)
{
    return (hd_excerpt_lane){ .process = waiter->process, .thread = waiter->thread, .wait_path = waiter->call_path,
                              .from = hd_time_max(waiter->from, window->begin),
                              .until = hd_time_min(waiter->from + (hd_time)waiter->wait, window->end) };
}

static void
add_waiters(hd_excerpt_window *window, const hd_instance *instance, const hd_defs *defs)
{
    uint32_t peer_place = HD_NONE, peer_thread = instance->peer_thread;

    for (uint32_t i = 0; i < instance->n_waiters; i++)
        if (instance->waiters[i].process == instance->peer && instance->waiters[i].thread == peer_thread)
            peer_place = i;
    add_lane(window, lane_of_waiter(window, &instance->waiters[0]));
    if (peer_place != 0 && peer_place != HD_NONE) {
        add_lane(window, lane_of_waiter(window, &instance->waiters[peer_place]));
    } else if (peer_place == HD_NONE && instance->peer < defs->n_processes) {
        if (peer_thread >= hd_defs_processes(defs)[instance->peer].n_locations)
            peer_thread = 0;
        add_lane(window, (hd_excerpt_lane){ .process = instance->peer, .thread = peer_thread, .wait_path = HD_NONE });
    }
    window->n_main = window->n_lanes;
    for (uint32_t i = 1; i < instance->n_waiters; i++)
        if (i != peer_place)
            add_lane(window, lane_of_waiter(window, &instance->waiters[i]));
}

static hd_excerpt_window
window_of(const hd_instance *instance, uint32_t number, const hd_defs *defs)
{
    hd_time           margin = (instance->leave - instance->enter) / 2 + 1;
    hd_time           end    = hd_time_max(defs->first_time + defs->length, instance->leave);
    hd_excerpt_window window = { .instance = number, .focus = instance->leave };

    window.begin = instance->enter > defs->first_time + margin ? instance->enter - margin : defs->first_time;
    window.begin = hd_time_min(window.begin, instance->enter);
    window.end   = hd_time_min(instance->leave + margin, end);
    add_waiters(&window, instance, defs);
    return window;
}

static void
choose_windows(const hd_wait_statistics *statistics, const hd_defs *defs, hd_excerpts *excerpts)
{
    uint32_t of_metric = 0;
    size_t   capacity  = 0;

    for (size_t i = 0; i < statistics->n_instances; i++) {
        of_metric = i > 0 && statistics->instances[i].metric == statistics->instances[i - 1].metric ? of_metric + 1 : 0;
        if (of_metric < HD_EXCERPTS_OF_METRIC)
            HD_PUSH(excerpts->windows, excerpts->n_windows, capacity,
                    window_of(&statistics->instances[i], (uint32_t)i, defs));
    }
}

/* ---- partners ---------------------------------------------------------------------------------------------------- */

static int
compare_by_process(const void *left, const void *right)
{
    const hd_excerpt_partner *a = left, *b = right;

    if (a->window != b->window)
        return a->window < b->window ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

static int
compare_by_messages(const void *left, const void *right)
{
    const hd_excerpt_partner *a = left, *b = right;

    if (a->window != b->window)
        return a->window < b->window ? -1 : 1;
    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* Puts together what several lanes said of a process; the number that is left. */
static size_t
add_up(hd_excerpt_partner *partners, size_t n)
{
    size_t n_kept = 0;

    qsort(partners, n, sizeof *partners, compare_by_process);
    for (size_t i = 0; i < n; i++) {
        if (n_kept > 0 && compare_by_process(&partners[n_kept - 1], &partners[i]) == 0)
            partners[n_kept - 1].n += partners[i].n;
        else
            partners[n_kept++] = partners[i];
    }
    return n_kept;
}

static void
add_partners(hd_excerpt_partner *partners, size_t n, hd_excerpts *excerpts)
{
    n = add_up(partners, n);
    qsort(partners, n, sizeof *partners, compare_by_messages);
    for (size_t i = 0; i < n; i++) {
        hd_excerpt_window *window = &excerpts->windows[partners[i].window];

        if (hd_excerpt_has_process(window, partners[i].process))
            continue;
        window->n_partners++;
        add_lane(window, (hd_excerpt_lane){ .process = partners[i].process, .wait_path = HD_NONE });
    }
}

static void
gather_partners(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_excerpts *excerpts)
{
    hd_bytes  own     = { 0 };
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_excerpt_partners_find(trace, excerpts, &own);
    hd_analysis_comm_gather(analysis_comm, own.data, own.n, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    if (all != NULL && sum > 0)
        add_partners((hd_excerpt_partner *)(void *)all, sum / sizeof(hd_excerpt_partner), excerpts);
    free(all);
    free(n_bytes);
    hd_bytes_fini(&own);
}

/* ---- all ranks --------------------------------------------------------------------------------------------------- */

static void
share_windows(hd_analysis_comm *analysis_comm, hd_excerpts *excerpts)
{
    uint64_t n = excerpts->n_windows;

    hd_analysis_comm_broadcast(analysis_comm, &n, sizeof n, (hd_arank){ 0 });
    if (excerpts->windows == NULL)
        excerpts->windows = HD_NEW_ARRAY(hd_excerpt_window, n + 1);
    excerpts->n_windows = n;
    hd_analysis_comm_broadcast(analysis_comm, excerpts->windows, n * sizeof *excerpts->windows, (hd_arank){ 0 });
}

void
hd_excerpts_plan(hd_analysis_comm *analysis_comm, const hd_trace *trace, const hd_wait_statistics *statistics,
                 hd_excerpts *excerpts)
{
    *excerpts = (hd_excerpts){ 0 };
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        choose_windows(statistics, trace->defs, excerpts);
    share_windows(analysis_comm, excerpts);
    gather_partners(analysis_comm, trace, excerpts);
    share_windows(analysis_comm, excerpts);
    hd_excerpt_messages_find(analysis_comm, trace, excerpts);
}

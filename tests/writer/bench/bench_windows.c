/* tests/writer/bench/bench_windows.c: one-sided communication of an archive to measure with. */
#include "bench_archive.h"
#include "memory.h"

/* An exchange is some rounds of one kind: the first starts when the process has computed, the others at about one time
 * on all processes, ROUND_TICKS apart. A round is over before the next starts. */
static hd_time
round_start(const bench *b, uint32_t process, uint32_t iteration, uint32_t number)
{
    if (number == 0)
        return exchange_start(b, process, iteration);
    return b->meets[iteration] + (hd_time)number * ROUND_TICKS + mix(process, iteration, 100 + number) % ROUND_SPREAD;
}

/* The first number by which operations of a round are matched: four for each. */
static uint64_t
round_matching(uint32_t iteration, uint32_t number)
{
    return 4 * ((uint64_t)iteration * N_ROUNDS + number) + 1;
}

/* A collective on a window. */
static void
window_collective(tw_location *location, hd_time enter, hd_time end, uint32_t region, tw_collective operation,
                  uint32_t window)
{
    uint32_t sync = operation == TW_COLL_BARRIER ? TW_SYNC_BOTH : TW_SYNC_PROCESS;

    tw_enter(location, enter, region);
    tw_rma_collective_begin(location, enter + 40);
    if (operation == TW_COLL_CREATE_HANDLE)
        tw_rma_win_create(location, end - 60, window);
    else if (operation == TW_COLL_DESTROY_HANDLE)
        tw_rma_win_destroy(location, end - 60, window);
    tw_rma_collective_end(location, end, operation, sync, window, TW_ROOT_NONE, 0, 0);
    tw_leave(location, end + 30, region);
}

static void
put_write(const bench *b, tw_location *location, hd_time enter, uint32_t region, uint32_t window, uint32_t target,
          uint64_t matching)
{
    tw_enter(location, enter, region);
    tw_rma_put(location, enter + 40, b->windows[window], target, 4096, matching);
    tw_leave(location, enter + 250, region);
}

/* Between two fences each process puts to both neighbours. */
static void
fences_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, uint32_t number)
{
    hd_time  start    = round_start(b, process, iteration, number);
    hd_time  last     = b->meets[iteration] + (number == 0 ? 0 : (hd_time)number * ROUND_TICKS + ROUND_SPREAD);
    hd_time  first    = last + 700 + mix(process, iteration, 110 + number) % 200;
    hd_time  second   = first + 800 + mix(process, iteration, 120 + number) % ROUND_SPREAD;
    hd_time  end      = last + 900 + 800 + ROUND_SPREAD + 700 + mix(process, iteration, 130 + number) % 200;
    uint64_t matching = round_matching(iteration, number);

    window_collective(location, start, first, b->fence, TW_COLL_BARRIER, b->windows[0]);
    put_write(b, location, first + 100, b->put, 0, left_of(b, process), matching);
    put_write(b, location, first + 400, b->put, 0, right_of(b, process), matching + 1);
    tw_enter(location, second, b->fence);
    tw_rma_collective_begin(location, second + 40);
    for (uint32_t k = 2; k-- > 0;)
        tw_rma_op_complete_non_blocking(location, end - 60, b->windows[0], matching + k);
    tw_rma_collective_end(location, end, TW_COLL_BARRIER, TW_SYNC_BOTH, b->windows[0], TW_ROOT_NONE, 0, 0);
    tw_leave(location, end + 30, b->fence);
}

/* When a process comes to the end of its epoch of access. */
static hd_time
complete_enter(const bench *b, uint32_t process, uint32_t iteration, uint32_t number)
{
    return round_start(b, process, iteration, number) + 1400 + mix(process, iteration, 140 + number) % 2000;
}

static void
group_call(const bench *b, tw_location *location, hd_time enter, hd_time leave, uint32_t region, uint32_t sync,
           uint32_t group)
{
    tw_enter(location, enter, region);
    tw_rma_group_sync(location, enter, sync, b->windows[1], group);
    tw_leave(location, leave, region);
}

/* Each process lets its neighbours access it, and accesses them; a late post is waited for at the end. */
static void
groups_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, uint32_t number)
{
    uint32_t left = left_of(b, process), right = right_of(b, process), group = b->groups[process];
    hd_time  start = round_start(b, process, iteration, number),
                     complete = complete_enter(b, process, iteration, number);
    hd_time  posted, done, left_at;
    uint64_t matching = round_matching(iteration, number);

    posted  = hd_time_max(round_start(b, left, iteration, number), round_start(b, right, iteration, number));
    done    = hd_time_max(complete_enter(b, left, iteration, number), complete_enter(b, right, iteration, number));
    left_at = hd_time_max(complete + 250, posted + 900);
    group_call(b, location, start, start + 200, b->post, TW_SYNC_PROCESS, group);
    group_call(b, location, start + 250, start + 400, b->start, TW_SYNC_PROCESS, group);
    put_write(b, location, start + 500, b->put, 1, left, matching);
    put_write(b, location, start + 800, b->put, 1, right, matching + 1);
    tw_enter(location, complete, b->complete);
    for (uint32_t k = 2; k-- > 0;)
        tw_rma_op_complete_non_blocking(location, left_at - 60, b->windows[1], matching + k);
    tw_rma_group_sync(location, left_at - 60, TW_SYNC_BOTH, b->windows[1], group);
    tw_leave(location, left_at, b->complete);
    group_call(b, location, left_at + 100, hd_time_max(left_at + 200, done + 900), b->win_wait, TW_SYNC_BOTH, group);
}

/* [ticks] from the time that a lock is had to its release. */
enum { LOCKED_TICKS = 900 };

static void
flush_write(const bench *b, tw_location *location, hd_time enter, uint64_t matching, bool is_local_known)
{
    tw_enter(location, enter, b->flush);
    if (!is_local_known)
        tw_rma_op_complete_non_blocking(location, enter + 150, b->windows[2], matching);
    tw_rma_op_complete_remote(location, enter + 170, b->windows[2], matching);
    tw_leave(location, enter + 200, b->flush);
}

static void
lock_write(const bench *b, tw_location *location, hd_time enter, hd_time had, uint32_t target, uint64_t matching)
{
    tw_enter(location, enter, b->lock);
    tw_rma_request_lock(location, enter, b->windows[2], target, 0, true);
    tw_leave(location, had, b->lock);
    put_write(b, location, had + 50, b->put, 2, target, matching);
    flush_write(b, location, had + 350, matching, false);
    tw_enter(location, had + LOCKED_TICKS, b->unlock);
    tw_rma_release_lock(location, had + LOCKED_TICKS, b->windows[2], target, 0);
    tw_leave(location, had + LOCKED_TICKS + 200, b->unlock);
}

/* Each process locks its right neighbour, then the left one, after the one beyond that. */
static void
locks_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, uint32_t number)
{
    uint32_t left    = left_of(b, process), right = right_of(b, process);
    hd_time  start   = round_start(b, process, iteration, number), second = start + 200 + LOCKED_TICKS + 300;
    hd_time  other   = round_start(b, left_of(b, left), iteration, number) + 200 + LOCKED_TICKS;
    uint64_t matching = round_matching(iteration, number);

    lock_write(b, location, start, start + 200, right, matching);
    lock_write(b, location, second, hd_time_max(second + 200, other + 400), left, matching + 1);
}

static void
lock_of_all_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, uint32_t number)
{
    hd_time  start    = round_start(b, process, iteration, number);
    uint64_t matching = round_matching(iteration, number);

    tw_enter(location, start, b->lock_all);
    tw_rma_request_lock(location, start, b->windows[2], TW_ALL_TARGETS, 0, false);
    tw_leave(location, start + 200, b->lock_all);
    put_write(b, location, start + 250, b->rput, 2, left_of(b, process), matching);
    put_write(b, location, start + 550, b->rput, 2, right_of(b, process), matching + 1);
    tw_enter(location, start + 900, b->waitall);
    for (uint32_t k = 0; k < 2; k++)
        tw_rma_op_complete_non_blocking(location, start + 1000, b->windows[2], matching + k);
    tw_leave(location, start + 1050, b->waitall);
    flush_write(b, location, start + 1100, matching, true);
    flush_write(b, location, start + 1350, matching + 1, true);
    tw_enter(location, start + 1600, b->unlock_all);
    tw_rma_release_lock(location, start + 1600, b->windows[2], TW_ALL_TARGETS, 0);
    tw_leave(location, start + 1800, b->unlock_all);
}

void
exchange_on_windows(const bench *b, tw_location *location, uint32_t process, uint32_t iteration)
{
    static void (*const rounds[])(const bench *, tw_location *, uint32_t, uint32_t, uint32_t) =
        { fences_write, groups_write,
          locks_write, lock_of_all_write };

    for (uint32_t i = 0; i < N_ROUNDS; i++)
        rounds[iteration % 4](b, location, process, iteration, i);
}

void
windows_write(const bench *b, tw_location *location, uint32_t process, hd_time from, uint32_t region,
              tw_collective operation)
{
    for (uint32_t i = 0; i < N_WINDOWS; i++, from += 40000)
        window_collective(location, from + mix(process, i, 150) % 5000, from + 20000 + mix(process, i, 151) % 900,
                          region, operation, b->windows[i]);
}

void
windows_define(bench *b)
{
    static const char *const names[] = { "fences", "groups", "locks" };

    b->win_create = tw_region(b->archive, "MPI_Win_create");
    b->win_free   = tw_region(b->archive, "MPI_Win_free");
    b->fence      = tw_region(b->archive, "MPI_Win_fence");
    b->post       = tw_region(b->archive, "MPI_Win_post");
    b->start      = tw_region(b->archive, "MPI_Win_start");
    b->complete   = tw_region(b->archive, "MPI_Win_complete");
    b->win_wait   = tw_region(b->archive, "MPI_Win_wait");
    b->put        = tw_region(b->archive, "MPI_Put");
    b->rput       = tw_region(b->archive, "MPI_Rput");
    b->lock       = tw_region(b->archive, "MPI_Win_lock");
    b->unlock     = tw_region(b->archive, "MPI_Win_unlock");
    b->flush      = tw_region(b->archive, "MPI_Win_flush");
    b->lock_all   = tw_region(b->archive, "MPI_Win_lock_all");
    b->unlock_all = tw_region(b->archive, "MPI_Win_unlock_all");
    for (uint32_t i = 0; i < N_WINDOWS; i++)
        b->windows[i] = tw_window_define(b->archive, names[i], TW_WORLD);
    b->groups = HD_NEW_ARRAY(uint32_t, b->n_processes);
    for (uint32_t i = 0; i < b->n_processes; i++) {
        uint32_t left = left_of(b, i), right = right_of(b, i);
        uint32_t pair[2] = { left < right ? left : right, left < right ? right : left };

        b->groups[i] = tw_group_define(b->archive, pair, left == right ? 1 : 2);
    }
}

/* tests/scheduler/test_engine_progress.c: the main thread of the first rank goes from one of its workers to the other
 * and back for as long as another rank does not reply: it sends and receives meanwhile.
 */
#include <time.h>

#include "check.h"
#include "test_comm.h"
#include "engine.h"

enum { N_THREADS = 2, PATIENCE_S = 30, TOKEN = 1, REQUEST, REPLY };

static hd_analysis_comm *analysis_comm;

typedef struct exchange {
    uint32_t         rank;
    time_t           begin;
    _Atomic bool     is_over; /* the token goes no farther */
    _Atomic bool     gave_up;
    _Atomic uint32_t n_requests, n_replies;
} exchange;

/* The second worker of the first rank is run by the main thread. */
static void
come_late(void *context, uint32_t thread)
{
    exchange *all = context;

    while (all->rank == 0 && thread == 1 && !all->is_over)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void
send(hd_worker *worker, uint32_t to, uint32_t kind)
{
    uint64_t nothing = 0;

    hd_worker_send(worker, to, kind, &nothing, sizeof nothing, NULL, 0);
}

static hd_run
run_first(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    (void)context, (void)until, (void)vproc;
    *now = 0;
    if (hd_worker_number(worker) == 0) {
        send(worker, 1, TOKEN);
        send(worker, N_THREADS, REQUEST);
    }
    return HD_RUN_DONE;
}

static void
deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    exchange *all = context;

    (void)data, (void)bytes;
    if (kind == REQUEST) {
        all->n_requests++;
        send(worker, 0, REPLY);
    } else if (kind == REPLY)
        all->n_replies++;
    else if (all->n_replies == 0 && time(NULL) - all->begin < PATIENCE_S)
        send(worker, 1 - hd_worker_number(worker), TOKEN);
    else {
        all->gave_up = all->n_replies == 0;
        all->is_over = true;
    }
}

TEST(another_rank_does_not_wait_while_workers_are_handed_over)
{
    exchange   all    = { .rank = hd_analysis_comm_rank(analysis_comm).v, .begin = time(NULL) };
    hd_engine *engine = hd_engine_new(analysis_comm, &(hd_engine_request){
                                          .n_threads = N_THREADS, .n_vprocs = 2, .vproc_threads = (uint32_t[]){ 0, 1 },
                                          .window = 100, .yield = true, .on_thread = come_late, .context = &all });

    hd_engine_run(engine, &(hd_analysis){ &all, run_first, deliver }, true);
    CHECK(!all.gave_up);
    CHECK_EQ(all.n_replies, all.rank == 0);
    CHECK_EQ(all.n_requests, all.rank == 1);
    hd_engine_free(engine);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed        = check_run_all(getenv("TEST_ONLY"));
    hd_analysis_comm_close(analysis_comm);
    return failed != 0;
}

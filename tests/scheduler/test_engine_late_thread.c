/* tests/scheduler/test_engine_late_thread.c: a token goes back and forth between two workers, and the thread of the
 * second one comes to the run only when the token has gone all its way: the first thread runs both. And an item that
 * is to go at once comes to another thread while its sender still runs.
 */
#include <time.h>

#include "check.h"
#include "test_comm.h"
#include "engine.h"

enum { N_HOPS = 2000, PATIENCE_MS = 60000 };

static hd_analysis_comm *analysis_comm;

typedef struct token_way {
    _Atomic uint32_t n_left;    /* hops */
    _Atomic bool     gave_up;   /* the late thread */
    bool             is_slow;   /* a hop takes longer than a message to another core */
    uint32_t         n_wrong;   /* delivered to a worker that it was not for */
    uint64_t         n_hops[2]; /* of each worker */
} token_way;

static void
pass(int64_t nanoseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = nanoseconds }, NULL);
}

static void
come_late(void *context, uint32_t thread)
{
    token_way *way = context;

    for (int ms = 0; thread == 1 && way->n_left > 0 && !way->gave_up; ms++) {
        way->gave_up = ms == PATIENCE_MS;
        pass(1000000);
    }
}

static void
send_token(hd_worker *worker, uint64_t to)
{
    hd_worker_send(worker, (uint32_t)to, 0, &to, sizeof to, NULL, 0);
}

static hd_run
run_first(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    (void)context, (void)until;
    *now = 0;
    if (vproc == 0)
        send_token(worker, 1);
    return HD_RUN_DONE;
}

static void
deliver_token(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    token_way *way = context;
    uint64_t   to;

    (void)kind;
    memcpy(&to, data, sizeof to);
    way->n_wrong += bytes != sizeof to || to != hd_worker_number(worker);
    way->n_hops[hd_worker_thread(worker)]++;
    if (way->is_slow)
        pass(10000);
    if (--way->n_left > 0)
        send_token(worker, 1 - to);
}

static void
run_token(bool is_slow)
{
    token_way  way    = { .n_left = N_HOPS, .is_slow = is_slow };
    hd_engine *engine = hd_engine_new(analysis_comm, &(hd_engine_request){
                                          .n_threads = 2, .n_vprocs = 2, .vproc_threads = (uint32_t[]){ 0, 1 },
                                          .window = 100, .on_thread = come_late, .context = &way });

    hd_engine_run(engine, &(hd_analysis){ &way, run_first, deliver_token }, true);
    CHECK(!way.gave_up);
    CHECK_EQ(way.n_left, 0);
    CHECK_EQ(way.n_wrong, 0);
    CHECK_EQ(way.n_hops[0], N_HOPS / 2);
    CHECK_EQ(way.n_hops[1], N_HOPS / 2);
    hd_engine_free(engine);
}

TEST(a_thread_hands_the_token_to_the_worker_whose_thread_is_not_there)
{
    run_token(false);
}

TEST(a_waiting_thread_looks_at_the_worker_whose_thread_is_not_there)
{
    run_token(true);
}

typedef struct hurry {
    _Atomic bool has_come;
    bool         came_meanwhile;
} hurry;

static hd_run
run_in_a_hurry(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    hurry *item = context;

    (void)until;
    *now = 0;
    if (vproc == 0) {
        send_token(worker, 1);
        hd_worker_hurry(worker);
        for (int ms = 0; ms < PATIENCE_MS && !item->has_come; ms++)
            pass(1000000);
        item->came_meanwhile = item->has_come;
    }
    return HD_RUN_DONE;
}

static void
note_item(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)kind, (void)data, (void)bytes;
    ((hurry *)context)->has_come = hd_worker_number(worker) == 1;
}

TEST(what_is_to_go_at_once_comes_while_its_sender_runs)
{
    hurry      item   = { .has_come = false };
    hd_engine *engine = hd_engine_new(analysis_comm, &(hd_engine_request){
                                          .n_threads = 2, .n_vprocs = 2, .vproc_threads = (uint32_t[]){ 0, 1 },
                                          .window = 100, .yield = true });

    hd_engine_run(engine, &(hd_analysis){ &item, run_in_a_hurry, note_item }, true);
    CHECK(item.came_meanwhile);
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

/* tests/replay/core/test_reduction.c: operations of all processes, on every number of threads and ranks: every member
 * gets the same result once, whatever order contributions come in.
 *
 *   operation  0, 3, ...   one round
 *              1, 4, ...   the root asks for a second one: each worker contributes to it as one
 *              2, 5, ...   members contribute to both rounds by themselves, whether the first result is there or not
 *
 * Arguments: numbers of threads per rank, one after the other. Under mpirun all ranks run the same tests.
 */
#include "check.h"
#include "test_comm.h"
#include "analysis_comm.h"
#include "memory.h"
#include "random_numbers.h"
#include "reduction.h"

enum { N_PROCESSES = 11, N_OPERATIONS = 60 };
enum { ITEM_UP = 5, ITEM_DOWN };
enum { DECIDED = 0, SECOND_ROUND = 1, FIRST_RESULT = 2 }; /* what goes down */

static hd_analysis_comm *analysis_comm;
static uint32_t  n_threads; /* of the tests that are running */

typedef struct toy_value {
    uint64_t sum, second; /* of the numbers of members; of those that count in the second round */
} toy_value;

typedef struct toy_step {
    uint64_t process;
} toy_step;

typedef struct toy_instance {
    hd_reduction_instance head;
    toy_value value;
    toy_step *steps; /* [n_steps] processes with odd numbers, ascending */
    uint32_t  n_steps, n_members;
    size_t    capacity_steps;
    uint32_t  members[];
} toy_instance;

typedef struct toy_worker { /* of one thread, touched by it alone */
    hd_reduction              reduction;
    hd_reduction_tree_scratch scratch;
    uint64_t                  n_settled, n_wrong, random;
} toy_worker;

typedef struct toy_vproc {
    uint32_t process;
    uint32_t n_done; /* operations */
    hd_time  now;
} toy_vproc;

typedef struct toy {
    hd_defs       defs;
    hd_placement *placement;
    hd_engine    *engine;
    toy_worker   *workers; /* [n_threads] */
    toy_vproc    *vprocs; /* [n_vprocs] */
    uint32_t      n_vprocs;
} toy;

static void
begin_instance(hd_reduction_instance *head)
{
    toy_instance *instance = (toy_instance *)head;

    instance->value     = (toy_value){ 0 };
    instance->n_steps   = 0;
    instance->n_members = 0;
}

static void
free_instance(hd_reduction_instance *head)
{
    free(((toy_instance *)head)->steps);
}

static hd_reduction_payload
payload(const hd_reduction_instance *head, uint32_t round)
{
    const toy_instance *instance = (const toy_instance *)head;

    (void)round;
    return (hd_reduction_payload){ &instance->value, instance->steps, instance->n_steps };
}

static void
add_step(toy_instance *instance, toy_step step)
{
    uint32_t i = instance->n_steps;

    HD_PUSH(instance->steps, instance->n_steps, instance->capacity_steps, step);
    for (; i > 0 && instance->steps[i - 1].process > step.process; i--) {
        instance->steps[i]     = instance->steps[i - 1];
        instance->steps[i - 1] = step;
    }
}

static void
combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    toy_instance    *instance = (toy_instance *)head;
    const toy_value *value    = from->value;
    const toy_step  *steps    = from->steps;

    if (round == SECOND_ROUND) {
        instance->value.second += value->second;
        return;
    }
    instance->value.sum += value->sum;
    for (uint32_t i = 0; i < from->n_steps; i++)
        add_step(instance, steps[i]);
}

/* The second sum of an operation in which members contribute to both rounds is what is here, until that round is
 * decided. */
static void
replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    toy_instance *instance = (toy_instance *)head;
    toy_value     value;

    memcpy(&value, from->value, sizeof value);
    instance->value.sum = value.sum;
    if (round == DECIDED)
        instance->value.second = value.second;
    instance->n_steps = 0;
    for (uint32_t i = 0; i < from->n_steps; i++)
        add_step(instance, ((const toy_step *)from->steps)[i]);
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    (void)context;
    if (round == SECOND_ROUND || head->number % 3 == 0)
        return DECIDED;
    return head->number % 3 == 1 ? SECOND_ROUND : FIRST_RESULT;
}

/* What a member adds to the second sum. */
static uint64_t
second_of(uint32_t process)
{
    return process % 4 == 0 ? 1 : 0;
}

static void
check_result(toy_worker *state, const toy_instance *instance)
{
    uint64_t sum = 0, second = 0;
    uint32_t n_steps = 0;

    for (uint32_t p = 0; p < N_PROCESSES; p++) {
        sum += p + instance->head.number;
        second += second_of(p);
        if (p % 2 == 1)
            state->n_wrong += n_steps >= instance->n_steps || instance->steps[n_steps++].process != p;
    }
    state->n_wrong += instance->value.sum != sum;
    state->n_wrong += instance->value.second != (instance->head.number % 3 == 0 ? 0 : second);
    state->n_wrong += instance->n_steps != n_steps;
    state->n_wrong += instance->n_members != instance->head.comm->tree.n_members;
    state->n_settled += instance->n_members;
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    toy_worker   *state    = context;
    toy_instance *instance = (toy_instance *)head;

    if (round == FIRST_RESULT)
        return;
    if (round == DECIDED) {
        check_result(state, instance);
        hd_reduction_end(&state->reduction, head);
        return;
    }
    head->n_missing[1] = head->comm->tree.n_children + 1;
    for (uint32_t i = 0; i < instance->n_members; i++)
        instance->value.second += second_of(instance->members[i]);
    hd_reduction_contribute(&state->reduction, worker, head, 1);
}

static const hd_reduction_kind kind = {
    .item_up = ITEM_UP, .item_down = ITEM_DOWN, .instance_bytes = sizeof(toy_instance),
    .member_bytes = sizeof(uint32_t),
    .value_bytes = sizeof(toy_value), .step_bytes = sizeof(toy_step), .begin = begin_instance, .free = free_instance,
    .payload = payload, .combine = combine, .replace = replace, .finish = finish, .settle = settle,
};

static toy_worker *
state_of(toy *t, const hd_worker *worker)
{
    return &t->workers[hd_worker_thread(worker)];
}

static void
contribute(toy *t, hd_worker *worker, uint32_t process, uint32_t number)
{
    hd_reduction      *reduction = &state_of(t, worker)->reduction;
    hd_reduction_comm *comm      = hd_reduction_comm_of(reduction, number % 2, number % 5 == 0);
    toy_instance      *instance  = (toy_instance *)hd_reduction_instance_of(reduction, comm, number);

    instance->members[instance->n_members++] = process;
    instance->value.sum += process + number;
    if (process % 2 == 1)
        add_step(instance, (toy_step){ process });
    hd_reduction_contribute(reduction, worker, &instance->head, 0);
    if (number % 3 == 2) { /* the second round keeps the instance open */
        instance->value.second += second_of(process);
        hd_reduction_contribute(reduction, worker, &instance->head, 1);
    }
}

static hd_run
run_vproc(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    toy       *t     = context;
    toy_vproc *vproc = &t->vprocs[number];

    while (vproc->n_done < N_OPERATIONS) {
        contribute(t, worker, vproc->process, vproc->n_done++);
        vproc->now += random_below(&state_of(t, worker)->random, 300);
        *now = vproc->now;
        if (vproc->now > until)
            return HD_RUN_YIELD;
    }
    return HD_RUN_DONE;
}

static void
deliver(void *context, hd_worker *worker, uint32_t item_kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    hd_reduction_deliver(&state_of(context, worker)->reduction, worker, item_kind, data);
}

static void
start_worker(void *context, hd_worker *worker)
{
    toy      *t     = context;
    toy_worker *state = state_of(t, worker);

    state->random = 1 + hd_worker_number(worker);
    hd_reduction_tree_scratch_init(&state->scratch, hd_analysis_comm_size(analysis_comm));
    state->reduction = (hd_reduction){ .kind = &kind, .context = state, .defs = &t->defs, .placement = t->placement,
                                       .scratch = &state->scratch, .worker = hd_worker_number(worker) };
    hd_reduction_init(&state->reduction);
}

static void
count_open(void *context, hd_reduction_instance *instance)
{
    (void)instance;
    ((toy_worker *)context)->n_wrong++;
}

static void
end_worker(void *context, hd_worker *worker)
{
    toy_worker *state = state_of(context, worker);

    hd_reduction_each_open(&state->reduction, count_open);
    hd_reduction_fini(&state->reduction);
    hd_reduction_tree_scratch_fini(&state->scratch);
}

static void
toy_init(toy *t, hd_placement_policy policy)
{
    uint64_t             weights[N_PROCESSES] = { 0 };
    hd_placement_request request = { .weights = weights, .n_processes = N_PROCESSES,
                                     .n_ranks = hd_analysis_comm_size(analysis_comm),
                                     .n_threads = n_threads, .policy = policy };
    uint32_t            *threads;
    const uint32_t      *own;

    *t = (toy){ .defs = { .n_mpi_processes = N_PROCESSES } };
    REQUIRE(hd_placement_new(&request, &t->placement) == HD_OK);
    own       = hd_placement_of_rank(t->placement, hd_analysis_comm_rank(analysis_comm), &t->n_vprocs);
    t->vprocs = HD_NEW_ARRAY(toy_vproc, t->n_vprocs);
    threads   = HD_NEW_ARRAY(uint32_t, t->n_vprocs);
    for (uint32_t i = 0; i < t->n_vprocs; i++) {
        t->vprocs[i].process = own[i];
        threads[i]           = hd_placement_worker(t->placement, (hd_process){ own[i] }) % n_threads;
    }
    t->workers = HD_NEW_ARRAY(toy_worker, n_threads);
    t->engine = hd_engine_new(analysis_comm, &(hd_engine_request){ .n_threads = n_threads, .n_vprocs = t->n_vprocs,
                                                           .vproc_threads = threads, .window = 100, .yield = true });
    free(threads);
}

static void
run_operations(hd_placement_policy policy)
{
    toy      t;
    uint64_t sums[2] = { 0 }; /* settled, wrong */

    toy_init(&t, policy);
    hd_engine_each_worker(t.engine, start_worker, &t);
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_vproc, deliver }, true);
    hd_engine_each_worker(t.engine, end_worker, &t);
    for (uint32_t i = 0; i < n_threads; i++) {
        sums[0] += t.workers[i].n_settled;
        sums[1] += t.workers[i].n_wrong;
    }
    hd_analysis_comm_reduce(analysis_comm, sums, 2, HD_SUM);
    CHECK_EQ(sums[0], N_PROCESSES * N_OPERATIONS);
    CHECK_EQ(sums[1], 0);
    hd_engine_free(t.engine);
    hd_placement_free(t.placement);
    free(t.workers);
    free(t.vprocs);
}

TEST(every_member_gets_the_result_of_all_once)
{
    run_operations(HD_PLACE_BLOCK);
}

TEST(the_placement_does_not_matter)
{
    run_operations(HD_PLACE_CYCLIC);
}

int
main(int argc, char **argv)
{
    uint64_t failed = 0;

    analysis_comm = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    for (int i = 1; i < argc; i++) {
        n_threads = (uint32_t)atoi(argv[i]);
        printf("rank %" PRIu32 " of %" PRIu32 ", %" PRIu32 " threads\n", hd_analysis_comm_rank(analysis_comm).v,
               hd_analysis_comm_size(analysis_comm), n_threads);
        if (n_threads == 0 || check_run_all(getenv("TEST_ONLY")) != 0)
            failed = 1;
    }
    hd_analysis_comm_reduce(analysis_comm, &failed, 1, HD_MAX);
    hd_analysis_comm_close(analysis_comm);
    return failed != 0;
}

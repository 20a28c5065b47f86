/* replay/simulate/simulate.c: the phases of a simulation on the engine: the model, then the passes. */
#include "simulate.h"

#include "sim_arrival.h"
#include "sim_calls.h"
#include "sim_change.h"
#include "sim_collectives.h"
#include "sim_latest.h"
#include "sim_link.h"
#include "sim_messages.h"
#include "sim_nbc.h"
#include "sim_order.h"
#include "sim_pass.h"
#include "sim_pieces.h"
#include "sim_records.h"
#include "sim_result.h"
#include "sim_rma.h"
#include "sim_roles.h"
#include "sim_team.h"
#include "sim_terms.h"
#include "sim_threads.h"
#include "sim_transfer.h"

void
hd_sim_each_location(hd_sim *sim, hd_worker *worker,
                     void (*visit)(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location))
{
    for (uint32_t i = 0; i < sim->n_locations; i++)
        if (hd_sim_home(sim, sim->locations[i].process_id) == hd_worker_number(worker))
            visit(hd_sim_worker_of(sim, worker), worker, &sim->locations[i]);
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

/* Of all threads of a process. */
static void
read_calls(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *first)
{
    (void)worker;
    if (first->thread > 0)
        return;
    hd_sim_threads_read(first);
    for (uint32_t t = 0; t < first->process->n_locations; t++)
        hd_sim_calls_read(sw, &first[t]);
    hd_sim_threads_connect(sw, first);
}

static void
start_worker(void *context, hd_worker *worker)
{
    hd_sim        *sim = context;
    hd_sim_worker *sw  = hd_sim_worker_of(sim, worker);

    sw->sim         = sim;
    sw->region_time = HD_NEW_ARRAY(hd_span, (size_t)sim->defs->n_regions * (1 + HD_SIM_LANES));
    sw->path_wait   = HD_NEW_ARRAY(hd_span, (size_t)sim->request->tree->n * (1 + HD_SIM_LANES));
    hd_channel_queues_init(&sw->queues, sizeof(hd_sim_send), sim->n_locations);
    hd_reduction_tree_scratch_init(&sw->scratch, hd_placement_n_workers(sim->request->placement) /
                                                     hd_placement_n_threads(sim->request->placement));
    hd_sim_collectives_init(sw, worker);
    hd_sim_each_location(sim, worker, read_calls);
}

/* All records of a call, the next one that has any: HD_NONE: there is none. */
static uint32_t
next_exchanged(const hd_sim_location *location)
{
    uint32_t sent = HD_NONE, other = HD_NONE;

    if (location->i_sent < location->n_sent)
        sent = location->sent[location->i_sent].call;
    if (location->i_other < location->n_others)
        other = location->others[location->i_other].call;
    return sent < other ? sent : other;
}

static void
exchange(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t call)
{
    for (; location->i_sent < location->n_sent && location->sent[location->i_sent].call == call; location->i_sent++)
        hd_sim_send_exchange(sw, worker, location, &location->sent[location->i_sent]);
    for (; location->i_other < location->n_others && location->others[location->i_other].call == call;
         location->i_other++) {
        const hd_sim_record *record = &location->others[location->i_other];

        if (record->op.kind == HD_OP_RMA)
            hd_sim_rma_found(sw, worker, location, record);
        else
            hd_sim_collective_found(sw, worker, location, record);
    }
}

/* Nothing waits: what is recorded is known. */
static hd_run
exchange_run(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_sim          *sim      = context;
    hd_sim_location *location = &sim->locations[number];
    uint32_t         call;

    while ((call = next_exchanged(location)) != HD_NONE) {
        *now = location->calls[call].enter;
        if (*now > until)
            return HD_RUN_YIELD;
        exchange(hd_sim_worker_of(sim, worker), worker, location, call);
    }
    free(location->sent);
    free(location->others);
    location->sent   = NULL;
    location->others = NULL;
    location->n_sent = location->n_others = 0;
    return HD_RUN_DONE;
}

static void
deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    hd_sim_worker *sw = hd_sim_worker_of(context, worker);

    (void)bytes;
    switch ((hd_sim_item)kind) {
    case HD_SIM_ITEM_SEND:
        hd_sim_send_deliver(sw, data);
        break;
    case HD_SIM_ITEM_DEPENDENCY:
        hd_sim_dependency_deliver(sw, data);
        break;
    case HD_SIM_ITEM_NOTICE:
        hd_sim_notice_deliver(sw, data);
        break;
    case HD_SIM_ITEM_TIMES:
        hd_sim_times_deliver(sw, worker, data);
        break;
    case HD_SIM_ITEM_LOCK_EPOCH:
    case HD_SIM_ITEM_ACCESS:
    case HD_SIM_ITEM_OWNER:
        hd_sim_rma_deliver(sw, kind, data);
        break;
    case HD_SIM_ITEM_UP:
    case HD_SIM_ITEM_DOWN:
        hd_reduction_deliver(&sw->collectives, worker, kind, data);
        break;
    }
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static void
match(void *context, hd_worker *worker)
{
    hd_sim_worker *sw = hd_sim_worker_of(context, worker);

    hd_sim_collectives_fini(sw);
    hd_sim_each_location(context, worker, hd_sim_match);
    hd_sim_each_location(context, worker, hd_sim_rma_match);
    hd_sim_rma_look_up(sw);
    hd_channel_queues_fini(&sw->queues);
    hd_map_fini(&sw->channels);
}

static void
settle(void *context, hd_worker *worker)
{
    hd_sim_nbc_settle(hd_sim_worker_of(context, worker));
    hd_sim_settle_trees(hd_sim_worker_of(context, worker), worker);
    hd_sim_rma_settle(hd_sim_worker_of(context, worker), worker);
    hd_sim_each_location(context, worker, hd_sim_settle_sends);
}

static void
link(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, hd_sim_link);
}

static void
link_process(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)sw;
    (void)worker;
    if (location->thread == 0)
        hd_sim_link_process(location);
}

static void
observe_transfers(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, link_process);
    hd_sim_each_location(context, worker, hd_sim_observe_transfers);
}

static void
observe_locals(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, hd_sim_observe_locals);
}

static void
find_order(void *context, hd_worker *worker)
{
    hd_sim_worker *sw = hd_sim_worker_of(context, worker);

    sw->n_directed = HD_NEW_ARRAY(uint64_t, sw->sim->request->tree->n);
    hd_sim_each_location(context, worker, hd_sim_order_find);
}

static void
mark_order(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, hd_sim_order_mark);
}

static void
learn(hd_sim *sim)
{
    uint32_t        n        = hd_placement_n_threads(sim->request->placement);
    hd_sim_tree   **trees    = HD_NEW_ARRAY(hd_sim_tree *, n);
    hd_sim_evidence evidence = { 0 };

    for (uint32_t t = 0; t < n; t++) {
        trees[t] = &sim->workers[t].tree;
        for (int same = 0; same < 2; same++)
            for (int size = 0; size < HD_SIM_SIZES; size++)
                for (int i = 0; i < HD_SIM_N_EVIDENCE; i++)
                    evidence.n[same][size][i] += sim->workers[t].evidence.n[same][size][i];
    }
    hd_sim_rma_learn(sim);
    hd_sim_nbc_learn(sim);
    hd_sim_protocol_learn(&sim->protocol, sim->request->analysis_comm, &evidence);
    hd_sim_learned_of(&sim->learned, sim->request->analysis_comm, trees, n);
    for (uint32_t t = 0; t < n; t++)
        hd_sim_tree_fini(trees[t]);
    free(trees);
}

static void
take_fits(hd_sim *sim)
{
    uint32_t         n       = hd_placement_n_threads(sim->request->placement);
    hd_sim_classes **classes = HD_NEW_ARRAY(hd_sim_classes *, n);

    for (uint32_t t = 0; t < n; t++)
        classes[t] = &sim->workers[t].classes;
    hd_sim_fits_add(&sim->fits, sim->request->analysis_comm, classes, n);
    free(classes);
}

/* False: it was stopped. */
static bool
make_model(hd_sim *sim, hd_engine *engine)
{
    hd_analysis analysis = { .context = sim, .run = exchange_run, .deliver = deliver };

    hd_sim_rma_prepare(sim);
    hd_engine_each_worker(engine, start_worker, sim);
    hd_engine_run(engine, &analysis, true);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, match, sim);
    learn(sim);
    hd_engine_each_worker(engine, settle, sim);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, link, sim);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, observe_transfers, sim);
    take_fits(sim);
    hd_engine_each_worker(engine, observe_locals, sim);
    take_fits(sim);
    hd_engine_each_worker(engine, find_order, sim);
    hd_sim_order_learn(sim);
    hd_engine_each_worker(engine, mark_order, sim);
    hd_sim_lines_make(&sim->lines, &sim->fits);
    return true;
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

static void
start_pass(void *context, hd_worker *worker)
{
    hd_sim        *sim = context;
    hd_sim_worker *sw  = hd_sim_worker_of(sim, worker);

    memset(sw->region_time, 0, (size_t)sim->defs->n_regions * (1 + HD_SIM_LANES) * sizeof *sw->region_time);
    memset(sw->path_wait, 0, (size_t)sim->request->tree->n * (1 + HD_SIM_LANES) * sizeof *sw->path_wait);
    memset(sw->n_moved, 0, sizeof sw->n_moved);
    sw->n_dropped = 0;
    if (sim->variant == HD_SIM_PLAIN)
        memset(sw->n_reordered, 0, sizeof sw->n_reordered);
    hd_sim_arrived_init(sw);
    hd_sim_latest_init(sw, worker);
    hd_sim_team_init(sw);
    hd_sim_each_location(sim, worker, hd_sim_pass_start);
    hd_sim_each_location(sim, worker, hd_sim_pass_contribute);
}

static void
release(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, hd_sim_release);
}

static void
end_pass(void *context, hd_worker *worker)
{
    hd_sim_worker *sw = hd_sim_worker_of(context, worker);

    hd_sim_latest_fini(sw);
    hd_sim_team_fini(sw);
    hd_sim_arrived_fini(sw);
    hd_sim_each_location(context, worker, hd_sim_pass_end);
}

static void
move_records(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    location->moved_records = HD_NEW_ARRAY(hd_record_times, HD_SIM_LANES);
    for (uint32_t lane = 0; lane < sw->sim->n_lanes; lane++)
        hd_sim_records_move(sw->sim, location, lane, location->records, &location->moved_records[lane]);
}

static void
move_all_records(void *context, hd_worker *worker)
{
    hd_sim_each_location(context, worker, move_records);
}

static bool
choose(hd_sim *sim, uint32_t round)
{
    return hd_release_choose(sim->request->analysis_comm, sim, sim->n_locations, hd_sim_blocked_at, false, round,
                             &sim->release);
}

/* False: it was stopped. */
static bool
pass(hd_sim *sim, hd_engine *engine)
{
    hd_analysis analysis = { .context = sim, .run = hd_sim_pass_run, .deliver = deliver };

    hd_engine_each_worker(engine, start_pass, sim);
    hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && choose(sim, round); round++) {
        hd_engine_each_worker(engine, release, sim);
        hd_engine_run(engine, &analysis, false);
    }
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, end_pass, sim);
    return true;
}

/* How many hypotheses from the first one on the next pass has: one that may let calls wait in a circle has its own, as
 * what is dropped there would be dropped for all. */
static uint32_t
lanes_from(const hd_hypothesis *hypotheses, size_t n_hypotheses, size_t first)
{
    uint32_t n = first < n_hypotheses;

    while (n > 0 && n < HD_SIM_LANES && first + n < n_hypotheses && !hd_sim_terms_add(&hypotheses[first]) &&
           !hd_sim_terms_add(&hypotheses[first + n]))
        n++;
    return n;
}

static void
set_width(hd_sim *sim, uint32_t n_fits)
{
    sim->n_fits     = n_fits;
    sim->n_computed = sim->n_lanes > 0 ? sim->n_lanes : 1;
    sim->width      = sim->n_computed * n_fits;
}

/* Whether any process gets messages in another order. */
static bool
is_reordered(const hd_sim *sim)
{
    uint64_t n = 0;

    for (uint32_t t = 0; t < hd_placement_n_threads(sim->request->placement); t++)
        for (int k = 0; k < HD_SIM_LANES; k++)
            n += sim->workers[t].n_reordered[k];
    hd_analysis_comm_reduce(sim->request->analysis_comm, &n, 1, HD_SUM);
    return n > 0;
}

/* Whether it is asked how far the run times of the pass are from certain. */
static bool
may_be_uncertain(const hd_sim *sim)
{
    bool any = false;

    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        any |= sim->hypotheses[lane].n_changes > 0;
    return any && sim->request->wants_uncertain;
}

/* The pass once more, where calls whose messages came in another order wait for nobody. False: it was stopped. */
static bool
pass_without_order(hd_sim *sim, hd_engine *engine, hd_simulate_result *result)
{
    bool is_passed;

    if (!may_be_uncertain(sim) || !is_reordered(sim))
        return true;
    sim->variant = HD_SIM_ORDER;
    set_width(sim, 1);
    is_passed    = pass(sim, engine);
    sim->variant = HD_SIM_PLAIN;
    if (is_passed)
        hd_sim_result_vary(sim, result, 0);
    return is_passed;
}

static bool
run_passes(hd_sim *sim, const hd_hypothesis *hypotheses, size_t n_hypotheses, hd_simulate_result *result)
{
    const hd_simulate_request *request = sim->request;

    for (uint32_t i = 0; i < sim->n_locations && (request->wants_times || request->records != NULL); i++)
        sim->locations[i].times = HD_NEW_ARRAY(hd_sim_times, 2 * sim->locations[i].n_calls);
    sim->first = 0;
    do { /* the recorded run at least */
        sim->hypotheses = &hypotheses[sim->first];
        sim->n_lanes    = lanes_from(hypotheses, n_hypotheses, sim->first);
        hd_sim_terms_make(sim);
        set_width(sim, may_be_uncertain(sim) ? HD_SIM_N_FITS : 1);
        if (!pass(sim, sim->engine))
            return false;
        if (request->records != NULL)
            hd_engine_each_worker(sim->engine, move_all_records, sim);
        hd_sim_result_take(sim, result);
        for (uint32_t fits = 1; fits < sim->n_fits; fits++)
            hd_sim_result_vary(sim, result, fits);
        if (!pass_without_order(sim, sim->engine, result))
            return false;
        sim->first += sim->n_lanes;
    } while (sim->first < n_hypotheses);
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        free(sim->locations[i].times);
        sim->locations[i].times = NULL;
    }
    return true;
}

/* The smallest limit of all hypotheses "eager"; none: UINT64_MAX. */
static uint64_t
least_limit(const hd_simulate_request *request)
{
    uint64_t least = UINT64_MAX;

    for (size_t h = 0; h < request->n_hypotheses; h++)
        for (size_t c = 0; c < request->hypotheses[h].n_changes; c++)
            if (request->hypotheses[h].changes[c].kind == HD_CHANGE_EAGER)
                least = hd_time_min(least, request->hypotheses[h].changes[c].eager_bytes);
    return least;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
make_locations(hd_sim *sim)
{
    const hd_trace *trace = sim->request->trace;
    uint32_t        n     = 0;

    sim->first_of = HD_NEW_ARRAY(uint32_t, sim->defs->n_processes);
    for (uint32_t p = 0; p < sim->defs->n_processes; p++)
        sim->first_of[p] = HD_NONE;
    for (uint32_t p = 0; p < trace->n_processes; p++)
        sim->n_locations += trace->processes[p].n_locations;
    sim->locations = HD_NEW_ARRAY(hd_sim_location, sim->n_locations);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        const hd_loaded_process *process = &trace->processes[p];

        sim->first_of[process->process.v] = n;
        for (uint32_t t = 0; t < process->n_locations; t++, n++) {
            const hd_location_def *defined = &hd_defs_locations(sim->defs)[process->locations[t].location];

            sim->locations[n] = (hd_sim_location){ .process = process, .location = &process->locations[t], .number = n,
                                                   .process_id = process->process.v, .thread = t,
                                                   .is_thread = t == 0 || defined->type == HD_LOCATION_CPU,
                                                   .map = sim->request->maps[p],
                                                   .records = sim->request->records != NULL
                                                                  ? &sim->request->records[p][t] : NULL };
        }
    }
}

static hd_engine *
new_engine(const hd_sim *sim)
{
    const hd_simulate_request *request   = sim->request;
    uint32_t                  *processes = HD_NEW_ARRAY(uint32_t, sim->n_locations);
    hd_engine                 *engine;

    for (uint32_t i = 0; i < sim->n_locations; i++)
        processes[i] = sim->locations[i].process_id;
    engine = hd_replay_engine(request->analysis_comm, sim->defs, request->placement, processes,
                              (hd_engine_request){ .n_vprocs = sim->n_locations, .yield = request->yield,
                                                   .stop = request->stop, .on_thread = request->on_thread,
                                                   .context = request->context });
    free(processes);
    return engine;
}

void
hd_simulator_free(hd_simulator *sim)
{
    uint32_t n_threads;

    if (sim == NULL)
        return;
    n_threads = hd_placement_n_threads(sim->request->placement);
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        free(sim->locations[i].calls);
        free(sim->locations[i].dependencies);
        free(sim->locations[i].notices);
        free(sim->locations[i].members);
        free(sim->locations[i].team_sizes);
        free(sim->locations[i].polled);
        hd_sim_order_fini(&sim->locations[i]);
        free(sim->locations[i].times);
        free(sim->locations[i].now);
        hd_sim_roles_free(&sim->locations[i]);
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        hd_reduction_tree_scratch_fini(&sim->workers[t].scratch);
        free(sim->workers[t].region_time);
        free(sim->workers[t].path_wait);
        hd_sim_classes_fini(&sim->workers[t].classes);
    }
    hd_engine_free(sim->engine);
    hd_sim_learned_fini(&sim->learned);
    hd_sim_fits_fini(&sim->fits);
    hd_sim_lines_fini(&sim->lines);
    free(sim->first_of);
    free(sim->locations);
    free(sim->workers);
    free(sim->modes);
    free(sim->exclusive);
    free(sim->is_directed);
    free(sim);
}

hd_status
hd_simulator_new(const hd_simulate_request *request, hd_simulator **simulator)
{
    uint32_t n_threads = hd_placement_n_threads(request->placement);
    hd_sim  *sim       = HD_NEW(hd_sim);

    *simulator = NULL;
    *sim       = (hd_sim){ .request = request, .defs = request->defs, .modes = hd_sim_modes(request->defs) };
    sim->n_fits      = 1;
    sim->wants_roles = hd_sim_roles_are_wanted(sim);
    sim->least_limit = least_limit(request);
    make_locations(sim);
    sim->workers = hd_alloc_apart(n_threads, sizeof *sim->workers);
    sim->engine = new_engine(sim);
    if (!make_model(sim, sim->engine)) {
        hd_fail(HD_ESTOPPED, "stopped while dependencies were found");
        return HD_ESTOPPED;
    }
    *simulator = sim;
    return HD_OK;
}

hd_status
hd_simulator_prepare(hd_simulator *sim, hd_hypothesis *hypotheses, size_t n)
{
    hd_status status = hd_sim_terms_prepare(sim, hypotheses, n);

    if (status == HD_OK)
        status = hd_sim_changes_prepare(sim, hypotheses, n);
    return status == HD_OK ? hd_sim_pieces_prepare(sim, hypotheses, n) : status;
}

hd_status
hd_simulator_run(hd_simulator *sim, const hd_hypothesis *hypotheses, size_t n, hd_simulate_result *result)
{
    *result = (hd_simulate_result){ 0 };
    hd_sim_pieces_of_delays(sim, hypotheses, n);
    hd_sim_result_start(sim, n, result);
    return run_passes(sim, hypotheses, n, result) ? HD_OK : hd_fail(HD_ESTOPPED, "stopped while simulating");
}

void
hd_simulator_describe(hd_simulator *sim, hd_simulate_result *result)
{
    hd_sim_result_finish(sim, result);
}

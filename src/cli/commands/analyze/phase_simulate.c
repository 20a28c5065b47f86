/* src/cli/commands/analyze/phase_simulate.c: simulates what is asked for, with the logs that the replay keeps: the model
 * before the replay, so that what is refused is refused early; hypotheses, advice and curves after it. */
#include "analyze.h"

#include <math.h>
#include <stdlib.h>

#include "advice.h"
#include "curve.h"
#include "memory.h"
#include "signal_stop.h"

enum { FIT_PASSES = 2 }; /* to say how far a run time is from certain */

/* ---- before the replay ------------------------------------------------------------------------------------------- */

hd_status
hd_analyze_read_what_if(hd_analyze *run)
{
    const hd_analyze_options *options = run->options;
    hd_status                 status  = HD_OK;

    for (size_t i = 0; i < options->simulate.n && status == HD_OK; i++)
        status = hd_what_if_add_or_read(&run->simulation.what_if, options->simulate.text[i]);
    if (status == HD_OK && options->simulate.n > 0 &&
        (options->regions.n > 0 || options->from.seconds != 0 || options->from.attoseconds != 0 ||
         !hd_duration_is_end(options->to) || options->compat != 0)) {
        status = hd_fail(HD_EUSAGE, "--simulate is for whole runs, without --from, --to, --roi and --compat");
        hd_fail_detail("try", "an analysis of its own, with another --output");
    }
    if (status == HD_OK && options->simulate.n > 0 && (options->no_delay || options->no_critical_path)) {
        status = hd_fail(HD_EUSAGE, "--simulate needs delay costs and the critical path");
        hd_fail_detail("try", "without --no-delay and --no-critical-path");
    }
    return hd_agree(run->analysis_comm, status);
}

hd_status
hd_analyze_mark_regions(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;
    hd_status          status;
    bool               any;

    simulation->marks = HD_NEW_ARRAY(uint32_t, run->defs->n_regions + 1);
    status = hd_hypotheses_mark_regions(simulation->what_if.hypotheses, simulation->what_if.n, run->defs, simulation->marks,
                                        &any);
    if (!any) {
        free(simulation->marks);
        simulation->marks = NULL;
    }
    return hd_agree(run->analysis_comm, status);
}

/* Delays that are to be removed. */
static void
expect_delays(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;

    if (!hd_what_if_has_delays(&simulation->what_if))
        return;
    for (uint32_t p = 0; p < run->n_processes; p++)
        simulation->n_locations += run->trace->processes[p].n_locations;
    simulation->found_delays = hd_found_delays_new(simulation->n_locations);
}

static bool
is_wanted(const hd_what_if *what_if)
{
    return what_if->n > 0 || hd_what_if_needs_analysis(what_if);
}

/* A selection is refused before the replay. */
static hd_status
check_curves(const hd_study *study, const hd_what_if *what_if)
{
    hd_status status = HD_OK;

    for (size_t i = 0; i < what_if->n_curves && status == HD_OK; i++) {
        hd_trials trials = { 0 };
        char     *text   = hd_format("scale %s 0", what_if->curves[i]);

        status = hd_trials_add(study, &trials, text);
        free(text);
        hd_trials_fini(&trials);
    }
    return status;
}

static void
show_passes(void *context, const char *what, size_t n)
{
    hd_analyze *run      = context;
    uint64_t    n_passes = run->simulation.request.wants_uncertain ? (1 + FIT_PASSES) * n : n;

    hd_progress_phase(&run->progress, &(hd_phase){ .what = what, .own = n_passes * run->trace->n_calls,
                                                   .all = n_passes * run->simulation.n_calls, .unit = "calls" });
}

hd_status
hd_analyze_model(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;
    hd_what_if        *what_if    = &simulation->what_if;
    hd_status          status     = HD_OK;

    if (!is_wanted(what_if))
        return HD_OK;
    simulation->n_calls = run->trace->n_calls;
    hd_analysis_comm_reduce(run->analysis_comm, &simulation->n_calls, 1, HD_SUM);
    for (size_t i = 0; i < what_if->n && status == HD_OK; i++)
        status = hd_hypothesis_resolve(&what_if->hypotheses[i], run->defs, &run->tree);
    if (status == HD_OK)
        status = hd_analyze_mark_iterations(run);
    if (status != HD_OK)
        return hd_agree(run->analysis_comm, status);
    hd_progress_phase(&run->progress, &(hd_phase){ .what = "find dependencies" });
    expect_delays(run);
    simulation->request =
        (hd_simulate_request){ .analysis_comm = run->analysis_comm, .defs = run->defs, .trace = run->trace,
                               .maps = run->maps, .tree = &run->tree, .placement = run->placement,
                               .hypotheses = what_if->hypotheses, .n_hypotheses = what_if->n,
                               .wants_times = simulation->wants_times, .found_delays = simulation->found_delays,
                               .records = simulation->records, .n_done = &run->progress.done,
                               .yield = run->yield, .stop = hd_stop_mark(), .on_thread = hd_analyze_bind_thread,
                               .context = run };
    status = hd_simulator_new(&simulation->request, &simulation->simulator);
    if (status == HD_ESTOPPED && hd_analyze_is_stopped(run, "while simulating"))
        return hd_analyze_end_stopped(run);
    simulation->study = (hd_study){ .defs = run->defs, .tree = &run->tree, .simulator = simulation->simulator,
                                    .on_passes = show_passes, .context = run };
    if (status == HD_OK)
        status = hd_simulator_prepare(simulation->simulator, what_if->hypotheses, what_if->n);
    if (status == HD_OK)
        status = check_curves(&simulation->study, what_if);
    return hd_agree(run->analysis_comm, status);
}

/* ---- after the replay -------------------------------------------------------------------------------------------- */

static hd_status
run_hypotheses(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;
    const hd_what_if  *what_if    = &simulation->what_if;
    hd_trials          trials     = { .hypotheses = what_if->hypotheses, .n = what_if->n };
    hd_status          status;

    simulation->request.wants_uncertain = true;
    status = hd_trials_run(&simulation->study, &trials, "simulate");
    simulation->request.wants_uncertain = simulation->request.wants_times = false; /* not of advice and curves */
    simulation->request.records                                            = NULL;
    simulation->result                                                     = trials.result;
    if (status != HD_OK)
        return status;
    hd_trials_recorded(&simulation->study, &trials, &simulation->predictions);
    for (size_t i = 0; i < what_if->n; i++)
        HD_PUSH(simulation->predictions.rows, simulation->predictions.n, simulation->predictions.capacity,
                hd_trials_prediction(&simulation->study, &trials, i, HD_PREDICTION_ASKED));
    return HD_OK;
}

static hd_status
run_study(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;
    const hd_what_if  *what_if    = &simulation->what_if;
    hd_study          *study      = &simulation->study;
    hd_path_cost      *costs;
    hd_status          status = HD_OK;

    if (!hd_what_if_needs_analysis(what_if))
        return HD_OK;
    costs = hd_path_costs_new(run->analysis_comm, run->defs, &run->tree, run->result.locations,
                              run->result.n_locations);
    study->costs = costs;
    if (what_if->wants_advice)
        status = hd_advise(study, &simulation->predictions);
    for (size_t i = 0; i < what_if->n_curves && status == HD_OK; i++)
        status = hd_curve_add(study, what_if->curves[i], &simulation->predictions);
    if (status == HD_OK && what_if->wants_curves)
        status = hd_curves_add_critical(study, &simulation->predictions);
    study->costs = NULL;
    free(costs);
    return status;
}

hd_status
hd_analyze_simulate(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;
    hd_status          status;

    if (simulation->simulator == NULL)
        return HD_OK;
    if (run->signal != 0) /* the report is written without */
        return HD_OK;
    status = run_hypotheses(run);
    if (status == HD_OK)
        status = run_study(run);
    if (status == HD_ESTOPPED) {
        simulation->simulator = NULL; /* it is not freed then */
        return hd_analyze_is_stopped(run, "while simulating") ? hd_analyze_end_stopped(run) : status;
    }
    if (status == HD_OK)
        hd_simulator_describe(simulation->simulator, &simulation->result);
    simulation->is_done = status == HD_OK;
    hd_simulator_free(simulation->simulator);
    simulation->simulator = NULL;
    return status;
}

void
hd_analyze_free_simulation(hd_analyze *run)
{
    hd_simulation_run *simulation = &run->simulation;

    hd_simulator_free(simulation->simulator);
    hd_found_delays_free(simulation->found_delays, simulation->n_locations);
    free(simulation->marks);
    hd_what_if_fini(&simulation->what_if);
    hd_simulate_result_fini(&simulation->result);
    hd_predictions_fini(&simulation->predictions);
}

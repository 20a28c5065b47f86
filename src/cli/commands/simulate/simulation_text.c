/* src/cli/commands/simulate/simulation_text.c: run times, time in MPI calls and what limits the result, for a terminal. */
#include <stdlib.h>

#include "memory.h"
#include "message.h"
#include "prediction_page.h"
#include "simulation_page.h"
#include "time_text.h"

enum { N_REGIONS = 10 };

#define UNCERTAIN_PERCENT 5.0 /* from here on the result says so */

static double
percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void
print_runs(const hd_simulation *simulation, FILE *out)
{
    const hd_simulate_result *result   = simulation->result;
    double                    recorded = hd_simulation_seconds(simulation, result->recorded.run_time);

    fprintf(out, "\n  %12s %12s %9s   hypothesis\n", "run time", "saved", "");
    fprintf(out, "  %12s %12s %9s   (recorded)\n", hd_time_column(recorded).text, "", "");
    for (size_t i = 0; i < result->n_outcomes; i++) {
        double time = hd_simulation_seconds(simulation, result->outcomes[i].run_time);

        fprintf(out, "  %12s %12s %7.1f %%   ", hd_time_column(time).text, hd_time_column(recorded - time).text,
                percent(recorded - time, recorded));
        hd_message_escaped(out, simulation->hypotheses[i].text, false);
        fputc('\n', out);
    }
}

static void
print_uncertain(const hd_simulation *simulation, FILE *out)
{
    const hd_simulate_result *result   = simulation->result;
    double                    recorded = hd_simulation_seconds(simulation, result->recorded.run_time);
    char                      number[28];

    for (size_t i = 0; i < result->n_outcomes; i++) {
        const hd_sim_outcome *outcome = &result->outcomes[i];
        double                order   = hd_simulation_seconds(simulation, outcome->uncertain);
        double                fits    = hd_simulation_seconds(simulation, outcome->fit_uncertain);

        if (percent(order, recorded) >= UNCERTAIN_PERCENT)
            fprintf(out, "\n#%zu is uncertain by %s (%.1f %%): messages of %s calls are sent in another order,\n"
                         "  so receives of any sender could get others\n",
                    i + 1, hd_time_text_of(order).text, percent(order, recorded),
                    hd_message_number(number, outcome->n_reordered));
        if (percent(fits, recorded) >= UNCERTAIN_PERCENT)
            fprintf(out, "\n#%zu is uncertain by %s (%.1f %%): it depends on times that are known of similar calls only\n",
                    i + 1, hd_time_text_of(fits).text, percent(fits, recorded));
    }
}

typedef struct simulation_region {
    uint32_t region;
    hd_span  change; /* the largest, of any hypothesis */
    hd_span  time;   /* recorded */
} simulation_region;

/* Those that change most come first, then those with most time. */
static int
compare_regions(const void *a_, const void *b_)
{
    const simulation_region *a = a_, *b = b_;

    if (a->change != b->change)
        return a->change > b->change ? -1 : 1;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return a->region < b->region ? -1 : a->region > b->region;
}

/* Waits move: where to. */
static void
print_regions(const hd_simulation *simulation, FILE *out)
{
    const hd_simulate_result *result = simulation->result;
    simulation_region        *rows   = HD_NEW_ARRAY(simulation_region, simulation->defs->n_regions);
    size_t                    n      = 0;

    for (uint32_t r = 0; r < simulation->defs->n_regions; r++) {
        simulation_region row = { .region = r, .time = result->recorded.region_time[r] };

        for (size_t i = 0; i < result->n_outcomes; i++) {
            hd_span change = result->outcomes[i].region_time[r] - row.time;

            change     = change < 0 ? -change : change;
            row.change = change > row.change ? change : row.change;
        }
        if (hd_simulation_has_region(simulation, r))
            rows[n++] = row;
    }
    if (n > 0)
        qsort(rows, n, sizeof *rows, compare_regions);
    fprintf(out, "\nTime in calls, of all processes\n  %12s", "recorded");
    for (size_t i = 0; i < result->n_outcomes; i++)
        fprintf(out, " %11s%zu", "#", i + 1);
    fputc('\n', out);
    for (size_t k = 0; k < n && k < N_REGIONS; k++) {
        fprintf(out, "  %12s", hd_time_column(hd_simulation_seconds(simulation, rows[k].time)).text);
        for (size_t i = 0; i < result->n_outcomes; i++)
            fprintf(out, " %12s",
                    hd_time_column(hd_simulation_seconds(simulation, result->outcomes[i].region_time[rows[k].region])).text);
        fputs("   ", out);
        hd_message_escaped(out, hd_defs_text(simulation->defs, hd_defs_regions(simulation->defs)[rows[k].region].name), false);
        fputc('\n', out);
    }
    if (n > N_REGIONS)
        fprintf(out, "  (%zu more: --json)\n", n - N_REGIONS);
    free(rows);
}

static void
print_notes(const hd_simulation *simulation, FILE *out)
{
    const hd_sim_counts *counts = &simulation->result->counts;
    char                 number[28];

    fprintf(out, "\n%s calls", hd_message_number(number, counts->n_calls));
    fprintf(out, ", %s dependencies between them\n", hd_message_number(number, counts->n_dependencies));
    fprintf(out, "not simulated, so as recorded: %s (%.1f %% of the time of all threads)\n",
            hd_time_text_of(hd_simulation_seconds(simulation, (hd_span)counts->kept_time)).text,
            percent((double)counts->kept_time, (double)counts->all_time));
    if (counts->n_polls > 0)
        fprintf(out, "polling: %s tests and probes without success are in no polled wait that is known\n"
                     "  a loop that waits so keeps its length: it is not predicted to wait less\n",
                hd_message_number(number, counts->n_polls));
    if (counts->n_unmatched > 0)
        fprintf(out, "without a partner, so as recorded: %s receives and parts of collectives\n",
                hd_message_number(number, counts->n_unmatched));
    if (counts->n_cycles > 0)
        fprintf(out, "dropped, as calls waited for each other in a circle: %s dependencies\n",
                hd_message_number(number, counts->n_cycles));
}

/* A limit with which a program may hang. */
static void
print_cycles(const hd_simulation *simulation, FILE *out)
{
    const hd_simulate_result *result = simulation->result;
    char                      number[28];

    for (size_t i = 0; i < result->n_outcomes; i++)
        if (result->outcomes[i].n_cycles > result->counts.n_cycles)
            fprintf(out, "#%zu: the program may hang: %s sends and receives would wait for each other in a circle\n", i + 1,
                    hd_message_number(number, result->outcomes[i].n_cycles));
}

void
hd_simulation_print(const hd_simulation *simulation, const hd_summary_options *options, FILE *out)
{
    hd_name_cuts cuts = { 0 };

    fputs("Simulation of \"", out);
    hd_message_escaped(out, simulation->archive, false);
    fputs("\"\n", out);
    if (simulation->result->n_outcomes > 0) {
        print_runs(simulation, out);
        print_uncertain(simulation, out);
        print_regions(simulation, out);
        hd_simulated_metrics_print(simulation->metrics, out);
    }
    if (simulation->predictions->n > simulation->result->n_outcomes || simulation->predictions->n_curves > 0) {
        fputc('\n', out);
        hd_predictions_print(out, simulation->predictions, options, &cuts, false);
    }
    hd_name_cuts_fini(&cuts);
    print_notes(simulation, out);
    print_cycles(simulation, out);
}

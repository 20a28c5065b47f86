/* src/cli/commands/simulate/simulation_json.c: the document of heddle simulate --json (docs/json.md#simulate). */
#include "json_document.h"
#include "prediction_json.h"
#include "sim_fit.h"
#include "simulation_page.h"

static void
put_seconds(hd_json *json, const hd_simulation *simulation, const char *key, hd_span ticks)
{
    hd_json_number(json, key, hd_simulation_seconds(simulation, ticks));
}

static void
put_calls(hd_json *json, const hd_simulation *simulation, const hd_sim_outcome *outcome)
{
    hd_json_array(json, "calls");
    for (uint32_t r = 0; r < simulation->defs->n_regions; r++) {
        if (!hd_simulation_has_region(simulation, r))
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "region", hd_defs_text(simulation->defs, hd_defs_regions(simulation->defs)[r].name));
        put_seconds(json, simulation, "time", outcome->region_time[r]);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_run(hd_json *json, const hd_simulation *simulation, const hd_sim_outcome *outcome, size_t run, double waiting, const char *waits_at)
{
    put_seconds(json, simulation, "run_time", outcome->run_time);
    put_seconds(json, simulation, "run_time_whole", outcome->run_time_whole);
    hd_json_number(json, "waiting", waiting);
    hd_json_text(json, "waits_at", waits_at);
    put_calls(json, simulation, outcome);
    hd_simulated_metrics_put(simulation->metrics, run, json);
}

static void
put_hypotheses(hd_json *json, const hd_simulation *simulation)
{
    const hd_simulate_result *result = simulation->result;

    hd_json_array(json, "hypotheses");
    for (size_t i = 0; i < result->n_outcomes; i++) {
        const hd_sim_outcome *outcome    = &result->outcomes[i];
        const hd_prediction  *prediction = &simulation->predictions->rows[i]; /* hypotheses come first */

        hd_json_object(json, NULL);
        hd_json_text(json, "text", simulation->hypotheses[i].text);
        put_seconds(json, simulation, "saved", result->recorded.run_time - outcome->run_time);
        hd_json_count(json, "moved_calls", outcome->n_moved);
        hd_json_count(json, "cycles", outcome->n_cycles);
        hd_json_count(json, "reordered_calls", outcome->n_reordered);
        put_seconds(json, simulation, "uncertain", outcome->uncertain);
        put_seconds(json, simulation, "fit_uncertain", outcome->fit_uncertain);
        put_run(json, simulation, outcome, 1 + i, prediction->waiting, prediction->waits_at);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_counts(hd_json *json, const hd_simulation *simulation)
{
    const hd_sim_counts *counts = &simulation->result->counts;

    hd_json_object(json, "counts");
    hd_json_count(json, "calls", counts->n_calls);
    hd_json_count(json, "dependencies", counts->n_dependencies);
    hd_json_count(json, "unmatched", counts->n_unmatched);
    hd_json_count(json, "cycles", counts->n_cycles);
    hd_json_count(json, "polled_waits", counts->n_polled);
    hd_json_count(json, "polls", counts->n_polls);
    hd_json_count(json, "not_simulated_calls", counts->n_kept);
    put_seconds(json, simulation, "not_simulated", (hd_span)counts->kept_time);
    put_seconds(json, simulation, "time_of_threads", (hd_span)counts->all_time);
    hd_json_end(json);
}

/* HD_SIM_ALL_SIZES: null */
static void
put_power(hd_json *json, const char *key, uint32_t power)
{
    hd_json_index(json, key, power == HD_SIM_ALL_SIZES ? HD_NONE : power);
}

static void
put_fits(hd_json *json, const hd_simulation *simulation)
{
    const hd_simulate_result *result = simulation->result;

    hd_json_array(json, "fits");
    for (size_t i = 0; i < result->n_fits; i++) {
        const hd_sim_fit_row *fit      = &result->fits[i];
        bool                  is_local = fit->what != HD_NONE && fit->kind[0] == 'l';

        hd_json_object(json, NULL);
        hd_json_text(json, "kind", fit->kind);
        hd_json_index(json, "region_id", is_local ? fit->what : HD_NONE);
        hd_json_text(json, "region",
                     is_local ? hd_defs_text(simulation->defs, hd_defs_regions(simulation->defs)[fit->what].name) : NULL);
        hd_json_index(json, "operation", is_local ? HD_NONE : fit->what);
        hd_json_bool(json, "same_node", fit->is_same_node);
        put_power(json, "log2_bytes", fit->size);
        put_power(json, "log2_members", fit->members);
        hd_json_count(json, "instances", fit->n);
        put_seconds(json, simulation, "median", fit->median);
        put_seconds(json, simulation, "low", fit->low);
        hd_json_count(json, "bytes", fit->bytes);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_protocol(hd_json *json, const hd_simulation *simulation)
{
    const hd_simulate_result *result = simulation->result;

    hd_json_array(json, "protocol");
    for (size_t i = 0; i < result->n_protocol; i++) {
        const hd_sim_protocol_row *row = &result->protocol[i];

        hd_json_object(json, NULL);
        hd_json_bool(json, "same_node", row->is_same_node);
        hd_json_count(json, "log2_bytes", row->size);
        hd_json_count(json, "entered_before_post", row->n[0]);
        hd_json_count(json, "left_before_post", row->n[1]);
        hd_json_count(json, "receiver_outside", row->n[2]);
        hd_json_count(json, "left_before_progress", row->n[3]);
        hd_json_text(json, "protocol", row->what);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_trees(hd_json *json, const hd_simulation *simulation)
{
    const hd_simulate_result *result = simulation->result;

    hd_json_array(json, "trees");
    for (size_t i = 0; i < result->n_trees; i++) {
        hd_json_object(json, NULL);
        hd_json_count(json, "operation", result->trees[i].operation);
        hd_json_count(json, "members", result->trees[i].n_members);
        hd_json_count(json, "log2_bytes", result->trees[i].size);
        hd_json_count(json, "dependencies", result->trees[i].n_dependencies);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_network(hd_json *json, const hd_simulation *simulation)
{
    const hd_simulate_result *result = simulation->result;

    hd_json_array(json, "network");
    for (size_t i = 0; i < result->n_lines; i++) {
        const hd_sim_line_row *line = &result->lines[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "kind", line->kind);
        hd_json_index(json, "operation", line->operation);
        hd_json_bool(json, "same_node", line->is_same_node);
        hd_json_count(json, "log2_members", line->members);
        hd_json_count(json, "sizes", line->n_sizes);
        put_seconds(json, simulation, "latency", (hd_span)line->latency);
        hd_json_number(json, "time_per_byte", hd_simulation_time_per_byte(simulation, line));
        hd_json_end(json);
    }
    hd_json_end(json);
}

hd_status
hd_simulation_write_json(const hd_simulation *simulation, FILE *out)
{
    hd_json json;

    hd_json_document_begin(&json, out, "simulate");
    hd_json_text(&json, "archive", simulation->archive);
    hd_json_object(&json, "recorded");
    put_run(&json, simulation, &simulation->result->recorded, 0, simulation->predictions->waiting,
            simulation->predictions->waits_at);
    hd_json_end(&json);
    put_hypotheses(&json, simulation);
    hd_json_advice(&json, simulation->predictions);
    put_counts(&json, simulation);
    hd_json_object(&json, "model");
    put_fits(&json, simulation);
    put_protocol(&json, simulation);
    put_trees(&json, simulation);
    put_network(&json, simulation);
    hd_json_end(&json);
    return hd_json_document_end(&json);
}

/* replay/simulate/sim_result.c: run times, time in calls, counts, and what was learned, of all ranks. */
#include "sim_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_kept.h"

enum { BIAS_BIT = 63 };

/* Signed numbers as unsigned ones in the same order, for reductions. */
static uint64_t
biased(hd_span time)
{
    return (uint64_t)time ^ UINT64_C(1) << BIAS_BIT;
}

static hd_span
unbiased(uint64_t number)
{
    return (hd_span)(number ^ UINT64_C(1) << BIAS_BIT);
}

typedef struct sim_ends { /* of a run: earliest, latest */
    uint64_t begin, init_left;
    uint64_t end, finalize_entered;
} sim_ends;

/* Without MPI, or where a process neither came out of MPI_Init nor into MPI_Finalize: the whole run. */
static void
set_run_time(hd_analysis_comm *comm, sim_ends *ends, hd_sim_outcome *outcome)
{
    hd_analysis_comm_reduce(comm, &ends->begin, 2, HD_MIN);
    hd_analysis_comm_reduce(comm, &ends->end, 2, HD_MAX);
    outcome->run_time_whole = ends->begin == UINT64_MAX ? 0 : unbiased(ends->end) - unbiased(ends->begin);
    outcome->run_time       = outcome->run_time_whole;
    if (ends->begin == UINT64_MAX)
        return;
    if (ends->init_left != UINT64_MAX)
        outcome->run_time -= unbiased(ends->init_left) - unbiased(ends->begin);
    if (ends->finalize_entered != 0)
        outcome->run_time -= unbiased(ends->end) - unbiased(ends->finalize_entered);
}

static const sim_ends no_ends = { .begin = UINT64_MAX, .init_left = UINT64_MAX };

static void
widen(sim_ends *ends, hd_span begin, hd_span end)
{
    ends->begin = hd_time_min(ends->begin, biased(begin));
    ends->end   = hd_time_max(ends->end, biased(end));
}

static bool
is_timed(const hd_sim_location *location)
{
    return location->is_thread && (location->location->intervals.n_intervals > 0 || location->n_calls > 0);
}

/* The recorded one. */
static void
take_recorded(const hd_sim *sim, hd_sim_outcome *outcome)
{
    sim_ends ends = no_ends;

    for (uint32_t i = 0; i < sim->n_locations; i++) {
        const hd_sim_location    *location = &sim->locations[i];
        const hd_loaded_location *loaded   = location->location;
        hd_time                   begin    = loaded->intervals.begin, end = loaded->intervals.end;

        if (!is_timed(location))
            continue;
        if (loaded->intervals.n_intervals == 0)
            begin = location->calls[0].enter;
        if (location->n_calls > 0)
            end = hd_time_max(end, location->calls[location->n_calls - 1].leave);
        widen(&ends, (hd_span)begin, (hd_span)end);
        for (size_t c = 0; loaded->has_init && c < location->n_calls; c++)
            if (location->calls[c].enter == loaded->init_enter) {
                ends.init_left = hd_time_min(ends.init_left, biased((hd_span)location->calls[c].leave));
                break;
            }
        if (loaded->has_finalize)
            ends.finalize_entered = hd_time_max(ends.finalize_entered, biased((hd_span)loaded->finalize_enter));
    }
    set_run_time(sim->request->analysis_comm, &ends, outcome);
}

static void
take_run_time(const hd_sim *sim, uint32_t lane, hd_sim_outcome *outcome)
{
    sim_ends ends = no_ends;

    for (uint32_t i = 0; i < sim->n_locations; i++) {
        const hd_sim_location *location = &sim->locations[i];
        hd_time                begin    = location->location->intervals.begin;

        if (!is_timed(location))
            continue;
        if (location->location->intervals.n_intervals == 0)
            begin = location->calls[0].enter;
        widen(&ends, (hd_span)begin, location->end[lane]);
        if (location->has_init_left)
            ends.init_left = hd_time_min(ends.init_left, biased(location->init_left[lane]));
        if (location->has_finalize_entered)
            ends.finalize_entered = hd_time_max(ends.finalize_entered, biased(location->finalize_entered[lane]));
    }
    set_run_time(sim->request->analysis_comm, &ends, outcome);
}

static void
take_lane(const hd_sim *sim, uint32_t lane, hd_sim_outcome *outcome)
{
    uint32_t n_threads = hd_placement_n_threads(sim->request->placement);

    take_run_time(sim, lane, outcome);
    outcome->n_moved = 0;
    for (uint32_t t = 0; t < n_threads; t++)
        outcome->n_moved += sim->workers[t].n_moved[lane];
    hd_analysis_comm_reduce(sim->request->analysis_comm, &outcome->n_moved, 1, HD_SUM);
}

static uint64_t
reordered_of(const hd_sim *sim, uint32_t lane)
{
    uint64_t n = 0;

    for (uint32_t t = 0; t < hd_placement_n_threads(sim->request->placement); t++)
        n += sim->workers[t].n_reordered[lane];
    hd_analysis_comm_reduce(sim->request->analysis_comm, &n, 1, HD_SUM);
    return n;
}

void
hd_sim_result_vary(const hd_sim *sim, hd_simulate_result *result, uint32_t fits)
{
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++) {
        hd_sim_outcome *outcome = &result->outcomes[sim->first + lane], varied = { 0 };
        hd_span         off;

        take_run_time(sim, fits * sim->n_lanes + lane, &varied);
        off = varied.run_time - outcome->run_time;
        off = off < 0 ? -off : off;
        if (fits == 0)
            outcome->uncertain = off;
        else if (off > outcome->fit_uncertain)
            outcome->fit_uncertain = off;
    }
}

/* Sums over the workers of all ranks; column 0: recorded, else of the lane before it. */
static hd_span *
sums_of(const hd_sim *sim, hd_span *(*table_of)(const hd_sim_worker *sw), uint32_t n, uint32_t column)
{
    uint32_t  n_threads = hd_placement_n_threads(sim->request->placement);
    uint64_t *sums      = HD_NEW_ARRAY(uint64_t, n);
    hd_span  *times     = HD_NEW_ARRAY(hd_span, n);

    for (uint32_t t = 0; t < n_threads; t++)
        for (uint32_t i = 0; i < n; i++)
            sums[i] += (uint64_t)table_of(&sim->workers[t])[(size_t)i * (1 + HD_SIM_LANES) + column];
    hd_analysis_comm_reduce(sim->request->analysis_comm, sums, n, HD_SUM);
    for (uint32_t i = 0; i < n; i++)
        times[i] = (hd_span)sums[i];
    free(sums);
    return times;
}

static hd_span *
region_time_of(const hd_sim_worker *sw)
{
    return sw->region_time;
}

static hd_span *
path_wait_of(const hd_sim_worker *sw)
{
    return sw->path_wait;
}

static void
take_sums(const hd_sim *sim, uint32_t column, hd_sim_outcome *outcome)
{
    outcome->region_time = sums_of(sim, region_time_of, sim->defs->n_regions, column);
    outcome->path_wait   = sums_of(sim, path_wait_of, sim->request->tree->n, column);
}

/* ---- times of all calls ------------------------------------------------------------------------------------------ */

static void
put_times(const hd_sim *sim, const hd_sim_location *location, FILE *out)
{
    for (size_t i = 0; i < location->n_calls; i++) {
        const hd_sim_call *call = &location->calls[i];

        fprintf(out, "%" PRIu32 "\t%" PRIu32 "\t%zu\t%" PRIu64 "\t%" PRIu64, location->process_id, location->thread, i,
                call->enter, call->leave);
        for (size_t lane = 0; lane < sim->request->n_hypotheses; lane++)
            fprintf(out, "\t%" PRIi64 "\t%" PRIi64, location->times[2 * i].lane[lane],
                    location->times[2 * i + 1].lane[lane]);
        fputc('\n', out);
    }
}

/* The first byte behind the lines of a process, which come first. */
static const char *
behind(const char *at, const char *end, uint32_t process)
{
    while (at < end && strtoul(at, NULL, 10) == process) {
        const char *line = memchr(at, '\n', (size_t)(end - at));

        at = line != NULL ? line + 1 : end;
    }
    return at;
}

/* The lines of all ranks, which are by process within each, by process. n: [ranks] bytes of each. */
static char *
in_order(const hd_sim *sim, const char *all, const uint64_t *n, size_t bytes)
{
    uint32_t     n_ranks = hd_analysis_comm_size(sim->request->analysis_comm), n_threads;
    const char **at      = HD_NEW_ARRAY(const char *, n_ranks), **end = HD_NEW_ARRAY(const char *, n_ranks);
    char        *lines   = HD_NEW_ARRAY(char, bytes + 1), *to = lines;

    n_threads = hd_placement_n_threads(sim->request->placement);
    for (uint32_t r = 0; r < n_ranks; r++) {
        at[r]  = r > 0 ? end[r - 1] : all;
        end[r] = at[r] + n[r];
    }
    for (uint32_t p = 0; p < sim->defs->n_processes; p++) {
        uint32_t    r    = hd_sim_home(sim, p) / n_threads;
        const char *last = behind(at[r], end[r], p);

        memcpy(to, at[r], (size_t)(last - at[r]));
        to += last - at[r];
        at[r] = last;
    }
    free(at);
    free(end);
    return lines;
}

/* The lines of this rank's locations, by process. */
static void
take_times(const hd_sim *sim, hd_simulate_result *result)
{
    char     *text  = NULL;
    size_t    bytes = 0;
    uint8_t  *all   = NULL;
    uint64_t *n     = NULL;
    FILE     *out   = open_memstream(&text, &bytes);

    if (out == NULL)
        hd_fatal("out of memory: no room for the times of calls");
    for (uint32_t i = 0; i < sim->n_locations; i++)
        put_times(sim, &sim->locations[i], out);
    if (fclose(out) != 0)
        hd_fatal("out of memory: no room for the times of calls");
    hd_analysis_comm_gather(sim->request->analysis_comm, text, bytes, &all, &n);
    free(text);
    if (all != NULL) {
        result->times_bytes = 0;
        for (uint32_t r = 0; r < hd_analysis_comm_size(sim->request->analysis_comm); r++)
            result->times_bytes += n[r];
        free(result->times);
        result->times = in_order(sim, (const char *)all, n, result->times_bytes);
    }
    free(all);
    free(n);
}

/* ---- new times of all records ------------------------------------------------------------------------------------ */

static void
take_records(const hd_sim *sim, uint32_t lane, hd_sim_outcome *outcome)
{
    uint32_t         n_processes = sim->request->trace->n_processes;
    hd_record_times *all         = HD_NEW_ARRAY(hd_record_times, (size_t)sim->n_locations + 1);

    outcome->records    = HD_NEW_ARRAY(hd_record_times *, (size_t)n_processes + 1);
    outcome->records[0] = all;
    for (uint32_t p = 0, n = 0; p < n_processes; n += sim->request->trace->processes[p].n_locations, p++)
        outcome->records[p] = &all[n];
    for (uint32_t i = 0; i < sim->n_locations; i++)
        all[i] = sim->locations[i].moved_records[lane];
}

static void
free_records(hd_record_times **records, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        hd_record_times_fini(&records[0][i]);
    free(records[0]);
    free(records);
}

/* ---- phases ------------------------------------------------------------------------------------------------------ */

void
hd_sim_result_start(hd_sim *sim, size_t n_hypotheses, hd_simulate_result *result)
{
    result->n_outcomes  = n_hypotheses;
    result->n_locations = sim->n_locations;
    result->outcomes   = HD_NEW_ARRAY(hd_sim_outcome, result->n_outcomes);
    take_recorded(sim, &result->recorded);
}

/* In circles. A hypothesis that has them alone has a pass of its own. */
static void
take_dropped(const hd_sim *sim, hd_simulate_result *result)
{
    uint32_t n_threads = hd_placement_n_threads(sim->request->placement);
    uint64_t n_dropped = 0;

    for (uint32_t t = 0; t < n_threads; t++)
        n_dropped += sim->workers[t].n_dropped;
    hd_analysis_comm_reduce(sim->request->analysis_comm, &n_dropped, 1, HD_SUM);
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        result->outcomes[sim->first + lane].n_cycles = n_dropped;
    if (sim->limit == UINT64_MAX)
        result->counts.n_cycles = n_dropped;
}

void
hd_sim_result_take(hd_sim *sim, hd_simulate_result *result)
{
    bool is_last = sim->first + sim->n_lanes == result->n_outcomes;

    if (sim->first == 0)
        take_sums(sim, 0, &result->recorded);
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++) {
        hd_sim_outcome *outcome = &result->outcomes[sim->first + lane];

        take_lane(sim, lane, outcome);
        take_sums(sim, 1 + lane, outcome);
        outcome->n_reordered = reordered_of(sim, lane);
        if (sim->request->records != NULL)
            take_records(sim, lane, outcome);
    }
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        free(sim->locations[i].moved_records);
        sim->locations[i].moved_records = NULL;
    }
    take_dropped(sim, result);
    if (sim->request->wants_times && is_last)
        take_times(sim, result);
}

static void
take_counts(const hd_sim *sim, hd_sim_counts *counts)
{
    uint32_t n_threads = hd_placement_n_threads(sim->request->placement);
    uint64_t n_cycles  = counts->n_cycles; /* of all ranks already */

    *counts = (hd_sim_counts){ 0 };
    for (uint32_t t = 0; t < n_threads; t++) {
        const hd_sim_counts *own = &sim->workers[t].counts;

        counts->n_calls += own->n_calls;
        counts->n_dependencies += own->n_dependencies;
        counts->n_unmatched += own->n_unmatched;
    }
    hd_sim_kept_add(sim, counts);
    hd_analysis_comm_reduce(sim->request->analysis_comm, &counts->n_calls, sizeof *counts / sizeof(uint64_t), HD_SUM);
    counts->n_cycles = n_cycles;
}

static void
take_protocol(const hd_sim_protocol *protocol, hd_simulate_result *result)
{
    static const char *const words[] = { NULL, "eager", "progress", "rendezvous" };
    size_t                   capacity = 0;

    for (int same = 1; same >= 0; same--)
        for (uint32_t size = 0; size < HD_SIM_SIZES; size++) {
            const uint64_t     *n   = protocol->evidence.n[same][size];
            hd_sim_protocol_row row = { .is_same_node = same != 0, .size = size, .n = { n[0], n[1], n[2], n[3] },
                                        .what = words[protocol->known[same][size]] };

            if (n[0] > 0)
                HD_PUSH(result->protocol, result->n_protocol, capacity, row);
        }
}

static void
take_fits(const hd_sim_fits *fits, hd_simulate_result *result)
{
    static const char *const words[HD_SIM_N_KINDS] = { "local", "receive", "rendezvous", "progress", "collective",
                                                       "tree", "fork", "join", "thread barrier", "lock", "task",
                                                       "taskwait", "epoch", "window lock", "access" };
    size_t                   capacity = 0;

    for (size_t i = 0; i < fits->n; i++) {
        hd_sim_fit_row row = { .n = fits->rows[i].n, .bytes = fits->rows[i].bytes,
                               .median = fits->rows[i].median, .low = fits->rows[i].low };
        hd_sim_class   what;

        hd_sim_fit_describe(&fits->rows[i], &what, &row.size, &row.members);
        row.kind         = words[what.kind];
        row.is_same_node = what.is_same_node;
        row.what = what.kind == HD_SIM_LOCAL || what.kind == HD_SIM_COLLECTIVE || what.kind == HD_SIM_TREE ? what.what
                                                                                                           : HD_NONE;
        HD_PUSH(result->fits, result->n_fits, capacity, row);
    }
}

static void
take_trees(const hd_sim_learned *learned, hd_simulate_result *result)
{
    size_t capacity = 0;

    for (size_t i = 0; i < learned->n; i++) {
        hd_sim_pair      pair = hd_sim_pair_operation(learned->keys[i]);
        hd_sim_tree_row *last = result->n_trees > 0 ? &result->trees[result->n_trees - 1] : NULL;

        if (last != NULL && last->operation == pair.operation && last->n_members == pair.n_members &&
            last->size == pair.size)
            last->n_dependencies++;
        else
            HD_PUSH(result->trees, result->n_trees, capacity,
                    ((hd_sim_tree_row){ pair.operation, pair.n_members, pair.size, 1 }));
    }
}

static void
take_lines(const hd_sim_lines *lines, hd_simulate_result *result)
{
    size_t capacity = 0;

    for (size_t i = 0; i < lines->n; i++) {
        const hd_sim_line *line       = &lines->rows[i];
        bool               is_message = line->what.kind == HD_SIM_RECEIVE;
        const char        *kind       = line->what.kind == HD_SIM_TREE ? "tree" : "collective";

        HD_PUSH(result->lines, result->n_lines, capacity,
                ((hd_sim_line_row){ .kind = is_message ? "message" : kind,
                                    .operation = is_message ? HD_NONE : line->what.what,
                                    .is_same_node = line->what.is_same_node, .members = line->what.n_members,
                                    .n_sizes = line->n_sizes, .latency = line->latency, .slope = line->slope }));
    }
}

void
hd_sim_result_finish(hd_sim *sim, hd_simulate_result *result)
{
    take_counts(sim, &result->counts);
    take_protocol(&sim->protocol, result);
    take_fits(&sim->fits, result);
    take_trees(&sim->learned, result);
    take_lines(&sim->lines, result);
}

void
hd_simulate_result_fini(hd_simulate_result *result)
{
    for (size_t i = 0; i < result->n_outcomes; i++) {
        free(result->outcomes[i].region_time);
        free(result->outcomes[i].path_wait);
        if (result->outcomes[i].records != NULL)
            free_records(result->outcomes[i].records, result->n_locations);
    }
    free(result->recorded.region_time);
    free(result->recorded.path_wait);
    free(result->outcomes);
    free(result->protocol);
    free(result->fits);
    free(result->trees);
    free(result->lines);
    free(result->times);
    *result = (hd_simulate_result){ 0 };
}

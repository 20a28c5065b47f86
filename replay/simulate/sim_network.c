/* replay/simulate/sim_network.c: lines through transfers by size, and transfers of another network. */
#include "sim_network.h"

#include <stdlib.h>

#include "coll_class.h"
#include "memory.h"

enum { LEAST_INSTANCES = 8, SLOPE_BITS = 32 };
static const uint64_t MOST_BYTES = UINT64_C(1) << 40, MOST_SLOPE = UINT64_C(1) << 48, MOST_TIME = UINT64_C(1) << 60;

typedef struct sim_point { /* a size */
    uint64_t bytes, n;
    hd_span  low;
} sim_point;

static uint64_t
limited(unsigned __int128 value, uint64_t most)
{
    return value < most ? (uint64_t)value : most;
}

static uint64_t
cost_of(const hd_sim_line *line, uint64_t bytes)
{
    return (uint64_t)((unsigned __int128)limited(bytes, MOST_BYTES) * line->slope >> SLOPE_BITS);
}

/* Through points[n], ascending by size, n > 0. */
static void
set_line(hd_sim_line *line, const sim_point *points, size_t n)
{
    const sim_point *first = points, *last = points + n - 1;

    line->n_sizes = (uint32_t)n;
    if (last->bytes > first->bytes && last->low > first->low)
        line->slope = limited(((unsigned __int128)(uint64_t)(last->low - first->low) << SLOPE_BITS) /
                                  (last->bytes - first->bytes), MOST_SLOPE);
    if (cost_of(line, first->bytes) < (uint64_t)first->low)
        line->latency = (uint64_t)first->low - cost_of(line, first->bytes);
}

/* Sizes with few instances count only where there are no two others. */
static size_t
keep_frequent(sim_point *points, size_t n)
{
    size_t n_frequent = 0, n_kept = 0;

    for (size_t i = 0; i < n; i++)
        n_frequent += points[i].n >= LEAST_INSTANCES;
    if (n_frequent < 2)
        return n;
    for (size_t i = 0; i < n; i++)
        if (points[i].n >= LEAST_INSTANCES)
            points[n_kept++] = points[i];
    return n_kept;
}

static bool
synchronises(uint32_t operation)
{
    hd_coll_class class = hd_coll_class_of(operation);

    return class == HD_COLL_BARRIER || class == HD_COLL_CREATE || class == HD_COLL_FREE || class == HD_COLL_FENCE;
}

bool
hd_sim_is_of_network(const hd_sim_class *what)
{
    return what->kind == HD_SIM_RECEIVE || what->kind == HD_SIM_RENDEZVOUS || what->kind == HD_SIM_PROGRESS ||
           what->kind == HD_SIM_COLLECTIVE || what->kind == HD_SIM_TREE;
}

bool
hd_sim_is_of_processes(const hd_sim_class *what)
{
    return hd_sim_is_of_network(what) || what->kind == HD_SIM_EPOCH || what->kind == HD_SIM_WINDOW_LOCK ||
           what->kind == HD_SIM_ACCESS;
}

bool
hd_sim_moves_data(const hd_sim_class *what)
{
    return hd_sim_is_of_network(what) && !(what->kind == HD_SIM_COLLECTIVE && synchronises(what->what));
}

static bool
is_of(const hd_sim_line *line, const hd_sim_class *what, uint32_t members)
{
    return line->what.kind == what->kind && line->what.what == what->what &&
           line->what.is_same_node == what->is_same_node && line->what.n_members == members;
}

static const hd_sim_line *
find(const hd_sim_lines *lines, const hd_sim_class *what, uint32_t members)
{
    for (size_t i = 0; i < lines->n; i++)
        if (is_of(&lines->rows[i], what, members))
            return &lines->rows[i];
    return NULL;
}

static void
add_line(hd_sim_lines *lines, size_t *capacity, const hd_sim_fits *fits, const hd_sim_class *what, uint32_t members)
{
    hd_sim_line line = { .what = *what };
    sim_point   points[HD_SIM_ALL_SIZES];
    size_t      n = 0;

    line.what.n_members = members;
    for (size_t i = 0; i < fits->n; i++) { /* ascending by size, as their keys */
        hd_sim_class other;
        uint32_t     size, other_members;

        hd_sim_fit_describe(&fits->rows[i], &other, &size, &other_members);
        if (size != HD_SIM_ALL_SIZES && is_of(&line, &other, other_members))
            points[n++] = (sim_point){ fits->rows[i].bytes, fits->rows[i].n, fits->rows[i].low };
    }
    n = keep_frequent(points, n);
    set_line(&line, points, n);
    HD_PUSH(lines->rows, lines->n, *capacity, line);
}

void
hd_sim_lines_make(hd_sim_lines *lines, const hd_sim_fits *fits)
{
    size_t capacity = 0;

    for (size_t i = 0; i < fits->n; i++) {
        hd_sim_class what;
        uint32_t     size, members;

        hd_sim_fit_describe(&fits->rows[i], &what, &size, &members);
        if (size != HD_SIM_ALL_SIZES && what.kind != HD_SIM_RENDEZVOUS && what.kind != HD_SIM_PROGRESS &&
            hd_sim_moves_data(&what) && find(lines, &what, members) == NULL)
            add_line(lines, &capacity, fits, &what, members);
    }
}

void
hd_sim_lines_fini(hd_sim_lines *lines)
{
    free(lines->rows);
    *lines = (hd_sim_lines){ 0 };
}

hd_status
hd_sim_lines_check(const hd_sim_lines *lines, const hd_hypothesis *hypothesis, const hd_change *network)
{
    bool has_sizes = false;

    for (size_t i = 0; i < lines->n; i++)
        has_sizes |= lines->rows[i].n_sizes > 1;
    if (network->network != HD_NETWORK_LINE || (lines->n > 0 && (has_sizes || network->bandwidth.numerator ==
                                                                                  network->bandwidth.denominator)))
        return HD_OK;
    if (lines->n == 0)
        hd_fail(HD_EUSAGE, "latency and bandwidth are not known: no call of the archive waited for data");
    else
        hd_fail(HD_EUSAGE, "the bandwidth is not known: data of one size only was waited for");
    hd_fail_detail("hypothesis", "%s", hypothesis->text);
    hd_fail_detail("try", lines->n == 0 ? "network ideal" : "network latency FACTOR, or network ideal");
    return HD_EUSAGE;
}

hd_span
hd_sim_lines_change(const hd_sim_lines *lines, const hd_change *network, const hd_sim_class *what, hd_span transfer)
{
    hd_sim_class       sought = *what;
    const hd_sim_line *line;
    uint64_t           cost, latency, changed;
    hd_span            least = transfer < 0 ? transfer : 0;

    if (what->kind == HD_SIM_RENDEZVOUS || what->kind == HD_SIM_PROGRESS)
        sought.kind = HD_SIM_RECEIVE;
    line = find(lines, &sought, hd_sim_power(what->n_members));
    if (line == NULL)
        return transfer;
    cost     = cost_of(line, what->bytes);
    latency  = limited((unsigned __int128)line->latency * network->factor.numerator / network->factor.denominator,
                       MOST_TIME);
    changed  = limited((unsigned __int128)cost * network->bandwidth.denominator / network->bandwidth.numerator,
                       MOST_TIME);
    transfer += (hd_span)latency - (hd_span)line->latency + (hd_span)changed - (hd_span)cost;
    return transfer > least ? transfer : least;
}

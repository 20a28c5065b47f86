/* replay/simulate/sim_pieces.c: finds the pieces of computation that change. */
#include "sim_pieces.h"

#include <stdlib.h>

enum { BLOCK = 1 << 20 }; /* totals of locations and instances that are summed over ranks at a time */

static void
put(hd_changed_pieces *pieces, uint64_t number, hd_span longer)
{
    if (longer != 0)
        HD_PUSH(pieces->rows, pieces->n, pieces->capacity, ((hd_changed_piece){ number, longer }));
}

static void
make_lists(const hd_sim *sim, hd_change *change)
{
    change->n_pieces = sim->n_locations;
    change->pieces   = HD_NEW_ARRAY(hd_changed_pieces, change->n_pieces + 1);
}

/* ---- instances of regions: balance per region, iterations -------------------------------------------------------- */

typedef struct sim_instances { /* of a location, and the computation in them */
    hd_iteration      *rows;   /* [n] ascending */
    uint64_t          *totals, *goals;
    size_t             n, capacity;
    bool               are_foreign; /* of the process's first thread: this one never enters the region */
    size_t             at;     /* while pieces are visited */
    unsigned __int128  done;   /* recorded time of the instance so far */
    hd_changed_pieces *pieces; /* NULL: totals are found */
} sim_instances;

/* Threads that never enter the region have the instances of the process's first one. Their own intervals have no
 * boundaries there, so all that is between two of their calls belongs to where it ends. */
static void
find_instances(const hd_sim_location *location, uint32_t mark, sim_instances *instances)
{
    const hd_loaded_location *loaded = location->location;

    for (int pass = 0; pass < 2 && instances->n == 0; pass++) {
        instances->are_foreign = pass > 0;
        for (size_t i = 0; i < loaded->more->n_marked; i++)
            if (loaded->more->marked[i].region == mark)
                HD_PUSH(instances->rows, instances->n, instances->capacity, loaded->more->marked[i]);
        loaded = &location->process->locations[0];
    }
    instances->totals = HD_NEW_ARRAY(uint64_t, instances->n + 1);
    instances->goals  = HD_NEW_ARRAY(uint64_t, instances->n + 1);
}

static void
free_instances(sim_instances *instances)
{
    free(instances->rows);
    free(instances->totals);
    free(instances->goals);
}

/* Of later and later pieces. False: in none. */
static bool
is_in_instance(sim_instances *all, const hd_sim_piece *piece)
{
    hd_time end = all->are_foreign ? piece->ready : piece->until;

    while (all->at < all->n && all->rows[all->at].leave < end) {
        all->at++;
        all->done = 0;
    }
    return all->at < all->n && end > all->rows[all->at].enter;
}

static void
visit_instance(void *context, const hd_sim_piece *piece)
{
    sim_instances *all = context;
    uint64_t       goal, total;
    hd_span        before, after;

    if (!is_in_instance(all, piece) || piece->time <= 0)
        return;
    total = all->totals[all->at];
    if (all->pieces == NULL) {
        all->totals[all->at] += (uint64_t)piece->time;
        return;
    }
    goal   = all->goals[all->at];
    before = (hd_span)(all->done * goal / total);
    all->done += (uint64_t)piece->time;
    after = (hd_span)(all->done * goal / total);
    put(all->pieces, piece->number, after - before - piece->time);
}

/* Of `n` instances from `first` on: totals of all locations of all ranks, then the goals. */
static void
settle_block(hd_sim *sim, hd_change *change, sim_instances *instances, size_t first, size_t n)
{
    size_t    n_locations = sim->defs->n_locations;
    uint64_t *totals      = HD_NEW_ARRAY(uint64_t, n * n_locations);
    uint64_t *goals       = HD_NEW_ARRAY(uint64_t, n_locations);

    for (uint32_t l = 0; l < sim->n_locations; l++)
        for (size_t i = first; i < first + n && i < instances[l].n; i++)
            totals[(i - first) * n_locations + sim->locations[l].location->location] = instances[l].totals[i];
    hd_analysis_comm_reduce(sim->request->analysis_comm, totals, n * n_locations, HD_SUM);
    for (size_t i = first; i < first + n; i++) {
        hd_sim_change_set_goals(sim->defs, change, totals + (i - first) * n_locations, goals);
        for (uint32_t l = 0; l < sim->n_locations; l++)
            if (i < instances[l].n)
                instances[l].goals[i] = goals[sim->locations[l].location->location];
    }
    free(totals);
    free(goals);
}

/* Returns of all ranks the largest number of instances. *time: selected computation in instances. */
static uint64_t
find_totals(hd_sim *sim, hd_change *change, sim_instances *instances, uint64_t *time)
{
    uint64_t most = 0;

    *time = 0;
    for (uint32_t l = 0; l < sim->n_locations; l++) {
        find_instances(&sim->locations[l], change->per_number, &instances[l]);
        hd_sim_change_each_piece(&sim->locations[l], change, visit_instance, &instances[l]);
        most = hd_time_max(most, instances[l].n);
        for (size_t i = 0; i < instances[l].n; i++)
            *time += hd_change_has_iteration(change, i + 1) ? instances[l].totals[i] : 0;
    }
    hd_analysis_comm_reduce(sim->request->analysis_comm, &most, 1, HD_MAX);
    hd_analysis_comm_reduce(sim->request->analysis_comm, time, 1, HD_SUM);
    return most;
}

static hd_status
fail_instances(const hd_hypothesis *hypothesis, const hd_change *change)
{
    if (change->iterations != NULL) {
        if (change->per != NULL)
            hd_fail(HD_EUSAGE, "in iterations %s of \"%s\" there is no computation of \"%s\"", change->iterations,
                    change->per, change->pattern);
        else
            hd_fail(HD_EUSAGE, "in iterations %s there is no computation of \"%s\"", change->iterations,
                    change->pattern);
        hd_hypothesis_point_at(hypothesis, change->iterations);
        hd_fail_detail("try", "heddle series, which says how many iterations there are");
        return HD_EUSAGE;
    }
    hd_fail(HD_EUSAGE, "in no instance of \"%s\" there is computation of \"%s\"", change->per, change->pattern);
    hd_hypothesis_point_at(hypothesis, change->per);
    hd_fail_detail("try", "a region that calls the selected ones, such as that of an iteration");
    return HD_EUSAGE;
}

/* Time of an instance becomes goal / total of it; those that are not selected stay. */
static void
set_goals(const hd_change *change, sim_instances *instances)
{
    for (size_t i = 0; i < instances->n; i++)
        if (!hd_change_has_iteration(change, i + 1))
            instances->goals[i] = instances->totals[i] = 1;
        else if (change->kind == HD_CHANGE_SCALE) {
            instances->goals[i]  = change->factor.numerator;
            instances->totals[i] = change->factor.denominator;
        }
}

/* Balance, or scale. */
static hd_status
change_instances(hd_sim *sim, const hd_hypothesis *hypothesis, hd_change *change)
{
    sim_instances *instances = HD_NEW_ARRAY(sim_instances, sim->n_locations + 1);
    uint64_t       time, most = find_totals(sim, change, instances, &time);
    size_t         block = sim->defs->n_locations < BLOCK ? BLOCK / sim->defs->n_locations : 1;

    for (size_t first = 0; change->kind == HD_CHANGE_BALANCE && first < most; first += block)
        settle_block(sim, change, instances, first, most - first < block ? most - first : block);
    make_lists(sim, change);
    for (uint32_t l = 0; l < sim->n_locations; l++) {
        set_goals(change, &instances[l]);
        instances[l].pieces = &change->pieces[l];
        instances[l].at     = 0;
        instances[l].done   = 0;
        hd_sim_change_each_piece(&sim->locations[l], change, visit_instance, &instances[l]);
        free_instances(&instances[l]);
    }
    free(instances);
    return time > 0 ? HD_OK : fail_instances(hypothesis, change);
}

/* Whether there is what it selects; delays are found later. */
static hd_status
check_instances(hd_sim *sim, const hd_hypothesis *hypothesis, hd_change *change)
{
    sim_instances *instances = HD_NEW_ARRAY(sim_instances, sim->n_locations + 1);
    uint64_t       time;

    (void)find_totals(sim, change, instances, &time);
    for (uint32_t l = 0; l < sim->n_locations; l++)
        free_instances(&instances[l]);
    free(instances);
    return time > 0 ? HD_OK : fail_instances(hypothesis, change);
}

hd_status
hd_sim_pieces_prepare(hd_sim *sim, hd_hypothesis *hypotheses, size_t n)
{
    hd_status status = HD_OK;

    for (size_t h = 0; h < n; h++)
        for (size_t c = 0; c < hypotheses[h].n_changes && status == HD_OK; c++) {
            hd_change *change = &hypotheses[h].changes[c];

            if (hd_change_has_instances(change))
                status = change->kind == HD_CHANGE_DELAY ? check_instances(sim, &hypotheses[h], change)
                                                         : change_instances(sim, &hypotheses[h], change);
        }
    return status;
}

/* ---- delays ------------------------------------------------------------------------------------------------------ */

typedef struct sim_left { /* a piece, and what is left of it */
    uint64_t number;
    hd_time  from;
    hd_span  time, taken;
    uint32_t path, full; /* full: as of the list below */
} sim_left;

typedef struct sim_lefts { /* of a location */
    const hd_sim_location *location;
    const hd_change       *change;
    sim_instances          instances; /* where it is about iterations */
    sim_left              *rows; /* [n] */
    size_t                 n, capacity;
} sim_lefts;

typedef struct sim_taking { /* pieces of one call path */
    sim_left *rows; /* [n] ascending */
    size_t    n;
    hd_span  *sums; /* [n + 1] of what is taken, as of binary indexed trees */
} sim_taking;

static void
visit_left(void *context, const hd_sim_piece *piece)
{
    sim_lefts *all = context;

    if (all->change->iterations != NULL && (!is_in_instance(&all->instances, piece) ||
                                            !hd_change_has_iteration(all->change, all->instances.at + 1)))
        return;
    if (piece->time > 0)
        HD_PUSH(all->rows, all->n, all->capacity,
                ((sim_left){ .number = piece->number, .from = piece->from, .time = piece->time,
                             .path = hd_sim_path_of(all->location, piece->node) }));
}

static int
compare_lefts(const void *a_, const void *b_)
{
    const sim_left *a = a_, *b = b_;

    if (a->path != b->path)
        return a->path < b->path ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int
compare_numbers(const void *a_, const void *b_)
{
    const sim_left *a = a_, *b = b_;

    return a->number < b->number ? -1 : a->number > b->number;
}

/* By call path, then by the end of the interval, the shorter ones first. */
static int
compare_delays(const void *a_, const void *b_)
{
    const hd_found_delay *a = a_, *b = b_;

    if (a->call_path != b->call_path)
        return a->call_path < b->call_path ? -1 : 1;
    if (a->until != b->until)
        return a->until < b->until ? -1 : 1;
    if (a->from != b->from)
        return a->from > b->from ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

static hd_span
taken_before(const sim_taking *taking, size_t i)
{
    hd_span sum = 0;

    for (; i > 0; i -= i & -i)
        sum += taking->sums[i];
    return sum;
}

/* Pieces [0, n) that began before a time. */
static size_t
n_before(const sim_taking *taking, hd_time time)
{
    size_t first = 0, end = taking->n;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (taking->rows[middle].from < time)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The latest of the pieces [0, i) of which something is left: its number + 1, or 0. `full` of a piece of which nothing
 * is left says how many pieces before it may be looked over; ways get shorter as they are gone. */
static size_t
latest_left(sim_taking *taking, size_t i)
{
    size_t end = i, next;

    while (end > 0 && taking->rows[end - 1].taken == taking->rows[end - 1].time)
        end = end - 1 - taking->rows[end - 1].full;
    for (; i > end; i = next) {
        next                         = i - 1 - taking->rows[i - 1].full;
        taking->rows[i - 1].full = (uint32_t)(i - 1 - end);
    }
    return end;
}

static void
take(sim_taking *taking, hd_time from, hd_time until, hd_span time)
{
    size_t first = n_before(taking, from), end = n_before(taking, until);

    if (first >= end)
        return;
    time -= taken_before(taking, end) - taken_before(taking, first);
    for (size_t i = latest_left(taking, end); i > first && time > 0; i = latest_left(taking, i)) {
        sim_left *piece = &taking->rows[i - 1];
        hd_span   part  = piece->time - piece->taken < time ? piece->time - piece->taken : time;

        piece->taken += part;
        time -= part;
        for (size_t k = i; k <= taking->n; k += k & -k)
            taking->sums[k] += part;
    }
}

/* delays[n_delays] of the location, sorted. */
static void
take_delays(sim_lefts *lefts, const hd_found_delay *delays, size_t n_delays)
{
    hd_span *sums = HD_NEW_ARRAY(hd_span, lefts->n + 1);
    size_t   d    = 0;

    for (size_t i = 0, end; i < lefts->n; i = end) {
        sim_taking taking = { .rows = &lefts->rows[i], .sums = sums };

        for (end = i; end < lefts->n && lefts->rows[end].path == lefts->rows[i].path; end++)
            sums[end - i] = 0;
        taking.n       = end - i;
        sums[taking.n] = 0;
        while (d < n_delays && delays[d].call_path < lefts->rows[i].path)
            d++;
        for (; d < n_delays && delays[d].call_path == lefts->rows[i].path; d++)
            take(&taking, delays[d].from, delays[d].until, delays[d].time);
    }
    free(sums);
}

static void
shorten(hd_sim_location *location, const hd_change *change, const hd_found_delays *delays, hd_changed_pieces *pieces)
{
    sim_lefts lefts = { .location = location, .change = change };

    if (change->iterations != NULL)
        find_instances(location, change->per_number, &lefts.instances);
    hd_sim_change_each_piece(location, change, visit_left, &lefts);
    if (lefts.n > 0)
        qsort(lefts.rows, lefts.n, sizeof *lefts.rows, compare_lefts);
    take_delays(&lefts, delays->rows, delays->n);
    if (lefts.n > 0)
        qsort(lefts.rows, lefts.n, sizeof *lefts.rows, compare_numbers);
    for (size_t i = 0; i < lefts.n; i++)
        put(pieces, lefts.rows[i].number, -lefts.rows[i].taken);
    free(lefts.rows);
    free_instances(&lefts.instances);
}

void
hd_sim_pieces_of_delays(hd_sim *sim, const hd_hypothesis *hypotheses, size_t n)
{
    hd_found_delays *delays    = sim->request->found_delays;
    bool             is_sorted = false;

    for (size_t h = 0; h < n; h++)
        for (size_t c = 0; c < hypotheses[h].n_changes; c++) {
            hd_change *change = &hypotheses[h].changes[c];

            if (change->kind != HD_CHANGE_DELAY || change->pieces != NULL)
                continue;
            HD_ASSERT(delays != NULL);
            for (uint32_t l = 0; l < sim->n_locations && !is_sorted; l++)
                if (delays[l].n > 0)
                    qsort(delays[l].rows, delays[l].n, sizeof *delays[l].rows, compare_delays);
            is_sorted = true;
            make_lists(sim, change);
            for (uint32_t l = 0; l < sim->n_locations; l++)
                shorten(&sim->locations[l], change, &delays[l], &change->pieces[l]);
        }
}

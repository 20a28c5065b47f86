/* replay/simulate/hypothesis/hypothesis_resolve.c: what the selections of a hypothesis mean in an archive. */
#include "hypothesis.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "change_place.h"
#include "closest.h"
#include "map.h"
#include "memory.h"

/* ---- call paths -------------------------------------------------------------------------------------------------- */

static bool
is_text(const char *text, const char *name, size_t n)
{
    return strlen(text) == n && memcmp(text, name, n) == 0;
}

static bool
has_name(const hd_defs *defs, uint32_t region, const char *name, size_t n)
{
    const hd_region *def   = &hd_defs_regions(defs)[region];
    const char      *shown = hd_defs_text(defs, def->name), *canonical = hd_defs_text(defs, def->canonical);
    char            *line;
    size_t           n_line;
    bool             has_line;

    if (is_text(shown, name, n) || is_text(canonical, name, n))
        return true;
    line     = hd_format(":%" PRIu32, def->begin_line); /* "MPI_Barrier:18" */
    n_line   = strlen(line);
    has_line = def->begin_line > 0 && n > n_line && memcmp(name + n - n_line, line, n_line) == 0 &&
               (is_text(shown, name, n - n_line) || is_text(canonical, name, n - n_line));
    free(line);
    return has_line;
}

/* Whether the call path ends with pattern[n], which is not empty. The last region is matched first. */
static bool
ends_with(const hd_defs *defs, const hd_calltree *tree, uint32_t path, const char *pattern, size_t n)
{
    static const char separator[] = " > ";
    size_t            from        = n;

    while (from > 0 && (from < 3 || memcmp(pattern + from - 3, separator, 3) != 0))
        from--;
    if (n - from == 2 && memcmp(pattern + from, "**", 2) == 0) {
        if (from == 0)
            return true;
        for (uint32_t above = path; above != HD_NONE; above = tree->nodes[above].parent)
            if (ends_with(defs, tree, above, pattern, from - 3))
                return true;
        return false;
    }
    if (!(n - from == 1 && pattern[from] == '*') && !has_name(defs, tree->nodes[path].region, pattern + from, n - from))
        return false;
    if (from == 0)
        return true;
    return tree->nodes[path].parent != HD_NONE && ends_with(defs, tree, tree->nodes[path].parent, pattern, from - 3);
}

static hd_status
fail_path(const hd_hypothesis *hypothesis, const hd_change *change, const hd_defs *defs, const hd_calltree *tree)
{
    const char **names = HD_NEW_ARRAY(const char *, tree->n), *closest, *last = change->pattern, *at;

    for (at = strstr(last, " > "); at != NULL; at = strstr(last, " > "))
        last = at + 3;
    for (uint32_t i = 0; i < tree->n; i++)
        names[i] = hd_defs_text(defs, hd_defs_regions(defs)[tree->nodes[i].region].name);
    closest = hd_closest(last, names, tree->n);
    hd_fail(HD_EUSAGE, "the archive has no call path that ends with \"%s\"", change->pattern);
    hd_hypothesis_point_at(hypothesis, change->pattern);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "regions as the call paths of a report show them, joined by \" > \"");
    free(names);
    return HD_EUSAGE;
}

enum { IN_MPI = 1, IN_TASK = 2 }; /* what a call path is below of, or is itself */

/* Of each call path; free() it. */
static uint8_t *
surroundings_of(const hd_defs *defs, const hd_calltree *tree)
{
    uint8_t *bits = HD_NEW_ARRAY(uint8_t, tree->n);

    for (uint32_t i = 0; i < tree->n; i++) {
        const hd_region *region = &hd_defs_regions(defs)[tree->nodes[i].region];
        uint32_t         parent = tree->nodes[i].parent;

        bits[i] = (uint8_t)((parent != HD_NONE ? bits[parent] : 0) |
                            (region->region_class == HD_CLASS_MPI ? IN_MPI : 0) |
                            (tree->nodes[i].region == defs->tasks_region ? IN_TASK : 0));
    }
    return bits;
}

/* The program's own time: its functions, what is in none that was recorded, and what OpenMP's constructs do for it. */
static bool
is_computation(const hd_defs *defs, uint32_t number)
{
    const hd_region *region = &hd_defs_regions(defs)[number];
    const char      *name   = hd_defs_text(defs, region->name);

    if (region->region_class == HD_CLASS_USER || number >= defs->first_program_region)
        return true;
    if (region->region_class != HD_CLASS_OMP || strncmp(name, "omp_", 4) == 0)
        return false;
    switch ((hd_role)region->role) {
    case HD_ROLE_BARRIER:
    case HD_ROLE_IMPLICIT_BARRIER:
    case HD_ROLE_CRITICAL:
    case HD_ROLE_ORDERED:
    case HD_ROLE_ATOMIC:
    case HD_ROLE_FLUSH:
    case HD_ROLE_TASK_WAIT:
    case HD_ROLE_TASK_CREATE:
        return false;
    default:
        return region->call != HD_CALL_OMP_BARRIER && region->call != HD_CALL_OMP_IMPLICIT_BARRIER;
    }
}

bool
hd_is_computation(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    if (!is_computation(defs, tree->nodes[path].region))
        return false;
    for (; path != HD_NONE; path = tree->nodes[path].parent)
        if (hd_defs_regions(defs)[tree->nodes[path].region].region_class == HD_CLASS_MPI)
            return false;
    return true;
}

static hd_status
fail_tasks(const hd_hypothesis *hypothesis, const hd_change *change)
{
    hd_fail(HD_EUSAGE, "tasks cannot be balanced: which thread runs which of them stays as recorded");
    hd_hypothesis_point_at(hypothesis, change->pattern);
    hd_fail_detail("try", "\"scale\", or a selection without tasks");
    return HD_EUSAGE;
}

/* Changes of computation are about the time of the program itself; what is below MPI is in its calls. */
static hd_status
leave_computation(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs, const hd_calltree *tree)
{
    uint8_t  *surroundings = surroundings_of(defs, tree);
    hd_status status       = HD_OK;

    for (uint32_t i = 0; i < tree->n && status == HD_OK; i++) {
        const hd_region *region = &hd_defs_regions(defs)[tree->nodes[i].region];

        change->is_path[i] &= (surroundings[i] & IN_MPI) == 0 && is_computation(defs, tree->nodes[i].region);
        if (change->kind != HD_CHANGE_BALANCE || !change->is_path[i])
            continue;
        if ((surroundings[i] & IN_TASK) != 0)
            status = fail_tasks(hypothesis, change);
        change->is_path[i] = region->role != HD_ROLE_TASK && region->role != HD_ROLE_TASK_UNTIED; /* a stub */
    }
    free(surroundings);
    return status;
}

/* MPI, and what is below it. */
static void
select_mpi(hd_change *change, const hd_defs *defs, const hd_calltree *tree)
{
    uint8_t *surroundings = surroundings_of(defs, tree);

    for (uint32_t i = 0; i < tree->n; i++)
        change->is_path[i] = (surroundings[i] & IN_MPI) != 0;
    free(surroundings);
}

static hd_status
select_paths(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs, const hd_calltree *tree)
{
    bool any = false;

    change->is_path = HD_NEW_ARRAY(bool, tree->n);
    if (change->pattern == NULL) {
        select_mpi(change, defs, tree);
        return HD_OK;
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->nodes[i].parent;

        change->is_path[i] = (parent != HD_NONE && change->is_path[parent]) ||
                             ends_with(defs, tree, i, change->pattern, strlen(change->pattern));
        any |= change->is_path[i];
    }
    if (!any)
        return fail_path(hypothesis, change, defs, tree);
    return hd_change_is_of_computation(change) ? leave_computation(hypothesis, change, defs, tree) : HD_OK;
}

/* ---- regions whose instances count ------------------------------------------------------------------------------- */

static hd_status
fail_region(const hd_hypothesis *hypothesis, const hd_change *change, const hd_defs *defs)
{
    const char **names = HD_NEW_ARRAY(const char *, defs->n_regions), *closest;

    for (uint32_t i = 0; i < defs->n_regions; i++)
        names[i] = hd_defs_text(defs, hd_defs_regions(defs)[i].name);
    closest = hd_closest(change->per, names, defs->n_regions);
    hd_fail(HD_EUSAGE, "the archive has no region \"%s\"", change->per);
    hd_hypothesis_point_at(hypothesis, change->per);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    free(names);
    return HD_EUSAGE;
}

/* Of iterations without a region: that which the archive marks as dynamic, if any. It stays in the definitions. */
static hd_status
find_dynamic(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs)
{
    for (uint32_t i = 0; i < defs->n_regions; i++) {
        const hd_region *region = &hd_defs_regions(defs)[i];
        const char      *name   = hd_defs_text(defs, region->name);

        if (!region->is_dynamic || region->region_class != HD_CLASS_USER)
            continue;
        if (change->per != NULL && strcmp(change->per, name) != 0) {
            hd_fail(HD_EUSAGE, "the archive marks \"%s\" and \"%s\" as iterations", change->per, name);
            hd_hypothesis_point_at(hypothesis, change->iterations);
            hd_fail_detail("try", "in iteration %s of %s", change->iterations, name);
            return HD_EUSAGE;
        }
        change->per = name;
    }
    return HD_OK;
}

/* A region of that name has the number of all such regions, if one was given it before. */
static bool
mark_region(hd_change *change, const hd_defs *defs, uint32_t *marks, uint32_t next)
{
    bool is_there = false;

    change->per_number = next;
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (has_name(defs, i, change->per, strlen(change->per))) {
            if (marks[i] != 0)
                change->per_number = marks[i];
            is_there = true;
        }
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (has_name(defs, i, change->per, strlen(change->per)))
            marks[i] = change->per_number;
    return is_there;
}

hd_status
hd_hypotheses_mark_regions(hd_hypothesis *hypotheses, size_t n, const hd_defs *defs, uint32_t *marks, bool *any)
{
    uint32_t next = 1;

    *any = false;
    memset(marks, 0, defs->n_regions * sizeof *marks);
    for (size_t h = 0; h < n; h++)
        for (size_t c = 0; c < hypotheses[h].n_changes; c++) {
            hd_change *change = &hypotheses[h].changes[c];

            if (!hd_change_has_instances(change))
                continue;
            if (change->per == NULL && find_dynamic(&hypotheses[h], change, defs) != HD_OK)
                return HD_EUSAGE;
            if (change->per == NULL) {
                change->per_number = HD_MARK_OF_REPORT;
                continue;
            }
            if (!mark_region(change, defs, marks, next))
                return fail_region(&hypotheses[h], change, defs);
            next += change->per_number == next;
            *any = true;
        }
    return HD_OK;
}

bool
hd_hypotheses_need_iterations(const hd_hypothesis *hypotheses, size_t n, const hd_hypothesis **hypothesis,
                              const hd_change **change)
{
    for (size_t h = 0; h < n; h++)
        for (size_t c = 0; c < hypotheses[h].n_changes; c++)
            if (hypotheses[h].changes[c].iterations != NULL &&
                hypotheses[h].changes[c].per_number == HD_MARK_OF_REPORT) {
                *hypothesis = &hypotheses[h];
                *change     = &hypotheses[h].changes[c];
                return true;
            }
    return false;
}

/* ---- processes and threads --------------------------------------------------------------------------------------- */

static hd_status
fail_numbers(const hd_hypothesis *hypothesis, const char *what, const char *numbers, uint32_t n)
{
    hd_fail(HD_EUSAGE, "\"on %s %s\" does not say which ones", what, numbers);
    hd_hypothesis_point_at(hypothesis, numbers);
    hd_fail_detail("try", "numbers and ranges from 0 to %" PRIu32 ", such as 0,2-5", n - 1);
    return HD_EUSAGE;
}

/* "3,7-9" in is_there[n]. */
static hd_status
select_numbers(const hd_hypothesis *hypothesis, const char *what, const char *numbers, bool *is_there, uint32_t n)
{
    const char *at = numbers;

    for (;;) {
        char         *end;
        unsigned long first = strtoul(at, &end, 10), last = first;

        if (*at < '0' || *at > '9')
            return fail_numbers(hypothesis, what, numbers, n);
        at = end;
        if (*at == '-') {
            if (at[1] < '0' || at[1] > '9')
                return fail_numbers(hypothesis, what, numbers, n);
            last = strtoul(at + 1, &end, 10);
            at   = end;
        }
        if (last >= n || last < first)
            return fail_numbers(hypothesis, what, numbers, n);
        for (unsigned long i = first; i <= last; i++)
            is_there[i] = true;
        if (*at == '\0')
            return HD_OK;
        if (*at++ != ',')
            return fail_numbers(hypothesis, what, numbers, n);
        at += strspn(at, " ");
    }
}

static hd_status
select_node(const hd_hypothesis *hypothesis, const hd_change *change, const hd_defs *defs)
{
    const char **names = HD_NEW_ARRAY(const char *, defs->n_nodes), *closest;
    bool         any   = false;

    for (uint32_t i = 0; i < defs->n_nodes; i++)
        names[i] = hd_defs_text(defs, hd_defs_nodes(defs)[i].name);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t node = hd_defs_processes(defs)[p].node;
        bool     is   = node != HD_NONE && strcmp(names[node], change->node) == 0;

        change->is_process[p] &= is;
        any |= is;
    }
    closest = hd_closest(change->node, names, defs->n_nodes);
    if (!any) {
        hd_fail(HD_EUSAGE, "no process was on a node \"%s\"", change->node);
        hd_hypothesis_point_at(hypothesis, change->node);
        if (closest != NULL)
            hd_fail_detail("closest", "%s", closest);
        hd_fail_detail("try", "heddle info, which shows the nodes");
    }
    free(names);
    return any ? HD_OK : HD_EUSAGE;
}

static hd_status
select_processes(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs)
{
    uint32_t  most_threads = 1;
    hd_status status       = HD_OK;

    change->is_process = HD_NEW_ARRAY(bool, defs->n_processes);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t n = hd_defs_processes(defs)[p].n_locations;

        most_threads          = n > most_threads ? n : most_threads;
        change->is_process[p] = change->processes == NULL;
    }
    if (change->processes != NULL)
        status = select_numbers(hypothesis, "process", change->processes, change->is_process, defs->n_processes);
    if (status == HD_OK && change->node != NULL)
        status = select_node(hypothesis, change, defs);
    if (status == HD_OK && change->threads != NULL) {
        change->is_thread   = HD_NEW_ARRAY(bool, most_threads);
        change->n_is_thread = most_threads;
        status              = select_numbers(hypothesis, "thread", change->threads, change->is_thread, most_threads);
    }
    return status;
}

/* ---- members of a balance ---------------------------------------------------------------------------------------- */

static void
group_by_node(hd_change *change, const hd_defs *defs)
{
    for (uint32_t p = 0; p < defs->n_processes; p++)
        change->group[p] = hd_defs_processes(defs)[p].node;
}

/* The first recorded one of two or more dimensions; NULL: there is none. */
static const hd_topology *
grid_of(const hd_defs *defs)
{
    for (uint32_t t = 0; t < defs->n_topologies; t++) {
        const hd_topology *topology = &hd_defs_topologies(defs)[t];

        if (topology->n_dimensions > 1 && strcmp(hd_defs_text(defs, topology->name), HD_PROCESS_GRID) != 0)
            return topology;
    }
    return NULL;
}

/* Processes with the same coordinates in all dimensions but the last one. A row is known by its first coordinates. */
static hd_status
group_by_row(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs)
{
    const hd_topology  *grid = grid_of(defs);
    const hd_dimension *dimensions;
    const uint32_t     *row;
    hd_map              rows = { 0 };

    if (grid == NULL) {
        hd_fail(HD_EUSAGE, "the archive has no topology of two or more dimensions, so there are no rows");
        hd_hypothesis_point_at(hypothesis, change->pattern);
        hd_fail_detail("try", "over node, or \"on process\" with the numbers of a row");
        return HD_EUSAGE;
    }
    dimensions = hd_defs_dimensions(defs) + grid->first_dimension;
    row        = hd_defs_coordinates(defs) + grid->first_coordinate;
    for (uint32_t p = 0; p < defs->n_processes; p++)
        change->group[p] = HD_NONE;
    for (uint32_t i = 0; i < grid->n_coordinates; i++, row += 1 + grid->n_dimensions) {
        uint32_t  process = hd_defs_locations(defs)[row[0]].process;
        uint64_t  key     = 0, *place;
        bool      is_new;

        for (uint32_t d = 0; d + 1 < grid->n_dimensions; d++)
            key = key * dimensions[d].size + row[1 + d];
        place = hd_map_add(&rows, key, &is_new);
        if (is_new)
            *place = i;
        if (process != HD_NONE && change->group[process] == HD_NONE)
            change->group[process] = (uint32_t)*place;
    }
    hd_map_fini(&rows);
    return HD_OK;
}

static hd_status
group_members(const hd_hypothesis *hypothesis, hd_change *change, const hd_defs *defs)
{
    if (change->kind != HD_CHANGE_BALANCE || change->over == HD_OVER_PROGRAM)
        return HD_OK;
    change->group = HD_NEW_ARRAY(uint32_t, defs->n_processes);
    if (change->over == HD_OVER_ROW)
        return group_by_row(hypothesis, change, defs);
    for (uint32_t p = 0; p < defs->n_processes && change->over == HD_OVER_TEAM; p++)
        change->group[p] = p;
    if (change->over == HD_OVER_NODE)
        group_by_node(change, defs);
    return HD_OK;
}

/* ---- all changes ------------------------------------------------------------------------------------------------- */

static bool
overlap(const bool *a, const bool *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i] && b[i])
            return true;
    return false;
}

static bool
overlap_threads(const hd_change *a, const hd_change *b)
{
    return a->is_thread == NULL || b->is_thread == NULL ||
           overlap(a->is_thread, b->is_thread, a->n_is_thread < b->n_is_thread ? a->n_is_thread : b->n_is_thread);
}

static hd_status
fail_pair(const hd_hypothesis *hypothesis, const char *what, const hd_change *a, const hd_change *b)
{
    bool has_selections = a->pattern != NULL && b->pattern != NULL;

    if (has_selections) {
        hd_fail(HD_EUSAGE, "two changes select %s: \"%s\" and \"%s\"", what, a->pattern, b->pattern);
        hd_hypothesis_point_at(hypothesis, b->pattern);
    } else {
        hd_fail(HD_EUSAGE, "two changes are of %s", what);
        hd_fail_detail("hypothesis", "%s", hypothesis->text);
    }
    hd_fail_detail("try", has_selections ? "selections that do not overlap, for example on other processes"
                                         : "two hypotheses, or one change");
    return HD_EUSAGE;
}

/* Whether an iteration may be of both. */
static bool
overlap_iterations(const hd_change *a, const hd_change *b)
{
    if (a->iterations == NULL || b->iterations == NULL || a->per_number != b->per_number)
        return true;
    for (size_t i = 0; i < a->n_ranges; i++)
        for (size_t k = 0; k < b->n_ranges; k++)
            if (a->ranges[i].first <= b->ranges[k].last && b->ranges[k].first <= a->ranges[i].last)
                return true;
    return false;
}

/* Two changes of the same: it is not said which one counts. */
static hd_status
check_pairs(const hd_hypothesis *hypothesis, size_t change, const hd_defs *defs, const hd_calltree *tree)
{
    const hd_change *b = &hypothesis->changes[change];

    for (size_t i = 0; i < change; i++) {
        const hd_change *a = &hypothesis->changes[i];

        if (a->kind == HD_CHANGE_NETWORK && b->kind == HD_CHANGE_NETWORK)
            return fail_pair(hypothesis, "the network", a, b);
        if (a->kind == HD_CHANGE_PLACE && b->kind == HD_CHANGE_PLACE)
            return fail_pair(hypothesis, "the places of processes", a, b);
        if (a->kind == HD_CHANGE_EAGER && b->kind == HD_CHANGE_EAGER)
            return fail_pair(hypothesis, "the limit of eager messages", a, b);
        if (hd_change_is_of_computation(a) && hd_change_is_of_computation(b) &&
            overlap(a->is_path, b->is_path, tree->n) && overlap(a->is_process, b->is_process, defs->n_processes) &&
            overlap_threads(a, b) && overlap_iterations(a, b))
            return fail_pair(hypothesis, "the same computation", a, b);
    }
    return HD_OK;
}

hd_status
hd_hypothesis_resolve(hd_hypothesis *hypothesis, const hd_defs *defs, const hd_calltree *tree)
{
    hd_status status = HD_OK;

    for (size_t i = 0; i < hypothesis->n_changes && status == HD_OK; i++) {
        status = select_paths(hypothesis, &hypothesis->changes[i], defs, tree);
        if (status == HD_OK)
            status = select_processes(hypothesis, &hypothesis->changes[i], defs);
        if (status == HD_OK)
            status = group_members(hypothesis, &hypothesis->changes[i], defs);
        if (status == HD_OK && hypothesis->changes[i].kind == HD_CHANGE_PLACE)
            status = hd_change_read_place(hypothesis->text, &hypothesis->changes[i], defs);
        if (status == HD_OK)
            status = check_pairs(hypothesis, i, defs, tree);
    }
    return status;
}

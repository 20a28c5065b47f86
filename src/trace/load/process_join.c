#include "process_join.h"

#include "channel_numbers.h"
#include "migrated_task.h"

typedef struct process_tree {
    hd_table      children; /* (node << 32 | region) -> node */
    hd_task_paths tasks;    /* that moved */
    uint32_t     *of_task;  /* [tasks.n] node of the process; HD_NONE: not there yet */
    size_t        capacity;
} process_tree;

static uint32_t
tree_child(hd_loaded_process *process, process_tree *tree, uint32_t parent, uint32_t region)
{
    uint64_t key  = (uint64_t)parent << 32 | region;
    uint32_t node = hd_table_get(&tree->children, key);
    size_t   n    = process->n_nodes;

    if (node != HD_NONE)
        return node;
    HD_PUSH(process->nodes, n, tree->capacity, ((hd_call_path){ .parent = parent, .region = region }));
    process->n_nodes = (uint32_t)n;
    hd_table_add(&tree->children, key, (uint32_t)n - 1);
    return (uint32_t)n - 1;
}

/* The program stands at the front of the first location's tree, and so of the process's; HD_NONE: there is none. */
static uint32_t
program_of(const hd_loaded_process *process, const hd_defs *defs)
{
    return process->n_nodes > 0 && process->nodes[0].region >= defs->first_program_region ? 0 : HD_NONE;
}

/* Places where nested teams were forked, of the location's roots without a place: node of the process, HD_NONE outside
 * of all regions. False: the forking thread's tree is not joined yet. */
static bool
find_nested(hd_loaded_process *process, const hd_location_join *joins, const hd_defs *defs, uint32_t thread,
            uint32_t *places)
{
    const hd_location_join *join = &joins[thread];

    for (size_t i = 0; i < join->n_nested; i++) {
        uint32_t                  owner    = join->nested[i].owner - process->locations[0].location;
        const hd_loaded_location *location = &process->locations[owner];
        uint32_t                  node     = hd_team_starts_wait(&joins[owner].team_starts, join->nested[i].comm,
                                                                 /* complete: no process waits */
                                                                 join->nested[i].instance);

        if (location->map == NULL)
            return false;
        if (node == HD_START_UNKNOWN)
            places[i] = program_of(process, defs);
        else
            places[i] = node == HD_NONE ? HD_NONE : location->map[node];
    }
    return true;
}

/* The node of a call path of a moved task, made with all above it that are not there. */
static uint32_t
task_node(hd_loaded_process *process, process_tree *tree, const hd_defs *defs, uint32_t path)
{
    uint32_t *chain = NULL, node;
    size_t    n     = 0, capacity = 0;

    for (; path != HD_NONE && tree->of_task[path] == HD_NONE; path = tree->tasks.nodes[path].parent)
        HD_PUSH(chain, n, capacity, path);
    node = path != HD_NONE ? tree->of_task[path] : program_of(process, defs);
    while (n > 0) {
        node = tree_child(process, tree, node, tree->tasks.nodes[chain[--n]].region);
        tree->of_task[chain[n]] = node;
    }
    free(chain);
    return node;
}

/* Once the call paths below it are joined, a place stands for the time there. Outside of all regions that is the time
 * of tasks: of a moved one its stub's; of those that enter nothing, which have none, the program's. In a region that a
 * task has entered on another thread it is that region's. */
static void
fill_places(const hd_loaded_process *process, const process_tree *tree, const hd_location_join *join,
            hd_loaded_location *location)
{
    for (size_t i = 0; i < join->n_nested; i++)
        if (location->map[join->nested[i].node] == HD_NONE && process->n_nodes > 0)
            location->map[join->nested[i].node] = 0;
    for (size_t i = 0; i < join->fragments.n_levels; i++) {
        const hd_task_level *level = &join->fragments.levels[i];

        if (level->path == 0)
            location->map[level->place] = location->map[level->stub];
        else
            location->nodes[level->place].region = tree->tasks.nodes[level->path].region;
    }
}

/* Numbers of a call path of a location, one for each side of the analysis interval. */
static uint32_t
n_numbers(const hd_loaded_process *process)
{
    return hd_analysis_intervals_bits(process->analysis_intervals) + 1;
}

/* Whether all nodes of a process's only location are call paths of its own: each of them is one of the process. */
static bool
is_whole_tree(const hd_loaded_process *process, const hd_location_join *join)
{
    const hd_loaded_location *location = &process->locations[0];
    bool                      is_whole = process->n_locations == 1 && join->n_nested == 0 &&
                                         join->fragments.n_levels == 0;

    for (uint32_t i = 0; i < location->n_nodes && is_whole; i++)
        is_whole = location->nodes[i].region < HD_STUB_WITHOUT_REGION;
    return is_whole;
}

static void
take_tree(hd_loaded_process *process)
{
    hd_loaded_location *location = &process->locations[0];
    uint32_t            step     = n_numbers(process);

    location->map    = HD_NEW_UNSET(uint32_t, location->n_nodes);
    process->n_nodes = location->n_nodes / step;
    process->nodes   = HD_NEW_UNSET(hd_call_path, process->n_nodes);
    for (uint32_t i = 0; i < process->n_nodes; i++) {
        const hd_path_node *node = &location->nodes[i * step];

        location->map[i * step] = i;
        process->nodes[i] = (hd_call_path){ .parent = node->parent == HD_NONE ? HD_NONE : node->parent / step,
                                            .region = node->region };
    }
}

static void
join_tree(hd_loaded_process *process, process_tree *tree, const hd_location_join *join, const hd_defs *defs,
          uint32_t thread, const uint32_t *places)
{
    hd_loaded_location *location = &process->locations[thread];
    size_t              i_nested = 0, i_level = 0;

    location->map = HD_NEW_ARRAY(uint32_t, location->n_nodes);
    for (uint32_t i = 0; i < location->n_nodes; i += n_numbers(process)) {
        hd_path_node *node = &location->nodes[i];

        if (i_nested < join->n_nested && join->nested[i_nested].node == i)
            location->map[i] = places[i_nested++];
        else if (i_level < join->fragments.n_levels && join->fragments.levels[i_level].place == i)
            location->map[i] = task_node(process, tree, defs, join->fragments.levels[i_level++].path);
        else if (node->region == HD_STUB_WITHOUT_REGION)
            location->map[i] = node->parent == HD_NONE ? HD_NONE : location->map[node->parent];
        else if (node->region == HD_NONE) /* a place in the first location's tree, which is joined first */
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the first location's map is made first */
            location->map[i] = node->parent == HD_BASE_PROGRAM ? program_of(process, defs) :
                               process->locations[0].map[node->parent];
        else {
            uint32_t parent = node->parent == HD_NONE ? HD_NONE : location->map[node->parent];

            location->map[i] = tree_child(process, tree, parent, node->region);
        }
    }
    fill_places(process, tree, join, location);
    for (uint32_t i = 0; i < location->n_nodes; i++)
        if (location->map[i - i % n_numbers(process)] == HD_NONE)
            location->nodes[i].time = 0; /* what is taken out of a program that is not there */
}

/* Once the process's tree is complete. */
static void
map_outside(hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_loaded_location *location = &process->locations[t];

        for (uint32_t i = 0; i < location->n_nodes; i += n_numbers(process))
            for (uint32_t bits = 1; bits < n_numbers(process); bits++)
                location->map[i + bits] =
                    location->map[i] == HD_NONE || process->analysis_intervals->is_main_window ? location->map[i] :
                    location->map[i] + ((bits & HD_BEYOND) != 0 ? HD_SIDE_BEYOND : HD_SIDE_OUTSIDE) * process->n_nodes;
    }
}

/* The trees of the threads are merged into the first one's in thread order; a thread of a nested team after the thread
 * that forked it. Where threads wait for each other in a circle, which cannot be, the place is the program. */
static void
join_trees(hd_loaded_process *process, hd_location_join *joins, const hd_defs *defs, hd_findings *findings)
{
    process_tree tree   = { 0 };
    uint32_t     n_left = process->n_locations;

    if (is_whole_tree(process, joins)) {
        take_tree(process);
        if (process->analysis_intervals != NULL)
            map_outside(process);
        return;
    }
    hd_migrated_tasks_join(process, joins, defs, &tree.tasks, findings);
    tree.of_task = HD_NEW_ARRAY(uint32_t, tree.tasks.n);
    for (size_t i = 0; i < tree.tasks.n; i++)
        tree.of_task[i] = HD_NONE;
    for (bool forced = false; n_left > 0;) {
        uint32_t n_before = n_left;

        for (uint32_t t = 0; t < process->n_locations; t++) {
            uint32_t *places = HD_NEW_ARRAY(uint32_t, joins[t].n_nested);

            if (process->locations[t].map == NULL && (find_nested(process, joins, defs, t, places) || forced)) {
                join_tree(process, &tree, &joins[t], defs, t, places);
                n_left--;
                forced = false;
            }
            free(places);
        }
        forced = n_left == n_before;
    }
    if (process->analysis_intervals != NULL)
        map_outside(process);
    hd_table_fini(&tree.children);
    hd_task_paths_fini(&tree.tasks);
    free(tree.of_task);
}

/* Where the call paths of all threads are called. */
static void
join_call_sites(hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_loaded_location *location = &process->locations[t];

        for (uint32_t i = 0; i < location->n_nodes && i < location->n_call_sites; i++) {
            if (location->call_sites[i] == 0 || location->map[i] == HD_NONE)
                continue;
            if (process->call_sites == NULL)
                process->call_sites = HD_NEW_ARRAY(uint32_t, process->n_nodes);
            process->call_sites[location->map[i]] = hd_site_of_both(process->call_sites[location->map[i]],
                                                                    location->call_sites[i]);
        }
    }
}

/* A map that changes nothing is not kept. */
static void
drop_identities(hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_loaded_location *location = &process->locations[t];
        uint32_t            i        = 0;

        while (i < location->n_nodes && location->map[i] == i)
            i++;
        if (i == location->n_nodes) {
            free(location->map);
            location->map = NULL;
        }
    }
}

/* A request that is still open, of all locations. */
typedef struct open_request {
    uint64_t value;
    uint32_t thread;
} open_request;

static int
compare_elsewhere(const void *left, const void *right)
{
    const hd_elsewhere *a = left, *b = right;

    return a->send < b->send ? -1 : a->send > b->send;
}

static void
request_finding(const hd_loaded_process *process, uint32_t thread, hd_time time, hd_findings *findings)
{
    hd_findings_add(findings, (hd_finding){ .kind = HD_FINDING_INCOMPLETE_REQUEST, .process = process->process.v,
                                            .thread = thread,
                                            .call_path = HD_NONE, .peer = HD_NONE, .communicator = HD_NONE,
                                            .tag = HD_NONE, .time = time, .count = 1 });
}

static void
settle(hd_loaded_process *process, uint32_t thread, const hd_orphan *orphan, const open_request *start,
       size_t *capacities)
{
    hd_oplog *here  = &process->locations[thread].log;
    hd_oplog *there = &process->locations[start->thread].log;
    uint64_t  rest  = HD_REQUEST_REST(start->value);

    switch (orphan->kind) {
    case HD_REQUEST_SEND: {
        hd_oplog_rare *rare;

        if (orphan->completion.call == HD_COMPLETION_CANCELLED) {
            there->channels[there->completions[rest].number].n--; /* until completed, the channel stands there */
            there->completions[rest].call = HD_COMPLETION_CANCELLED;
            break;
        }
        there->completions[rest].call = HD_COMPLETION_ELSEWHERE;
        rare = hd_oplog_rare_of(there);
        HD_SCRATCH_PUSH(process->scratch, rare->elsewhere, rare->n_elsewhere, capacities[start->thread],
                        ((hd_elsewhere){ .send = (uint32_t)rest, .thread = thread, .completion = orphan->completion }));
        break;
    }
    case HD_REQUEST_RECV:
        here->rare->posted_elsewhere[orphan->index] = (hd_posted){ .time = rest, .thread = start->thread };
        here->channels[orphan->channel].has_numbers = true; /* that thread may have posted others in between */
        break;
    case HD_REQUEST_NBC:
        if (orphan->index != HD_NONE) {
            here->rare->nbcs[orphan->index].begin  = there->rare->nbcs[rest].begin;
            here->rare->nbcs[orphan->index].thread = start->thread;
        }
        there->rare->nbcs[rest].channel = HD_NONE - 1;
        break;
    }
}

static bool
ends_in_wait(const hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->locations[t].end.wait > HD_OPEN_THREADS)
            return true;
    return false;
}

static int
compare_sends(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Requests that nothing completed, where the process may be waiting for them. */
static void
keep_open(hd_loaded_process *process, const hd_map *by_request, const open_request *open)
{
    hd_open_requests *kept     = &process->open;
    size_t            capacity = 0;

    for (uint32_t i = 0; by_request->slots != NULL && i <= by_request->mask; i++) {
        const open_request *request;

        if (by_request->slots[i].key == HD_MAP_FREE)
            continue;
        request = &open[by_request->slots[i].value];
        if (HD_REQUEST_KIND(request->value) == HD_REQUEST_SEND)
            HD_PUSH(kept->sends, kept->n_sends, capacity,
                    (uint64_t)request->thread << 32 | HD_REQUEST_REST(request->value));
        else if (HD_REQUEST_KIND(request->value) == HD_REQUEST_RECV)
            kept->n_receives++;
        else
            kept->n_others++;
    }
    if (kept->n_sends > 0)
        qsort(kept->sends, kept->n_sends, sizeof *kept->sends, compare_sends);
}

static void
join_requests(hd_loaded_process *process, hd_location_join *joins, hd_findings *findings)
{
    size_t        n          = 0, capacity = 16;
    open_request *open       = HD_NEW_ARRAY(open_request, capacity);
    hd_map        by_request = { 0 };
    size_t       *capacities = HD_NEW_ARRAY(size_t, process->n_locations);

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (uint32_t i = 0; joins[t].requests.slots != NULL && i <= joins[t].requests.mask; i++)
            if (joins[t].requests.slots[i].key != HD_MAP_FREE) {
                bool is_new;

                *hd_map_add(&by_request, joins[t].requests.slots[i].key, &is_new) = n;
                HD_PUSH(open, n, capacity, ((open_request){ joins[t].requests.slots[i].value, t }));
            }
    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < joins[t].n_orphans; i++) {
            const hd_orphan *orphan = &joins[t].orphans[i];
            uint64_t        *found  = hd_map_get(&by_request, orphan->request);

            if (found == NULL || open[*found].thread == t || HD_REQUEST_KIND(open[*found].value) != orphan->kind) {
                if (orphan->completion.call != HD_COMPLETION_CANCELLED || orphan->kind != HD_REQUEST_SEND)
                    request_finding(process, t, orphan->time, findings);
            } else {
                settle(process, t, orphan, &open[*found], capacities);
                hd_map_remove(&by_request, orphan->request);
            }
        }
    if (ends_in_wait(process))
        keep_open(process, &by_request, open);
    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->locations[t].log.rare->n_elsewhere > 1)
            qsort(process->locations[t].log.rare->elsewhere, process->locations[t].log.rare->n_elsewhere,
                  sizeof(hd_elsewhere), compare_elsewhere);
    free(capacities);
    hd_map_fini(&by_request);
    free(open);
}

/* Of MPI_Init on several threads the earliest is the process's; the same holds for MPI_Finalize. */
static void
choose_init(hd_loaded_process *process)
{
    hd_loaded_location *init = NULL, *finalize = NULL;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_loaded_location *location = &process->locations[t];

        if (location->has_init && (init == NULL || location->init_enter < init->init_enter))
            init = location;
        if (location->has_finalize && (finalize == NULL || location->finalize_enter < finalize->finalize_enter))
            finalize = location;
    }
    for (uint32_t t = 0; t < process->n_locations; t++) {
        process->locations[t].has_init     = init == &process->locations[t];
        process->locations[t].has_finalize = finalize == &process->locations[t];
    }
}

void
hd_process_join(hd_loaded_process *process, hd_location_join *joins, const hd_defs *defs, bool compat,
                hd_findings *findings)
{
    choose_init(process);
    join_trees(process, joins, defs, findings);
    join_call_sites(process);
    drop_identities(process);
    join_requests(process, joins, findings);
    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->locations[t].log.rare->n_nbcs; i++)
            if (process->locations[t].log.rare->nbcs[i].channel == HD_NONE)
                request_finding(process, t, process->locations[t].log.rare->nbcs[i].begin, findings);
    hd_channel_numbers_find(process, compat);
}

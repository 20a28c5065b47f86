#include "migrated_task.h"

static int
compare_candidates(const void *left, const void *right)
{
    return hd_task_key_compare(&((const hd_migrant_candidate *)left)->key, &((const hd_migrant_candidate *)right)->key);
}

/* A task moved if it went on somewhere without having begun there: it was seen on several locations, or not completed
 * there. */
static bool
has_moved(const hd_migrant_candidate *candidates, size_t n)
{
    bool goes_on = false, completed = true;

    for (size_t i = 0; i < n; i++) {
        goes_on   = goes_on || !candidates[i].begun;
        completed = completed && candidates[i].completed;
    }
    return goes_on && (n > 1 || !completed);
}

void
hd_migrated_tasks_find(const hd_location_join *joins, uint32_t n_locations, hd_migrated_tasks *moved)
{
    hd_migrant_candidate *candidates = NULL;
    size_t                n = 0, capacity = 0, capacity_keys = 0, end;

    for (uint32_t t = 0; t < n_locations; t++)
        for (size_t i = 0; i < joins[t].n_candidates; i++)
            HD_PUSH(candidates, n, capacity, joins[t].candidates[i]);
    if (n > 0)
        qsort(candidates, n, sizeof *candidates, compare_candidates);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && compare_candidates(&candidates[i], &candidates[end]) == 0;)
            end++;
        if (has_moved(&candidates[i], end - i))
            HD_PUSH(moved->keys, moved->n, capacity_keys, candidates[i].key);
    }
    free(candidates);
}

static uint32_t
path_child(hd_task_paths *paths, uint32_t parent, uint32_t region)
{
    uint64_t key  = (uint64_t)parent << 32 | region;
    uint32_t path = hd_table_get(&paths->children, key);

    if (path == HD_NONE) {
        path = (uint32_t)paths->n;
        HD_PUSH(paths->nodes, paths->n, paths->capacity, ((hd_call_path){ parent, region }));
        hd_table_add(&paths->children, key, path);
    }
    return path;
}

void
hd_task_paths_fini(hd_task_paths *paths)
{
    free(paths->nodes);
    hd_table_fini(&paths->children);
}

/* A fragment, and the thread that it is on. */
typedef struct placed_fragment {
    const hd_task_fragment *fragment;
    uint32_t            thread;
    hd_span             ran[HD_N_SIDES], in_regions[HD_N_SIDES];
} placed_fragment;

static int
compare_fragments(const void *left, const void *right)
{
    const placed_fragment *a = left, *b = right;

#define HD_COMPARE(field) \
    if (a->field != b->field) \
    return a->field < b->field ? -1 : 1
    HD_COMPARE(fragment->task);
    HD_COMPARE(fragment->begin);
    HD_COMPARE(fragment->end);
    HD_COMPARE(thread);
    return a->fragment < b->fragment ? -1 : a->fragment > b->fragment; /* of one thread */
}
#undef HD_COMPARE

typedef struct wait_part { /* a thread's part of a taskwait that is still open */
    size_t   depth;        /* of the taskwait in the task's stack, from 1 on */
    uint32_t thread, node;
    hd_time  begin, end;
} wait_part;

typedef struct walk { /* over the fragments of all moved tasks */
    hd_loaded_process *process;
    hd_location_join  *joins;
    const hd_defs     *defs;
    hd_task_paths     *paths;
    hd_findings       *findings;
    uint32_t          *stack; /* [depth] paths of the open regions of the task */
    size_t             depth, capacity_stack;
    wait_part         *waits; /* by depth, ascending */
    size_t             n_waits, capacity_waits;
} walk;

static uint32_t
top_path(const walk *w)
{
    return w->depth > 0 ? w->stack[w->depth - 1] : 0;
}

static void
add_wait(walk *w, uint32_t thread, uint32_t node, hd_time begin, hd_time end)
{
    if (w->depth > 0 && end > begin &&
        hd_defs_regions(w->defs)[w->paths->nodes[top_path(w)].region].call == HD_CALL_OMP_TASKWAIT)
        HD_PUSH(w->waits, w->n_waits, w->capacity_waits, ((wait_part){ w->depth, thread, node, begin, end }));
}

static void
pop_region(walk *w)
{
    const hd_analysis_intervals *intervals = w->process->analysis_intervals;
    size_t                       first     = w->n_waits;
    uint32_t                     outside   = 0;

    while (first > 0 && w->waits[first - 1].depth == w->depth)
        first--;
    if (intervals != NULL && first < w->n_waits)
        outside = hd_analysis_intervals_bits_of_call(intervals, w->waits[first].begin, w->waits[w->n_waits - 1].end);
    for (; w->n_waits > 0 && w->waits[w->n_waits - 1].depth == w->depth; w->n_waits--) {
        const wait_part *part = &w->waits[w->n_waits - 1];
        uint32_t         node = (part->node & ~hd_analysis_intervals_bits(intervals)) | outside;

        hd_thread_log_put(&hd_loaded_location_more(&w->process->locations[part->thread])->threads,
                          &(hd_thread_op){ .kind = HD_THREAD_TASKWAIT, .call_path = node,
                                           .task_time = hd_span_between(part->begin, part->end) });
    }
    w->depth--;
}

/* As where all is on one thread: regions inside are closed, or the leave is left out. */
static void
leave_region(walk *w, uint32_t region, hd_time time, uint32_t thread)
{
    size_t depth = w->depth;

    while (depth > 0 && w->paths->nodes[w->stack[depth - 1]].region != region)
        depth--;
    if (depth == 0 || depth < w->depth)
        hd_findings_add(w->findings, (hd_finding){ .kind = HD_FINDING_UNBALANCED, .process = w->process->process.v,
                                                   .thread = thread, .call_path = HD_NONE, .peer = HD_NONE,
                                                   .communicator = HD_NONE, .tag = HD_NONE, .time = time, .count = 1 });
    while (depth > 0 && w->depth >= depth)
        pop_region(w);
}

static void
walk_fragment(walk *w, placed_fragment *placed)
{
    const hd_task_fragment *fragment = placed->fragment;
    const hd_analysis_intervals *intervals = w->process->analysis_intervals;
    hd_location_join   *join  = &w->joins[placed->thread];
    hd_path_node       *nodes = w->process->locations[placed->thread].nodes;
    hd_time             begin = fragment->begin;
    const uint32_t      n_sides = hd_analysis_intervals_n_sides(intervals);

    placed->ran[0] = hd_span_between(fragment->begin, fragment->end);
    if (intervals != NULL)
        memcpy(placed->ran, hd_analysis_intervals_split(intervals, fragment->begin, fragment->end).on,
               sizeof placed->ran);
    memcpy(placed->in_regions, fragment->in_regions, sizeof placed->in_regions);
    for (size_t i = fragment->first_level; i < fragment->first_level + fragment->n_levels; i++) {
        hd_task_level *level = &join->fragments.levels[i];

        level->path = top_path(w);
        for (uint32_t side = 0; w->depth > 0 && side < n_sides; side++)
            placed->in_regions[side] += nodes[level->place | hd_side_bits[side]].time;
        add_wait(w, placed->thread, level->place, begin, level->end);
        if (level->region != HD_NONE)
            leave_region(w, level->region, level->end, placed->thread);
        begin = level->end;
    }
    for (size_t i = fragment->first_open; i < fragment->first_open + fragment->n_open; i++) {
        const hd_open_region *open = &join->fragments.open[i];

        HD_PUSH(w->stack, w->depth, w->capacity_stack, path_child(w->paths, top_path(w), nodes[open->node].region));
        add_wait(w, placed->thread, open->node, open->enter, fragment->end);
    }
}

static void
count_visit(hd_loaded_location *location, uint32_t node, hd_time time)
{
    location->nodes[node].visits++;
    if (location->more->counting.is_wanted)
        hd_count_log_put(&hd_loaded_location_more(location)->counting,
                         &(hd_count_entry){ .what = HD_COUNTED_VISIT, .node = node, .time = time });
}

/* What the patterns of threads get of a task's fragments, each in as many parts as the interval makes of it; the task
 * counts where it ran, outside if it ran there, too. is_completed: in the last of them. */
static void
put_task(walk *w, const placed_fragment *fragments, size_t n, bool is_completed)
{
    const placed_fragment *last  = &fragments[n - 1];
    const hd_analysis_intervals *intervals = w->process->analysis_intervals;
    hd_span            total = 0;
    uint32_t           counted = HD_SIDE_INSIDE;

    for (size_t i = 0; i < n; i++)
        for (uint32_t side = 0; side < HD_N_SIDES; side++) {
            total += fragments[i].ran[side];
            if (fragments[i].ran[side] > 0 && side > counted)
                counted = side;
        }
    if (intervals != NULL && counted == HD_SIDE_INSIDE &&
        hd_analysis_intervals_begun(intervals, fragments->fragment->begin) !=
            hd_analysis_intervals_begun(intervals, last->fragment->end))
        counted = HD_SIDE_OUTSIDE;
    for (size_t i = 0; i < n; i++)
        for (uint32_t side = 0; side < hd_analysis_intervals_n_sides(intervals); side++) {
            hd_thread_op op = { .kind = HD_THREAD_TASK, .call_path = fragments[i].fragment->stub | hd_side_bits[side],
                                .task_time = fragments[i].ran[side],
                                .region_time = fragments[i].in_regions[side], .is_part = true,
                                .completed = is_completed && &fragments[i] == last && side == counted,
                                .total_time = total };

            if (side == 0 || op.task_time > 0 || op.completed)
                hd_thread_log_put(&hd_loaded_location_more(&w->process->locations[fragments[i].thread])->threads,
                                  &op);
        }
    if (is_completed)
        count_visit(&w->process->locations[last->thread], last->fragment->stub | hd_side_bits[counted],
                    last->fragment->end);
}

/* The stubs get the region that the task entered first; a task without one has none, and its time is the implicit
 * task's. */
static uint32_t
name_stubs(walk *w, const placed_fragment *fragments, size_t n)
{
    uint32_t region = HD_NONE;

    for (size_t i = 0; i < n && region == HD_NONE; i++)
        region = fragments[i].fragment->first_region;
    for (size_t i = 0; i < n; i++)
        w->process->locations[fragments[i].thread].nodes[fragments[i].fragment->stub].region =
            region != HD_NONE ? region : HD_STUB_WITHOUT_REGION;
    return region;
}

static void
walk_task(walk *w, placed_fragment *fragments, size_t n)
{
    size_t first  = 0;
    bool   has_stub;

    w->depth = w->n_waits = 0;
    for (size_t i = 0; i < n; i++) {
        walk_fragment(w, &fragments[i]);
        if (fragments[i].fragment->completed)
            w->depth = w->n_waits = 0;
    }
    has_stub = name_stubs(w, fragments, n) != HD_NONE;
    for (size_t i = 0; i < n && has_stub; i++)
        if (fragments[i].fragment->completed) {
            put_task(w, fragments + first, i + 1 - first, true);
            first = i + 1;
        }
    if (has_stub && first < n)
        put_task(w, fragments + first, n - first, false);
}

void
hd_migrated_tasks_join(hd_loaded_process *process, hd_location_join *joins, const hd_defs *defs, hd_task_paths *paths,
                       hd_findings *findings)
{
    walk             w         = { .process = process, .joins = joins, .defs = defs, .paths = paths,
                                   .findings = findings };
    placed_fragment *fragments = NULL;
    size_t           n = 0, capacity = 0, end;

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < joins[t].fragments.n_fragments; i++)
            HD_PUSH(fragments, n, capacity,
                    ((placed_fragment){ .fragment = &joins[t].fragments.fragments[i], .thread = t }));
    if (n == 0)
        return;
    HD_PUSH(paths->nodes, paths->n, paths->capacity, ((hd_call_path){ HD_NONE, defs->tasks_region }));
    qsort(fragments, n, sizeof *fragments, compare_fragments);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && fragments[end].fragment->task == fragments[i].fragment->task;)
            end++;
        walk_task(&w, fragments + i, end - i);
    }
    free(w.stack);
    free(w.waits);
    free(fragments);
}

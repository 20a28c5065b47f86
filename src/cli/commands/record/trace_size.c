/* src/cli/commands/record/trace_size.c: from visits to records of the recorder and events of the archive. */
#include "trace_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "raw_layout.h"

/* Bytes of a record with n words, and of what an event of the archive has beside its numbers: its kind, and, if there
 * are several numbers, their length; a new time is a record of its own there. */
#define RAW(n) (8.0 * (2 + (n)))
enum { SHORT_EVENT = 1, EVENT = 2, TIME = 9 };

/* As preload/functions.h and pthread_lock.c: what is called more often in a process, and is that short, is dropped. */
#define MANY_VISITS 100000.0
#define SHORT_SECONDS 1e-6

/* Bytes of a number in an event. */
static double
number(double value)
{
    double   bytes = 1;
    uint64_t whole = value < 0x1p63 ? (uint64_t)value : UINT64_MAX;

    for (; whole > 0; whole >>= 8)
        bytes++;
    return bytes;
}

typedef struct cost { /* of a visit, or of a message */
    double events, raw, archive;
} cost;

static cost
sum(cost a, cost b)
{
    return (cost){ a.events + b.events, a.raw + b.raw, a.archive + b.archive };
}

/* ---- records of a call beside its enter and leave ---------------------------------------------------------------- */

/* Of each visit; of names that begin so, the first row counts. Messages and collective operations are counted by
 * themselves. */
static const struct {
    const char *paradigm, *begin;
    cost        each;
} extras[] = {
    { "mpi", "MPI_Init", { 4, 3 * RAW(0) + RAW(3), 4 * EVENT + 8 } },
    { "mpi", "MPI_Finalize", { 4, 3 * RAW(0) + RAW(3), 4 * EVENT + 8 } },
    { "mpi", "MPI_Comm_free", { 3, RAW(0) + RAW(0) + RAW(3), 3 * EVENT + 8 } },
    { "mpi", "MPI_Comm_", { 3, RAW(0) + RAW(0) + RAW(3), 3 * EVENT + 8 } },
    { "mpi", "MPI_Cart_", { 3, RAW(0) + RAW(0) + RAW(3), 3 * EVENT + 8 } },
    { "mpi", "MPI_Win_fence", { 2, RAW(0) + RAW(1), 2 * EVENT + 8 } },
    { "mpi", "MPI_Win_lock", { 1, RAW(1), EVENT + 6 } },
    { "mpi", "MPI_Win_unlock", { 2, RAW(1) + RAW(1), 2 * EVENT + 8 } },
    { "mpi", "MPI_Win_flush", { 1, RAW(1), EVENT + 4 } },
    { "mpi", "MPI_Win_test", { 0, 0, 0 } },
    { "mpi", "MPI_Win_sync", { 0, 0, 0 } },
    { "mpi", "MPI_Win_post", { 1, RAW(2), EVENT + 5 } },
    { "mpi", "MPI_Win_start", { 1, RAW(2), EVENT + 5 } },
    { "mpi", "MPI_Win_complete", { 1, RAW(2), EVENT + 5 } },
    { "mpi", "MPI_Win_wait", { 1, RAW(2), EVENT + 5 } },
    { "mpi", "MPI_Win_", { 3, RAW(0) + RAW(1) + RAW(0), 3 * EVENT + 10 } },
    { "mpi", "MPI_Put", { 3, RAW(3) + 2 * RAW(1), 3 * EVENT + 16 } },
    { "mpi", "MPI_Get_accumulate", { 3, RAW(4) + 2 * RAW(1), 3 * EVENT + 20 } },
    { "mpi", "MPI_Get", { 3, RAW(3) + 2 * RAW(1), 3 * EVENT + 16 } },
    { "mpi", "MPI_Rput", { 3, RAW(3) + 2 * RAW(1), 3 * EVENT + 16 } },
    { "mpi", "MPI_Rget", { 3, RAW(3) + 2 * RAW(1), 3 * EVENT + 16 } },
    { "mpi", "MPI_Accumulate", { 3, RAW(4) + 2 * RAW(1), 3 * EVENT + 20 } },
    { "mpi", "MPI_Raccumulate", { 3, RAW(4) + 2 * RAW(1), 3 * EVENT + 20 } },
    { "mpi", "MPI_Fetch_and_op", { 3, RAW(4) + 2 * RAW(1), 3 * EVENT + 20 } },
    { "mpi", "MPI_Compare_and_swap", { 3, RAW(4) + 2 * RAW(1), 3 * EVENT + 20 } },
    { "mpi", "MPI_File_open", { 1, RAW(1), EVENT + 6 } },
    { "mpi", "MPI_File_close", { 1, RAW(0), EVENT + 3 } },
    { "mpi", "MPI_File_seek", { 1, RAW(3), EVENT + 8 } },
    { "mpi", "MPI_File_set", { 0, 0, 0 } },
    { "mpi", "MPI_File_get", { 0, 0, 0 } },
    { "mpi", "MPI_File_", { 2, RAW(3) + RAW(2), 2 * EVENT + 14 } },
    { "mpi", "MPI_Ibarrier", { 2, RAW(1) + RAW(4), 2 * EVENT + 12 } },
    { "mpi", "MPI_Ibcast", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Igather", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Iscatter", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Iallgather", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Ialltoall", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Iallreduce", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Ireduce", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Iscan", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "mpi", "MPI_Iexscan", { 2, RAW(1) + RAW(4), 2 * EVENT + 14 } },
    { "openmp", "!$omp parallel", { 2, RAW(2) + RAW(0), 2 * EVENT + 4 } },
    { "openmp", "!$omp critical sblock", { 0, 0, 0 } },
    { "openmp", "!$omp critical", { 2, 2 * RAW(1), 2 * EVENT + 10 + TIME } },
    { "openmp", "omp_", { 1, RAW(1), EVENT + 5 + TIME } },
    { "openmp", "!$omp create task", { 1, RAW(1), EVENT + 6 + TIME } },
    { "openmp", "!$omp taskwait", { 0, 0, 0 } },
    { "openmp", "!$omp taskgroup", { 0, 0, 0 } },
    { "openmp", "!$omp taskloop", { 0, 0, 0 } },
    { "openmp", "!$omp task", { 3, 3 * RAW(1), 3 * EVENT + 18 } },
    { "pthread", "pthread_mutex_", { 1, RAW(1), EVENT + 6 } },
    { "pthread", "pthread_cond_signal", { 0, 0, 0 } },
    { "pthread", "pthread_cond_broadcast", { 0, 0, 0 } },
    { "pthread", "pthread_create", { 3, 3 * RAW(1), 3 * (EVENT + 4 + TIME) } }, /* begin and end of the thread, too */
    { "pthread", "pthread_cond_", { 2, 2 * RAW(1), 2 * EVENT + 12 } },
    { "pthread", "pthread_", { 1, RAW(1), EVENT + 6 } },
};
static const cost fork_and_join = { 2, RAW(1) + RAW(0), 2 * (EVENT + 2 + TIME) }; /* on the first thread */

static bool
begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static cost
extra_of(const hd_cube_region *region)
{
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
        if (strcmp(region->paradigm, extras[i].paradigm) == 0 && begins_with(region->name, extras[i].begin))
            return extras[i].each;
    return (cost){ 0 };
}

/* ---- call paths -------------------------------------------------------------------------------------------------- */

enum { VISITS, TIME_OF, SENDS, EMPTY_SENDS, RECEIVES, EMPTY_RECEIVES, EXCHANGES, SOURCES, DESTINATIONS, EMPTY,
       SENT, RECEIVED, OUT, IN, N_METRICS };
static const char *const metric_ids[N_METRICS] = { "visits",     "time",       "comms_send", "syncs_send", "comms_recv",
                                                   "syncs_recv", "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll",
                                                   "bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin" };

typedef struct estimate {
    hd_cube              *cube;
    const hd_trace_wanted *wanted;
    uint32_t              metrics[N_METRICS];
    double               *rows[N_METRICS]; /* [n_locations] of the call path at hand */
    bool                 *is_caller;  /* [n_paths] a function that no call was recorded of, as others in it were */
    bool                 *is_task;    /* [n_paths] below TASKS */
    float                *kept;       /* [n_regions][n_groups] part of the visits that is recorded */
    hd_trace_size        *locations;  /* [n_locations] */
    hd_trace_sizes       *sizes;
} estimate;

static hd_status
read_rows(estimate *all, uint32_t path)
{
    hd_status status = HD_OK;
    bool      any;

    for (int i = 0; i < N_METRICS && status == HD_OK; i++) {
        memset(all->rows[i], 0, all->cube->n_locations * sizeof *all->rows[i]);
        if (all->metrics[i] != HD_NONE)
            status = hd_cube_row(all->cube, all->metrics[i], path, all->rows[i], &any);
    }
    return status;
}

static const hd_cube_region *
region_of(const estimate *all, uint32_t path)
{
    return &all->cube->regions[all->cube->paths[path].region];
}

static bool
is_function(const hd_cube_region *region)
{
    return strcmp(region->paradigm, "compiler") == 0;
}

/* Levels of callers that the enter of a call has. */
static double
n_callers(const estimate *all, uint32_t path)
{
    double n = 0;

    for (uint32_t at = all->cube->paths[path].parent; at != HD_NONE && all->is_caller[at];
         at = all->cube->paths[at].parent)
        n++;
    return n > 1 ? n : 1;
}

/* Of a visit: enter, leave, and what is beside them. */
static cost
visit_cost(const estimate *all, uint32_t path)
{
    const hd_cube_region *region = region_of(all, path);
    double                name   = number(all->cube->paths[path].region);

    if (all->is_caller[path])
        return (cost){ 2, 0, 2 * (SHORT_EVENT + name) };
    return sum((cost){ 2, RAW(n_callers(all, path)) + RAW(0), 2 * (TIME + SHORT_EVENT + name) }, extra_of(region));
}

static bool
is_blocking(const char *name)
{
    static const char *const others[] = { "MPI_I", "MPI_Start", "MPI_Wait", "MPI_Test" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins_with(name, others[i]))
            return false;
    return true;
}

/* Of one of n messages, or their receives. Of one that does not block: with the record of the other call, and the number
 * of the request. */
static cost
message_cost(const estimate *all, uint32_t path, double n, double bytes)
{
    double one     = EVENT + number(1) + number(0) + number(1) + number(bytes / n); /* partner, communicator, tag */
    double request = number(n);

    if (is_blocking(region_of(all, path)->name))
        return (cost){ 1, RAW(2), one };
    return (cost){ 2, RAW(3) + RAW(1), one + request + SHORT_EVENT + request };
}

/* Of one of n operations: begin and end; operation, communicator, root. */
static cost
collective_cost(double n, double sent, double received)
{
    return (cost){ 2, RAW(0) + RAW(3), 2 * EVENT + 3 * number(0) + number(sent / n) + number(received / n) };
}

static void
add(hd_trace_size *size, cost each, double n)
{
    size->events += n * each.events;
    size->raw_bytes += n * each.raw;
    size->archive_bytes += n * each.archive;
}

/* Calls that are not recorded do not enter their callers either. */
static void
take_callers(const estimate *all, uint32_t path, double n_dropped, hd_trace_size *size)
{
    for (uint32_t at = all->cube->paths[path].parent; n_dropped > 0 && at != HD_NONE && all->is_caller[at];
         at = all->cube->paths[at].parent)
        add(size, visit_cost(all, at), -n_dropped);
}

static void
add_path(estimate *all, uint32_t path)
{
    cost visit       = visit_cost(all, path);
    bool is_parallel = strcmp(region_of(all, path)->role, "parallel") == 0;

    for (uint32_t i = 0; i < all->cube->n_locations; i++) {
        const hd_cube_location *location = &all->cube->locations[i];
        hd_trace_size          *size     = &all->locations[i];
        size_t pair = (size_t)all->cube->paths[path].region * all->cube->n_groups + location->group;
        double sends = all->rows[SENDS][i] + all->rows[EMPTY_SENDS][i],
               receives = all->rows[RECEIVES][i] + all->rows[EMPTY_RECEIVES][i],
               collectives = all->rows[EXCHANGES][i] + all->rows[SOURCES][i] + all->rows[DESTINATIONS][i] +
                             all->rows[EMPTY][i];

        add(size, visit, (double)all->kept[pair] * all->rows[VISITS][i]);
        take_callers(all, path, (1 - (double)all->kept[pair]) * all->rows[VISITS][i], size);
        if (is_parallel && location->thread == 0)
            add(size, fork_and_join, all->rows[VISITS][i]);
        if (sends > 0)
            add(size, message_cost(all, path, sends, all->rows[SENT][i]), sends);
        if (receives > 0)
            add(size, message_cost(all, path, receives, all->rows[RECEIVED][i]), receives);
        if (collectives > 0)
            add(size, collective_cost(collectives, all->rows[OUT][i], all->rows[IN][i]), collectives);
    }
}

/* ---- what is there ----------------------------------------------------------------------------------------------- */

typedef struct region_sums { /* [n_regions][n_groups] */
    double *visits, *seconds; /* seconds: with what is called, as the recorder takes them */
} region_sums;

static void
add_to_sums(const estimate *all, uint32_t path, region_sums *sums)
{
    const hd_cube *cube = all->cube;

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint32_t group = cube->locations[i].group;

        if (!all->is_caller[path])
            sums->visits[(size_t)cube->paths[path].region * cube->n_groups + group] += all->rows[VISITS][i];
        for (uint32_t at = path; at != HD_NONE && all->rows[TIME_OF][i] > 0; at = cube->paths[at].parent)
            if (!all->is_caller[at])
                sums->seconds[(size_t)cube->paths[at].region * cube->n_groups + group] += all->rows[TIME_OF][i];
    }
}

/* Marks tasks, and functions that have no time of their own: they were not instrumented. */
static hd_status
survey(estimate *all, region_sums *sums)
{
    const hd_cube *cube   = all->cube;
    hd_status      status = HD_OK;

    for (uint32_t p = 0; p < cube->n_paths && status == HD_OK; p++) {
        const hd_cube_region *region = region_of(all, p);
        uint32_t              parent = cube->paths[p].parent;
        double                time   = 0;

        status = read_rows(all, p);
        for (uint32_t i = 0; i < cube->n_locations; i++)
            time += all->rows[TIME_OF][i];
        all->is_caller[p] = is_function(region) && time <= 0;
        all->is_task[p]   = (parent != HD_NONE && all->is_task[parent]) || strcmp(region->name, "TASKS") == 0;
        add_to_sums(all, p, sums);
    }
    return status;
}

/* Calls of a group that have not waited, mostly, which the recorder counts together. free() it. */
static double *
free_calls(const estimate *all, const region_sums *sums)
{
    static const char *const names[] = { "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_cond_signal",
                                         "pthread_cond_broadcast" };
    const hd_cube *cube = all->cube;
    double        *n    = HD_NEW_ARRAY(double, (size_t)cube->n_groups + 1);

    for (uint32_t region = 0; region < cube->n_regions; region++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            for (uint32_t g = 0; g < cube->n_groups && strcmp(cube->regions[region].name, names[k]) == 0; g++)
                n[g] += sums->visits[(size_t)region * cube->n_groups + g];
    return n;
}

static bool
is_dropped_with_mutexes(const hd_cube_region *region)
{
    return begins_with(region->name, "pthread_mutex_") || strcmp(region->name, "pthread_cond_signal") == 0 ||
           strcmp(region->name, "pthread_cond_broadcast") == 0;
}

/* Short functions, and all mutexes together, are dropped when a process has called them often. */
static void
find_kept(estimate *all, const region_sums *sums)
{
    const hd_cube *cube = all->cube;
    double        *free_of = free_calls(all, sums);

    for (size_t i = 0; i < (size_t)cube->n_regions * cube->n_groups; i++) {
        const hd_cube_region *region   = &cube->regions[i / cube->n_groups];
        bool                  is_mutex = is_dropped_with_mutexes(region);
        bool                  is_short = is_mutex || (is_function(region) &&
                                                      sums->seconds[i] < SHORT_SECONDS * sums->visits[i]);
        double                visits   = is_mutex ? free_of[i % cube->n_groups] : sums->visits[i];

        all->kept[i] = is_short && visits > MANY_VISITS && !all->wanted->all_functions ? (float)(MANY_VISITS / visits) :
                                                                                         1;
        if (all->wanted->is_filtered != NULL && all->wanted->is_filtered[i / cube->n_groups])
            all->kept[i] = 0;
    }
    free(free_of);
}

static hd_status
find(estimate *all)
{
    const hd_cube *cube   = all->cube;
    size_t         n      = (size_t)cube->n_regions * cube->n_groups;
    region_sums    sums   = { .visits = HD_NEW_ARRAY(double, n + 1), .seconds = HD_NEW_ARRAY(double, n + 1) };
    hd_status      status = survey(all, &sums);

    if (status == HD_OK)
        find_kept(all, &sums);
    free(sums.visits);
    free(sums.seconds);
    for (uint32_t p = 0; p < cube->n_paths && status == HD_OK; p++) {
        bool is_stub = begins_with(region_of(all, p)->name, "!$omp task") && !all->is_task[p] &&
                       strcmp(region_of(all, p)->role, "task") == 0;

        if (cube->paths[p].parent == HD_NONE || is_stub) /* the program; counts what others have */
            continue;
        status = read_rows(all, p);
        if (status == HD_OK)
            add_path(all, p);
    }
    return status;
}

/* With definitions, begin and end, and whole windows of the logs. */
static void
sum_up(estimate *all)
{
    enum { OF_REGION = 25, OF_LOCATION = 50, OF_ARCHIVE = 700, OF_PROGRAM = 30 };
    hd_trace_sizes *sizes = all->sizes;

    for (uint32_t i = 0; i < all->cube->n_locations; i++) {
        hd_trace_size *at   = &sizes->processes[all->cube->locations[i].group];
        hd_trace_size  mine = all->locations[i];

        mine.raw_bytes = ceil(fmax(mine.raw_bytes, 1) / HD_RAW_WINDOW_BYTES) * HD_RAW_WINDOW_BYTES;
        mine.archive_bytes += OF_LOCATION + (all->cube->locations[i].thread == 0 ? OF_PROGRAM : 0);
        mine.events += all->cube->locations[i].thread == 0 ? 2 : 0;
        at->events += mine.events;
        at->raw_bytes += mine.raw_bytes;
        at->archive_bytes += mine.archive_bytes;
    }
    for (uint32_t g = 0; g < sizes->n; g++) {
        sizes->all.events += sizes->processes[g].events;
        sizes->all.raw_bytes += sizes->processes[g].raw_bytes;
        sizes->all.archive_bytes += sizes->processes[g].archive_bytes;
        if (sizes->processes[g].raw_bytes > sizes->processes[sizes->largest].raw_bytes)
            sizes->largest = g;
    }
    sizes->all.archive_bytes += OF_ARCHIVE + OF_REGION * (double)all->cube->n_regions;
}

hd_status
hd_trace_sizes_estimate(hd_cube *cube, const hd_trace_wanted *wanted, hd_trace_sizes *sizes)
{
    estimate  all    = { .cube = cube, .wanted = wanted, .sizes = sizes,
                         .is_caller = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1),
                         .is_task   = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1),
                         .kept      = HD_NEW_ARRAY(float, (size_t)cube->n_regions * cube->n_groups + 1),
                         .locations = HD_NEW_ARRAY(hd_trace_size, (size_t)cube->n_locations + 1) };
    hd_status status = HD_OK;

    *sizes = (hd_trace_sizes){ .processes = HD_NEW_ARRAY(hd_trace_size, (size_t)cube->n_groups + 1),
                               .n         = cube->n_groups };
    for (int i = 0; i < N_METRICS; i++) {
        all.metrics[i] = hd_cube_metric_by_id(cube, metric_ids[i]);
        all.rows[i]    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    }
    if (all.metrics[VISITS] == HD_NONE || all.metrics[TIME_OF] == HD_NONE)
        status = hd_fail(HD_EFORMAT, "the report \"%s\" has no visits or no times", cube->path);
    if (status == HD_OK)
        status = find(&all);
    if (status == HD_OK)
        sum_up(&all);
    for (int i = 0; i < N_METRICS; i++)
        free(all.rows[i]);
    free(all.is_caller);
    free(all.is_task);
    free(all.kept);
    free(all.locations);
    if (status != HD_OK)
        hd_trace_sizes_fini(sizes);
    return status;
}

void
hd_trace_sizes_fini(hd_trace_sizes *sizes)
{
    free(sizes->processes);
    *sizes = (hd_trace_sizes){ 0 };
}

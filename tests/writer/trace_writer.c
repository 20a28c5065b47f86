#include "trace_writer.h"

#include <errno.h>
#include <math.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "status.h"
#include "table.h"

/* Numbers in the archive: communicator 0 is "Process x Threads CPU Locations", ours follow. */
enum { FIRST_COMM = 1, REGION_OFF = 0, REGION_FLUSH = 1, REGION_PROGRAM = 2 };

typedef struct group_def {
    uint8_t   type;
    uint8_t   paradigm;
    uint32_t  name;
    uint32_t  n;
    uint64_t *members;
} group_def;

typedef struct comm_def {
    uint32_t name, group_a, group_b; /* HD_NONE: no inter-communicator */
    bool     is_team, has_events;
} comm_def;

typedef struct window_def {
    uint32_t name, comm;
    bool     is_shmem;
} window_def;

typedef struct region_def {
    char    *name;
    uint32_t text, file;
    uint8_t  role, paradigm;
} region_def;

typedef struct context_def {
    uint32_t region, parent;
} context_def;

struct tw_archive {
    OTF2_Archive      *otf2;
    tw_archive_options options;
    char              *program_path;
    char             **texts; /* numbers of strings are their places */
    size_t             n_texts, texts_capacity;
    region_def        *regions;
    size_t             n_regions, regions_capacity;
    hd_table           region_index; /* hash of the name -> region; colliding names are searched from there on */
    group_def         *groups;
    size_t             n_groups, groups_capacity;
    comm_def          *comms;
    size_t             n_comms, comms_capacity;
    window_def        *windows;
    size_t             n_windows, windows_capacity;
    context_def       *contexts;
    size_t             n_contexts, contexts_capacity;
    uint64_t          *n_events; /* [n_processes * (n_threads + n_devices)] */
    hd_time            last;
    uint32_t           text_mpi, text_program, text_omp, text_pthread;
    uint32_t           world_group, self_group, thread_group, omp_locations, pthread_locations, shmem_locations;
    uint32_t           file_omp, file_pthread, file_kernel, text_shmem; /* HD_NONE: not needed so far */
    tw_location       *open;
    bool               has_locations;
};

struct tw_location {
    tw_archive            *archive;
    OTF2_EvtWriter        *writer;
    OTF2_LocationRef       ref;
    const tw_clock_offset *clock;
    uint32_t               n_clock;
    uint32_t               process, thread;
    uint64_t               last_raw;
    int64_t                last_offset; /* corrected - raw of the last record: where the search for the next raw time starts */
    uint64_t               n_events;
    hd_time                end; /* nothing after it is recorded */
};

_Noreturn static void
fail(const char *what)
{
    fprintf(stderr, "trace writer: %s\n", what);
    exit(1);
}

static void
check(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "trace writer: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}

static void
check_not_null(const void *pointer, const char *what)
{
    if (pointer == NULL)
        fail(what);
}

static OTF2_FlushType
before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)final;
    return OTF2_FLUSH;
}

/* Without a callback after the flush libotf2 writes no BufferFlush records of its own. */
static OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };

/* ---------------------------------------------------------------------------------------------------- definitions */

static uint32_t
text_add(tw_archive *archive, const char *text)
{
    HD_PUSH(archive->texts, archive->n_texts, archive->texts_capacity, hd_strdup(text));
    return (uint32_t)archive->n_texts - 1;
}

static bool
is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* name without "MPI_" */
static OTF2_RegionRole
role_of_mpi(const char *name)
{
    static const char *const one_to_all[] = { "Bcast", "Ibcast", "Scatter", "Scatterv", "Iscatter", "Iscatterv", NULL };
    static const char *const all_to_one[] = { "Gather", "Gatherv", "Reduce", "Igather", "Igatherv", "Ireduce", NULL };
    static const char *const prefix[]     = { "Scan", "Exscan", "Iscan", "Iexscan", NULL };
    static const char *const all_to_all[] = {
        "Allgather",    "Allgatherv",    "Allreduce",    "Alltoall",     "Alltoallv",       "Alltoallw",
        "Iallgather",   "Iallgatherv",   "Iallreduce",   "Ialltoall",    "Ialltoallv",      "Ialltoallw",
        "Reduce_scatter", "Reduce_scatter_block", "Ireduce_scatter", "Ireduce_scatter_block", NULL
    };
    static const char *const messages[] = {
        "Bsend",  "Bsend_init", "Ibsend", "Iprobe", "Irecv",     "Irsend", "Isend",    "Issend",           "Probe", "Recv",
        "Recv_init", "Rsend", "Rsend_init", "Send",   "Send_init", "Sendrecv", "Sendrecv_replace", "Ssend", "Ssend_init",
        "Improbe", "Imrecv", "Mprobe", "Mrecv", NULL
    };
    static const char *const transfers[] = { "Put", "Get", "Rput", "Rget", NULL };
    static const char *const atomics[]   = {
        "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Raccumulate", "Rget_accumulate", NULL
    };
    static const char *const allocations[] = { "Win_allocate", "Win_allocate_shared", NULL };

    if (strcmp(name, "Barrier") == 0 || strcmp(name, "Ibarrier") == 0)
        return OTF2_REGION_ROLE_BARRIER;
    if (is_one_of(name, one_to_all))
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    if (is_one_of(name, all_to_one))
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    if (is_one_of(name, all_to_all))
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    if (is_one_of(name, prefix))
        return OTF2_REGION_ROLE_COLL_OTHER;
    if (is_one_of(name, messages))
        return OTF2_REGION_ROLE_POINT2POINT;
    if (is_one_of(name, transfers))
        return OTF2_REGION_ROLE_RMA;
    if (is_one_of(name, atomics))
        return OTF2_REGION_ROLE_ATOMIC;
    if (is_one_of(name, allocations))
        return OTF2_REGION_ROLE_ALLOCATE;
    return OTF2_REGION_ROLE_FUNCTION;
}

/* name without "shmem_" */
static OTF2_RegionRole
role_of_shmem(const char *name)
{
    static const struct {
        const char     *part;
        OTF2_RegionRole role;
    } roles[] = { { "barrier", OTF2_REGION_ROLE_BARRIER },         { "broadcast", OTF2_REGION_ROLE_COLL_ONE2ALL },
                  { "collect", OTF2_REGION_ROLE_COLL_ALL2ALL },    { "_to_all", OTF2_REGION_ROLE_COLL_ALL2ALL },
                  { "wait", OTF2_REGION_ROLE_POINT2POINT },        { "put", OTF2_REGION_ROLE_RMA },
                  { "get", OTF2_REGION_ROLE_RMA } };

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strstr(name, roles[i].part) != NULL)
            return roles[i].role;
    return OTF2_REGION_ROLE_FUNCTION;
}

static OTF2_RegionRole
role_of_omp(const char *name)
{
    static const struct {
        const char     *start;
        OTF2_RegionRole role;
    } roles[] = { { "!$omp parallel", OTF2_REGION_ROLE_PARALLEL },
                  { "!$omp barrier", OTF2_REGION_ROLE_BARRIER },
                  { "!$omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
                  { "!$omp ibarrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
                  { "!$omp for", OTF2_REGION_ROLE_LOOP },
                  { "!$omp do", OTF2_REGION_ROLE_LOOP },
                  { "!$omp critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK },
                  { "!$omp critical", OTF2_REGION_ROLE_CRITICAL },
                  { "!$omp single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK },
                  { "!$omp single", OTF2_REGION_ROLE_SINGLE },
                  { "!$omp master", OTF2_REGION_ROLE_MASTER },
                  { "!$omp sections", OTF2_REGION_ROLE_SECTIONS },
                  { "!$omp section", OTF2_REGION_ROLE_SECTION },
                  { "!$omp atomic", OTF2_REGION_ROLE_ATOMIC },
                  { "!$omp flush", OTF2_REGION_ROLE_FLUSH },
                  { "!$omp ordered sblock", OTF2_REGION_ROLE_ORDERED_SBLOCK },
                  { "!$omp ordered", OTF2_REGION_ROLE_ORDERED },
                  { "!$omp create task", OTF2_REGION_ROLE_TASK_CREATE },
                  { "!$omp taskwait", OTF2_REGION_ROLE_TASK_WAIT },
                  { "!$omp task", OTF2_REGION_ROLE_TASK } };

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strncmp(name, roles[i].start, strlen(roles[i].start)) == 0)
            return roles[i].role;
    return OTF2_REGION_ROLE_UNKNOWN;
}

static OTF2_RegionRole
role_of_pthread(const char *name)
{
    if (strcmp(name, "pthread_create") == 0)
        return OTF2_REGION_ROLE_THREAD_CREATE;
    return strcmp(name, "pthread_join") == 0 ? OTF2_REGION_ROLE_THREAD_WAIT : OTF2_REGION_ROLE_WRAPPER;
}

static uint32_t
text_once(tw_archive *archive, uint32_t *text, const char *words)
{
    if (*text == HD_NONE)
        *text = text_add(archive, words);
    return *text;
}

static uint64_t
hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
    return hash;
}

static void
region_add(tw_archive *archive, const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm, uint32_t file)
{
    region_def region = { .name     = hd_strdup(name),
                          .text     = text_add(archive, name),
                          .file     = file,
                          .role     = (uint8_t)role,
                          .paradigm = (uint8_t)paradigm };

    HD_PUSH(archive->regions, archive->n_regions, archive->regions_capacity, region);
}

uint32_t
tw_region(tw_archive *archive, const char *name)
{
    uint64_t hash = hash_of(name);
    uint32_t i    = hd_table_get(&archive->region_index, hash);

    if (i != HD_NONE) {
        if (strcmp(archive->regions[i].name, name) == 0)
            return i;
        fail("two region names with one hash");
    }
    if (archive->options.with_mappings && archive->has_locations)
        fail("with mapping tables all regions must be defined before the first location");
    i = (uint32_t)archive->n_regions;
    if (strncmp(name, "MPI_", 4) == 0)
        region_add(archive, name, role_of_mpi(name + 4), OTF2_PARADIGM_MPI, archive->text_mpi);
    else if (strncmp(name, "!$omp", 5) == 0)
        region_add(archive, name, role_of_omp(name), OTF2_PARADIGM_OPENMP, OTF2_UNDEFINED_STRING);
    else if (strncmp(name, "omp_", 4) == 0)
        region_add(archive, name, OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_OPENMP,
                   text_once(archive, &archive->file_omp, "OMP"));
    else if (strncmp(name, "pthread_", 8) == 0)
        region_add(archive, name, role_of_pthread(name), OTF2_PARADIGM_PTHREAD,
                   text_once(archive, &archive->file_pthread, "PTHREAD"));
    else if (strncmp(name, "shmem_", 6) == 0)
        region_add(archive, name, role_of_shmem(name + 6), OTF2_PARADIGM_SHMEM,
                   text_once(archive, &archive->text_shmem, "SHMEM"));
    else if (strncmp(name, "kernel_", 7) == 0)
        region_add(archive, name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA,
                   text_once(archive, &archive->file_kernel, "CUDA_KERNEL"));
    else
        region_add(archive, name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, OTF2_UNDEFINED_STRING);
    hd_table_add(&archive->region_index, hash, i);
    return i;
}

static uint32_t
group_add(tw_archive *archive, OTF2_GroupType type, OTF2_Paradigm paradigm, const char *name, const uint64_t *members,
          uint32_t n)
{
    group_def group = { .type     = (uint8_t)type,
                        .paradigm = (uint8_t)paradigm,
                        .name     = *name == '\0' ? 0 : text_add(archive, name),
                        .n        = n,
                        .members  = HD_NEW_ARRAY(uint64_t, n == 0 ? 1 : n) };

    if (n > 0)
        memcpy(group.members, members, n * sizeof *members);
    HD_PUSH(archive->groups, archive->n_groups, archive->groups_capacity, group);
    return (uint32_t)archive->n_groups - 1;
}

static uint64_t *
members_of(const tw_archive *archive, const uint32_t *processes, uint32_t n)
{
    uint64_t *members = HD_NEW_ARRAY(uint64_t, n == 0 ? 1 : n);

    for (uint32_t i = 0; i < n; i++) {
        if (processes[i] >= archive->options.n_processes && processes[i] != HD_NONE)
            fail("a group with a process that is not there");
        members[i] = processes[i];
    }
    return members;
}

static uint32_t
process_group_add(tw_archive *archive, const uint32_t *processes, uint32_t n)
{
    uint64_t *members = members_of(archive, processes, n);
    uint32_t  group   = group_add(archive, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, "", members, n);

    free(members);
    return group;
}

uint32_t
tw_group_define(tw_archive *archive, const uint32_t *processes, uint32_t n)
{
    uint64_t *members = members_of(archive, processes, n);
    uint32_t  i       = 0;

    while (i < archive->n_groups &&
           (archive->groups[i].type != OTF2_GROUP_TYPE_COMM_GROUP || archive->groups[i].paradigm != OTF2_PARADIGM_MPI ||
            archive->groups[i].n != n || memcmp(archive->groups[i].members, members, n * sizeof *members) != 0))
        i++;
    free(members);
    if (i < archive->n_groups)
        return i;
    if (archive->options.with_mappings && archive->has_locations)
        fail("with mapping tables all groups must be defined before the first location");
    return process_group_add(archive, processes, n);
}

static uint32_t
comm_add(tw_archive *archive, const char *name, uint32_t group_a, uint32_t group_b, bool is_team, bool has_events)
{
    comm_def comm = { .name       = name == NULL ? 0 : text_add(archive, name),
                      .group_a    = group_a,
                      .group_b    = group_b,
                      .is_team    = is_team,
                      .has_events = has_events };

    if (archive->options.with_mappings && archive->has_locations)
        fail("with mapping tables all communicators must be defined before the first location");
    HD_PUSH(archive->comms, archive->n_comms, archive->comms_capacity, comm);
    return (uint32_t)archive->n_comms - 1 - FIRST_COMM;
}

uint32_t
tw_comm_define(tw_archive *archive, const char *name, const uint32_t *processes, uint32_t n)
{
    return comm_add(archive, name, process_group_add(archive, processes, n), HD_NONE, false, true);
}

uint32_t
tw_inter_comm_define(tw_archive *archive, const char *name, const uint32_t *group_a, uint32_t n_a, const uint32_t *group_b,
                     uint32_t n_b)
{
    uint32_t a = process_group_add(archive, group_a, n_a);
    uint32_t b = process_group_add(archive, group_b, n_b);

    return comm_add(archive, name, a, b, false, true);
}

static OTF2_LocationRef
location_ref(uint32_t process, uint32_t thread)
{
    return (uint64_t)thread << 32 | process;
}

/* The threads that a paradigm of processes knows: the masters. */
static uint32_t
masters_add(tw_archive *archive, OTF2_Paradigm paradigm)
{
    uint32_t  n       = archive->options.n_processes, group;
    uint64_t *members = HD_NEW_ARRAY(uint64_t, n);

    for (uint32_t i = 0; i < n; i++)
        members[i] = location_ref(i, 0);
    group = group_add(archive, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, "", members, n);
    free(members);
    return group;
}

static uint32_t
window_add(tw_archive *archive, const char *name, uint32_t comm, bool is_shmem)
{
    window_def window = { .name = text_add(archive, name), .comm = comm + FIRST_COMM, .is_shmem = is_shmem };

    if (window.comm >= archive->n_comms)
        fail("a window on a communicator that is not there");
    if (archive->options.with_mappings && archive->has_locations)
        fail("with mapping tables all windows must be defined before the first location");
    HD_PUSH(archive->windows, archive->n_windows, archive->windows_capacity, window);
    return (uint32_t)archive->n_windows - 1;
}

uint32_t
tw_window_define(tw_archive *archive, const char *name, uint32_t comm)
{
    return window_add(archive, name == NULL ? "MPI_Win_create window" : name, comm, false);
}

uint32_t
tw_shmem_window_define(tw_archive *archive, const char *name, uint32_t comm)
{
    const group_def *group = &archive->groups[archive->comms[comm + FIRST_COMM].group_a];
    uint32_t         own;

    if (archive->shmem_locations == HD_NONE) {
        archive->shmem_locations = masters_add(archive, OTF2_PARADIGM_SHMEM);
        group                    = &archive->groups[archive->comms[comm + FIRST_COMM].group_a];
    }
    own  = group_add(archive, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_SHMEM, "", group->members, group->n);
    comm = comm_add(archive, NULL, own, HD_NONE, true, false);
    return window_add(archive, name == NULL ? "All PEs" : name, comm, true);
}

/* The threads that a paradigm knows: all of them. */
static uint32_t
locations_add(tw_archive *archive, OTF2_Paradigm paradigm, const char *name)
{
    uint32_t  n_threads = archive->options.n_threads, n = archive->options.n_processes * n_threads;
    uint64_t *all       = HD_NEW_ARRAY(uint64_t, n);
    uint32_t  group;

    for (uint32_t i = 0; i < n; i++)
        all[i] = location_ref(i / n_threads, i % n_threads);
    group = group_add(archive, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, name, all, n);
    free(all);
    return group;
}

/* threads: NULL for all of the process. */
static uint32_t
threads_add(tw_archive *archive, OTF2_Paradigm paradigm, uint32_t process, const uint32_t *threads, uint32_t n)
{
    uint64_t *members = HD_NEW_ARRAY(uint64_t, n);
    uint32_t  group;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t thread = threads == NULL ? i : threads[i];

        if (process >= archive->options.n_processes || thread >= archive->options.n_threads)
            fail("a team with a thread that is not there");
        members[i] = (uint64_t)process * archive->options.n_threads + thread;
    }
    group = group_add(archive, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, "", members, n);
    free(members);
    return comm_add(archive, NULL, group, HD_NONE, true, false);
}

uint32_t
tw_team_define_of(tw_archive *archive, uint32_t process, const uint32_t *threads, uint32_t n)
{
    if (archive->omp_locations == HD_NONE) {
        archive->text_omp      = text_add(archive, "OpenMP");
        archive->omp_locations = locations_add(archive, OTF2_PARADIGM_OPENMP, "OpenMP");
    }
    return threads_add(archive, OTF2_PARADIGM_OPENMP, process, threads, n);
}

uint32_t
tw_team_define(tw_archive *archive, uint32_t process)
{
    return tw_team_define_of(archive, process, NULL, archive->options.n_threads);
}

uint32_t
tw_contingent_define(tw_archive *archive, uint32_t process)
{
    if (archive->pthread_locations == HD_NONE) {
        archive->text_pthread      = text_add(archive, "Pthread");
        archive->pthread_locations = locations_add(archive, OTF2_PARADIGM_PTHREAD, "PTHREAD");
    }
    return threads_add(archive, OTF2_PARADIGM_PTHREAD, process, NULL, archive->options.n_threads);
}

/* ---------------------------------------------------------------------------------------------------------- archive */

static void
define_first(tw_archive *archive)
{
    const tw_archive_options *options = &archive->options;
    uint32_t                  n       = options->n_processes * options->n_threads;
    uint64_t                 *members = HD_NEW_ARRAY(uint64_t, n);
    const char               *base    = strrchr(archive->program_path, '/');

    text_add(archive, "");
    archive->text_mpi     = text_add(archive, "MPI");
    archive->text_program = text_add(archive, archive->program_path);
    region_add(archive, "MEASUREMENT OFF", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_USER, OTF2_UNDEFINED_STRING);
    region_add(archive, "TRACE BUFFER FLUSH", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
               OTF2_UNDEFINED_STRING);
    region_add(archive, base == NULL ? archive->program_path : base + 1, OTF2_REGION_ROLE_ARTIFICIAL,
               OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_UNDEFINED_STRING);

    masters_add(archive, OTF2_PARADIGM_MPI);
    for (uint32_t i = 0; i < n; i++)
        members[i] = location_ref(i / options->n_threads, i % options->n_threads);
    group_add(archive, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MEASUREMENT_SYSTEM, "PROCESSXTHREADS_GROUP_LOCATIONS",
              members, n);
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    archive->thread_group = group_add(archive, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
                                      "PROCESSXTHREADS_GROUP", members, n);
    archive->self_group   = group_add(archive, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, "", NULL, 0);
    archive->world_group =
        group_add(archive, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, "", members, options->n_processes);
    comm_add(archive, "Process x Threads CPU Locations", archive->thread_group, HD_NONE, false, false);
    comm_add(archive, "MPI_COMM_WORLD", archive->world_group, HD_NONE, false, true);
    comm_add(archive, "MPI_COMM_SELF", archive->self_group, HD_NONE, false, true);
    free(members);
}

static uint32_t
locations_of_process(const tw_archive_options *options)
{
    return options->n_threads + options->n_devices;
}

tw_archive *
tw_open(const char *directory, const tw_archive_options *options)
{
    tw_archive *archive = HD_NEW(tw_archive);

    archive->options      = *options;
    archive->program_path = hd_strdup(options->program == NULL ? "program" : options->program);
    if (options->n_processes == 0)
        fail("an archive without processes");
    if (options->n_threads == 0)
        archive->options.n_threads = 1;
    if (options->processes_per_node == 0)
        archive->options.processes_per_node = options->n_processes;
    if (options->resolution == 0)
        archive->options.resolution = 1000000;
    if (options->first_time == 0)
        archive->options.first_time = 1000000000;
    if (options->chunk_bytes == 0)
        archive->options.chunk_bytes = 1024 * 1024;
    hd_table_init(&archive->region_index);
    archive->n_events      = HD_NEW_ARRAY(uint64_t, (size_t)options->n_processes * locations_of_process(&archive->options));
    archive->omp_locations = archive->pthread_locations = archive->shmem_locations = HD_NONE;
    archive->file_omp = archive->file_pthread = archive->file_kernel = archive->text_shmem = HD_NONE;
    define_first(archive);

    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        fail("cannot make the directory of the archive");
    archive->otf2 = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, archive->options.chunk_bytes, 256 * 1024,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    check_not_null(archive->otf2, "cannot start the archive; is there one already?");
    check(OTF2_Archive_SetFlushCallbacks(archive->otf2, &flush_callbacks, NULL), "flush callbacks");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive->otf2), "collective callbacks");
    check(OTF2_Archive_SetCreator(archive->otf2, "heddle tests"), "creator");
    check(OTF2_Archive_SetBoolProperty(archive->otf2, "OTF2::MPI_COMMUNICATION_COMPLETE", true, false), "property");
    check(OTF2_Archive_SetBoolProperty(archive->otf2, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", true, false), "property");
    check(OTF2_Archive_OpenEvtFiles(archive->otf2), "event files");
    check(OTF2_Archive_OpenDefFiles(archive->otf2), "definition files");
    return archive;
}

static uint8_t
type_of(const tw_archive_options *options, uint32_t thread)
{
    if (thread + options->n_metric_locations >= options->n_threads)
        return OTF2_LOCATION_TYPE_METRIC;
    if (thread + options->n_metric_locations + options->n_streams >= options->n_threads)
        return OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    return OTF2_LOCATION_TYPE_CPU_THREAD;
}

/* As Score-P has them since version 8: a location group of their own for each process that uses them. */
static void
write_devices(tw_archive *archive, OTF2_GlobalDefWriter *writer, uint32_t text)
{
    const tw_archive_options *options = &archive->options;

    check(OTF2_GlobalDefWriter_WriteString(writer, text, "CUDA[0:7]"), "string");
    for (uint32_t i = 0; i < options->n_processes; i++) {
        const uint64_t *n_events = &archive->n_events[(size_t)i * locations_of_process(options)];
        uint32_t        group    = options->n_processes + i;

        check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, group, text, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR,
                                                      1 + i / options->processes_per_node, i),
              "location group");
        for (uint32_t k = options->n_threads; k < locations_of_process(options); k++)
            check(OTF2_GlobalDefWriter_WriteLocation(writer, location_ref(i, k), text, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                                     n_events[k], group),
                  "location");
    }
}

/* The nodes of the system tree: the machine, then nodes from 1 on, then NUMA domains, racks, rows. */
typedef struct levels {
    uint32_t n_nodes, n_numas, n_racks, n_rows;
} levels;

static uint32_t
parts_of(uint32_t n, uint32_t each)
{
    return each == 0 ? 0 : (n + each - 1) / each;
}

static levels
levels_of(const tw_archive_options *options)
{
    levels l = { .n_nodes = parts_of(options->n_processes, options->processes_per_node) };

    l.n_numas = l.n_nodes * parts_of(options->processes_per_node, options->processes_per_numa);
    l.n_racks = parts_of(l.n_nodes, options->nodes_per_rack);
    l.n_rows  = parts_of(l.n_racks, options->racks_per_row);
    return l;
}

/* What process i stands at. */
static uint32_t
home_of(const tw_archive_options *options, uint32_t i)
{
    uint32_t node = i / options->processes_per_node, per_node = parts_of(options->processes_per_node, options->processes_per_numa);

    return per_node == 0 ? 1 + node
                         : 1 + levels_of(options).n_nodes + node * per_node + i % options->processes_per_node / options->processes_per_numa;
}

/* Nodes of one level: they are named by text and number, and have `each` of them at one parent. domain: or -1 */
static void
write_level(OTF2_GlobalDefWriter *writer, uint32_t *n_ref, const char *kind, int domain, uint32_t first, uint32_t n, uint32_t first_parent,
            uint32_t each)
{
    uint32_t kind_text = *n_ref, text;

    if (n > 0)
        check(OTF2_GlobalDefWriter_WriteString(writer, (*n_ref)++, kind), "string");
    for (uint32_t i = 0; i < n; i++) {
        char *name = hd_format("%s%04" PRIu32, kind, i);

        text = (*n_ref)++;
        check(OTF2_GlobalDefWriter_WriteString(writer, text, name), "string");
        free(name);
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, first + i, text, kind_text, first_parent + (each == 0 ? 0 : i / each)), "node");
        if (domain >= 0)
            check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, first + i, (OTF2_SystemTreeDomain)domain), "domain");
    }
}

static void
write_levels(const tw_archive_options *options, OTF2_GlobalDefWriter *writer, uint32_t *n_ref)
{
    levels   l    = levels_of(options);
    uint32_t numa = 1 + l.n_nodes, rack = numa + l.n_numas, row = rack + l.n_racks;

    write_level(writer, n_ref, "row", -1, row, l.n_rows, 0, 0);
    write_level(writer, n_ref, "rack", -1, rack, l.n_racks, l.n_rows > 0 ? row : 0, l.n_rows > 0 ? options->racks_per_row : 0);
    write_level(writer, n_ref, "node", OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY, 1, l.n_nodes, l.n_racks > 0 ? rack : 0,
                l.n_racks > 0 ? options->nodes_per_rack : 0);
    write_level(writer, n_ref, "NUMANode", OTF2_SYSTEM_TREE_DOMAIN_NUMA, numa, l.n_numas, 1,
                parts_of(options->processes_per_node, options->processes_per_numa));
}

/* The number of the next text. */
static uint32_t
write_system(tw_archive *archive, OTF2_GlobalDefWriter *writer)
{
    const tw_archive_options *options = &archive->options;
    uint32_t n_ref = (uint32_t)archive->n_texts;
    uint32_t machine_class, machine, master, *threads;

#define TEXT(reference, words) check(OTF2_GlobalDefWriter_WriteString(writer, ((reference) = n_ref++), (words)), "string")
    threads = HD_NEW_ARRAY(uint32_t, options->n_threads);
    TEXT(machine_class, "machine");
    TEXT(machine, "Linux");
    TEXT(master, "Master thread");
    threads[0] = master;
    for (uint32_t i = 1; i < options->n_threads; i++) {
        bool        is_posix = archive->pthread_locations != HD_NONE && archive->omp_locations == HD_NONE;
        uint8_t     type     = type_of(options, i);
        const char *kind     = type == OTF2_LOCATION_TYPE_METRIC               ? "Metrics"
                               : type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM ? "Stream"
                               : is_posix                                      ? "Pthread thread"
                                                                               : "OMP thread";
        char       *name     = hd_format("%s %" PRIu32, kind, i);

        TEXT(threads[i], name);
        free(name);
    }
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, machine, machine_class, OTF2_UNDEFINED_SYSTEM_TREE_NODE), "node");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE), "domain");
    write_levels(options, writer, &n_ref);
    for (uint32_t i = 0; i < options->n_processes; i++) {
        char    *name = hd_format("MPI Rank %" PRIu32, i);
        uint32_t text;

        TEXT(text, name);
        free(name);
        check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, text, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                      home_of(options, i), OTF2_UNDEFINED_LOCATION_GROUP),
              "location group");
    }
    for (uint32_t i = 0; i < options->n_processes; i++)
        for (uint32_t k = 0; k < options->n_threads; k++)
            check(OTF2_GlobalDefWriter_WriteLocation(writer, location_ref(i, k), threads[k], type_of(options, k),
                                                     archive->n_events[(size_t)i * locations_of_process(options) + k], i),
                  "location");
    if (options->n_devices > 0)
        write_devices(archive, writer, n_ref++);
#undef TEXT
    free(threads);
    return n_ref;
}

static void
write_communicators(tw_archive *archive, OTF2_GlobalDefWriter *writer)
{
    for (uint32_t i = 0; i < archive->n_groups; i++) {
        const group_def *group = &archive->groups[i];

        check(OTF2_GlobalDefWriter_WriteGroup(writer, i, group->name, group->type, group->paradigm, OTF2_GROUP_FLAG_NONE,
                                              group->n, group->members),
              "group");
    }
    for (uint32_t i = 0; i < archive->n_comms; i++) {
        const comm_def *comm   = &archive->comms[i];
        uint32_t        parent = i > FIRST_COMM + TW_SELF && !comm->is_team ? FIRST_COMM + TW_WORLD : OTF2_UNDEFINED_COMM;
        uint32_t        flags  = comm->has_events ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;

        if (comm->group_b != HD_NONE)
            check(OTF2_GlobalDefWriter_WriteInterComm(writer, i, comm->name, comm->group_a, comm->group_b, parent, flags),
                  "inter-communicator");
        else
            check(OTF2_GlobalDefWriter_WriteComm(writer, i, comm->name, comm->group_a, parent, flags), "communicator");
    }
}

static void
write_windows(tw_archive *archive, OTF2_GlobalDefWriter *writer)
{
    for (uint32_t i = 0; i < archive->n_windows; i++) {
        const window_def *window = &archive->windows[i];
        uint32_t          flags  = window->is_shmem ? OTF2_RMA_WIN_FLAG_NONE : OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS;

        check(OTF2_GlobalDefWriter_WriteRmaWin(writer, i, window->name, window->comm, flags), "window");
    }
}

static uint32_t
name_write(OTF2_GlobalDefWriter *writer, uint32_t *n_texts, const char *text)
{
    check(OTF2_GlobalDefWriter_WriteString(writer, *n_texts, text), "string");
    return (*n_texts)++;
}

/* The topology that Score-P adds to every trace, and the one that was asked for. */
static void
write_topologies(tw_archive *archive, OTF2_GlobalDefWriter *writer, uint32_t n_texts)
{
    const tw_archive_options *options = &archive->options;
    uint32_t                  own[2]  = { 0, 1 }, given[3] = { 2, 3, 4 };
    uint32_t                  name;

    name = name_write(writer, &n_texts, "Process");
    check(OTF2_GlobalDefWriter_WriteCartDimension(writer, 0, name, options->n_processes, OTF2_CART_PERIODIC_FALSE),
          "dimension");
    name = name_write(writer, &n_texts, "Thread");
    check(OTF2_GlobalDefWriter_WriteCartDimension(writer, 1, name, options->n_threads, OTF2_CART_PERIODIC_FALSE), "dimension");
    name = name_write(writer, &n_texts, "Process x Thread");
    check(OTF2_GlobalDefWriter_WriteCartTopology(writer, 0, name, 0, 2, own), "topology");
    for (uint32_t i = 0; i < options->n_processes * options->n_threads; i++) {
        uint32_t at[2] = { i / options->n_threads, i % options->n_threads };

        check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 0, i, 2, at), "coordinate");
    }
    if (options->n_dimensions == 0)
        return;
    HD_ASSERT(options->n_dimensions <= sizeof given / sizeof *given);
    for (uint32_t i = 0; i < options->n_dimensions; i++) {
        char                *text = hd_format("dimension %" PRIu32, i);
        OTF2_CartPeriodicity wrap;

        name = name_write(writer, &n_texts, text);
        wrap = options->periodic[i] ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE;
        check(OTF2_GlobalDefWriter_WriteCartDimension(writer, given[i], name, options->dimensions[i], wrap), "dimension");
        free(text);
    }
    name = name_write(writer, &n_texts, "grid");
    check(OTF2_GlobalDefWriter_WriteCartTopology(writer, 1, name, FIRST_COMM + TW_WORLD, (uint8_t)options->n_dimensions, given),
          "topology");
    for (uint32_t i = 0; i < options->n_processes; i++) {
        uint32_t at[3] = { 0 }, rest = i;

        for (uint32_t k = options->n_dimensions; k-- > 0; rest /= options->dimensions[k])
            at[k] = rest % options->dimensions[k];
        check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 1, i, (uint8_t)options->n_dimensions, at), "coordinate");
    }
}

uint32_t
tw_context_define(tw_archive *archive, uint32_t parent, uint32_t region)
{
    HD_PUSH(archive->contexts, archive->n_contexts, archive->contexts_capacity, ((context_def){ region, parent }));
    return (uint32_t)archive->n_contexts - 1;
}

/* All samples are taken every 10 ms. */
static void
write_contexts(const tw_archive *archive, OTF2_GlobalDefWriter *writer, uint32_t name)
{
    for (uint32_t i = 0; i < archive->n_contexts; i++)
        check(OTF2_GlobalDefWriter_WriteCallingContext(writer, i, archive->contexts[i].region, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                       archive->contexts[i].parent),
              "calling context");
    if (archive->n_contexts > 0)
        check(OTF2_GlobalDefWriter_WriteInterruptGenerator(writer, 0, name, OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -3, 10),
              "interrupt generator");
}

static void
write_global(tw_archive *archive)
{
    const tw_archive_options *options = &archive->options;
    OTF2_GlobalDefWriter     *writer  = OTF2_Archive_GetGlobalDefWriter(archive->otf2);
    uint32_t template_text, window_text, timer_text, n_texts;

    check_not_null(writer, "global definitions");
    if (archive->shmem_locations != HD_NONE)
        text_once(archive, &archive->text_shmem, "SHMEM");
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer, options->resolution, options->first_time, archive->last + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP),
          "clock");
    template_text = text_add(archive, "Comm ${id}");
    window_text   = text_add(archive, "Win ${id}");
    timer_text    = text_add(archive, "timer");
    for (uint32_t i = 0; i < archive->n_texts; i++)
        check(OTF2_GlobalDefWriter_WriteString(writer, i, archive->texts[i]), "string");
    check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI, archive->text_mpi, OTF2_PARADIGM_CLASS_PROCESS), "MPI");
    check(OTF2_GlobalDefWriter_WriteParadigmProperty(writer, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                                     OTF2_TYPE_STRING, (OTF2_AttributeValue){ .stringRef = template_text }),
          "MPI");
    check(OTF2_GlobalDefWriter_WriteParadigmProperty(writer, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
                                                     OTF2_TYPE_STRING, (OTF2_AttributeValue){ .stringRef = window_text }),
          "MPI");
    if (archive->text_shmem != HD_NONE)
        check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_SHMEM, archive->text_shmem, OTF2_PARADIGM_CLASS_PROCESS),
              "SHMEM");
    if (archive->omp_locations != HD_NONE)
        check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_OPENMP, archive->text_omp,
                                                 OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN),
              "OpenMP");
    if (archive->pthread_locations != HD_NONE)
        check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_PTHREAD, archive->text_pthread,
                                                 OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT),
              "POSIX threads");
    n_texts = write_system(archive, writer);
    for (uint32_t i = 0; i < archive->n_regions; i++) {
        const region_def *region    = &archive->regions[i];
        uint32_t          canonical = i == REGION_PROGRAM ? archive->text_program : region->text;

        check(OTF2_GlobalDefWriter_WriteRegion(writer, i, region->text, canonical, 0, region->role, region->paradigm,
                                               OTF2_REGION_FLAG_NONE, region->file, 0, 0),
              "region");
    }
    write_contexts(archive, writer, timer_text);
    write_communicators(archive, writer);
    write_windows(archive, writer);
    write_topologies(archive, writer, n_texts);
}

void
tw_close(tw_archive *archive)
{
    if (archive->open != NULL)
        fail("a location is still open");
    check(OTF2_Archive_CloseEvtFiles(archive->otf2), "event files");
    check(OTF2_Archive_CloseDefFiles(archive->otf2), "definition files");
    write_global(archive);
    check(OTF2_Archive_Close(archive->otf2), "archive");
    for (size_t i = 0; i < archive->n_texts; i++)
        free(archive->texts[i]);
    for (size_t i = 0; i < archive->n_regions; i++)
        free(archive->regions[i].name);
    for (size_t i = 0; i < archive->n_groups; i++)
        free(archive->groups[i].members);
    free(archive->texts);
    free(archive->regions);
    free(archive->groups);
    free(archive->comms);
    free(archive->windows);
    free(archive->contexts);
    free(archive->n_events);
    free(archive->program_path);
    hd_table_fini(&archive->region_index);
    free(archive);
}

/* ------------------------------------------------------------------------------------------------------------ clocks */

uint64_t
tw_clock_correct(const tw_clock_offset *clock, uint32_t n, uint64_t raw)
{
    const tw_clock_offset *from, *to;
    uint32_t               i = 0;
    double                 slope;

    if (n < 2)
        return raw;
    while (i + 2 < n && (int64_t)raw > (int64_t)clock[i + 1].time)
        i++;
    from  = &clock[i];
    to    = &clock[i + 1];
    slope = (double)(to->offset - from->offset) / (double)(to->time - from->time);
    return raw + (uint64_t)(from->offset + (int64_t)rint(slope * (double)(int64_t)(raw - from->time)));
}

/* The raw time that is corrected to time, or where no raw time is (a clock that runs slow), to the first time after it.
 * The offset changes slowly, so the one of the record before leads near it. */
static uint64_t
raw_time(tw_location *location, hd_time time)
{
    const tw_clock_offset *clock = location->clock;
    uint32_t               n     = location->n_clock;
    uint64_t               raw;

    if (n < 2) {
        location->last_raw = time;
        return time;
    }
    raw = time - (uint64_t)location->last_offset;
    for (int i = 0; i < 4; i++)
        raw += time - tw_clock_correct(clock, n, raw);
    while (tw_clock_correct(clock, n, raw) > time)
        raw--;
    while (tw_clock_correct(clock, n, raw) < time)
        raw++;
    if ((int64_t)raw < (int64_t)location->last_raw)
        raw = location->last_raw;
    location->last_offset = (int64_t)(time - raw);
    location->last_raw    = raw;
    return raw;
}

/* --------------------------------------------------------------------------------------------------------- locations */

/* A local numbering that is not the global one: turned around, and different on every process. */
static uint32_t
local_number(uint32_t global, uint32_t n, uint32_t process)
{
    return (n - 1 - global + process) % n;
}

static uint32_t
region_ref(const tw_location *location, uint32_t region)
{
    const tw_archive *archive = location->archive;

    if (!archive->options.with_mappings)
        return region;
    return local_number(region, (uint32_t)archive->n_regions, location->process);
}

static uint32_t
comm_ref(const tw_location *location, uint32_t comm)
{
    const tw_archive *archive = location->archive;

    if (!archive->options.with_mappings)
        return comm + FIRST_COMM;
    return local_number(comm + FIRST_COMM, (uint32_t)archive->n_comms, location->process);
}

static uint32_t
group_ref(const tw_location *location, uint32_t group)
{
    const tw_archive *archive = location->archive;

    return archive->options.with_mappings ? local_number(group, (uint32_t)archive->n_groups, location->process) : group;
}

static uint32_t
window_ref(const tw_location *location, uint32_t window)
{
    const tw_archive *archive = location->archive;

    return archive->options.with_mappings ? local_number(window, (uint32_t)archive->n_windows, location->process) : window;
}

static void
mapping_write(OTF2_DefWriter *writer, OTF2_MappingType type, uint32_t n, uint32_t process)
{
    uint32_t   *to_global = HD_NEW_ARRAY(uint32_t, n);
    OTF2_IdMap *map;

    for (uint32_t i = 0; i < n; i++)
        to_global[local_number(i, n, process)] = i;
    map = OTF2_IdMap_CreateFromUint32Array(n, to_global, false);
    check_not_null(map, "mapping table");
    check(OTF2_DefWriter_WriteMappingTable(writer, type, map), "mapping table");
    OTF2_IdMap_Free(map);
    free(to_global);
}

static void
clock_write(OTF2_DefWriter *writer, uint64_t time, int64_t offset)
{
    check(OTF2_DefWriter_WriteClockOffset(writer, time, offset, 0.0), "clock offset");
}

static void
definitions_write(tw_location *location)
{
    tw_archive     *archive = location->archive;
    OTF2_DefWriter *writer  = OTF2_Archive_GetDefWriter(archive->otf2, location->ref);

    check_not_null(writer, "local definitions");
    if (archive->options.with_mappings) {
        mapping_write(writer, OTF2_MAPPING_REGION, (uint32_t)archive->n_regions, location->process);
        mapping_write(writer, OTF2_MAPPING_COMM, (uint32_t)archive->n_comms, location->process);
        if (archive->n_windows > 0) {
            mapping_write(writer, OTF2_MAPPING_GROUP, (uint32_t)archive->n_groups, location->process);
            mapping_write(writer, OTF2_MAPPING_RMA_WIN, (uint32_t)archive->n_windows, location->process);
        }
    }
    for (uint32_t i = 0; i < location->n_clock; i++)
        clock_write(writer, location->clock[i].time + archive->options.first_time, location->clock[i].offset);
    if (location->n_clock == 0) {
        clock_write(writer, archive->options.first_time, 0);
        clock_write(writer, archive->options.first_time + archive->last + 1, 0);
    }
    check(OTF2_Archive_CloseDefWriter(archive->otf2, writer), "local definitions");
}

tw_location *
tw_location_open(tw_archive *archive, uint32_t process, uint32_t thread, const tw_clock_offset *clock, uint32_t n_clock)
{
    tw_location *location = HD_NEW(tw_location);

    if (archive->open != NULL)
        fail("another location is still open");
    if (process >= archive->options.n_processes || thread >= locations_of_process(&archive->options))
        fail("a location that is not there");
    location->archive = archive;
    location->process = process;
    location->thread  = thread;
    location->end     = UINT64_MAX;
    location->ref     = location_ref(process, thread);
    location->n_clock = clock == NULL ? 0 : n_clock;
    location->last_raw = (uint64_t)INT64_MIN; /* raw times may lie before tick 0: they are differences of two's complement */
    if (location->n_clock > 0) {
        tw_clock_offset *copy = HD_NEW_ARRAY(tw_clock_offset, n_clock);

        memcpy(copy, clock, n_clock * sizeof *clock);
        location->clock       = copy;
        location->last_offset = clock[0].offset;
    }
    location->writer = OTF2_Archive_GetEvtWriter(archive->otf2, location->ref);
    check_not_null(location->writer, "event file");
    archive->open          = location;
    archive->has_locations = true;
    return location;
}

void
tw_location_cut(tw_location *location, hd_time last)
{
    location->end = last;
}

void
tw_location_close(tw_location *location)
{
    tw_archive *archive = location->archive;

    archive->n_events[(size_t)location->process * locations_of_process(&archive->options) + location->thread] = location->n_events;
    check(OTF2_Archive_CloseEvtWriter(archive->otf2, location->writer), "event file");
    if (location->n_clock > 0 || archive->options.with_mappings || !archive->options.without_definitions)
        definitions_write(location);
    archive->open = NULL;
    free((void *)(uintptr_t)location->clock);
    free(location);
}

uint64_t
tw_location_n_events(const tw_location *location)
{
    return location->n_events;
}

/* ----------------------------------------------------------------------------------------------------------- records */

static OTF2_TimeStamp
stamp(tw_location *location, hd_time time)
{
    location->n_events++;
    if (time > location->archive->last)
        location->archive->last = time;
    return raw_time(location, time) + location->archive->options.first_time;
}

#define RECORD(type, ...)                                                                                                      \
    do {                                                                                                                       \
        if (time <= location->end)                                                                                             \
            check(OTF2_EvtWriter_##type(location->writer, NULL, stamp(location, time)__VA_OPT__(, ) __VA_ARGS__), #type);      \
    } while (0)

void
tw_program_begin(tw_location *location, hd_time time)
{
    RECORD(ProgramBegin, location->archive->text_program, 0, NULL);
}

void
tw_program_end(tw_location *location, hd_time time)
{
    RECORD(ProgramEnd, OTF2_UNDEFINED_INT64);
}

void
tw_enter(tw_location *location, hd_time time, uint32_t region)
{
    RECORD(Enter, region_ref(location, region));
}

void
tw_leave(tw_location *location, hd_time time, uint32_t region)
{
    RECORD(Leave, region_ref(location, region));
}

void
tw_context_enter(tw_location *location, hd_time time, uint32_t context, uint32_t distance)
{
    RECORD(CallingContextEnter, context, distance);
}

void
tw_context_leave(tw_location *location, hd_time time, uint32_t context)
{
    RECORD(CallingContextLeave, context);
}

void
tw_sample(tw_location *location, hd_time time, uint32_t context, uint32_t distance)
{
    RECORD(CallingContextSample, context, distance, 0);
}

void
tw_send(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    RECORD(MpiSend, peer, comm_ref(location, comm), tag, bytes);
}

void
tw_recv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    RECORD(MpiRecv, peer, comm_ref(location, comm), tag, bytes);
}

void
tw_isend(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t request)
{
    RECORD(MpiIsend, peer, comm_ref(location, comm), tag, bytes, request);
}

void
tw_isend_complete(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiIsendComplete, request);
}

void
tw_irecv_request(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiIrecvRequest, request);
}

void
tw_irecv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t request)
{
    RECORD(MpiIrecv, peer, comm_ref(location, comm), tag, bytes, request);
}

void
tw_request_test(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiRequestTest, request);
}

void
tw_cancelled(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiRequestCancelled, request);
}

void
tw_coll_begin(tw_location *location, hd_time time)
{
    RECORD(MpiCollectiveBegin);
}

void
tw_coll_end(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root, uint64_t sent,
            uint64_t received)
{
    RECORD(MpiCollectiveEnd, (OTF2_CollectiveOp)operation, comm_ref(location, comm), root, sent, received);
}

void
tw_nbc_request(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(NonBlockingCollectiveRequest, request);
}

void
tw_nbc_complete(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root, uint64_t sent,
                uint64_t received, uint64_t request)
{
    RECORD(NonBlockingCollectiveComplete, (OTF2_CollectiveOp)operation, comm_ref(location, comm), root, sent, received,
           request);
}

void
tw_comm_create(tw_location *location, hd_time time, uint32_t comm)
{
    RECORD(CommCreate, comm_ref(location, comm));
}

void
tw_comm_destroy(tw_location *location, hd_time time, uint32_t comm)
{
    RECORD(CommDestroy, comm_ref(location, comm));
}

void
tw_buffer_flush(tw_location *location, hd_time time, hd_time stop)
{
    uint64_t last_raw = location->last_raw;
    uint64_t raw_stop;

    /* The stop time lies in the future: the records after it may well be earlier. */
    raw_stop           = raw_time(location, stop) + location->archive->options.first_time;
    location->last_raw = last_raw;
    RECORD(BufferFlush, raw_stop);
}

void
tw_measurement(tw_location *location, hd_time time, bool on)
{
    RECORD(MeasurementOnOff, on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

void
tw_fork(tw_location *location, hd_time time, uint32_t n_threads)
{
    RECORD(ThreadFork, OTF2_PARADIGM_OPENMP, n_threads);
}

void
tw_join(tw_location *location, hd_time time)
{
    RECORD(ThreadJoin, OTF2_PARADIGM_OPENMP);
}

void
tw_team_begin(tw_location *location, hd_time time, uint32_t team)
{
    RECORD(ThreadTeamBegin, comm_ref(location, team));
}

void
tw_team_end(tw_location *location, hd_time time, uint32_t team)
{
    RECORD(ThreadTeamEnd, comm_ref(location, team));
}

static OTF2_Paradigm
lock_paradigm(bool is_posix)
{
    return is_posix ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_OPENMP;
}

void
tw_acquire(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order)
{
    RECORD(ThreadAcquireLock, lock_paradigm(is_posix), lock, order);
}

void
tw_release(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order)
{
    RECORD(ThreadReleaseLock, lock_paradigm(is_posix), lock, order);
}

void
tw_task_create(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskCreate, comm_ref(location, team), creator, generation);
}

void
tw_task_switch(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskSwitch, comm_ref(location, team), creator, generation);
}

void
tw_task_complete(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskComplete, comm_ref(location, team), creator, generation);
}

void
tw_thread_create(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadCreate, comm_ref(location, contingent), sequence);
}

void
tw_thread_begin(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadBegin, comm_ref(location, contingent), sequence);
}

void
tw_thread_wait(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadWait, comm_ref(location, contingent), sequence);
}

void
tw_thread_end(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadEnd, comm_ref(location, contingent), sequence);
}

void
tw_rma_win_create(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWinCreate, window_ref(location, window));
}

void
tw_rma_win_destroy(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWinDestroy, window_ref(location, window));
}

void
tw_rma_collective_begin(tw_location *location, hd_time time)
{
    RECORD(RmaCollectiveBegin);
}

void
tw_rma_collective_end(tw_location *location, hd_time time, tw_collective operation, uint32_t sync, uint32_t window,
                      uint32_t root, uint64_t sent, uint64_t received)
{
    RECORD(RmaCollectiveEnd, (OTF2_CollectiveOp)operation, sync, window_ref(location, window), root, sent, received);
}

void
tw_rma_group_sync(tw_location *location, hd_time time, uint32_t sync, uint32_t window, uint32_t group)
{
    RECORD(RmaGroupSync, sync, window_ref(location, window), group_ref(location, group));
}

static OTF2_LockType
lock_type(bool exclusive)
{
    return exclusive ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED;
}

void
tw_rma_request_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock, bool exclusive)
{
    RECORD(RmaRequestLock, window_ref(location, window), remote, lock, lock_type(exclusive));
}

void
tw_rma_acquire_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock, bool exclusive)
{
    RECORD(RmaAcquireLock, window_ref(location, window), remote, lock, lock_type(exclusive));
}

void
tw_rma_release_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock)
{
    RECORD(RmaReleaseLock, window_ref(location, window), remote, lock);
}

void
tw_rma_put(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD(RmaPut, window_ref(location, window), remote, bytes, matching);
}

void
tw_rma_get(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD(RmaGet, window_ref(location, window), remote, bytes, matching);
}

void
tw_rma_atomic(tw_location *location, hd_time time, uint32_t window, uint32_t remote, tw_atomic type, uint64_t sent,
              uint64_t received, uint64_t matching)
{
    RECORD(RmaAtomic, window_ref(location, window), remote, (OTF2_RmaAtomicType)type, sent, received, matching);
}

void
tw_rma_op_complete_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteBlocking, window_ref(location, window), matching);
}

void
tw_rma_op_complete_non_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteNonBlocking, window_ref(location, window), matching);
}

void
tw_rma_op_complete_remote(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteRemote, window_ref(location, window), matching);
}

void
tw_rma_wait_change(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWaitChange, window_ref(location, window));
}

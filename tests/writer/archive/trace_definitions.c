/* tests/writer/archive/trace_definitions.c: texts, regions, groups, communicators, windows, teams and calling contexts
 * of an archive, kept in memory until it is closed. */
#include <string.h>

#include "memory.h"
#include "region_roles.h"
#include "trace_writer_parts.h"

uint32_t
tw_text_add(tw_archive *archive, const char *text)
{
    HD_PUSH(archive->texts, archive->n_texts, archive->texts_capacity, hd_strdup(text));
    return (uint32_t)archive->n_texts - 1;
}

uint32_t
tw_text_once(tw_archive *archive, uint32_t *text, const char *words)
{
    if (*text == HD_NONE)
        *text = tw_text_add(archive, words);
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
                          .text     = tw_text_add(archive, name),
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
        tw_fail("two region names with one hash");
    }
    if (archive->options.with_mappings && archive->has_locations)
        tw_fail("with mapping tables all regions must be defined before the first location");
    i = (uint32_t)archive->n_regions;
    if (strncmp(name, "MPI_", 4) == 0)
        region_add(archive, name, tw_role_of_mpi(name + 4), OTF2_PARADIGM_MPI, archive->text_mpi);
    else if (strncmp(name, "!$omp", 5) == 0)
        region_add(archive, name, tw_role_of_omp(name), OTF2_PARADIGM_OPENMP, OTF2_UNDEFINED_STRING);
    else if (strncmp(name, "omp_", 4) == 0)
        region_add(archive, name, OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_OPENMP,
                   tw_text_once(archive, &archive->file_omp, "OMP"));
    else if (strncmp(name, "pthread_", 8) == 0)
        region_add(archive, name, tw_role_of_pthread(name), OTF2_PARADIGM_PTHREAD,
                   tw_text_once(archive, &archive->file_pthread, "PTHREAD"));
    else if (strncmp(name, "shmem_", 6) == 0)
        region_add(archive, name, tw_role_of_shmem(name + 6), OTF2_PARADIGM_SHMEM,
                   tw_text_once(archive, &archive->text_shmem, "SHMEM"));
    else if (tw_role_of_posix_io(name) != OTF2_REGION_ROLE_UNKNOWN)
        region_add(archive, name, tw_role_of_posix_io(name), OTF2_PARADIGM_NONE,
                   tw_text_once(archive, &archive->file_posix, "POSIX I/O"));
    else if (strncmp(name, "kernel_", 7) == 0)
        region_add(archive, name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA,
                   tw_text_once(archive, &archive->file_kernel, "CUDA_KERNEL"));
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
                        .name     = *name == '\0' ? 0 : tw_text_add(archive, name),
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
            tw_fail("a group with a process that is not there");
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
        tw_fail("with mapping tables all groups must be defined before the first location");
    return process_group_add(archive, processes, n);
}

static uint32_t
comm_add(tw_archive *archive, const char *name, uint32_t group_a, uint32_t group_b, bool is_team, bool has_events)
{
    comm_def comm = { .name       = name == NULL ? 0 : tw_text_add(archive, name),
                      .group_a    = group_a,
                      .group_b    = group_b,
                      .is_team    = is_team,
                      .has_events = has_events };

    if (archive->options.with_mappings && archive->has_locations)
        tw_fail("with mapping tables all communicators must be defined before the first location");
    HD_PUSH(archive->comms, archive->n_comms, archive->comms_capacity, comm);
    return (uint32_t)archive->n_comms - 1 - FIRST_COMM;
}

uint32_t
tw_comm_define(tw_archive *archive, const char *name, const uint32_t *processes, uint32_t n)
{
    return comm_add(archive, name, process_group_add(archive, processes, n), HD_NONE, false, true);
}

uint32_t
tw_inter_comm_define(tw_archive *archive, const char *name, const uint32_t *group_a, uint32_t n_a,
                     const uint32_t *group_b, uint32_t n_b)
{
    uint32_t a = process_group_add(archive, group_a, n_a);
    uint32_t b = process_group_add(archive, group_b, n_b);

    return comm_add(archive, name, a, b, false, true);
}

OTF2_LocationRef
tw_location_ref(uint32_t process, uint32_t thread)
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
        members[i] = tw_location_ref(i, 0);
    group = group_add(archive, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, "", members, n);
    free(members);
    return group;
}

static uint32_t
window_add(tw_archive *archive, const char *name, uint32_t comm, bool is_shmem)
{
    window_def window = { .name = tw_text_add(archive, name), .comm = comm + FIRST_COMM, .is_shmem = is_shmem };

    if (window.comm >= archive->n_comms)
        tw_fail("a window on a communicator that is not there");
    if (archive->options.with_mappings && archive->has_locations)
        tw_fail("with mapping tables all windows must be defined before the first location");
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
        all[i] = tw_location_ref(i / n_threads, i % n_threads);
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
            tw_fail("a team with a thread that is not there");
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
        archive->text_omp      = tw_text_add(archive, "OpenMP");
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
        archive->text_pthread      = tw_text_add(archive, "Pthread");
        archive->pthread_locations = locations_add(archive, OTF2_PARADIGM_PTHREAD, "PTHREAD");
    }
    return threads_add(archive, OTF2_PARADIGM_PTHREAD, process, NULL, archive->options.n_threads);
}

void
tw_define_first(tw_archive *archive)
{
    const tw_archive_options *options = &archive->options;
    uint32_t                  n       = options->n_processes * options->n_threads;
    uint64_t                 *members = HD_NEW_ARRAY(uint64_t, n);
    const char               *base    = strrchr(archive->program_path, '/');

    tw_text_add(archive, "");
    archive->text_mpi     = tw_text_add(archive, "MPI");
    archive->text_program = tw_text_add(archive, archive->program_path);
    region_add(archive, "MEASUREMENT OFF", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_USER, OTF2_UNDEFINED_STRING);
    region_add(archive, "TRACE BUFFER FLUSH", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
               OTF2_UNDEFINED_STRING);
    region_add(archive, base == NULL ? archive->program_path : base + 1, OTF2_REGION_ROLE_ARTIFICIAL,
               OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_UNDEFINED_STRING);

    masters_add(archive, OTF2_PARADIGM_MPI);
    for (uint32_t i = 0; i < n; i++)
        members[i] = tw_location_ref(i / options->n_threads, i % options->n_threads);
    group_add(archive, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
              "PROCESSXTHREADS_GROUP_LOCATIONS", members, n);
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

uint32_t
tw_context_define(tw_archive *archive, uint32_t parent, uint32_t region)
{
    HD_PUSH(archive->contexts, archive->n_contexts, archive->contexts_capacity,
            ((context_def){ region, parent, HD_NONE, 0 }));
    return (uint32_t)archive->n_contexts - 1;
}

uint32_t
tw_context_define_at(tw_archive *archive, uint32_t parent, uint32_t region, const char *file, uint32_t line)
{
    uint32_t     number  = tw_context_define(archive, parent, region);
    context_def *context = &archive->contexts[number];

    for (uint32_t i = 0; i < number && context->file == HD_NONE; i++)
        if (archive->contexts[i].file != HD_NONE && strcmp(archive->texts[archive->contexts[i].file], file) == 0)
            context->file = archive->contexts[i].file;
    if (context->file == HD_NONE)
        context->file = tw_text_add(archive, file);
    context->line = line;
    return number;
}

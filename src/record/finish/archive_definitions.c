/* src/record/finish/archive_definitions.c: writes the global definitions in the order that Score-P writes them. */
#include "archive_definitions.h"

#include "archive_property.h"
#include "archive_topologies.h"
#include "counter_names.h"
#include "mpi_functions.h"
#include "run_system.h"
#include "table.h"

#define PROCESSORS "HEDDLE::PROCESSORS" /* that a process or thread may use */

/* ---- system tree ------------------------------------------------------------------------------------------------- */

static uint32_t
group_of(const hd_recorded_run *run, uint32_t process)
{
    return run->world_size > 0 ? run->processes[process].raw->rank : process;
}

/* References: 0 is the machine, others follow in the order of the run. */
static void
write_system_node(writing *to, uint32_t reference, const hd_run_system_node *node)
{
    static const struct {
        const char           *name;
        OTF2_SystemTreeDomain domain;
    } levels[] = { [HD_RUN_NODE]   = { "node", OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY },
                   [HD_RUN_SOCKET] = { "socket", OTF2_SYSTEM_TREE_DOMAIN_SOCKET },
                   [HD_RUN_NUMA]   = { "numa", OTF2_SYSTEM_TREE_DOMAIN_NUMA },
                   [HD_RUN_CORE]   = { "core", OTF2_SYSTEM_TREE_DOMAIN_CORE } };
    char    *number = hd_format("%u", node->number);
    uint32_t name   = string(to, node->host != NULL ? node->host : number);

    note(to, OTF2_GlobalDefWriter_WriteSystemTreeNode(to->writer, reference, name, string(to, levels[node->level].name),
                                                      node->parent != HD_NONE ? node->parent + 1 : 0));
    note(to, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(to->writer, reference, levels[node->level].domain));
    free(number);
}

static OTF2_AttributeValue
processors(writing *to, const hd_raw_place *place)
{
    char               *text  = hd_run_system_processors(place);
    OTF2_AttributeValue value = { .stringRef = string(to, text) };

    free(text);
    return value;
}

static void
write_process(writing *to, uint32_t number)
{
    const hd_raw_process *raw   = to->run->processes[number].raw;
    uint32_t              group = group_of(to->run, number), place = to->run->processes[number].place + 1;
    uint32_t name = to->run->world_size > 0 ? numbered(to, "MPI Rank", group) : numbered(to, "Process", group);
    uint64_t     words[HD_RAW_MAX_PROCESSORS / 64];
    hd_raw_place all = hd_run_system_place(raw, words);

    note(to, OTF2_GlobalDefWriter_WriteLocationGroup(to->writer, group, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, place,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    if (all.n > 0)
        note(to, OTF2_GlobalDefWriter_WriteLocationGroupProperty(to->writer, group, string(to, PROCESSORS),
                                                                 OTF2_TYPE_STRING, processors(to, &all)));
}

/* own: of the thread, where they are others than those of the process. */
static void
write_location(writing *to, const hd_raw_location *location, uint32_t name, const hd_raw_place *own, uint64_t n_events,
               uint32_t group)
{
    note(to, OTF2_GlobalDefWriter_WriteLocation(to->writer, location->ref, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                n_events, group));
    if (own->n > 0)
        note(to, OTF2_GlobalDefWriter_WriteLocationProperty(to->writer, location->ref, string(to, PROCESSORS),
                                                            OTF2_TYPE_STRING, processors(to, own)));
}

/* Of the first thread those that were asked for the process, if others have more. */
static hd_raw_place
place_of(const hd_raw_process *raw, size_t location)
{
    hd_raw_place own = raw->locations[location].place;

    for (size_t i = 0; i < raw->n_locations && location == 0; i++)
        if (raw->locations[i].place.n > 0)
            own = raw->place;
    return own;
}

/* A rank that has recorded nothing has a thread without events: all of the world have a place in the archive. */
static void
write_absent(writing *to, uint32_t rank)
{
    note(to, OTF2_GlobalDefWriter_WriteLocationGroup(to->writer, rank, numbered(to, "MPI Rank", rank),
                                                     OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    note(to, OTF2_GlobalDefWriter_WriteLocation(to->writer, rank, string(to, "Master thread"),
                                                OTF2_LOCATION_TYPE_CPU_THREAD, 0, rank));
}

static void
write_places(writing *to, const uint64_t *n_events)
{
    const hd_recorded_run *run     = to->run;
    uint32_t               machine = string(to, "machine");

    note(to, OTF2_GlobalDefWriter_WriteSystemTreeNode(to->writer, 0, string(to, "Linux"), machine,
                                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    note(to, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(to->writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    for (uint32_t i = 0; i < run->n_system; i++)
        write_system_node(to, i + 1, &run->system[i]);
    for (uint32_t i = 0; i < run->n; i++)
        write_process(to, i);
    for (uint32_t i = 0; i < run->n; i++) {
        const hd_raw_process *raw       = run->processes[i].raw;
        uint32_t              n_threads = 0, n_created = 0;

        for (size_t j = 0; j < raw->n_locations; j++) {
            const hd_raw_location *location = &raw->locations[j];
            uint32_t name = j == 0                       ? string(to, "Master thread") :
                            location->parent != HD_NONE  ? numbered(to, "OMP thread", location->member) :
                            location->level == 0         ? numbered(to, "Thread", ++n_threads) :
                                                           numbered(to, "Pthread thread", ++n_created);

            hd_raw_place own = place_of(raw, j);

            write_location(to, location, name, &own, *n_events++, group_of(run, i));
        }
    }
    for (uint32_t rank = hd_run_next_absent(run, 0); rank < run->world_size; rank = hd_run_next_absent(run, rank + 1))
        write_absent(to, rank);
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static OTF2_RegionRole
mpi_role(uint32_t function)
{
    static const OTF2_RegionRole roles[] = {
#define HD_MPI_NAME(name, role) OTF2_REGION_ROLE_##role,
        HD_MPI_NAMES
#undef HD_MPI_NAME
    };

    return roles[function];
}

/* Of OpenMP and of POSIX threads. */
static OTF2_RegionRole
thread_role(uint32_t role)
{
    static const OTF2_RegionRole roles[] = {
#define ROLE(name, text, role) OTF2_REGION_ROLE_##role,
        HD_RAW_ROLES(ROLE)
#undef ROLE
    };

    return roles[role];
}

static void
write_regions(writing *to)
{
    static const OTF2_Paradigm paradigms[] = { [HD_RUN_MPI]      = OTF2_PARADIGM_MPI,
                                               [HD_RUN_OPENMP]   = OTF2_PARADIGM_OPENMP,
                                               [HD_RUN_PTHREAD]  = OTF2_PARADIGM_PTHREAD,
                                               [HD_RUN_FUNCTION] = OTF2_PARADIGM_COMPILER,
                                               [HD_RUN_USER]     = OTF2_PARADIGM_USER };

    for (size_t i = 0; i < to->run->n_regions; i++) {
        const hd_run_region *region = &to->run->regions[i];
        OTF2_RegionRole      role   = region->paradigm == HD_RUN_MPI      ? mpi_role(region->role) :
                                      region->paradigm == HD_RUN_OPENMP ||
                                      region->paradigm == HD_RUN_PTHREAD  ? thread_role(region->role) :
                                      region->paradigm == HD_RUN_USER     ? OTF2_REGION_ROLE_CODE :
                                                                           OTF2_REGION_ROLE_FUNCTION;
        uint32_t name = string(to, region->name);
        bool     is_iteration = region->paradigm == HD_RUN_USER && region->role != 0;
        uint32_t file = region->source.file != NULL ? string(to, region->source.file) : OTF2_UNDEFINED_STRING;

        note(to, OTF2_GlobalDefWriter_WriteRegion(to->writer, (uint32_t)i, name, name, string(to, ""), role,
                                                  paradigms[region->paradigm],
                                                  is_iteration ? OTF2_REGION_FLAG_DYNAMIC : OTF2_REGION_FLAG_NONE,
                                                  file, region->source.line, 0));
    }
}

/* ---- groups and communicators ------------------------------------------------------------------------------------ */

/* Ranks of the world are the indexes of their locations in the group of all of them. */
static void
write_mpi_locations(writing *to)
{
    uint64_t *members = HD_NEW_ARRAY(uint64_t, to->run->world_size);

    for (uint32_t i = 0; i < to->run->world_size; i++)
        members[i] = i;
    write_group(to, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, members, to->run->world_size);
    write_group(to, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, NULL, 0);
    free(members);
    for (size_t i = 0; i < to->run->n_groups; i++) { /* from HD_ARCHIVE_FIRST_GROUP on */
        const hd_raw_group *group = &to->run->groups[i];
        uint64_t           *ranks = HD_NEW_ARRAY(uint64_t, group->n + 1);

        for (uint32_t j = 0; j < group->n; j++)
            ranks[j] = (uint64_t)group->members[j];
        write_group(to, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, ranks, group->n);
        free(ranks);
    }
}

static uint32_t
write_comm_group(writing *to, const hd_run_comm *comm, int side)
{
    enum { SELF_GROUP = 1 };
    uint64_t *members;
    uint32_t  group;

    if (comm->is_self)
        return SELF_GROUP;
    members = HD_NEW_ARRAY(uint64_t, comm->n_members[side]);
    for (uint32_t i = 0; i < comm->n_members[side]; i++)
        members[i] = (uint64_t)comm->members[side][i];
    group = write_group(to, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members, comm->n_members[side]);
    free(members);
    return group;
}

static void
write_comms(writing *to)
{
    const hd_recorded_run *run = to->run;

    for (size_t i = 0; i < run->n_comms; i++) {
        const hd_run_comm *comm   = &run->comms[i];
        bool               has    = comm->parent != HD_NONE && run->comms[comm->parent].is_known;
        uint32_t           parent = has ? comm->parent : OTF2_UNDEFINED_COMM, groups[2];
        uint32_t           name   = string(to, comm->name != NULL ? comm->name : "");

        if (!comm->is_known)
            continue;
        groups[0] = write_comm_group(to, comm, 0);
        if (!comm->is_inter) {
            note(to, OTF2_GlobalDefWriter_WriteComm(to->writer, (uint32_t)i, name, groups[0], parent,
                                                    comm->is_set ? OTF2_COMM_FLAG_NONE :
                                                                   OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS));
            continue;
        }
        groups[1] = write_comm_group(to, comm, 1);
        note(to, OTF2_GlobalDefWriter_WriteInterComm(to->writer, (uint32_t)i, name, groups[0], groups[1], parent,
                                                     OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS));
    }
}

static void
write_windows(writing *to)
{
    for (size_t i = 0; i < to->run->n_windows; i++) {
        const hd_run_window *window = &to->run->windows[i];
        uint32_t name = string(to, window->has_memory ? "MPI_Win_allocate window" : "MPI_Win_create window");

        note(to, OTF2_GlobalDefWriter_WriteRmaWin(to->writer, (uint32_t)i, name, window->comm,
                                                  OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Handles of one path are of one file. */
static void
write_files(writing *to)
{
    const hd_recorded_run *run = to->run;
    hd_map                 by_name = { 0 };
    uint32_t               n_files = 0;
    bool                   is_new;

    if (run->n_io_files > 0)
        note(to, OTF2_GlobalDefWriter_WriteIoParadigm(to->writer, 0, string(to, "MPI-IO"), string(to, "MPI I/O"),
                                                      OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                                      NULL, NULL, NULL));
    for (size_t i = 0; i < run->n_io_files; i++) {
        uint32_t  name = string(to, run->io_files[i].path);
        uint64_t *file = hd_map_add(&by_name, name, &is_new);

        if (is_new) {
            *file = n_files++;
            note(to, OTF2_GlobalDefWriter_WriteIoRegularFile(to->writer, (uint32_t)*file, name,
                                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        }
        note(to, OTF2_GlobalDefWriter_WriteIoHandle(to->writer, (uint32_t)i, string(to, ""), (uint32_t)*file, 0,
                                                    OTF2_IO_HANDLE_FLAG_NONE, run->io_files[i].comm,
                                                    OTF2_UNDEFINED_IO_HANDLE));
    }
    hd_map_fini(&by_name);
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

static void
write_counter(writing *to, uint32_t number, const char *name, size_t n)
{
    static const struct {
        const char     *name, *unit;
        OTF2_Base       base;
        int64_t         exponent;
        bool            adds;
    } usage[] = {
#define R(name, value, unit, base, exponent, adds) { name, unit, OTF2_BASE_##base, exponent, adds },
        HD_USAGE_COUNTERS(R)
#undef R
    };
    char  *text = hd_format("%.*s", (int)n, name);
    size_t i    = 0;
    bool   is_usage, is_time = strcmp(text, "task-clock") == 0; /* of those of perf */

    while (i < sizeof usage / sizeof *usage && strcmp(usage[i].name, text) != 0)
        i++;
    is_usage = i < sizeof usage / sizeof *usage;
    note(to, OTF2_GlobalDefWriter_WriteMetricMember(
                 to->writer, number, string(to, text), string(to, ""),
                 is_usage ? OTF2_METRIC_TYPE_RUSAGE : OTF2_METRIC_TYPE_OTHER,
                 is_usage && !usage[i].adds ? OTF2_METRIC_ABSOLUTE_NEXT : OTF2_METRIC_ACCUMULATED_START,
                 OTF2_TYPE_UINT64, is_usage ? usage[i].base : OTF2_BASE_DECIMAL, is_usage ? usage[i].exponent : 0,
                 string(to, is_usage ? usage[i].unit : is_time ? "ns" : "#")));
    free(text);
}

static void
write_counters(writing *to)
{
    OTF2_MetricMemberRef members[HD_MAX_COUNTERS];
    const char          *at = to->run->counters;

    if (to->run->n_counters == 0)
        return;
    for (uint32_t i = 0; i < to->run->n_counters; i++) {
        size_t n = strcspn(at, ",");

        members[i] = i;
        write_counter(to, i, at, n);
        at += n + (at[n] == ',');
    }
    note(to, OTF2_GlobalDefWriter_WriteMetricClass(to->writer, 0, (uint8_t)to->run->n_counters, members,
                                                   OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU));
}

/* Members of teams are indexes in the group of all locations. */
static void
write_teams(writing *to)
{
    const hd_recorded_run *run      = to->run;
    hd_map                 index_of = write_locations_group(to, OTF2_PARADIGM_OPENMP);

    for (size_t i = 0; i < run->n_teams; i++) {
        const hd_run_team *team    = &run->teams[i];
        uint64_t          *members = HD_NEW_ARRAY(uint64_t, team->n + 1);

        for (uint32_t j = 0; j < team->n; j++)
            members[j] = *hd_map_get(&index_of, team->members[j]);
        write_threads(to, OTF2_PARADIGM_OPENMP, (uint32_t)(run->n_comms + i), members, team->n);
        free(members);
    }
    hd_map_fini(&index_of);
}

/* The first thread of each process, and those that the program creates. */
static void
write_contingents(writing *to)
{
    const hd_recorded_run *run      = to->run;
    hd_map                 index_of = write_locations_group(to, OTF2_PARADIGM_PTHREAD);

    for (uint32_t i = 0; i < run->n; i++) {
        const hd_raw_process *raw     = run->processes[i].raw;
        uint64_t             *members = HD_NEW_ARRAY(uint64_t, raw->n_locations + 1);
        uint32_t              n       = 0;

        for (size_t j = 0; j < raw->n_locations; j++)
            if (j == 0 || (raw->locations[j].parent == HD_NONE && raw->locations[j].level > 0))
                members[n++] = *hd_map_get(&index_of, raw->locations[j].ref);
        write_threads(to, OTF2_PARADIGM_PTHREAD, hd_archive_contingent(run, i), members, n);
        free(members);
    }
    hd_map_fini(&index_of);
}

static void
write_sampler(writing *to, uint64_t sample_ns)
{
    uint32_t name = string(to, "processor time of the thread");

    note(to, OTF2_GlobalDefWriter_WriteInterruptGenerator(to->writer, 0, name, OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                                          OTF2_BASE_DECIMAL, -9, sample_ns));
}

/* Each is a context of the function that calls, at the place of the call, and one of the call in it: readers know from
 * these where the calls of a function are. */
static void
write_call_sites(writing *to)
{
    for (uint32_t i = 0; i < to->run->n_call_sites; i++) {
        const hd_run_call_site *site = &to->run->call_sites[i];

        if (site->source.line > 0)
            note(to, OTF2_GlobalDefWriter_WriteSourceCodeLocation(to->writer, i, string(to, site->source.file),
                                                                  site->source.line));
        note(to, OTF2_GlobalDefWriter_WriteCallingContext(
                     to->writer, 2 * i, site->left,
                     site->source.line > 0 ? i : OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT));
        note(to, OTF2_GlobalDefWriter_WriteCallingContext(to->writer, 2 * i + 1, site->entered,
                                                          OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 2 * i));
    }
}

void
hd_archive_properties_set(const hd_recorded_run *run, OTF2_Archive *archive)
{
    char *crowded = hd_run_system_crowded(run);

    if (run->world_size > 0)
        OTF2_Archive_SetBoolProperty(archive, "OTF2::MPI_COMMUNICATION_COMPLETE", true, false);
    if (run->has_openmp) {
        OTF2_Archive_SetBoolProperty(archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", true, false);
        OTF2_Archive_SetBoolProperty(archive, "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", false, false);
    }
    if (crowded != NULL)
        OTF2_Archive_SetProperty(archive, HD_SHARED_PROCESSORS_PROPERTY, crowded, false);
    OTF2_Archive_SetCreator(archive, "heddle record");
    OTF2_Archive_SetMachineName(archive, "Linux");
    OTF2_Archive_SetDescription(archive, "recorded without instrumentation");
    free(crowded);
}

hd_status
hd_archive_definitions_write(const hd_recorded_run *run, const uint64_t *n_events, uint64_t sample_ns,
                             OTF2_Archive *archive)
{
    writing to = { .run = run, .writer = OTF2_Archive_GetGlobalDefWriter(archive) };

    if (to.writer == NULL)
        return hd_fail(HD_EWRITE, "cannot begin the definitions of the archive");
    note(&to, OTF2_GlobalDefWriter_WriteClockProperties(to.writer, run->resolution, run->first,
                                                        run->last - run->first + 1, run->first_real_ns));
    string(&to, "");
    for (size_t i = 0; i < run->n_programs; i++)
        string(&to, run->programs[i]);
    if (run->world_size > 0)
        note(&to, OTF2_GlobalDefWriter_WriteParadigm(to.writer, OTF2_PARADIGM_MPI, string(&to, "MPI"),
                                                     OTF2_PARADIGM_CLASS_PROCESS));
    if (run->has_openmp)
        note(&to, OTF2_GlobalDefWriter_WriteParadigm(to.writer, OTF2_PARADIGM_OPENMP, string(&to, "OpenMP"),
                                                     OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
    if (run->has_pthreads)
        note(&to, OTF2_GlobalDefWriter_WriteParadigm(to.writer, OTF2_PARADIGM_PTHREAD, string(&to, "Pthread"),
                                                     OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT));
    write_places(&to, n_events);
    write_regions(&to);
    if (run->world_size > 0) {
        write_mpi_locations(&to);
        write_comms(&to);
        write_windows(&to);
    }
    write_files(&to);
    if (run->has_openmp)
        write_teams(&to);
    if (run->has_pthreads)
        write_contingents(&to);
    hd_archive_topologies_write(&to, hd_archive_contingent(run, run->has_pthreads ? run->n : 0));
    write_counters(&to);
    if (sample_ns > 0)
        write_sampler(&to, sample_ns);
    write_call_sites(&to);
    note(&to, OTF2_Archive_CloseGlobalDefWriter(archive, to.writer));
    for (size_t i = 0; i < to.n_strings; i++)
        free(to.strings[i]);
    free(to.strings);
    hd_map_fini(&to.by_hash);
    return to.error == OTF2_SUCCESS ? HD_OK :
                                      hd_fail(HD_EWRITE, "cannot write the definitions of the archive: %s",
                                              OTF2_Error_GetDescription(to.error));
}

/* tests/writer/archive/trace_global_definitions.c: the file of the global definitions, written last. */
#include "memory.h"
#include "status.h"
#include "trace_writer_parts.h"

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

    tw_check(OTF2_GlobalDefWriter_WriteString(writer, text, "CUDA[0:7]"), "string");
    for (uint32_t i = 0; i < options->n_processes; i++) {
        const uint64_t *n_events = &archive->n_events[(size_t)i * tw_locations_of_process(options)];
        uint32_t        group    = options->n_processes + i;

        tw_check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, group, text, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR,
                                                         1 + i / options->processes_per_node, i),
                 "location group");
        for (uint32_t k = options->n_threads; k < tw_locations_of_process(options); k++)
            tw_check(OTF2_GlobalDefWriter_WriteLocation(writer, tw_location_ref(i, k), text,
                                                        OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, n_events[k], group),
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
    uint32_t node = i / options->processes_per_node,
    per_node = parts_of(options->processes_per_node, options->processes_per_numa);

    return per_node == 0 ? 1 + node
                         : 1 + levels_of(options).n_nodes + node * per_node +
                         i % options->processes_per_node / options->processes_per_numa;
}

/* Nodes of one level: they are named by text and number, and have `each` of them at one parent. domain: or -1 */
static void
write_level(OTF2_GlobalDefWriter *writer, uint32_t *n_ref, const char *kind, int domain, uint32_t first, uint32_t n,
            uint32_t first_parent, uint32_t each)
{
    uint32_t kind_text = *n_ref, text;

    if (n > 0)
        tw_check(OTF2_GlobalDefWriter_WriteString(writer, (*n_ref)++, kind), "string");
    for (uint32_t i = 0; i < n; i++) {
        char *name = hd_format("%s%04" PRIu32, kind, i);

        text = (*n_ref)++;
        tw_check(OTF2_GlobalDefWriter_WriteString(writer, text, name), "string");
        free(name);
        tw_check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, first + i, text, kind_text,
                                                          first_parent + (each == 0 ? 0 : i / each)), "node");
        if (domain >= 0)
            tw_check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, first + i, (OTF2_SystemTreeDomain)domain),
                     "domain");
    }
}

static void
write_levels(const tw_archive_options *options, OTF2_GlobalDefWriter *writer, uint32_t *n_ref)
{
    levels   l    = levels_of(options);
    uint32_t numa = 1 + l.n_nodes, rack = numa + l.n_numas, row = rack + l.n_racks;

    write_level(writer, n_ref, "row", -1, row, l.n_rows, 0, 0);
    write_level(writer, n_ref, "rack", -1, rack, l.n_racks, l.n_rows > 0 ? row : 0,
                l.n_rows > 0 ? options->racks_per_row : 0);
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

#define TEXT(reference, words) tw_check(OTF2_GlobalDefWriter_WriteString(writer, ((reference) = n_ref++), (words)),    \
                                        "string")
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
                               : is_posix                                      ? "Pthread thread" : "OMP thread";
        char       *name     = hd_format("%s %" PRIu32, kind, i);

        TEXT(threads[i], name);
        free(name);
    }
    tw_check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, machine, machine_class,
                                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE), "node");
    tw_check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE), "domain");
    write_levels(options, writer, &n_ref);
    for (uint32_t i = 0; i < options->n_processes; i++) {
        char    *name = hd_format("MPI Rank %" PRIu32, i);
        uint32_t text;

        TEXT(text, name);
        free(name);
        tw_check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, text, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                         home_of(options, i), OTF2_UNDEFINED_LOCATION_GROUP),
                 "location group");
    }
    for (uint32_t i = 0; i < options->n_processes; i++)
        for (uint32_t k = 0; k < options->n_threads; k++)
            tw_check(OTF2_GlobalDefWriter_WriteLocation(writer, tw_location_ref(i, k), threads[k], type_of(options, k),
                                                        archive->n_events[(size_t)i * tw_locations_of_process(options) +
                                                                       k], i),
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

        tw_check(OTF2_GlobalDefWriter_WriteGroup(writer, i, group->name, group->type, group->paradigm,
                                                 OTF2_GROUP_FLAG_NONE, group->n, group->members),
                 "group");
    }
    for (uint32_t i = 0; i < archive->n_comms; i++) {
        const comm_def *comm   = &archive->comms[i];
        uint32_t        parent = i > FIRST_COMM + TW_SELF && !comm->is_team ? FIRST_COMM + TW_WORLD :
                                 OTF2_UNDEFINED_COMM;
        uint32_t        flags  = comm->has_events ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;

        if (comm->group_b != HD_NONE)
            tw_check(OTF2_GlobalDefWriter_WriteInterComm(writer, i, comm->name, comm->group_a, comm->group_b, parent,
                                                         flags),
                     "inter-communicator");
        else
            tw_check(OTF2_GlobalDefWriter_WriteComm(writer, i, comm->name, comm->group_a, parent, flags),
                     "communicator");
    }
}

static void
write_windows(tw_archive *archive, OTF2_GlobalDefWriter *writer)
{
    for (uint32_t i = 0; i < archive->n_windows; i++) {
        const window_def *window = &archive->windows[i];
        uint32_t          flags  = window->is_shmem ? OTF2_RMA_WIN_FLAG_NONE : OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS;

        tw_check(OTF2_GlobalDefWriter_WriteRmaWin(writer, i, window->name, window->comm, flags), "window");
    }
}

static uint32_t
name_write(OTF2_GlobalDefWriter *writer, uint32_t *n_texts, const char *text)
{
    tw_check(OTF2_GlobalDefWriter_WriteString(writer, *n_texts, text), "string");
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
    tw_check(OTF2_GlobalDefWriter_WriteCartDimension(writer, 0, name, options->n_processes, OTF2_CART_PERIODIC_FALSE),
             "dimension");
    name = name_write(writer, &n_texts, "Thread");
    tw_check(OTF2_GlobalDefWriter_WriteCartDimension(writer, 1, name, options->n_threads, OTF2_CART_PERIODIC_FALSE),
             "dimension");
    name = name_write(writer, &n_texts, "Process x Thread");
    tw_check(OTF2_GlobalDefWriter_WriteCartTopology(writer, 0, name, 0, 2, own), "topology");
    for (uint32_t i = 0; i < options->n_processes * options->n_threads; i++) {
        uint32_t at[2] = { i / options->n_threads, i % options->n_threads };

        tw_check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 0, i, 2, at), "coordinate");
    }
    if (options->n_dimensions == 0)
        return;
    HD_ASSERT(options->n_dimensions <= sizeof given / sizeof *given);
    for (uint32_t i = 0; i < options->n_dimensions; i++) {
        char                *text = hd_format("dimension %" PRIu32, i);
        OTF2_CartPeriodicity wrap;

        name = name_write(writer, &n_texts, text);
        wrap = options->periodic[i] ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE;
        tw_check(OTF2_GlobalDefWriter_WriteCartDimension(writer, given[i], name, options->dimensions[i], wrap),
                 "dimension");
        free(text);
    }
    name = name_write(writer, &n_texts, "grid");
    tw_check(OTF2_GlobalDefWriter_WriteCartTopology(writer, 1, name, FIRST_COMM + TW_WORLD,
                                                    (uint8_t)options->n_dimensions, given),
             "topology");
    for (uint32_t i = 0; i < options->n_processes; i++) {
        uint32_t at[3] = { 0 }, rest = i;

        for (uint32_t k = options->n_dimensions; k-- > 0; rest /= options->dimensions[k])
            at[k] = rest % options->dimensions[k];
        tw_check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 1, i, (uint8_t)options->n_dimensions, at),
                 "coordinate");
    }
}

static void
write_counters(const tw_archive *archive, OTF2_GlobalDefWriter *writer, const uint32_t *names)
{
    uint32_t n = archive->options.n_counters, members[TW_COUNTERS_MAX];

    for (uint32_t k = 0; k < n; k++) {
        members[k] = k;
        tw_check(OTF2_GlobalDefWriter_WriteMetricMember(writer, k, names[k], names[k], OTF2_METRIC_TYPE_PAPI,
                     OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, names[k]),
                 "metric");
    }
    if (n > 0)
        tw_check(OTF2_GlobalDefWriter_WriteMetricClass(writer, 0, (uint8_t)n, members, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                                       OTF2_RECORDER_KIND_CPU),
                 "metric class");
}

/* All samples are taken every 10 ms. */
static void
write_contexts(const tw_archive *archive, OTF2_GlobalDefWriter *writer, uint32_t name)
{
    for (uint32_t i = 0; i < archive->n_contexts; i++) {
        const context_def *context = &archive->contexts[i];

        if (context->file != HD_NONE)
            tw_check(OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer, i, context->file, context->line),
                     "place in the source");
        tw_check(OTF2_GlobalDefWriter_WriteCallingContext(writer, i, context->region,
                     context->file != HD_NONE ? i : OTF2_UNDEFINED_SOURCE_CODE_LOCATION, context->parent),
                 "calling context");
    }
    if (archive->n_contexts > 0)
        tw_check(OTF2_GlobalDefWriter_WriteInterruptGenerator(writer, 0, name, OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                                              OTF2_BASE_DECIMAL, -3, 10),
                 "interrupt generator");
}

void
tw_write_global(tw_archive *archive)
{
    const tw_archive_options *options = &archive->options;
    OTF2_GlobalDefWriter     *writer  = OTF2_Archive_GetGlobalDefWriter(archive->otf2);
    static const char *const  counters[TW_COUNTERS_MAX] =
        { "PAPI_TOT_INS", "PAPI_TOT_CYC", "task-clock", "PAPI_L3_TCM", "PAPI_L2_TCM", "PAPI_L1_DCM", "PAPI_RES_STL",
          "PAPI_BR_MSP" };
    uint32_t template_text, window_text, timer_text, n_texts, counter_texts[TW_COUNTERS_MAX];

    tw_check_not_null(writer, "global definitions");
    if (archive->shmem_locations != HD_NONE)
        tw_text_once(archive, &archive->text_shmem, "SHMEM");
    tw_check(OTF2_GlobalDefWriter_WriteClockProperties(writer, options->resolution, options->first_time,
                                                       archive->last + 1, OTF2_UNDEFINED_TIMESTAMP),
             "clock");
    template_text = tw_text_add(archive, "Comm ${id}");
    window_text   = tw_text_add(archive, "Win ${id}");
    timer_text    = tw_text_add(archive, "timer");
    HD_ASSERT(options->n_counters <= TW_COUNTERS_MAX);
    for (uint32_t k = 0; k < options->n_counters; k++)
        counter_texts[k] = tw_text_add(archive, counters[k]);
    for (uint32_t i = 0; i < archive->n_texts; i++)
        tw_check(OTF2_GlobalDefWriter_WriteString(writer, i, archive->texts[i]), "string");
    tw_check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI, archive->text_mpi,
                                                OTF2_PARADIGM_CLASS_PROCESS), "MPI");
    tw_check(OTF2_GlobalDefWriter_WriteParadigmProperty(writer, OTF2_PARADIGM_MPI,
                                                        OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                                        OTF2_TYPE_STRING, (OTF2_AttributeValue){ .stringRef =
                                                         template_text }),
             "MPI");
    tw_check(OTF2_GlobalDefWriter_WriteParadigmProperty(writer, OTF2_PARADIGM_MPI,
                                                        OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
                                                        OTF2_TYPE_STRING, (OTF2_AttributeValue){ .stringRef =
                                                         window_text }),
             "MPI");
    if (archive->text_shmem != HD_NONE)
        tw_check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_SHMEM, archive->text_shmem,
                                                    OTF2_PARADIGM_CLASS_PROCESS),
                 "SHMEM");
    if (archive->omp_locations != HD_NONE)
        tw_check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_OPENMP, archive->text_omp,
                                                    OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN),
                 "OpenMP");
    if (archive->pthread_locations != HD_NONE)
        tw_check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_PTHREAD, archive->text_pthread,
                                                    OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT),
                 "POSIX threads");
    n_texts = write_system(archive, writer);
    for (uint32_t i = 0; i < archive->n_regions; i++) {
        const region_def *region    = &archive->regions[i];
        uint32_t          canonical = i == REGION_PROGRAM ? archive->text_program : region->text;

        tw_check(OTF2_GlobalDefWriter_WriteRegion(writer, i, region->text, canonical, 0, region->role, region->paradigm,
                                                  strncmp(region->name, "dynamic_", 8) == 0 ?
                                                      OTF2_REGION_FLAG_DYNAMIC : OTF2_REGION_FLAG_NONE,
                                                  region->file, 0, 0),
                 "region");
    }
    write_contexts(archive, writer, timer_text);
    write_counters(archive, writer, counter_texts);
    write_communicators(archive, writer);
    write_windows(archive, writer);
    tw_write_files(archive, writer);
    write_topologies(archive, writer, n_texts);
}

/* tests/trace/archive/test_archive.c: archives that are there and archives that are not; definitions that cannot be
 * believed. */
#include <otf2/otf2.h>
#include <stdbool.h>
#include <unistd.h>

#include "archive.h"
#include "defs_read.h"
#include "check.h"
#include "comm_group.h"
#include "memory.h"

#define PAT DATA_FOLDER "/pat-mpi-4"

/* The OTF2 library does not free what it has when it fails to open an archive. Asked by the leak checker, if there is
 * one. */
const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
    return "leak:libopen-trace-format2";
}

static char folder[] = "/tmp/test_archive.XXXXXX";

static const char *
make_folder(void)
{
    static bool is_made;

    if (!is_made && mkdtemp(folder) == NULL)
        hd_fatal("cannot make the folder \"%s\"", folder);
    is_made = true;
    return folder;
}

static void
write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        hd_fatal("cannot write the file \"%s\"", path);
}

static hd_status
find(const char *path)
{
    char     *anchor = NULL;
    hd_status status = hd_archive_find(path, &anchor);

    CHECK_EQ(anchor != NULL, status == HD_OK);
    free(anchor);
    return status;
}

/* Finding the anchor. */

TEST(the_path_of_an_anchor_is_the_anchor)
{
    char *anchor = NULL;

    CHECK_EQ(hd_archive_find(PAT "/traces.otf2", &anchor), HD_OK);
    CHECK_STR(anchor, PAT "/traces.otf2");
    free(anchor);
}

TEST(the_folder_of_an_archive_stands_for_its_anchor)
{
    char *anchor = NULL;

    CHECK_EQ(hd_archive_find(PAT, &anchor), HD_OK);
    CHECK_STR(anchor, PAT "/traces.otf2");
    free(anchor);
}

TEST(a_path_that_is_not_there_cannot_be_found)
{
    CHECK_EQ(find(PAT "/no.otf2"), HD_EOPEN);
    CHECK(strstr(hd_error_get()->text, "no.otf2") != NULL);
}

TEST(a_folder_without_an_archive_cannot_be_read)
{
    CHECK_EQ(find(make_folder()), HD_EOPEN);
    CHECK(strstr(hd_error_get()->text, "traces.otf2") != NULL);
    CHECK(strstr(hd_error_get()->details, "try:") != NULL);
}

TEST(archives_in_and_around_a_folder_are_named)
{
    CHECK_EQ(find(DATA_FOLDER), HD_EOPEN);
    CHECK(strstr(hd_error_get()->details, "found:    \"" DATA_FOLDER "/") != NULL);
    CHECK(strstr(hd_error_get()->details, "more") != NULL);
    CHECK_EQ(find(PAT "/traces"), HD_EOPEN);
    CHECK(strstr(hd_error_get()->details, "found:    \"" PAT "/traces.otf2\"") != NULL);
}

TEST(a_file_of_another_name_is_no_anchor)
{
    CHECK_EQ(find(PAT "/traces.def"), HD_EFORMAT);
    CHECK(strstr(hd_error_get()->text, "traces.def") != NULL);
    CHECK(strstr(hd_error_get()->details, "found:    \"" PAT "/traces.otf2\"") != NULL);
}

TEST(an_archive_has_its_folder_of_event_files)
{
    CHECK_EQ(hd_archive_check_events(PAT "/traces.otf2"), HD_OK);
}

TEST(the_files_of_a_location_are_in_the_folder_beside_the_anchor)
{
    char *path = hd_archive_file("a/b.otf2", UINT64_C(4294967297), "evt");

    CHECK_STR(path, "a/b/4294967297.evt");
    free(path);
}

/* Reading the definitions. */

TEST(the_definitions_of_a_real_archive_are_read)
{
    hd_defs              *defs = NULL;
    const hd_process_def *processes;

    CHECK_EQ(hd_defs_read(PAT "/traces.otf2", &defs), HD_OK);
    processes = hd_defs_processes(defs);
    CHECK_EQ(defs->resolution, 2300033256);
    CHECK_EQ(defs->first_time, 8289926260447);
    CHECK_EQ(defs->length, 1141915012);
    CHECK_EQ(defs->n_processes, 4);
    CHECK_EQ(defs->n_mpi_processes, 4);
    CHECK_EQ(defs->n_locations, 4);
    CHECK_EQ(defs->n_nodes, 2);
    CHECK_EQ(defs->n_events, 1222 + 1214 + 1188 + 1486);
    for (uint32_t p = 0; p < 4; p++) {
        char name[20];

        snprintf(name, sizeof name, "MPI Rank %" PRIu32, p);
        CHECK_STR(hd_defs_text(defs, processes[p].name), name);
        CHECK_EQ(processes[p].first_location, p);
        CHECK_EQ(processes[p].n_locations, 1);
        CHECK(processes[p].has_mpi_rank);
        CHECK_EQ(hd_defs_locations(defs)[p].ref, p);
    }
    free(defs);
}

TEST(the_world_of_a_real_archive_has_all_its_processes)
{
    hd_defs *defs = NULL;
    uint32_t n    = 0;

    CHECK_EQ(hd_defs_read(PAT "/traces.otf2", &defs), HD_OK);
    for (uint32_t c = 0; c < defs->n_comms; c++) {
        const hd_comm *comm = &hd_defs_comms(defs)[c];

        if (strcmp(hd_defs_text(defs, comm->name), "MPI_COMM_WORLD") != 0)
            continue;
        n++;
        CHECK_EQ(hd_defs_groups(defs)[comm->group_a].n, 4);
        CHECK_EQ(comm->group_b, HD_NONE);
        for (uint32_t i = 0; i < 4; i++)
            CHECK_EQ(hd_comm_group_member(defs, &hd_defs_groups(defs)[comm->group_a], i), i);
    }
    CHECK_EQ(n, 1);
    free(defs);
}

TEST(the_threads_of_a_process_are_its_locations)
{
    hd_defs *defs = NULL;
    uint32_t wrong = 0;

    CHECK_EQ(hd_defs_read(DATA_FOLDER "/scorep-jacobi-hyb-c-4x2/traces.otf2", &defs), HD_OK);
    CHECK_EQ(defs->n_processes, 4);
    CHECK_EQ(defs->n_locations, 8);
    for (uint32_t l = 0; l < defs->n_locations; l++) {
        const hd_location_def *location = &hd_defs_locations(defs)[l];

        wrong += location->process != l / 2 || location->thread != l % 2 || location->type != HD_LOCATION_CPU;
    }
    CHECK_EQ(wrong, 0);
    free(defs);
}

TEST(a_file_that_is_no_archive_is_a_format_error)
{
    char    *path = hd_format("%s/words.otf2", make_folder());
    hd_defs *defs = NULL;

    write_file(path, "this is no archive\n");
    CHECK_EQ(hd_defs_read(path, &defs), HD_EFORMAT);
    CHECK(defs == NULL);
    CHECK(strstr(hd_error_get()->text, path) != NULL);
    unlink(path);
    free(path);
}

TEST(an_anchor_without_its_definitions_is_a_format_error)
{
    char    *path = hd_format("%s/alone.otf2", make_folder()),
    *command = hd_format("cp \"" PAT "/traces.otf2\" \"%s\"", path);
    hd_defs *defs = NULL;

    CHECK_EQ(system(command), 0);
    CHECK_EQ(hd_defs_read(path, &defs), HD_EFORMAT);
    CHECK(defs == NULL);
    unlink(path);
    free(path);
    free(command);
}

/* Definitions written here: two processes; what else there is, each test says. */

static OTF2_FlushType
before_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp
after_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return 0;
}

static hd_status
read_written(void (*write)(OTF2_GlobalDefWriter *writer), hd_defs **defs)
{
    OTF2_FlushCallbacks   callbacks = { before_flush, after_flush };
    char                 *place     = hd_format("%s/written", make_folder()),
                                      *anchor = hd_format("%s/traces.otf2", place);
    char                 *command   = hd_format("rm -rf \"%s\"", place);
    OTF2_Archive         *archive   = OTF2_Archive_Open(place, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_GlobalDefWriter *writer;
    hd_status             status;

    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_Archive_CloseEvtFiles(archive);
    writer = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000, 5, 100, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(writer, 0, "name");
    write(writer);
    OTF2_Archive_Close(archive);
    status = hd_defs_read(anchor, defs);
    CHECK_EQ(system(command), 0);
    free(place);
    free(anchor);
    free(command);
    return status;
}

static void
write_processes(OTF2_GlobalDefWriter *writer)
{
    const uint64_t locations[] = { 0, 1 };

    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t p = 0; p < 2; p++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, p, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, p, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, p);
    }
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, locations);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    2, locations);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void
write_nothing(OTF2_GlobalDefWriter *writer)
{
    (void)writer;
}

TEST(an_archive_without_locations_is_a_format_error)
{
    hd_defs *defs = NULL;

    CHECK_EQ(read_written(write_nothing, &defs), HD_EFORMAT);
    CHECK(defs == NULL);
}

static void
write_homeless_location(OTF2_GlobalDefWriter *writer)
{
    write_processes(writer);
    OTF2_GlobalDefWriter_WriteLocation(writer, 9, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 77);
}

TEST(a_location_that_belongs_to_no_group_is_a_format_error)
{
    hd_defs *defs = NULL;

    CHECK_EQ(read_written(write_homeless_location, &defs), HD_EFORMAT);
    CHECK(defs == NULL);
}

static void
write_unknown_members(OTF2_GlobalDefWriter *writer)
{
    const uint64_t members[] = { 1, 5, UINT64_MAX };

    write_processes(writer);
    OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    3, members);
    OTF2_GlobalDefWriter_WriteComm(writer, 1, 0, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(writer, 2, 0, 99, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

TEST(members_and_groups_that_are_not_defined_are_none)
{
    hd_defs             *defs = NULL;
    const hd_comm_group *group;

    CHECK_EQ(read_written(write_unknown_members, &defs), HD_OK);
    CHECK_EQ(defs->n_comms, 3);
    group = &hd_defs_groups(defs)[hd_defs_comms(defs)[1].group_a];
    CHECK_EQ(group->n, 3);
    CHECK_EQ(hd_comm_group_member(defs, group, 0), 1);
    CHECK_EQ(hd_comm_group_member(defs, group, 1), HD_NONE);
    CHECK_EQ(hd_comm_group_member(defs, group, 2), HD_NONE);
    CHECK_EQ(hd_defs_comms(defs)[2].group_a, HD_NONE);
    free(defs);
}

static void
write_region_of_one_name(OTF2_GlobalDefWriter *writer)
{
    write_processes(writer);
    OTF2_GlobalDefWriter_WriteString(writer, 1, "MPI_Init");
    OTF2_GlobalDefWriter_WriteString(writer, 2, "MPI");
    OTF2_GlobalDefWriter_WriteRegion(writer, 0, 1, OTF2_UNDEFINED_STRING, OTF2_UNDEFINED_STRING,
                                     OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 2, 0, 0);
}

TEST(a_region_without_a_canonical_name_is_known_by_its_name)
{
    hd_defs *defs = NULL;

    CHECK_EQ(read_written(write_region_of_one_name, &defs), HD_OK);
    CHECK_STR(hd_defs_text(defs, hd_defs_regions(defs)[0].canonical), "MPI_Init");
    CHECK_EQ(hd_defs_regions(defs)[0].call, HD_CALL_INIT);
    free(defs);
}

static void
write_circle_of_nodes(OTF2_GlobalDefWriter *writer)
{
    write_processes(writer);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 5, 0, 0, 6);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 6, 0, 0, 7);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 7, 0, 0, 5);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 8, 0, 0, 88); /* a parent that is not defined */
}

TEST(every_tree_node_comes_after_its_parent_even_where_parents_form_a_circle)
{
    hd_defs *defs = NULL;
    uint32_t wrong = 0, n_roots = 0;

    CHECK_EQ(read_written(write_circle_of_nodes, &defs), HD_OK);
    CHECK_EQ(defs->n_nodes, 5);
    for (uint32_t i = 0; i < defs->n_nodes; i++) {
        uint32_t parent = hd_defs_nodes(defs)[i].parent;

        n_roots += parent == HD_NONE;
        wrong += parent != HD_NONE && parent >= i;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(n_roots, 3);
    free(defs);
}

static void
write_nodes_before_their_parents(OTF2_GlobalDefWriter *writer)
{
    write_processes(writer);
    for (uint32_t i = 1; i < 200000; i++)
        OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, i, 0, 0, i + 1);
}

TEST(nodes_may_be_defined_before_their_parents_however_many)
{
    hd_defs *defs = NULL;
    uint32_t wrong = 0;

    CHECK_EQ(read_written(write_nodes_before_their_parents, &defs), HD_OK);
    CHECK_EQ(defs->n_nodes, 200000);
    for (uint32_t i = 2; i < defs->n_nodes; i++)
        wrong += hd_defs_nodes(defs)[i].parent != i - 1;
    CHECK_EQ(wrong, 0);
    free(defs);
}

static void
write_properties(OTF2_GlobalDefWriter *writer)
{
    write_processes(writer);
    OTF2_GlobalDefWriter_WriteString(writer, 1, "rack");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 5, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer, 5, 1, OTF2_TYPE_STRING,
                                                     (OTF2_AttributeValue){ .stringRef = 2 });
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer, 0, 1, OTF2_TYPE_INT32,
                                                     (OTF2_AttributeValue){ .int32 = -7 });
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer, 99, 1, OTF2_TYPE_INT32,
                                                     (OTF2_AttributeValue){ .int32 = 1 });
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer, 5, 1, OTF2_TYPE_DOUBLE,
                                                     (OTF2_AttributeValue){ .float64 = 0.5 });
    OTF2_GlobalDefWriter_WriteString(writer, 2, "R12");
}

TEST(nodes_have_their_properties_as_text)
{
    hd_defs              *defs = NULL;
    const hd_property    *properties;
    const hd_system_node *nodes;

    CHECK_EQ(read_written(write_properties, &defs), HD_OK);
    nodes      = hd_defs_nodes(defs);
    properties = hd_defs_properties(defs);
    CHECK_EQ(defs->n_nodes, 2);
    CHECK_EQ(defs->n_properties, 3); /* not that of a node that is not defined */
    CHECK_EQ(nodes[0].n_properties, 1);
    CHECK_STR(hd_defs_text(defs, properties[nodes[0].first_property].name), "rack");
    CHECK_STR(hd_defs_text(defs, properties[nodes[0].first_property].value), "-7");
    CHECK_EQ(nodes[1].n_properties, 2);
    CHECK_STR(hd_defs_text(defs, properties[nodes[1].first_property].value), "R12");
    CHECK_STR(hd_defs_text(defs, properties[nodes[1].first_property + 1].value), "0.5");
    free(defs);
}

static void
write_topology(OTF2_GlobalDefWriter *writer, uint32_t n_times)
{
    const uint32_t dimensions[] = { 0 };

    write_processes(writer);
    OTF2_GlobalDefWriter_WriteCartDimension(writer, 0, 0, 2, OTF2_CART_PERIODIC_FALSE);
    for (uint32_t i = 0; i < n_times; i++)
        OTF2_GlobalDefWriter_WriteCartTopology(writer, 0, 0, 0, 1, dimensions);
    for (uint32_t rank = 0; rank < 2; rank++)
        OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 0, rank, 1, &rank);
}

static void
write_one_topology(OTF2_GlobalDefWriter *writer)
{
    write_topology(writer, 1);
}

static void
write_one_topology_many_times(OTF2_GlobalDefWriter *writer)
{
    write_topology(writer, 1000);
}

TEST(a_topology_has_its_dimensions_and_coordinates)
{
    hd_defs           *defs = NULL;
    const hd_topology *topology;
    const uint32_t    *x;

    CHECK_EQ(read_written(write_one_topology, &defs), HD_OK);
    CHECK_EQ(defs->n_topologies, 1);
    topology = &hd_defs_topologies(defs)[0];
    CHECK_EQ(topology->n_dimensions, 1);
    CHECK_EQ(hd_defs_dimensions(defs)[topology->first_dimension].size, 2);
    CHECK_EQ(topology->n_coordinates, 2);
    x = hd_defs_coordinates(defs) + topology->first_coordinate;
    CHECK(x[0] == 0 && x[1] == 0 && x[2] == 1 && x[3] == 1);
    free(defs);
}

TEST(a_topology_that_is_defined_again_is_left_out)
{
    hd_defs *defs = NULL;

    CHECK_EQ(read_written(write_one_topology_many_times, &defs), HD_OK);
    CHECK_EQ(defs->n_topologies, 1);
    CHECK_EQ(defs->n_coordinate_numbers, 4);
    free(defs);
}

int
main(int argc, char **argv)
{
    int failed = check_run_all(argc > 1 ? argv[1] : NULL);

    rmdir(folder);
    return failed;
}

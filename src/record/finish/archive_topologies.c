/* src/record/finish/archive_topologies.c: writes those of the program first, so that analyses take one of these. */
#include "archive_topologies.h"

#include "raw_layout.h"

/* ---- grids of MPI ------------------------------------------------------------------------------------------------ */

static const hd_raw_grid *
grid_of(const hd_raw_process *process, size_t comm)
{
    for (size_t i = 0; i < process->n_grids; i++)
        if (process->comms[process->grids[i].comm].global == comm)
            return &process->grids[i];
    return NULL;
}

/* Dimensions have numbers of their own. */
static void
write_grid(writing *to, uint32_t comm, const hd_raw_grid *grid, uint32_t n_before)
{
    OTF2_CartDimensionRef dimensions[UINT8_MAX];
    const char           *name = to->run->comms[comm].name;

    for (uint32_t i = 0; i < grid->n; i++) {
        dimensions[i] = to->n_dimensions++;
        note(to, OTF2_GlobalDefWriter_WriteCartDimension(
                     to->writer, dimensions[i], numbered(to, "Dimension", i), (uint32_t)grid->sizes[i],
                     grid->sizes[i] >> 32 != 0 ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE));
    }
    note(to, OTF2_GlobalDefWriter_WriteCartTopology(
                 to->writer, to->n_topologies, name != NULL ? string(to, name) : numbered(to, "MPI grid", n_before),
                 comm, (uint8_t)grid->n, dimensions));
}

static void
write_place(writing *to, uint32_t rank, uint32_t n, const uint64_t *coordinates)
{
    uint32_t place[UINT8_MAX];

    for (uint32_t i = 0; i < n; i++)
        place[i] = (uint32_t)coordinates[i];
    note(to, OTF2_GlobalDefWriter_WriteCartCoordinate(to->writer, to->n_topologies, rank, (uint8_t)n, place));
}

/* Each communicator of MPI_Cart_create whose members have all told their place; not those of one process. */
static void
write_grids(writing *to)
{
    const hd_recorded_run *run = to->run;
    uint32_t               n = 0;

    for (uint32_t i = 0; i < run->n_comms; i++) {
        const hd_run_comm  *comm  = &run->comms[i];
        const hd_raw_grid **grids = HD_NEW_ARRAY(const hd_raw_grid *, comm->n_members[0] + 1);
        bool                is_grid = comm->is_known && !comm->is_self && !comm->is_inter;

        for (uint32_t j = 0; is_grid && j < comm->n_members[0]; j++) {
            int64_t rank = comm->members[0][j];

            grids[j] = rank < run->n && run->processes[rank].raw->rank == rank ? grid_of(run->processes[rank].raw, i) :
                                                                                 NULL;
            is_grid  = grids[j] != NULL && grids[j]->n == grids[0]->n;
        }
        if (is_grid) {
            write_grid(to, i, grids[0], n++);
            for (uint32_t j = 0; j < comm->n_members[0]; j++)
                write_place(to, j, grids[j]->n, grids[j]->place);
            to->n_topologies++;
        }
        free(grids);
    }
}

/* ---- topologies of the program ----------------------------------------------------------------------------------- */

/* The name of a dimension, which is taken from the front of names. */
static uint32_t
dimension_name(writing *to, const char **names, uint32_t i)
{
    size_t   n = strcspn(*names, (const char[]){ HD_RAW_SEPARATOR, 0 });
    char    *text = hd_format("%.*s", (int)n, *names);
    uint32_t name = n > 0 ? string(to, text) : numbered(to, "Dimension", i);

    *names += n + ((*names)[n] != '\0');
    free(text);
    return name;
}

static void
write_topology(writing *to, const hd_run_topology *topology, uint32_t comm, const hd_map *index_of)
{
    OTF2_CartDimensionRef dimensions[HD_RAW_MAX_DIMENSIONS];
    const char           *names = topology->names;

    for (uint32_t i = 0; i < topology->n; i++) {
        bool is_periodic = topology->sizes[i] >> 32 != 0;

        dimensions[i] = to->n_dimensions++;
        note(to, OTF2_GlobalDefWriter_WriteCartDimension(
                     to->writer, dimensions[i], dimension_name(to, &names, i), (uint32_t)topology->sizes[i],
                     is_periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE));
    }
    note(to, OTF2_GlobalDefWriter_WriteCartTopology(to->writer, to->n_topologies, string(to, topology->name), comm,
                                                    (uint8_t)topology->n, dimensions));
    for (size_t i = 0; i < topology->n_members; i++)
        write_place(to, (uint32_t)*hd_map_get(index_of, topology->members[i].location), topology->n,
                    topology->members[i].coordinates);
    to->n_topologies++;
}

/* As Score-P, on a communicator of all locations. */
static void
write_topologies(writing *to, uint32_t comm)
{
    const hd_recorded_run *run      = to->run;
    hd_map                 index_of = write_locations_group(to, OTF2_PARADIGM_USER);
    uint64_t              *members  = HD_NEW_ARRAY(uint64_t, index_of.n + 1);

    for (uint32_t i = 0; i < index_of.n; i++)
        members[i] = i;
    note(to, OTF2_GlobalDefWriter_WriteComm(
                 to->writer, comm, string(to, "locations of topologies"),
                 write_group(to, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_USER, members, (uint32_t)index_of.n),
                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    for (size_t i = 0; i < run->n_topologies; i++)
        if (run->topologies[i].n_members > 0)
            write_topology(to, &run->topologies[i], comm, &index_of);
    free(members);
    hd_map_fini(&index_of);
}

void
hd_archive_topologies_write(writing *to, uint32_t comm)
{
    if (to->run->n_topologies > 0)
        write_topologies(to, comm);
    if (to->run->world_size > 0)
        write_grids(to);
}

/* src/record/finish/run_comms.c: finds the same communicator in different processes by its key. */
#include "run_comms.h"

#include <string.h>

#include "memory.h"

/* A key of 128 bits in a map of 64: others of the same half are searched in turn. */
static uint32_t
find_or_add(hd_recorded_run *run, hd_map *by_key, const hd_raw_comm *raw)
{
    uint64_t key = raw->key[0] != HD_MAP_FREE ? raw->key[0] : 0;
    bool     is_new;

    for (;; key = key + 1 != HD_MAP_FREE ? key + 1 : 0) {
        uint64_t   *value = hd_map_add(by_key, key, &is_new);
        hd_run_comm made  = { .key      = { raw->key[0], raw->key[1] },
                              .parent   = HD_NONE,
                              .is_inter = (raw->flags & HD_RAW_COMM_INTER) != 0,
                              .root     = { -1, -1 } };

        if (!is_new && memcmp(run->comms[*value].key, raw->key, sizeof raw->key) != 0)
            continue;
        if (is_new) {
            *value = run->n_comms;
            HD_PUSH(run->comms, run->n_comms, run->room_comms, made);
        }
        return (uint32_t)*value;
    }
}

/* The group of an inter-communicator that has this rank 0; 2: there are two others. */
static uint32_t
side_of(hd_run_comm *comm, int64_t root)
{
    uint32_t side = 0;

    while (side < 2 && comm->root[side] != root && comm->root[side] >= 0)
        side++;
    if (side < 2)
        comm->root[side] = root;
    return side;
}

/* What this process knows of the members: rank 0 knows all, others themselves. */
static void
add_members(hd_run_comm *comm, const hd_raw_comm *raw, uint32_t world_rank)
{
    uint32_t side = side_of(comm, raw->root);

    if (side >= 2)
        return;
    if (comm->members[side] == NULL) {
        comm->members[side]   = HD_NEW_ARRAY(int64_t, raw->size);
        comm->n_members[side] = raw->size;
        memset(comm->members[side], 0xff, raw->size * sizeof *comm->members[side]);
    }
    if (comm->n_members[side] != raw->size)
        return;
    if (raw->n_members == raw->size)
        memcpy(comm->members[side], raw->members, raw->size * sizeof *raw->members);
    else
        comm->members[side][raw->rank] = world_rank;
}

static bool
are_known(const hd_run_comm *comm, uint32_t side, uint32_t world_size)
{
    for (uint32_t i = 0; i < comm->n_members[side]; i++)
        if (comm->members[side][i] < 0 || comm->members[side][i] >= world_size)
            return false;
    return comm->n_members[side] > 0;
}

/* Communicators of one process have no key of others: the k-th one of each process is the k-th of the archive. */
static uint32_t
self_number(hd_recorded_run *run, uint32_t **numbers, size_t *n, size_t *room, size_t k)
{
    while (*n <= k) {
        HD_PUSH(*numbers, *n, *room, (uint32_t)run->n_comms);
        HD_PUSH(run->comms, run->n_comms, run->room_comms,
                ((hd_run_comm){ .parent = HD_NONE, .is_self = true, .is_known = true }));
    }
    return (*numbers)[k];
}

static void
unify_process(hd_recorded_run *run, hd_raw_process *process, hd_map *by_key, uint32_t **self, size_t *n, size_t *room)
{
    size_t n_self = 1; /* MPI_COMM_SELF is the first */

    for (size_t i = 0; i < process->n_comms; i++) {
        hd_raw_comm *raw = &process->comms[i];
        hd_run_comm *comm;

        if ((raw->flags & HD_RAW_COMM_FOREIGN) != 0)
            continue;
        if (i == 0)
            raw->global = 0;
        else if (raw->size == 1 && (raw->flags & HD_RAW_COMM_INTER) == 0)
            raw->global = self_number(run, self, n, room, i == 1 ? 0 : n_self++);
        else
            raw->global = find_or_add(run, by_key, raw);
        comm = &run->comms[raw->global];
        if (!comm->is_self)
            add_members(comm, raw, process->rank);
        comm->name = comm->name == NULL ? raw->name : comm->name;
        if (comm->parent == HD_NONE && raw->parent < i)
            comm->parent = process->comms[raw->parent].global;
    }
}

/* The group with the lower rank 0 is the first one, whoever came first. */
static void
order_groups(hd_run_comm *comm)
{
    hd_run_comm was = *comm;

    if (!comm->is_inter || comm->root[1] < 0 || comm->root[0] < comm->root[1])
        return;
    for (int i = 0; i < 2; i++) {
        comm->root[i]      = was.root[1 - i];
        comm->members[i]   = was.members[1 - i];
        comm->n_members[i] = was.n_members[1 - i];
    }
}

/* The k-th window of a communicator is the same in all its members. */
static void
unify_windows(hd_recorded_run *run, hd_raw_process *process, hd_map *by_place)
{
    for (size_t i = 0; i < process->n_windows; i++) {
        hd_raw_window *raw  = &process->windows[i];
        uint32_t       comm = process->comms[raw->comm].global;
        bool           is_new;
        uint64_t      *index;

        if (comm == HD_NONE || !run->comms[comm].is_known)
            continue;
        index = hd_map_add(by_place, (uint64_t)comm << 32 | raw->ordinal, &is_new);
        if (is_new) {
            *index = run->n_windows;
            HD_PUSH(run->windows, run->n_windows, run->room_windows,
                    ((hd_run_window){ .comm = comm, .has_memory = raw->has_memory }));
        }
        raw->global = (uint32_t)*index;
    }
}

/* The same of files; those of one process are its own, as its path may be. */
static void
unify_files(hd_recorded_run *run, hd_raw_process *process, hd_map *by_place)
{
    for (size_t i = 0; i < process->n_files; i++) {
        hd_raw_file *raw  = &process->files[i];
        uint32_t     comm = process->comms[raw->comm].global;
        bool         is_new = true;
        uint64_t     own = 0, *index = &own;

        if (comm == HD_NONE || !run->comms[comm].is_known)
            continue;
        if (!run->comms[comm].is_self)
            index = hd_map_add(by_place, (uint64_t)comm << 32 | raw->ordinal, &is_new);
        if (is_new) {
            *index = run->n_io_files;
            HD_PUSH(run->io_files, run->n_io_files, run->room_io_files,
                    ((hd_run_file){ .path = raw->path, .comm = comm }));
        }
        raw->global = (uint32_t)*index;
    }
}

static void
unify_groups(hd_recorded_run *run, hd_raw_process *process)
{
    for (size_t i = 0; i < process->n_groups; i++) {
        hd_raw_group *raw = &process->groups[i];
        bool          fits = true;
        size_t        at   = 0;

        for (uint32_t j = 0; j < raw->n; j++)
            fits = fits && raw->members[j] >= 0 && raw->members[j] < run->world_size;
        while (at < run->n_groups && (run->groups[at].n != raw->n || memcmp(run->groups[at].members, raw->members,
                                                                            raw->n * sizeof *raw->members) != 0))
            at++;
        if (!fits)
            continue;
        if (at == run->n_groups)
            HD_PUSH(run->groups, run->n_groups, run->room_groups, *raw);
        raw->global = (uint32_t)at;
    }
}

/* Where the program has used sessions only, or before MPI_Init, there are process sets in place of communicators. */
static void
name_sets(hd_recorded_run *run)
{
    static const char *const names[] = { "mpi://WORLD", "mpi://SELF" };
    const hd_raw_process    *first   = run->processes[0].raw;

    for (size_t i = 0; i < 2 && i < first->n_comms; i++) {
        run->comms[i].is_set = (first->comms[i].flags & HD_RAW_COMM_SET) != 0;
        if (run->comms[i].is_set && first->comms[i].name == NULL)
            run->comms[i].name = names[i];
    }
}

void
hd_run_comms_unify(hd_recorded_run *run)
{
    hd_map    by_key = { 0 }, by_place = { 0 }, files_by_place = { 0 };
    uint32_t *self   = NULL;
    size_t    n = 0, room = 0;

    if (run->world_size == 0)
        return;
    HD_PUSH(run->comms, run->n_comms, run->room_comms,
            ((hd_run_comm){ .parent = HD_NONE, .name = "MPI_COMM_WORLD", .root = { -1, -1 } }));
    run->comms[0].key[0] = run->comms[0].key[1] = HD_MAP_FREE;
    self_number(run, &self, &n, &room, 0);
    run->comms[1].name = "MPI_COMM_SELF";
    name_sets(run);
    for (uint32_t i = 0; i < run->n; i++)
        unify_process(run, run->processes[i].raw, &by_key, &self, &n, &room);
    for (size_t i = 0; i < run->n_comms; i++) {
        hd_run_comm *comm = &run->comms[i];

        order_groups(comm);
        if (!comm->is_self)
            comm->is_known = are_known(comm, 0, run->world_size) &&
                             (!comm->is_inter || are_known(comm, 1, run->world_size));
    }
    for (uint32_t i = 0; i < run->n; i++) {
        unify_windows(run, run->processes[i].raw, &by_place);
        unify_files(run, run->processes[i].raw, &files_by_place);
        unify_groups(run, run->processes[i].raw);
    }
    hd_map_fini(&files_by_place);
    hd_map_fini(&by_place);
    hd_map_fini(&by_key);
    free(self);
}

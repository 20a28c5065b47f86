/* src/record/finish/run_model.c: regions by name, and the end of it all. */
#include "run_model.h"

#include <string.h>

#include "memory.h"
#include "mpi_functions.h"
#include "symbols.h"

uint32_t
hd_recorded_run_region(hd_recorded_run *run, const char *name, hd_source_line source, hd_run_paradigm paradigm,
                       uint32_t role)
{
    for (size_t i = 0; i < run->n_regions; i++) {
        const hd_run_region *region = &run->regions[i];

        if (region->paradigm == paradigm && region->role == role && strcmp(region->name, name) == 0 &&
            region->source.line == source.line && (region->source.file == NULL) == (source.file == NULL) &&
            (source.file == NULL || strcmp(region->source.file, source.file) == 0))
            return (uint32_t)i;
    }
    HD_PUSH(run->regions, run->n_regions, run->room_regions,
            ((hd_run_region){ .name = hd_strdup(name), .source = source, .paradigm = paradigm, .role = role }));
    return (uint32_t)(run->n_regions - 1);
}

static void
channels_fini(hd_run_channels *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->list[i].spans);
        free(all->list[i].gaps);
    }
    for (size_t i = 0; i < all->n_starts; i++)
        free(all->starts[i].next);
    for (size_t i = 0; i < sizeof all->places / sizeof *all->places; i++)
        hd_map_fini(&all->places[i]);
    hd_map_fini(&all->numbers);
    hd_map_fini(&all->pending);
    hd_map_fini(&all->orphans);
    free(all->list);
    free(all->starts);
}

uint32_t
hd_run_region_of(const hd_recorded_run *run, const hd_run_process *process, uint32_t id)
{
    const uint64_t *region;

    if (id < HD_N_MPI_FUNCTIONS)
        return run->mpi_region[id];
    region = hd_map_get(&process->regions, id);
    return region != NULL ? (uint32_t)*region : HD_NONE;
}

/* A function pointer may call several functions of MPI at one place: only one of them has a place. */
uint32_t
hd_run_call_of(const hd_recorded_run *run, const hd_run_process *process, uint32_t id, uint64_t address)
{
    const uint64_t *site = NULL;

    if (id < HD_N_MPI_FUNCTIONS && address != 0 && address != HD_MAP_FREE)
        site = hd_map_get(&process->sites, address);
    return site != NULL && run->call_sites[*site].function == id ? run->call_sites[*site].entered :
                                                                  hd_run_region_of(run, process, id);
}

uint32_t
hd_run_caller_of(const hd_run_process *process, uint64_t address)
{
    const uint64_t *known = address != 0 && address != HD_MAP_FREE ? hd_map_get(&process->callers, address) : NULL;

    return known != NULL && *known != HD_RUN_RUNS_BODY ? (uint32_t)*known : HD_NONE;
}

/* Processes are in the order of their ranks, each once. */
uint32_t
hd_run_next_absent(const hd_recorded_run *run, uint32_t rank)
{
    uint32_t low = 0, high = run->n;

    while (low < high) { /* [low]: the first process whose rank is not lower */
        uint32_t middle = low + (high - low) / 2;

        if (run->processes[middle].raw->rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < run->n && run->processes[low].raw->rank == rank) {
        low++;
        rank++;
    }
    return rank;
}

void
hd_recorded_run_fini(hd_recorded_run *run)
{
    for (uint32_t i = 0; i < run->n; i++) {
        hd_map_fini(&run->processes[i].regions);
        hd_map_fini(&run->processes[i].teams);
        hd_map_fini(&run->processes[i].callers);
        hd_map_fini(&run->processes[i].called);
        hd_map_fini(&run->processes[i].sites);
        hd_map_fini(&run->processes[i].functions);
        channels_fini(&run->processes[i].channels);
    }
    for (size_t i = 0; i < run->n_comms; i++) {
        free(run->comms[i].members[0]);
        free(run->comms[i].members[1]);
    }
    for (size_t i = 0; i < run->n_teams; i++)
        free(run->teams[i].members);
    for (size_t i = 0; i < run->n_regions; i++)
        free(run->regions[i].name);
    for (size_t i = 0; i < run->n_symbols; i++)
        hd_symbols_free(run->symbols[i]);
    free(run->symbols);
    free(run->call_sites);
    hd_map_fini(&run->call_site_of);
    free(run->system);
    for (size_t i = 0; i < run->n_topologies; i++) {
        free(run->topologies[i].members);
        hd_map_fini(&run->topologies[i].others);
    }
    free(run->topologies);
    free(run->comms);
    free(run->teams);
    free(run->windows);
    free(run->io_files);
    free(run->groups);
    free(run->regions);
    free(run->programs);
    free(run->processes);
    hd_raw_files_fini(&run->files);
    *run = (hd_recorded_run){ 0 };
}

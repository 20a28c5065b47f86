/* src/record/finish/recorded_run.c: chooses the processes of the archive, surveys their records, and numbers what they
 * name. */
#include "recorded_run.h"

#include <string.h>

#include "caller_names.h"
#include "counter_names.h"
#include "memory.h"
#include "mpi_functions.h"
#include "raw_profile_file.h"
#include "run_clock.h"
#include "run_comms.h"
#include "run_cut.h"
#include "run_pauses.h"
#include "run_system.h"
#include "run_topologies.h"
#include "workers.h"

_Static_assert(HD_N_MPI_FUNCTIONS <= sizeof((hd_recorded_run *)0)->mpi_region / sizeof(uint32_t),
               "mpi_region is too small");
_Static_assert((int)HD_N_MPI_FUNCTIONS <= (int)HD_RAW_FIRST_REGION, "numbers of regions overlap");

/* ---- processes --------------------------------------------------------------------------------------------------- */

static int
by_rank(const void *a_, const void *b_)
{
    const hd_raw_process *a = ((const hd_run_process *)a_)->raw, *b = ((const hd_run_process *)b_)->raw;

    if (a->has_world != b->has_world)
        return a->has_world ? -1 : 1;
    if (a->has_world && a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->clocks[0].ticks != b->clocks[0].ticks)
        return a->clocks[0].ticks < b->clocks[0].ticks ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int
by_size(const void *a_, const void *b_)
{
    uint32_t a = *(const uint32_t *)a_, b = *(const uint32_t *)b_;

    return a < b ? -1 : a > b;
}

/* A world in which all but one of FEW processes, and more than MOST_ABSENT, recorded nothing has a damaged size: each
 * of them would have a place in the archive. */
enum { FEW = 64, MOST_ABSENT = 1 << 16 };

/* What most processes say, the smaller one of two that as many say: one may be damaged. 0: there is no MPI. */
static uint32_t
find_world_size(const hd_recorded_run *run)
{
    uint32_t *sizes = HD_NEW_ARRAY(uint32_t, run->files.n + 1), size = 0;
    size_t    n = 0, most = 0;

    for (size_t i = 0; i < run->files.n; i++)
        if (run->files.processes[i].has_world)
            sizes[n++] = run->files.processes[i].size;
    qsort(sizes, n, sizeof *sizes, by_size);
    for (size_t i = 0, first = 0; i < n; i++) {
        first = sizes[i] == sizes[first] ? first : i;
        if (i + 1 - first > most) {
            most = i + 1 - first;
            size = sizes[i];
        }
    }
    free(sizes);
    return size;
}

/* An archive is one run: with MPI one process of each rank, the first; without, all. */
static void
choose_processes(hd_recorded_run *run)
{
    hd_run_process *all = HD_NEW_ARRAY(hd_run_process, run->files.n);
    uint32_t        n   = 0;

    for (size_t i = 0; i < run->files.n; i++)
        all[i].raw = &run->files.processes[i];
    qsort(all, run->files.n, sizeof *all, by_rank);
    run->world_size = find_world_size(run);
    for (size_t i = 0; i < run->files.n; i++) {
        const hd_raw_process *raw = all[i].raw;
        bool is_in = run->world_size == 0 || (raw->has_world && raw->size == run->world_size &&
                                              (n == 0 || all[n - 1].raw->rank != raw->rank));

        if (is_in)
            all[n++] = all[i];
        else if (!raw->has_world && raw->stopped != NULL)
            run->stopped = raw->stopped; /* before its MPI_Init: it has recorded nothing */
        else
            run->n_left_out++;
    }
    run->processes = all;
    run->n         = n;
}

static int
by_place(const void *a_, const void *b_)
{
    const hd_raw_location *a = a_, *b = b_;

    if ((a->parent == HD_NONE) != (b->parent == HD_NONE))
        return a->parent == HD_NONE ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The first location, which began MPI, has the rank as its number; others follow. */
static void
number_locations(hd_recorded_run *run)
{
    for (uint32_t i = 0; i < run->n; i++) {
        hd_raw_process *raw = run->processes[i].raw;
        uint64_t        process = run->world_size > 0 ? raw->rank : i;

        qsort(raw->locations, raw->n_locations, sizeof *raw->locations, by_place);
        for (size_t j = 0; j < raw->n_locations; j++)
            raw->locations[j].ref = (uint64_t)j << 32 | process;
        run->processes[i].is_incomplete =
            raw->stopped != NULL || (raw->has_world ? !raw->is_finalized : !raw->has_ended);
    }
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static const char *const mpi_names[] = {
#define HD_MPI_NAME(name, role) "MPI_" #name,
    HD_MPI_NAMES
#undef HD_MPI_NAME
};

/* ---- records ----------------------------------------------------------------------------------------------------- */

typedef struct survey { /* of a process; others are surveyed at the same time, so the run does not change */
    const hd_recorded_run *run;
    hd_run_process  *process;
    uint64_t         has_function[HD_N_MPI_FUNCTIONS / 64 + 1]; /* of MPI */
    uint32_t        *functions;          /* those, in the order in which they are first called */
    size_t           n_functions, room_functions;
    uint64_t         n_foreign, foreign_bytes;
    hd_map           team_of;            /* number of a team -> index in teams */
    hd_run_team     *teams;              /* as far as they are known */
    size_t           n_teams, room_teams;
} survey;

static void
survey_team(survey *all, const hd_raw_location *location, const hd_raw_record *record)
{
    uint64_t     size = record->words[1], member = record->words[0];
    bool         is_new;
    uint64_t    *index = hd_map_add(&all->team_of, record->id, &is_new);
    hd_run_team *team;

    if (is_new) {
        *index = all->n_teams;
        HD_PUSH(all->teams, all->n_teams, all->room_teams, ((hd_run_team){ 0 }));
    }
    team = &all->teams[*index];
    if (size > 1 << 16 || member >= size)
        return;
    if (size > team->n) {
        team->members = hd_realloc(team->members, size, sizeof *team->members);
        for (uint64_t i = team->n; i < size; i++)
            team->members[i] = UINT64_MAX;
        team->n = (uint32_t)size;
    }
    team->members[member] = location->ref;
}

static void
survey_stack(hd_run_process *process, const hd_raw_record *record)
{
    for (uint32_t i = 0; i < record->n; i++) {
        bool      is_new;
        uint64_t *region;

        if (record->words[i] == 0 || record->words[i] == HD_MAP_FREE)
            continue;
        region = hd_map_add(&process->callers, record->words[i], &is_new);
        if (is_new)
            *region = HD_NONE;
    }
}

static void
survey_region(survey *all, uint32_t id)
{
    if (id >= HD_N_MPI_FUNCTIONS || (all->has_function[id / 64] >> id % 64 & 1) != 0)
        return;
    all->has_function[id / 64] |= UINT64_C(1) << id % 64;
    HD_PUSH(all->functions, all->n_functions, all->room_functions, id);
}

/* caller: return address */
static void
survey_call_site(hd_run_process *process, uint32_t id, uint64_t caller)
{
    bool is_new;

    if (id < HD_N_MPI_FUNCTIONS && caller != 0 && caller != HD_MAP_FREE)
        *hd_map_add(&process->called, caller, &is_new) = id;
}

static void
survey_enter(survey *all, const hd_raw_record *record)
{
    survey_region(all, record->id);
    survey_stack(all->process, record);
    survey_call_site(all->process, record->id, record->words[0]);
}

/* One that is later than all others tells the rate of the ticks better. */
static void
add_clock(hd_raw_process *raw, const uint64_t *clock)
{
    if (clock[0] > raw->clocks[raw->n_clocks - 1].ticks)
        HD_PUSH(raw->clocks, raw->n_clocks, raw->room_clocks, ((hd_raw_clock){ clock[0], clock[1], clock[2] }));
}

/* Of a profile: its call paths, and times. */
static hd_status
survey_profile(survey *all, const hd_raw_location *location)
{
    hd_raw_profile_file file;
    hd_status           status = hd_raw_profile_open(&all->run->files, all->process->raw, location->number, &file);

    for (uint32_t i = 0; i < file.n; i++) {
        const hd_raw_path *path = &file.paths[i];

        survey_region(all, path->id);
        if (path->id <= HD_RAW_PATH_CALLER && path->caller != HD_RAW_TASK_STUB)
            survey_stack(all->process, &(hd_raw_record){ .words = &path->caller, .n = 1 });
        survey_call_site(all->process, path->id, path->caller);
    }
    if (file.n > 1) {
        all->process->first = hd_time_min(all->process->first, file.head->first);
        all->process->last  = hd_time_max(all->process->last, file.head->last);
        add_clock(all->process->raw, file.head->clock);
        all->n_foreign += file.head->n_foreign;
        all->foreign_bytes += file.head->foreign_bytes;
    }
    hd_raw_profile_close(&file);
    return status;
}

static hd_status
survey_location(survey *all, const hd_raw_location *location)
{
    hd_raw_log    log;
    hd_raw_record record;
    hd_status     status = hd_raw_log_open(&all->run->files, all->process->raw, location, all->process->cut, &log);

    if (all->run->has_pauses)
        hd_run_pauses_survey_location(all->process, &log.state.counts);
    while (status == HD_OK && hd_raw_log_next(&log, &record)) {
        if (all->run->has_pauses)
            hd_run_pauses_survey(all->process, &record);
        all->process->first = hd_time_min(all->process->first, record.time);
        all->process->last  = hd_time_max(all->process->last, record.time);
        if (record.kind == HD_RAW_ENTER && record.n >= 1)
            survey_enter(all, &record);
        else if (record.kind == HD_RAW_SAMPLE)
            survey_stack(all->process, &record);
        else if (record.kind == HD_RAW_TEAM_BEGIN && record.n >= 2)
            survey_team(all, location, &record);
        else if (record.kind == HD_RAW_FOREIGN && record.n >= 1) {
            all->n_foreign++;
            all->foreign_bytes += record.words[0];
        }
    }
    hd_raw_log_close(&log);
    return status;
}

/* Teams of the same threads are one in the archive. Of a thread whose begin was not recorded nothing is known. */
static void
number_teams(hd_recorded_run *run, survey *all)
{
    for (uint32_t slot = 0; all->team_of.slots != NULL && slot <= all->team_of.mask; slot++) {
        uint64_t     number = all->team_of.slots[slot].key;
        hd_run_team *team;
        uint32_t     n = 0;
        size_t       found;
        bool         is_new;

        if (number == HD_MAP_FREE)
            continue;
        team = &all->teams[all->team_of.slots[slot].value];
        for (uint32_t i = 0; i < team->n; i++)
            if (team->members[i] != UINT64_MAX)
                team->members[n++] = team->members[i];
        team->n = n;
        for (found = 0; found < run->n_teams; found++)
            if (run->teams[found].n == n &&
                (n == 0 || memcmp(run->teams[found].members, team->members, n * sizeof *team->members) == 0))
                break;
        if (found == run->n_teams) {
            HD_PUSH(run->teams, run->n_teams, run->room_teams, *team);
            team->members = NULL;
        }
        *hd_map_add(&all->process->teams, number, &is_new) = found;
    }
}

static uint32_t
program_of(hd_recorded_run *run, const char *path)
{
    for (size_t i = 0; i < run->n_programs; i++)
        if (strcmp(run->programs[i], path) == 0)
            return (uint32_t)i;
    HD_PUSH(run->programs, run->n_programs, run->room_programs, path);
    return (uint32_t)(run->n_programs - 1);
}

static hd_status
survey_process(survey *all)
{
    hd_run_process *process = all->process;
    hd_status       status  = HD_OK;

    process->first = process->raw->clocks[0].ticks;
    process->last  = hd_time_max(process->first, process->raw->end);
    for (size_t i = 0; i < process->raw->n_locations && status == HD_OK; i++)
        status = all->run->is_profile ? survey_profile(all, &process->raw->locations[i]) :
                                        survey_location(all, &process->raw->locations[i]);
    return status;
}

/* What the process brings into the run: numbers depend on the order of the processes. */
static hd_status
add_to_run(hd_recorded_run *run, survey *all)
{
    hd_run_process *process = all->process;
    hd_status       status;
    bool            is_new;

    process->program = program_of(run, process->raw->program);
    for (size_t i = 0; i < all->n_functions; i++) {
        uint32_t function = all->functions[i];

        if (run->mpi_region[function] == HD_NONE)
            run->mpi_region[function] =
                hd_recorded_run_region(run, mpi_names[function], (hd_source_line){ .file = "MPI" }, HD_RUN_MPI,
                                       function);
    }
    run->n_foreign += all->n_foreign;
    run->foreign_bytes += all->foreign_bytes;
    number_teams(run, all);
    status = hd_caller_names_set(run, process);
    for (size_t i = 0; i < process->raw->n_locks; i++)
        *hd_map_add(&process->regions, process->raw->locks[i].number, &is_new) = i;
    run->has_openmp |= process->raw->n_locks > 0;
    for (size_t i = 0; i < process->raw->n_regions; i++) {
        run->has_openmp |= process->raw->regions[i].role < HD_RAW_ROLE_FUNCTION;
        run->has_pthreads |= process->raw->regions[i].role > HD_RAW_ROLE_FUNCTION;
    }
    return status;
}

static void
survey_fini(survey *all)
{
    for (size_t i = 0; i < all->n_teams; i++)
        free(all->teams[i].members);
    free(all->teams);
    free(all->functions);
    hd_map_fini(&all->team_of);
}

static hd_status
survey_one(void *all_, uint32_t worker, size_t i)
{
    survey *all = all_;

    (void)worker;
    return survey_process(&all[i]);
}

/* Processes are read at the same time, and added one after the other. */
static hd_status
survey_run(hd_recorded_run *run)
{
    survey   *all = HD_NEW_ARRAY(survey, (size_t)run->n + 1);
    hd_status status;

    for (uint32_t i = 0; i < run->n; i++)
        all[i] = (survey){ .run = run, .process = &run->processes[i] };
    status = hd_workers_run(run->n, 1, survey_one, all);
    for (uint32_t i = 0; i < run->n; i++) {
        status = status == HD_OK ? add_to_run(run, &all[i]) : status;
        survey_fini(&all[i]);
    }
    hd_call_places_set(run);
    free(all);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* A process with others than the first has none in the archive. */
static void
find_counters(hd_recorded_run *run)
{
    for (uint32_t i = 0; i < run->n && run->counters == NULL; i++)
        run->counters = run->processes[i].raw->counters;
    for (const char *at = run->counters; at != NULL && *at != '\0'; at += strcspn(at, ","), at += *at == ',')
        run->n_counters++;
    if (run->n_counters > HD_MAX_COUNTERS)
        run->n_counters = 0;
}

static bool
is_last_part(const hd_recorded_run *run)
{
    bool is_one = false;

    for (uint32_t i = 0; i < run->n; i++)
        is_one |= run->processes[i].raw->last_ns > 0;
    return is_one;
}

hd_status
hd_recorded_run_read(const char *folder, hd_recorded_run *run)
{
    hd_status status;

    *run = (hd_recorded_run){ 0 };
    memset(run->mpi_region, 0xff, sizeof run->mpi_region);
    status = hd_raw_files_read(folder, &run->files);
    if (status != HD_OK || run->files.n == 0)
        return status;
    choose_processes(run);
    if (run->world_size > run->n + MOST_ABSENT && run->world_size / FEW > run->n)
        return hd_fail(HD_EFORMAT, "\"%s\": MPI_COMM_WORLD has %" PRIu32 " processes, of which %" PRIu32
                                   " have recorded: that is damaged", folder, run->world_size, run->n);
    number_locations(run);
    hd_run_system_set(run);
    hd_run_topologies_set(run);
    hd_run_comms_unify(run);
    for (uint32_t i = 0; i < run->n; i++) {
        run->is_profile |= run->processes[i].raw->is_profile;
        run->has_pauses |= run->processes[i].raw->has_pauses;
        if (run->sample_ns == 0)
            run->sample_ns = run->processes[i].raw->sample_ns;
    }
    if (is_last_part(run))
        status = hd_run_cut_set(run);
    if (status == HD_OK)
        status = survey_run(run);
    if (run->has_pauses && !run->is_profile)
        hd_run_pauses_match(run);
    hd_run_clocks_set(run);
    find_counters(run);
    return status;
}

#include "work_or_speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counter_patterns.h"
#include "defs.h"
#include "delay.h"
#include "memory.h"
#include "speed_words.h"

#define CULPRIT   0.5  /* of the largest delay costs: who has that much is one */

enum { TIME, INSTRUCTIONS, CYCLES, CPU_TIME, MISSES, N_SUMS };

/* ---- counters ---------------------------------------------------------------------------------------------------- */

static uint32_t
find(const hd_cube *cube, const hd_work_list *list, const char *patterns)
{
    return list != NULL ? hd_counter_find_name(list->names, list->n_counters, patterns) : hd_counter_find(cube, patterns);
}

/* In the list; NULL: among the metrics of the report. */
static hd_speed_roles
roles_of(const hd_cube *cube, const hd_work_list *list)
{
    static const struct {
        const char *patterns, *level;
    } misses[] = { { HD_COUNTER_L3_MISSES, "last-level" }, { HD_COUNTER_L2_MISSES, "L2" },
                   { HD_COUNTER_L1_MISSES, "L1" } };
    hd_speed_roles roles = { .instructions = find(cube, list, HD_COUNTER_INSTRUCTIONS),
                             .cycles       = find(cube, list, HD_COUNTER_CYCLES),
                             .cpu_time     = find(cube, list, HD_COUNTER_CPU_TIME), .misses = HD_NONE, .level = "" };

    for (size_t i = 0; i < sizeof misses / sizeof *misses && roles.misses == HD_NONE; i++) {
        roles.misses = find(cube, list, misses[i].patterns);
        roles.level  = misses[i].level;
    }
    return roles;
}

static bool
has_any(const hd_speed_roles *roles)
{
    return roles->instructions != HD_NONE || roles->cycles != HD_NONE || roles->cpu_time != HD_NONE;
}

hd_status
hd_speed_counters_read(hd_cube *cube, hd_speed_counters *counters)
{
    hd_status status;

    *counters           = (hd_speed_counters){ .time = hd_cube_metric_by_id(cube, "time"),
                                               .idle = hd_cube_metric_by_id(cube, "omp_idle_threads") };
    status              = hd_work_list_read(cube, &counters->list);
    counters->in_list   = roles_of(cube, &counters->list);
    counters->in_report = roles_of(cube, NULL);
    counters->is_there  = status == HD_OK && counters->time != HD_NONE &&
                          (counters->list.n > 0 || has_any(&counters->in_report));
    return status;
}

void
hd_speed_counters_fini(hd_speed_counters *counters)
{
    hd_work_list_fini(&counters->list);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

typedef struct sums {
    double *of[N_SUMS]; /* [n] of processes, or threads; NULL: not known */
    double *costs;      /* [n] */
    double *row;        /* [n_locations] */
    uint32_t n;
} sums;

static uint32_t
unit_of(const hd_cube *cube, uint32_t location)
{
    return cube->n_groups == 1 ? location : cube->locations[location].group;
}

static hd_status
add(hd_cube *cube, sums *s, int which, uint32_t metric, double sign, uint32_t path)
{
    bool      any;
    hd_status status = metric != HD_NONE ? hd_cube_row(cube, metric, path, s->row, &any) : HD_OK;

    if (metric == HD_NONE || status != HD_OK)
        return status;
    if (s->of[which] == NULL)
        s->of[which] = HD_NEW_ARRAY(double, (size_t)s->n + 1);
    for (uint32_t i = 0; i < cube->n_locations; i++)
        s->of[which][unit_of(cube, i)] += sign * s->row[i];
    return HD_OK;
}

static hd_status
sum_up(hd_cube *cube, const hd_speed_counters *counters, uint32_t path, sums *s)
{
    const hd_speed_roles *roles           = &counters->in_report;
    const uint32_t        metrics[N_SUMS] = { counters->time, roles->instructions, roles->cycles, roles->cpu_time,
                                              roles->misses };
    hd_status             status          = HD_OK;

    for (int i = 0; i < N_SUMS && status == HD_OK; i++)
        status = add(cube, s, i, metrics[i], 1, path);
    if (status == HD_OK)
        status = add(cube, s, TIME, counters->idle, -1, path);
    return status;
}

/* ---- ratios ------------------------------------------------------------------------------------------------------ */

/* The average of the culprits by that of the others; 0: not known, or there is nothing. */
static double
ratio_of(const sums *s, const hd_work_or_speed *found, int which, const bool *is_culprit)
{
    double culprits = 0, others = 0;

    if (s->of[which] == NULL)
        return 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (is_culprit[i])
            culprits += s->of[which][i];
        else if (s->of[TIME][i] > 0)
            others += s->of[which][i];
    return culprits > 0 && others > 0 ? culprits / found->n_culprits / (others / found->n_others) : 0;
}

static double
mean_of_culprits(const sums *s, const hd_work_or_speed *found, int which, const bool *is_culprit)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->n; i++)
        sum += is_culprit[i] ? s->of[which][i] : 0;
    return sum / found->n_culprits;
}

/* Each factor is what its counter has more than the one before it that is known. */
static void
divide(hd_work_or_speed *found, const double *ratios)
{
    double before = 1;

    for (int i = INSTRUCTIONS; i <= CPU_TIME; i++)
        if (ratios[i] > 0) {
            found->ratio[HD_FACTOR_INSTRUCTIONS + i - INSTRUCTIONS] = ratios[i] / before;
            before                                                 = ratios[i];
        }
    found->ratio[ratios[CPU_TIME] > 0 ? HD_FACTOR_OFF_CPU : HD_FACTOR_REST] = found->time / before;
}

static void
find_culprits(const sums *s, bool *is_culprit, hd_work_or_speed *found)
{
    double most = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->costs[i] > most) {
            most         = s->costs[i];
            found->first = i;
        }
    for (uint32_t i = 0; i < s->n; i++) {
        is_culprit[i] = most > 0 && s->costs[i] >= CULPRIT * most && s->of[TIME][i] > 0;
        found->n_culprits += is_culprit[i];
        found->n_others += !is_culprit[i] && s->of[TIME][i] > 0;
    }
}

/* Over all that the report counts. */
static hd_status
compare_in_report(hd_cube *cube, const hd_speed_counters *counters, uint32_t path, sums *s, hd_work_or_speed *found)
{
    bool     *is_culprit = HD_NEW_ARRAY(bool, (size_t)s->n + 1);
    hd_status status     = sum_up(cube, counters, path, s);

    if (status == HD_OK)
        find_culprits(s, is_culprit, found);
    if (status == HD_OK && found->n_culprits > 0 && found->n_others > 0) {
        double ratios[N_SUMS];

        for (int i = 0; i < N_SUMS; i++)
            ratios[i] = ratio_of(s, found, i, is_culprit);
        found->time     = ratios[TIME];
        found->misses   = ratios[MISSES];
        found->is_known = ratios[TIME] > 0 && (ratios[INSTRUCTIONS] > 0 || ratios[CYCLES] > 0 || ratios[CPU_TIME] > 0);
        found->seconds  = mean_of_culprits(s, found, TIME, is_culprit);
        if (s->of[CPU_TIME] != NULL)
            found->cpu_seconds = mean_of_culprits(s, found, CPU_TIME, is_culprit) / 1e9;
        if (found->is_known)
            divide(found, ratios);
    }
    free(is_culprit);
    return status;
}

/* ---- over the intervals of delays -------------------------------------------------------------------------------- */

static void
add_side(hd_work_values *sum, const hd_work_values *values)
{
    sum->time += values->time;
    for (uint32_t i = 0; i < HD_COMPARED_MAX; i++)
        sum->counted[i] += values->counted[i];
}

static double
quotient(double own, double others)
{
    return own > 0 && others > 0 ? own / others : 0;
}

static double
ratio_of_role(const hd_work_or_speed *found, uint32_t role)
{
    return role != HD_NONE ? found->counted[role] : 0;
}

/* Adds up what the culprits and those that waited for them did: those with at least half of the largest costs, of those
 * whose intervals are known. */
static void
sum_culprits(const hd_cube *cube, const hd_work_list *list, uint32_t path, const double *costs, hd_work_or_speed *found,
             hd_work_values *own, hd_work_values *others)
{
    uint32_t last = HD_NONE;
    double   most = 0;

    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].path == path && costs[unit_of(cube, list->entries[i].location)] > most) {
            found->first = unit_of(cube, list->entries[i].location);
            most         = costs[found->first];
        }
    for (size_t i = 0; i < list->n; i++) {
        const hd_work_entry *entry = &list->entries[i];
        uint32_t             unit  = unit_of(cube, entry->location);

        if (entry->path != path || most <= 0 || costs[unit] < CULPRIT * most)
            continue;
        found->n_culprits += unit != last; /* a process's threads are side by side */
        last = unit;
        found->waits += entry->waits;
        add_side(own, &entry->own);
        add_side(others, &entry->others);
    }
}

/* Both sides of a comparison; seconds of one of found->waits. */
static void
compare(const hd_work_list *list, const hd_speed_roles *roles, const hd_work_values *own, const hd_work_values *others,
        hd_work_or_speed *found)
{
    double ratios[N_SUMS];

    found->time = quotient(own->time, others->time);
    if (found->time <= 0)
        return;
    for (uint32_t i = 0; i < list->n_counters; i++) {
        found->counted[i] = quotient(own->counted[i], others->counted[i]);
        found->is_known |= found->counted[i] > 0;
    }
    ratios[INSTRUCTIONS] = ratio_of_role(found, roles->instructions);
    ratios[CYCLES]       = ratio_of_role(found, roles->cycles);
    ratios[CPU_TIME]     = ratio_of_role(found, roles->cpu_time);
    found->misses        = ratio_of_role(found, roles->misses);
    found->seconds       = own->time / (double)found->waits;
    if (roles->cpu_time != HD_NONE)
        found->cpu_seconds = own->counted[roles->cpu_time] / (double)found->waits / 1e9;
    divide(found, ratios);
}

/* costs: [units] */
static void
compare_in_delays(const hd_cube *cube, const hd_speed_counters *counters, uint32_t path, const double *costs,
                  hd_work_or_speed *found)
{
    hd_work_values own = { 0 }, others = { 0 };

    sum_culprits(cube, &counters->list, path, costs, found, &own, &others);
    compare(&counters->list, &counters->in_list, &own, &others, found);
}

hd_status
hd_work_or_speed_find(hd_cube *cube, const hd_speed_counters *counters, uint32_t path, const double *costs,
                      hd_work_or_speed *found)
{
    uint32_t  n      = cube->n_groups == 1 ? cube->n_locations : cube->n_groups;
    sums      s      = { .n = n, .costs = HD_NEW_ARRAY(double, (size_t)n + 1),
                         .row = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1) };
    hd_status status = HD_OK;

    *found = (hd_work_or_speed){ .cpu_seconds = -1 };
    for (uint32_t i = 0; i < cube->n_locations; i++)
        s.costs[unit_of(cube, i)] += costs[i];
    compare_in_delays(cube, counters, path, s.costs, found);
    if (!found->is_known) {
        *found = (hd_work_or_speed){ .cpu_seconds = -1 };
        status = compare_in_report(cube, counters, path, &s, found);
    }
    for (int i = 0; i < N_SUMS; i++)
        free(s.of[i]);
    free(s.costs);
    free(s.row);
    return status;
}

/* ---- of all causes ------------------------------------------------------------------------------------------------ */

/* false: they are not known. list: gets the names, which stay the caller's. */
static bool
find_factors(char *const *names, uint32_t n, const hd_work_values *now, const hd_work_values *before, hd_work_list *list,
             hd_speed_roles *roles, hd_work_or_speed *found)
{
    *list  = (hd_work_list){ .n_counters = n };
    *found = (hd_work_or_speed){ .cpu_seconds = -1, .waits = 1 };
    memcpy(list->names, names, n * sizeof *names);
    *roles = roles_of(NULL, list);
    compare(list, roles, now, before, found);
    return has_any(roles) && found->is_known;
}

char *
hd_speed_factors_text(char *const *names, uint32_t n, const hd_work_values *now, const hd_work_values *before)
{
    char            *text  = NULL;
    size_t           bytes = 0;
    hd_work_list     list;
    hd_work_or_speed found;
    hd_speed_roles   roles;
    FILE            *out;

    if (!find_factors(names, n, now, before, &list, &roles, &found))
        return NULL;
    out = open_memstream(&text, &bytes);
    if (out == NULL)
        hd_fatal("out of memory: the comparison of counters cannot be written");
    hd_speed_words_put(out, "", roles.level, &found);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the comparison of counters cannot be written");
    return text;
}

#define LEAST_CAUSE 0.01 /* of all delay costs */

/* Delay costs of each location at a call path: costs [n_locations] out. row: [n_locations] scratch */
static hd_status
read_costs(hd_cube *cube, uint32_t path, double *row, double *costs)
{
    hd_status status = HD_OK;

    memset(costs, 0, cube->n_locations * sizeof *costs);
    for (uint32_t kind = 0; kind < 2 * HD_N_DELAYS && status == HD_OK; kind++) {
        const hd_delay_info *delay  = &hd_delay_infos[kind / 2];
        hd_metric            id     = kind % 2 == 0 ? delay->short_term : delay->long_term;
        uint32_t             metric = hd_cube_metric_by_id(cube, hd_metric_infos[id].id);
        bool                 any    = false;

        if (metric != HD_NONE)
            status = hd_cube_row(cube, metric, path, row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && any; i++)
            costs[i] += row[i];
    }
    return status;
}

static bool
is_computation(const hd_cube *cube, uint32_t path)
{
    const char *paradigm = cube->regions[cube->paths[path].region].paradigm;

    return strcmp(paradigm, hd_paradigm_name(HD_PARADIGM_MPI)) != 0 &&
           strcmp(paradigm, hd_paradigm_name(HD_PARADIGM_SHMEM)) != 0;
}

static hd_status
compare_causes(hd_cube *cube, const hd_speed_counters *counters, char **texts)
{
    double   *of_path = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1), whole = 0;
    double   *row     = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    double   *costs   = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status  = HD_OK;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        status = read_costs(cube, path, row, costs);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            of_path[path] += costs[i];
        whole += of_path[path];
    }
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        hd_work_or_speed found;

        if (of_path[path] <= 0 || of_path[path] < LEAST_CAUSE * whole || !is_computation(cube, path))
            continue;
        status = read_costs(cube, path, row, costs);
        if (status == HD_OK)
            status = hd_work_or_speed_find(cube, counters, path, costs, &found);
        if (status == HD_OK)
            texts[path] = hd_work_or_speed_text(cube, counters, &found);
    }
    free(costs);
    free(row);
    free(of_path);
    return status;
}

hd_status
hd_work_or_speed_of_causes(hd_cube *cube, char ***texts)
{
    hd_speed_counters counters;
    hd_status         status;

    *texts = HD_NEW_ARRAY(char *, (size_t)cube->n_paths + 1);
    status = hd_speed_counters_read(cube, &counters);
    if (status == HD_OK && counters.is_there)
        status = compare_causes(cube, &counters, *texts);
    hd_speed_counters_fini(&counters);
    if (status != HD_OK) {
        for (uint32_t path = 0; path < cube->n_paths; path++)
            free((*texts)[path]);
        free(*texts);
        *texts = NULL;
    }
    return status;
}

static void
put_ratio(hd_json *json, const char *key, double ratio)
{
    if (ratio > 0)
        hd_json_number(json, key, ratio);
    else
        hd_json_null(json, key);
}

/* names: [n] of counters */
static void
put_ratios(hd_json *json, const hd_work_or_speed *found, char *const *names, uint32_t n)
{
    put_ratio(json, "time", found->time);
    put_ratio(json, "instructions", found->ratio[HD_FACTOR_INSTRUCTIONS]);
    put_ratio(json, "cycles", found->ratio[HD_FACTOR_CYCLES]);
    put_ratio(json, "cpu_time", found->ratio[HD_FACTOR_CLOCK]);
    put_ratio(json, "off_cpu", found->ratio[HD_FACTOR_OFF_CPU]);
    put_ratio(json, "rest", found->ratio[HD_FACTOR_REST]);
    put_ratio(json, "misses", found->misses);
    hd_json_array(json, "counters");
    for (uint32_t i = 0; i < n; i++) {
        hd_json_object(json, NULL);
        hd_json_text(json, "name", names[i]);
        put_ratio(json, "ratio", found->counted[i]);
        hd_json_end(json);
    }
    hd_json_end(json);
}

void
hd_work_or_speed_put(hd_json *json, const hd_cube *cube, const hd_speed_counters *counters,
                     const hd_work_or_speed *found)
{
    char *text;

    if (!found->is_known) {
        hd_json_null(json, "work_or_speed");
        return;
    }
    text = hd_work_or_speed_text(cube, counters, found);
    hd_json_object(json, "work_or_speed");
    hd_json_text(json, "text", text);
    hd_json_count(json, "compared", found->n_culprits);
    if (found->waits > 0) {
        hd_json_count(json, "waits", found->waits);
        hd_json_null(json, "others");
    } else {
        hd_json_null(json, "waits");
        hd_json_count(json, "others", found->n_others);
    }
    put_ratios(json, found, counters->list.names, found->waits > 0 ? counters->list.n_counters : 0);
    hd_json_end(json);
    free(text);
}

void
hd_speed_factors_put(hd_json *json, char *const *names, uint32_t n, const hd_work_values *now,
                     const hd_work_values *before)
{
    char            *text = hd_speed_factors_text(names, n, now, before);
    hd_work_list     list;
    hd_work_or_speed found;
    hd_speed_roles   roles;

    if (text == NULL) {
        hd_json_null(json, "work_or_speed");
        return;
    }
    find_factors(names, n, now, before, &list, &roles, &found);
    hd_json_object(json, "work_or_speed");
    hd_json_text(json, "text", text);
    put_ratios(json, &found, names, n);
    hd_json_end(json);
    free(text);
}

/* src/report/terminal/section_counters.c: the section "Counters": what was counted in computation and elsewhere, what is
 * computed from that, and call paths of computation that run badly (docs/metrics.md#counters). */
#include "section_counters.h"

#include <math.h>

#include "count_text.h"
#include "counter_patterns.h"
#include "delay.h"
#include "escape.h"
#include "level_list.h"
#include "memory.h"
#include "summary_sections.h"

enum { MAX_LEVELS_OF_PAGE = 100, N_PATHS = 5, NUMBER = 14, N_FACTS = 4, LEVEL = 12, N_LEVELS = 12 };

/* What is said of a call path. The limits are conventions: cores of today complete up to four and more instructions in a
 * cycle; below 0.5 they wait most of the time. */
#define MIN_SHARE    0.02 /* of computation: what is looked at */
#define LOW_IPC      0.5
#define MANY_MISSES  5.0  /* last-level misses per 1,000 instructions */
#define MANY_STALLS  0.5  /* of the cycles */
#define OFF_CPU      0.8  /* CPU time of time: below that */
#define MANY_COSTS   0.01 /* of all delay costs: who has less makes nobody wait */

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static bool
is_counter(const hd_cube *cube, uint32_t metric)
{
    return strncmp(cube->metrics[metric].id, "c_", 2) == 0 && cube->metrics[metric].parent != HD_NONE &&
           strcmp(cube->metrics[cube->metrics[metric].parent].id, HD_COUNTERS_ROOT) == 0;
}

typedef struct counting {
    hd_summary_page *page;
    const double    *comp;    /* [n_paths] of the metric comp; NULL: the report has none */
    double           of_comp; /* their sum */
} counting;

/* A counter in computation. */
static double
in_computation(const counting *c, uint32_t metric)
{
    double sum = 0;

    for (uint32_t path = 0; path < c->page->cube->n_paths && c->comp != NULL; path++)
        if (c->comp[path] > 0)
            sum += c->page->totals[metric].of_path[path];
    return sum;
}

static double
of_path(const counting *c, uint32_t metric, uint32_t path)
{
    return metric != HD_NONE ? c->page->totals[metric].of_path[path] : 0;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void
put_counter(const counting *c, uint32_t number)
{
    const hd_cube_metric *metric = &c->page->cube->metrics[number];
    hd_json              *json   = c->page->json;

    hd_json_object(json, NULL);
    hd_json_text(json, "id", metric->id);
    hd_json_text(json, "name", metric->name);
    hd_json_text(json, "unit", metric->unit);
    hd_json_number(json, "total", c->page->totals[number].sum);
    hd_json_number(json, "computation", in_computation(c, number));
    hd_json_end(json);
}

/* "484,757,512"; what has a fraction, or does not fit, with six digits. */
static void
print_sum(FILE *file, double sum)
{
    if (sum >= 0 && sum < 1e10 && sum == floor(sum))
        fprintf(file, "%*s", NUMBER, hd_count_text_of((uint64_t)sum).text);
    else
        fprintf(file, "%*.6g", NUMBER, sum);
}

static void
print_counter(const counting *c, uint32_t number)
{
    const hd_summary_page *page   = c->page;
    const hd_cube_metric  *metric = &page->cube->metrics[number];
    char                  *name   = *metric->unit == '\0' || strcmp(metric->unit, "#") == 0 ? hd_strdup(metric->name) :
                                    hd_format("%s [%s]", metric->name, metric->unit);
    char                  *escaped = hd_escaped(name);

    hd_fit_text(page->file, page->cuts, 2, escaped, (int)page->options.width - 2 * NUMBER);
    print_sum(page->file, in_computation(c, number));
    print_sum(page->file, page->totals[number].sum);
    fputc('\n', page->file);
    free(escaped);
    free(name);
}

/* ---- call paths that run badly ----------------------------------------------------------------------------------- */

typedef struct roles {
    uint32_t instructions, cycles, misses, stalls, cpu_time;
} roles;

typedef struct path_facts { /* negative: not known */
    double ipc, misses, stalls, cpu_share;
    bool   is_low, is_memory, is_off;
} path_facts;

static path_facts
facts_of(const counting *c, const roles *r, uint32_t path)
{
    double     instructions = of_path(c, r->instructions, path), cycles = of_path(c, r->cycles, path);
    path_facts facts        = { .ipc = -1, .misses = -1, .stalls = -1, .cpu_share = -1 };

    if (instructions > 0 && cycles > 0)
        facts.ipc = instructions / cycles;
    if (r->misses != HD_NONE && instructions > 0)
        facts.misses = 1000 * of_path(c, r->misses, path) / instructions;
    if (r->stalls != HD_NONE && cycles > 0)
        facts.stalls = of_path(c, r->stalls, path) / cycles;
    if (r->cpu_time != HD_NONE && c->comp[path] > 0)
        facts.cpu_share = of_path(c, r->cpu_time, path) / 1e9 / c->comp[path];
    facts.is_low    = facts.ipc >= 0 && facts.ipc < LOW_IPC;
    facts.is_memory = (facts.misses >= MANY_MISSES && (facts.ipc < 0 || facts.ipc < 1)) || facts.stalls >= MANY_STALLS;
    facts.is_off    = facts.cpu_share >= 0 && facts.cpu_share < OFF_CPU;
    return facts;
}

/* Free() it. */
static char *
facts_text(const path_facts *facts, bool makes_wait)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *out   = open_memstream(&text, &bytes);

    if (out == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    if (facts->is_low)
        fprintf(out, "low IPC: %.2f instructions per cycle", facts->ipc);
    if (facts->is_memory)
        fprintf(out, "%smemory-bound", facts->is_low ? "; " : "");
    if (facts->is_memory && facts->misses >= 0)
        fprintf(out, ": %.1f last-level misses per 1000 instructions", facts->misses);
    if (facts->is_memory && facts->stalls >= 0)
        fprintf(out, "%s %.0f %% of the cycles stalled", facts->misses >= 0 ? "," : ":", 100 * facts->stalls);
    if (facts->is_off)
        fprintf(out, "%soff the CPU: %.0f %% of its time is CPU time", facts->is_low || facts->is_memory ? "; " : "",
                100 * facts->cpu_share);
    fputs(makes_wait ? "; it delays other processes" : "; it delays no process", out);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    return text;
}

static void
put_facts(const hd_summary_page *page, const path_facts *facts, bool makes_wait, const char *text)
{
    const char  *keys[]   = { "ipc", "misses_per_1000", "stalled", "cpu_share" };
    const double values[] = { facts->ipc, facts->misses, facts->stalls, facts->cpu_share };

    hd_json_bool(page->json, "low_ipc", facts->is_low);
    hd_json_bool(page->json, "memory_bound", facts->is_memory);
    hd_json_bool(page->json, "off_cpu", facts->is_off);
    hd_json_bool(page->json, "others_wait", makes_wait);
    for (int i = 0; i < N_FACTS; i++)
        if (values[i] >= 0)
            hd_json_number(page->json, keys[i], values[i]);
        else
            hd_json_null(page->json, keys[i]);
    hd_json_text(page->json, "what", text);
    hd_json_end(page->json);
}

/* Delay costs of each call path: [n_paths], free() it; *whole: of all. */
static double *
costs_of_paths(hd_summary_page *page, double *whole, hd_status *status)
{
    double *costs = HD_NEW_ARRAY(double, (size_t)page->cube->n_paths + 1);

    *whole = 0;
    for (uint32_t kind = 0; kind < HD_N_DELAYS; kind++) {
        const hd_metric_totals *totals[] = { hd_summary_page_totals(page, hd_delay_infos[kind].short_term, status),
                                             hd_summary_page_totals(page, hd_delay_infos[kind].long_term, status) };

        for (int i = 0; i < 2; i++)
            for (uint32_t path = 0; path < page->cube->n_paths; path++) {
                costs[path] += hd_total_at(totals[i], path);
                *whole += hd_total_at(totals[i], path);
            }
    }
    return costs;
}

static hd_status
print_paths(const counting *c)
{
    hd_summary_page *page   = c->page;
    roles            r      = { hd_counter_find(page->cube, HD_COUNTER_INSTRUCTIONS),
                                hd_counter_find(page->cube, HD_COUNTER_CYCLES),
                                hd_counter_find(page->cube, HD_COUNTER_L3_MISSES),
                                hd_counter_find(page->cube, HD_COUNTER_STALLS),
                                hd_counter_find(page->cube, HD_COUNTER_CPU_TIME) };
    double          *left   = HD_NEW_ARRAY(double, (size_t)page->cube->n_paths + 1), whole, value;
    uint32_t         max_n  = page->options.n_top > N_PATHS ? page->options.n_top : N_PATHS, n = 0, path;
    hd_status        status = HD_OK;
    double          *costs  = costs_of_paths(page, &whole, &status);

    for (path = 0; path < page->cube->n_paths && c->comp != NULL; path++)
        left[path] = c->comp[path];
    if (page->json != NULL)
        hd_json_array(page->json, "call_paths");
    while (status == HD_OK && n < max_n &&
           (path = hd_take_largest(left, page->cube->n_paths, &value)) != HD_NONE && value >= MIN_SHARE * c->of_comp) {
        path_facts facts      = facts_of(c, &r, path);
        bool       makes_wait = costs[path] > MANY_COSTS * whole;
        char      *text;

        if (!facts.is_low && !facts.is_memory && !facts.is_off)
            continue;
        text = facts_text(&facts, makes_wait);
        if (page->json != NULL) {
            hd_summary_page_put_path(page, path, value, c->of_comp);
            put_facts(page, &facts, makes_wait, text);
        } else {
            if (n == 0)
                fputs("  Call paths of computation that run badly\n", page->file);
            hd_summary_page_path(page, 4, path, value, hd_share(value, c->of_comp));
            hd_summary_page_sentence(page, 4, text);
        }
        free(text);
        n++;
    }
    if (page->json != NULL)
        hd_json_end(page->json);
    free(costs);
    free(left);
    return status;
}

/* ---- derived counters -------------------------------------------------------------------------------------------- */

static bool
is_derived(const hd_cube *cube, uint32_t metric)
{
    return cube->metrics[metric].kind == HD_CUBE_POSTDERIVED && cube->metrics[metric].parent != HD_NONE &&
           strcmp(cube->metrics[cube->metrics[metric].parent].id, HD_COUNTERS_ROOT) == 0;
}

typedef struct derived_value {
    double   least, most;           /* of a location */
    uint32_t least_at, most_at;
    bool     is_known;
} derived_value;

/* For the sums of each location over the call paths of computation. */
static hd_status
find_derived(const counting *c, uint32_t metric, derived_value *found)
{
    hd_cube  *cube     = c->page->cube;
    bool     *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);
    double   *values   = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status;

    for (uint32_t path = 0; path < cube->n_paths; path++)
        selected[path] = c->comp != NULL && c->comp[path] > 0;
    status = hd_cube_sum(cube, metric, selected, values);
    *found = (derived_value){ .is_known = false };
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
        if (!(values[i] - values[i] == 0) || values[i] == 0)
            continue;
        if (!found->is_known || values[i] < found->least)
            found->least = values[found->least_at = i];
        if (!found->is_known || values[i] > found->most)
            found->most = values[found->most_at = i];
        found->is_known = true;
    }
    free(values);
    free(selected);
    return status;
}

static void
print_derived(const counting *c, uint32_t number, const derived_value *value, bool is_first)
{
    const hd_summary_page *page   = c->page;
    const hd_cube_metric  *metric = &page->cube->metrics[number];
    char                  *name   = hd_format("%s [%s]", metric->name, metric->unit), *escaped = hd_escaped(name);

    if (is_first)
        fprintf(page->file, "  %-*s%*s%*s\n", (int)page->options.width - 2 * NUMBER - 2,
                page->cube->n_locations > page->cube->n_groups ? "Computation, of each thread" :
                "Computation, of each process", NUMBER, "least", NUMBER, "most");
    hd_fit_text(page->file, page->cuts, 4, escaped, (int)page->options.width - 2 * NUMBER);
    fprintf(page->file, "%*.4g%*.4g\n", NUMBER, value->least, NUMBER, value->most);
    free(escaped);
    free(name);
}

static void
put_derived(const counting *c, uint32_t number, const derived_value *value)
{
    const hd_cube_metric *metric = &c->page->cube->metrics[number];
    hd_json              *json   = c->page->json;

    hd_json_object(json, NULL);
    hd_json_text(json, "id", metric->id);
    hd_json_text(json, "name", metric->name);
    hd_json_text(json, "unit", metric->unit);
    hd_json_number(json, "least", value->least);
    hd_json_number(json, "most", value->most);
    hd_json_end(json);
}

static hd_status
print_all_derived(const counting *c)
{
    hd_cube  *cube     = c->page->cube;
    bool      is_first = true;
    hd_status status   = HD_OK;

    if (c->page->json != NULL)
        hd_json_array(c->page->json, "derived");
    for (uint32_t i = 0; i < cube->n_metrics && status == HD_OK; i++) {
        derived_value value;

        if (!is_derived(cube, i))
            continue;
        status = find_derived(c, i, &value);
        if (status != HD_OK || !value.is_known)
            continue;
        if (c->page->json != NULL)
            put_derived(c, i, &value);
        else
            print_derived(c, i, &value, is_first);
        is_first = false;
    }
    if (c->page->json != NULL)
        hd_json_end(c->page->json);
    return status;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static void
put_level(hd_json *json, const hd_level_entry *entry)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "name", entry->counter);
    hd_json_text(json, "unit", entry->unit);
    hd_json_text(json, "scope", entry->scope);
    hd_json_bool(json, "is_level", entry->is_level);
    hd_json_count(json, "values", entry->n);
    hd_json_number(json, "sum", entry->sum);
    hd_json_number(json, "least", entry->least);
    hd_json_number(json, "mean", entry->mean);
    hd_json_number(json, "most", entry->most);
    hd_json_end(json);
}

/* Whether a counter is also one of something else. */
static bool
has_twin(const hd_level_list *list, size_t i)
{
    for (size_t k = 0; k < list->n; k++)
        if (k != i && strcmp(list->entries[k].counter, list->entries[i].counter) == 0)
            return true;
    return false;
}

/* names_scope: of what the counter is, behind its name. */
static void
print_level(const hd_summary_page *page, const hd_level_entry *entry, bool names_scope)
{
    char *name    = hd_format("%s%s%s%s%s%s%s", entry->counter, *entry->unit != '\0' ? " [" : "", entry->unit,
                              *entry->unit != '\0' ? "]" : "", names_scope ? " (" : "", names_scope ? entry->scope : "",
                              names_scope ? ")" : "");
    char *escaped = hd_escaped(name);

    hd_fit_text(page->file, page->cuts, 4, escaped, (int)page->options.width - 3 * LEVEL);
    if (entry->is_level)
        fprintf(page->file, "%*.5g%*.5g%*.5g\n", LEVEL, entry->least, LEVEL, entry->mean, LEVEL, entry->most);
    else
        fprintf(page->file, "%*s%*.9g\n", LEVEL, "sum", 2 * LEVEL, entry->sum);
    free(escaped);
    free(name);
}

/* Levels, and what was recorded over time: of no call path. max_put: of them in JSON */
static hd_status
print_levels(const hd_summary_page *page, const hd_level_list *list, size_t max_put)
{
    size_t max_n = page->options.n_top > N_LEVELS ? page->options.n_top : N_LEVELS;

    if (page->json != NULL) {
        hd_json_array(page->json, "levels");
        for (size_t i = 0; i < list->n && i < max_put; i++)
            put_level(page->json, &list->entries[i]);
        hd_json_end(page->json);
        return HD_OK;
    }
    if (list->n > 0)
        fprintf(page->file, "  %-*s%*s%*s%*s\n", (int)page->options.width - 3 * LEVEL - 2, "Levels, and metrics over time",
                LEVEL, "least", LEVEL, "mean", LEVEL, "most");
    for (size_t i = 0; i < list->n && (i < max_n || page->options.is_verbose); i++)
        print_level(page, &list->entries[i], page->options.is_verbose || has_twin(list, i));
    if (list->n > max_n && !page->options.is_verbose)
        fprintf(page->file, "    (%zu more; all: --verbose)\n", list->n - max_n);
    return HD_OK;
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

static void
print_head(const hd_summary_page *page)
{
    if (page->json != NULL) {
        hd_json_object(page->json, page->key);
        hd_json_array(page->json, "counters");
    } else
        fprintf(page->file, "  %-*s%*s%*s\n", (int)page->options.width - 2 * NUMBER - 2, "Sum over all locations", NUMBER,
                "computation", NUMBER, "all");
}

static hd_status
print_all(const counting *c, uint32_t n, const hd_level_list *levels, size_t max_levels)
{
    const hd_summary_page *page   = c->page;
    hd_status              status = HD_OK;

    if (page->json != NULL || n > 0)
        print_head(page);
    for (uint32_t i = 0; i < page->cube->n_metrics; i++)
        if (is_counter(page->cube, i))
            (page->json != NULL ? put_counter : print_counter)(c, i);
    if (page->json != NULL)
        hd_json_end(page->json);
    status = print_all_derived(c);
    if (status == HD_OK)
        status = print_levels(page, levels, max_levels);
    if (status == HD_OK)
        status = print_paths(c);
    if (page->json != NULL)
        hd_json_end(page->json);
    return status;
}

static hd_status
print_section(hd_summary_page *page, size_t max_levels)
{
    const hd_cube *cube   = page->cube;
    counting       c      = { .page = page };
    uint32_t       n      = 0, comp = hd_cube_metric_by_id(cube, "comp");
    hd_level_list  levels;
    hd_status      status = hd_level_list_read(page->cube, &levels);

    for (uint32_t i = 0; i < cube->n_metrics && status == HD_OK; i++)
        if (is_counter(cube, i)) {
            n++;
            status = hd_summary_page_sum(page, i, true);
        }
    if (status == HD_OK && n > 0 && comp != HD_NONE)
        status = hd_summary_page_sum(page, comp, true);
    if (status == HD_OK && n > 0 && comp != HD_NONE) {
        c.comp    = page->totals[comp].of_path;
        c.of_comp = page->totals[comp].sum;
    }
    if (status == HD_OK && (n > 0 || levels.n > 0))
        status = print_all(&c, n, &levels, max_levels);
    hd_level_list_fini(&levels);
    return status;
}

hd_status
hd_section_counters(hd_summary_page *page)
{
    return print_section(page, SIZE_MAX);
}

hd_status
hd_counters_put(hd_cube *cube, hd_json *json, const char *key)
{
    hd_summary_options look     = { .with_startup = true }; /* it is skipped already, or wanted */
    uint64_t           n_before = json->n_values;
    hd_summary_page    page;
    hd_status          status;

    hd_summary_page_init(&page, cube, NULL, &look);
    page.json = json;
    page.key  = key;
    status    = print_section(&page, MAX_LEVELS_OF_PAGE);
    if (status == HD_OK && json->n_values == n_before)
        hd_json_null(json, key);
    hd_summary_page_fini(&page);
    return status;
}

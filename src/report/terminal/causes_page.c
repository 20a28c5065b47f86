#include "causes_page.h"

#include <errno.h>
#include <string.h>

#include "cause_list.h"
#include "escape.h"
#include "memory.h"
#include "path_select.h"
#include "path_text.h"
#include "summary_page.h"

#define MIN_SHARE 0.01 /* of all: effects of a cause that are named */

typedef struct causes_page {
    hd_summary_page          summary;
    const hd_causes_options *options;
    hd_cause_list            list;
    bool                    *by, *of; /* [n_paths] NULL: all */
    double                   whole;   /* [s] */
    hd_startup               startup;
} causes_page;

/* ---- which call paths -------------------------------------------------------------------------------------------- */

static bool
is_selected(const bool *selected, uint32_t path)
{
    return selected == NULL || (path != HD_NONE && selected[path]);
}

/* Only those asked for stay. */
static void
filter(causes_page *page)
{
    size_t n = 0;

    for (size_t i = 0; i < page->list.n; i++) {
        const hd_cause_entry *entry = &page->list.entries[i];

        if (!is_selected(page->by, entry->cause) || !is_selected(page->of, entry->effect))
            continue;
        page->whole += hd_cause_value(entry);
        page->list.entries[n++] = *entry;
    }
    page->list.n = n;
}

/* ---- lines for scripts ------------------------------------------------------------------------------------------- */

static void
put_path(const causes_page *page, uint32_t path)
{
    char *text = path != HD_NONE ? hd_path_text(page->summary.cube, path, ";") : hd_strdup("");

    fprintf(page->summary.file, "%s\t", text);
    free(text);
}

static void
put_process(const causes_page *page, uint32_t process)
{
    if (process != HD_NONE)
        fprintf(page->summary.file, "%" PRIu32, process);
    fputc('\t', page->summary.file);
}

static void
print_tsv(const causes_page *page)
{
    bool of_processes = page->options->of_processes;

    fprintf(page->summary.file, of_processes ? "process\twaiting process\tshort-term\tlong-term\n" :
                                               "cause\twaiting at\twait state\tshort-term\tlong-term\n");
    for (size_t i = 0; i < page->list.n; i++) {
        const hd_cause_entry *entry = &page->list.entries[i];

        if (of_processes) {
            put_process(page, entry->cause);
            put_process(page, entry->effect);
        } else {
            put_path(page, entry->cause);
            put_path(page, entry->effect);
            fprintf(page->summary.file, "%s\t", hd_delay_infos[entry->delay].id);
        }
        fprintf(page->summary.file, "%.17g\t%.17g\n", entry->short_term, entry->long_term);
    }
}

static void
put_entry(hd_json *json, const causes_page *page, const hd_cause_entry *entry)
{
    bool of_processes = page->options->of_processes;

    hd_json_object(json, NULL);
    if (of_processes) {
        hd_json_index(json, "process", entry->cause);
        hd_json_index(json, "waiting_process", entry->effect);
    } else {
        hd_json_object(json, "cause");
        hd_json_call_path(json, page->summary.cube, entry->cause);
        hd_json_end(json);
        hd_json_object(json, "waiting_at");
        hd_json_call_path(json, page->summary.cube, entry->effect);
        hd_json_end(json);
        hd_json_text(json, "wait_state", hd_delay_infos[entry->delay].id);
        hd_json_text(json, "name", hd_metric_infos[hd_delay_infos[entry->delay].unattributed].name);
    }
    hd_json_number(json, "short_term", entry->short_term);
    hd_json_number(json, "long_term", entry->long_term);
    hd_json_end(json);
}

/* Of a document that has one of two tables, the other is null. */
static hd_status
write_json(const causes_page *page)
{
    bool    of_processes = page->options->of_processes;
    hd_json json;

    hd_json_document_begin(&json, page->summary.file, "causes");
    hd_json_report(&json, "report", page->summary.cube);
    hd_json_text(&json, "of", page->options->of);
    hd_json_text(&json, "by", page->options->by);
    hd_json_number(&json, "total", page->whole);
    if (of_processes)
        hd_json_null(&json, "causes");
    hd_json_array(&json, of_processes ? "pairs" : "causes");
    for (size_t i = 0; i < page->list.n; i++)
        put_entry(&json, page, &page->list.entries[i]);
    hd_json_end(&json);
    if (!of_processes)
        hd_json_null(&json, "pairs");
    return hd_json_document_end(&json);
}

/* ---- a page ------------------------------------------------------------------------------------------------------ */

static int
compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int
compare_values(const void *left, const void *right)
{
    const hd_cause_entry *a = left, *b = right;

    if (hd_cause_value(a) != hd_cause_value(b))
        return hd_cause_value(a) > hd_cause_value(b) ? -1 : 1;
    if (a->cause != b->cause)
        return compare_numbers(a->cause, b->cause);
    return a->effect != b->effect ? compare_numbers(a->effect, b->effect) : (int)a->delay - (int)b->delay;
}

static int
compare_causes(const void *left, const void *right)
{
    const hd_cause_entry *a = left, *b = right;

    return a->cause != b->cause ? compare_numbers(a->cause, b->cause) : compare_values(left, right);
}

static int
compare_effects(const void *left, const void *right)
{
    const hd_cause_entry *a = left, *b = right;

    if (a->effect != b->effect)
        return compare_numbers(a->effect, b->effect);
    return a->delay != b->delay ? (int)a->delay - (int)b->delay : compare_values(left, right);
}

typedef struct cause_group { /* entries with the same cause, or with the same effect */
    const hd_cause_entry *entries;
    size_t                n;
    double                value;
} cause_group;

static int
compare_groups(const void *left, const void *right)
{
    const cause_group *a = left, *b = right;

    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->entries < b->entries ? -1 : 1;
}

static cause_group *
make_groups(const causes_page *page, bool by_effect, size_t *n_groups)
{
    cause_group *groups   = NULL;
    size_t       capacity = 0;

    *n_groups = 0;
    qsort(page->list.entries, page->list.n, sizeof *page->list.entries, by_effect ? compare_effects : compare_causes);
    for (size_t i = 0; i < page->list.n; i++) {
        const hd_cause_entry *entry = &page->list.entries[i];

        if (i == 0 || (by_effect ? entry->effect != entry[-1].effect || entry->delay != entry[-1].delay :
                                   entry->cause != entry[-1].cause))
            HD_PUSH(groups, *n_groups, capacity, ((cause_group){ .entries = entry }));
        groups[*n_groups - 1].n++;
        groups[*n_groups - 1].value += hd_cause_value(entry);
    }
    if (groups != NULL)
        qsort(groups, *n_groups, sizeof *groups, compare_groups);
    return groups;
}

static void
put_row(const causes_page *page, uint32_t indent, char *text, double value)
{
    hd_summary_page_row(&page->summary, indent, text, value, hd_share(value, page->whole));
    free(text);
}

/* A row of a call path (HD_NONE: text in its place), a note on it, and its place in the source. */
static void
put_path_row(const causes_page *page, uint32_t indent, uint32_t path, const char *text, const char *note, double value)
{
    double share = hd_share(value, page->whole);

    if (path == HD_NONE)
        hd_summary_page_row(&page->summary, indent, text, value, share);
    else {
        hd_summary_page_noted_path(&page->summary, indent, path, note, value, share);
        hd_summary_page_source(&page->summary, indent + 2, path);
    }
}

/* note: "" or ", 12 % long-term" */
static void
put_cause(const causes_page *page, uint32_t indent, const hd_cause_entry *entry, const char *note, double value)
{
    char *text = *note == '\0' ? hd_strdup("(unattributed)") : hd_format("(unattributed) (%s)", note + 2);

    put_path_row(page, indent, entry->cause, text, *note == '\0' ? "" : note + 2, value);
    free(text);
}

static void
put_effect(const causes_page *page, uint32_t indent, const hd_cause_entry *entry, const char *note, double value)
{
    const char *name = hd_metric_infos[hd_delay_infos[entry->delay].unattributed].name;
    char       *text = hd_format("(%s%s%s)", name, entry->delay == HD_DELAY_OMP_IDLE ? "" : " elsewhere", note);
    char       *all  = hd_format("%s%s", name, note);

    put_path_row(page, indent, entry->effect, text, all, value);
    free(all);
    free(text);
}

static void
put_rest(const causes_page *page, uint32_t indent, size_t n, double value)
{
    if (n > 0)
        put_row(page, indent, hd_format("(%zu more)", n), value);
}

static void
print_entry(const causes_page *page, const hd_cause_entry *entry, bool by_effect)
{
    double value = hd_cause_value(entry), share = hd_share(entry->long_term, value);
    char  *note  = share < 0.5 ? hd_strdup("") : hd_format(", %.0f %% long-term", share);

    (by_effect ? put_cause : put_effect)(page, 6, entry, note, value);
    free(note);
}

/* kinds: of the causes that are named, added to. Errors: those of hd_cube_row(). */
static hd_status
print_group(const causes_page *page, const cause_group *group, bool by_effect, hd_cause_kinds *kinds)
{
    double    rest   = group->value;
    hd_status status = HD_OK;
    size_t    i;

    (by_effect ? put_effect : put_cause)(page, 2, group->entries, "", group->value);
    if (by_effect || group->entries->cause != HD_NONE)
        fprintf(page->summary.file, "    %s\n", by_effect ? "is caused by" : "causes waiting at");
    for (i = 0; i < group->n && i < page->summary.options.n_top && status == HD_OK; i++) {
        if (i > 0 && hd_cause_value(&group->entries[i]) < MIN_SHARE * page->whole)
            break;
        print_entry(page, &group->entries[i], by_effect);
        rest -= hd_cause_value(&group->entries[i]);
        if (group->entries[i].cause != HD_NONE)
            status = hd_cause_kinds_add(kinds, &page->summary, group->entries[i].cause);
    }
    put_rest(page, 6, group->n - i, rest > 0 ? rest : 0);
    return status;
}

static hd_status
print_call_paths(const causes_page *page)
{
    bool           by_effect = page->options->of != NULL && page->options->by == NULL;
    double         rest      = page->whole;
    size_t         n, i;
    cause_group   *groups = make_groups(page, by_effect, &n);
    hd_cause_kinds kinds  = { 0 };
    hd_status      status = HD_OK;

    put_row(page, 2, hd_strdup(by_effect ? "Waiting time there" : page->options->by != NULL ? "Waiting time it causes" :
                                           "Total waiting time analysed"), page->whole);
    for (i = 0; i < n && i < page->summary.options.n_top && status == HD_OK; i++) {
        fputc('\n', page->summary.file);
        status = print_group(page, &groups[i], by_effect, &kinds);
        rest -= groups[i].value;
    }
    put_rest(page, 2, n - i, rest > 0 ? rest : 0);
    hd_summary_page_cause_kinds(&page->summary, kinds);
    free(groups);
    return status;
}

static void
print_processes(const causes_page *page)
{
    double rest = page->whole;
    size_t i, max_n = page->summary.options.n_top;

    qsort(page->list.entries, page->list.n, sizeof *page->list.entries, compare_values);
    put_row(page, 2, hd_strdup("Waiting time with known causes"), page->whole);
    for (i = 0; i < page->list.n && i < max_n; i++) {
        const hd_cause_entry *entry = &page->list.entries[i];

        if (entry->cause == HD_NONE)
            put_row(page, 2, hd_strdup("(pairs not listed)"), hd_cause_value(entry));
        else if (entry->cause == entry->effect)
            put_row(page, 2, hd_format("process %" PRIu32 " delays its own threads", entry->cause),
                    hd_cause_value(entry));
        else
            put_row(page, 2, hd_format("process %" PRIu32 " delays process %" PRIu32, entry->cause, entry->effect),
                    hd_cause_value(entry));
        rest -= hd_cause_value(entry);
    }
    put_rest(page, 2, page->list.n - i, rest > 0 ? rest : 0);
}

static hd_status
print_page(const causes_page *page)
{
    hd_status status = HD_OK;

    hd_completeness_print(page->summary.cube, page->summary.file);
    hd_summary_page_headline(&page->summary, page->options->of_processes ? "root causes of wait states by process" :
                                             "root causes of wait states by call path");
    hd_summary_page_startup(&page->summary, &page->startup);
    if (page->list.n == 0)
        fputs("  no process or thread waited for another\n", page->summary.file);
    else if (page->options->of_processes)
        print_processes(page);
    else
        status = print_call_paths(page);
    return status;
}

hd_status
hd_causes_print(hd_cube *cube, FILE *file, const hd_causes_options *options)
{
    causes_page        page   = { .options = options };
    hd_summary_options look   = options->look;
    hd_status          status = HD_OK;

    if (!look.with_startup && !options->of_processes && !options->is_tsv && !options->is_json && options->by == NULL &&
        options->of == NULL)
        status = hd_startup_skip_but_impact(cube, &page.startup);
    if (status == HD_OK)
        status = hd_cause_list_read(cube, options->of_processes, &page.list);

    if (look.n_top == 0)
        look.n_top = 5;
    hd_summary_page_init(&page.summary, cube, file, &look);
    if (status == HD_OK && !page.list.is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" has no table of causes", cube->path);
        hd_summary_advise_waits(cube, "heddle analyze, without --no-delay");
    }
    if (status == HD_OK)
        status = hd_paths_select(cube, options->by, &page.by);
    if (status == HD_OK)
        status = hd_paths_select(cube, options->of, &page.of);
    if (status == HD_OK) {
        filter(&page);
        if (options->is_json)
            status = write_json(&page);
        else if (options->is_tsv)
            print_tsv(&page);
        else
            status = print_page(&page);
        if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
            status = hd_fail(HD_EWRITE, "cannot write the causes of report \"%s\": %s", cube->path, strerror(errno));
    }
    hd_summary_page_fini(&page.summary);
    free(page.by);
    free(page.of);
    free(page.list.entries);
    return status;
}

/* src/report/terminal/instances_page.c: lists the most severe instances of wait states. */
#include "instances_page.h"

#include <errno.h>
#include <string.h>

#include "csv.h"
#include "escape.h"
#include "instance_json.h"
#include "memory.h"
#include "metric.h"
#include "path_cut.h"
#include "startup.h"
#include "summary_page.h"
#include "time_text.h"

enum { MIN_PATH = 24, WIDE = 110, OWN_LINE_INDENT = 11 /* columns */ };

typedef struct instances_page {
    hd_summary_page             summary;
    const hd_instances_options *options;
    hd_instance_list            list;
    uint32_t                   *metrics; /* [n_metrics] hd_metric: those to show, in order */
    uint32_t                    n_metrics;
} instances_page;

/* ---- which ------------------------------------------------------------------------------------------------------- */

static hd_status
choose_one(instances_page *page, const char *id)
{
    uint32_t metric = hd_metric_by_id(id);

    if (hd_instance_list_statistic(&page->list, metric) != NULL) {
        page->metrics[page->n_metrics++] = metric;
        return HD_OK;
    }
    return hd_fail(HD_EUSAGE, "report \"%s\" has no instances of metric \"%s\"", page->summary.cube->path, id);
}

/* All wait states, those with the largest sums first. */
static void
choose_all(instances_page *page)
{
    double   sums[HD_N_METRICS] = { 0 }, value;
    uint32_t metric;

    for (size_t i = 0; i < page->list.n_statistics; i++)
        if (page->list.statistics[i].path == HD_NONE && hd_metric_is_wait_state(page->list.statistics[i].metric))
            sums[page->list.statistics[i].metric] = page->list.statistics[i].sum;
    while ((metric = hd_take_largest(sums, HD_N_METRICS, &value)) != HD_NONE)
        page->metrics[page->n_metrics++] = metric;
}

/* The next instance of a metric, from i on; the most severe ones come first. NULL: there is none. */
static const hd_instance_entry *
next_of(const hd_instance_list *list, uint32_t metric, size_t *i)
{
    for (; *i < list->n_instances; ++*i)
        if (list->instances[*i].metric == metric)
            return &list->instances[(*i)++];
    return NULL;
}

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

char *
hd_statistic_words(const hd_statistic_entry *statistic)
{
    return hd_format("%" PRIu64 " instance%s, mean %s, median %s, quartiles %s and %s, longest %s", statistic->count,
                     hd_plural((double)statistic->count), hd_time_text_of(statistic->mean).text,
                     hd_time_text_of(statistic->median).text,
                     hd_time_text_of(statistic->lower_quartile).text, hd_time_text_of(statistic->upper_quartile).text,
                     hd_time_text_of(statistic->maximum).text);
}

typedef struct instance_columns {
    int  waiting, time, peer;
    bool has_path; /* else the call path has a line of its own */
} instance_columns;

static const instance_columns *
columns_of(const instances_page *page)
{
    static const instance_columns narrow = { 10, 12, 5, false }, wide = { 12, 13, 6, true };

    return page->summary.options.width < WIDE ? &narrow : &wide;
}

static void
print_instance(const instances_page *page, const hd_instance_entry *instance)
{
    const instance_columns *columns = columns_of(page);
    FILE                   *file    = page->summary.file;
    char *peer = instance->peer != HD_NONE ? hd_format("%" PRIu32, instance->peer) : hd_strdup("-"), *path;
    int   used = fprintf(file, "  %8" PRIu32 " %*s %*.9g %*.9g %7" PRIu32 " %6" PRIu32 " %*s", instance->number,
                         columns->waiting, hd_time_column(instance->waiting).text, columns->time, instance->enter,
                         columns->time, instance->leave, instance->process, instance->thread, columns->peer, peer);
    int   indent = columns->has_path ? used + 2 : OWN_LINE_INDENT, left = (int)page->summary.options.width - indent;

    path = hd_path_cut(page->summary.cube, instance->path, (uint32_t)(left < MIN_PATH ? MIN_PATH : left));
    if (columns->has_path)
        fprintf(file, "  %s\n", path);
    else
        fprintf(file, "\n%*s%s\n", indent, "", path);
    hd_summary_page_source(&page->summary, (uint32_t)indent, instance->path);
    free(path);
    free(peer);
}

static void
print_metric(const instances_page *page, uint32_t metric)
{
    FILE                     *file = page->summary.file;
    const hd_statistic_entry *all  = hd_instance_list_statistic(&page->list, metric);
    const instance_columns   *columns = columns_of(page);
    const hd_instance_entry  *instance;
    char                     *words = hd_statistic_words(all);
    size_t                    i = 0;

    fprintf(file, "\n%s (%s): %s\n", hd_metric_infos[metric].name, hd_metric_infos[metric].id,
            hd_time_text_of(all->sum).text);
    hd_summary_page_list(&page->summary, 2, words);
    fprintf(file, "  %8s %*s %*s %*s %7s %6s %*s%s\n", "instance", columns->waiting, "waiting", columns->time,
            "enter [s]", columns->time, "leave [s]", "process", "thread", columns->peer, "for",
            columns->has_path ? "  call path" : "");
    for (uint32_t n = 0; n < page->summary.options.n_top && (instance = next_of(&page->list, metric, &i)) != NULL; n++)
        print_instance(page, instance);
    free(words);
}

static void
print_startup(const instances_page *page)
{
    fputc('\n', page->summary.file);
    hd_summary_page_sentence(&page->summary, 0, "Start-up (MPI_Init, MPI_Finalize) is not counted; --with-startup "
                             "counts it.");
}

static void
print_page(const instances_page *page)
{
    hd_completeness_print(page->summary.cube, page->summary.file);
    hd_summary_page_headline(&page->summary, "the most severe instances of wait states");
    if (page->n_metrics == 0)
        fputs("  none: no process or thread waited for another\n", page->summary.file);
    for (uint32_t m = 0; m < page->n_metrics; m++)
        print_metric(page, page->metrics[m]);
    if (page->options->metric == NULL && page->summary.cube->skipped != NULL)
        print_startup(page);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_csv_row(const instances_page *page, const hd_instance_entry *instance)
{
    FILE *file = page->summary.file;

    fprintf(file, "%" PRIu32 ",%s,%" PRIu32 ",", instance->number, hd_metric_infos[instance->metric].id,
            page->summary.cube->paths[instance->path].number);
    hd_csv_path(file, page->summary.cube, instance->path);
    fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%.17g,%.17g,%.17g,", instance->process, instance->thread, instance->enter,
            instance->leave, instance->waiting);
    if (instance->peer != HD_NONE)
        fprintf(file, "%" PRIu32, instance->peer);
    fputc('\n', file);
}

static void
print_csv(const instances_page *page)
{
    fputs("instance,metric,call_path_id,call_path,process,thread,enter,leave,waiting,peer\n", page->summary.file);
    for (uint32_t m = 0; m < page->n_metrics; m++) {
        const hd_instance_entry *instance;
        size_t                   i = 0;

        for (uint32_t n = 0; n < page->summary.options.n_top &&
             (instance = next_of(&page->list, page->metrics[m], &i)) != NULL; n++)
            print_csv_row(page, instance);
    }
}

static hd_status
write_json(const instances_page *page)
{
    hd_json json;

    hd_json_document_begin(&json, page->summary.file, "instances");
    hd_json_report(&json, "report", page->summary.cube);
    hd_json_bool(&json, "is_startup_counted", page->summary.cube->skipped == NULL);
    hd_json_text(&json, "metric", page->options->metric);
    hd_json_array(&json, "waits");
    for (uint32_t m = 0; m < page->n_metrics; m++) {
        const hd_instance_entry *instance;
        size_t                   i = 0;

        hd_json_object(&json, NULL);
        hd_json_statistic(&json, hd_instance_list_statistic(&page->list, page->metrics[m]));
        hd_json_array(&json, "instances");
        for (uint32_t n = 0; n < page->summary.options.n_top &&
             (instance = next_of(&page->list, page->metrics[m], &i)) != NULL; n++)
            hd_json_instance(&json, page->summary.cube, instance);
        hd_json_end(&json);
        hd_json_end(&json);
    }
    hd_json_end(&json);
    return hd_json_document_end(&json);
}

static hd_status
show(const instances_page *page)
{
    FILE *file = page->summary.file;

    if (page->options->format == HD_INSTANCES_JSON)
        return write_json(page);
    if (page->options->format == HD_INSTANCES_CSV)
        print_csv(page);
    else
        print_page(page);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the instances of report \"%s\": %s", page->summary.cube->path,
                       strerror(errno));
    return HD_OK;
}

hd_status
hd_instances_print(hd_cube *cube, FILE *file, const hd_instances_options *options)
{
    instances_page page    = { .options = options, .metrics = HD_NEW_ARRAY(uint32_t, HD_N_METRICS) };
    hd_startup     startup = { 0 };
    bool           skips   = !options->look.with_startup &&
                             !(options->metric != NULL && hd_metric_is_startup(hd_metric_by_id(options->metric)));
    hd_status      status  = skips ? hd_startup_skip_but_impact(cube, &startup) : HD_OK;

    if (status == HD_OK)
        status = hd_instance_list_read(cube, &page.list);

    hd_summary_page_init(&page.summary, cube, file, &options->look);
    if (status == HD_OK && !page.list.is_there) {
        const char *archive = hd_cube_attribute_get(cube, "Heddle::Archive");
        char       *escaped = hd_escaped(archive != NULL ? archive : "ARCHIVE");
        char       *command = hd_format("heddle analyze --instances 10 -o instances.cubex \"%s\"", escaped);

        status = hd_fail(HD_EFORMAT, "report \"%s\" has no instances of wait states", cube->path);
        hd_summary_advise_waits(cube, command);
        free(command);
        free(escaped);
    }
    if (status == HD_OK && options->metric != NULL)
        status = choose_one(&page, options->metric);
    else if (status == HD_OK)
        choose_all(&page);
    if (status == HD_OK)
        status = show(&page);
    hd_summary_page_fini(&page.summary);
    hd_instance_list_fini(&page.list);
    free(page.metrics);
    return status;
}

/* src/report/tables/matrix_page.c: lists the pairs of processes, or of nodes, that communicate. */
#include "matrix_page.h"

#include <errno.h>
#include <string.h>

#include "bytes_text.h"
#include "count_text.h"
#include "csv.h"
#include "escape.h"
#include "matrix_json.h"
#include "memory.h"
#include "summary_page.h"
#include "time_text.h"

enum { N_PAIRS = 10 };
enum { N_VALUES = 5 };

/* Columns: of sender and receiver, and of the values; heads in two lines where that is shorter. */
typedef struct pair_columns {
    int         names[2], values[N_VALUES];
    const char *heads[2][N_VALUES];
    bool        is_narrow;
} pair_columns;

static const pair_columns wide_pairs = {
    { 9, 9 }, { 10, 12, 12, 14, 14 },
    { { "", "", "", "", "" }, { "messages", "bytes", "Late Sender", "Late Receiver", "mean transfer" } },
    false,
};
static const pair_columns narrow_pairs = {
    { 6, 9 }, { 9, 10, 8, 9, 9 },
    { { "", "", "Late", "Late", "mean" }, { "messages", "bytes", "Sender", "Receiver", "transfer" } },
    true,
};
enum { WIDE = 80 /* columns that wide ones take */, NARROW = 60 /* and narrow ones */, NODE = 10 /* a node at least */ };

typedef struct matrix_page {
    const hd_matrix_options *options;
    hd_summary_page          summary;
    const hd_matrix_list    *list;  /* pairs that are shown */
    const hd_division       *nodes; /* NULL: pairs of processes */
    size_t                  *order; /* [list->n] */
} matrix_page;

const char *
hd_matrix_measure_title(hd_matrix_measure measure)
{
    static const char *const titles[] = { "Messages", "Bytes", "Waiting time", "Mean transfer time" };

    return titles[measure];
}

hd_status
hd_matrix_get(hd_cube *cube, hd_matrix_list *list)
{
    hd_status status = hd_matrix_list_read(cube, list);

    if (status != HD_OK || list->is_there)
        return status;
    hd_fail(HD_EFORMAT, "report \"%s\" has no communication matrix", cube->path);
    hd_fail_detail("note", "heddle analyze writes it for MPI programs, without --no-matrix and --compat; reports made "
                   "of other reports have none");
    return HD_EFORMAT;
}

/* free() it. */
static char *
name_of(const matrix_page *page, uint32_t number)
{
    if (page->nodes == NULL)
        return hd_format("%" PRIu32, number);
    return number != HD_NONE ? hd_division_name(page->nodes, number) : hd_strdup("(unknown)");
}

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

static void
put_name(const matrix_page *page, uint32_t number, int columns)
{
    char *name = name_of(page, number);

    if (page->nodes != NULL)
        hd_fit_text(page->summary.file, page->summary.cuts, 2, name, columns);
    else
        fprintf(page->summary.file, "%*s", columns, name);
    free(name);
}

static void
print_pair(const matrix_page *page, const hd_matrix_entry *entry, const pair_columns *columns)
{
    const int *values = columns->values;

    put_name(page, entry->sender, columns->names[0]);
    put_name(page, entry->receiver, columns->names[1]);
    fprintf(page->summary.file, "%*s%*s%*s%*s%*s\n", values[0], hd_count_text_of(entry->messages).text,
            values[1], hd_bytes_text_of((double)entry->bytes).text,
            values[2], hd_time_column(entry->late_sender).text, values[3], hd_time_column(entry->late_receiver).text,
            values[4], hd_time_column(hd_matrix_mean_transfer(entry)).text);
}

static void
print_pair_heads(const matrix_page *page, const pair_columns *columns)
{
    FILE *file = page->summary.file;

    for (int line = columns->is_narrow ? 0 : 1; line < 2; line++) {
        const char *sender = line == 1 ? "sender" : "", *receiver = line == 1 ? "receiver" : "";

        if (page->nodes != NULL)
            fprintf(file, "  %-*s  %-*s", columns->names[0] - 2, sender, columns->names[1] - 2, receiver);
        else
            fprintf(file, "%*s%*s", columns->names[0], sender, columns->names[1], receiver);
        for (int i = 0; i < N_VALUES; i++)
            fprintf(file, "%*s", columns->values[i], columns->heads[line][i]);
        fputc('\n', file);
    }
}

/* For the width of the text: nodes take what the values leave. */
static pair_columns
choose_columns(const matrix_page *page)
{
    int          width   = (int)page->summary.options.width, left = width;
    pair_columns columns = width < WIDE ? narrow_pairs : wide_pairs;

    for (int i = 0; i < N_VALUES; i++) {
        if (columns.is_narrow && width > NARROW)
            columns.values[i] += (width - NARROW) / (N_VALUES + 2);
        left -= columns.values[i];
    }
    for (int i = 0; i < 2; i++)
        if (page->nodes != NULL)
            columns.names[i] = left / 2 < NODE ? NODE : left / 2;
        else if (columns.is_narrow && width > NARROW)
            columns.names[i] += (width - NARROW) / (N_VALUES + 2);
    return columns;
}

static void
print_pairs(const matrix_page *page)
{
    static const char *const largest[] =
        { "most messages", "most bytes", "longest waiting time", "longest mean transfer time" };
    pair_columns columns = choose_columns(page);
    FILE        *file    = page->summary.file;
    size_t       n       = 0;

    fprintf(file, "\nPairs of %s with the %s\n", page->nodes != NULL ? "nodes" : "processes",
            largest[page->options->measure]);
    print_pair_heads(page, &columns);
    for (size_t i = 0; i < page->list->n; i++) {
        const hd_matrix_entry *entry = &page->list->entries[page->order[i]];

        if (!(hd_matrix_value(entry, page->options->measure) > 0))
            break;
        if (n++ < page->summary.options.n_top)
            print_pair(page, entry, &columns);
    }
    if (n == 0)
        fputs("  none\n", file);
    if (n > page->summary.options.n_top)
        fprintf(file, "  (%zu more)\n", n - page->summary.options.n_top);
}

static void
print_sizes(const matrix_page *page, uint64_t n_messages)
{
    FILE *file = page->summary.file;

    fprintf(file, "\nSizes of messages\n  %12s %14s %12s %8s\n", "from [bytes]", "to [bytes]", "messages", "share");
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++)
        if (page->list->sizes[i] > 0)
            fprintf(file, "  %12s %14s %12s %6.1f %%\n", hd_count_text_of(hd_matrix_size_class_begin(i)).text,
                    hd_count_text_of(hd_matrix_size_class_end(i)).text, hd_count_text_of(page->list->sizes[i]).text,
                    hd_share((double)page->list->sizes[i], (double)n_messages));
}

static void
print_page(const matrix_page *page)
{
    FILE           *file  = page->summary.file;
    hd_matrix_entry total = hd_matrix_total(page->list);
    char           *times;

    hd_completeness_print(page->summary.cube, file);
    hd_summary_page_headline(&page->summary, "communication matrix");
    fprintf(file, "  %s message%s of %s between %s pair%s of %s\n",
            hd_count_text_of(total.messages).text, hd_plural((double)total.messages),
            hd_bytes_text_of((double)total.bytes).text, hd_count_text_of(page->list->n).text, hd_plural((double)page->list->n),
            page->nodes != NULL ? "nodes" : "processes");
    if (page->list->n == 0) {
        fputs("  Collective operations and one-sided communication are not in the matrix.\n", file);
        return;
    }
    times = hd_format("Late Sender %s, Late Receiver %s, mean transfer %s", hd_time_text_of(total.late_sender).text,
                      hd_time_text_of(total.late_receiver).text, hd_time_text_of(hd_matrix_mean_transfer(&total)).text);
    hd_summary_page_sentence(&page->summary, 2, times);
    free(times);
    print_pairs(page);
    print_sizes(page, total.messages);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_csv(const matrix_page *page)
{
    FILE *file = page->summary.file;

    fputs("sender,receiver,messages,bytes,late_sender,late_receiver,mean_transfer\n", file);
    for (size_t i = 0; i < page->list->n; i++) {
        const hd_matrix_entry *entry    = &page->list->entries[page->order[i]];
        char                  *sender   = name_of(page, entry->sender);
        char                  *receiver = name_of(page, entry->receiver);

        hd_csv_text(file, sender);
        fputc(',', file);
        hd_csv_text(file, receiver);
        fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.17g,%.17g,", entry->messages, entry->bytes, entry->late_sender,
                entry->late_receiver);
        if (entry->messages > 0)
            fprintf(file, "%.17g", hd_matrix_mean_transfer(entry));
        fputc('\n', file);
        free(sender);
        free(receiver);
    }
}

/* In a document of nodes sender and receiver are indices in "nodes". */
static hd_status
write_json(const matrix_page *page)
{
    static const char *const measures[] = { "messages", "bytes", "waiting", "transfer" };
    hd_matrix_entry          total = hd_matrix_total(page->list);
    hd_json                  json;

    hd_json_document_begin(&json, page->summary.file, "matrix");
    hd_json_report(&json, "report", page->summary.cube);
    hd_json_text(&json, "by", page->nodes != NULL ? "node" : "process");
    hd_json_text(&json, "metric", measures[page->options->measure]);
    hd_json_object(&json, "total");
    hd_json_matrix_values(&json, &total);
    hd_json_end(&json);
    hd_json_message_sizes(&json, "sizes", page->list);
    if (page->nodes == NULL)
        hd_json_null(&json, "nodes");
    else {
        hd_json_array(&json, "nodes");
        for (uint32_t i = 0; i < page->nodes->n; i++) {
            char *name = hd_division_name(page->nodes, i);

            hd_json_text(&json, NULL, name);
            free(name);
        }
        hd_json_end(&json);
    }
    hd_json_matrix_pairs(&json, "pairs", page->list, page->order, page->list->n);
    return hd_json_document_end(&json);
}

static hd_status
show(const matrix_page *page)
{
    FILE *file = page->summary.file;

    if (page->options->format == HD_MATRIX_JSON)
        return write_json(page);
    if (page->options->format == HD_MATRIX_CSV)
        print_csv(page);
    else
        print_page(page);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the communication matrix of report \"%s\": %s",
                       page->summary.cube->path, strerror(errno));
    return HD_OK;
}

hd_status
hd_matrix_print(hd_cube *cube, const hd_matrix_list *list, FILE *file, const hd_matrix_options *options)
{
    matrix_page        page = { .options = options, .list = list };
    hd_summary_options look = options->look;
    hd_division        nodes = { 0 };
    hd_matrix_list     of_nodes = { 0 };
    hd_status          status;

    look.n_top = look.n_top > 0 ? look.n_top : N_PAIRS;
    hd_summary_page_init(&page.summary, cube, file, &look);
    if (options->by_node) {
        hd_division_by_node(cube, &nodes);
        hd_matrix_by_node(cube, list, &nodes, &of_nodes);
        page.nodes = &nodes;
        page.list  = &of_nodes;
    }
    page.order = hd_matrix_order(page.list, options->measure);
    status     = show(&page);
    hd_summary_page_fini(&page.summary);
    hd_matrix_list_fini(&of_nodes);
    hd_division_fini(&nodes);
    free(page.order);
    return status;
}

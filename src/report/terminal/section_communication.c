/* src/report/terminal/section_communication.c: the section "Communication statistics": numbers of calls, messages and
 * collective operations; the pairs of processes with the most bytes and the longest waiting time, and the sizes of
 * messages. */
#include "summary_sections.h"

#include <math.h>
#include <string.h>

#include "bytes_text.h"
#include "count_text.h"
#include "matrix_json.h"
#include "memory.h"
#include "time_text.h"

enum { PROCESS = 9 /* columns */, SIZES = 4 /* classes to name */ };

typedef struct communication { /* NAN: the report does not have it */
    double         calls, messages, collectives, accesses;
    hd_matrix_list matrix;
} communication;

static bool
has_any(const hd_summary_page *summary, const char *const *ids)
{
    for (; *ids != NULL; ids++)
        if (hd_cube_metric_by_id(summary->cube, *ids) != HD_NONE)
            return true;
    return false;
}

static double
total_of_all(hd_summary_page *summary, const char *const *ids, hd_status *status)
{
    double sum = 0;

    if (!has_any(summary, ids))
        return NAN;
    for (; *ids != NULL; ids++)
        sum += hd_summary_page_total(summary, *ids, status);
    return sum;
}

/* Calls of MPI functions, at all call paths. */
static double
mpi_calls(hd_summary_page *summary, hd_status *status)
{
    const hd_metric_totals *visits = hd_summary_page_totals(summary, HD_METRIC_visits, status);
    const hd_cube          *cube   = summary->cube;
    double                  sum    = 0;

    for (uint32_t path = 0; visits != NULL && path < cube->n_paths; path++)
        if (hd_path_is_mpi(cube, path))
            sum += visits->of_path[path];
    return sum;
}

static hd_status
find(hd_summary_page *summary, communication *found)
{
    static const char *const of_messages[]    = { "comms_send", "syncs_send", NULL };
    static const char *const of_collectives[] = { "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll", NULL };

    hd_status status = HD_OK;

    found->calls       = mpi_calls(summary, &status);
    found->messages    = total_of_all(summary, of_messages, &status);
    found->collectives = total_of_all(summary, of_collectives, &status);
    found->accesses    = hd_summary_page_total(summary, "comms_rma", &status);
    return status == HD_OK ? hd_matrix_list_read(summary->cube, &found->matrix) : status;
}

static bool
has_something(const communication *found)
{
    return found->calls > 0 || found->messages > 0 || found->collectives > 0 || found->accesses > 0 ||
           found->matrix.n > 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

/* How many pairs of an order are shown: no more than asked for, and none without a value. */
static size_t
n_shown(const hd_summary_page *summary, const hd_matrix_list *matrix, const size_t *order, hd_matrix_measure measure)
{
    size_t n = 0;

    while (n < matrix->n && n < summary->options.n_top && hd_matrix_value(&matrix->entries[order[n]], measure) > 0)
        n++;
    return n;
}

static void
print_pairs(const hd_summary_page *summary, const hd_matrix_list *matrix, hd_matrix_measure measure, const char *title)
{
    size_t *order = hd_matrix_order(matrix, measure);
    size_t  n     = n_shown(summary, matrix, order, measure);
    int     rest  = (int)summary->options.width - 2 * PROCESS - 30;

    if (n > 0)
        fprintf(summary->file, "  %s\n  %*s%*s%12s%16s%*s\n", title, PROCESS, "sender", PROCESS, "receiver", "messages",
                "bytes", rest,
                measure == HD_MATRIX_WAITING ? (rest > 12 ? "waiting time" : "waiting")
                                             : (rest > 18 ? "mean transfer time" : "transfer"));
    for (size_t i = 0; i < n; i++) {
        const hd_matrix_entry *entry = &matrix->entries[order[i]];
        hd_time_text           time  = hd_time_column(hd_matrix_value(entry, measure == HD_MATRIX_WAITING ? measure :
                                                                                                            HD_MATRIX_TRANSFER));
        int                    n_blank = time.text[strlen(time.text) - 1] == ' ';

        fprintf(summary->file, "  %*" PRIu32 "%*" PRIu32 "%12s%16s%*.*s\n", PROCESS, entry->sender,
                PROCESS, entry->receiver, hd_count_text_of(entry->messages).text,
                hd_bytes_text_of((double)entry->bytes).text, rest - n_blank, (int)strlen(time.text) - n_blank, time.text);
    }
    free(order);
}

/* "sizes of messages: 81.4 % of 64 to 127 bytes, 18.6 % of 8 to 15 bytes": the classes with the most messages. */
static void
print_sizes(const hd_summary_page *summary, const hd_matrix_list *matrix)
{
    double   counts[HD_MATRIX_SIZE_CLASSES], whole = 0, count;
    char    *text = hd_strdup("sizes of messages: ");
    uint32_t class, n = 0;

    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++) {
        counts[i] = (double)matrix->sizes[i];
        whole += counts[i];
    }
    while (n < SIZES && (class = hd_take_largest(counts, HD_MATRIX_SIZE_CLASSES, &count)) != HD_NONE) {
        char *more = class < 2 ? hd_format("%s%s%.1f %% of %" PRIu32 " bytes", text, n > 0 ? ", " : "",
                                           hd_share(count, whole), class) :
                                 hd_format("%s%s%.1f %% of %s to %s bytes", text, n > 0 ? ", " : "", hd_share(count, whole),
                                           hd_count_text_of(hd_matrix_size_class_begin(class)).text,
                                           hd_count_text_of(hd_matrix_size_class_end(class)).text);

        free(text);
        text = more;
        n++;
    }
    if (n > 0)
        hd_summary_page_list(summary, 2, text);
    free(text);
}

static void
put_pairs(const hd_summary_page *summary, const char *key, const hd_matrix_list *matrix, hd_matrix_measure measure)
{
    size_t *order = hd_matrix_order(matrix, measure);

    hd_json_matrix_pairs(summary->json, key, matrix, order, n_shown(summary, matrix, order, measure));
    free(order);
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

static void
put(const hd_summary_page *summary, const communication *found)
{
    hd_json_object(summary->json, summary->key);
    hd_json_number(summary->json, "calls", found->calls);
    hd_json_number(summary->json, "messages", found->messages);
    hd_json_number(summary->json, "collective_calls", found->collectives);
    hd_json_number(summary->json, "window_accesses", found->accesses);
    if (found->matrix.is_there) {
        put_pairs(summary, "pairs_by_bytes", &found->matrix, HD_MATRIX_BYTES);
        put_pairs(summary, "pairs_by_waiting", &found->matrix, HD_MATRIX_WAITING);
        hd_json_message_sizes(summary->json, "sizes", &found->matrix);
    } else {
        hd_json_null(summary->json, "pairs_by_bytes");
        hd_json_null(summary->json, "pairs_by_waiting");
        hd_json_null(summary->json, "sizes");
    }
    hd_json_end(summary->json);
}

static void
print(const hd_summary_page *summary, const communication *found)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *out   = open_memstream(&text, &bytes);

    if (out == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    fprintf(out, "%s MPI call%s", hd_count_text_rounded(found->calls).text, hd_plural(found->calls));
    if (!isnan(found->messages))
        fprintf(out, ", %s message%s sent", hd_count_text_rounded(found->messages).text, hd_plural(found->messages));
    if (!isnan(found->collectives))
        fprintf(out, ", %s call%s of blocking collective operations", hd_count_text_rounded(found->collectives).text,
                hd_plural(found->collectives));
    if (found->accesses > 0)
        fprintf(out, ", %s access%s to windows", hd_count_text_rounded(found->accesses).text, found->accesses == 1 ? "" : "es");
    if (fclose(out) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    hd_summary_page_list(summary, 2, text);
    free(text);
    print_sizes(summary, &found->matrix);
    print_pairs(summary, &found->matrix, HD_MATRIX_BYTES, "pairs of processes with the most bytes:");
    print_pairs(summary, &found->matrix, HD_MATRIX_WAITING, "pairs of processes with the longest waiting time:");
}

hd_status
hd_section_communication(hd_summary_page *summary)
{
    communication found  = { 0 };
    hd_status     status = find(summary, &found);

    if (status == HD_OK && has_something(&found)) {
        if (summary->json != NULL)
            put(summary, &found);
        else
            print(summary, &found);
    }
    hd_matrix_list_fini(&found.matrix);
    return status;
}

/* src/report/terminal/section_efficiency.c: the section "Efficiencies": factors of the main window, and the lowest of
 * them with its call path. */
#include "section_efficiency.h"

#include <math.h>
#include <stdlib.h>

#include "efficiency_json.h"
#include "efficiency_loss.h"
#include "escape.h"
#include "memory.h"
#include "summary_sections.h"
#include "time_text.h"

enum { COLUMN = 40 }; /* of percents */

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

typedef struct efficiency_row {
    hd_factor   factor;
    uint32_t    indent;
    const char *behind;
} efficiency_row;

static const efficiency_row rows_of_mpi[] = {
    { HD_FACTOR_parallel, 2, "load balance x communication" },
    { HD_FACTOR_load_balance, 4, "useful time of the threads: mean / maximum" },
    { HD_FACTOR_communication, 4, "serialisation x transfer" },
    { HD_FACTOR_serialisation, 6, "what waiting for slower processes leaves" },
    { HD_FACTOR_transfer, 6, "what moving data leaves" },
};

static const efficiency_row rows_of_hybrid[] = {
    { HD_FACTOR_parallel, 2, "MPI x OpenMP" },
    { HD_FACTOR_mpi_parallel, 4, "load balance x serialisation x transfer" },
    { HD_FACTOR_mpi_load_balance, 6, "time outside of MPI of the processes: mean / maximum" },
    { HD_FACTOR_mpi_serialisation, 6, "what waiting for slower processes leaves" },
    { HD_FACTOR_mpi_transfer, 6, "what moving data leaves" },
    { HD_FACTOR_openmp_parallel, 4, "useful time of the threads / time outside of MPI" },
    { HD_FACTOR_openmp_load_balance, 6, NULL },
    { HD_FACTOR_openmp_communication, 6, NULL },
};

char *
hd_percent_text(char *text, double factor)
{
    if (isnan(factor))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.1f %%", 100 * factor);
    return text;
}

static void
print_rows(const hd_summary_page *page, const efficiency_row *rows, size_t n, const double *factors)
{
    char percent[16];

    for (size_t i = 0; i < n; i++) {
        fprintf(page->file, "%*s%-*s %8s%s%s\n", (int)rows[i].indent, "", COLUMN - (int)rows[i].indent,
                hd_factor_infos[rows[i].factor].name, hd_percent_text(percent, factors[rows[i].factor]),
                rows[i].behind != NULL && page->options.width >= 100 ? "   " : "",
                rows[i].behind != NULL && page->options.width >= 100 ? rows[i].behind : "");
    }
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

static void
print_lowest(const hd_summary_page *page, const hd_efficiency_loss *loss)
{
    char  percent[16];
    char *name = hd_format("lowest: %s, %s%s", hd_factor_infos[loss->factor].name,
                           hd_percent_text(percent, loss->value),
                           loss->value >= HD_ACCEPTABLE_EFFICIENCY ? " (from 80 % on it is acceptable, says POP)" :
                           loss->path != HD_NONE ? "; most of it is lost at" : "");

    hd_summary_page_sentence(page, 2, name);
    free(name);
    if (loss->path == HD_NONE || loss->value >= HD_ACCEPTABLE_EFFICIENCY)
        return;
    name = hd_summary_page_path_text(page, 4, loss->path, "");
    fprintf(page->file, "    %s\n", name);
    free(name);
    hd_summary_page_sentence(page, 4, loss->sentence);
}

static void
print_block(const hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors)
{
    const uint64_t *sums = entry->sums;
    char           *head = hd_format("%s: %s, %" PRIu64 " process%s, %" PRIu64 " thread%s",
                                     hd_slice_name(entry->kind),
                                     hd_time_text_of(hd_efficiency_runtime(entry)).text, sums[HD_EFFICIENCY_processes],
                                     sums[HD_EFFICIENCY_processes] == 1 ? "" : "es", sums[HD_EFFICIENCY_threads],
                                     sums[HD_EFFICIENCY_threads] == 1 ? "" : "s");

    hd_summary_page_sentence(page, 2, head);
    free(head);
    if (hd_efficiency_is_hybrid(entry))
        print_rows(page, rows_of_hybrid, sizeof rows_of_hybrid / sizeof *rows_of_hybrid, factors);
    else
        print_rows(page, rows_of_mpi, sizeof rows_of_mpi / sizeof *rows_of_mpi, factors);
}

static void
put_lowest(const hd_summary_page *page, const hd_efficiency_loss *loss)
{
    hd_json_object(page->json, "lowest");
    hd_json_text(page->json, "id", hd_factor_infos[loss->factor].id);
    hd_json_text(page->json, "name", hd_factor_infos[loss->factor].name);
    hd_json_number(page->json, "value", loss->value);
    hd_json_call_path(page->json, page->cube, loss->path);
    hd_json_text(page->json, "what", loss->sentence);
    hd_json_end(page->json);
}

hd_status
hd_section_efficiency(hd_summary_page *page)
{
    hd_efficiency_list         list;
    hd_status                  status = hd_efficiency_list_read(page->cube, &list);
    const hd_efficiency_entry *entry  = hd_efficiency_main(&list);
    hd_efficiency_losses       losses = { .n = 0 };
    double                     factors[HD_N_FACTORS];

    if (status == HD_OK && entry != NULL && entry->sums[HD_EFFICIENCY_threads] > 1) {
        hd_factors_of(entry, factors);
        status = hd_efficiency_losses_find(page, entry, factors, false, &losses);
        if (status == HD_OK && page->json != NULL) {
            hd_json_object(page->json, page->key);
            hd_json_efficiency(page->json, "slice", entry);
            if (losses.n > 0)
                put_lowest(page, &losses.of[0]);
            else
                hd_json_null(page->json, "lowest");
            hd_json_end(page->json);
        } else if (status == HD_OK) {
            print_block(page, entry, factors);
            if (losses.n > 0)
                print_lowest(page, &losses.of[0]);
        }
    }
    hd_efficiency_losses_fini(&losses);
    hd_efficiency_list_fini(&list);
    return status;
}

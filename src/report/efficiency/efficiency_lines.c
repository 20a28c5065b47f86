/* src/report/efficiency/efficiency_lines.c: columns of regions, windows and iterations, for the width of the text. */
#include "efficiency_lines.h"

#include "section_efficiency.h"
#include "time_text.h"

enum { MOST_NAME = 46, LEAST_NAME = 16 /* columns of a name, with its indent */ };

typedef struct line_columns { /* of lines with a name, a time and three efficiencies */
    const char *heads[4];
    int         widths[4];
} line_columns;

static const line_columns wide_lines   = { { "time", "parallel", "load balance", "communication" },
                                           { 10, 10, 14, 15 } };
static const line_columns narrow_lines = { { "time", "parallel", "balance", "comm." }, { 9, 9, 9, 8 } };
enum { WIDE_LINES = 49, NARROW_LINES = 35, NARROW = 76 /* columns that they take; of a text in which they are narrow */ };

static const line_columns *
columns_of(const hd_summary_page *page)
{
    return page->options.width < NARROW ? &narrow_lines : &wide_lines;
}

static int
name_columns(const hd_summary_page *page)
{
    int width = (int)page->options.width;

    width -= width < NARROW ? NARROW_LINES : WIDE_LINES;
    return width > MOST_NAME ? MOST_NAME : width < LEAST_NAME ? LEAST_NAME : width;
}

uint32_t
hd_efficiency_line_name(const hd_summary_page *page)
{
    return (uint32_t)name_columns(page) - 2;
}

void
hd_efficiency_line_print(const hd_summary_page *page, const char *name, const hd_efficiency_entry *entry)
{
    static const hd_factor shown[]  = { HD_FACTOR_parallel, HD_FACTOR_load_balance, HD_FACTOR_communication };
    const line_columns    *columns  = columns_of(page);
    FILE                  *file     = page->file;
    double                 factors[HD_N_FACTORS];
    char                   percent[16];

    hd_factors_of(entry, factors);
    hd_fit_text(file, page->cuts, 2, name, name_columns(page));
    fprintf(file, "%*s", columns->widths[0], hd_time_text_of(hd_efficiency_runtime(entry)).text);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        fprintf(file, "%*s", columns->widths[i + 1], hd_percent_text(percent, factors[shown[i]]));
    fputc('\n', file);
}

void
hd_efficiency_line_head(const hd_summary_page *page, const char *what)
{
    const line_columns *columns = columns_of(page);

    fprintf(page->file, "%-*s%*s%*s%*s%*s\n", name_columns(page), what, columns->widths[0],
            columns->heads[0], columns->widths[1], columns->heads[1], columns->widths[2], columns->heads[2],
            columns->widths[3], columns->heads[3]);
}

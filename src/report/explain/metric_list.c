/* src/report/explain/metric_list.c: the metrics as a tree, or as lines for scripts. */
#define _GNU_SOURCE /* strcasestr */
#include <errno.h>
#include <string.h>

#include "explain_page.h"
#include "explanation.h"
#include "memory.h"
#include "metric.h"
#include "paragraphs.h"

enum { INDENT = 2 };

static const char *const unit_names[] = { [HD_UNIT_TICKS] = "sec", [HD_UNIT_OCC] = "occ", [HD_UNIT_BYTES] = "bytes" };

static bool
fits(const hd_metric_info *info, const hd_metric_list_options *options)
{
    hd_explanation explanation;

    if (options->filter != NULL)
        return strcasestr(info->id, options->filter) != NULL || strcasestr(info->name, options->filter) != NULL ||
               strcasestr(info->what, options->filter) != NULL;
    return options->all || hd_explanation_find(info->id, &explanation);
}

static void
print_row(FILE *file, const hd_metric_info *info, bool is_whole, uint32_t width)
{
    uint32_t depth = 0;
    bool     fits_line;

    for (uint32_t i = info->parent; i != HD_NONE; i = hd_metric_infos[i].parent)
        depth++;
    fits_line = INDENT * depth + strlen(info->name) + strlen(info->id) + strlen(unit_names[info->unit]) +
                strlen(" (, )") <= width;
    fprintf(file, "%*s%s%s", (int)(INDENT * depth), "", info->name, fits_line ? " " : "\n");
    fprintf(file, "%*s(%s, %s)\n", fits_line ? 0 : (int)(INDENT * depth + 2 * INDENT), "", info->id,
            unit_names[info->unit]);
    if (is_whole)
        hd_paragraph_print(file, info->what, INDENT * depth + 2 * INDENT, INDENT * depth + 2 * INDENT, width);
}

static void
print_line(FILE *file, const hd_metric_info *info)
{
    fprintf(file, "%s\t%s\t%s\t%s\t%s\n", info->id, info->parent != HD_NONE ? hd_metric_infos[info->parent].id : "",
            info->name, unit_names[info->unit], info->what);
}

hd_status
hd_metric_list_print(FILE *file, const hd_metric_list_options *options, size_t *n)
{
    uint32_t width    = hd_summary_width(options->look.width);
    bool    *is_shown = HD_NEW_ARRAY(bool, HD_N_METRICS);
    bool    *is_above = HD_NEW_ARRAY(bool, HD_N_METRICS);

    *n = 0;
    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        is_shown[i] = fits(&hd_metric_infos[i], options);
        *n += is_shown[i];
        for (uint32_t parent = hd_metric_infos[i].parent; is_shown[i] && parent != HD_NONE;
             parent = hd_metric_infos[parent].parent)
            is_above[parent] = true;
    }
    if (options->is_tsv && *n > 0)
        fputs("id\tparent\tname\tunit\twhat\n", file);
    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        if (is_shown[i] && options->is_tsv)
            print_line(file, &hd_metric_infos[i]);
        else if ((is_shown[i] || is_above[i]) && !options->is_tsv)
            print_row(file, &hd_metric_infos[i], is_shown[i], width);
    }
    free(is_shown);
    free(is_above);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the list of metrics: %s", strerror(errno));
    return HD_OK;
}

/* src/report/terminal/section_communication.c: the section "Communication statistics": numbers of calls, messages and collective operations. */
#include "summary_sections.h"

#include <math.h>

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

    for (; *ids != NULL; ids++)
        sum += hd_summary_page_total(summary, *ids, status);
    return sum;
}

hd_status
hd_section_communication(hd_summary_page *summary)
{
    static const char *const of_messages[]    = { "comms_send", "syncs_send", NULL };
    static const char *const of_collectives[] = { "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll", NULL };

    hd_status status      = HD_OK;
    double    calls       = hd_summary_page_total(summary, "visits", &status);
    double    messages    = total_of_all(summary, of_messages, &status);
    double    collectives = total_of_all(summary, of_collectives, &status);
    double    accesses    = hd_summary_page_total(summary, "comms_rma", &status);

    if (status != HD_OK)
        return status;
    if (summary->json != NULL) {
        hd_json_object(summary->json, summary->key);
        hd_json_number(summary->json, "calls", calls);
        hd_json_number(summary->json, "messages", has_any(summary, of_messages) ? messages : NAN);
        hd_json_number(summary->json, "collective_calls", has_any(summary, of_collectives) ? collectives : NAN);
        hd_json_number(summary->json, "window_accesses", accesses);
        hd_json_end(summary->json);
        return HD_OK;
    }
    fprintf(summary->file, "  %.0f call%s", calls, hd_plural(calls));
    if (has_any(summary, of_messages))
        fprintf(summary->file, ", %.0f message%s sent", messages, hd_plural(messages));
    if (has_any(summary, of_collectives))
        fprintf(summary->file, ", %.0f call%s of collective operations", collectives, hd_plural(collectives));
    if (accesses > 0)
        fprintf(summary->file, ", %.0f access%s to windows", accesses, accesses == 1 ? "" : "es");
    fputs("\n", summary->file);
    return HD_OK;
}

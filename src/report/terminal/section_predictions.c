/* src/report/terminal/section_predictions.c: the section "Predictions": what heddle analyze --simulate found. */
#include "summary_sections.h"

#include "prediction_json.h"
#include "prediction_list.h"
#include "prediction_page.h"

hd_status
hd_section_predictions(hd_summary_page *page)
{
    hd_predictions predictions;
    bool           is_there;
    hd_status      status = hd_predictions_read(page->cube, &predictions, &is_there);

    if (status != HD_OK || !is_there)
        return status;
    if (page->json != NULL)
        hd_json_predictions(page->json, page->key, &predictions);
    else
        hd_predictions_print(page->file, &predictions, &page->options, page->cuts, true);
    hd_predictions_fini(&predictions);
    return HD_OK;
}

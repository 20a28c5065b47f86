/* src/report/html/page_difference.h: what the page of a difference says of A and B.
 * Uses: json. MT: the thread that writes the page. Ranks: local.
 */
#ifndef HD_PAGE_DIFFERENCE_H
#define HD_PAGE_DIFFERENCE_H

#include "json.h"
#include "status.h"

/* put: puts members of a JSON object (docs/json.md#diff) while the page is written, perhaps twice; NULL: the page is of
 * no difference.
 * Errors: its own; the page is not written then. */
typedef struct hd_page_difference {
    hd_status (*put)(hd_json *json, void *context);
    void       *context;
} hd_page_difference;

#endif

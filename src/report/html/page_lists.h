/* src/report/html/page_lists.h: long lists of a page's head, of integers and of names. Neighbours that follow a rule are written as runs,
 * where that is shorter: the names and places of a million processes are a few numbers then. The format is that of docs/formats.md#page.
 * Private to the component. Uses: cube_model, json. MT: one thread. Ranks: local.
 */
#ifndef HD_PAGE_LISTS_H
#define HD_PAGE_LISTS_H

#include "cube_model.h"
#include "json.h"

/* Item i of a list, 0 <= i < n; the same each time it is asked for. HD_NONE is written as -1. Names are lent. */
typedef uint32_t (*hd_page_integer)(const void *context, size_t i);
typedef const char *(*hd_page_name)(const void *context, size_t i);

/* [i, ...] or { "runs": [first, step, n, ...] }. Cost: each item is asked for twice. */
void hd_page_put_integers(hd_json *json, const char *key, size_t n, hd_page_integer get, const void *context);

/* ["name", ...] or { "runs": ["name ", first, n, ...] }; first -1: the name is not followed by a number. Cost: as above. */
void hd_page_put_names(hd_json *json, const char *key, size_t n, hd_page_name get, const void *context);

#endif

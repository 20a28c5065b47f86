/* src/report/json/matrix_json.h: the communication matrix in JSON documents (docs/json.md).
 * Uses: json_document, matrix_pairs. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_MATRIX_JSON_H
#define HD_MATRIX_JSON_H

#include "json_document.h"
#include "matrix_pairs.h"

/* Members of a pair's object, without sender and receiver. */
void hd_json_matrix_values(hd_json *json, const hd_matrix_entry *entry);

/* An array of the first n pairs in an order of hd_matrix_order(). */
void hd_json_matrix_pairs(hd_json *json, const char *key, const hd_matrix_list *list, const size_t *order, size_t n);

/* An array: the size classes that have messages. */
void hd_json_message_sizes(hd_json *json, const char *key, const hd_matrix_list *list);

#endif

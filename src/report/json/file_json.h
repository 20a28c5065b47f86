/* src/report/json/file_json.h: the table of files in JSON documents (docs/json.md) and in the page.
 * Uses: json, file_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_FILE_JSON_H
#define HD_FILE_JSON_H

#include "file_list.h"
#include "json.h"

/* An array of the first n files. */
void hd_json_files(hd_json *json, const char *key, const hd_file_list *list, size_t n);

/* Members of an object: numbers and bytes of operations, time and bandwidth. */
void hd_json_file_values(hd_json *json, const hd_file_entry *entry);

#endif

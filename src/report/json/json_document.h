/* src/report/json/json_document.h: what the JSON documents of all commands have in common (docs/json.md, docs/schema/heddle-1.json).
 *
 *     {"schema": "heddle", "version": 1, "command": "summary", "program": "Heddle 0.2.0", ...}
 *
 * Later versions of Heddle add members; a member is never removed or given another meaning without another HD_JSON_VERSION.
 * Uses: json, completeness. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_JSON_DOCUMENT_H
#define HD_JSON_DOCUMENT_H

#include "cube_reader.h"
#include "json.h"

enum { HD_JSON_VERSION = 1 };

/* Opens the document, with the members that all have. */
void hd_json_document_begin(hd_json *json, FILE *file, const char *command);

/* Closes it and writes it out. Errors: HD_EWRITE, also of what was written before. */
hd_status hd_json_document_end(hd_json *json);

/* An object: a report, with its size, with what it lacks, and with what it is restricted to. */
void hd_json_report(hd_json *json, const char *key, const hd_cube *cube);

/* An array: the names of a call path, from its root; HD_NONE: null. */
void hd_json_names(hd_json *json, const char *key, const hd_cube *cube, uint32_t path);

/* Members "call_path_id", the id in the report's anchor, "call_path", its names, and "source", its file and line; HD_NONE: all null. */
void hd_json_call_path(hd_json *json, const hd_cube *cube, uint32_t path);

/* Members "metric", its id, and "name". */
void hd_json_metric(hd_json *json, const char *id, const char *name);

/* Members "value", and "share", what that is of the whole, 0 to 1; null where there is no whole. */
void hd_json_share(hd_json *json, double value, double whole);

#endif

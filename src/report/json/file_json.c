/* src/report/json/file_json.c: files as JSON. */
#include "file_json.h"

void
hd_json_file_values(hd_json *json, const hd_file_entry *entry)
{
    hd_json_count(json, "reads", entry->reads);
    hd_json_count(json, "writes", entry->writes);
    hd_json_count(json, "others", entry->others);
    hd_json_count(json, "bytes_read", entry->bytes_read);
    hd_json_count(json, "bytes_written", entry->bytes_written);
    hd_json_number(json, "time", entry->time);
    hd_json_number(json, "bandwidth", hd_file_bandwidth(entry));
}

void
hd_json_files(hd_json *json, const char *key, const hd_file_list *list, size_t n)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < n && i < list->n; i++) {
        const hd_file_entry *entry = &list->entries[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "file", entry->name);
        hd_json_text(json, "paradigm", entry->paradigm);
        hd_json_bool(json, "inner", entry->is_inner != 0);
        hd_json_count(json, "processes", entry->n_processes);
        hd_json_file_values(json, entry);
        hd_json_end(json);
    }
    hd_json_end(json);
}

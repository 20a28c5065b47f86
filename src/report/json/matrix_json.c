/* src/report/json/matrix_json.c: pairs of processes or nodes, and sizes of messages, as JSON. */
#include "matrix_json.h"

#include <math.h>

void
hd_json_matrix_values(hd_json *json, const hd_matrix_entry *entry)
{
    hd_json_count(json, "messages", entry->messages);
    hd_json_count(json, "bytes", entry->bytes);
    hd_json_number(json, "late_sender", entry->late_sender);
    hd_json_number(json, "late_receiver", entry->late_receiver);
    hd_json_number(json, "mean_transfer", entry->messages > 0 ? hd_matrix_mean_transfer(entry) : NAN);
}

void
hd_json_matrix_pairs(hd_json *json, const char *key, const hd_matrix_list *list, const size_t *order, size_t n)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < n; i++) {
        const hd_matrix_entry *entry = &list->entries[order[i]];

        hd_json_object(json, NULL);
        hd_json_index(json, "sender", entry->sender);
        hd_json_index(json, "receiver", entry->receiver);
        hd_json_matrix_values(json, entry);
        hd_json_end(json);
    }
    hd_json_end(json);
}

void
hd_json_message_sizes(hd_json *json, const char *key, const hd_matrix_list *list)
{
    hd_json_array(json, key);
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++)
        if (list->sizes[i] > 0) {
            hd_json_object(json, NULL);
            hd_json_count(json, "from_bytes", hd_matrix_size_class_begin(i));
            hd_json_count(json, "to_bytes", hd_matrix_size_class_end(i));
            hd_json_count(json, "messages", list->sizes[i]);
            hd_json_end(json);
        }
    hd_json_end(json);
}

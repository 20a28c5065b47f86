/* src/report/members/matrix_list.c: writes and reads the tables of the communication matrix. */
#include "matrix_list.h"

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head_of_matrix[] = "sender\treceiver\tmessages\tbytes\tlate_sender\tlate_receiver\ttransfer";
static const char head_of_sizes[]  = "from\tmessages";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void
hd_matrix_write(FILE *file, const hd_matrix *matrix, uint64_t resolution)
{
    char line[7 * HD_TSV_MAX_NUMBER];

    fprintf(file, "%s\n", head_of_matrix);
    for (size_t i = 0; i < matrix->n; i++) {
        const hd_matrix_row *row = &matrix->rows[i];
        char                *at  = hd_tsv_add_count(line, row->sender, '\t');

        at = hd_tsv_add_count(at, row->receiver, '\t');
        at = hd_tsv_add_count(at, row->messages, '\t');
        at = hd_tsv_add_count(at, row->bytes, '\t');
        at = hd_tsv_add_ticks(at, (uint64_t)row->late_sender, resolution, '\t');
        at = hd_tsv_add_ticks(at, (uint64_t)row->late_receiver, resolution, '\t');
        at = hd_tsv_add_ticks(at, (uint64_t)row->transfer, resolution, '\n');
        fwrite(line, 1, (size_t)(at - line), file);
    }
}

void
hd_message_sizes_write(FILE *file, const hd_matrix *matrix)
{
    fprintf(file, "%s\n", head_of_sizes);
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++)
        if (matrix->sizes[i] > 0)
            fprintf(file, "%" PRIu64 "\t%" PRIu64 "\n", hd_matrix_size_class_begin(i), matrix->sizes[i]);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_matrix_list *list;
    size_t          capacity;
} reading;

static bool
is_behind(const hd_matrix_entry *entry, const hd_matrix_entry *before)
{
    return entry->sender > before->sender || (entry->sender == before->sender && entry->receiver > before->receiver);
}

static bool
read_pair(void *context, char *line)
{
    reading        *r     = context;
    hd_matrix_list *list  = r->list;
    hd_matrix_entry entry = { 0 };

    if (!hd_tsv_number(hd_tsv_next(&line), &entry.sender) || entry.sender == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.receiver) || entry.receiver == HD_NONE ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.messages) || !hd_tsv_count(hd_tsv_next(&line), &entry.bytes) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.late_sender) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.late_receiver) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.transfer) || line != NULL)
        return false;
    if (list->n > 0 && !is_behind(&entry, &list->entries[list->n - 1]))
        return false;
    HD_PUSH(list->entries, list->n, r->capacity, entry);
    return true;
}

static bool
read_size(void *context, char *line)
{
    hd_matrix_list *list = ((reading *)context)->list;
    uint64_t        from, n;

    if (!hd_tsv_count(hd_tsv_next(&line), &from) || (from & (from - 1)) != 0 || !hd_tsv_count(hd_tsv_next(&line), &n) ||
        line != NULL)
        return false;
    list->sizes[hd_matrix_size_class(from)] = n;
    return true;
}

hd_status
hd_matrix_list_read(hd_cube *cube, hd_matrix_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_matrix_list){ 0 };
    status = hd_tsv_member(cube, HD_MATRIX_MEMBER, MAX_BYTES, head_of_matrix, read_pair, &r, &list->is_there);
    if (status == HD_OK)
        status = hd_tsv_member(cube, HD_MESSAGE_SIZES_MEMBER, MAX_BYTES, head_of_sizes, read_size, &r, &list->is_there);
    if (status != HD_OK)
        hd_matrix_list_fini(list);
    return status;
}

void
hd_matrix_list_fini(hd_matrix_list *list)
{
    free(list->entries);
    *list = (hd_matrix_list){ 0 };
}

/* src/report/members/lag_list.c: writes and reads the table of causes over time. */
#include "lag_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 24, MAX_LAG = 1 << 20 };

static const char head[] = "by\twait state\twhat\tfrom\tto\tvalue";

static char *
add_lag(char *at, int32_t lag)
{
    if (lag < 0)
        *at++ = '-';
    return hd_tsv_add_count(at, lag < 0 ? (uint64_t)-(int64_t)lag : (uint64_t)lag, '\t');
}

void
hd_lags_write(FILE *file, const hd_cause_lags *lags, bool by_iterations, double per_second)
{
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head);

    for (size_t i = 0; i < lags->n; i++) {
        const hd_cause_lag *row = &lags->rows[i];

        at = hd_tsv_add_text(hd_tsv_out_room(&out, at), by_iterations ? "iterations" : "windows", '\t');
        at = hd_tsv_add_text(at, hd_delay_infos[row->delay].id, '\t');
        at = hd_tsv_add_text(at, hd_lag_words[row->what], '\t');
        at = add_lag(at, row->from);
        at = add_lag(at, row->to);
        at = hd_tsv_add_real(at, (double)row->value / per_second, '\n');
    }
    hd_tsv_out_flush(&out, at);
}

typedef struct reading {
    hd_lag_list *list;
    size_t       capacity;
} reading;

static bool
read_lag(const char *field, int32_t *lag)
{
    uint32_t number;
    bool     is_below = field != NULL && *field == '-';

    if (field == NULL || !hd_tsv_number(field + is_below, &number) || number > MAX_LAG)
        return false;
    *lag = is_below ? -(int32_t)number : (int32_t)number;
    return true;
}

/* Which of two words a field is. */
static bool
read_word(const char *field, const char *no, const char *yes, bool *is_yes)
{
    *is_yes = field != NULL && strcmp(field, yes) == 0;
    return field != NULL && (*is_yes || strcmp(field, no) == 0);
}

static bool
read_delay(const char *field, uint32_t *delay)
{
    for (*delay = 0; field != NULL && *delay < HD_N_DELAYS; (*delay)++)
        if (strcmp(field, hd_delay_infos[*delay].id) == 0)
            return true;
    return false;
}

static bool
read_what(const char *field, hd_lag_what *what)
{
    for (*what = HD_LAG_BIN; field != NULL && *what < HD_N_LAG_WHATS; (*what)++)
        if (strcmp(field, hd_lag_words[*what]) == 0)
            return true;
    return false;
}

/* Slices are not below 0, and lags of a bin ascend. */
static bool
is_well(const hd_lag_entry *entry)
{
    if (entry->what == HD_LAG_BIN)
        return entry->from <= entry->to;
    return entry->from >= 0 && entry->to >= 0 && (entry->what == HD_LAG_PAIR || entry->from == entry->to);
}

static bool
read_entry(void *context, char *line)
{
    reading     *r     = context;
    hd_lag_entry entry = { 0 };

    if (!read_word(hd_tsv_next(&line), "windows", "iterations", &r->list->by_iterations) ||
        !read_delay(hd_tsv_next(&line), &entry.delay) ||
        !read_what(hd_tsv_next(&line), &entry.what) || !read_lag(hd_tsv_next(&line), &entry.from) ||
        !read_lag(hd_tsv_next(&line), &entry.to) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.value) || line != NULL ||
        !is_well(&entry))
        return false;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_lag_list_read(hd_cube *cube, hd_lag_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_lag_list){ 0 };
    status = hd_tsv_member(cube, HD_LAGS_MEMBER, MAX_BYTES, head, read_entry, &r, &list->is_there);
    if (status != HD_OK)
        hd_lag_list_fini(list);
    return status;
}

void
hd_lag_list_fini(hd_lag_list *list)
{
    free(list->entries);
    *list = (hd_lag_list){ 0 };
}

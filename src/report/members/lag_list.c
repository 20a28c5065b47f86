/* src/report/members/lag_list.c: writes and reads the tables of causes over time. */
#include "lag_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

#define MAX_SECONDS 1e300 /* sums of these are finite */

enum { MAX_BYTES = 1 << 24, MAX_LAG = 1 << 20, TICK_PARTS = 256 /* of a tick, to which costs by slice are rounded */ };

static const char head_of_lags[]   = "by\twait state\twhat\tfrom\tto\tvalue";
static const char head_of_slices[] = "wait state\twhat\tresolution\tfirst\tvalues";

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
    char      *at = hd_tsv_out_begin(&out, file, head_of_lags);

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

/* costs: [n], and some is not 0. bits: so many lower ones are rounded. */
static char *
add_costs(hd_tsv_out *out, char *at, const int64_t *costs, uint32_t n, unsigned bits)
{
    uint64_t half  = (UINT64_C(1) << bits) >> 1;
    uint32_t first = 0;

    while (costs[first] == 0)
        first++;
    while (costs[n - 1] == 0)
        n--;
    at = hd_tsv_add_count(at, first, '\t');
    for (uint32_t slice = first; slice < n; slice++) {
        at = hd_tsv_out_room(out, at);
        if (costs[slice] > 0)
            at = hd_tsv_add_some(at, ((uint64_t)costs[slice] + half) >> bits, ',');
        else
            *at++ = ',';
    }
    at[-1] = '\n';
    return at;
}

void
hd_lag_slices_write(FILE *file, const hd_cause_lags *lags, double fraction, uint64_t resolution)
{
    hd_tsv_out out;
    char      *at   = hd_tsv_out_begin(&out, file, head_of_slices), per_second[HD_TSV_MAX_NUMBER];
    unsigned   bits = 0;

    while (fraction > TICK_PARTS) {
        fraction /= 2;
        bits++;
    }
    hd_tsv_add_exact(per_second, fraction * (double)resolution, '\0');
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++)
        for (hd_lag_what what = HD_LAG_DELAYS; what <= HD_LAG_WAITS && lags->delays[delay] != NULL; what++) {
            at = hd_tsv_add_text(hd_tsv_out_room(&out, at), hd_delay_infos[delay].id, '\t');
            at = hd_tsv_add_text(at, hd_lag_words[what], '\t');
            at = hd_tsv_add_text(at, per_second, '\t');
            at = add_costs(&out, at, what == HD_LAG_DELAYS ? lags->delays[delay] : lags->waits[delay], lags->n_slices,
                           bits);
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

/* Of these from first to last. */
static bool
read_what(const char *field, hd_lag_what first, hd_lag_what last, hd_lag_what *what)
{
    for (*what = first; field != NULL && *what <= last; (*what)++)
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
        !read_what(hd_tsv_next(&line), HD_LAG_BIN, HD_LAG_WAITS, &entry.what) || /* earlier builds: those of slices, too */
        !read_lag(hd_tsv_next(&line), &entry.from) || !read_lag(hd_tsv_next(&line), &entry.to) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.value) || line != NULL || !is_well(&entry))
        return false;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

static bool
read_slices(void *context, char *line)
{
    reading     *r     = context;
    hd_lag_entry entry = { 0 };
    double       per_second;
    uint64_t     cost;
    char        *at, *element;

    if (!read_delay(hd_tsv_next(&line), &entry.delay) ||
        !read_what(hd_tsv_next(&line), HD_LAG_DELAYS, HD_LAG_WAITS, &entry.what) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &per_second) || per_second == 0 ||
        !read_lag(hd_tsv_next(&line), &entry.from) || entry.from < 0 || (at = hd_tsv_next(&line)) == NULL || line != NULL)
        return false;
    for (; (element = hd_tsv_element(&at)) != NULL; entry.from++) {
        if (entry.from > MAX_LAG || (*element != '\0' && !hd_tsv_count(element, &cost)))
            return false;
        if (*element == '\0')
            continue;
        entry.to    = entry.from;
        entry.value = (double)cost / per_second;
        if (!(entry.value < MAX_SECONDS))
            return false;
        HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    }
    return true;
}

hd_status
hd_lag_list_read(hd_cube *cube, hd_lag_list *list)
{
    reading   r          = { .list = list };
    bool      has_slices = false;
    hd_status status;

    *list  = (hd_lag_list){ 0 };
    status = hd_tsv_member(cube, HD_LAGS_MEMBER, MAX_BYTES, head_of_lags, read_entry, &r, &list->is_there);
    if (status == HD_OK)
        status = hd_tsv_member(cube, HD_LAG_SLICES_MEMBER, MAX_BYTES, head_of_slices, read_slices, &r, &has_slices);
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

#include "cause_list.h"

#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 256 * 1024 * 1024 };

static const char head_of_call_paths[] = "cause\teffect\twait state\tshort-term\tlong-term";
static const char head_of_processes[]  = "process\twaiting process\tshort-term\tlong-term";

/* Seconds to 15 decimal places. */
static char *
add_seconds(char *at, double seconds, char behind)
{
    uint64_t whole = (uint64_t)seconds, rest = (uint64_t)((seconds - (double)whole) * 1e15 + 0.5);

    if (rest >= 1000000000000000) {
        rest -= 1000000000000000;
        whole++;
    }
    if (rest == 0)
        return hd_tsv_add_count(at, whole, behind);
    at = hd_tsv_add_count(at, whole, '.');
    for (int i = 14; i >= 0; i--, rest /= 10)
        at[i] = (char)('0' + rest % 10);
    at[15] = behind;
    return at + 16;
}

static char *
add_number(char *at, uint32_t number, bool is_known)
{
    if (is_known)
        return hd_tsv_add_count(at, number, '\t');
    *at++ = '\t';
    return at;
}

void
hd_cause_list_write(FILE *file, const hd_causes *causes, const uint32_t *numbers, double per_second)
{
    char line[5 * HD_TSV_MAX_NUMBER]; /* ids of delays are shorter than a number may be */

    fprintf(file, "%s\n", numbers != NULL ? head_of_call_paths : head_of_processes);
    for (size_t i = 0; i < causes->n; i++) {
        const hd_cause *row       = &causes->rows[i];
        uint32_t        call_path = hd_effect_call_path(row->effect);
        bool            has_cause = row->cause != HD_NONE, has_effect = call_path != HD_EFFECT_OTHERS;
        char           *at;

        if (numbers != NULL) {
            at = add_number(line, has_cause ? numbers[row->cause] : 0, has_cause);
            at = add_number(at, has_effect ? numbers[call_path] : 0, has_effect);
            at = hd_tsv_add_text(at, hd_delay_infos[hd_effect_delay(row->effect)].id, '\t');
        } else {
            at = add_number(line, row->cause, has_cause);
            at = add_number(at, row->effect, has_cause);
        }
        at = add_seconds(at, (double)row->short_term / per_second, '\t');
        at = add_seconds(at, (double)row->long_term / per_second, '\n');
        fwrite(line, 1, (size_t)(at - line), file);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static hd_delay
delay_by_id(const char *id)
{
    int delay = 0;

    while (delay < HD_N_DELAYS && (id == NULL || strcmp(hd_delay_infos[delay].id, id) != 0))
        delay++;
    return (hd_delay)delay;
}

typedef struct reading {
    hd_cause_list  *list;
    const uint32_t *places; /* id of a call path -> index; NULL: processes */
    const bool     *skipped; /* see hd_cube; may be NULL */
    uint32_t        n_places;
    size_t          capacity;
} reading;

static bool
is_skipped(const reading *r, uint32_t path)
{
    return path != HD_NONE && r->skipped != NULL && r->skipped[path];
}

static bool
read_line(void *context, char *line)
{
    reading       *r     = context;
    hd_cause_entry entry = { .delay = HD_DELAY_NONE };
    bool           is_well;

    if (r->places == NULL)
        is_well = hd_tsv_number(hd_tsv_next(&line), &entry.cause) && hd_tsv_number(hd_tsv_next(&line), &entry.effect);
    else {
        is_well = hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.cause) &&
                  hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.effect);
        entry.delay = delay_by_id(hd_tsv_next(&line));
        is_well     = is_well && entry.delay < HD_N_DELAYS;
    }
    if (!is_well || !hd_tsv_seconds(hd_tsv_next(&line), &entry.short_term) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.long_term) ||
        line != NULL)
        return false;
    if (r->places != NULL && (is_skipped(r, entry.cause) || is_skipped(r, entry.effect)))
        return true;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

/* What call paths cost outside of the main window: they make threads idle then. */
static void
take_off_startup(const hd_cube *cube, hd_cause_list *list)
{
    uint32_t idle = hd_cube_metric_by_id(cube, hd_metric_infos[HD_METRIC_delay_ompidle].id);
    double  *taken;
    size_t   n = 0;

    if (idle == HD_NONE || cube->n_taken_off == 0)
        return;
    taken = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    for (size_t i = 0; i < cube->n_taken_off; i++)
        if (cube->taken_off[i].metric == idle)
            taken[cube->taken_off[i].path] += cube->taken_off[i].value.real;
    for (size_t i = 0; i < list->n; i++) {
        hd_cause_entry entry = list->entries[i];

        if (entry.delay == HD_DELAY_OMP_IDLE && entry.cause != HD_NONE && taken[entry.cause] > 0)
            entry.short_term = entry.short_term > taken[entry.cause] * (1 + 1e-9) ?
                               entry.short_term - taken[entry.cause] : 0;
        if (hd_cause_value(&entry) > 0)
            list->entries[n++] = entry;
    }
    list->n = n;
    free(taken);
}

hd_status
hd_cause_list_read(hd_cube *cube, bool of_processes, hd_cause_list *list)
{
    const char *name   = of_processes ? HD_PAIRS_MEMBER : HD_CAUSES_MEMBER;
    uint32_t   *places = of_processes ? NULL : hd_tsv_places(cube);
    reading     r      = { .list = list, .places = places, .skipped = cube->skipped, .n_places = cube->n_paths };
    hd_status   status;

    *list  = (hd_cause_list){ 0 };
    status = hd_tsv_member(cube, name, MAX_BYTES, of_processes ? head_of_processes : head_of_call_paths, read_line,
                           &r, &list->is_there);
    if (status != HD_OK) {
        free(list->entries);
        *list = (hd_cause_list){ 0 };
    } else if (!of_processes)
        take_off_startup(cube, list);
    free(places);
    return status;
}

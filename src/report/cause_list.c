#include "cause_list.h"

#include <errno.h>
#include <string.h>

#include "memory.h"

enum { MAX_BYTES = 256 * 1024 * 1024 };

static const char head_of_call_paths[] = "cause\teffect\twait state\tshort-term\tlong-term";
static const char head_of_processes[]  = "process\twaiting process\tshort-term\tlong-term";

static void
write_number(FILE *file, uint32_t number, bool is_known)
{
    if (is_known)
        fprintf(file, "%" PRIu32, number);
    fputc('\t', file);
}

/* Seconds to 15 decimal places: many values, so no general printing of doubles. */
static void
write_seconds(FILE *file, double seconds, char behind)
{
    uint64_t whole = (uint64_t)seconds, rest = (uint64_t)((seconds - (double)whole) * 1e15 + 0.5);
    char     text[48], *at = text + sizeof text;

    if (rest >= 1000000000000000) {
        rest -= 1000000000000000;
        whole++;
    }
    *--at = behind;
    if (rest != 0) {
        for (int i = 0; i < 15; i++, rest /= 10)
            *--at = (char)('0' + rest % 10);
        *--at = '.';
    }
    do
        *--at = (char)('0' + whole % 10);
    while ((whole /= 10) > 0);
    fwrite(at, 1, (size_t)(text + sizeof text - at), file);
}

void
hd_cause_list_write(FILE *file, const hd_causes *causes, const uint32_t *numbers, double per_second)
{
    fprintf(file, "%s\n", numbers != NULL ? head_of_call_paths : head_of_processes);
    for (size_t i = 0; i < causes->n; i++) {
        const hd_cause *row       = &causes->rows[i];
        uint32_t        call_path = hd_effect_call_path(row->effect);

        if (numbers != NULL) {
            write_number(file, row->cause != HD_NONE ? numbers[row->cause] : 0, row->cause != HD_NONE);
            write_number(file, call_path != HD_EFFECT_OTHERS ? numbers[call_path] : 0, call_path != HD_EFFECT_OTHERS);
            fprintf(file, "%s\t", hd_delay_infos[hd_effect_delay(row->effect)].id);
        } else {
            write_number(file, row->cause, row->cause != HD_NONE);
            write_number(file, row->effect, row->cause != HD_NONE);
        }
        write_seconds(file, (double)row->short_term / per_second, '\t');
        write_seconds(file, (double)row->long_term / per_second, '\n');
    }
}

/* ---- reading --------------------------------------------------------------------------------------------------------------- */

/* The next field of a line, without the tab behind it; NULL: there is none. */
static char *
next_field(char **at)
{
    char  *field  = *at;
    size_t length;

    if (field == NULL)
        return NULL;
    length = strcspn(field, "\t");
    *at    = field[length] == '\t' ? field + length + 1 : NULL;
    field[length] = '\0';
    return field;
}

/* An empty field is HD_NONE. False: it is no number. */
static bool
read_number(const char *field, uint32_t *number)
{
    char         *end;
    unsigned long value;

    *number = HD_NONE;
    if (field == NULL || *field == '\0')
        return field != NULL;
    value = strtoul(field, &end, 10);
    if (*end != '\0' || *field < '0' || *field > '9' || value >= HD_NONE)
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool
read_seconds(const char *field, double *seconds)
{
    char *end;

    if (field == NULL || *field == '\0')
        return false;
    *seconds = strtod(field, &end);
    return *end == '\0' && *seconds >= 0 && *seconds < 1e300;
}

static hd_delay
delay_by_id(const char *id)
{
    int delay = 0;

    while (delay < HD_N_DELAYS && (id == NULL || strcmp(hd_delay_infos[delay].id, id) != 0))
        delay++;
    return (hd_delay)delay;
}

/* places: id of a call path -> index; NULL: processes. */
static bool
read_line(char *line, const uint32_t *places, uint32_t n_places, hd_cause_entry *entry)
{
    bool is_well = read_number(next_field(&line), &entry->cause) && read_number(next_field(&line), &entry->effect);

    entry->delay = HD_DELAY_NONE;
    if (is_well && places != NULL) {
        entry->delay = delay_by_id(next_field(&line));
        is_well      = entry->delay != HD_DELAY_NONE && (entry->cause == HD_NONE || entry->cause < n_places) &&
                  (entry->effect == HD_NONE || entry->effect < n_places);
        if (is_well && entry->cause != HD_NONE)
            is_well = (entry->cause = places[entry->cause]) != HD_NONE;
        if (is_well && entry->effect != HD_NONE)
            is_well = (entry->effect = places[entry->effect]) != HD_NONE;
    }
    return is_well && read_seconds(next_field(&line), &entry->short_term) && read_seconds(next_field(&line), &entry->long_term) &&
           line == NULL;
}

/* Index of each call path by its id; ids are below n in reports of ours. */
static uint32_t *
places_of(const hd_cube *cube)
{
    uint32_t *places = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);

    for (uint32_t i = 0; i < cube->n_paths; i++)
        places[i] = HD_NONE;
    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (cube->paths[i].number < cube->n_paths)
            places[cube->paths[i].number] = i;
    return places;
}

static hd_status
read_lines(const hd_cube *cube, const char *name, char *text, const uint32_t *places, hd_cause_list *list)
{
    const char *head = places != NULL ? head_of_call_paths : head_of_processes;
    size_t      capacity = 0, number = 0;

    for (char *line = text, *next; line != NULL && *line != '\0'; line = next) {
        hd_cause_entry entry    = { 0 };
        bool           is_empty = *line == '\n';

        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        number++;
        if (number == 1 ? strcmp(line, head) != 0 : !is_empty && !read_line(line, places, cube->n_paths, &entry))
            return hd_fail(HD_EFORMAT, "report \"%s\": its table \"%s\" is damaged in line %zu", cube->path, name, number);
        if (number > 1 && !is_empty)
            HD_PUSH(list->entries, list->n, capacity, entry);
    }
    return HD_OK;
}

hd_status
hd_cause_list_read(hd_cube *cube, bool of_processes, hd_cause_list *list)
{
    const char *name   = of_processes ? HD_PAIRS_MEMBER : HD_CAUSES_MEMBER;
    uint32_t   *places = NULL;
    char       *text   = NULL;
    size_t      bytes;
    hd_status   status = hd_cube_misc(cube, name, MAX_BYTES, &text, &bytes);

    *list = (hd_cause_list){ .is_there = text != NULL };
    if (status == HD_OK && text != NULL) {
        if (!of_processes)
            places = places_of(cube);
        status = read_lines(cube, name, text, places, list);
    }
    if (status != HD_OK) {
        free(list->entries);
        *list = (hd_cause_list){ 0 };
    }
    free(places);
    free(text);
    return status;
}

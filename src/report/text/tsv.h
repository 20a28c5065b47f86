/* src/report/text/tsv.h: fields of the tables that a report carries (docs/formats.md). Private to the component.
 * Tables that are read are taken for damaged until checked. Uses: base, cube_reader. MT: any thread. Ranks: local.
 */
#ifndef HD_TSV_H
#define HD_TSV_H

#include <stdio.h>
#include <string.h>

#include "cube_reader.h"

/* The next field of a line, without the tab behind it; NULL: there is none. */
char *hd_tsv_next(char **at);
/* The next element of a list in a field, without the comma behind it; NULL: there is none. */
char *hd_tsv_element(char **at);
/* An empty field is HD_NONE. False: it is no number. field: NULL is fine, and is none. */
bool hd_tsv_number(const char *field, uint32_t *number);
bool hd_tsv_count(const char *field, uint64_t *count);      /* likewise, and not empty */
bool hd_tsv_seconds(const char *field, double *seconds);    /* likewise, not below 0 */
/* A finite number; an empty field is 0. field: NULL is fine, and is none. */
bool hd_tsv_real(const char *field, double *value);
/* The name that a field of hd_write_cell() stands for, free() it; NULL: it is damaged. */
char *hd_tsv_name(const char *cell);
/* The id of a call path in the report: places, of hd_tsv_places(), [n_places]. */
bool hd_tsv_path(const char *field, const uint32_t *places, uint32_t n_places, uint32_t *path);

/* Index of each call path by its id; ids are below n_paths in reports of ours. free() it. */
uint32_t *hd_tsv_places(const hd_cube *cube);

/* Calls line(context, text) for each line of a table behind its head line but empty ones; it says whether the line is
 * well. The text is changed. Errors: HD_EFORMAT with the line that is wrong, or that has no end. */
hd_status hd_tsv_lines(const hd_cube *cube, const char *name, char *text, const char *head,
                       bool (*line)(void *context, char *text),
                       void *context);

/* The same for a member of the report that is such a table. is_there: set to true if the report has it, else left as it
 * is. Errors: those of hd_tsv_lines() and hd_cube_misc(). */
hd_status hd_tsv_member(hd_cube *cube, const char *name, size_t max_bytes, const char *head,
                        bool (*line)(void *context, char *text), void *context, bool *is_there);

void hd_tsv_put_number(FILE *file, uint32_t number, bool is_known); /* and a tab */
void hd_tsv_put_count(FILE *file, uint64_t count, char behind);
/* Ticks in seconds, to 15 decimal places, without zeros at the end. */
void hd_tsv_put_ticks(FILE *file, uint64_t ticks, uint64_t resolution, char behind);

enum { HD_TSV_MAX_NUMBER = 40 }; /* characters of a number and what is behind it */

/* The same into a line, which has room for HD_TSV_MAX_NUMBER at `at`; the end of it. For tables with many lines. */
char *hd_tsv_add_count(char *at, uint64_t count, char behind);
char *hd_tsv_add_many(char *at, uint64_t count, char behind); /* likewise */
char *hd_tsv_add_ticks(char *at, uint64_t ticks, uint64_t resolution, char behind);
/* To 15 digits, as "%.15g" writes it. */
char *hd_tsv_add_real(char *at, double value, char behind);
/* To 6 digits, as "%.6g" writes it. */
char *hd_tsv_add_rounded(char *at, double value, char behind);
/* All digits, as "%.17g" writes it. */
char *hd_tsv_add_exact(char *at, double value, char behind);
/* Room for the text is up to the caller. */
char *hd_tsv_add_text(char *at, const char *text, char behind);

/* Three digits of each number below 1000, and how many of them are zeros in front of it. */
extern const uint8_t hd_tsv_threes[1001][4];

/* The digits of a number below 1000. Four characters are written, as below. */
static inline char *
hd_tsv_add_few(char *at, uint32_t number)
{
    const uint8_t *digits = hd_tsv_threes[number];

    memcpy(at, digits + digits[3], 4);
    return at + 3 - digits[3];
}

static inline char *
hd_tsv_add_three(char *at, uint32_t number)
{
    memcpy(at, hd_tsv_threes[number], 4);
    return at + 3;
}

/* The digits of a number below 10^9. Reports have many numbers: they are written without printf. */
static inline __attribute__((always_inline)) char *
hd_tsv_add_short(char *at, uint32_t number)
{
    uint32_t thousands = number / 1000, millions;

    if (number < 1000)
        return hd_tsv_add_few(at, number);
    if (number < 1000000)
        return hd_tsv_add_three(hd_tsv_add_few(at, thousands), number - 1000 * thousands);
    millions = thousands / 1000;
    return hd_tsv_add_three(hd_tsv_add_three(hd_tsv_add_few(at, millions), thousands - 1000 * millions),
                            number - 1000 * thousands);
}

/* The same as hd_tsv_add_count(), for loops: without a call for numbers below 10^9. */
static inline __attribute__((always_inline)) char *
hd_tsv_add_some(char *at, uint64_t count, char behind)
{
    if (HD_UNLIKELY(count >= 1000000000))
        return hd_tsv_add_many(at, count, behind);
    at    = hd_tsv_add_short(at, (uint32_t)count);
    *at++ = behind;
    return at;
}

enum { HD_TSV_ROOM = 2048, HD_TSV_SOME = 32 /* numbers for which that is room */ };
_Static_assert(HD_TSV_SOME * HD_TSV_MAX_NUMBER <= HD_TSV_ROOM, "numbers");

typedef struct hd_tsv_out { /* what is added to a table, on its way to the file */
    FILE *file;
    char  text[2 * HD_TSV_ROOM];
} hd_tsv_out;

/* Writes what is added so far, up to `at`. Returns where to add more. */
static inline char *
hd_tsv_out_flush(hd_tsv_out *out, const char *at)
{
    fwrite(out->text, 1, (size_t)(at - out->text), out->file);
    return out->text;
}

/* Begins a table with its head line; returns where to add more. */
static inline char *
hd_tsv_out_begin(hd_tsv_out *out, FILE *file, const char *head)
{
    out->file = file;
    return hd_tsv_add_text(out->text, head, '\n');
}

/* Where to add more, at most HD_TSV_ROOM characters; at: the end of what is added so far. */
static inline char *
hd_tsv_out_room(hd_tsv_out *out, char *at)
{
    return at - out->text < HD_TSV_ROOM ? at : hd_tsv_out_flush(out, at);
}

#endif

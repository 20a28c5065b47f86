#include "page_lists.h"

#include "memory.h"

enum { RUN_ITEMS = 3, MAX_DIGITS = 9 };

/* ---- integers ---------------------------------------------------------------------------------------------------------- */

static int64_t
integer_at(hd_page_integer get, const void *context, size_t i)
{
    uint32_t integer = get(context, i);

    return integer == HD_NONE ? -1 : (int64_t)integer;
}

/* The end of the longest run that begins at i. */
static size_t
integer_run(size_t i, size_t n, hd_page_integer get, const void *context, int64_t *first, int64_t *step)
{
    int64_t last = *first = integer_at(get, context, i);

    *step = 0;
    if (++i == n)
        return i;
    *step = integer_at(get, context, i) - last;
    for (; i < n; i++) {
        int64_t next = integer_at(get, context, i);

        if (next - last != *step)
            break;
        last = next;
    }
    return i;
}

void
hd_page_put_integers(hd_json *json, const char *key, size_t n, hd_page_integer get, const void *context)
{
    size_t  n_runs = 0;
    int64_t first, step;

    for (size_t i = 0; i < n; n_runs++)
        i = integer_run(i, n, get, context, &first, &step);
    if (RUN_ITEMS * n_runs >= n) {
        hd_json_array(json, key);
        for (size_t i = 0; i < n; i++)
            hd_json_integer(json, NULL, integer_at(get, context, i));
        hd_json_end(json);
        return;
    }
    hd_json_object(json, key);
    hd_json_array(json, "runs");
    for (size_t i = 0, end; i < n; i = end) {
        end = integer_run(i, n, get, context, &first, &step);
        hd_json_integer(json, NULL, first);
        hd_json_integer(json, NULL, step);
        hd_json_count(json, NULL, end - i);
    }
    hd_json_end(json);
    hd_json_end(json);
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

/* The number at the end of a name, without zeros in front of it; -1: there is none. length: of what is before it. */
static int64_t
number_of(const char *name, size_t *length)
{
    size_t  n = strlen(name), at = n;
    int64_t number = 0;

    while (at > 0 && n - at < MAX_DIGITS && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    while (at + 1 < n && name[at] == '0')
        at++;
    *length = at;
    for (size_t i = at; i < n; i++)
        number = 10 * number + (name[i] - '0');
    return at < n ? number : -1;
}

static bool
is_next(const char *name, const char *begin, size_t length, int64_t number)
{
    size_t n;

    return number_of(name, &n) == number && n == length && memcmp(name, begin, length) == 0;
}

/* The end of the longest run that begins at i: equal names, first -1, or names with numbers that follow each other. */
static size_t
name_run(size_t i, size_t n, hd_page_name get, const void *context, size_t *length, int64_t *first)
{
    const char *name  = get(context, i);
    size_t      begin = i++;

    *first = number_of(name, length);
    if (*first >= 0 && i < n && is_next(get(context, i), name, *length, *first + 1)) {
        while (i < n && is_next(get(context, i), name, *length, *first + (int64_t)(i - begin)))
            i++;
        return i;
    }
    *first  = -1;
    *length = strlen(name);
    while (i < n && strcmp(get(context, i), name) == 0)
        i++;
    return i;
}

void
hd_page_put_names(hd_json *json, const char *key, size_t n, hd_page_name get, const void *context)
{
    size_t  n_runs = 0, length;
    int64_t first;

    for (size_t i = 0; i < n; n_runs++)
        i = name_run(i, n, get, context, &length, &first);
    if (RUN_ITEMS * n_runs >= n) {
        hd_json_array(json, key);
        for (size_t i = 0; i < n; i++)
            hd_json_text(json, NULL, get(context, i));
        hd_json_end(json);
        return;
    }
    hd_json_object(json, key);
    hd_json_array(json, "runs");
    for (size_t i = 0, end; i < n; i = end) {
        char *begin;

        end   = name_run(i, n, get, context, &length, &first);
        begin = hd_format("%.*s", (int)length, get(context, i));
        hd_json_text(json, NULL, begin);
        free(begin);
        hd_json_integer(json, NULL, first);
        hd_json_count(json, NULL, end - i);
    }
    hd_json_end(json);
    hd_json_end(json);
}

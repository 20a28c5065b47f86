/* topology/hosts.c: names of nodes in a hash table, with and without domain, and the expansion of host lists. An
 * expansion stops at a limit, as a short list can stand for billions of names. */
#include "hosts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

enum { MAX_BYTES = 255, MAX_DIGITS = 9, MAX_BRACKETS = 8 };

/* Addresses, as "10.0.0.7", have no domain. */
static bool
has_domain(const char *name)
{
    size_t n = strspn(name, "0123456789");

    return name[n] != '.' || n == 0;
}

/* Without the domain: equal for names that are the same. */
static uint64_t
hash_of(const char *name)
{
    uint64_t hash  = UINT64_C(0xCBF29CE484222325);
    bool     whole = !has_domain(name);

    for (; *name != '\0' && (whole || *name != '.'); name++)
        hash = (hash ^ (uint64_t)tolower((unsigned char)*name)) * UINT64_C(0x100000001B3);
    return hash;
}

static bool
is_same(const char *name, const char *other)
{
    size_t length = strcspn(name, "."), other_length = strcspn(other, ".");

    if (strcasecmp(name, other) == 0)
        return true;
    if (!has_domain(name) || !has_domain(other))
        return false;
    return length == other_length && strncasecmp(name, other, length) == 0 &&
           (name[length] == '\0' || other[other_length] == '\0');
}

uint32_t
hd_hosts_find(const hd_hosts *hosts, const char *name)
{
    uint32_t first = hd_table_get(&hosts->index, hash_of(name));

    for (uint32_t i = first; i != HD_NONE; i = hosts->next[i])
        if (strcasecmp(hosts->names[i], name) == 0)
            return i;
    for (uint32_t i = first; i != HD_NONE; i = hosts->next[i])
        if (is_same(hosts->names[i], name))
            return i;
    return HD_NONE;
}

static uint32_t
add(hd_hosts *hosts, const char *name)
{
    uint64_t hash  = hash_of(name);
    uint32_t first = hd_table_get(&hosts->index, hash), i = first;

    while (i != HD_NONE && strcasecmp(hosts->names[i], name) != 0)
        i = hosts->next[i];
    if (i != HD_NONE)
        return i;
    i               = hosts->n++;
    hosts->names[i] = name;
    hosts->next[i]  = HD_NONE;
    if (first == HD_NONE)
        hd_table_add(&hosts->index, hash, i);
    else {
        hosts->next[i]     = hosts->next[first];
        hosts->next[first] = i;
    }
    return i;
}

void
hd_hosts_init(hd_hosts *hosts, const hd_defs *defs)
{
    size_t n = (size_t)defs->n_processes + 1;

    *hosts = (hd_hosts){ .names = HD_NEW_ARRAY(const char *, n), .next = HD_NEW_ARRAY(uint32_t, n),
                         .of_process = HD_NEW_ARRAY(uint32_t, n),
                         .nodes = hd_machine_nodes(defs) };
    hd_table_init(&hosts->index);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        bool is_known = p < defs->n_mpi_processes && hosts->nodes[p] != HD_NONE;

        hosts->of_process[p] = is_known ? add(hosts, hd_defs_text(defs, hd_defs_nodes(defs)[hosts->nodes[p]].name)) :
                               HD_NONE;
    }
}

void
hd_hosts_fini(hd_hosts *hosts)
{
    free(hosts->names);
    free(hosts->next);
    free(hosts->of_process);
    free(hosts->nodes);
    hd_table_fini(&hosts->index);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

typedef struct expansion {
    const hd_lines *lines;
    const char     *list;
    uint64_t       *left;
    hd_hosts_visit  visit;
    void           *context;
    char            name[MAX_BYTES + 1];
} expansion;

static hd_status
no_list(const expansion *e, const char *why)
{
    return hd_lines_fail(e->lines, "\"%.200s\" is no list of names: %s", e->list, why);
}

static hd_status
visit(expansion *e, size_t length)
{
    e->name[length] = '\0';
    if (length == 0)
        return no_list(e, "a name is missing");
    if (*e->left == 0)
        return no_list(e, "there are too many names in this file");
    --*e->left;
    return e->visit(e->context, e->name);
}

/* "07-12": digits: of the first number */
static bool
read_range(const char **text, uint32_t *low, uint32_t *high, int *digits)
{
    size_t n = strspn(*text, "0123456789");

    if (n == 0 || n > MAX_DIGITS)
        return false;
    *digits = (int)n;
    *low = *high = (uint32_t)strtoul(*text, NULL, 10);
    *text += n;
    if (**text != '-')
        return true;
    n = strspn(++*text, "0123456789");
    if (n == 0 || n > MAX_DIGITS)
        return false;
    *high = (uint32_t)strtoul(*text, NULL, 10);
    *text += n;
    return *high >= *low;
}

/* The names that begin with e->name[length] and go on as text says, up to end. */
static hd_status
expand(expansion *e, size_t length, const char *text, const char *end, uint32_t n_brackets)
{
    const char *close;
    hd_status   status = HD_OK;

    for (; text < end && *text != '['; text++) {
        if (length == MAX_BYTES)
            return no_list(e, "a name is too long");
        e->name[length++] = *text;
    }
    if (text == end)
        return visit(e, length);
    close = memchr(text, ']', (size_t)(end - text));
    if (close == NULL || n_brackets == MAX_BRACKETS)
        return no_list(e, close == NULL ? "a \"]\" is missing" : "it has too many brackets");
    do {
        uint32_t low, high;
        int      digits;

        text++; /* "[" or "," */
        if (!read_range(&text, &low, &high, &digits) || (*text != ',' && text != close))
            return no_list(e, "what is between brackets is not of the form 0-15,17");
        for (uint64_t number = low; number <= high && status == HD_OK; number++) {
            int n = snprintf(e->name + length, sizeof e->name - length, "%0*" PRIu64, digits, number);

            if ((size_t)n >= sizeof e->name - length)
                return no_list(e, "a name is too long");
            status = expand(e, length + (size_t)n, close + 1, end, n_brackets + 1);
        }
    } while (status == HD_OK && text != close);
    return status;
}

/* Of an item up to the next comma that is not in brackets. */
static const char *
end_of_item(const char *text)
{
    bool is_inside = false;

    for (; *text != '\0' && (is_inside || *text != ','); text++)
        is_inside = *text == '[' || (is_inside && *text != ']');
    return text;
}

hd_status
hd_hosts_expand(const hd_lines *lines, const char *list, uint64_t *left, hd_hosts_visit visit_one, void *context)
{
    expansion e      = { .lines = lines, .list = list, .left = left, .visit = visit_one, .context = context };
    hd_status status = HD_OK;

    for (;;) {
        const char *end = end_of_item(list);

        status = expand(&e, 0, list, end, 0);
        if (status != HD_OK || *end == '\0')
            return status;
        list = end + 1;
    }
}

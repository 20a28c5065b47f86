/* topology/slurm.c: reads topology.conf into a tree of switches. Slurm allows several switches above one; switches
 * above a common one are united, so that the result is a tree. Circles are found by taking switches off from the top.
 * */
#include "slurm.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lines.h"
#include "memory.h"

#define MAX_NAMES (UINT64_C(1) << 21) /* of hosts and switches in one file */

typedef struct switch_line {
    const char *name, *nodes, *switches; /* NULL: not given */
    uint32_t    line;
    uint32_t    n_above;    /* switches that name it */
    uint32_t    first_edge; /* to those that it names */
    uint32_t    same;       /* one that counts as the same switch, towards the one that stands for all; or itself */
    uint32_t    above;      /* of one that stands for all: the switch above, HD_NONE: none */
    uint32_t    number;     /* in the result; HD_NONE: not yet */
} switch_line;

typedef struct edge {
    uint32_t above, below;
} edge;

typedef struct slurm {
    hd_lines        lines;
    switch_line    *all; /* [n] */
    size_t          n, capacity;
    edge           *edges; /* [n_edges] by the switch above */
    size_t          n_edges, capacity_edges;
    hd_table        index; /* hash of a name, and those after it if it is another's -> number */
    const hd_hosts *hosts;
    uint32_t       *of_host; /* [hosts->n] switch; HD_NONE: none */
    uint32_t        current;
    uint64_t        left;
} slurm;

static uint64_t
hash_of(const char *name)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (; *name != '\0'; name++)
        hash = (hash ^ (uint64_t)(unsigned char)*name) * UINT64_C(0x100000001B3);
    return hash;
}

/* slot: where it is, or can be added */
static uint32_t
find_switch(const slurm *s, const char *name, uint64_t *slot)
{
    uint32_t i;

    for (*slot = hash_of(name); (i = hd_table_get(&s->index, *slot)) != HD_NONE; ++*slot)
        if (strcmp(s->all[i].name, name) == 0)
            return i;
    return HD_NONE;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

#define BLANKS " \t\r\v\f"

/* The next KEY=VALUE of a line, KEY = VALUE or KEY="VALUE"; *key is NULL after the last. */
static hd_status
next_pair(slurm *s, char **line, char **key, char **value)
{
    char  *at     = *line + strspn(*line, BLANKS);
    size_t length = strcspn(at, BLANKS "=");
    char  *sign   = at + length + strspn(at + length, BLANKS);

    *key = *at != '\0' ? at : NULL;
    if (*key == NULL)
        return HD_OK;
    if (length == 0 || *sign != '=')
        return hd_lines_fail(&s->lines, "\"%.*s\" is not of the form KEY=VALUE",
                             length == 0 ? 1 : length < 60 ? (int)length : 60, at);
    at[length] = '\0';
    at         = sign + 1 + strspn(sign + 1, BLANKS);
    length     = *at == '"' ? strcspn(at + 1, "\"") : strcspn(at, BLANKS);
    if (*at == '"' && at[1 + length] == '\0')
        return hd_lines_fail(&s->lines, "%.60s: a \" is missing", *key);
    *value = *at == '"' ? at + 1 : at;
    if (length == 0 || (*at != '"' && memchr(at, '=', length) != NULL))
        return hd_lines_fail(&s->lines, "%.60s has no value", *key);
    *line = *value + length + ((*value)[length] != '\0');
    (*value)[length] = '\0';
    return HD_OK;
}

static hd_status
read_pair(slurm *s, const char *key, const char *value, switch_line *one)
{
    const char **field;

    if (strcasecmp(key, "SwitchName") == 0)
        field = &one->name;
    else if (strcasecmp(key, "Nodes") == 0)
        field = &one->nodes;
    else if (strcasecmp(key, "Switches") == 0)
        field = &one->switches;
    else if (strcasecmp(key, "LinkSpeed") == 0)
        return HD_OK;
    else
        return hd_lines_fail(&s->lines, "\"%.60s\" is not known; there are SwitchName, Nodes, Switches and LinkSpeed",
                             key);
    if (*field != NULL)
        return hd_lines_fail(&s->lines, "%s is given twice", key);
    *field = value;
    return HD_OK;
}

static hd_status
read_line(slurm *s, char *line)
{
    switch_line one = { .line = s->lines.number, .same = (uint32_t)s->n, .above = HD_NONE, .number = HD_NONE };
    hd_status   status;
    uint64_t    slot;
    uint32_t    other;
    char       *key, *value = NULL;

    for (status = next_pair(s, &line, &key, &value); status == HD_OK && key != NULL;) {
        status = read_pair(s, key, value, &one);
        if (status == HD_OK)
            status = next_pair(s, &line, &key, &value);
    }
    if (status != HD_OK)
        return status;
    if (one.name == NULL)
        return hd_lines_fail(&s->lines, "there is no SwitchName");
    if (one.nodes == NULL && one.switches == NULL)
        return hd_lines_fail(&s->lines, "switch \"%.60s\" has neither Nodes nor Switches", one.name);
    other = find_switch(s, one.name, &slot);
    if (other != HD_NONE)
        return hd_lines_fail(&s->lines, "switch \"%.60s\" is in line %" PRIu32 " already", one.name,
                             s->all[other].line);
    hd_table_add(&s->index, slot, (uint32_t)s->n);
    HD_PUSH(s->all, s->n, s->capacity, one);
    return HD_OK;
}

/* ---- what is at what --------------------------------------------------------------------------------------------- */

static hd_status
take_switch(void *context, const char *name)
{
    slurm   *s = context;
    uint64_t slot;
    uint32_t i = find_switch(s, name, &slot);

    if (i == HD_NONE)
        return hd_lines_fail(&s->lines, "there is no switch \"%.60s\"", name);
    s->all[i].n_above++;
    HD_PUSH(s->edges, s->n_edges, s->capacity_edges, ((edge){ s->current, i }));
    return HD_OK;
}

static hd_status
take_host(void *context, const char *name)
{
    slurm   *s    = context;
    uint32_t host = hd_hosts_find(s->hosts, name);

    if (host == HD_NONE)
        return HD_OK;
    if (s->of_host[host] != HD_NONE)
        return hd_lines_fail(&s->lines, "host \"%.60s\" is at switch \"%.60s\" already", name,
                             s->all[s->of_host[host]].name);
    s->of_host[host] = s->current;
    return HD_OK;
}

static hd_status
take_list(slurm *s, const char *list, hd_hosts_visit visit)
{
    return list != NULL ? hd_hosts_expand(&s->lines, list, &s->left, visit, s) : HD_OK;
}

static hd_status
connect(slurm *s)
{
    hd_status status = HD_OK;

    for (s->current = 0; s->current < s->n && status == HD_OK; s->current++) {
        s->lines.number                = s->all[s->current].line;
        s->all[s->current].first_edge = (uint32_t)s->n_edges;
        status                         = take_list(s, s->all[s->current].switches, take_switch);
        if (status == HD_OK)
            status = take_list(s, s->all[s->current].nodes, take_host);
    }
    return status;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static hd_status
fail_circle(slurm *s, uint32_t i)
{
    s->lines.number = s->all[i].line;
    return hd_lines_fail(&s->lines, "switch \"%.60s\" is below itself", s->all[i].name);
}

/* Switches are taken from the top; what is left has one above it that is left, too, and so on in a circle. */
static hd_status
find_circle(slurm *s)
{
    uint32_t *n_left = HD_NEW_ARRAY(uint32_t, s->n + 1), *order = HD_NEW_ARRAY(uint32_t, s->n + 1), at = HD_NONE;
    size_t    n      = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        n_left[i] = s->all[i].n_above;
        if (n_left[i] == 0)
            order[n++] = i;
    }
    for (size_t t = 0; t < n; t++)
        for (size_t e = s->all[order[t]].first_edge; e < s->n_edges && s->edges[e].above == order[t]; e++)
            if (--n_left[s->edges[e].below] == 0)
                order[n++] = s->edges[e].below;
    for (size_t e = 0; e < s->n_edges && n < s->n; e++)
        if (n_left[s->edges[e].above] > 0) {
            order[s->edges[e].below] = s->edges[e].above; /* from here on: one above it that is left */
            at                       = s->edges[e].below;
        }
    for (size_t step = 0; step < s->n && at != HD_NONE; step++)
        at = order[at];
    for (uint32_t i = at, start = at; at != HD_NONE && order[i] != start; i = order[i])
        at = order[i] < at ? order[i] : at; /* the first in the file */
    free(n_left);
    free(order);
    return at == HD_NONE ? HD_OK : fail_circle(s, at);
}

static uint32_t
one_for_all(slurm *s, uint32_t i)
{
    while (s->all[i].same != i)
        i = s->all[i].same = s->all[s->all[i].same].same;
    return i;
}

/* The one that stands for the switch above; HD_NONE: none. */
static uint32_t
above_of(slurm *s, uint32_t i)
{
    uint32_t above = s->all[i].above != HD_NONE ? one_for_all(s, s->all[i].above) : HD_NONE;

    return above != i ? above : HD_NONE;
}

/* Switches that one and the same switch is below of count as one. */
static void
join_directly_above(slurm *s)
{
    for (size_t e = 0; e < s->n_edges; e++) {
        switch_line *below = &s->all[s->edges[e].below];

        if (below->above == HD_NONE)
            below->above = s->edges[e].above;
        else
            s->all[one_for_all(s, s->edges[e].above)].same = one_for_all(s, below->above);
    }
    for (size_t i = 0; i < s->n; i++)
        s->all[i].above = HD_NONE;
}

/* Then those that what counts as one is below of: a layer of a fat tree. Of two that become the same, the one above the
 * first is an edge yet to come: so each edge is looked at once, and each switch adds at most one. */
static void
join_layers(slurm *s)
{
    join_directly_above(s);
    for (size_t e = 0; e < s->n_edges; e++) {
        uint32_t above = one_for_all(s, s->edges[e].above), below = one_for_all(s, s->edges[e].below);
        uint32_t other = above_of(s, below), higher;

        if (above == below || other == above)
            continue;
        if (other == HD_NONE) {
            s->all[below].above = above;
            continue;
        }
        higher             = above_of(s, above);
        s->all[above].same = other;
        if (higher != HD_NONE && higher != other)
            HD_PUSH(s->edges, s->n_edges, s->capacity_edges, ((edge){ higher, other }));
    }
}

static hd_status
fail_layers(slurm *s, uint32_t i)
{
    hd_fail(HD_EFORMAT, "\"%s\": its switches cannot be put in layers", s->lines.path);
    hd_fail_detail("first", "switch \"%.60s\", line %" PRIu32
                   ", would be below itself where switches above the same one count as one", s->all[i].name,
                   s->all[i].line);
    return HD_EFORMAT;
}

enum { UNDER_WAY = HD_NONE - 1 };

/* Those above first. */
static hd_status
put_in_order(slurm *s, hd_switches *switches)
{
    uint32_t *path   = HD_NEW_ARRAY(uint32_t, s->n + 1);
    hd_status status = HD_OK;

    switches->parents = HD_NEW_ARRAY(uint32_t, s->n + 1);
    for (uint32_t i = 0; i < s->n && status == HD_OK; i++) {
        size_t   depth = 0;
        uint32_t at;

        for (at = one_for_all(s, i); at != HD_NONE && s->all[at].number == HD_NONE; at = above_of(s, at)) {
            s->all[at].number = UNDER_WAY;
            path[depth++]     = at;
        }
        if (at != HD_NONE && s->all[at].number == UNDER_WAY)
            status = fail_layers(s, at);
        while (depth > 0 && status == HD_OK) {
            uint32_t one = path[--depth], above = above_of(s, one);

            s->all[one].number                    = switches->n++;
            switches->parents[s->all[one].number] = above != HD_NONE ? s->all[above].number : HD_NONE;
        }
    }
    free(path);
    return status;
}

static hd_status
place_nodes(slurm *s, const hd_defs *defs, hd_switches *switches)
{
    uint32_t n_missing = 0, first = HD_NONE;

    switches->of_node = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_nodes + 1);
    memset(switches->of_node, 0xFF, ((size_t)defs->n_nodes + 1) * sizeof *switches->of_node); /* HD_NONE */
    for (uint32_t host = s->hosts->n; host-- > 0;)
        if (s->of_host[host] == HD_NONE) {
            n_missing++;
            first = host;
        }
    if (n_missing > 0) {
        hd_fail(HD_EFORMAT, "\"%s\" has no switch for %" PRIu32 " of the archive's %" PRIu32 " hosts", s->lines.path,
                n_missing, s->hosts->n);
        hd_fail_detail("first", "%s", s->hosts->names[first]);
        return HD_EFORMAT;
    }
    for (uint32_t p = 0; p < defs->n_processes; p++)
        if (s->hosts->of_process[p] != HD_NONE)
            switches->of_node[s->hosts->nodes[p]] = s->all[one_for_all(s, s->of_host[s->hosts->of_process[p]])].number;
    return HD_OK;
}

hd_status
hd_slurm_read(char *text, const char *path, const hd_defs *defs, const hd_hosts *hosts, hd_switches **switches)
{
    slurm     s = { .lines = { .next = text, .path = path }, .hosts = hosts,
                    .of_host = HD_NEW_ARRAY(uint32_t, (size_t)hosts->n + 1),
                    .left = MAX_NAMES };
    hd_status status = HD_OK;
    char     *line;

    *switches = HD_NEW(hd_switches);
    memset(s.of_host, 0xFF, ((size_t)hosts->n + 1) * sizeof *s.of_host); /* HD_NONE */
    hd_table_init(&s.index);
    while (status == HD_OK && (line = hd_lines_next(&s.lines)) != NULL)
        status = read_line(&s, line);
    if (status == HD_OK)
        status = connect(&s);
    if (status == HD_OK)
        status = find_circle(&s);
    if (status == HD_OK)
        join_layers(&s);
    if (status == HD_OK)
        status = put_in_order(&s, *switches);
    if (status == HD_OK)
        status = place_nodes(&s, defs, *switches);
    if (status != HD_OK) {
        hd_switches_free(*switches);
        *switches = NULL;
    }
    hd_table_fini(&s.index);
    free(s.all);
    free(s.edges);
    free(s.of_host);
    return status;
}

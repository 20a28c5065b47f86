/* src/record/finish/run_system.c: what nodes have, and the smallest of it that a process is bound to. */
#include "run_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { MAX_WORDS = HD_RAW_MAX_PROCESSORS / 64 };

typedef struct object { /* of a node */
    hd_run_level level;
    uint32_t     number, n; /* n: processors */
    uint64_t     processors[MAX_WORDS];
} object;

typedef struct machine {
    object *objects; /* [n] as in the file: the node, sockets, NUMA domains, cores */
    size_t  n, room;
} machine;

/* ---- what nodes have --------------------------------------------------------------------------------------------- */

/* "0-3,8" False: it is no such list. */
static bool
read_processors(const char *text, object *it)
{
    for (;;) {
        char         *end;
        unsigned long first = strtoul(text, &end, 10), last = first;

        if (end != text && *end == '-') {
            text = end + 1;
            last = strtoul(text, &end, 10);
        }
        if (end == text || first > last || last >= HD_RAW_MAX_PROCESSORS)
            return false;
        for (unsigned long i = first; i <= last; i++) {
            it->n += (it->processors[i / 64] >> i % 64 & 1) == 0;
            it->processors[i / 64] |= UINT64_C(1) << i % 64;
        }
        if (*end != ',')
            return *end == '\n' || *end == '\0';
        text = end + 1;
    }
}

static void
read_line(const char *line, machine *of)
{
    static const char *const kinds[] = { [HD_RUN_NODE] = "node", [HD_RUN_SOCKET] = "socket", [HD_RUN_NUMA] = "numa",
                                         [HD_RUN_CORE] = "core" };
    object it = { 0 };
    char   kind[16];
    int    at = 0;

    if (sscanf(line, "%15s %" SCNu32 " %n", kind, &it.number, &at) < 2 || at == 0 || !read_processors(line + at, &it))
        return;
    for (uint32_t i = HD_RUN_NODE; i <= HD_RUN_CORE; i++)
        if (strcmp(kind, kinds[i]) == 0) {
            it.level = (hd_run_level)i;
            HD_PUSH(of->objects, of->n, of->room, it);
        }
}

static machine
read_machine(const char *folder, uint64_t node)
{
    char   *path = hd_format("%s/%016" PRIx64 ".machine", folder, node), *line = NULL;
    FILE   *file = fopen(path, "re");
    size_t  room = 0;
    machine read = { 0 };

    while (file != NULL && getline(&line, &room, file) > 0)
        read_line(line, &read);
    if (file != NULL)
        fclose(file);
    free(line);
    free(path);
    return read;
}

/* ---- where a process is ------------------------------------------------------------------------------------------ */

typedef struct path { /* from the node on */
    uint32_t process, node;
    uint64_t steps[HD_RUN_CORE]; /* level << 32 | number, 0: none */
    uint32_t n;
} path;

static bool
has_all(const object *it, const hd_raw_place *place)
{
    for (uint32_t i = 0; i < place->n; i++)
        if ((place->words[i] & ~it->processors[i]) != 0)
            return false;
    return place->n > 0;
}

/* Each inside of the one before, so fewer processors are further down. */
static void
find_path(const machine *of, const hd_raw_place *place, path *found)
{
    const object *around = of->n > 0 && of->objects[0].level == HD_RUN_NODE ? &of->objects[0] : NULL;

    while (around != NULL && found->n < HD_RUN_CORE) {
        const object *next = NULL;

        for (size_t i = 1; i < of->n; i++)
            if (of->objects[i].n < around->n && has_all(&of->objects[i], place) &&
                (next == NULL || of->objects[i].n > next->n))
                next = &of->objects[i];
        if (next != NULL)
            found->steps[found->n++] = (uint64_t)next->level << 32 | next->number;
        around = next;
    }
}

static int
by_path(const void *a_, const void *b_)
{
    const path *a = a_, *b = b_;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    for (uint32_t i = 0; i < HD_RUN_CORE; i++)
        if (a->steps[i] != b->steps[i])
            return a->steps[i] < b->steps[i] ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static uint32_t
add(hd_recorded_run *run, hd_run_level level, uint32_t number, uint32_t parent, const char *host)
{
    hd_run_system_node made = { .level = level, .number = number, .parent = parent, .host = host };

    HD_PUSH(run->system, run->n_system, run->room_system, made);
    return (uint32_t)(run->n_system - 1);
}

/* paths: [run->n] sorted, so what two of them share is that of the one before. */
static void
make_tree(hd_recorded_run *run, const path *paths)
{
    uint32_t open[1 + HD_RUN_CORE] = { 0 }; /* the path before */

    for (uint32_t i = 0; i < run->n; i++) {
        hd_run_process *process = &run->processes[paths[i].process];
        uint32_t        n       = 0;

        if (i == 0 || paths[i].node != paths[i - 1].node)
            open[0] = add(run, HD_RUN_NODE, 0, HD_NONE, process->raw->host);
        else
            while (n < paths[i].n && paths[i].steps[n] == paths[i - 1].steps[n])
                n++;
        for (; n < paths[i].n; n++)
            open[n + 1] = add(run, (hd_run_level)(paths[i].steps[n] >> 32), (uint32_t)paths[i].steps[n], open[n], NULL);
        process->place = open[paths[i].n];
    }
}

hd_raw_place
hd_run_system_place(const hd_raw_process *process, uint64_t *words)
{
    hd_raw_place all = { words, process->place.n };

    memset(words, 0, MAX_WORDS * sizeof *words);
    if (all.n > 0)
        memcpy(words, process->place.words, all.n * sizeof *words);
    for (size_t i = 0; i < process->n_locations && all.n > 0; i++) {
        const hd_raw_place *own = &process->locations[i].place;

        for (uint32_t j = 0; j < own->n; j++)
            words[j] |= own->words[j];
        all.n = own->n > all.n ? own->n : all.n;
    }
    return all;
}

/* Of each node the processes one after the other. */
static path *
number_nodes(const hd_recorded_run *run)
{
    path    *paths   = HD_NEW_ARRAY(path, (size_t)run->n + 1);
    hd_map   numbers = { 0 };
    uint32_t n       = 0;
    bool     is_new;

    for (uint32_t i = 0; i < run->n; i++) {
        uint64_t  node   = run->processes[i].raw->node;
        uint64_t *number = hd_map_add(&numbers, node != HD_MAP_FREE ? node : 0, &is_new);

        if (is_new)
            *number = n++;
        paths[i] = (path){ .process = i, .node = (uint32_t)*number };
    }
    qsort(paths, run->n, sizeof *paths, by_path);
    hd_map_fini(&numbers);
    return paths;
}

void
hd_run_system_set(hd_recorded_run *run)
{
    path    *paths = number_nodes(run);
    machine  of    = { 0 };
    uint64_t words[MAX_WORDS];

    for (uint32_t i = 0; i < run->n; i++) {
        const hd_raw_process *raw = run->processes[paths[i].process].raw;
        hd_raw_place          place = hd_run_system_place(raw, words);

        if (i == 0 || paths[i].node != paths[i - 1].node) {
            free(of.objects);
            of = read_machine(run->files.folder, raw->node);
        }
        find_path(&of, &place, &paths[i]);
    }
    qsort(paths, run->n, sizeof *paths, by_path);
    make_tree(run, paths);
    free(of.objects);
    free(paths);
}

typedef struct crowd { /* of a node */
    const char *host;
    uint32_t    n_threads, n_processors;
} crowd;

/* The first thread of a process, and those that were forked: others may have waited for each other all the time. */
static uint32_t
count_threads(const hd_raw_process *process)
{
    uint32_t n = 1;

    for (size_t i = 0; i < process->n_locations; i++)
        n += process->locations[i].parent != HD_NONE;
    return n;
}

static uint32_t
count_processors(const uint64_t *words)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < MAX_WORDS; i++)
        n += (uint32_t)__builtin_popcountll(words[i]);
    return n;
}

char *
hd_run_system_crowded(const hd_recorded_run *run)
{
    path *paths = number_nodes(run);
    crowd most  = { 0 };

    for (uint32_t i = 0; i < run->n;) {
        crowd    of = { .host = run->processes[paths[i].process].raw->host };
        uint64_t words[MAX_WORDS], all[MAX_WORDS] = { 0 };
        uint32_t first = i;

        for (; i < run->n && paths[i].node == paths[first].node; i++) {
            const hd_raw_process *raw = run->processes[paths[i].process].raw;

            of.n_threads += count_threads(raw);
            hd_run_system_place(raw, words);
            for (uint32_t j = 0; j < MAX_WORDS; j++)
                all[j] |= words[j];
        }
        of.n_processors = count_processors(all);
        if (of.n_processors > 0 && of.n_threads > of.n_processors &&
            (most.host == NULL || (uint64_t)of.n_threads * most.n_processors >
             (uint64_t)most.n_threads * of.n_processors))
            most = of;
    }
    free(paths);
    if (most.host == NULL)
        return NULL;
    return hd_format("%u threads share %u processor%s of node %s", most.n_threads, most.n_processors,
                     most.n_processors == 1 ? "" : "s", most.host);
}

char *
hd_run_system_processors(const hd_raw_place *place)
{
    char    *text = hd_strdup("");
    uint32_t n    = place->n * 64;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = i;
        char    *longer;

        if ((place->words[i / 64] >> i % 64 & 1) == 0)
            continue;
        while (i + 1 < n && (place->words[(i + 1) / 64] >> (i + 1) % 64 & 1) != 0)
            i++;
        longer = i > first ? hd_format("%s%s%u-%u", text, *text != '\0' ? "," : "", first, i) :
                             hd_format("%s%s%u", text, *text != '\0' ? "," : "", first);
        free(text);
        text = longer;
    }
    return text;
}

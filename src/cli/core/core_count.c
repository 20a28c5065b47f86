#define _GNU_SOURCE /* sched_getaffinity */
#include "core_count.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"

#define MAX_PROCESSORS 8192

/* The number of the first hardware thread of a processor's core; the processor itself where the system does not say. */
static unsigned
core_of(unsigned processor)
{
    char     path[96];
    unsigned first = processor;
    FILE    *file;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", processor);
    file = fopen(path, "re");
    if (file == NULL)
        return processor;
    if (fscanf(file, "%u", &first) != 1 || first >= MAX_PROCESSORS)
        first = processor;
    fclose(file);
    return first;
}

typedef struct {
    uint64_t node;
    uint64_t hash; /* of the processors that this rank may use */
} rank_cores;

/* Cores among the processors that this rank may use, 1 if the system does not say; hash: of the set. */
static uint32_t
count_cores(uint64_t *hash)
{
    cpu_set_t *set   = CPU_ALLOC(MAX_PROCESSORS);
    size_t     bytes = CPU_ALLOC_SIZE(MAX_PROCESSORS);
    uint8_t   *seen  = HD_NEW_ARRAY(uint8_t, MAX_PROCESSORS);
    uint32_t   n     = 0;

    *hash = 0;
    CPU_ZERO_S(bytes, set);
    if (sched_getaffinity(0, bytes, set) == 0)
        for (unsigned i = 0; i < MAX_PROCESSORS; i++)
            if (CPU_ISSET_S(i, bytes, set)) {
                unsigned core = core_of(i);

                *hash = (*hash + i + 1) * UINT64_C(0x9E3779B97F4A7C15);
                n += !seen[core];
                seen[core] = 1;
            }
    free(seen);
    CPU_FREE(set);
    return n > 0 ? n : 1;
}

static int
compare(const void *left, const void *right)
{
    const rank_cores *a = left, *b = right;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* The most ranks of one node that have one and the same set of processors. */
static uint64_t
max_sharing(hd_analysis_comm *analysis_comm, uint64_t hash)
{
    rank_cores mine = { .node = hd_analysis_comm_node(analysis_comm), .hash = hash };
    uint8_t   *all  = NULL;
    uint64_t  *n_bytes = NULL, most = 1;

    hd_analysis_comm_gather(analysis_comm, &mine, sizeof mine, &all, &n_bytes);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        uint32_t    n     = hd_analysis_comm_size(analysis_comm);
        rank_cores *ranks = HD_NEW_ARRAY(rank_cores, n);
        uint64_t    run   = 1;

        memcpy(ranks, all, n * sizeof *ranks);
        qsort(ranks, n, sizeof *ranks, compare);
        for (uint32_t i = 1; i < n; i++) {
            run  = compare(&ranks[i - 1], &ranks[i]) == 0 ? run + 1 : 1;
            most = run > most ? run : most;
        }
        free(ranks);
    }
    free(all);
    free(n_bytes);
    hd_analysis_comm_broadcast(analysis_comm, &most, sizeof most, (hd_arank){ 0 });
    return most;
}

uint32_t
hd_core_count_threads(hd_analysis_comm *analysis_comm)
{
    const char *text = getenv("OMP_NUM_THREADS");
    uint64_t    hash, n = count_cores(&hash) / max_sharing(analysis_comm, hash);
    long        wanted = text != NULL ? strtol(text, NULL, 10) : 0;

    if (wanted > 0 && wanted <= HD_MAX_THREADS)
        n = (uint64_t)wanted;
    if (n == 0)
        n = 1;
    hd_analysis_comm_reduce(analysis_comm, &n, 1, HD_MIN);
    return (uint32_t)n;
}

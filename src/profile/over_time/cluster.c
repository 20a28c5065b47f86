/* src/profile/over_time/cluster.c: puts iterations one after the other to the nearest cluster, and joins the
 * nearest ones. */
#include "cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "memory.h"
#include "status.h"

enum { ALIKE = 3 /* the distance is at most a third of the larger one */ };

typedef struct group { /* of iterations, while they are collected */
    uint32_t structure, n, first;
    uint64_t sums[HD_CLUSTER_VALUES];
} group;

typedef struct clustering {
    const hd_cluster_request *request;
    uint32_t                  most;       /* clusters */
    group                    *groups;     /* [n] at most HD_CLUSTERS_MOST + 1 */
    uint32_t                  n;
    uint32_t                 *of;         /* [iterations] index of its group */
    uint32_t                 *structures; /* [iterations] */
} clustering;

typedef struct distance { /* between two vectors */
    uint64_t apart;       /* sum of the differences */
    uint64_t larger;      /* sum of the larger vector */
} distance;

static bool
is_alike(distance d)
{
    return d.apart <= d.larger / ALIKE;
}

/* Whether a is smaller in proportion. */
static bool
is_nearer(distance a, distance b)
{
    return (unsigned __int128)a.apart * b.larger < (unsigned __int128)b.apart * a.larger;
}

static inline void
add_difference(distance *d, uint64_t *sum, uint64_t a, uint64_t b)
{
    d->apart += a > b ? a - b : b - a;
    d->larger += a;
    *sum += b;
}

static distance
to_iteration(const clustering *c, const group *g, uint32_t i)
{
    distance d   = { 0, 0 };
    uint64_t sum = 0;

    for (uint32_t v = 0; v < c->request->n_values; v++)
        add_difference(&d, &sum, g->sums[v] / g->n, c->request->values[v][i]);
    d.larger = sum > d.larger ? sum : d.larger;
    return d;
}

static distance
between(const clustering *c, const group *a, const group *b)
{
    distance d   = { 0, 0 };
    uint64_t sum = 0;

    for (uint32_t v = 0; v < c->request->n_values; v++)
        add_difference(&d, &sum, a->sums[v] / a->n, b->sums[v] / b->n);
    d.larger = sum > d.larger ? sum : d.larger;
    return d;
}

/* Numbers the sets of call paths, in the order in which they occur first; the last number is of all further ones. */
static uint32_t *
number_structures(const hd_cluster_request *request, uint32_t most)
{
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, request->n), firsts[HD_CLUSTERS_MOST], n = 0;
    size_t    bytes   = request->n_words * sizeof *request->calls;

    for (uint32_t i = 0; i < request->n; i++) {
        uint32_t known = 0;

        while (known < n && memcmp(&request->calls[(size_t)firsts[known] * request->n_words],
                                   &request->calls[(size_t)i * request->n_words], bytes) != 0)
            known++;
        if (known == n && n < most)
            firsts[n++] = i;
        numbers[i] = known < n ? known : n - 1;
    }
    return numbers;
}

static void
join(clustering *c, uint32_t into, uint32_t from)
{
    group *a = &c->groups[into], *b = &c->groups[from];

    for (uint32_t v = 0; v < c->request->n_values; v++)
        a->sums[v] += b->sums[v];
    a->n += b->n;
    a->first = a->first < b->first ? a->first : b->first;
    for (uint32_t i = 0; i < c->request->n; i++)
        if (c->of[i] == from)
            c->of[i] = into;
        else if (c->of[i] == c->n - 1)
            c->of[i] = from;
    *b = c->groups[--c->n];
}

/* Joins the two nearest ones with the same calls. false: there are none, or, unless they have to be, none are alike. */
static bool
join_nearest(clustering *c, bool has_to_be)
{
    distance nearest = { 1, 0 };
    uint32_t into = 0, from = 0;

    for (uint32_t b = 1; b < c->n; b++)
        for (uint32_t a = 0; a < b; a++) {
            distance d;

            if (c->groups[a].structure != c->groups[b].structure)
                continue;
            d = between(c, &c->groups[a], &c->groups[b]);
            if ((!has_to_be && !is_alike(d)) || (from != 0 && !is_nearer(d, nearest)))
                continue;
            nearest = d;
            into    = a;
            from    = b;
        }
    if (from != 0)
        join(c, into, from);
    return from != 0;
}

/* To the nearest one that is alike, else to one of its own. */
static void
put_iteration(clustering *c, uint32_t i)
{
    uint32_t best    = HD_NONE;
    distance nearest = { 1, 0 };

    for (uint32_t k = 0; k < c->n; k++) {
        distance d = to_iteration(c, &c->groups[k], i);

        if (c->groups[k].structure != c->structures[i] || !is_alike(d) || (best != HD_NONE && !is_nearer(d, nearest)))
            continue;
        nearest = d;
        best    = k;
    }
    if (best == HD_NONE) {
        best            = c->n++;
        c->groups[best] = (group){ .structure = c->structures[i], .first = i };
    }
    c->of[i] = best;
    c->groups[best].n++;
    for (uint32_t v = 0; v < c->request->n_values; v++)
        c->groups[best].sums[v] += c->request->values[v][i];
    if (c->n > c->most)
        join_nearest(c, true);
}

typedef struct ranked {
    uint32_t n, first, group;
} ranked;

static int
most_first(const void *left, const void *right)
{
    const ranked *a = left, *b = right;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* The iteration of each group that is nearest to its means. */
static void
find_typical(const clustering *c, hd_clusters *clusters, const uint32_t *place)
{
    distance nearest[HD_CLUSTERS_MOST] = { 0 };

    for (uint32_t i = 0; i < c->request->n; i++) {
        uint32_t    k   = place[c->of[i]];
        hd_cluster *row = &clusters->rows[k];
        distance    d   = to_iteration(c, &c->groups[c->of[i]], i);

        clusters->of[i] = k;
        if (i != row->first && d.apart >= nearest[k].apart)
            continue;
        nearest[k]   = d;
        row->typical = i;
    }
}

static hd_clusters
rank(const clustering *c)
{
    hd_clusters clusters = { .n = c->n };
    ranked      rows[HD_CLUSTERS_MOST] = { 0 };
    uint32_t    place[HD_CLUSTERS_MOST] = { 0 };

    clusters.rows = HD_NEW_ARRAY(hd_cluster, c->n);
    clusters.of   = HD_NEW_ARRAY(uint32_t, c->request->n);
    for (uint32_t k = 0; k < c->n; k++)
        rows[k] = (ranked){ c->groups[k].n, c->groups[k].first, k };
    qsort(rows, c->n, sizeof *rows, most_first);
    for (uint32_t k = 0; k < c->n; k++) {
        place[rows[k].group] = k;
        clusters.rows[k]     = (hd_cluster){ c->groups[rows[k].group].structure, rows[k].n, rows[k].first,
                                             rows[k].first };
    }
    find_typical(c, &clusters, place);
    return clusters;
}

hd_clusters
hd_clusters_of(const hd_cluster_request *request)
{
    uint32_t    most = request->most > 0 ? request->most : HD_CLUSTERS_MOST;
    clustering  c    = { .request = request, .most = most };
    hd_clusters clusters;

    HD_ASSERT(request->n_values <= HD_CLUSTER_VALUES && most <= HD_CLUSTERS_MOST);
    if (request->n == 0 || request->n > HD_CLUSTER_ITERATIONS)
        return (hd_clusters){ .n = 0 };
    c.groups     = HD_NEW_UNSET(group, HD_CLUSTERS_MOST + 1);
    c.of         = HD_NEW_UNSET(uint32_t, request->n);
    c.structures = number_structures(request, most);
    memset(c.of, 0xff, request->n * sizeof *c.of);
    for (uint32_t i = 0; i < request->n; i++)
        put_iteration(&c, i);
    while (join_nearest(&c, false))
        ;
    clusters = rank(&c);
    free(c.groups);
    free(c.of);
    free(c.structures);
    return clusters;
}

void
hd_clusters_fini(hd_clusters *clusters)
{
    free(clusters->rows);
    free(clusters->of);
    *clusters = (hd_clusters){ .n = 0 };
}

char *
hd_clusters_which(const hd_clusters *clusters, uint32_t cluster, uint32_t n_iterations)
{
    hd_bytes text = { .data = NULL };

    for (uint32_t i = 0, end; i < n_iterations; i = end + 1) {
        char one[32];

        for (end = i; end < n_iterations && clusters->of[end] == cluster;)
            end++;
        if (end == i)
            continue;
        if (end == i + 1)
            snprintf(one, sizeof one, "%s%" PRIu32, text.n > 0 ? "," : "", end);
        else
            snprintf(one, sizeof one, "%s%" PRIu32 "-%" PRIu32, text.n > 0 ? "," : "", i + 1, end);
        hd_bytes_put(&text, one, strlen(one));
    }
    hd_bytes_put(&text, "", 1);
    return (char *)text.data;
}

/* replay/simulate/sim_fit.h: how long calls take that do not wait, and transfers, learned of the archive.
 *
 * An instance of a call shows only the one time that decided when it was left. The others come from a fit: the median
 * of the instances of the same class that did show it. A class is what it is (kind, region or operation), whether both
 * sides are on one node, and the powers of two of bytes and members. Histograms have 8 buckets per octave; a median is
 * the lower bound of its bucket. A class without instances takes all sizes and members of its kind.
 *
 * Each worker numbers the classes that it meets; so each call and dependency finds its fit without a search.
 *
 * Uses: analysis_comm. Memory: 4 KiB per class and worker while instances are added, 72 bytes per class then.
 */
#ifndef HD_SIM_FIT_H
#define HD_SIM_FIT_H

#include "analysis_comm.h"
#include "map.h"

typedef enum hd_sim_kind {
    HD_SIM_LOCAL, /* the time of a call that does not wait */
    HD_SIM_RECEIVE, HD_SIM_RENDEZVOUS, HD_SIM_PROGRESS, HD_SIM_COLLECTIVE, HD_SIM_TREE, /* transfers */
    HD_SIM_FORK, HD_SIM_JOIN, HD_SIM_THREAD_BARRIER, HD_SIM_LOCK, HD_SIM_TASK, HD_SIM_TASK_WAIT, /* of threads */
    HD_SIM_EPOCH, HD_SIM_WINDOW_LOCK, HD_SIM_ACCESS, /* at windows */
    HD_SIM_N_KINDS
} hd_sim_kind;

typedef struct hd_sim_class {
    hd_sim_kind kind;
    uint32_t    what; /* local: region; collective: operation; else 0 */
    bool        is_same_node;
    uint64_t    bytes;
    uint32_t    n_members; /* 0: no collective */
} hd_sim_class;

enum { HD_SIM_ALL_SIZES = 127 }; /* in place of a power of two */

/* The smallest power of two above the number. */
static inline uint32_t
hd_sim_power(uint64_t number)
{
    return number == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(number);
}

typedef struct hd_sim_class_row {
    uint64_t  key;
    uint64_t *buckets;   /* of its instances since fits were made; NULL: there are none */
    hd_span   median;    /* its fit; 0: it is not known */
    uint32_t  all_sizes; /* the class of all sizes and members */
    bool      is_known;
} hd_sim_class_row;

typedef struct hd_sim_recent_class {
    uint64_t key;
    uint64_t next; /* its number + 1; 0: none */
} hd_sim_recent_class;

enum { HD_SIM_RECENT_BITS = 6 };

typedef struct hd_sim_classes { /* of a worker; zeros: empty */
    hd_map            of_key;
    hd_sim_class_row *rows; /* [n] by number */
    size_t            n, capacity;
    hd_sim_recent_class recent[1 << HD_SIM_RECENT_BITS]; /* by a hash of the key: most classes are asked for again */
} hd_sim_classes;

static inline uint64_t
hd_sim_class_key(const hd_sim_class *what, uint32_t size, uint32_t members)
{
    return (uint64_t)what->kind << 48 | (uint64_t)what->is_same_node << 47 | (uint64_t)what->what << 15 |
           (uint64_t)size << 8 | members;
}

static inline uint64_t
hd_sim_class_key_of_size(const hd_sim_class *what)
{
    return hd_sim_class_key(what, hd_sim_power(what->bytes), hd_sim_power(what->n_members));
}

/* One that is not at its place among the recent ones: it gets there. */
uint32_t hd_sim_class_look_up(hd_sim_classes *classes, const hd_sim_class *what, uint64_t key,
                              hd_sim_recent_class *recent);

static inline uint32_t
hd_sim_class_number(hd_sim_classes *classes, const hd_sim_class *what)
{
    uint64_t             key    = hd_sim_class_key_of_size(what);
    hd_sim_recent_class *recent = &classes->recent[key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HD_SIM_RECENT_BITS)];

    if (HD_UNLIKELY(recent->next == 0 || recent->key != key))
        return hd_sim_class_look_up(classes, what, key, recent);
    return (uint32_t)(recent->next - 1);
}

void     hd_sim_classes_observe(hd_sim_classes *classes, uint32_t number, uint64_t bytes, hd_span value);
void     hd_sim_classes_fini(hd_sim_classes *classes);

typedef struct hd_sim_fit { /* of a class */
    uint64_t key;
    uint64_t n;
    uint64_t bytes; /* mean */
    hd_span  median;
    hd_span  low;   /* the 10 % quantile */
} hd_sim_fit;

typedef struct hd_sim_fits {
    hd_sim_fit *rows; /* [n] ascending by key */
    size_t      n;
    hd_map      of_key; /* key -> its row */
} hd_sim_fits;

/* Adds the fits of all instances that the workers of all ranks observed since the last call, and sets them in the
 * workers' classes; classes: [n]. Instances of a class are observed before one call of this. Ranks: all, together. MT:
 * main thread only. */
void hd_sim_fits_add(hd_sim_fits *fits, hd_analysis_comm *analysis_comm, hd_sim_classes *const *classes, uint32_t n);
void hd_sim_fits_fini(hd_sim_fits *fits);

/* False: no instance of the kind is known, on one node or not as in the class. */
bool hd_sim_fits_get(const hd_sim_fits *fits, const hd_sim_class *what, hd_span *median);

/* What a key is of; size and members are powers of two, or HD_SIM_ALL_SIZES both. */
void hd_sim_fit_describe(const hd_sim_fit *fit, hd_sim_class *what, uint32_t *size, uint32_t *members);

#endif

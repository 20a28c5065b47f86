/* src/report/build/derive.h: from what a location collected at one call path to all metrics of the report there.
 *
 * Metrics of kind P and S follow from the region's class and from the measured ones. All of it is linear, so everything
 * is multiplied out once: per region, where its exclusive time and its visits end up; per measured metric, of which
 * sums and differences it is a term. Integers stay integers; costs are added up beside them. Definition:
 * docs/metrics.md#metric-tree.
 * Uses: profile, trace. Grows with: regions, 4 bytes each, beside 190 KiB for cells. MT: hd_derive() and
 * hd_derive_cells() one thread at a time, the rest any thread after hd_derivation_new(). Ranks: local; equal arguments
 * give equal results.
 */
#ifndef HD_DERIVE_H
#define HD_DERIVE_H

#include "calltree.h"
#include "cost.h"
#include "defs.h"
#include "severity.h"

typedef struct hd_derivation hd_derivation;

typedef struct hd_metric_set {
    uint64_t words[(HD_N_METRICS + 63) / 64]; /* a bit per metric */
} hd_metric_set;

static inline void
hd_metric_set_add(hd_metric_set *set, uint32_t metric)
{
    set->words[metric / 64] |= UINT64_C(1) << metric % 64;
}

static inline bool
hd_metric_set_has(const hd_metric_set *set, uint32_t metric)
{
    return set->words[metric / 64] >> metric % 64 & 1;
}

/* The first one from `metric` on; HD_N_METRICS if there is none. */
static inline uint32_t
hd_metric_set_next(const hd_metric_set *set, uint32_t metric)
{
    for (; metric < HD_N_METRICS; metric = (metric | 63) + 1) {
        uint64_t bits = set->words[metric / 64] >> metric % 64;

        if (bits != 0)
            return metric + (uint32_t)__builtin_ctzll(bits);
    }
    return HD_N_METRICS;
}

typedef struct hd_derivation_options {
    bool compat;     /* --compat=scout26 */
    bool is_profile; /* only sums of calls are known */
    bool has_causes; /* delay costs were computed: waiting time is divided by what caused it and what it caused */
    uint64_t facts;  /* of the run, beside those of the call tree: HD_FACT_... of metric_build.h, see
                      * hd_metric_facts() */
} hd_derivation_options;

typedef struct hd_collected { /* by one location at one call path; time exclusive */
    const hd_severity *entries; /* [n] */
    const hd_cost     *costs;   /* [n_costs] */
    uint32_t           n, n_costs;
} hd_collected;

typedef struct hd_derived { /* value + cost is not zero */
    uint32_t metric; /* hd_metric */
    int64_t  value;  /* [ticks], [occurrences] or [bytes] */
    double   cost;   /* [ticks] */
} hd_derived;

/* Classifies the regions of the call tree. Keeps none of the arguments. */
hd_derivation *hd_derivation_new(const hd_defs *defs, const hd_calltree *tree, hd_derivation_options options);
void           hd_derivation_free(hd_derivation *derivation);

/* Whether the report has this metric: its paradigm, and its parent's, occurs in the call tree. */
bool hd_derivation_has(const hd_derivation *derivation, hd_metric metric);

/* The metrics that are not zero, ascending.
 *   region    index in the definitions, one that the call tree has
 *   derived   out, room for HD_N_METRICS
 * Returns how many there are. Cost: O(what was collected), no allocation. */
uint32_t hd_derive(const hd_derivation *derivation, uint32_t region, const hd_collected *collected,
                   hd_derived *derived);

enum { HD_MAX_CELLS = 16 }; /* a multiple of 4 */

/* All metrics of some locations at one call path: a row of cells for each metric. Rows that are in neither set are
 * undefined, and zero. 95 KiB, of which few rows are touched. */
typedef struct hd_derived_cells {
    uint32_t             n;        /* cells that are defined: as many as locations, or up to three more */
    hd_metric_set        with_values, with_costs; /* which rows are defined; cells of them may be zero */
    _Alignas(16) int64_t visits[HD_MAX_CELLS];
    _Alignas(16) double  critical[HD_MAX_CELLS]; /* [ticks] on the critical path */
    _Alignas(16) int64_t values[HD_N_METRICS][HD_MAX_CELLS]; /* [ticks], [occurrences] or [bytes] */
    _Alignas(16) double  costs[HD_N_METRICS][HD_MAX_CELLS];  /* [ticks] */
} hd_derived_cells;

static inline hd_metric_set
hd_derived_metrics(const hd_derived_cells *cells)
{
    hd_metric_set metrics = cells->with_values;

    for (size_t i = 0; i < sizeof metrics.words / sizeof *metrics.words; i++)
        metrics.words[i] |= cells->with_costs.words[i];
    return metrics;
}

/* Rows of zeros where they are not defined. */
static inline const int64_t *
hd_derived_values(const hd_derived_cells *cells, uint32_t metric)
{
    static const int64_t zeros[HD_MAX_CELLS] = { 0 };

    return hd_metric_set_has(&cells->with_values, metric) ? cells->values[metric] : zeros;
}

static inline const double *
hd_derived_costs(const hd_derived_cells *cells, uint32_t metric)
{
    static const double zeros[HD_MAX_CELLS] = { 0 };

    return hd_metric_set_has(&cells->with_costs, metric) ? cells->costs[metric] : zeros;
}

/* As hd_derive(), of many locations at a time.
 *   collected   [n] n <= HD_MAX_CELLS
 * The result is the derivation's, until the next call of either. */
const hd_derived_cells *hd_derive_cells(const hd_derivation *derivation, uint32_t region,
                                        const hd_collected *collected, uint32_t n);

/* Whether the metric has a value that is not zero. */
bool hd_derived_is_any(const hd_derived_cells *cells, uint32_t metric);

/* Measured metrics, of which all that follows in a region is among others. */
typedef struct hd_metric_terms {
    hd_metric_set values, costs;
} hd_metric_terms;

/* Whether these locations can have none but these metrics, as far as can be said without the values.
 *   settled   those of which that is known: at first none, then of earlier calls with the region, between which `these`
 *             became more */
bool hd_derives_only(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, uint32_t n,
                     const hd_metric_set *these, hd_metric_terms *settled);

/* A sum of metrics with factors that needs neither visits nor costs, multiplied out to what is collected. */
typedef struct hd_combination {
    int64_t  of_metric[HD_N_METRICS];
    int64_t *of_time, *of_idle; /* [regions] of exclusive time, and of that of idle threads, there */
} hd_combination;

/* factors: [HD_N_METRICS] those of metrics that the report does not have are of no account. */
void hd_combination_init(hd_combination *combination, const hd_derivation *derivation, const int32_t *factors);
void hd_combination_fini(hd_combination *combination);

/* What a tick, a byte or an occurrence of a metric counts for in it, at a call path of this region. */
static inline int64_t
hd_combination_factor(const hd_combination *combination, uint32_t region, uint32_t metric)
{
    return metric == HD_METRIC_time ? combination->of_time[region] :
           metric == HD_METRIC_omp_idle_threads ? combination->of_idle[region] : combination->of_metric[metric];
}

/* Its value where hd_derive() gives the metrics. Cost: O(entries). */
int64_t hd_combine(const hd_combination *combination, uint32_t region, const hd_collected *collected);

#endif

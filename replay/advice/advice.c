/* replay/advice/advice.c: the table of candidates, their order, and the steps. */
#include "advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

enum { MAX_PATHS = 16, MAX_STEPS = 5, STEP_TRIALS = 7 };

#define LEAST_SHARE 0.01 /* of the recorded run time, that a step saves */

/* ---- candidates -------------------------------------------------------------------------------------------------- */

static uint64_t
delay_of(const hd_study *study, uint32_t path)
{
    return study->costs[path].delay;
}

static uint64_t
imbalance_of(const hd_study *study, uint32_t path)
{
    return (uint64_t)study->costs[path].imbalance;
}

/* Time at call paths of barriers. */
static uint64_t
barrier_of(const hd_study *study, uint32_t path)
{
    static const char *const names[] = { "MPI_Barrier", "MPI_Ibarrier", "MPI_Win_fence" };
    const hd_region         *region  = &hd_defs_regions(study->defs)[study->tree->nodes[path].region];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (region->region_class == HD_CLASS_MPI && strcasecmp(hd_defs_text(study->defs, region->name), names[i]) == 0)
            return study->costs[path].time;
    return 0;
}

/* A bound changes more than a program can hope for: it is not taken as a step. */
static const struct candidate_kind {
    hd_prediction_kind kind;
    const char        *before, *behind; /* the selection */
    uint64_t (*value)(const hd_study *study, uint32_t path); /* the call paths with the most; NULL: all together */
    bool               has_promise;                          /* delay costs say what it would save */
} candidate_kinds[] = {
    { HD_PREDICTION_CANDIDATE, "balance ", "", delay_of, true },
    { HD_PREDICTION_CANDIDATE, "balance ", "", imbalance_of, true },
    { HD_PREDICTION_CANDIDATE, "without ", "", barrier_of, false },
    { HD_PREDICTION_BOUND, "balance ", " to least", delay_of, true },
    { HD_PREDICTION_BOUND, "balance ", " to least", imbalance_of, true },
    { HD_PREDICTION_BOUND, "balance **", "", NULL, true },
    { HD_PREDICTION_BOUND, "network ideal", "", NULL, false },
};

typedef struct candidate {
    const struct candidate_kind *of;
    uint32_t                     path; /* HD_NONE: all */
    hd_prediction                prediction;
    bool                         is_done; /* it is a step, or cannot be one */
} candidate;

typedef struct advice {
    const hd_study *study;
    hd_trials       trials;     /* of the candidates, in the order in which they are made */
    candidate      *candidates; /* [n] */
    size_t          n, capacity;
} advice;

static bool
is_same_kind(const struct candidate_kind *a, const struct candidate_kind *b)
{
    return strcmp(a->before, b->before) == 0 && strcmp(a->behind, b->behind) == 0;
}

static void
add_candidate(advice *a, const struct candidate_kind *of, uint32_t path)
{
    char *selection = path != HD_NONE ? hd_hypothesis_selection(a->study->defs, a->study->tree, path) : hd_strdup("");
    char *text;

    if (selection == NULL)
        return;
    for (size_t i = 0; i < a->n; i++)
        if (a->candidates[i].path == path && is_same_kind(a->candidates[i].of, of)) {
            free(selection);
            return;
        }
    text = hd_format("%s%s%s", of->before, selection, of->behind);
    if (hd_trials_add(a->study, &a->trials, text) == HD_OK)
        HD_PUSH(a->candidates, a->n, a->capacity, ((candidate){ .of = of, .path = path }));
    free(text);
    free(selection);
}

static void
add_candidates(advice *a)
{
    for (size_t k = 0; k < sizeof candidate_kinds / sizeof *candidate_kinds; k++) {
        const struct candidate_kind *of = &candidate_kinds[k];
        uint32_t                     paths[MAX_PATHS], n = 0;

        if (of->value == NULL)
            add_candidate(a, of, HD_NONE);
        else
            n = hd_study_largest(a->study, of->value, paths, MAX_PATHS);
        for (uint32_t i = 0; i < n; i++)
            add_candidate(a, of, paths[i]);
    }
}

/* [s] Delay costs are of all waiting processes together. */
static double
promise_of(const hd_study *study, const candidate *c)
{
    uint64_t ticks = c->path != HD_NONE ? study->costs[c->path].delay : 0;

    for (uint32_t i = 0; i < study->tree->n && c->path == HD_NONE; i++)
        ticks += study->tree->nodes[i].parent == HD_NONE ? study->costs[i].delay : 0;
    return c->of->has_promise ? hd_study_seconds(study, (hd_span)ticks) / study->defs->n_processes : NAN;
}

/* ---- their order ------------------------------------------------------------------------------------------------- */

static bool
is_below(const hd_calltree *tree, uint32_t path, uint32_t above)
{
    while (path != HD_NONE && path != above)
        path = tree->nodes[path].parent;
    return path == above;
}

static bool
is_worth(const advice *a, double before, double after)
{
    return before - after >= LEAST_SHARE * hd_study_seconds(a->study, a->trials.result.recorded.run_time);
}

/* Another candidate of the kind selects less, and saves as much. */
static bool
is_repeated(const advice *a, const candidate *c)
{
    for (size_t i = 0; i < a->n && c->path != HD_NONE; i++) {
        const candidate *other = &a->candidates[i];

        if (is_same_kind(other->of, c->of) && other->path != c->path && other->path != HD_NONE &&
            is_below(a->study->tree, other->path, c->path) &&
            !is_worth(a, other->prediction.run_time, c->prediction.run_time))
            return true;
    }
    return false;
}

static int
compare_candidates(const void *a_, const void *b_)
{
    const candidate *a = a_, *b = b_;

    if (a->prediction.run_time != b->prediction.run_time)
        return a->prediction.run_time < b->prediction.run_time ? -1 : 1;
    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    return a->path < b->path ? -1 : a->path > b->path;
}

static void
free_prediction(hd_prediction *prediction)
{
    free(prediction->text);
    free(prediction->waits_at);
}

static void
rank_candidates(advice *a)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++) {
        candidate *c = &a->candidates[i];

        c->prediction          = hd_trials_prediction(a->study, &a->trials, i, c->of->kind);
        c->prediction.promised = promise_of(a->study, c);
    }
    for (size_t i = 0; i < a->n; i++)
        a->candidates[i].is_done = is_repeated(a, &a->candidates[i]);
    for (size_t i = 0; i < a->n; i++)
        if (a->candidates[i].is_done)
            free_prediction(&a->candidates[i].prediction);
        else
            a->candidates[n++] = a->candidates[i];
    a->n = n;
    if (n > 0)
        qsort(a->candidates, n, sizeof *a->candidates, compare_candidates);
    for (size_t i = 0; i < n; i++)
        a->candidates[i].is_done = a->candidates[i].of->kind == HD_PREDICTION_BOUND;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

typedef struct steps {
    hd_prediction rows[MAX_STEPS];
    uint32_t      n;
    char         *text; /* of all together; NULL: none yet */
} steps;

static void
take_step(steps *s, candidate *c, const hd_prediction *prediction)
{
    hd_prediction step = *prediction;
    char         *text = s->text == NULL ? hd_strdup(c->prediction.text) :
                         hd_format("%s + %s", s->text, c->prediction.text);

    step.kind     = HD_PREDICTION_STEP;
    step.text     = hd_strdup(c->prediction.text);
    step.promised = c->prediction.promised;
    step.waits_at = prediction->waits_at != NULL ? hd_strdup(prediction->waits_at) : NULL;
    free(s->text);
    s->text         = text;
    s->rows[s->n++] = step;
    c->is_done      = true;
}

/* The candidates that are best alone, each together with the steps so far. candidates: [STEP_TRIALS] of the trials. */
static void
add_trials(advice *a, const steps *s, hd_trials *trials, candidate **candidates)
{
    for (size_t i = 0; i < a->n && trials->n < STEP_TRIALS; i++) {
        candidate *c = &a->candidates[i];
        char      *text;

        if (c->is_done)
            continue;
        text = hd_format("%s + %s", s->text, c->prediction.text);
        if (hd_trials_add(a->study, trials, text) == HD_OK)
            candidates[trials->n - 1] = c;
        else
            c->is_done = true;
        free(text);
    }
}

/* done: out, true: there is no further step. */
static hd_status
step(advice *a, steps *s, bool *done)
{
    static const char *const words[MAX_STEPS] = { NULL, "simulate step 2", "simulate step 3", "simulate step 4",
                                                  "simulate step 5" };
    hd_trials  trials = { 0 };
    candidate *candidates[STEP_TRIALS];
    hd_status  status = HD_OK;
    size_t     best   = 0;

    *done = true;
    add_trials(a, s, &trials, candidates);
    if (trials.n > 0)
        status = hd_trials_run(a->study, &trials, words[s->n]);
    if (status == HD_ESTOPPED)
        return status;
    for (size_t i = 1; i < trials.n; i++)
        if (trials.result.outcomes[i].run_time < trials.result.outcomes[best].run_time)
            best = i;
    if (trials.n > 0) {
        hd_prediction prediction = hd_trials_prediction(a->study, &trials, best, HD_PREDICTION_STEP);

        *done = !is_worth(a, s->rows[s->n - 1].run_time, prediction.run_time);
        if (!*done)
            take_step(s, candidates[best], &prediction);
        free_prediction(&prediction);
    }
    hd_trials_fini(&trials);
    return status;
}

static hd_status
find_steps(advice *a, steps *s)
{
    candidate *first  = NULL;
    hd_status  status = HD_OK;
    bool       done   = false;

    for (size_t i = a->n; i-- > 0;)
        if (!a->candidates[i].is_done)
            first = &a->candidates[i];
    if (first == NULL ||
        !is_worth(a, hd_study_seconds(a->study, a->trials.result.recorded.run_time), first->prediction.run_time))
        return HD_OK;
    take_step(s, first, &first->prediction);
    while (status == HD_OK && !done && s->n < MAX_STEPS)
        status = step(a, s, &done);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_status
hd_advise(const hd_study *study, hd_predictions *predictions)
{
    advice    a      = { .study = study };
    steps     s      = { .n = 0 };
    hd_status status;

    add_candidates(&a);
    status = hd_trials_run(study, &a.trials, "simulate candidates");
    if (status == HD_ESTOPPED)
        return status;
    hd_trials_recorded(study, &a.trials, predictions);
    rank_candidates(&a);
    status = find_steps(&a, &s);
    if (status == HD_ESTOPPED)
        return status;
    for (size_t i = 0; i < a.n; i++)
        HD_PUSH(predictions->rows, predictions->n, predictions->capacity, a.candidates[i].prediction);
    for (uint32_t i = 0; i < s.n; i++)
        HD_PUSH(predictions->rows, predictions->n, predictions->capacity, s.rows[i]);
    free(s.text);
    free(a.candidates);
    hd_trials_fini(&a.trials);
    return HD_OK;
}

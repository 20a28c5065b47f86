/* replay/advice/study.c: runs hypotheses, and says what each leads to. */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

hd_status
hd_trials_add(const hd_study *study, hd_trials *trials, const char *text)
{
    hd_hypothesis hypothesis;
    hd_status     status = hd_hypothesis_parse(text, &hypothesis);

    if (status != HD_OK)
        return status;
    status = hd_hypothesis_resolve(&hypothesis, study->defs, study->tree);
    if (status == HD_OK)
        status = hd_simulator_prepare(study->simulator, &hypothesis, 1);
    if (status == HD_OK)
        HD_PUSH(trials->hypotheses, trials->n, trials->capacity, hypothesis);
    else
        hd_hypothesis_fini(&hypothesis);
    return status;
}

hd_status
hd_trials_run(const hd_study *study, hd_trials *trials, const char *what)
{
    if (study->on_passes != NULL)
        study->on_passes(study->context, what, (trials->n + HD_SIM_LANES - 1) / HD_SIM_LANES);
    return hd_simulator_run(study->simulator, trials->hypotheses, trials->n, &trials->result);
}

void
hd_trials_fini(hd_trials *trials)
{
    for (size_t i = 0; i < trials->n; i++)
        hd_hypothesis_fini(&trials->hypotheses[i]);
    free(trials->hypotheses);
    hd_simulate_result_fini(&trials->result);
    *trials = (hd_trials){ 0 };
}

/* Names of a call path from its root. */
static char *
names_of(const hd_study *study, uint32_t path)
{
    char *text = NULL;

    for (; path != HD_NONE; path = study->tree->nodes[path].parent) {
        const hd_region *region = &hd_defs_regions(study->defs)[study->tree->nodes[path].region];
        const char      *name   = hd_defs_text(study->defs, region->name);
        char            *whole = text == NULL ? hd_strdup(name) : hd_format("%s > %s", name, text);

        free(text);
        text = whole;
    }
    return text;
}

/* In which processes wait for each other's start and end. */
static bool
is_startup(const hd_study *study, uint32_t path)
{
    const hd_region *region = &hd_defs_regions(study->defs)[study->tree->nodes[path].region];

    return region->call == HD_CALL_INIT || region->call == HD_CALL_FINALIZE;
}

static char *
waits_most(const hd_study *study, const hd_sim_outcome *outcome, double *waiting)
{
    uint32_t most = HD_NONE;

    for (uint32_t i = 0; i < study->tree->n; i++)
        if (outcome->path_wait[i] > 0 && !is_startup(study, i) &&
            (most == HD_NONE || outcome->path_wait[i] > outcome->path_wait[most]))
            most = i;
    *waiting = most != HD_NONE ? hd_study_seconds(study, outcome->path_wait[most]) : 0;
    return most != HD_NONE ? names_of(study, most) : NULL;
}

hd_prediction
hd_trials_prediction(const hd_study *study, const hd_trials *trials, size_t i, hd_prediction_kind kind)
{
    const hd_sim_outcome *outcome    = &trials->result.outcomes[i];
    hd_prediction         prediction = { .kind = kind, .text = hd_strdup(trials->hypotheses[i].text), .promised = NAN,
                                         .run_time = hd_study_seconds(study, outcome->run_time) };

    prediction.waits_at = waits_most(study, outcome, &prediction.waiting);
    return prediction;
}

void
hd_trials_recorded(const hd_study *study, const hd_trials *trials, hd_predictions *predictions)
{
    free(predictions->waits_at);
    predictions->recorded    = hd_study_seconds(study, trials->result.recorded.run_time);
    predictions->n_locations = study->defs->n_locations;
    predictions->waits_at    = waits_most(study, &trials->result.recorded, &predictions->waiting);
}

uint32_t
hd_study_largest(const hd_study *study, uint64_t (*value)(const hd_study *study, uint32_t path), uint32_t *paths,
                 uint32_t most)
{
    uint32_t n = 0;

    for (uint32_t path = 0; path < study->tree->n; path++) {
        uint64_t own = value(study, path);
        uint32_t at  = n;

        while (at > 0 && value(study, paths[at - 1]) < own)
            at--;
        if (own == 0 || at == most)
            continue;
        n = n < most ? n + 1 : n;
        memmove(&paths[at + 1], &paths[at], (n - at - 1) * sizeof *paths);
        paths[at] = path;
    }
    return n;
}

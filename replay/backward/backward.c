#include "backward.h"

#include "charge.h"
#include "pass_point.h"

#define SCOUT_VECTOR_LIMIT 128 /* of elements (D23) */

hd_run
hd_backward_run(void *context, hd_host *host, uint32_t number, hd_time until, hd_time *now)
{
    hd_replay      *replay   = context;
    hd_replay_host *rh       = hd_replay_host_of(replay, host);
    hd_agent       *agent    = &replay->agents[number];
    hd_backward    *backward = agent->backward;

    while (backward->at > 0) {
        hd_time time = replay->defs->length - hd_time_min(agent->syncs->points[backward->at - 1].enter, replay->defs->length);

        if (time > until && !backward->is_waiting) {
            *now = time;
            return HD_RUN_YIELD;
        }
        if (!hd_pass_point(rh, host, agent, (uint32_t)backward->at - 1))
            return HD_RUN_PARKED;
        backward->at--;
    }
    return HD_RUN_DONE;
}

static void
take_letter(hd_replay_host *rh, hd_host *host, const hd_wait_item *item)
{
    if (!hd_letters_put(rh, host, item) && rh->replay->request->delays)
        hd_charge_nobody(rh, host, item, (const hd_effect_cost *)(item + 1));
}

void
hd_backward_deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    if (kind == HD_ITEM_WAIT)
        take_letter(hd_replay_host_of(context, host), host, data);
    else
        hd_charge_answer(context, data);
}

void
hd_backward_host_init(hd_replay_host *rh)
{
    const hd_replay  *replay = rh->replay;
    uint32_t          n      = replay->request->n_call_paths;
    hd_backward_host *back   = HD_NEW(hd_backward_host);

    rh->backward = back;
    back->unit    = replay->compat ? replay->clock.resolution : 1;
    back->limit   = replay->compat ? SCOUT_VECTOR_LIMIT : 0;
    hd_time_vector_init(&back->own, n);
    hd_time_vector_init(&back->other, n);
    if (replay->compat) {
        hd_time_vector_init(&back->whole, n);
        hd_time_vector_init(&back->waits, n);
    }
    hd_letters_host_init(rh);
    hd_pool_init(&back->charges, sizeof(hd_effect_charge));
}

void
hd_backward_host_end(hd_replay_host *rh)
{
    hd_letters_host_fini(rh);
    hd_pool_fini(&rh->backward->charges);
    hd_effect_costs_fini(&rh->backward->wait_costs);
    hd_effect_costs_fini(&rh->backward->scales);
    free(rh->backward->excess);
}

void
hd_backward_host_fini(hd_replay_host *rh)
{
    if (rh->backward == NULL)
        return;
    hd_time_vector_fini(&rh->backward->own);
    hd_time_vector_fini(&rh->backward->other);
    hd_time_vector_fini(&rh->backward->whole);
    hd_time_vector_fini(&rh->backward->waits);
    free(rh->backward->entries);
    free(rh->backward);
    rh->backward = NULL;
}

void
hd_backward_start(hd_agent *agent)
{
    agent->backward                  = HD_NEW(hd_backward);
    agent->backward->at              = agent->syncs->n;
    agent->backward->n_intermediates = agent->syncs->n_intermediates;
}

bool
hd_backward_waits(const hd_agent *agent, hd_time *time)
{
    if (agent->backward->at == 0)
        return false;
    *time = agent->syncs->points[agent->backward->at - 1].enter;
    return true;
}

void
hd_backward_give_up(hd_host *host, hd_agent *agent)
{
    hd_letters_give_up(agent);
    hd_host_wake(host, agent->number);
}

void
hd_backward_fini(hd_replay_host *rh, hd_agent *agent)
{
    hd_backward *backward = agent->backward;
    hd_severity *answers;
    size_t       n;

    if (backward == NULL)
        return;
    answers = hd_severities_take(&agent->answers, NULL, &n);
    for (size_t i = 0; i < n; i++)
        hd_cost_add(&agent->costs, (hd_metric)answers[i].metric, answers[i].call_path, (double)answers[i].value / rh->replay->fraction);
    free(answers);
    hd_severities_fini(&agent->answers);
    hd_letters_fini(rh, agent);
    hd_charges_fini(&backward->charges);
    free(backward->path.more_ends);
    free(backward->waiting.letters);
    free(backward);
    agent->backward = NULL;
}

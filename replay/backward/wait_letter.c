#include "wait_letter.h"

#include "charge.h"
#include "path.h"

void
hd_wait_send(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, uint32_t process, uint64_t key)
{
    const hd_sync *sync = &agent->syncs->points[point];
    hd_wait_item   item = { .key = key, .wait = hd_sync_time_wait(agent->syncs, sync), .process = process, .from = agent->process_id,
                            .from_thread = agent->thread, .call_path = sync->call_path, .delay = sync->delay,
                            .enter = hd_sync_enter_of_call(agent->syncs, sync) };
    uint32_t       n;

    item.leave = sync->delay == HD_DELAY_RMA ? hd_sync_wait_begin(agent->syncs, sync) + (hd_time)sync->wait :
                                                item.enter + (hd_time)sync->pruned;
    if (agent->backward->path.is_here && (sync->wait > 0 || (sync->kind == HD_SYNC_BARRIER && rh->replay->compat)) &&
        sync->kind != HD_SYNC_WAITED) {
        if (sync->kind == HD_SYNC_BARRIER && !rh->replay->compat && hd_sync_group_of(agent->syncs, sync)->list != HD_NONE)
            item.on_path = hd_path_book_behind(rh, agent, point);
        else {
            hd_path_book(rh, agent, point);
            item.on_path = true;
        }
    }
    if (rh->replay->request->delays && (sync->wait > 0 || sync->kind == HD_SYNC_BARRIER)) {
        hd_charge_wait_costs(rh, &agent->backward->charges, agent, sync);
        hd_sync_time_pruned(&rh->backward->own, agent->syncs, sync->previous, point,
                            hd_charge_rules(rh, sync->kind == HD_SYNC_WAITED));
    } else {
        rh->backward->wait_costs.n = 0;
        hd_time_vector_clear(&rh->backward->own);
    }
    item.n_effects = n = (uint32_t)rh->backward->wait_costs.n;
    while (rh->backward->capacity_entries < (rh->backward->own.n + n) * sizeof(hd_mail_entry))
        rh->backward->entries = hd_grow(rh->backward->entries, rh->backward->capacity_entries, &rh->backward->capacity_entries, 1);
    if (n > 0)
        memcpy(rh->backward->entries, rh->backward->wait_costs.rows, n * sizeof(hd_mail_entry));
    for (size_t i = 0; i < rh->backward->own.n; i++)
        if (rh->backward->own.spans[rh->backward->own.touched[i]] > 0)
            ((hd_mail_entry *)rh->backward->entries)[n++].time =
                (hd_time_entry){ .call_path = rh->backward->own.touched[i], .span = rh->backward->own.spans[rh->backward->own.touched[i]] };
    item.n = n - item.n_effects;
    hd_host_send(host, hd_placement_host(rh->replay->request->placement, (hd_process){ process }), HD_ITEM_WAIT, &item, sizeof item,
                 rh->backward->entries, (uint32_t)(n * sizeof(hd_mail_entry)));
}

void
hd_wait_keep(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_sync *sync)
{
    hd_wait_item item = { .wait = hd_sync_time_wait(agent->syncs, sync), .from = agent->process_id, .from_thread = agent->thread,
                          .call_path = sync->call_path, .delay = sync->delay };

    if (!rh->replay->request->delays)
        return;
    hd_charge_wait_costs(rh, &agent->backward->charges, agent, sync);
    item.n_effects = (uint32_t)rh->backward->wait_costs.n;
    hd_charge_nobody(rh, host, &item, rh->backward->wait_costs.rows);
}

#include "rma.h"

#include "rma_active.h"
#include "rma_passive.h"

bool
hd_rma_op(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_rma_window *window;

    if (agent->op.operation == HD_RMA_NOTICE || agent->op.operation == HD_RMA_NO_NOTICE) {
        hd_rma_send_notice(rh, host, agent);
        return true;
    }
    if (agent->op.operation == HD_RMA_TAKE || agent->op.operation == HD_RMA_NO_TAKE)
        return hd_rma_take_notice(rh, agent);
    window = hd_rma_window_of(agent, agent->op.channel);
    switch ((hd_rma)agent->op.operation) {
    case HD_RMA_POST:
        window->in_exposure = true;
        break;
    case HD_RMA_START:
        hd_rma_begin_access(window, agent);
        break;
    case HD_RMA_COMPLETE:
        hd_rma_end_access(rh, host, agent, window);
        break;
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        hd_rma_end_exposure(rh, host, agent, window);
        break;
    case HD_RMA_ACCESS:
        hd_rma_note_access(window, agent);
        if (window->n_locks > 0 && hd_rma_is_locked(window, agent->op.root))
            hd_rma_passive_call(rh, host, agent, window, true);
        break;
    case HD_RMA_LOCK:
        HD_PUSH(window->locks, window->n_locks, window->capacity_locks,
                ((hd_rma_lock){ agent->op.root, agent->op.number != 0, agent->order, agent->cursor.call.enter }));
        hd_rma_passive_call(rh, host, agent, window, false);
        break;
    case HD_RMA_UNLOCK:
        if (hd_rma_passive_unlock(rh, host, agent, window))
            hd_rma_passive_call(rh, host, agent, window, false);
        else
            hd_rma_out_of_place(rh, agent, window);
        break;
    case HD_RMA_COMPLETION:
        hd_rma_passive_call(rh, host, agent, window, false);
        break;
    default:
        break;
    }
    return true;
}

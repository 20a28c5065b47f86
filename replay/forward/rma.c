/* replay/forward/rma.c: dispatches an operation of the op log at a window to the file of its kind. */
#include "rma.h"

#include "rma_active.h"
#include "rma_passive.h"

bool
hd_rma_op(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_rma_window *window;

    if (vproc->op.operation == HD_RMA_NOTIFY || vproc->op.operation == HD_RMA_NO_NOTIFY) {
        hd_rma_notify(rh, worker, vproc);
        return true;
    }
    if (vproc->op.operation == HD_RMA_RECEIVE || vproc->op.operation == HD_RMA_NO_RECEIVE)
        return hd_rma_receive_notification(rh, vproc);
    window = hd_rma_window_of(vproc, vproc->op.channel);
    switch ((hd_rma)vproc->op.operation) {
    case HD_RMA_POST:
        window->in_exposure = true;
        break;
    case HD_RMA_START:
        hd_rma_begin_access(window, vproc);
        break;
    case HD_RMA_COMPLETE:
        hd_rma_end_access(rh, worker, vproc, window);
        break;
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        hd_rma_end_exposure(rh, worker, vproc, window);
        break;
    case HD_RMA_ACCESS:
        hd_rma_note_access(rh, worker, vproc, window);
        if (window->n_locks > 0 && hd_rma_is_locked(window, vproc->op.root))
            hd_rma_passive_call(rh, worker, vproc, window, true);
        break;
    case HD_RMA_LOCK:
        HD_PUSH(window->locks, window->n_locks, window->capacity_locks,
                ((hd_rma_lock){ vproc->op.root, vproc->op.number != 0, vproc->order, vproc->cursor.call.enter }));
        hd_rma_passive_call(rh, worker, vproc, window, false);
        break;
    case HD_RMA_UNLOCK:
        if (hd_rma_passive_unlock(rh, worker, vproc, window))
            hd_rma_passive_call(rh, worker, vproc, window, false);
        else
            hd_rma_out_of_place(rh, vproc, window);
        break;
    case HD_RMA_COMPLETION:
        hd_rma_passive_call(rh, worker, vproc, window, false);
        break;
    default:
        break;
    }
    return true;
}

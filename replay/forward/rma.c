/* replay/forward/rma.c: dispatches an operation of the op log at a window to the file of its kind. */
#include "rma.h"

#include "rma_passive.h"

void
hd_rma_op(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_rma         operation = (hd_rma)vproc->op.operation;
    hd_rma_window *window;

    if (operation == HD_RMA_NOTIFY || operation == HD_RMA_NO_NOTIFY) {
        hd_rma_notify(rh, worker, vproc);
        return;
    }
    window = hd_rma_window_of(vproc, vproc->op.channel);
    switch (operation) {
    case HD_RMA_POST:
        window->in_exposure = true;
        return;
    case HD_RMA_START:
        hd_rma_begin_access(window, vproc);
        return;
    case HD_RMA_COMPLETE:
        hd_rma_end_access(rh, worker, vproc, window);
        return;
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        hd_rma_end_exposure(rh, worker, vproc, window);
        return;
    case HD_RMA_ACCESS:
        hd_rma_note_access(rh, worker, vproc, window);
        return;
    case HD_RMA_LOCK:
        hd_rma_passive_lock(rh, worker, vproc, window);
        return;
    case HD_RMA_UNLOCK:
        hd_rma_passive_unlock(rh, worker, vproc, window);
        return;
    case HD_RMA_COMPLETION:
        hd_rma_passive_call(rh, worker, vproc, window, false);
        return;
    default:
        return;
    }
}

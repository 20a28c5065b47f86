/* replay/forward/receive_overlap.c: overlap of non-blocking receives with their messages, a time at the receiver
 * alone. */
#include "receive_overlap.h"

/*   sender    ·······[ send ]···············
 *   receiver  ·[ Irecv ]··········[ Wait ]··    overlap = wait.enter - max(Irecv.enter, send.enter), if positive
 *                    |----------->|             docs/metrics.md#mpi_receive_overlap
 * A blocking receive is posted where it completes: nothing is left of the difference. */
static void
receive(hd_p2p_event *event, void *state)
{
    const hd_op   *op      = &event->vproc->op;
    const hd_call *call    = &event->vproc->cursor.call;
    hd_span        overlap = hd_span_between(hd_time_max(op->begin, event->message->enter), call->enter);

    (void)state;
    if (overlap > 0 && hd_op_is_post_known(op))
        hd_severity_add(&event->vproc->severities, HD_METRIC_mpi_receive_overlap, call->call_path, overlap);
}

const hd_forward_pattern hd_receive_overlap_pattern = { .on_receive = receive };

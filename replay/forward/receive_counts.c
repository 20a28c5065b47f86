/* replay/forward/receive_counts.c: what is received, into the count log. */
#include "receive_counts.h"

static bool
is_wanted(const hd_replay *replay)
{
    return hd_replay_counts_over_time(replay);
}

static void
receive(hd_p2p_event *event, void *state)
{
    const hd_call *call = &event->vproc->cursor.call;

    (void)state;
    hd_count_log_put(&hd_loaded_location_more(event->vproc->location)->counting,
                     &(hd_count_entry){ .what = HD_COUNTED_RECEIVE, .node = call->call_path, .time = call->enter,
                                        .values = { event->message->bytes } });
}

const hd_forward_pattern hd_receive_counts_pattern = { .is_wanted = is_wanted, .on_receive = receive };

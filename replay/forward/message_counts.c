#include "message_counts.h"

static void
receive(hd_p2p_event *event, void *state)
{
    hd_agent         *agent   = event->agent;
    const hd_message *message = event->message;
    uint32_t          node    = agent->cursor.call.call_path;

    (void)state;
    event->rh->n_received++;
    if (message->bytes == 0)
        hd_severity_add(&agent->severities, HD_METRIC_syncs_recv, node, 1);
    else {
        hd_severity_add(&agent->severities, HD_METRIC_comms_recv, node, 1);
        hd_severity_add(&agent->severities, HD_METRIC_bytes_rcvd, node, (int64_t)message->bytes);
    }
    if (HD_UNLIKELY(message->time > agent->op.time))
        hd_agent_clock_finding(event->rh, agent, HD_FINDING_CLOCK_P2P, node, agent->location->log.channels[agent->op.channel].peer, HD_NONE,
                               agent->op.time, hd_span_between(agent->op.time, message->time));
}

const hd_forward_pattern hd_message_counts_pattern = { .on_receive = receive };

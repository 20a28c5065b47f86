#include "distance.h"

_Static_assert(HD_METRIC_machine_comms_remote == HD_METRIC_machine_comms_process + HD_NEAR_REMOTE, "the metrics have the order of hd_nearness");
_Static_assert(HD_METRIC_machine_bytes_remote == HD_METRIC_machine_bytes_process + HD_NEAR_REMOTE, "likewise");
_Static_assert(HD_METRIC_machine_latesender_remote == HD_METRIC_machine_latesender_process + HD_NEAR_REMOTE, "likewise");
_Static_assert(HD_METRIC_machine_latereceiver_remote == HD_METRIC_machine_latereceiver_process + HD_NEAR_REMOTE, "likewise");

/* first: the metric of HD_NEAR_PROCESS */
static void
book(hd_severities *severities, hd_metric first, uint32_t nearness, uint32_t call_path, int64_t value)
{
    if (value > 0)
        hd_severity_add(severities, first + nearness, call_path, value);
}

static void
message(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    uint32_t nearness = event->is_send || event->wait > 0 ? hd_machine_nearness(context, event->process, event->peer) : HD_NONE;

    (void)state;
    if (nearness == HD_NONE)
        return;
    if (!event->is_send) {
        book(severities, HD_METRIC_machine_latesender_process, nearness, event->call_path, event->wait);
        return;
    }
    book(severities, HD_METRIC_machine_comms_process, nearness, event->call_path, 1);
    book(severities, HD_METRIC_machine_bytes_process, nearness, event->call_path, (int64_t)event->bytes);
}

static void
late_receiver(void *context, hd_severities *severities, const hd_message_event *event)
{
    uint32_t nearness = hd_machine_nearness(context, event->process, event->peer);

    if (nearness != HD_NONE)
        book(severities, HD_METRIC_machine_latereceiver_process, nearness, event->call_path, event->wait);
}

hd_message_patterns
hd_distance_patterns(hd_machine *machine)
{
    return (hd_message_patterns){ .context = machine, .message = message, .late_receiver = late_receiver };
}

uint32_t
hd_distance_seen(const hd_location_result *locations, uint32_t n)
{
    uint32_t seen = 0;

    for (uint32_t i = 0; i < n; i++)
        for (size_t e = 0; e < locations[i].n; e++) {
            uint32_t metric = locations[i].entries[e].metric;

            if (metric >= HD_METRIC_machine_comms_process && metric <= HD_METRIC_machine_comms_remote)
                seen |= 1u << (metric - HD_METRIC_machine_comms_process);
        }
    return seen;
}

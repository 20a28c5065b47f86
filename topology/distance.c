/* topology/distance.c: two patterns of messages that book into metrics by distance: nearness on the machine, and
 * classes of hops on a topology. */
#include "distance.h"

#define IN_ORDER(first, last, n) _Static_assert((int)(last) == (int)(first) + (n) - 1,                                 \
                                                "the metrics are in the order of the classes")
IN_ORDER(HD_METRIC_machine_comms_process, HD_METRIC_machine_comms_remote, HD_N_NEAR);
IN_ORDER(HD_METRIC_machine_bytes_process, HD_METRIC_machine_bytes_remote, HD_N_NEAR);
IN_ORDER(HD_METRIC_machine_latesender_process, HD_METRIC_machine_latesender_remote, HD_N_NEAR);
IN_ORDER(HD_METRIC_machine_latereceiver_process, HD_METRIC_machine_latereceiver_remote, HD_N_NEAR);
IN_ORDER(HD_METRIC_topo_comms_h0, HD_METRIC_topo_comms_hmore, HD_DISTANCE_CLASSES);
IN_ORDER(HD_METRIC_topo_bytes_h0, HD_METRIC_topo_bytes_hmore, HD_DISTANCE_CLASSES);
IN_ORDER(HD_METRIC_topo_latesender_h0, HD_METRIC_topo_latesender_hmore, HD_DISTANCE_CLASSES);
IN_ORDER(HD_METRIC_topo_latereceiver_h0, HD_METRIC_topo_latereceiver_hmore, HD_DISTANCE_CLASSES);

typedef struct first_metrics { /* of the nearest class */
    hd_metric comms, bytes, latesender, latereceiver;
} first_metrics;

static const first_metrics of_machine = { HD_METRIC_machine_comms_process, HD_METRIC_machine_bytes_process,
                                          HD_METRIC_machine_latesender_process,
                                          HD_METRIC_machine_latereceiver_process };
static const first_metrics of_hops    =
    { HD_METRIC_topo_comms_h0, HD_METRIC_topo_bytes_h0, HD_METRIC_topo_latesender_h0,
      HD_METRIC_topo_latereceiver_h0 };

uint32_t
hd_distance_class(uint64_t hops)
{
    uint32_t class = 2;

    if (hops <= 2)
        return (uint32_t)hops;
    for (uint64_t most = 2; hops > most && class < HD_DISTANCE_CLASSES - 1; most *= 2)
        class++;
    return class;
}

static void
book(hd_severities *severities, hd_metric first, uint32_t class, uint32_t call_path, int64_t value)
{
    if (value > 0)
        hd_severity_add(severities, first + class, call_path, value);
}

/* class: HD_NONE: it is not known */
static void
book_message(const first_metrics *metrics, hd_severities *severities, const hd_message_event *event, uint32_t class)
{
    if (class == HD_NONE)
        return;
    if (!event->is_send) {
        book(severities, metrics->latesender, class, event->call_path, event->wait);
        return;
    }
    book(severities, metrics->comms, class, event->call_path, 1);
    book(severities, metrics->bytes, class, event->call_path, (int64_t)event->bytes);
}

static void
book_late_receiver(const first_metrics *metrics, hd_severities *severities, const hd_message_event *event,
                   uint32_t class)
{
    if (class != HD_NONE)
        book(severities, metrics->latereceiver, class, event->call_path, event->wait);
}

/* ---- on the machine ---------------------------------------------------------------------------------------------- */

static void
machine_message(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    (void)state;
    if (event->is_send || event->wait > 0)
        book_message(&of_machine, severities, event, hd_machine_nearness(context, event->process, event->peer));
}

static void
machine_late_receiver(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    (void)state;
    book_late_receiver(&of_machine, severities, event, hd_machine_nearness(context, event->process, event->peer));
}

hd_message_patterns
hd_distance_on_machine(hd_machine *machine)
{
    return (hd_message_patterns){ .context = machine, .message = machine_message,
                                  .late_receiver = machine_late_receiver };
}

/* ---- in hops ----------------------------------------------------------------------------------------------------- */

static uint32_t
class_of(const hd_cartesian *cartesian, const hd_message_event *event)
{
    uint64_t hops;

    return hd_cartesian_distance(cartesian, event->process, event->peer, &hops) ? hd_distance_class(hops) : HD_NONE;
}

static void
hops_message(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    (void)state;
    if (event->is_send || event->wait > 0)
        book_message(&of_hops, severities, event, class_of(context, event));
}

static void
hops_late_receiver(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    (void)state;
    book_late_receiver(&of_hops, severities, event, class_of(context, event));
}

hd_message_patterns
hd_distance_in_hops(hd_cartesian *cartesian)
{
    return (hd_message_patterns){ .context = cartesian, .message = hops_message, .late_receiver = hops_late_receiver };
}

void
hd_distance_seen(const hd_location_result *locations, uint32_t n, uint32_t *near, uint32_t *hops)
{
    *near = *hops = 0;
    for (uint32_t i = 0; i < n; i++)
        for (size_t e = 0; e < locations[i].n; e++) {
            uint32_t metric = locations[i].entries[e].metric;

            if (metric >= HD_METRIC_machine_comms_process && metric <= HD_METRIC_machine_comms_remote)
                *near |= 1u << (metric - HD_METRIC_machine_comms_process);
            else if (metric >= HD_METRIC_topo_comms_h0 && metric <= HD_METRIC_topo_comms_hmore)
                *hops |= 1u << (metric - HD_METRIC_topo_comms_h0);
        }
}

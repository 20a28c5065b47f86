/* topology/wavefront.c: recognises sweeps by the direction of messages: a sweep ends when the direction on an axis
 * changes, and the first wait on each axis is the filling of the pipeline. */
#include "wavefront.h"

typedef struct sweep_axis {
    hd_span  wait;      /* of the first message received */
    uint32_t call_path; /* of its receive */
    int8_t   sign;      /* 0: not known yet */
    bool     is_received;
} sweep_axis;

typedef struct sweep {
    _Alignas(8) bool is_open;
    sweep_axis       axes[]; /* [n_dimensions] */
} sweep;

/* By the directions of the axes, the first one as the highest bit, up as 0. */
static const hd_metric refill_1[] = { HD_METRIC_mpi_ls_refill_p, HD_METRIC_mpi_ls_refill_n };
static const hd_metric refill_2[] =
    { HD_METRIC_mpi_ls_refill_pp, HD_METRIC_mpi_ls_refill_pn, HD_METRIC_mpi_ls_refill_np,
      HD_METRIC_mpi_ls_refill_nn };
static const hd_metric refill_3[] =
    { HD_METRIC_mpi_ls_refill_ppp, HD_METRIC_mpi_ls_refill_ppn, HD_METRIC_mpi_ls_refill_pnp,
      HD_METRIC_mpi_ls_refill_pnn, HD_METRIC_mpi_ls_refill_npp, HD_METRIC_mpi_ls_refill_npn,
      HD_METRIC_mpi_ls_refill_nnp, HD_METRIC_mpi_ls_refill_nnn };
static const hd_metric *const refill[] = { refill_1, refill_2, refill_3 };

static const hd_metric by_axis[][2] = { { HD_METRIC_topo_latesender_xp, HD_METRIC_topo_latesender_xn },
                                        { HD_METRIC_topo_latesender_yp, HD_METRIC_topo_latesender_yn },
                                        { HD_METRIC_topo_latesender_zp, HD_METRIC_topo_latesender_zn } };
enum { N_NAMED = 3 };

/* The metric of its direction; HD_NONE: not all axes are known, or there are too many. */
static uint32_t
metric_of(const hd_cartesian *cartesian, const sweep *s)
{
    uint32_t bits = 0;

    if (cartesian->n_dimensions == 0 || cartesian->n_dimensions > N_NAMED)
        return HD_NONE;
    for (uint32_t i = 0; i < cartesian->n_dimensions; i++) {
        if (s->axes[i].sign == 0)
            return HD_NONE;
        bits = bits << 1 | (s->axes[i].sign < 0);
    }
    return refill[cartesian->n_dimensions - 1][bits];
}

static void
close_sweep(const hd_cartesian *cartesian, sweep *s, hd_severities *severities)
{
    uint32_t metric = metric_of(cartesian, s);

    for (uint32_t i = 0; i < cartesian->n_dimensions; i++) {
        const sweep_axis *axis = &s->axes[i];

        if (axis->wait > 0) {
            hd_severity_add(severities, HD_METRIC_mpi_ls_refill, axis->call_path, axis->wait);
            if (metric != HD_NONE)
                hd_severity_add(severities, metric, axis->call_path, axis->wait);
        }
        s->axes[i] = (sweep_axis){ 0 };
    }
    s->is_open = false;
}

/* A message goes on with the sweep, or begins another one where the direction of its axis turns. */
static void
sweep_message(const hd_cartesian *cartesian, sweep *s, hd_severities *severities, const hd_message_event *event,
              uint32_t axis, int sign)
{
    sweep_axis *a = &s->axes[axis];

    if (a->sign != 0 && a->sign != sign)
        close_sweep(cartesian, s, severities);
    if (!s->is_open)
        hd_severity_add(severities, HD_METRIC_mpi_refill_count, event->call_path, 1);
    s->is_open = true;
    a->sign    = (int8_t)sign;
    if (event->is_send || a->is_received)
        return;
    a->is_received = true;
    a->wait        = event->wait;
    a->call_path   = event->call_path;
}

static void
count_distance(const hd_cartesian *cartesian, hd_severities *severities, const hd_message_event *event)
{
    uint64_t hops;

    if (!hd_cartesian_distance(cartesian, event->process, event->peer, &hops) || hops == 0)
        return;
    hd_severity_add(severities, HD_METRIC_topo_hops, event->call_path, (int64_t)hops);
    if (event->bytes > 0)
        hd_severity_add(severities, HD_METRIC_topo_byte_hops, event->call_path, (int64_t)(event->bytes * hops));
    hd_severity_add(severities, hops == 1 ? HD_METRIC_topo_neighbour_comms : HD_METRIC_topo_remote_comms,
                    event->call_path, 1);
}

static void
message(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    const hd_cartesian *cartesian = context;
    uint32_t            from = event->is_send ? event->process : event->peer,
                               to = event->is_send ? event->peer : event->process;
    uint32_t            axis;
    int                 sign;

    if (event->is_send)
        count_distance(cartesian, severities, event);
    if (!hd_cartesian_direction(cartesian, from, to, &axis, &sign))
        return;
    if (event->wait > 0 && axis < N_NAMED)
        hd_severity_add(severities, by_axis[axis][sign < 0], event->call_path, event->wait);
    sweep_message(cartesian, state, severities, event, axis, sign);
}

static void
finish(void *context, void *state, hd_severities *severities)
{
    close_sweep(context, state, severities);
}

hd_message_patterns
hd_wavefront_patterns(hd_cartesian *cartesian)
{
    return (hd_message_patterns){ .context = cartesian,
                                  .state_bytes = sizeof(sweep) + cartesian->n_dimensions * sizeof(sweep_axis),
                                  .message = message, .finish = finish };
}

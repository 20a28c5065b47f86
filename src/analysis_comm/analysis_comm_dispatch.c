/* src/analysis_comm/analysis_comm_dispatch.c: hands each call of analysis_comm.h and transport.h to the implementation
 * that was opened, and does what is made of other calls. */
#include <stdlib.h>

#include "analysis_comm_calls.h"

hd_analysis_comm *
hd_analysis_comm_open(const hd_analysis_comm_calls *calls, int *argc, char ***argv)
{
    hd_analysis_comm *analysis_comm = calls->open(argc, argv);

    analysis_comm->calls = calls;
    return analysis_comm;
}

void
hd_analysis_comm_close(hd_analysis_comm *analysis_comm)
{
    if (analysis_comm != NULL)
        analysis_comm->calls->close(analysis_comm);
}

const hd_analysis_comm_calls *
hd_analysis_comm_calls_of(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->calls;
}

hd_arank
hd_analysis_comm_rank(const hd_analysis_comm *analysis_comm)
{
    return (hd_arank){ analysis_comm->rank };
}

uint32_t
hd_analysis_comm_size(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->size;
}

uint32_t
hd_analysis_comm_node(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->node;
}

uint32_t
hd_analysis_comm_node_rank(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->node_rank;
}

uint32_t
hd_analysis_comm_node_size(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->node_size;
}

const char *
hd_analysis_comm_node_name(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->node_name;
}

char *
hd_analysis_comm_library(const hd_analysis_comm_calls *calls)
{
    return calls->library();
}

void
hd_analysis_comm_barrier(hd_analysis_comm *analysis_comm)
{
    analysis_comm->calls->barrier(analysis_comm);
}

void
hd_analysis_comm_broadcast(hd_analysis_comm *analysis_comm, void *data, size_t bytes, hd_arank root)
{
    HD_ASSERT(root.v < analysis_comm->size);
    analysis_comm->calls->broadcast(analysis_comm, data, bytes, root.v);
}

void
hd_analysis_comm_reduce(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op)
{
    if (analysis_comm->size > 1)
        analysis_comm->calls->reduce(analysis_comm, values, n, op);
}

uint64_t
hd_analysis_comm_prefix_sum(hd_analysis_comm *analysis_comm, uint64_t value)
{
    return analysis_comm->calls->prefix_sum(analysis_comm, value);
}

void
hd_analysis_comm_gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all,
                        uint64_t **n_bytes)
{
    analysis_comm->calls->gather(analysis_comm, data, bytes, all, n_bytes);
}

/* Round by round, the upper half of each pair of neighbouring groups hands its run to the lower one:
 *
 *     0 ◀─ 1   2 ◀─ 3   4 ◀─ 5   6        step 1
 *     0 ◀───── 2        4 ◀───── 6        step 2
 *     0 ◀────────────── 4                 step 4
 */
void
hd_analysis_comm_fold(hd_analysis_comm *analysis_comm, hd_bytes *bytes, hd_merge merge, void *context)
{
    const hd_analysis_comm_calls *calls = analysis_comm->calls;
    hd_bytes                      upper = { 0 };

    for (uint64_t step = 1; step < analysis_comm->size; step *= 2) {
        uint64_t n;

        if (analysis_comm->rank & step) {
            uint32_t to = analysis_comm->rank - (uint32_t)step;

            n = bytes->n;
            calls->send(analysis_comm, &n, sizeof n, to);
            calls->send(analysis_comm, bytes->data, bytes->n, to);
            break;
        }
        if (analysis_comm->rank + step < analysis_comm->size) {
            uint32_t from = analysis_comm->rank + (uint32_t)step;

            calls->receive(analysis_comm, &n, sizeof n, from);
            upper.n = 0;
            hd_bytes_reserve(&upper, n);
            calls->receive(analysis_comm, upper.data, n, from);
            upper.n = n;
            merge(context, bytes, &upper);
        }
    }
    free(upper.data);
}

const void *
hd_analysis_comm_share(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes)
{
    return analysis_comm->calls->share(analysis_comm, data, bytes);
}

hd_status
hd_agree(hd_analysis_comm *analysis_comm, hd_status status)
{
    /* Lowest wins: ranks that know what failed, then those that only know that another one did, then those without
     * error. */
    const uint64_t peer_failed = UINT64_C(1) << 32, all_well = UINT64_MAX;
    uint64_t       who = status == HD_OK ? all_well : status == HD_EPEER ? peer_failed + analysis_comm->rank :
                         analysis_comm->rank;
    hd_error       error;

    if (analysis_comm->size == 1)
        return status;
    hd_analysis_comm_reduce(analysis_comm, &who, 1, HD_MIN);
    if (who == all_well)
        return HD_OK;
    error        = *hd_error_get();
    error.status = status;
    hd_analysis_comm_broadcast(analysis_comm, &error, sizeof error, (hd_arank){ (uint32_t)(who & UINT32_MAX) });
    hd_error_set(&error);
    return error.status;
}

void
hd_analysis_comm_abort(hd_analysis_comm *analysis_comm, int exit_code)
{
    analysis_comm->calls->abort(analysis_comm, exit_code);
    _Exit(exit_code);
}

/* ---- transport --------------------------------------------------------------------------------------------------- */

hd_transport *
hd_transport_open(hd_analysis_comm *analysis_comm)
{
    hd_transport *transport = analysis_comm->calls->transport->open();

    transport->calls = analysis_comm->calls->transport;
    return transport;
}

void
hd_transport_close(hd_transport *transport)
{
    if (transport != NULL)
        transport->calls->close(transport);
}

void
hd_transport_send(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                  void *token)
{
    transport->calls->send(transport, rank, thread, data, bytes, token);
}

void *
hd_transport_sent(hd_transport *transport)
{
    return transport->calls->sent(transport);
}

bool
hd_transport_is_sending(const hd_transport *transport)
{
    return transport->calls->is_sending(transport);
}

bool
hd_transport_probe(hd_transport *transport, uint32_t *thread, uint32_t *bytes)
{
    return transport->calls->probe(transport, thread, bytes);
}

void
hd_transport_receive(hd_transport *transport, void *data)
{
    transport->calls->receive(transport, data);
}

void
hd_transport_sum_start(hd_transport *transport, const uint64_t values[2])
{
    transport->calls->sum_start(transport, values);
}

bool
hd_transport_sum_test(hd_transport *transport, uint64_t totals[2])
{
    return transport->calls->sum_test(transport, totals);
}

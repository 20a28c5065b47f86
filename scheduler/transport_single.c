/* scheduler/transport_single.c: the transport of a program without MPI: there is no other rank, so nothing is ever
 * sent or received. */
#include "memory.h"
#include "status.h"
#include "transport.h"

struct hd_transport {
    uint64_t sum[2];
};

hd_transport *
hd_transport_open(void)
{
    return HD_NEW(hd_transport);
}

void
hd_transport_close(hd_transport *transport)
{
    free(transport);
}

void
hd_transport_send(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                  void *token)
{
    (void)transport, (void)thread, (void)data, (void)bytes, (void)token;
    hd_fatal("bug in heddle: a single process sends to analysis rank %" PRIu32, rank);
}

void *
hd_transport_sent(hd_transport *transport)
{
    (void)transport;
    return NULL;
}

bool
hd_transport_is_sending(const hd_transport *transport)
{
    (void)transport;
    return false;
}

bool
hd_transport_probe(hd_transport *transport, uint32_t *thread, uint32_t *bytes)
{
    (void)transport, (void)thread, (void)bytes;
    return false;
}

void
hd_transport_receive(hd_transport *transport, void *data)
{
    (void)transport, (void)data;
}

void
hd_transport_sum_start(hd_transport *transport, const uint64_t values[2])
{
    transport->sum[0] = values[0];
    transport->sum[1] = values[1];
}

bool
hd_transport_sum_test(hd_transport *transport, uint64_t totals[2])
{
    totals[0] = transport->sum[0];
    totals[1] = transport->sum[1];
    return true;
}

/* src/analysis_comm/transport.c: hands each call to the implementation of the analysis communicator. */
#include "transport.h"

#include "analysis_comm_calls.h"

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

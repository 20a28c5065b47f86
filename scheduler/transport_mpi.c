/* scheduler/transport_mpi.c: batches of items as MPI messages, non-blocking, by the main thread alone. The tag of a
 * message is the thread that it is for. */
#include <mpi.h>

#include "memory.h"
#include "transport.h"

struct hd_transport {
    MPI_Comm     comm;
    MPI_Request *requests; /* [n] sends under way, in the order of their start from `first` on */
    void       **tokens;   /* [n] */
    size_t       first, n, capacity_requests, capacity_tokens;
    MPI_Message  message; /* the one that was probed */
    int          message_bytes;
    MPI_Request  sum;
    uint64_t     own[2], totals[2];
};

hd_transport *
hd_transport_open(void)
{
    hd_transport *transport = HD_NEW(hd_transport);

    MPI_Comm_dup(MPI_COMM_WORLD, &transport->comm);
    transport->sum = MPI_REQUEST_NULL;
    return transport;
}

void
hd_transport_close(hd_transport *transport)
{
    if (transport == NULL)
        return;
    MPI_Comm_free(&transport->comm);
    free(transport->requests);
    free(transport->tokens);
    free(transport);
}

void
hd_transport_send(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                  void *token)
{
    MPI_Request request;
    size_t      n = transport->n;

    MPI_Isend(data, (int)bytes, MPI_BYTE, (int)rank, (int)thread, transport->comm, &request);
    HD_PUSH(transport->requests, transport->n, transport->capacity_requests, request);
    HD_PUSH(transport->tokens, n, transport->capacity_tokens, token);
}

void *
hd_transport_sent(hd_transport *transport)
{
    int done = 0;

    if (transport->first == transport->n)
        return NULL;
    MPI_Test(&transport->requests[transport->first], &done, MPI_STATUS_IGNORE);
    if (!done)
        return NULL;
    void *token = transport->tokens[transport->first++];
    if (transport->first == transport->n)
        transport->first = transport->n = 0;
    else if (transport->first >= 1024) { /* the front of the queue is given back now and then */
        transport->n -= transport->first;
        memmove(transport->requests, transport->requests + transport->first,
                transport->n * sizeof *transport->requests);
        memmove(transport->tokens, transport->tokens + transport->first, transport->n * sizeof *transport->tokens);
        transport->first = 0;
    }
    return token;
}

bool
hd_transport_is_sending(const hd_transport *transport)
{
    return transport->first < transport->n;
}

bool
hd_transport_probe(hd_transport *transport, uint32_t *thread, uint32_t *bytes)
{
    MPI_Status status;
    int        here = 0;

    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, transport->comm, &here, &transport->message, &status);
    if (!here)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &transport->message_bytes);
    *thread = (uint32_t)status.MPI_TAG;
    *bytes  = (uint32_t)transport->message_bytes;
    return true;
}

void
hd_transport_receive(hd_transport *transport, void *data)
{
    MPI_Mrecv(data, transport->message_bytes, MPI_BYTE, &transport->message, MPI_STATUS_IGNORE);
}

void
hd_transport_sum_start(hd_transport *transport, const uint64_t values[2])
{
    transport->own[0] = values[0];
    transport->own[1] = values[1];
    MPI_Iallreduce(transport->own, transport->totals, 2, MPI_UINT64_T, MPI_SUM, transport->comm, &transport->sum);
}

bool
hd_transport_sum_test(hd_transport *transport, uint64_t totals[2])
{
    int done = 0;

    MPI_Test(&transport->sum, &done, MPI_STATUS_IGNORE);
    if (!done)
        return false;
    totals[0] = transport->totals[0];
    totals[1] = transport->totals[1];
    return true;
}

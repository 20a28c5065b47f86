/* src/analysis_comm/transport_mpi.c: batches of items as MPI messages, non-blocking, by the main thread alone. The tag
 * of a message is the thread that it is for. */
#include <mpi.h>

#include "memory.h"
#include "transport_mpi.h"

typedef struct transport {
    hd_transport head;
    MPI_Comm     comm;
    MPI_Request *requests; /* [n] sends under way, in the order of their start from `first` on */
    void       **tokens;   /* [n] */
    size_t       first, n, capacity_requests, capacity_tokens;
    MPI_Message  message; /* the one that was probed */
    int          message_bytes;
    MPI_Request  sum;
    uint64_t     own[2], totals[2];
} transport;

static hd_transport *
open_mpi(void)
{
    transport *t = HD_NEW(transport);

    MPI_Comm_dup(MPI_COMM_WORLD, &t->comm);
    t->sum = MPI_REQUEST_NULL;
    return &t->head;
}

static void
close_mpi(hd_transport *head)
{
    transport *t = (transport *)head;

    MPI_Comm_free(&t->comm);
    free(t->requests);
    free(t->tokens);
    free(t);
}

static void
send(hd_transport *head, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                  void *token)
{
    transport *t = (transport *)head;
    MPI_Request request;
    size_t      n = t->n;

    MPI_Isend(data, (int)bytes, MPI_BYTE, (int)rank, (int)thread, t->comm, &request);
    HD_PUSH(t->requests, t->n, t->capacity_requests, request);
    HD_PUSH(t->tokens, n, t->capacity_tokens, token);
}

static void *
sent(hd_transport *head)
{
    transport *t = (transport *)head;
    int done = 0;

    if (t->first == t->n)
        return NULL;
    MPI_Test(&t->requests[t->first], &done, MPI_STATUS_IGNORE);
    if (!done)
        return NULL;
    void *token = t->tokens[t->first++];
    if (t->first == t->n)
        t->first = t->n = 0;
    else if (t->first >= 1024) { /* the front of the queue is given back now and then */
        t->n -= t->first;
        memmove(t->requests, t->requests + t->first,
                t->n * sizeof *t->requests);
        memmove(t->tokens, t->tokens + t->first, t->n * sizeof *t->tokens);
        t->first = 0;
    }
    return token;
}

static bool
is_sending(const hd_transport *head)
{
    const transport *t = (const transport *)head;
    return t->first < t->n;
}

static bool
probe(hd_transport *head, uint32_t *thread, uint32_t *bytes)
{
    transport *t = (transport *)head;
    MPI_Status status;
    int        here = 0;

    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &here, &t->message, &status);
    if (!here)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &t->message_bytes);
    *thread = (uint32_t)status.MPI_TAG;
    *bytes  = (uint32_t)t->message_bytes;
    return true;
}

static void
receive(hd_transport *head, void *data)
{
    transport *t = (transport *)head;

    MPI_Mrecv(data, t->message_bytes, MPI_BYTE, &t->message, MPI_STATUS_IGNORE);
}

static void
sum_start(hd_transport *head, const uint64_t values[2])
{
    transport *t = (transport *)head;

    t->own[0] = values[0];
    t->own[1] = values[1];
    MPI_Iallreduce(t->own, t->totals, 2, MPI_UINT64_T, MPI_SUM, t->comm, &t->sum);
}

static bool
sum_test(hd_transport *head, uint64_t totals[2])
{
    transport *t = (transport *)head;
    int done = 0;

    MPI_Test(&t->sum, &done, MPI_STATUS_IGNORE);
    if (!done)
        return false;
    totals[0] = t->totals[0];
    totals[1] = t->totals[1];
    return true;
}

const hd_transport_calls hd_transport_mpi = {
    .open = open_mpi, .close = close_mpi, .send = send, .sent = sent, .is_sending = is_sending, .probe = probe,
    .receive = receive, .sum_start = sum_start, .sum_test = sum_test,
};

/* src/analysis_comm/analysis_comm_single.c: the analysis communicator and the transport of a program that is alone:
 * nothing is ever sent or received. */
#include <string.h>
#include <unistd.h>

#include "analysis_comm_calls.h"
#include "memory.h"

typedef struct single {
    hd_analysis_comm head;
    void           **copies; /* of share() */
    size_t           n_copies, copies_capacity;
} single;

typedef struct single_transport {
    hd_transport head;
    uint64_t     sum[2];
} single_transport;

static hd_analysis_comm *
open_single(int *argc, char ***argv)
{
    single *s = HD_NEW(single);

    (void)argc, (void)argv;
    s->head.size = s->head.node_size = 1;
    if (gethostname(s->head.node_name, sizeof s->head.node_name - 1) != 0)
        memcpy(s->head.node_name, "unknown", sizeof "unknown");
    return &s->head;
}

static void
close_single(hd_analysis_comm *analysis_comm)
{
    single *s = (single *)analysis_comm;

    for (size_t i = 0; i < s->n_copies; i++)
        free(s->copies[i]);
    free(s->copies);
    free(s);
}

static char *
library(void)
{
    return hd_strdup("none");
}

static void
barrier(hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
}

static void
broadcast(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t root)
{
    (void)analysis_comm, (void)data, (void)bytes, (void)root;
}

static void
reduce(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op)
{
    (void)analysis_comm, (void)values, (void)n, (void)op;
}

static uint64_t
prefix_sum(hd_analysis_comm *analysis_comm, uint64_t value)
{
    (void)analysis_comm, (void)value;
    return 0;
}

static void *
copy_of(const void *data, size_t bytes)
{
    void *copy = hd_realloc(NULL, bytes, 1);

    if (bytes > 0)
        memcpy(copy, data, bytes);
    return copy;
}

static void
gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all, uint64_t **n_bytes)
{
    (void)analysis_comm;
    *all      = copy_of(data, bytes);
    *n_bytes  = HD_NEW_ARRAY(uint64_t, 1);
    **n_bytes = bytes;
}

static void
send(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint32_t to)
{
    (void)analysis_comm, (void)data, (void)bytes;
    hd_fatal("bug in heddle: a single process sends to analysis rank %" PRIu32, to);
}

static void
receive(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t from)
{
    (void)analysis_comm, (void)data, (void)bytes;
    hd_fatal("bug in heddle: a single process receives from analysis rank %" PRIu32, from);
}

static const void *
share(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes)
{
    single *s    = (single *)analysis_comm;
    void   *copy = copy_of(data, *bytes);

    HD_PUSH(s->copies, s->n_copies, s->copies_capacity, copy);
    return copy;
}

static void
end(hd_analysis_comm *analysis_comm, int exit_code)
{
    (void)analysis_comm, (void)exit_code;
}

static hd_transport *
transport_open(void)
{
    return &HD_NEW(single_transport)->head;
}

static void
transport_close(hd_transport *transport)
{
    free(transport);
}

static void
transport_send(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes, void *token)
{
    (void)transport, (void)thread, (void)token;
    send(NULL, data, bytes, rank);
}

static void *
transport_sent(hd_transport *transport)
{
    (void)transport;
    return NULL;
}

static bool
transport_is_sending(const hd_transport *transport)
{
    (void)transport;
    return false;
}

static bool
transport_probe(hd_transport *transport, uint32_t *thread, uint32_t *bytes)
{
    (void)transport, (void)thread, (void)bytes;
    return false;
}

static void
transport_receive(hd_transport *transport, void *data)
{
    (void)transport, (void)data;
}

static void
transport_sum_start(hd_transport *transport, const uint64_t values[2])
{
    memcpy(((single_transport *)transport)->sum, values, 2 * sizeof *values);
}

static bool
transport_sum_test(hd_transport *transport, uint64_t totals[2])
{
    memcpy(totals, ((single_transport *)transport)->sum, 2 * sizeof *totals);
    return true;
}

static const hd_transport_calls transport_single = {
    .open = transport_open, .close = transport_close, .send = transport_send, .sent = transport_sent,
    .is_sending = transport_is_sending, .probe = transport_probe, .receive = transport_receive,
    .sum_start = transport_sum_start, .sum_test = transport_sum_test,
};

const hd_analysis_comm_calls hd_analysis_comm_single = {
    .open = open_single, .close = close_single, .library = library, .barrier = barrier, .broadcast = broadcast,
    .reduce = reduce, .prefix_sum = prefix_sum, .gather = gather, .send = send, .receive = receive, .share = share,
    .abort = end, .transport = &transport_single,
};

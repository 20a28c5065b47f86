/* src/record/preload/mpi/mpi_records.c: what each kind of MPI call records. */
#include "mpi_records.h"

#include <stdlib.h>

#include "mpi_clock.h"

/* ---- point to point ---------------------------------------------------------------------------------------------- */

static uint64_t
peer_tag(int peer, int tag)
{
    return (uint64_t)(uint32_t)peer | (uint64_t)(uint32_t)tag << 32;
}

/* A member, or any; no other rank, which is an error that the call returns. */
static bool
is_peer(const hd_comm *comm, int peer)
{
    return peer == MPI_ANY_SOURCE || (peer >= 0 && peer < comm->size);
}

/* The communicator of a transfer that is recorded, NULL: it is not. */
static const hd_comm *
recorded(MPI_Comm comm, int peer)
{
    const hd_comm *found = peer != MPI_PROC_NULL ? hd_comm_get(comm) : NULL;

    return found != NULL && !found->is_foreign && is_peer(found, peer) ? found : NULL;
}

/* The same of a send: it is recorded before the call, which sends nothing where these are wrong. */
static const hd_comm *
recorded_send(hd_transfer transfer)
{
    if (transfer.peer < 0 || transfer.tag < 0 || (int64_t)transfer.count < 0 || transfer.type == MPI_DATATYPE_NULL)
        return NULL;
    return recorded(transfer.comm, transfer.peer);
}

uint64_t
hd_status_bytes(const MPI_Status *status)
{
    int       n     = 0;
    MPI_Count large = 0;

    if (hd_the_mpi.get_count(status, MPI_BYTE, &n) == MPI_SUCCESS && n != MPI_UNDEFINED)
        return n > 0 ? (uint64_t)n : 0;
    if (hd_the_mpi.get_elements_x == NULL || hd_the_mpi.get_elements_x(status, MPI_BYTE, &large) != MPI_SUCCESS)
        return 0;
    return large > 0 ? (uint64_t)large : 0; /* more than an int can hold */
}

/* Messages to other worlds are counted only. */
static void
record_foreign(const hd_call *call, hd_transfer transfer)
{
    const hd_comm *on = transfer.peer != MPI_PROC_NULL ? hd_comm_get(transfer.comm) : NULL;

    if (on != NULL && on->is_foreign)
        HD_LOG_PUT(call->log, call->enter, FOREIGN, on->number, hd_mpi_bytes(transfer.count, transfer.type));
}

void
hd_record_send(const hd_call *call, hd_transfer transfer)
{
    const hd_comm *on = recorded_send(transfer);

    if (on == NULL)
        record_foreign(call, transfer);
    else
        HD_LOG_PUT(call->log, call->enter, SEND, on->number, peer_tag(transfer.peer, transfer.tag),
                   hd_mpi_bytes(transfer.count, transfer.type));
}

static int
class_of(int code)
{
    int class = MPI_SUCCESS;

    hd_the_mpi.error_class(code, &class);
    return class;
}

bool
hd_has_truncated(int error)
{
    return class_of(error) == MPI_ERR_TRUNCATE;
}

void
hd_record_receive_on(const hd_call *call, const hd_comm *comm, const MPI_Status *status)
{
    if (comm != NULL && !comm->is_foreign && status->MPI_SOURCE >= 0 && status->MPI_SOURCE < comm->size)
        HD_LOG_PUT(call->log, call->leave, RECV, comm->number, peer_tag(status->MPI_SOURCE, status->MPI_TAG),
                   hd_status_bytes(status));
}

void
hd_record_receive(const hd_call *call, MPI_Comm comm, const MPI_Status *status)
{
    hd_record_receive_on(call, hd_comm_get(comm), status);
}

hd_request
hd_record_send_init(hd_transfer transfer)
{
    const hd_comm *on = recorded_send(transfer);

    if (on == NULL)
        return (hd_request){ .is_persistent = true };
    return (hd_request){ .kind          = HD_REQUEST_SEND,
                         .is_persistent = true,
                         .comm          = on->number,
                         .peer_tag      = peer_tag(transfer.peer, transfer.tag),
                         .sent          = hd_mpi_bytes(transfer.count, transfer.type) };
}

hd_request
hd_record_recv_init(MPI_Comm comm, int peer)
{
    const hd_comm *on = recorded(comm, peer);

    if (on == NULL)
        return (hd_request){ .is_persistent = true };
    return (hd_request){ .kind = HD_REQUEST_RECV, .is_persistent = true, .comm = on->number };
}

/* The record of a request that begins. */
static void
record_begin(const hd_call *call, hd_request *request)
{
    request->id        = hd_request_next_id();
    request->is_active = true;
    request->is_left_out = call->log->is_paused;
    if (request->kind == HD_REQUEST_SEND)
        HD_LOG_PUT(call->log, call->enter, ISEND, request->comm, request->peer_tag, request->sent, request->id);
    else if (request->kind == HD_REQUEST_PARTITIONED_SEND)
        hd_partitioned_start(request->partitioned, request);
    else if (request->kind == HD_REQUEST_RECV || request->kind == HD_REQUEST_PARTITIONED_RECV)
        HD_LOG_PUT(call->log, call->enter, IRECV_REQUEST, 0, request->id);
    else if (request->kind != HD_REQUEST_OTHER)
        HD_LOG_PUT(call->log, call->enter, NBC_REQUEST, request->comm, request->id);
}

hd_request
hd_record_isend(const hd_call *call, hd_transfer transfer)
{
    hd_request request = hd_record_send_init(transfer);

    request.is_persistent = false;
    if (request.kind == HD_REQUEST_OTHER)
        record_foreign(call, transfer);
    record_begin(call, &request);
    return request;
}

hd_request
hd_record_irecv(const hd_call *call, const hd_comm *comm, int peer)
{
    hd_request request = { .kind = HD_REQUEST_OTHER };

    if (comm != NULL && !comm->is_foreign && is_peer(comm, peer))
        request = (hd_request){ .kind = HD_REQUEST_RECV, .comm = comm->number };
    record_begin(call, &request);
    return request;
}

hd_request
hd_record_isendrecv(const hd_call *call, hd_transfer sent, hd_transfer received)
{
    hd_request send    = hd_record_isend(call, sent);
    hd_request receive = hd_record_irecv(call, hd_comm_get(received.comm), received.peer);

    if (receive.kind == HD_REQUEST_OTHER)
        return send;
    receive.kind      = HD_REQUEST_SENDRECV;
    receive.second_id = receive.id;
    receive.id        = send.kind != HD_REQUEST_OTHER ? send.id : 0;
    receive.source    = received.peer;
    receive.tag       = received.tag;
    receive.received  = hd_mpi_bytes(received.count, received.type);
    return receive;
}

void
hd_record_start(const hd_call *call, MPI_Request *request)
{
    hd_request *taken = hd_request_take(HD_HANDLE(*request), request, true);

    if (taken == NULL)
        return;
    record_begin(call, taken);
    hd_request_return(taken);
}

/* ---- partitioned ------------------------------------------------------------------------------------------------- */

hd_request
hd_record_psend_init(hd_transfer transfer, int n)
{
    hd_request send = hd_record_send_init(transfer);

    if (send.kind != HD_REQUEST_SEND || n <= 0 || (send.partitioned = hd_partitioned_new((uint64_t)n)) == NULL)
        return (hd_request){ .is_persistent = true };
    send.kind = HD_REQUEST_PARTITIONED_SEND;
    send.sent *= (uint64_t)n;
    return send;
}

hd_request
hd_record_precv_init(hd_transfer transfer, int n)
{
    hd_request receive = hd_record_send_init(transfer); /* no wildcards, and the sizes are the same on both sides */

    if (receive.kind != HD_REQUEST_SEND || n <= 0)
        return (hd_request){ .is_persistent = true };
    receive.kind     = HD_REQUEST_PARTITIONED_RECV;
    receive.received = receive.sent * (uint64_t)n;
    return receive;
}

void
hd_record_psend_made(MPI_Request *request, hd_request send, bool is_made)
{
    if (!is_made)
        hd_partitioned_remove(send.partitioned);
    else if (send.partitioned != NULL)
        hd_partitioned_add(send.partitioned, HD_HANDLE(*request));
    if (is_made)
        hd_request_add(HD_HANDLE(*request), request, send);
}

void
hd_record_ready(const hd_call *call, MPI_Request request, int64_t n)
{
    hd_request send;

    if (n > 0 && hd_partitioned_ready(HD_HANDLE(request), (uint64_t)n, call->log->is_paused, &send))
        HD_LOG_PUT(call->log, call->enter, ISEND, send.comm, send.peer_tag, send.sent, send.id);
}

void
hd_record_freed(hd_request *taken)
{
    if (taken != NULL)
        hd_partitioned_remove(taken->partitioned);
    hd_request_drop(taken);
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

static bool
is_cancelled(const hd_request *request, const MPI_Status *status)
{
    int flag = 0;

    if (request->kind != HD_REQUEST_SEND && request->kind != HD_REQUEST_RECV)
        return false;
    return hd_the_mpi.test_cancelled(status, &flag) == MPI_SUCCESS && flag != 0;
}

/* MPICH 4.0 leaves the status empty: what was asked for is taken where it says enough. */
static void
record_both(const hd_call *call, const hd_request *request, const MPI_Status *status)
{
    int      source = request->source == MPI_ANY_SOURCE ? status->MPI_SOURCE : request->source;
    int      tag    = request->tag == MPI_ANY_TAG ? status->MPI_TAG : request->tag;
    uint64_t bytes  = hd_status_bytes(status);

    if (request->id != 0)
        HD_LOG_PUT(call->log, call->leave, ISEND_COMPLETE, 0, request->id);
    HD_LOG_PUT(call->log, call->leave, IRECV, request->comm, peer_tag(source, tag),
               bytes > 0 ? bytes : request->received, request->second_id);
}

static void
record_end(const hd_call *call, const hd_request *request, const MPI_Status *status)
{
    const hd_comm *made;

    switch (request->kind) {
    case HD_REQUEST_SEND:
        HD_LOG_PUT(call->log, call->leave, ISEND_COMPLETE, 0, request->id);
        break;
    case HD_REQUEST_RECV:
        HD_LOG_PUT(call->log, call->leave, IRECV, request->comm, peer_tag(status->MPI_SOURCE, status->MPI_TAG),
                   hd_status_bytes(status), request->id);
        break;
    case HD_REQUEST_SENDRECV:
        record_both(call, request, status);
        break;
    case HD_REQUEST_PARTITIONED_SEND:
        HD_LOG_PUT(call->log, call->leave, ISEND_COMPLETE, 0, request->id);
        break;
    case HD_REQUEST_PARTITIONED_RECV:
        HD_LOG_PUT(call->log, call->leave, IRECV, request->comm, request->peer_tag, request->received, request->id);
        break;
    case HD_REQUEST_NEW_COMM:
        made = hd_comm_add(request->new_comm, request->origin);
        if (made != NULL)
            HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_CREATE, made->number);
        __attribute__((fallthrough));
    case HD_REQUEST_COLLECTIVE:
        HD_LOG_PUT(call->log, call->leave, NBC_COMPLETE, request->comm, request->op_root, request->sent,
                   request->received, request->id);
        break;
    case HD_REQUEST_ACCESS:
        HD_LOG_PUT(call->log, call->leave, ACCESS_LOCAL, request->comm, request->id);
        request->access_done(request->window, request->id);
        break;
    case HD_REQUEST_FILE:
        HD_LOG_PUT(call->log, call->leave, FILE_COMPLETE, request->comm, hd_status_bytes(status), request->id);
        break;
    case HD_REQUEST_OTHER:
        break;
    }
}

void
hd_record_complete(const hd_call *call, hd_request *taken, const MPI_Status *status)
{
    bool was_paused = call->log->is_paused;

    if (taken == NULL)
        return;
    if (taken->kind == HD_REQUEST_PARTITIONED_SEND)
        taken->is_left_out = hd_partitioned_is_left_out(taken->partitioned);
    call->log->is_paused = was_paused || taken->is_left_out;
    if (is_cancelled(taken, status))
        HD_LOG_PUT(call->log, call->leave, CANCELLED, 0, taken->id);
    else
        record_end(call, taken, status);
    call->log->is_paused = was_paused;
    taken->is_active     = false;
    if (taken->is_persistent)
        hd_request_return(taken);
    else
        hd_request_drop(taken);
}

void
hd_record_pending(hd_request *taken)
{
    if (taken != NULL)
        hd_request_return(taken);
}

MPI_Status *
hd_request_set_begin(hd_request_set *set, int n, MPI_Request *requests, MPI_Status *statuses)
{
    bool ignores = statuses == MPI_STATUSES_IGNORE;

    set->n                = n > 0 ? n : 0;
    set->requests         = requests;
    set->is_shared        = atomic_load_explicit(&hd_requests_are_shared, memory_order_relaxed);
    set->is_empty         = true;
    set->has_own_statuses = ignores && n > HD_FEW_REQUESTS;
    set->each             = n > HD_FEW_REQUESTS ? calloc((size_t)n, sizeof *set->each) : set->few;
    set->statuses         = !ignores ? statuses : n > HD_FEW_REQUESTS ? calloc((size_t)n, sizeof *set->statuses) :
                                                                        set->few_statuses;
    if (set->each == NULL || set->statuses == NULL) {
        hd_recorder_stop("there is no memory");
        set->n        = 0;
        set->statuses = statuses;
    }
    for (int i = 0; i < set->n; i++) {
        bool is_none = requests[i] == MPI_REQUEST_NULL;

        set->is_empty      = set->is_empty && is_none;
        set->each[i].handle = is_none ? 0 : HD_HANDLE(requests[i]);
        set->each[i].taken  = set->is_shared && !is_none ?
                                  hd_request_take(set->each[i].handle, &requests[i], false) : NULL;
    }
    return set->statuses;
}

/* The entry of one that is complete, NULL: none; once. */
static hd_request *
take_at(hd_request_set *set, int i)
{
    hd_request *taken = set->each[i].taken;

    if (!set->is_shared && set->each[i].handle != 0)
        taken = hd_request_take(set->each[i].handle, &set->requests[i], false);
    set->each[i].taken  = NULL;
    set->each[i].handle = 0;
    return taken;
}

static void
complete_at(const hd_call *call, hd_request_set *set, int i, const MPI_Status *status)
{
    if (i >= 0 && i < set->n)
        hd_record_complete(call, take_at(set, i), status);
}

/* After an error the statuses say which have completed. */
static void
complete_or_drop(const hd_call *call, hd_request_set *set, int i, const MPI_Status *status, int result)
{
    if (result == MPI_SUCCESS || hd_has_received(status->MPI_ERROR))
        complete_at(call, set, i, status);
    else if (status->MPI_ERROR != MPI_ERR_PENDING && i >= 0 && i < set->n)
        hd_request_drop(take_at(set, i));
}

void
hd_record_all(const hd_call *call, hd_request_set *set, int result)
{
    if (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS)
        for (int i = 0; i < set->n; i++)
            complete_or_drop(call, set, i, &set->statuses[i], result);
}

void
hd_record_one_of(const hd_call *call, hd_request_set *set, int index, const MPI_Status *status)
{
    if (index != MPI_UNDEFINED)
        complete_at(call, set, index, status);
}

void
hd_record_some(const hd_call *call, hd_request_set *set, int n, const int *indices, int result)
{
    if (n != MPI_UNDEFINED && (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS))
        for (int i = 0; i < n && i < set->n; i++)
            complete_or_drop(call, set, indices[i], &set->statuses[i], result);
}

/* The last one first, so that those with one handle keep their order. */
void
hd_request_set_end(hd_request_set *set)
{
    for (int i = set->n - 1; i >= 0 && set->is_shared; i--)
        hd_record_pending(set->each[i].taken);
    if (set->each != set->few)
        free(set->each);
    if (set->has_own_statuses)
        free(set->statuses);
}

/* ---- collective operations --------------------------------------------------------------------------------------- */

static bool
is_to_all(hd_raw_operation operation)
{
    return operation == HD_RAW_BCAST || operation == HD_RAW_SCATTER || operation == HD_RAW_SCATTERV;
}

/* Of an inter-communicator one group has the root, whose other members take no part. */
bool
hd_collective_sends(const hd_comm *comm, hd_raw_operation operation, int root)
{
    if (!comm->is_inter || root == HD_NO_ROOT)
        return true;
    return root != MPI_PROC_NULL && (root != MPI_ROOT || is_to_all(operation));
}

bool
hd_collective_receives(const hd_comm *comm, hd_raw_operation operation, int root)
{
    if (!comm->is_inter || root == HD_NO_ROOT)
        return true;
    return root != MPI_PROC_NULL && (root != MPI_ROOT || !is_to_all(operation));
}

uint64_t
hd_collective_op_root(const hd_comm *comm, hd_raw_operation operation, int root)
{
    if (root == HD_NO_ROOT)
        return hd_raw_op_root(operation, HD_RAW_ROOT_NONE);
    if (comm != NULL && comm->is_inter && root == MPI_ROOT)
        return hd_raw_op_root(operation, HD_RAW_ROOT_SELF);
    if (comm != NULL && comm->is_inter && root == MPI_PROC_NULL)
        return hd_raw_op_root(operation, HD_RAW_ROOT_THIS_GROUP);
    return hd_raw_op_root(operation, (uint32_t)root);
}

#define DEFINE_SUMS(suffix, count_type)                                                                                \
    uint64_t hd_sum_##suffix(const hd_comm *comm, const count_type *counts, MPI_Datatype type, bool in_place)          \
    {                                                                                                                  \
        uint64_t sum = 0;                                                                                              \
                                                                                                                       \
        for (int i = 0; i < comm->size; i++)                                                                           \
            if (counts[i] > 0 && (!in_place || i != comm->rank))                                                       \
                sum += (uint64_t)counts[i];                                                                            \
        return sum > 0 ? hd_mpi_bytes(sum, type) : 0;                                                                  \
    }                                                                                                                  \
    uint64_t hd_sum_types_##suffix(const hd_comm *comm, const count_type *counts, const MPI_Datatype *types,           \
                                   bool in_place)                                                                      \
    {                                                                                                                  \
        uint64_t sum = 0;                                                                                              \
                                                                                                                       \
        for (int i = 0; i < comm->size; i++)                                                                           \
            if (counts[i] > 0 && (!in_place || i != comm->rank))                                                       \
                sum += hd_mpi_bytes((uint64_t)counts[i], types[i]);                                                    \
        return sum;                                                                                                    \
    }

DEFINE_SUMS(int, int)
DEFINE_SUMS(large, MPI_Count)

void
hd_record_collective_begin(const hd_call *call)
{
    HD_LOG_PUT_PLAIN(call->log, call->enter, COLLECTIVE_BEGIN, 0);
}

bool
hd_has_begun(int error)
{
    int class = class_of(error);

    return class != MPI_ERR_BUFFER && class != MPI_ERR_COUNT && class != MPI_ERR_TYPE && class != MPI_ERR_COMM &&
           class != MPI_ERR_ROOT && class != MPI_ERR_OP && class != MPI_ERR_ARG;
}

void
hd_record_collective_end(const hd_call *call, const hd_comm *comm, uint64_t op_root, uint64_t sent, uint64_t received)
{
    uint32_t number = comm != NULL && !comm->is_foreign ? comm->number : HD_NONE;

    HD_LOG_PUT(call->log, call->leave, COLLECTIVE_END, number, op_root, sent, received);
}

hd_request
hd_record_icollective(const hd_call *call, const hd_comm *comm, uint64_t op_root, uint64_t sent, uint64_t received)
{
    hd_request request = { .kind = HD_REQUEST_OTHER };

    if (comm != NULL && !comm->is_foreign)
        request = (hd_request){ .kind     = HD_REQUEST_COLLECTIVE,
                                .comm     = comm->number,
                                .op_root  = op_root,
                                .sent     = sent,
                                .received = received };
    if (call != NULL)
        record_begin(call, &request);
    return request;
}

/* ---- communicators ----------------------------------------------------------------------------------------------- */

static atomic_bool has_sessions; /* each of which may have a thread level of its own */

void
hd_record_init(hd_call *call)
{
    const hd_comm *world, *self;
    int            level = MPI_THREAD_MULTIPLE;

    hd_comm_begin();
    hd_the_mpi.query_thread(&level);
    atomic_store(&hd_requests_are_shared, level >= MPI_THREAD_MULTIPLE || atomic_load(&has_sessions));
    hd_pthread_mpi_has_begun();
    hd_log_define_process();
    hd_recorder_define_clock();
    hd_recorder_define_objects();
    world       = hd_comm_get(MPI_COMM_WORLD);
    self        = hd_comm_get(MPI_COMM_SELF);
    hd_mpi_clock_begin();
    hd_pause_restart();
    call->leave = hd_recorder_now();
    if (world == NULL || self == NULL)
        return;
    HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_CREATE, world->number);
    HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_CREATE, self->number);
    hd_record_collective_end(call, world, hd_raw_op_root(HD_RAW_CREATE_HANDLE, HD_RAW_ROOT_NONE), 0, 0);
}

void
hd_record_finalize_begin(const hd_call *call)
{
    hd_record_collective_begin(call);
    hd_mpi_clock_end();
    hd_recorder_define_clock();
    hd_recorder_define_objects();
    hd_comm_free_handles();
}

void
hd_record_finalize_end(const hd_call *call)
{
    enum { WORLD, SELF };

    HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_DESTROY, WORLD);
    HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_DESTROY, SELF);
    HD_LOG_PUT(call->log, call->leave, COLLECTIVE_END, WORLD, hd_raw_op_root(HD_RAW_DESTROY_HANDLE, HD_RAW_ROOT_NONE),
               0, 0);
    hd_recorder_define(HD_RAW_FINALIZED, &call->leave, 1, NULL, NULL);
}

#ifdef HD_HAS_MPI_4
/* Local calls: clocks of several nodes are not compared. */
void
hd_record_session_init(hd_call *call)
{
    atomic_store(&has_sessions, true);
    atomic_store(&hd_requests_are_shared, true);
    if (!hd_comm_begin_session())
        return;
    hd_pthread_mpi_has_begun();
    hd_log_define_process();
    hd_recorder_define_clock();
    hd_recorder_define_objects();
    hd_pause_restart();
    call->leave = hd_recorder_now();
}

bool
hd_record_session_finalize_begin(void)
{
    bool is_last = hd_comm_end_session();

    if (is_last) {
        hd_recorder_define_clock();
        hd_recorder_define_objects();
    }
    return is_last;
}

void
hd_record_session_finalize_end(const hd_call *call, bool is_last)
{
    if (is_last)
        hd_recorder_define(HD_RAW_FINALIZED, &call->leave, 1, NULL, NULL);
}
#endif

void
hd_record_new_comm(hd_call *call, const hd_comm *on, MPI_Comm made, hd_comm_origin origin)
{
    const hd_comm *added = hd_comm_add(made, origin);

    call->leave = hd_recorder_now();
    if (added != NULL && !added->is_foreign)
        HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_CREATE, added->number);
    if (on == NULL || on->is_foreign) /* members of the parent that take part, and are known: those of the new one */
        on = added;
    hd_record_collective_end(call, on, hd_raw_op_root(HD_RAW_CREATE_HANDLE, HD_RAW_ROOT_NONE), 0, 0);
}

void
hd_record_free_comm(const hd_call *call, const hd_comm *freed)
{
    if (freed != NULL && !freed->is_foreign)
        HD_LOG_PUT_PLAIN(call->log, call->leave, COMM_DESTROY, freed->number);
    hd_record_collective_end(call, freed, hd_raw_op_root(HD_RAW_DESTROY_HANDLE, HD_RAW_ROOT_NONE), 0, 0);
}

/* src/record/preload/mpi/mpi_records.h: the records of MPI calls, in the order of Score-P's.
 *
 * Arguments are looked at only where they are significant: others may be anything.
 * Uses: mpi_request. MT: any thread. Ranks: local.
 */
#ifndef HD_MPI_RECORDS_H
#define HD_MPI_RECORDS_H

#include "mpi_fortran.h"
#include "mpi_request.h"
#include "pause.h"
#include "pthread_call.h"

typedef struct hd_call { /* an MPI call that is recorded */
    hd_log  *log;
    uint32_t id;
    uint64_t enter, leave; /* [ticks] */
    bool     is_idle;      /* a test or probe that found nothing, or had nothing to look for */
    bool     is_entered;   /* its enter is in the log */
    bool     is_one;       /* of a test: with the call before, which is one of that kind, too */
    const void *caller;    /* of a test */
} hd_call;

/* Tests and probes: their enter is written when they have returned, as many of them are one call. */
static inline bool
hd_call_is_test(uint32_t id)
{
    return id == HD_MPI_Test || id == HD_MPI_Testall || id == HD_MPI_Testany || id == HD_MPI_Testsome ||
           id == HD_MPI_Iprobe || id == HD_MPI_Improbe || id == HD_MPI_Win_test || id == HD_MPI_Parrived;
}

#define HD_CALL_INLINE static inline __attribute__((always_inline))

HD_CALL_INLINE void
hd_call_enter(const hd_call *call, const void *caller)
{
    if (HD_UNLIKELY(hd_the_recorder.n_callers > 1))
        hd_log_enter(call->log, call->enter, call->id, caller);
    else
        HD_LOG_PUT(call->log, call->enter, ENTER, call->id, (uint64_t)(uintptr_t)caller);
}

/* caller: the return address; out, that in the program. False: it is not recorded, and the real function is to be
 * called. */
HD_CALL_INLINE bool
hd_call_prepare(hd_call *call, uint32_t id, const void **caller)
{
    *caller = hd_fortran_take_caller(*caller);
    hd_mpi_find();
    if (!hd_recording() || hd_thread_depth > 0 || (call->log = hd_log_of_thread()) == NULL)
        return false;
    if (id == HD_MPI_Init || id == HD_MPI_Init_thread)
        hd_pause_restart(); /* a window has not begun before MPI_Init, however late that is called */
    if (id == HD_MPI_Init || id == HD_MPI_Init_thread || id == HD_MPI_Session_init)
        hd_pthread_mpi_begins();
    hd_pause_settle(call->log);
    hd_thread_depth++;
    call->id      = id;
    call->is_idle = false;
    call->enter   = hd_recorder_now();
    return true;
}

static inline bool
hd_call_begin(hd_call *call, uint32_t id, const void *caller)
{
    if (!hd_call_prepare(call, id, &caller))
        return false;
    call->is_entered = true;
    hd_call_enter(call, caller);
    return true;
}

static inline bool
hd_call_begin_test(hd_call *call, uint32_t id, const void *caller)
{
    if (!hd_call_prepare(call, id, &caller))
        return false;
    call->is_entered = call->is_one = false;
    call->caller     = caller;
    return true;
}

static inline void
hd_call_return(hd_call *call)
{
    call->leave = hd_recorder_now();
}

/* A program that polls makes millions of calls a second that find nothing. Those of one function, with less than
 * HD_IDLE_GAP between them and nothing else, are one call in the log: its leave is moved. Values of counters stand
 * before each leave, so that they are not one, then. */
static inline bool
hd_call_is_one(const hd_call *call)
{
    enum { LEAVE_WORDS = 2 };
    const hd_log *log = call->log;

    return log->idle != NULL && log->idle + LEAVE_WORDS == log->next && log->idle_id == call->id &&
           call->enter - log->idle[0] < HD_IDLE_GAP && !log->is_paused && hd_the_recorder.n_counters == 0 &&
           (hd_the_recorder.n_callers <= 1 || hd_the_recorder.sample_ns > 0);
}

/* After a test. */
static inline void
hd_call_tested(hd_call *call, bool is_idle)
{
    if (call->is_entered) /* MPI_Waitsome, which waits */
        return;
    call->is_idle = is_idle;
    call->is_one  = is_idle && hd_call_is_one(call);
    if (!call->is_one)
        hd_call_enter(call, call->caller);
}

static inline void
hd_call_end_idle(const hd_call *call)
{
    enum { LEAVE_WORDS = 2 };
    hd_log *log = call->log;

    if (log->profile != NULL) {
        hd_profile_leave_idle(log->profile, call->enter, call->leave, call->id);
        return;
    }
    if (call->is_one) {
        log->idle[0] = log->last = call->leave;
        return;
    }
    HD_LOG_PUT_PLAIN(log, call->leave, LEAVE, call->id);
    log->idle    = log->window != NULL && !log->is_paused ? log->next - LEAVE_WORDS : NULL;
    log->idle_id = call->id;
}

static inline void
hd_call_end(const hd_call *call)
{
    if (HD_UNLIKELY(call->is_idle))
        hd_call_end_idle(call);
    else
        HD_LOG_PUT_PLAIN(call->log, call->leave, LEAVE, call->id);
    hd_thread_depth--;
}

typedef struct hd_transfer { /* the arguments of a call that sends or receives */
    uint64_t     count;
    MPI_Datatype type;
    int          peer, tag;
    MPI_Comm     comm;
} hd_transfer;

/* [bytes] that were received, or read or written. */
uint64_t hd_status_bytes(const MPI_Status *status);

/* True of a message that was longer than the buffer, too: it has come, and the next receive gets the next one. */
bool hd_has_truncated(int error);
static inline bool
hd_has_received(int result)
{
    return HD_LIKELY(result == MPI_SUCCESS) || hd_has_truncated(result);
}

/* Point to point: before and after the real call. */
void       hd_record_send(const hd_call *call, hd_transfer transfer);
void       hd_record_receive(const hd_call *call, MPI_Comm comm, const MPI_Status *status);
void       hd_record_receive_on(const hd_call *call, const hd_comm *comm, const MPI_Status *status);
hd_request hd_record_isend(const hd_call *call, hd_transfer transfer);
hd_request hd_record_irecv(const hd_call *call, const hd_comm *comm, int peer);
hd_request hd_record_send_init(hd_transfer transfer);
hd_request hd_record_recv_init(MPI_Comm comm, int peer);
hd_request hd_record_isendrecv(const hd_call *call, hd_transfer sent, hd_transfer received);
void       hd_record_start(const hd_call *call, MPI_Request *request);

/* Partitioned: a transfer of all n partitions. A send is recorded by the call that makes the last partition ready. */
hd_request hd_record_psend_init(hd_transfer transfer, int n);
hd_request hd_record_precv_init(hd_transfer transfer, int n);
/* After the call: keeps what was made of it, drops it if made is false. */
void hd_record_psend_made(MPI_Request *request, hd_request send, bool is_made);
void hd_record_ready(const hd_call *call, MPI_Request request, int64_t n);
void hd_record_freed(hd_request *taken); /* MPI_Request_free */

/* Waits and tests. A taken request is complete, or goes back. */
void hd_record_complete(const hd_call *call, hd_request *taken, const MPI_Status *status);
void hd_record_pending(hd_request *taken);

enum { HD_FEW_REQUESTS = 64 };

typedef struct hd_request_in_set {
    uint64_t    handle; /* 0: none */
    hd_request *taken;  /* where requests are shared */
} hd_request_in_set;

typedef struct hd_request_set { /* the arguments of MPI_Waitall, ... */
    int          n;
    bool         is_shared; /* hd_requests_are_shared */
    bool         is_empty;  /* there was no request */
    bool         has_own_statuses;
    MPI_Request *requests; /* [n] */
    hd_request_in_set *each; /* [n] */
    MPI_Status  *statuses; /* [n] the program's, or own ones */
    hd_request_in_set  few[HD_FEW_REQUESTS];
    MPI_Status   few_statuses[HD_FEW_REQUESTS];
} hd_request_set;

/* Returns the statuses for the real call: those of the program, or of the set where it ignores them. */
MPI_Status *hd_request_set_begin(hd_request_set *set, int n, MPI_Request *requests, MPI_Status *statuses);
void        hd_record_all(const hd_call *call, hd_request_set *set, int result);
void        hd_record_one_of(const hd_call *call, hd_request_set *set, int index, const MPI_Status *status);
void        hd_record_some(const hd_call *call, hd_request_set *set, int n, const int *indices, int result);
void        hd_request_set_end(hd_request_set *set); /* what has not completed goes back */

/* Collective operations. */
enum { HD_NO_ROOT = INT32_MIN };

/* Whether this process has bytes to send, or to receive; root as the program gave it. */
bool hd_collective_sends(const hd_comm *comm, hd_raw_operation operation, int root);
bool hd_collective_receives(const hd_comm *comm, hd_raw_operation operation, int root);
uint64_t hd_collective_op_root(const hd_comm *comm, hd_raw_operation operation, int root);

/* Sums of counts * size of type over the communicator, without the own part where it stays in place. */
uint64_t hd_sum_int(const hd_comm *comm, const int *counts, MPI_Datatype type, bool in_place);
uint64_t hd_sum_large(const hd_comm *comm, const MPI_Count *counts, MPI_Datatype type, bool in_place);
uint64_t hd_sum_types_int(const hd_comm *comm, const int *counts, const MPI_Datatype *types, bool in_place);
uint64_t hd_sum_types_large(const hd_comm *comm, const MPI_Count *counts, const MPI_Datatype *types, bool in_place);

/* False: the arguments were wrong, so that the process took no part in the operation. */
bool hd_has_begun(int error);
static inline bool
hd_has_taken_part(int result)
{
    return HD_LIKELY(result == MPI_SUCCESS) || hd_has_begun(result);
}

void hd_record_collective_begin(const hd_call *call);
/* comm: NULL or foreign: nothing is recorded but the begin. */
void hd_record_collective_end(const hd_call *call, const hd_comm *comm, uint64_t op_root, uint64_t sent,
                              uint64_t received);
hd_request hd_record_icollective(const hd_call *call, const hd_comm *comm, uint64_t op_root, uint64_t sent,
                                 uint64_t received);

/* Communicators. */
void hd_record_init(hd_call *call);
void hd_record_finalize_begin(const hd_call *call);
void hd_record_finalize_end(const hd_call *call);
#ifdef HD_HAS_MPI_4
void hd_record_session_init(hd_call *call);
bool hd_record_session_finalize_begin(void); /* true: of the last one */
void hd_record_session_finalize_end(const hd_call *call, bool is_last);
#endif
/* on: of the collective operation, NULL: the new one. */
void     hd_record_new_comm(hd_call *call, const hd_comm *on, MPI_Comm made, hd_comm_origin origin);
void     hd_record_free_comm(const hd_call *call, const hd_comm *freed);

#endif

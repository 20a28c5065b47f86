/* src/record/preload/mpi/mpi_wrappers.c: the MPI functions that the program calls in place of the library's.
 *
 * Each row of mpi_functions.h becomes a function that is exported as MPI_name and as PMPI_name: the layers of Fortran
 * call the one or the other, and a depth of the thread counts a call once that comes through both. Fortran needs no
 * wrappers of its own, as its layers are libraries of their own, which call C with C's handles. A name that the MPI
 * library lacks is never called. Where another library between the program and MPI has a function MPI_name (a tool),
 * MPI_name goes on to that one, and is recorded where the tool calls PMPI_name (mpi_entry.h).
 *
 * A kind is two macros, HD_BEFORE_kind and HD_AFTER_kind: what stands before and after the real call. They see the
 * parameters of the function, `call` and, after the call, `result`.
 */
/* Before MPI 4.1 the partitions of this one were not constant: it is declared anew. */
#define MPI_Pready_list hd_declared_Pready_list
#define PMPI_Pready_list hd_declared_PPready_list

#include "mpi_entry.h"
#include "mpi_file.h"
#include "mpi_window.h"

#undef MPI_Pready_list
#undef PMPI_Pready_list

#define TRANSFER ((hd_transfer){ (uint64_t)count, type, peer, tag, comm })

#define HD_BEFORE_PLAIN
#define HD_AFTER_PLAIN

#define ADD_REQUEST(made)                                                                                              \
    do {                                                                                                               \
        if (result == MPI_SUCCESS)                                                                                     \
            hd_request_add(HD_HANDLE(*request), request, made);                                                        \
    } while (0)

#define HD_BEFORE_IPLAIN
#define HD_AFTER_IPLAIN ADD_REQUEST((hd_request){ .kind = HD_REQUEST_OTHER })

/* ---- point to point ---------------------------------------------------------------------------------------------- */

#define OWN_STATUS                                                                                                     \
    MPI_Status own;                                                                                                    \
    status = status == MPI_STATUS_IGNORE ? &own : status

#define HD_BEFORE_SEND hd_record_send(&call, TRANSFER)
#define HD_AFTER_SEND
#define HD_BEFORE_RECV OWN_STATUS
#define HD_AFTER_RECV                                                                                                  \
    if (hd_has_received(result))                                                                                       \
    hd_record_receive(&call, comm, status)
#define HD_BEFORE_SENDRECV                                                                                             \
    OWN_STATUS;                                                                                                        \
    hd_record_send(&call, TRANSFER)
#define HD_AFTER_SENDRECV HD_AFTER_RECV

#define HD_BEFORE_ISEND hd_request made = hd_record_isend(&call, TRANSFER)
#define HD_AFTER_ISEND ADD_REQUEST(made)
#define HD_BEFORE_IRECV hd_request made = hd_record_irecv(&call, hd_comm_get(comm), peer)
#define HD_AFTER_IRECV ADD_REQUEST(made)
#define HD_BEFORE_SEND_INIT hd_request made = hd_record_send_init(TRANSFER)
#define HD_AFTER_SEND_INIT ADD_REQUEST(made)
#define HD_BEFORE_RECV_INIT hd_request made = hd_record_recv_init(comm, peer)
#define HD_AFTER_RECV_INIT ADD_REQUEST(made)
#define HD_BEFORE_START hd_record_start(&call, request)
#define HD_AFTER_START
#define HD_BEFORE_STARTALL                                                                                             \
    for (int i = 0; i < n; i++)                                                                                        \
    hd_record_start(&call, &requests[i])
#define HD_AFTER_STARTALL

#define SECOND(count_, type_) ((hd_transfer){ (uint64_t)(count_), type_, peer2, tag2, comm })
#define HD_BEFORE_ISENDRECV hd_request made = hd_record_isendrecv(&call, TRANSFER, SECOND(count2, type2))
#define HD_AFTER_ISENDRECV ADD_REQUEST(made)
#define HD_BEFORE_ISENDRECV_REPLACE hd_request made = hd_record_isendrecv(&call, TRANSFER, SECOND(count, type))
#define HD_AFTER_ISENDRECV_REPLACE ADD_REQUEST(made)
#define HD_BEFORE_PSEND_INIT hd_request made = hd_record_psend_init(TRANSFER, n)
#define HD_AFTER_PSEND_INIT hd_record_psend_made(request, made, result == MPI_SUCCESS)
#define HD_BEFORE_PRECV_INIT hd_request made = hd_record_precv_init(TRANSFER, n)
#define HD_AFTER_PRECV_INIT ADD_REQUEST(made)
#define HD_BEFORE_PREADY hd_record_ready(&call, request, 1)
#define HD_AFTER_PREADY
#define HD_BEFORE_PREADY_RANGE hd_record_ready(&call, request, (int64_t)end - first + 1)
#define HD_AFTER_PREADY_RANGE
#define HD_BEFORE_PREADY_LIST hd_record_ready(&call, request, n)
#define HD_AFTER_PREADY_LIST

/* A message that was found belongs to the communicator of the probe. */
#define KEEP_MESSAGE                                                                                                   \
    if (*message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC)                                               \
    hd_request_add(HD_HANDLE(*message), message, (hd_request){ .message_comm = hd_comm_get(comm) })
#define HD_BEFORE_MPROBE
#define HD_AFTER_MPROBE                                                                                                \
    if (result == MPI_SUCCESS)                                                                                         \
    KEEP_MESSAGE
#define HD_BEFORE_IMPROBE
#define HD_BEFORE_IPROBE
#define HD_AFTER_IPROBE hd_call_tested(&call, result == MPI_SUCCESS && !*flag)
#define HD_AFTER_IMPROBE                                                                                               \
    hd_call_tested(&call, result == MPI_SUCCESS && !*flag);                                                            \
    if (result == MPI_SUCCESS && *flag)                                                                                \
    KEEP_MESSAGE
#define TAKE_MESSAGE                                                                                                   \
    bool           is_message = *message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC;                       \
    hd_request    *found      = is_message ? hd_request_take(HD_HANDLE(*message), message, false) : NULL;              \
    const hd_comm *on         = found != NULL ? found->message_comm : NULL;                                            \
    hd_request_drop(found)
#define HD_BEFORE_MRECV                                                                                                \
    OWN_STATUS;                                                                                                        \
    TAKE_MESSAGE
#define HD_AFTER_MRECV                                                                                                 \
    if (hd_has_received(result))                                                                                       \
    hd_record_receive_on(&call, on, status)
#define HD_BEFORE_IMRECV                                                                                               \
    TAKE_MESSAGE;                                                                                                      \
    hd_request made = hd_record_irecv(&call, on, MPI_ANY_SOURCE)
#define HD_AFTER_IMRECV ADD_REQUEST(made)

/* ---- completion -------------------------------------------------------------------------------------------------- */

#define TAKE_REQUEST(any)                                                                                              \
    hd_request *taken = *request != MPI_REQUEST_NULL ? hd_request_take(HD_HANDLE(*request), request, any) : NULL

#define HD_BEFORE_REQUEST_FREE TAKE_REQUEST(true)
#define HD_AFTER_REQUEST_FREE hd_record_freed(taken)
#define HD_BEFORE_WAIT                                                                                                 \
    TAKE_REQUEST(false);                                                                                               \
    OWN_STATUS
#define HD_AFTER_WAIT                                                                                                  \
    if (hd_has_received(result))                                                                                       \
        hd_record_complete(&call, taken, status);                                                                      \
    else                                                                                                               \
        hd_request_drop(taken)
#define HD_BEFORE_TEST                                                                                                 \
    bool        is_shared = atomic_load_explicit(&hd_requests_are_shared, memory_order_relaxed);                       \
    uint64_t    handle    = *request != MPI_REQUEST_NULL ? HD_HANDLE(*request) : 0;                                    \
    hd_request *taken     = is_shared && handle != 0 ? hd_request_take(handle, request, false) : NULL;                 \
    OWN_STATUS
#define HD_AFTER_TEST                                                                                                  \
    hd_call_tested(&call, result == MPI_SUCCESS && (!*flag || handle == 0));                                           \
    if (!is_shared && handle != 0 && (result != MPI_SUCCESS || *flag))                                                 \
        taken = hd_request_take(handle, request, false);                                                               \
    if (result == MPI_SUCCESS && *flag)                                                                                \
        hd_record_complete(&call, taken, status);                                                                      \
    else if (result == MPI_SUCCESS)                                                                                    \
        hd_record_pending(taken);                                                                                      \
    else                                                                                                               \
        hd_request_drop(taken)

#define HD_BEFORE_WAITALL                                                                                              \
    hd_request_set set;                                                                                                \
    statuses = hd_request_set_begin(&set, n, requests, statuses)
#define HD_AFTER_WAITALL                                                                                               \
    hd_record_all(&call, &set, result);                                                                                \
    hd_request_set_end(&set)
#define HD_BEFORE_TESTALL HD_BEFORE_WAITALL
#define HD_AFTER_TESTALL                                                                                               \
    hd_call_tested(&call, result == MPI_SUCCESS && (!*flag || set.is_empty));                                          \
    if (result != MPI_SUCCESS || *flag)                                                                                \
        hd_record_all(&call, &set, result);                                                                            \
    hd_request_set_end(&set)
#define HD_BEFORE_WAITANY                                                                                              \
    OWN_STATUS;                                                                                                        \
    hd_request_set set;                                                                                                \
    hd_request_set_begin(&set, n, requests, status)
#define HD_AFTER_WAITANY                                                                                               \
    if (result == MPI_SUCCESS)                                                                                         \
        hd_record_one_of(&call, &set, *index, status);                                                                 \
    hd_request_set_end(&set)
#define HD_BEFORE_TESTANY HD_BEFORE_WAITANY
#define HD_AFTER_TESTANY                                                                                               \
    hd_call_tested(&call, result == MPI_SUCCESS && (!*flag || *index == MPI_UNDEFINED));                               \
    if (result == MPI_SUCCESS && *flag)                                                                                \
        hd_record_one_of(&call, &set, *index, status);                                                                 \
    hd_request_set_end(&set)
#define HD_BEFORE_SOME HD_BEFORE_WAITALL
#define HD_AFTER_SOME                                                                                                  \
    hd_call_tested(&call, result == MPI_SUCCESS && (*n_done == 0 || *n_done == MPI_UNDEFINED));                        \
    hd_record_some(&call, &set, *n_done, indices, result);                                                             \
    hd_request_set_end(&set)

/* ---- communicators ----------------------------------------------------------------------------------------------- */

#define HD_BEFORE_INIT hd_record_collective_begin(&call)
#define HD_AFTER_INIT                                                                                                  \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_init(&call)
#define HD_BEFORE_FINALIZE hd_record_finalize_begin(&call)
#define HD_AFTER_FINALIZE hd_record_finalize_end(&call)

#define HD_BEFORE_NEW_COMM hd_record_collective_begin(&call)
#define HD_AFTER_NEW_COMM                                                                                              \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_new_comm(&call, hd_comm_get(comm), *new_comm, hd_comm_origin_of(comm))
#define HD_BEFORE_NEW_COMM_OF_GROUP hd_record_collective_begin(&call)
#define HD_AFTER_NEW_COMM_OF_GROUP                                                                                     \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_new_comm(&call, NULL, *new_comm, hd_comm_origin_of_some(comm, *new_comm, tag))
#define HD_BEFORE_NEW_INTERCOMM HD_BEFORE_NEW_COMM_OF_GROUP
#define HD_AFTER_NEW_INTERCOMM HD_AFTER_NEW_COMM_OF_GROUP
#define HD_BEFORE_SESSION_INIT
#define HD_AFTER_SESSION_INIT                                                                                          \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_session_init(&call)
#define HD_BEFORE_SESSION_FINALIZE bool is_last = hd_record_session_finalize_begin()
#define HD_AFTER_SESSION_FINALIZE hd_record_session_finalize_end(&call, is_last)
#define HD_BEFORE_NEW_COMM_OF_SESSION hd_record_collective_begin(&call)
#define HD_AFTER_NEW_COMM_OF_SESSION                                                                                   \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_new_comm(&call, NULL, *new_comm, hd_comm_origin_of_groups(*new_comm, name))
#define HD_BEFORE_SPAWN
#define HD_AFTER_SPAWN                                                                                                 \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_comm_add(*new_comm, hd_comm_origin_of(comm))
#define HD_BEFORE_FREE_COMM                                                                                            \
    const hd_comm *freed = hd_comm_get(*comm);                                                                         \
    hd_record_collective_begin(&call);                                                                                 \
    hd_comm_remove(HD_HANDLE(*comm))
#define HD_AFTER_FREE_COMM hd_record_free_comm(&call, freed)
#define HD_BEFORE_NAME
#define HD_AFTER_NAME hd_comm_name(comm, name)
#define HD_BEFORE_IDUP                                                                                                 \
    const hd_comm *on   = hd_comm_get(comm);                                                                           \
    hd_request     made = hd_record_icollective(                                                                       \
        &call, on, hd_raw_op_root(HD_RAW_CREATE_HANDLE, HD_RAW_ROOT_NONE), 0, 0);                                      \
    made.origin = hd_comm_origin_of(comm);                                                                             \
    made.kind   = made.kind == HD_REQUEST_COLLECTIVE ? HD_REQUEST_NEW_COMM : HD_REQUEST_OTHER
/* The handle is read now: of a Fortran program new_comm is a variable of MPI's layer, which is gone afterwards. */
#define HD_AFTER_IDUP                                                                                                  \
    made.new_comm = result == MPI_SUCCESS ? *new_comm : MPI_COMM_NULL;                                                 \
    ADD_REQUEST(made)

/* ---- one-sided communication ------------------------------------------------------------------------------------- */

#define HD_BEFORE_NEW_WINDOW hd_record_window_begin(&call)
#define HD_AFTER_NEW_WINDOW                                                                                            \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_window_new(&call, hd_comm_get(comm), *new_window, false)
#define HD_BEFORE_NEW_MEMORY HD_BEFORE_NEW_WINDOW
#define HD_AFTER_NEW_MEMORY                                                                                            \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_window_new(&call, hd_comm_get(comm), *new_window, true)
#define HD_BEFORE_FREE_WINDOW                                                                                          \
    const hd_window *freed = hd_window_take(*old_window);                                                              \
    hd_record_window_begin(&call)
#define HD_AFTER_FREE_WINDOW hd_record_window_free(&call, freed)
#define HD_BEFORE_FENCE hd_record_window_begin(&call)
#define HD_AFTER_FENCE hd_record_fence(&call, hd_window_get(window))

#define ACCESS(kind, type_, sent, received)                                                                            \
    hd_request made = hd_record_access(&call, HD_RAW_##kind, hd_window_get(window), target, type_, sent, received)
#define OWN_BYTES (target != MPI_PROC_NULL ? hd_mpi_bytes((uint64_t)count, type) : 0)
#define FETCHED_BYTES (target != MPI_PROC_NULL ? hd_mpi_bytes((uint64_t)count2, type2) : 0)
#define ONE (target != MPI_PROC_NULL ? hd_mpi_bytes(1, type) : 0)
#define HD_BEFORE_PUT ACCESS(PUT, 0, OWN_BYTES, 0)
#define HD_BEFORE_GET ACCESS(GET, 0, 0, OWN_BYTES)
#define HD_BEFORE_ACCUMULATE ACCESS(ATOMIC, HD_RAW_ACCUMULATE, OWN_BYTES, 0)
#define HD_BEFORE_FETCH                                                                                                \
    ACCESS(ATOMIC, HD_RAW_FETCH_AND_ACCUMULATE, op != MPI_NO_OP ? OWN_BYTES : 0, FETCHED_BYTES)
#define HD_BEFORE_FETCH_ONE ACCESS(ATOMIC, HD_RAW_FETCH_AND_ACCUMULATE, ONE, ONE)
#define HD_BEFORE_SWAP_ONE ACCESS(ATOMIC, HD_RAW_COMPARE_AND_SWAP, 2 * ONE, ONE)
#define HD_AFTER_PUT (void)made
#define HD_AFTER_GET (void)made
#define HD_AFTER_ACCUMULATE (void)made
#define HD_AFTER_FETCH (void)made
#define HD_AFTER_FETCH_ONE (void)made
#define HD_AFTER_SWAP_ONE (void)made
#define HD_BEFORE_RPUT HD_BEFORE_PUT
#define HD_BEFORE_RGET HD_BEFORE_GET
#define HD_BEFORE_RACCUMULATE HD_BEFORE_ACCUMULATE
#define HD_BEFORE_RFETCH HD_BEFORE_FETCH
#define HD_AFTER_RPUT ADD_REQUEST(made)
#define HD_AFTER_RGET ADD_REQUEST(made)
#define HD_AFTER_RACCUMULATE ADD_REQUEST(made)
#define HD_AFTER_RFETCH ADD_REQUEST(made)

#define HD_BEFORE_POST hd_record_epoch_begin(&call, hd_window_get(window), group, HD_EXPOSURE_EPOCH)
#define HD_AFTER_POST
#define HD_BEFORE_EPOCH hd_record_epoch_begin(&call, hd_window_get(window), group, HD_ACCESS_EPOCH)
#define HD_AFTER_EPOCH
#define HD_BEFORE_COMPLETE
#define HD_AFTER_COMPLETE hd_record_epoch_end(&call, hd_window_get(window), HD_ACCESS_EPOCH, call.leave)
#define HD_BEFORE_EXPOSED hd_record_epoch_end(&call, hd_window_get(window), HD_EXPOSURE_EPOCH, call.enter)
#define HD_AFTER_EXPOSED
#define HD_BEFORE_TEST_EXPOSED
#define HD_AFTER_TEST_EXPOSED                                                                                          \
    hd_call_tested(&call, result == MPI_SUCCESS && !*flag);                                                            \
    if (result == MPI_SUCCESS && *flag)                                                                                \
    hd_record_epoch_end(&call, hd_window_get(window), HD_EXPOSURE_EPOCH, call.leave)

#define HD_BEFORE_LOCK hd_record_lock(&call, hd_window_get(window), target, lock_type == MPI_LOCK_SHARED)
#define HD_AFTER_LOCK
#define HD_BEFORE_LOCK_ALL hd_record_lock(&call, hd_window_get(window), HD_ALL_TARGETS, true)
#define HD_AFTER_LOCK_ALL
#define HD_BEFORE_UNLOCK
#define HD_AFTER_UNLOCK hd_record_unlock(&call, hd_window_get(window), target)
#define HD_BEFORE_UNLOCK_ALL
#define HD_AFTER_UNLOCK_ALL hd_record_unlock(&call, hd_window_get(window), HD_ALL_TARGETS)
#define HD_BEFORE_FLUSH
#define HD_AFTER_FLUSH hd_record_flush(&call, hd_window_get(window), target, false)
#define HD_BEFORE_FLUSH_ALL
#define HD_AFTER_FLUSH_ALL hd_record_flush(&call, hd_window_get(window), HD_ALL_TARGETS, false)
#define HD_BEFORE_FLUSH_LOCAL
#define HD_AFTER_FLUSH_LOCAL hd_record_flush(&call, hd_window_get(window), target, true)
#define HD_BEFORE_FLUSH_LOCAL_ALL
#define HD_AFTER_FLUSH_LOCAL_ALL hd_record_flush(&call, hd_window_get(window), HD_ALL_TARGETS, true)

/* ---- files ------------------------------------------------------------------------------------------------------- */

#define HD_BEFORE_FILE_OPEN
#define HD_AFTER_FILE_OPEN                                                                                             \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_file_open(&call, hd_comm_get(comm), name, mode, *new_file)
#define HD_BEFORE_FILE_CLOSE hd_file *taken = hd_file_take(*new_file)
#define HD_AFTER_FILE_CLOSE hd_record_file_close(&call, taken)
#define HD_BEFORE_FILE_SEEK
#define HD_AFTER_FILE_SEEK                                                                                             \
    if (result == MPI_SUCCESS)                                                                                         \
    hd_record_file_seek(&call, hd_file_get(file), offset, whence)
#define HD_BEFORE_FILE_SYNC                                                                                            \
    const hd_file *on        = hd_file_get(file);                                                                      \
    uint64_t       operation = hd_record_file_begin(&call, on, HD_RAW_FILE_FLUSHES | HD_RAW_FILE_COLLECTIVE, 0)
#define HD_AFTER_FILE_SYNC hd_record_file_complete(&call, on, operation, NULL)

#define FILE_OPERATION(flags)                                                                                          \
    OWN_STATUS;                                                                                                        \
    const hd_file *on        = hd_file_get(file);                                                                      \
    uint64_t       operation = hd_record_file_begin(&call, on, flags, hd_mpi_bytes((uint64_t)count, type))
#define HD_AFTER_FILE_READ hd_record_file_complete(&call, on, operation, result == MPI_SUCCESS ? status : NULL)
#define HD_BEFORE_FILE_READ FILE_OPERATION(HD_RAW_FILE_READS)
#define HD_BEFORE_FILE_READ_ALL FILE_OPERATION(HD_RAW_FILE_READS | HD_RAW_FILE_COLLECTIVE)
#define HD_AFTER_FILE_READ_ALL HD_AFTER_FILE_READ
#define HD_BEFORE_FILE_WRITE FILE_OPERATION(HD_RAW_FILE_WRITES)
#define HD_AFTER_FILE_WRITE HD_AFTER_FILE_READ
#define HD_BEFORE_FILE_WRITE_ALL FILE_OPERATION(HD_RAW_FILE_WRITES | HD_RAW_FILE_COLLECTIVE)
#define HD_AFTER_FILE_WRITE_ALL HD_AFTER_FILE_READ

#define FILE_REQUEST(flags)                                                                                            \
    hd_request made = hd_record_file_ibegin(&call, hd_file_get(file), flags, hd_mpi_bytes((uint64_t)count, type))
#define HD_AFTER_FILE_IREAD                                                                                            \
    hd_record_file_issued(&call, &made);                                                                               \
    ADD_REQUEST(made)
#define HD_BEFORE_FILE_IREAD FILE_REQUEST(HD_RAW_FILE_READS)
#define HD_BEFORE_FILE_IREAD_ALL FILE_REQUEST(HD_RAW_FILE_READS | HD_RAW_FILE_COLLECTIVE)
#define HD_AFTER_FILE_IREAD_ALL HD_AFTER_FILE_IREAD
#define HD_BEFORE_FILE_IWRITE FILE_REQUEST(HD_RAW_FILE_WRITES)
#define HD_AFTER_FILE_IWRITE HD_AFTER_FILE_IREAD
#define HD_BEFORE_FILE_IWRITE_ALL FILE_REQUEST(HD_RAW_FILE_WRITES | HD_RAW_FILE_COLLECTIVE)
#define HD_AFTER_FILE_IWRITE_ALL HD_AFTER_FILE_IREAD

#define FILE_SPLIT(flags)                                                                                              \
    hd_file *on = hd_file_get(file);                                                                                   \
    hd_record_file_split(&call, on, flags, hd_mpi_bytes((uint64_t)count, type))
#define HD_BEFORE_FILE_READ_BEGIN FILE_SPLIT(HD_RAW_FILE_READS)
#define HD_AFTER_FILE_READ_BEGIN hd_record_file_split_issued(&call, on)
#define HD_BEFORE_FILE_WRITE_BEGIN FILE_SPLIT(HD_RAW_FILE_WRITES)
#define HD_AFTER_FILE_WRITE_BEGIN HD_AFTER_FILE_READ_BEGIN
#define HD_BEFORE_FILE_END                                                                                             \
    OWN_STATUS;                                                                                                        \
    const hd_file *on        = hd_file_get(file);                                                                      \
    uint64_t       operation = on != NULL ? on->split : 0
#define HD_AFTER_FILE_END HD_AFTER_FILE_READ

/* ---- collective operations --------------------------------------------------------------------------------------- */

/* The words of the rows of mpi_functions.h; `on` is the communicator. */
#define NO_ROOT HD_NO_ROOT
#define SIZE ((uint64_t)on->size)
#define ME ((uint64_t)on->rank)
#define IS_ROOT (root == (on->is_inter ? MPI_ROOT : on->rank))
#define IN_PLACE(buffer_) ((buffer_) == MPI_IN_PLACE)
#define OTHERS(in_place) (SIZE - ((in_place) ? 1 : 0))
#define BYTES(count_, type_) hd_mpi_bytes((uint64_t)(count_), type_)
#define SUM(counts_, type_, in_place)                                                                                  \
    _Generic((counts_)[0], int : hd_sum_int, default : hd_sum_large)(on, (const void *)(counts_), type_, in_place)
#define SUM_TYPES(counts_, types_, in_place)                                                                           \
    _Generic((counts_)[0], int : hd_sum_types_int, default : hd_sum_types_large)(on, (const void *)(counts_), types_,  \
                                                                                 in_place)

#define FACTS(operation, root_, sent_, received_)                                                                      \
    const hd_comm *on   = hd_comm_get(comm);                                                                           \
    uint64_t       sent = 0, received = 0;                                                                             \
    if (on != NULL && !on->is_foreign) {                                                                               \
        sent     = hd_collective_sends(on, HD_RAW_##operation, root_) ? (sent_) : 0;                                   \
        received = hd_collective_receives(on, HD_RAW_##operation, root_) ? (received_) : 0;                            \
    }                                                                                                                  \
    const uint64_t op_root = hd_collective_op_root(on, HD_RAW_##operation, root_)

/* ---- the functions ----------------------------------------------------------------------------------------------- */

#define REAL(name, parameters) ((int(*) parameters)hd_the_mpi.function[HD_MPI_##name])

#define DEFINE(name, parameters, arguments, before, after)                                                             \
    int hd_own_##name parameters;                                                                                   \
    int hd_own_##name parameters                                                                                    \
    {                                                                                                                  \
        hd_call call;                                                                                                  \
        int     result;                                                                                                \
                                                                                                                       \
        if (!(hd_call_is_test(HD_MPI_##name) ? hd_call_begin_test : hd_call_begin)(&call, HD_MPI_##name,               \
                                                                                   __builtin_return_address(0)))       \
            return REAL(name, parameters) arguments;                                                                   \
        before;                                                                                                        \
        result = REAL(name, parameters) arguments;                                                                     \
        hd_call_return(&call);                                                                                         \
        after;                                                                                                         \
        hd_call_end(&call);                                                                                            \
        return result;                                                                                                 \
    }                                                                                                                  \
    HD_EXPORT int PMPI_##name parameters __attribute__((alias("hd_own_" #name)));                                   \
    HD_MPI_ENTRY(name, parameters)

/* Level 0: nothing is recorded until another level. MPI's own function does nothing, and nothing of it is recorded. */
static void
take_level(int level)
{
    hd_mpi_find();
    if (hd_recording() && hd_thread_depth == 0) {
        hd_pause_by_program(level == 0);
        hd_pause_settle(hd_log_of_thread());
    }
}

int hd_own_Pcontrol(const int level, ...);
int
hd_own_Pcontrol(const int level, ...)
{
    take_level(level);
    return hd_the_mpi.pcontrol != NULL ? hd_the_mpi.pcontrol(level) : MPI_SUCCESS;
}

HD_EXPORT int PMPI_Pcontrol(const int level, ...) __attribute__((alias("hd_own_Pcontrol")));

#ifdef HD_MPI_ENTRY_CODE
void *
hd_mpi_pcontrol(int level)
{
    static _Atomic(void *) known = HD_MPI_UNKNOWN;
    void                  *tool  = atomic_load(&known);

    if (tool == HD_MPI_UNKNOWN) {
        tool = hd_mpi_tool("PMPI_Pcontrol");
        atomic_store(&known, tool);
    }
    if (tool == NULL)
        return (void *)hd_own_Pcontrol;
    take_level(level);
    return tool;
}
#else
HD_EXPORT int MPI_Pcontrol(const int level, ...) __attribute__((alias("hd_own_Pcontrol")));
#endif

#define HD_PLUS(...) __VA_ARGS__ /* takes the parentheses off */

#define DEFINE_X(name, kind, role, parameters, arguments)                                                              \
    DEFINE(name, parameters, arguments, HD_BEFORE_##kind, HD_AFTER_##kind)

#define DEFINE_COLLECTIVE(name, operation, root, sent_, received_, parameters, arguments)                              \
    DEFINE(name, parameters, arguments, FACTS(operation, root, sent_, received_); hd_record_collective_begin(&call),   \
           hd_record_collective_end(&call, hd_has_taken_part(result) ? on : NULL, op_root, sent, received))
#define DEFINE_ICOLLECTIVE(name, operation, root, sent_, received_, parameters, arguments)                             \
    DEFINE(name, parameters, arguments, FACTS(operation, root, sent_, received_);                                      \
           hd_request made = hd_record_icollective(&call, on, op_root, sent, received), ADD_REQUEST(made))
#define DEFINE_PCOLLECTIVE(name, operation, root, sent_, received_, parameters, arguments)                             \
    DEFINE(name, parameters, arguments, FACTS(operation, root, sent_, received_);                                      \
           hd_request made    = hd_record_icollective(NULL, on, op_root, sent, received);                              \
           made.is_persistent = true, ADD_REQUEST(made))

#define DEFINE_C(name, lower, operation, role, root, sent, received, parameters, arguments)                            \
    DEFINE_COLLECTIVE(name, operation, root, sent, received, parameters, arguments)                                    \
    DEFINE_ICOLLECTIVE(I##lower, operation, root, sent, received, (HD_PLUS parameters, MPI_Request *request),          \
                       (HD_PLUS arguments, request))
#define DEFINE_PERSISTENT_C(name, lower, operation, role, root, sent, received, parameters, arguments)                 \
    DEFINE_PCOLLECTIVE(name##_init, operation, root, sent, received,                                                   \
                       (HD_PLUS parameters, MPI_Info info, MPI_Request *request),                                      \
                       (HD_PLUS arguments, info, request))

#define HD_COUNT int
#define HD_DISPLACEMENT int
HD_MPI_COUNTED(DEFINE_X)
HD_MPI_COUNTED_COLLECTIVES(DEFINE_C)
HD_MPI_COLLECTIVES(DEFINE_C)
HD_MPI_OTHERS(DEFINE_X)
#ifdef HD_HAS_MPI_4
HD_EXPORT int MPI_Pready_list(int n, const int partitions[], MPI_Request request);
HD_MPI_SESSIONS(DEFINE_X)
HD_MPI_4_COUNTED(DEFINE_X)
HD_MPI_4(DEFINE_X)
HD_MPI_COUNTED_COLLECTIVES(DEFINE_PERSISTENT_C)
HD_MPI_COLLECTIVES(DEFINE_PERSISTENT_C)
#endif

#if MPI_VERSION >= 4 /* Open MPI 5 has no large counts */
#undef HD_COUNT
#undef HD_DISPLACEMENT
#define HD_COUNT MPI_Count
#define HD_DISPLACEMENT MPI_Aint
#define DEFINE_LARGE_X(name, kind, role, parameters, arguments) DEFINE_X(name##_c, kind, role, parameters, arguments)
#define DEFINE_LARGE_C(name, lower, operation, role, root, sent, received, parameters, arguments)                      \
    DEFINE_COLLECTIVE(name##_c, operation, root, sent, received, parameters, arguments)                                \
    DEFINE_ICOLLECTIVE(I##lower##_c, operation, root, sent, received, (HD_PLUS parameters, MPI_Request *request),      \
                       (HD_PLUS arguments, request))                                                                   \
    DEFINE_PCOLLECTIVE(name##_init_c, operation, root, sent, received,                                                 \
                       (HD_PLUS parameters, MPI_Info info, MPI_Request *request),                                      \
                       (HD_PLUS arguments, info, request))
HD_MPI_COUNTED(DEFINE_LARGE_X)
HD_MPI_4_COUNTED(DEFINE_LARGE_X)
HD_MPI_COUNTED_COLLECTIVES(DEFINE_LARGE_C)
#endif

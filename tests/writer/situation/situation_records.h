/* tests/writer/situation/situation_records.h: how a table of calls becomes records, call by call.
 *
 * Owner: the lists are the caller's. MT: one thread. Uses: situation.h, base. For situation*.c only.
 */
#ifndef SITUATION_RECORDS_H
#define SITUATION_RECORDS_H

#include "rma_operations.h"
#include "situation.h"

typedef enum record_type {
    R_SEND,
    R_RECV,
    R_ISEND,
    R_ISEND_COMPLETE,
    R_IRECV_REQUEST,
    R_IRECV,
    R_TEST,
    R_CANCELLED,
    R_COLL_BEGIN,
    R_COLL_END,
    R_NBC_REQUEST,
    R_NBC_COMPLETE,
    R_COMM_CREATE,
    R_COMM_DESTROY,
    R_FLUSH,
    R_OFF,
    R_ON,
    R_FORK,
    R_JOIN,
    R_ACQUIRE,
    R_RELEASE,
    R_ACQUIRE_NEXT,
    R_THREAD_CREATE,
    R_THREAD_WAIT,
    R_TASK_CREATE,
    R_TASK_SWITCH,
    R_TASK_COMPLETE,
    R_FILE_CREATE, /* from here on: of files */
    R_FILE_DESTROY,
    R_FILE_SEEK,
    R_FILE_BEGIN,
    R_FILE_ISSUED,
    R_FILE_COMPLETE,
    R_FILE_CANCELLED,
    R_WIN_CREATE, /* from here on: of windows */
    R_WIN_DESTROY,
    R_RMA_BEGIN,
    R_RMA_END,
    R_GROUP_SYNC,
    R_REQUEST_LOCK,
    R_ACQUIRE_LOCK,
    R_RELEASE_LOCK,
    R_OPERATION,
    R_COMPLETE_BLOCKING,
    R_COMPLETE_NON_BLOCKING,
    R_COMPLETE_REMOTE,
    R_WAIT_CHANGE
} record_type;

typedef struct record {
    hd_time      time;
    record_type  type;
    uint32_t     comm;
    const tw_op *op;       /* whose arguments it carries: for completions the call that started the request */
    uint64_t     matching; /* of operations on windows and their completions */
} record;

typedef struct records {
    record *rows;
    size_t  n, capacity;
} records;

/* The calls of one thread, sorted so that each call stands before those nested in it. */
typedef struct thread_ops {
    const tw_op      **ops;
    size_t             n, next;
    const tw_op       *all;
    size_t             n_all;
    const tw_options  *options;
    uint32_t           n_processes;
    const uint32_t    *teams; /* communicators: of all threads of each process, then those of the options */
    uint32_t           contingent;
    const tw_window   *windows; /* [n_windows] */
    const uint32_t    *window_numbers;
    uint32_t           n_windows;
    rma_operations    *operations;
    hd_time            last; /* that is recorded */
    tw_archive        *archive;
    tw_location       *location;
} thread_ops;

_Noreturn void situation_fail(const tw_op *op, const char *what);
/* Adds a record after those of its time and before. */
void situation_record_add(records *list, record row);
/* The size of the group that the process talks to, and its own rank. */
void situation_place(const thread_ops *thread, const tw_op *op, uint32_t *size, uint32_t *rank);

static inline hd_time
time_or(hd_time given, hd_time otherwise)
{
    return given != 0 ? given : otherwise;
}

static inline uint64_t
given_or(uint64_t given, uint64_t otherwise)
{
    return given == TW_NOTHING ? 0 : given != 0 ? given : otherwise;
}

static inline bool
is_of_windows(tw_kind kind)
{
    return kind >= TW_WIN_CREATE && kind <= TW_SHMEM_UNLOCK;
}

static inline bool
is_of_files(tw_kind kind)
{
    return kind >= TW_FILE_OPEN && kind <= TW_POSIX_WRITE;
}

static inline bool
is_file_start(tw_kind kind)
{
    return kind >= TW_FILE_IREAD && kind <= TW_FILE_IWRITE_ALL;
}

/* ---- situation_files.c */

void files_define(tw_archive *archive, const tw_options *options);
/* The records inside a call that is of files. */
void file_records_of(records *list, const thread_ops *thread, const tw_op *op);
void file_record_write(const thread_ops *thread, const record *row);

/* ---- situation_windows.c */

/* Defines the windows and the groups of the table. Returns the numbers of the windows; free() it. */
uint32_t *windows_define(tw_archive *archive, const tw_op *ops, size_t n, const tw_options *options,
                         thread_ops *thread);
/* The records inside a call that is of windows. */
void window_records_of(records *list, const thread_ops *thread, const tw_op *op);
/* An operation with a request, start, is complete at its origin, by a wait or test, op. */
void window_request_records(records *list, const thread_ops *thread, const tw_op *op, const tw_op *start);
void window_record_write(const thread_ops *thread, const record *row);

#endif

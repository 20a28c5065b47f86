/* tests/writer/bench/bench_archive.h: the program of an archive to measure with, for bench_archive.c and
 * bench_windows.c. One thread. */
#ifndef BENCH_ARCHIVE_H
#define BENCH_ARCHIVE_H

#include "trace_writer.h"

enum { N_WINDOWS = 3, N_ROUNDS = 3, ROUND_TICKS = 9000, ROUND_SPREAD = 1500 };

typedef enum bench_kind { MIXED, DEEP, COMMS, LOPSIDED, WAITALL, RMA, PINGPONG } bench_kind;

typedef struct bench {
    bench_kind  kind;
    uint64_t    n_events;
    uint32_t    n_processes, n_iterations;
    uint64_t    chunk_bytes;
    uint32_t    n_calls;   /* of user functions in an iteration, on most processes */
    uint32_t    n_extra;   /* more of them on process 0 */
    uint32_t    n_comms;   /* beside the world */
    uint32_t    comm_size; /* of each: consecutive processes */
    hd_time    *starts;    /* [n_iterations + 1] */
    hd_time    *meets;     /* [n_iterations] when the last process is at its exchange */
    tw_archive *archive;
    uint32_t    functions[128], n_functions;
    uint32_t    main, step, send, recv, isend, irecv, wait, waitall, allreduce, barrier, bcast, init, finalize;
    uint32_t   *comms; /* [n_comms] */
    uint32_t    windows[N_WINDOWS]; /* of fences, of groups, of locks */
    uint32_t   *groups;             /* [n_processes] the neighbours of each */
    uint32_t    win_create, win_free, fence, post, start, complete, win_wait, put, rput, lock, unlock, flush, lock_all,
        unlock_all;
} bench;

/* ---- bench_archive.c */

/* A number drawn from three others. */
uint64_t mix(uint64_t a, uint64_t b, uint64_t c);
/* When the process is at the exchange of an iteration. */
hd_time exchange_start(const bench *b, uint32_t process, uint32_t iteration);
/* Neighbours in the ring. */
uint32_t right_of(const bench *b, uint32_t process);
uint32_t left_of(const bench *b, uint32_t process);

/* ---- bench_windows.c */

void windows_define(bench *b);
/* The windows are created, or freed, one after the other from this time on. */
void windows_write(const bench *b, tw_location *location, uint32_t process, hd_time from, uint32_t region,
                   tw_collective operation);
/* The exchange of an iteration, of one of four kinds in turn. */
void exchange_on_windows(const bench *b, tw_location *location, uint32_t process, uint32_t iteration);

#endif

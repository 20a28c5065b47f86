/* src/base/status.h: how a function says that it failed, and how the words reach the user.
 *
 * Three kinds of trouble are kept apart: a bug of Heddle is an HD_ASSERT, an error of the run is an hd_status with
 * words from hd_fail(), a finding about the trace goes to finding.h and is no error. Uses: nothing.
 *
 * The words of the last error are kept per thread. A worker thread that failed hands them to the main thread with
 * hd_error_get() and hd_error_set(). MT: any thread. Ranks: local.
 */
#ifndef HD_STATUS_H
#define HD_STATUS_H

#include "types.h"

typedef enum hd_status {
    HD_OK = 0,
    HD_EUSAGE,  /* the command line; exit code 2 */
    HD_EOPEN,   /* a file is not there or cannot be opened */
    HD_EREAD,   /* reading failed */
    HD_EFORMAT, /* it is not what it should be */
    HD_EWRITE,  /* writing failed */
    HD_EEXIST,  /* it is there already */
    HD_ESIZE,   /* too small, too large */
    HD_ECOUNT,  /* one too many, one too few */
    HD_ECLOCK,  /* times out of order */
    HD_ESTOPPED, /* a signal asked for the end */
    HD_EPEER,   /* another analysis rank failed; its words are the ones to print */
} hd_status;

typedef struct hd_error {
    hd_status status;
    char      text[1024];    /* one line: the fact */
    char      details[2048]; /* lines of "  key:     text\n" */
} hd_error;

/* Sets the error of this thread: one line, lower case, no full stop, no function names. Returns status. */
hd_status hd_fail(hd_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a detail line to the error of this thread, for example key "archive" or "try"; cut, or left out, if there is no
 * room. */
void hd_fail_detail(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

const hd_error *hd_error_get(void);          /* of this thread; valid until its next hd_fail() */
void            hd_error_set(const hd_error *error); /* copied in */

/* A bug in Heddle: says so, with the words, and ends all ranks (through the handler of hd_fatal_handler_set()). */
#define HD_ASSERT(condition)                                                                                           \
    ((condition) ? (void)0 : hd_fatal("bug in heddle: %s does not hold (%s:%d)", #condition, __FILE__, __LINE__))

/* The end of the whole run: prints "heddle: error: ..." on stderr, calls the handler (which ends the other ranks and
 * removes what is half-written), exits with 1. Never returns. */
_Noreturn void hd_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void           hd_fatal_handler_set(void (*handler)(void *context), void *context);

#endif

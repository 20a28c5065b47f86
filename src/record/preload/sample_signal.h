/* src/record/preload/sample_signal.h: the signal of the samples, which the program does not see.
 *
 * The highest real-time signal that has no handler when the program begins. The program may still use it: what it sets
 * for the signal is kept aside, and is called when the signal is none of the recorder's. A set of signals that the
 * program blocks does not block it, so a thread that waits for all signals gets none of the recorder's. Only handlers
 * on a stack of their own (SA_ONSTACK) are not interrupted.
 * Uses: recorder. MT: any thread. Ranks: local.
 */
#ifndef HD_SAMPLE_SIGNAL_H
#define HD_SAMPLE_SIGNAL_H

#include <signal.h>

#include "recorder.h"

/* By the constructor. handler: of the recorder's signals, with all others blocked; overrun: further
 * periods of the timer that have passed. Returns the signal, 0: none is free. */
int hd_sample_signal_take(void (*handler)(void *context, int overrun));

/* What the recorder's signals have as their value (sival_ptr). */
void *hd_sample_signal_value(void);

HD_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before);
HD_EXPORT __sighandler_t signal(int number, __sighandler_t handler);
HD_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before);
HD_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);

#endif

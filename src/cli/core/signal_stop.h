/* src/cli/core/signal_stop.h: signals that ask the program to end.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1 and SIGUSR2 (batch systems send one of them before the time limit) only
 * leave a mark, which the program looks at where it can stop. One that was ignored when the program began stays
 * ignored. Launchers and batch systems both may send the same signal, so a second one counts only a second later: then,
 * or when the program does not get to a place to stop in time, the last words are said and the process ends at once,
 * with exit code 128 + the signal; a launcher ends the other ranks then. While they are caught SIGPIPE is ignored: what
 * is said while the work goes on may have no reader, and the files are written all the same.
 * Uses: nothing. MT: main thread only, unless said otherwise. Ranks: local.
 */
#ifndef HD_SIGNAL_STOP_H
#define HD_SIGNAL_STOP_H

#include <signal.h>

#include "types.h"

enum { HD_STOP_GRACE_S = 5 };

/* From now on signals are caught.
 *   at_first     called in the handler of the first signal: nothing but what is safe there; NULL: nothing
 *   last_words   called before the process ends at once, in the handler: nothing but what is safe there; NULL: a second
 *                signal changes nothing
 *   in_time      the first signal has to be followed within HD_STOP_GRACE_S, until hd_stop_has_time() */
void hd_stop_catch(void (*at_first)(void), void (*last_words)(void), bool in_time);
void hd_stop_has_time(void); /* from now on it may take as long as it takes */
void hd_stop_release(void); /* signals do again what they do by default */

/* SIGPIPE: ignored, unless the program began with it ignored; and as by default, for text that goes on for long. Both
 * happen with hd_stop_catch() and hd_stop_release(). */
void hd_stop_hold_pipe(void);
void hd_stop_let_go_of_pipe(void);

/* For commands that write files: from hd_stop_hold() on signals that end the program wait until hd_stop_let_go(), which
 * ends it by the signal that came, if one did. hold: returns the mark. */
const _Atomic int *hd_stop_hold(void);
void               hd_stop_let_go(void);

/* The first signal that came, 0: none. Lives as long as the program. MT: any thread may read it. */
const _Atomic int *hd_stop_mark(void);

const char *hd_stop_name(int signal); /* "SIGTERM"; NULL: none of those */

#endif

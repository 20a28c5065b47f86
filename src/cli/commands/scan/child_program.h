/* src/cli/commands/scan/child_program.h: runs a program as if it had been started without this one.
 *
 * It has the standard streams and the environment of this program, and gets the signals that are sent to this one.
 * Those of a terminal it gets from there, as both are in one process group.
 * Uses: base. MT: main thread only. Ranks: local.
 */
#ifndef HD_CHILD_PROGRAM_H
#define HD_CHILD_PROGRAM_H

#include <sys/types.h>

#include "status.h"

/* From now on signals do not end this program: SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1 and SIGUSR2, but for
 * those that were ignored; nor does SIGPIPE, which programs that are started have as it was before. */
void hd_child_program_catch(void);
void hd_child_program_release(void); /* signals do again what they do by default */

/* This program, and those that it starts, may use the processors that it was started with: OpenMP may have bound it. */
void hd_child_program_unbind(void);

/* The first of the signals that ask for the end, 0: none came. SIGUSR1 and SIGUSR2 are the program's matter. */
int hd_child_program_signal(void);

/* From now on Ctrl-C at the terminal is passed on to that process, which is of another session. 0: to none. */
void hd_child_program_interrupt(pid_t process);

/* That which runs, 0: none. */
pid_t hd_child_program_process(void);

/* Runs a program and waits for its end.
 *   path       of the file
 *   words      the command line, with NULL at the end
 *   exit_code  out: that of the program; 128 + the signal that ended it
 *   by_signal  out: that signal, 0: none
 * Errors: HD_EOPEN, it cannot be started. */
hd_status hd_child_program_run(const char *path, const char *const *words, int *exit_code, int *by_signal);

/* The same in two steps, for what is to be done while it runs. */
hd_status hd_child_program_start(const char *path, const char *const *words);
void      hd_child_program_wait(int *exit_code, int *by_signal);

#endif

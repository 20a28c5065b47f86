/* src/cli/commands/record/recording_keeper.h: what is done when the program has ended, also if heddle record is killed.
 *
 * A process in a session of its own: a launcher that ends its processes, heddle record among them, does not end this
 * one, which then waits for the program's end, and keeps nothing open that the launcher may wait for. It lives while the
 * program does, and does nothing.
 * Uses: base, child_program. MT: main thread only. Ranks: local.
 */
#ifndef HD_RECORDING_KEEPER_H
#define HD_RECORDING_KEEPER_H

#include <sys/types.h>

typedef struct hd_recording_keeper {
    pid_t process; /* 0: there is none, as none could be made */
    int   words;   /* pipe to it */
    void (*work)(void *context);
    void *context;
} hd_recording_keeper;

/* Before the program starts. work: what is to be done when it has ended; no longer in this process. */
hd_recording_keeper hd_recording_keeper_start(void (*work)(void *context), void *context);

/* Ends the process; nothing is done. From then on there is none. */
void hd_recording_keeper_drop(hd_recording_keeper *keeper);

/* The program runs. */
void hd_recording_keeper_tell(const hd_recording_keeper *keeper, pid_t program);

/* The program has ended. signal: that asked for it, 0: none; work() gets it from hd_child_program_signal(). Returns when
 * the work is done. how: out, as of waitpid(). */
void hd_recording_keeper_end(const hd_recording_keeper *keeper, int signal, int *how);

#endif

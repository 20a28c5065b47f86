/* tests/runner/runner.h: runs heddle many times for a test, without starting it each time.
 *
 * Without MPI a server, forked_heddle, forks a child for each call; with N ranks a job of N ranks of served_heddle,
 * which is started with the first such call, runs all of them. Where HEDDLE_FORKED is not set, or HEDDLE_RUNS is "all",
 * each call starts heddle, with mpirun for ranks.
 *
 * Environment: HEDDLE, HEDDLE_FORKED, HEDDLE_SERVED (the programs), HEDDLE_MPIRUN.
 *
 * Owner: servers belong to the process and end with it, however that ends. MT: one thread.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdint.h>

enum { HD_RUNNER_DISAGREE = 125 };

/* Runs heddle with these arguments (NULL-terminated, without blanks at line ends and tabs) on n_ranks (0: without
 * mpirun). folder: for temporary files. Its output replaces the files. Returns the exit code, or 128 + signal;
 * HD_RUNNER_DISAGREE where ranks end with different ones. */
int runner_heddle(uint32_t n_ranks, char *const *arguments, const char *folder, const char *output, const char *errors);

/* Runs any command in the same way (its words, NULL-terminated). Returns the exit code, or 128 + signal. */
int runner_command(char *const *words, const char *folder, const char *output, const char *errors);

const char *runner_environment(const char *name, const char *otherwise); /* also where it is empty */

#endif

/* tests/replay/simulate/check_simulation.h: checks of the new times of calls. MT: one thread. Uses: simulated_times.
 */
#ifndef CHECK_SIMULATION_H
#define CHECK_SIMULATION_H

#include <stdio.h>

#include "check.h"
#include "simulated_times.h"

static inline tw_simulation
tw_simulate_checked(const tw_op *ops, size_t n, const tw_options *options, const char *hypothesis, const char *file,
                    int line)
{
    tw_simulation found = tw_simulate_run(ops, n, options, hypothesis);

    check_equal(found.exit_code, 0, "exit code", file, line);
    return found;
}

/* The new enter and leave of the call with the recorded ones. */
static inline void
tw_check_call(const tw_simulation *found, uint32_t process, uint32_t thread, const int64_t recorded[2],
              const int64_t expected[2], const char *file, int line)
{
    const tw_times *row = NULL;
    char            words[96];

    for (int i = 0; i < found->n; i++)
        if (found->rows[i].process == process && found->rows[i].thread == thread &&
            found->rows[i].enter == recorded[0] && found->rows[i].leave == recorded[1])
            row = &found->rows[i];
    snprintf(words, sizeof words, "the call %" PRIi64 " - %" PRIi64 " of process %" PRIu32 ", thread %" PRIu32,
             recorded[0], recorded[1], process, thread);
    check_that(row != NULL, words, file, line);
    if (row == NULL)
        return;
    check_equal(row->new_enter, expected[0], words, file, line);
    check_equal(row->new_leave, expected[1], words, file, line);
}

#define tw_simulate(ops, n, options, hypothesis)                                                                       \
    tw_simulate_checked((ops), (n), (options), (hypothesis), __FILE__, __LINE__)
#define CHECK_CALL(found, process, thread, enter, leave, new_enter, new_leave)                                         \
    tw_check_call(&(found), (process), (thread), (const int64_t[]){ (enter), (leave) },                                \
                  (const int64_t[]){ (new_enter), (new_leave) }, __FILE__, __LINE__)

#endif

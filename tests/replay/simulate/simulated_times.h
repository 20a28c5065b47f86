/* tests/replay/simulate/simulated_times.h: simulates a situation and reads the new times of its calls. Owner: values.
 * MT: one thread. Uses: situation, runner.
 */
#ifndef SIMULATED_TIMES_H
#define SIMULATED_TIMES_H

#include "situation.h"

enum { MAX_SIMULATED = 128 };

typedef struct tw_times { /* of a call: recorded, and new */
    uint32_t process, thread;
    int64_t  enter, leave, new_enter, new_leave;
} tw_times;

typedef struct tw_simulation {
    tw_times rows[MAX_SIMULATED]; /* [n] */
    int      n, exit_code;
    int      n_dropped; /* dependencies, as calls waited for each other in a circle */
    int64_t  run_time_whole; /* [ticks] */
} tw_simulation;

/* All calls under the hypothesis, in the order of --times. options: NULL: none. */
tw_simulation tw_simulate_run(const tw_op *ops, size_t n, const tw_options *options, const char *hypothesis);

#endif

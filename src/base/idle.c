/* src/base/idle.c: pauses of the processor, the core to others, sleep. */
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "idle.h"

enum { SPINS = 100000 /* some milliseconds */, SLEEP_NS = 50000, GIVES_UP_NS = 1000000 };

static void
pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb"); /* as long as the other; "yield" takes no time */
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static uint64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Whether another thread may have the core instead. */
static bool
gives_up(hd_idling *idling)
{
    uint64_t now = now_ns();

    if (idling->n == 1)
        idling->since_ns = now;
    return now - idling->since_ns < GIVES_UP_NS;
}

void
hd_idle(hd_idling *idling, bool shares_core)
{
    idling->n++;
    if (shares_core && gives_up(idling))
        sched_yield();
    else if (!shares_core && idling->n < SPINS)
        pause_processor();
    else
        nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
}

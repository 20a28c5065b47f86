/* One thread waits 20 ms for a lock, then 20 ms for a critical section, while the other one takes others in between. */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

static void
sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static atomic_bool is_held[2], is_there[2]; /* the lock, and the critical section */

static void
await(atomic_bool *what)
{
    while (!atomic_load(what))
        sleep_ms(1);
}

static void
hold(int which)
{
    atomic_store(&is_held[which], true);
    await(&is_there[which]);
    sleep_ms(20);
}

static void
want(int which)
{
    await(&is_held[which]);
    atomic_store(&is_there[which], true);
}

static void
hold_lock(omp_lock_t *first, omp_lock_t *second)
{
    omp_set_lock(first);
    omp_set_lock(second);
    omp_unset_lock(second);
    hold(0);
    omp_unset_lock(first);
}

static void
want_lock(omp_lock_t *first)
{
    want(0);
    omp_set_lock(first);
    omp_unset_lock(first);
}

static void
hold_section(omp_lock_t *second)
{
#pragma omp critical(section)
    {
        omp_set_lock(second);
        omp_unset_lock(second);
        hold(1);
    }
}

static void
want_section(void)
{
    want(1);
#pragma omp critical(section)
    sleep_ms(1);
}

int
main(void)
{
    omp_lock_t first, second;

    omp_init_lock(&first);
    omp_init_lock(&second);
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();

        if (thread == 0)
            hold_lock(&first, &second);
        else
            want_lock(&first);
#pragma omp barrier
        if (thread == 0)
            hold_section(&second);
        else
            want_section();
    }
    omp_destroy_lock(&first);
    omp_destroy_lock(&second);
    return 0;
}

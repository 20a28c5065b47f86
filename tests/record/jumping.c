/* Threads that enter new parts of the program until a handler takes them out of it by siglongjmp(). Ends if the
 * recorder keeps no lock then. */
#define _GNU_SOURCE
#include <heddle/record.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_THREADS = 60, AFTER_US = 1500 };

static _Thread_local sigjmp_buf            out;
static _Thread_local volatile sig_atomic_t may;

static void
on_signal(int number)
{
    (void)number;
    if (may) {
        may = 0;
        siglongjmp(out, 1);
    }
}

static void *
enter_parts(void *number)
{
    char         name[32];
    volatile int i = 0;

    if (sigsetjmp(out, 1) != 0)
        return NULL;
    may = 1;
    for (;; i++) {
        snprintf(name, sizeof name, "%d of %d", i, *(int *)number);
        heddle_region_begin(name);
        heddle_region_end(name);
    }
}

int
main(void)
{
    pthread_t thread;

    signal(SIGUSR1, on_signal);
    for (int i = 0; i < N_THREADS; i++) {
        if (pthread_create(&thread, NULL, enter_parts, &i) != 0)
            abort();
        usleep(AFTER_US);
        do
            pthread_kill(thread, SIGUSR1);
        while (usleep(1000) == 0 && pthread_tryjoin_np(thread, NULL) != 0);
    }
    puts("all have ended");
    return 0;
}

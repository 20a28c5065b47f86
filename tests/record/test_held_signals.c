/* Which handlers run while the recorder has a lock. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "recorder.h"

static sig_atomic_t n_others;
static char        *page;

static void
on_other(int number)
{
    (void)number;
    n_others++;
}

/* Programs do so to see which of their pages change. */
static void
on_store(int number)
{
    (void)number;
    mprotect(page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
}

TEST(others_wait_and_those_of_its_own_instructions_do_not)
{
    hd_recorder_held held;
    sigset_t         before, after;

    page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(page != MAP_FAILED);
    signal(SIGUSR1, on_other);
    signal(SIGSEGV, on_store);
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    held = hd_recorder_hold_signals();
    raise(SIGUSR1);
    *(volatile char *)page = 1;
    CHECK_EQ(n_others, 0);
    hd_recorder_release_signals(&held);
    CHECK_EQ(n_others, 1);
    CHECK_EQ(*page, 1);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    CHECK(sigismember(&after, SIGUSR2) == 1);
    CHECK(sigismember(&after, SIGUSR1) == 0);
}

TEST_MAIN

/* src/record/preload/place.c: asks the system, and defines it. */
#define _GNU_SOURCE /* syscall */
#include "place.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_WORDS = HD_RAW_MAX_PROCESSORS / 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t        of_process[MAX_WORDS]; /* [n_of_process], under it */
static uint32_t        n_of_process;

/* words: out, [MAX_WORDS]. Returns how many there are up to the last processor; 0: it is not known. thread: 0, the
 * calling one. */
static uint32_t
ask(pid_t thread, uint64_t *words)
{
    long     bytes = syscall(SYS_sched_getaffinity, thread, MAX_WORDS * sizeof *words, words);
    uint32_t n     = bytes > 0 ? (uint32_t)((size_t)bytes / sizeof *words) : 0;

    while (n > 0 && words[n - 1] == 0)
        n--;
    return n;
}

static void
define(uint32_t location, const uint64_t *words, uint32_t n)
{
    uint64_t defined[1 + MAX_WORDS] = { location };

    memcpy(defined + 1, words, n * sizeof *words);
    hd_recorder_define(HD_RAW_PLACE, defined, n + 1, NULL, NULL);
}

/* Whether these are the processors of the process, which they are from now on if they are set. */
static bool
are_of_process(const uint64_t *words, uint32_t n, bool set)
{
    bool are;

    pthread_mutex_lock(&lock);
    are = n == n_of_process && memcmp(words, of_process, n * sizeof *words) == 0;
    if (set) {
        memcpy(of_process, words, n * sizeof *words);
        n_of_process = n;
    }
    pthread_mutex_unlock(&lock);
    return are;
}

void
hd_place_define_process(void)
{
    uint64_t words[MAX_WORDS] = { 0 };
    uint32_t n                = ask(getpid(), words); /* the number of the first thread, too */

    if (n > 0 && !are_of_process(words, n, true))
        define(HD_NONE, words, n);
}

void
hd_place_define_thread(uint32_t location)
{
    uint64_t words[MAX_WORDS] = { 0 };
    uint32_t n                = ask(0, words);

    if (n > 0 && !are_of_process(words, n, false))
        define(location, words, n);
}

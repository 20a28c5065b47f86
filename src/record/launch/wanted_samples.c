/* src/record/launch/wanted_samples.c: tries what the recorder needs for samples. */
#include "wanted_samples.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

hd_status
hd_wanted_samples_check(uint32_t hz)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX };
    timer_t         timer;
    hd_status       status;

    if (hz > HD_MOST_SAMPLES) {
        status = hd_fail(HD_EUSAGE, "--sample=%u is too often: at most %d times per second", hz, HD_MOST_SAMPLES);
        hd_fail_detail("try", "--sample=100");
        return status;
    }
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) {
        status = hd_fail(HD_EUSAGE, "samples need a timer, which the system does not allow: %s", strerror(errno));
        hd_fail_detail("try", "a higher limit of pending signals (ulimit -i)");
        return status;
    }
    timer_delete(timer);
    return HD_OK;
}

/* src/record/launch/wanted_counters.c: tries counters, and says what is in the way. */
#include "wanted_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counter_names.h"
#include "memory.h"

static const struct {
    const char *name;
    bool        is_usage;
    uint32_t    kind, number;
} counters[] = {
#define X(name, kind, number) { name, false, PERF_TYPE_##kind, PERF_COUNT_##number },
    HD_PERF_COUNTERS(X)
#undef X
#define R(name, value, unit, base, exponent, adds) { name, true, 0, 0 },
    HD_USAGE_COUNTERS(R)
#undef R
};
#define N_COUNTERS (sizeof counters / sizeof *counters)

static char *
list_of_names(void)
{
    char *list = hd_strdup(counters[0].name);

    for (size_t i = 1; i < N_COUNTERS; i++) {
        char *longer = hd_format("%s, %s", list, counters[i].name);

        free(list);
        list = longer;
    }
    return list;
}

static hd_status
unknown(const char *name)
{
    char *list = list_of_names();

    hd_fail(HD_EUSAGE, "there is no counter \"%s\"", name);
    hd_fail_detail("known", "%s", list);
    free(list);
    return HD_EUSAGE;
}

static int
open_counter(size_t i, int group, bool with_kernel)
{
    struct perf_event_attr attributes = { .type           = counters[i].kind,
                                          .size           = sizeof attributes,
                                          .config         = counters[i].number,
                                          .read_format    = PERF_FORMAT_GROUP,
                                          .pinned         = group < 0,
                                          .exclude_kernel = !with_kernel,
                                          .exclude_hv     = 1 };

    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static hd_status
forbidden(const char *name, int error)
{
    if (error == EACCES || error == EPERM) {
        hd_fail(HD_EUSAGE, "the kernel forbids counting \"%s\": %s", name, strerror(error));
        hd_fail_detail("try", "sysctl kernel.perf_event_paranoid=2, as the administrator of each node; in a container "
                              "perf_event_open() has to be allowed");
        hd_fail_detail("or", "--counters=ru_utime,ru_stime,ru_minflt,ru_nivcsw, which are always allowed");
    } else if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENOSYS) {
        hd_fail(HD_EUSAGE, "this processor, or virtual machine, has no counter \"%s\"", name);
        hd_fail_detail("try", "perf list shows what there is; --counters=task-clock,page-faults are the kernel's own");
    } else
        hd_fail(HD_EUSAGE, "cannot count \"%s\": %s", name, strerror(error));
    return HD_EUSAGE;
}

/* All in one group, as the recorder has them. fds: out, [HD_MAX_COUNTERS], those that were opened. */
static hd_status
open_all(const char *names, int *fds, uint32_t *n_fds)
{
    bool      is_taken[N_COUNTERS] = { false };
    uint32_t  n = 0;
    hd_status status = HD_OK;

    for (const char *at = names; status == HD_OK && *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        char  *name = hd_format("%.*s", (int)strcspn(at, ","), at);
        size_t i    = 0;

        while (i < N_COUNTERS && strcmp(counters[i].name, name) != 0)
            i++;
        if (i == N_COUNTERS)
            status = unknown(name);
        else if (is_taken[i])
            status = hd_fail(HD_EUSAGE, "the counter \"%s\" is named twice", name);
        else if (++n > HD_MAX_COUNTERS)
            status = hd_fail(HD_EUSAGE, "at most %d counters can be read at a time", HD_MAX_COUNTERS);
        else if (!counters[i].is_usage) {
            int fd = open_counter(i, *n_fds > 0 ? fds[0] : -1, true);

            if (fd < 0 && (errno == EACCES || errno == EPERM))
                fd = open_counter(i, *n_fds > 0 ? fds[0] : -1, false);
            if (fd < 0)
                status = forbidden(name, errno);
            else
                fds[(*n_fds)++] = fd;
        }
        if (i < N_COUNTERS)
            is_taken[i] = true;
        free(name);
    }
    if (status == HD_OK && n == 0)
        status = unknown("");
    return status;
}

hd_status
hd_wanted_counters_check(const char *names)
{
    int       fds[HD_MAX_COUNTERS];
    uint32_t  n = 0;
    uint64_t  values[1 + HD_MAX_COUNTERS];
    hd_status status = open_all(names, fds, &n);

    /* A group that does not fit into the processor is at its end at once. */
    if (status == HD_OK && n > 0 && read(fds[0], values, sizeof values) <= 0) {
        status = hd_fail(HD_EUSAGE, "the processor cannot count all of \"%s\" at a time", names);
        hd_fail_detail("try", "fewer counters, or several recordings");
    }
    for (uint32_t i = 0; i < n; i++)
        close(fds[i]);
    return status;
}

/* src/record/counter_names.h: counters that heddle record can read: those of perf_event_open(), with the names of perf,
 * and those of getrusage(RUSAGE_THREAD), with the names of Score-P.
 *
 *   X(name, kind of perf, number in it, unit)
 *   R(name, expression of `usage`, unit, exponent of 10 or 2, base, is accumulated)
 *
 * Uses: nothing. MT: constants.
 */
#ifndef HD_COUNTER_NAMES_H
#define HD_COUNTER_NAMES_H

enum { HD_MAX_COUNTERS = 16 };

#define HD_PERF_COUNTERS(X)                                                                                            \
    X("cycles", HARDWARE, HW_CPU_CYCLES)                                                                               \
    X("instructions", HARDWARE, HW_INSTRUCTIONS)                                                                       \
    X("ref-cycles", HARDWARE, HW_REF_CPU_CYCLES)                                                                       \
    X("cache-references", HARDWARE, HW_CACHE_REFERENCES)                                                               \
    X("cache-misses", HARDWARE, HW_CACHE_MISSES)                                                                       \
    X("branches", HARDWARE, HW_BRANCH_INSTRUCTIONS)                                                                    \
    X("branch-misses", HARDWARE, HW_BRANCH_MISSES)                                                                     \
    X("stalled-cycles-frontend", HARDWARE, HW_STALLED_CYCLES_FRONTEND)                                                 \
    X("stalled-cycles-backend", HARDWARE, HW_STALLED_CYCLES_BACKEND)                                                   \
    X("task-clock", SOFTWARE, SW_TASK_CLOCK)                                                                           \
    X("page-faults", SOFTWARE, SW_PAGE_FAULTS)                                                                         \
    X("minor-faults", SOFTWARE, SW_PAGE_FAULTS_MIN)                                                                    \
    X("major-faults", SOFTWARE, SW_PAGE_FAULTS_MAJ)                                                                    \
    X("context-switches", SOFTWARE, SW_CONTEXT_SWITCHES)                                                               \
    X("cpu-migrations", SOFTWARE, SW_CPU_MIGRATIONS)

#define HD_USAGE_COUNTERS(R)                                                                                           \
    R("ru_utime", (uint64_t)usage.ru_utime.tv_sec * 1000000 + (uint64_t)usage.ru_utime.tv_usec, "s", DECIMAL, -6, true)  \
    R("ru_stime", (uint64_t)usage.ru_stime.tv_sec * 1000000 + (uint64_t)usage.ru_stime.tv_usec, "s", DECIMAL, -6, true)  \
    R("ru_maxrss", (uint64_t)usage.ru_maxrss, "Bytes", BINARY, 10, false)                                              \
    R("ru_minflt", (uint64_t)usage.ru_minflt, "#", DECIMAL, 0, true)                                                   \
    R("ru_majflt", (uint64_t)usage.ru_majflt, "#", DECIMAL, 0, true)                                                   \
    R("ru_inblock", (uint64_t)usage.ru_inblock, "#", DECIMAL, 0, true)                                                 \
    R("ru_oublock", (uint64_t)usage.ru_oublock, "#", DECIMAL, 0, true)                                                 \
    R("ru_nvcsw", (uint64_t)usage.ru_nvcsw, "#", DECIMAL, 0, true)                                                     \
    R("ru_nivcsw", (uint64_t)usage.ru_nivcsw, "#", DECIMAL, 0, true)

#endif

/* src/cli/commands/record/recorded_analysis.c: heddle analyze, free of what the launcher and the program wanted. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "recorded_analysis.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_program.h"
#include "launcher.h"

enum { MAX_PROCESSORS = 8192 };

void
hd_recorded_analysis_unbind(void)
{
    unsigned long all[MAX_PROCESSORS / 8 / sizeof(unsigned long)];

    memset(all, 0xff, sizeof all);
    (void)sched_setaffinity(0, sizeof all, (const cpu_set_t *)(const void *)all);
}

static void
forget_program(void)
{
    static const char *const variables[] = { "OMP_NUM_THREADS", "OMP_PLACES",     "OMP_PROC_BIND",      "OMP_DYNAMIC",
                                             "OMP_NESTED",      "OMP_THREAD_LIMIT", "GOMP_CPU_AFFINITY", "LD_PRELOAD" };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    if (hd_launched_as() != NULL && getenv("CLICOLOR_FORCE") == NULL) /* launchers show terminals where there are none */
        setenv("NO_COLOR", "1", 0);
    hd_launcher_forget();
}

hd_status
hd_recorded_analysis_run(const hd_recorded_analysis *analysis, int *exit_code)
{
    const char *words[10];
    size_t      n = 0;
    int         by_signal;

    words[n++] = "heddle";
    words[n++] = "analyze";
    words[n++] = "--mpi=no";
    if (analysis->html)
        words[n++] = "--html";
    if (analysis->quiet) {
        words[n++] = "--quiet";
        words[n++] = "--no-summary";
    }
    words[n++] = "--";
    words[n++] = analysis->folder;
    words[n]   = NULL;
    forget_program();
    hd_recorded_analysis_unbind();
    return hd_child_program_run("/proc/self/exe", words, exit_code, &by_signal);
}

hd_status
hd_recorded_page_make(const char *report, int *exit_code)
{
    const char *words[] = { "heddle", "html", "--", report, NULL };
    int         by_signal;

    forget_program();
    return hd_child_program_run("/proc/self/exe", words, exit_code, &by_signal);
}

/* tests/trace/load/test_interval_archives.c: what must hold for the interval log of any location, on the archives of
 * tests/data and on random programs: the times add up, and calls, parallel regions, barriers, forks and joins have
 * their boundaries; and of its op log: records can be left out.
 */
#define _GNU_SOURCE /* nftw */

#include <dirent.h>
#include <ftw.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive.h"
#include "defs_read.h"
#include "check.h"
#include "hand_made.h"
#include "loader.h"
#include "memory.h"

enum { N_SEEDS = 24 };

typedef struct boundaries {
    hd_time *times; /* [n] ascending */
    size_t   n, capacity;
} boundaries;

/* The first one that is not earlier; UINT64_MAX: there is none. */
static hd_time
first_from(const boundaries *b, hd_time time)
{
    size_t low = 0, high = b->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (b->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n ? b->times[low] : UINT64_MAX;
}

static uint64_t
calls_without(const hd_loaded_location *l, const boundaries *b)
{
    uint64_t  n = 0;
    hd_cursor cursor;
    hd_op     op;

    hd_cursor_init(&cursor, &l->log);
    while (hd_cursor_call(&cursor)) {
        bool has_points = cursor.call.send_call != HD_NONE; /* somebody may wait in it, or for it */

        while (cursor.n_left > 0) {
            hd_cursor_op(&cursor, &op);
            has_points |= op.kind != HD_OP_RMA || op.operation != HD_RMA_COMPLETION;
        }
        n += has_points && first_from(b, cursor.call.enter) > cursor.call.leave;
    }
    return n;
}

static uint64_t
thread_ops_without(const hd_loaded_location *l, const boundaries *b)
{
    uint64_t         n = 0;
    hd_thread_cursor cursor;
    hd_thread_op     op;

    hd_thread_cursor_init(&cursor, &l->more->threads);
    while (hd_thread_cursor_next(&cursor, &op)) {
        if (op.kind == HD_THREAD_PARALLEL || op.kind == HD_THREAD_BARRIER)
            n += first_from(b, op.enter) != op.enter;
        if (op.kind == HD_THREAD_PARALLEL)
            n += first_from(b, op.leave) != op.leave;
        if (op.kind == HD_THREAD_JOIN || (op.kind == HD_THREAD_TEAM && op.owner))
            n += first_from(b, op.time) != op.time;
    }
    return n;
}

/* A call's records end in the same place whether they are read or left out. */
static bool
skips_hold(const hd_loaded_location *l)
{
    hd_cursor reader, skipper;
    hd_op     op;

    hd_cursor_init(&reader, &l->log);
    hd_cursor_init(&skipper, &l->log);
    while (hd_cursor_call(&reader) && hd_cursor_call(&skipper)) {
        while (reader.n_left > 0)
            hd_cursor_op(&reader, &op);
        hd_cursor_skip(&skipper);
        if (skipper.at != reader.at)
            return false;
    }
    return true;
}

static bool
location_holds(const hd_loaded_location *l, bool compat)
{
    boundaries         b     = { 0 };
    bool               holds = intervals_add_up(l, compat);
    hd_interval_cursor cursor;

    hd_interval_cursor_init(&cursor, &l->intervals);
    while (hd_interval_cursor_next(&cursor)) {
        if (b.n == 0)
            HD_PUSH(b.times, b.n, b.capacity, cursor.from);
        HD_PUSH(b.times, b.n, b.capacity, cursor.until);
    }
    holds = holds && skips_hold(l) && calls_without(l, &b) == 0 && thread_ops_without(l, &b) == 0;
    free(b.times);
    return holds;
}

static void
check_archive(const char *path, bool compat)
{
    char     *anchor = NULL;
    hd_defs  *defs   = NULL;
    hd_trace *trace  = NULL;
    uint32_t *processes, *threads;
    uint32_t  n_wrong = 0;

    CHECK_EQ(hd_archive_find(path, &anchor), HD_OK);
    CHECK_EQ(hd_defs_read(anchor, &defs), HD_OK);
    processes = HD_NEW_ARRAY(uint32_t, defs->n_processes);
    threads   = HD_NEW_ARRAY(uint32_t, defs->n_processes);
    for (uint32_t p = 0; p < defs->n_processes; p++)
        processes[p] = p;
    CHECK_EQ(hd_trace_load(&(hd_load_request){ .anchor = anchor, .defs = defs, .processes = processes,
                                               .threads = threads,
                                               .n_processes = defs->n_processes, .n_threads = 1, .n_readers = 1,
                                               .compat = compat,
                                               .intervals = true },
                           &trace),
             HD_OK);
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++)
            n_wrong += !location_holds(&trace->processes[p].locations[t], compat);
    if (n_wrong > 0)
        printf("%s%s: %u locations\n", path, compat ? ", compat" : "", n_wrong);
    CHECK_EQ(n_wrong, 0);
    hd_trace_free(trace);
    free(processes);
    free(threads);
    free(defs);
    free(anchor);
}

TEST(archives_of_programs)
{
    DIR           *folder = opendir(DATA_FOLDER);
    struct dirent *entry;
    uint32_t       n = 0;

    REQUIRE(folder != NULL);
    while ((entry = readdir(folder)) != NULL) {
        char *anchor = hd_format("%s/%s/traces.otf2", DATA_FOLDER, entry->d_name);

        for (int compat = 0; compat < 2 && access(anchor, R_OK) == 0; compat++, n++)
            check_archive(anchor, compat == 1);
        free(anchor);
    }
    CHECK(n > 0);
    closedir(folder);
}

static int
remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

TEST(random_programs)
{
    const char *program = getenv("TW_RANDOM");

    for (int seed = 1; program != NULL && seed <= N_SEEDS; seed++) {
        char  folder[] = "/tmp/heddle-intervals-XXXXXX", number[12];
        char *path;
        pid_t child;
        int   status = -1;

        CHECK(mkdtemp(folder) != NULL);
        path = hd_format("%s/trace", folder);
        snprintf(number, sizeof number, "%d", seed);
        child = fork();
        if (child == 0) {
            execl(program, program, number, path, (char *)NULL);
            _exit(127);
        }
        waitpid(child, &status, 0);
        CHECK_EQ(status, 0);
        check_archive(path, seed % 2 == 0);
        free(path);
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    CHECK(program != NULL);
}

TEST_MAIN

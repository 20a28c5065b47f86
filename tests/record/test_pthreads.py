#!/usr/bin/env python3
"""heddle record: POSIX threads, their waits for mutexes and conditions; and whose calls are not the program's.

usage: test_pthreads.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import re
import subprocess

from recording import ROOT, Run, compare, fresh, main, program, record, records, test, test_once, values, visits


def check_waits(options, run, archive):
    """Each is held up for 20 ms from when it says that it comes; on a busy machine it may be some milliseconds later that it calls."""
    for name, metric, path in (("mutex", "pthread_lock_contention_mutex_lock", "THREADS;want_mutex;pthread_mutex_lock"),
                               ("condition", "pthread_lock_contention_conditional", "THREADS;want_condition;pthread_cond_wait")):
        waits = {where.split(";", 1)[1]: seconds for where, seconds in values(options, archive, metric).items() if seconds > 1e-3}
        said = [int(ns) / 1e9 for ns in re.findall(rf"^{name} (\d+)$", run.output, re.M)]
        assert list(waits) == [path] and 0.005 * len(said) <= waits[path] <= sum(said) * 1.01, (name, waits, run.output)
    assert not (archive / "heddle.findings.tsv").exists(), (archive / "heddle.findings.tsv").read_text()


@test_once
def posix_threads_have_their_records(options):
    folder = fresh(options, "posix_threads")
    words = [options.heddle, "record", "-o", "run", "--", program(options, "posix_threads")]
    run = Run(words, folder).must(0, "recorded 1 process, 3 threads")  # the one that runs on, and one after the other
    seen = records(options, folder / "run")
    compare(seen, "posix_threads.c")
    assert seen["ENTER"] == seen["LEAVE"], seen
    check_waits(options, run, folder / "run")
    shown = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    assert 'PTHREAD, Name: "Pthread"' in shown and "THREAD_CREATE_WAIT" in shown and '"Pthread thread 2"' in shown, shown
    called = visits(options, folder / "run")
    for path, n in (("wait_in_vain;pthread_cond_timedwait", 1), ("take_mutexes;pthread_mutex_trylock", 2),
                    ("THREADS;want_mutex;pthread_mutex_lock", 1), ("wait_in_vain;pthread_cond_broadcast", 1)):
        assert called.get(path) == n, (path, called)


@test_once
def threads_without_functions_are_said_to_be_the_reason_for_strange_causes(options):
    said = "A call of POSIX threads as root cause"
    folder = fresh(options, "bare_threads")
    Run([options.heddle, "record", "-o", "run", "--", program(options, "bare_threads")], folder).must(0, "recorded 1 process, 3 threads")
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    for command in "summary", "causes":
        assert Run([options.heddle, command, "run"], folder).must(0).output.count(said) == 1, command
    Run([options.heddle, "analyze", "-q", "-o", "functions.cubex", ROOT / "tests" / "data" / "pat-pthread-3"], folder).must(0)
    causes = Run([options.heddle, "causes", "--top=30", "functions.cubex"], folder).must(0).output
    assert re.search(r"\n  \S.* > pthread_mutex_lock  ", causes) and said not in causes, causes


@test
def posix_threads_that_call_mpi_are_one_location_each(options):
    folder = fresh(options, "posix_threads_mpi")
    run = record(options, folder, "--", program(options, "posix_threads_mpi"), n=2).must(0, "recorded 2 processes, 8 threads")
    seen = records(options, folder / "run")
    wanted = {"MPI_SEND": 200, "MPI_RECV": 200, "THREAD_CREATE": 14, "THREAD_BEGIN": 14, "THREAD_END": 14, "THREAD_WAIT": 12, "THREAD_ACQUIRE_LOCK": 26}
    assert {kind: seen[kind] for kind in wanted} == wanted, seen
    check_waits(options, run, folder / "run")


@test_once
def of_very_many_locks_those_that_wait_are_recorded(options):
    for more, n in ([], 100000), (["--callers=2"], 10000):
        folder = fresh(options, "hot")
        words = [options.heddle, "record", "-o", "run", *more, "--", program(options, "posix_threads"), "hot"]
        run = Run(words, folder).must(0, "calls for mutexes that did not wait were not recorded to the end")
        seen = records(options, folder / "run")
        assert n <= seen["THREAD_ACQUIRE_LOCK"] < 1.1 * n, seen  # of 800,000
    check_waits(options, run, folder / "run")


@test_once
def a_signal_for_which_no_thread_sleeps_makes_no_record_of_a_release(options):
    folder = fresh(options, "signals")
    Run([options.heddle, "record", "-o", "run", "--", program(options, "posix_threads"), "signals"], folder).must(0, "were not recorded to the end")
    seen = records(options, folder / "run")
    assert 100000 <= seen["THREAD_ACQUIRE_LOCK"] < 110000 and 100000 <= seen["THREAD_RELEASE_LOCK"] < 110000, seen  # of 1,200,000


@test_once
def a_release_behind_a_signal_is_recorded_after_that_of_another_mutex(options):
    folder = fresh(options, "nested")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "posix_threads"), "nested"], folder).must(0, "were not recorded to the end")
    waits = {where.split(";", 1)[1]: seconds for where, seconds in values(options, folder / "run", "pthread_lock_contention_conditional").items()}
    (said,) = (int(ns) / 1e9 for ns in re.findall(r"^condition (\d+)$", run.output, re.M))
    assert 0.5 * said <= waits["THREADS;want_condition;pthread_cond_wait"] <= said * 1.01, (waits, said)


@test_once
def a_program_with_threads_may_be_killed(options):
    folder = fresh(options, "threads_killed")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "posix_threads"), "killed"], folder)
    assert run.code == 137 and "recorded 1 process, 3 threads" in run.errors, (run.code, run.errors)
    seen = records(options, folder / "run")
    assert (seen["THREAD_BEGIN"], seen["THREAD_END"], seen["THREAD_ACQUIRE_LOCK"]) == (5, 4, 13), seen
    Run([options.heddle, "analyze", "-q", "run"], folder).must(3, "stopped early")


@test_once
def a_thread_is_not_cancelled_within_the_recorder(options):
    for more in ["--all-functions"], ["--all-functions", "--sample=1000"], ["--profile"]:
        folder = fresh(options, "cancelled")
        Run([options.heddle, "record", "-o", "run", *more, "--", program(options, "posix_threads"), "cancelled"], folder).must(0)
        if "--profile" not in more:
            seen = records(options, folder / "run")
            assert seen["THREAD_ACQUIRE_LOCK"] == 5001 and seen["THREAD_BEGIN"] == seen["THREAD_END"] == 1, (more, seen)


LOADED_BY_MPI = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((constructor)) static void at_begin(void)
{
    fclose(fopen(getenv("LOADED"), "w"));
}
__attribute__((destructor)) static void at_end(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}
"""


@test
def a_thread_may_be_recorded_while_the_system_lists_what_is_loaded(options):
    folder = fresh(options, "listing")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "listing")], folder).must(0)
    assert run.output == "listed\n" and visits(options, folder / "run")["THREADS;mark;listing"] == 1, (run.output, visits(options, folder / "run"))


@test
def communicators_and_windows_of_several_threads_have_all_their_records(options):
    folder = fresh(options, "communicators")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "many_communicators")], folder).must(0)
    if run.output == "-1\n":
        return  # the MPI library has no threads
    seen = records(options, folder / "run")
    assert "unknown" not in run.errors and seen["COMM_CREATE"] == 2 + 4 + 4 * 1000 and seen["COMM_DESTROY"] == 2 + 4 * 1000, (run.errors, seen)
    assert seen["MPI_COLLECTIVE_BEGIN"] == seen["MPI_COLLECTIVE_END"] == 2 + 4 + 4 * 3 * 1000 and seen["RMA_WIN_CREATE"] == seen["RMA_WIN_DESTROY"] == int(run.output), seen


@test
def what_mpi_loads_is_not_the_program(options):
    """hwloc loads plugins, in MPI_Init, and those what they need. This one is none, and stays."""
    if not program(options, "hybrid").exists():
        return
    folder = fresh(options, "loaded")
    (folder / "plugin.c").write_text(LOADED_BY_MPI)
    subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-z,nodelete", "-o", folder / "hwloc_own.so", folder / "plugin.c", "-pthread"], check=True)
    record(options, folder, "--", program(options, "hybrid"), n=2, more={"HWLOC_PLUGINS_PATH": str(folder), "LOADED": str(folder / "loaded")}.items()).must(0)
    assert (folder / "loaded").exists()
    assert records(options, folder / "run")["THREAD_ACQUIRE_LOCK"] == 0


@test_once
def a_handler_that_jumps_out_of_the_recorder_leaves_no_lock(options):
    folder = fresh(options, "jumping")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "jumping")], folder).must(0)
    assert "all have ended" in run.output, run.output


HANDLERS = """
#include <pthread.h>
pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
void use(int n) { for (int i = 0; i < n; i++) { pthread_mutex_lock(&shared); pthread_mutex_unlock(&shared); } }
static void around(void) { use(1000); }
__attribute__((constructor)) static void begin(void) { pthread_atfork(around, around, around); }
"""
FORKS = """
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
void use(int n);
static void *once(void *none) { use(1); return none; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, once, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < 10; i++) {
        if (fork() == 0)
            _exit(0);
        use(100);
        wait(0);
    }
    return 0;
}
"""


@test_once
def what_handlers_of_a_fork_do_is_in_no_record(options):
    """They run before the recorder's own: the child would write into the log of its parent."""
    folder = fresh(options, "fork handlers")
    (folder / "handlers.c").write_text(HANDLERS)
    (folder / "forks.c").write_text(FORKS)
    subprocess.run(["cc", "-shared", "-fPIC", "-pthread", "-o", folder / "libhandlers.so", folder / "handlers.c"], check=True)
    subprocess.run(["cc", "-pthread", "-o", folder / "forks", folder / "forks.c", folder / "libhandlers.so"], check=True)
    Run([options.heddle, "record", "-o", "run", "--", "./forks"], folder).must(0, "recorded 1 process, 2 threads")
    seen = records(options, folder / "run")
    assert seen["THREAD_ACQUIRE_LOCK"] == seen["THREAD_RELEASE_LOCK"] == 1001, seen


EXITS = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_bool is_made;
static void *end(void *none)
{
    while (!is_made)
        usleep(1000);
    exit(none != 0);
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, end, 0);
    is_made = 1;
    pthread_join(thread, 0);
    return 1;
}
"""


@test_once
def a_thread_may_end_the_program(options):
    """While the first one waits for it: that is no process that was killed in a call."""
    folder = fresh(options, "exits")
    (folder / "exits.c").write_text(EXITS)
    subprocess.run(["cc", "-pthread", "-o", folder / "exits", folder / "exits.c"], check=True)
    Run([options.heddle, "record", "-o", "run", "--", "./exits"], folder).must(0, "recorded 1 process, 2 threads")
    seen = records(options, folder / "run")
    assert seen["ENTER"] == seen["LEAVE"] > 0 and seen["PROGRAM_END"] == 1, seen
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


main()

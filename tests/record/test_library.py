#!/usr/bin/env python3
"""heddle record: another MPI library of the same binary interface, how many calls another one counts, and libraries between the program and MPI.

usage: test_library.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import collections
import os
import re
import shutil
import subprocess

from recording import Run, fresh, main, program, record, records, test, test_once, values


@test
def a_library_with_the_interface_of_mpich_may_have_another_name(options):
    """That of Intel MPI and MVAPICH, here of a copy of MPICH."""
    if options.mpi != "mpich":
        return
    folder, made = fresh(options, "other_name"), program(options, "late_sender")
    library = re.search(r"libmpich\.so\.12 => (\S+)", subprocess.run(["ldd", made], capture_output=True, text=True, check=True).stdout).group(1)
    shutil.copy(library, folder / "libmpi.so.12")
    text = made.read_bytes()
    assert text.count(b"libmpich.so.12\0") == 1
    (folder / "late_sender").write_bytes(text.replace(b"libmpich.so.12\0", b"libmpi.so.12\0\0\0"))
    (folder / "late_sender").chmod(0o755)
    more = {"LD_LIBRARY_PATH": str(folder)}.items()
    loaded = Run(["ldd", "./late_sender"], folder, more).must(0).output
    assert f"libmpi.so.12 => {folder}/libmpi.so.12" in loaded and "libmpich" not in loaded, loaded
    record(options, folder, "--", "./late_sender", n=2, more=more).must(0, "recorded 2 processes, 2 threads, 70 events")


COUNTED = ("Send", "Ssend", "Isend", "Issend", "Recv", "Irecv", "Sendrecv", "Wait", "Waitall", "Bcast", "Reduce", "Allreduce", "Gather", "Scatter", "Alltoall",
           "Ibarrier", "Ibcast", "Comm_dup", "Comm_split", "Put", "Get", "Accumulate", "Win_fence")
COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define EACH %s
#ifdef BY_LINKER
#define REAL(name) "PMPI_" #name "@PLT"
#else
#define REAL(name) "*real_" #name "(%%rip)"
#endif
#define X(name) long n_##name; void *real_##name; __asm__(".globl " KIND #name "; " KIND #name ": lock incq n_" #name "(%%rip); jmp " REAL(name));
EACH
#undef X
__attribute__((constructor)) static void begin(void)
{
#define X(name) real_##name = dlsym(RTLD_NEXT, "PMPI_" #name);
    EACH
#undef X
}
__attribute__((destructor)) static void end(void)
{
    char path[4096];
    FILE *file;
    if (n_Send + n_Allreduce == 0)
        return;
    snprintf(path, sizeof path, "%%s/%%d.counts", getenv("COUNTS"), (int)getpid());
    file = fopen(path, "w");
#define X(name) fprintf(file, "MPI_" #name " %%ld\\n", n_##name);
    EACH
    fclose(file);
}
"""


def counts_of(options, folder, kind, *more):
    """How many calls each function of the counting library had, and how many were recorded."""
    (folder / "counter.c").write_text(COUNTER % " ".join(f"X({name})" for name in COUNTED))
    subprocess.run(["cc", "-O1", "-fcommon", "-shared", "-fPIC", "-Wl,-Bsymbolic", f'-DKIND="{kind}"', *more, "-o", folder / "counter.so", folder / "counter.c",
                    "-ldl"], check=True)
    record(options, folder, "--", program(options, "every_call"), n=4, more={"LD_PRELOAD": str(folder / "counter.so"), "COUNTS": str(folder)}.items()).must(0)
    counted = collections.Counter()
    for path in folder.glob("*.counts"):
        counted.update({name: int(n) for name, n in (line.split() for line in path.read_text().splitlines())})
    seen = collections.Counter()
    for path, n in values(options, folder / "run", "visits").items():
        seen[path.split(";")[-1]] += n
    return counted, {name: seen[name] for name in (f"MPI_{name}" for name in COUNTED)}


@test
def calls_are_as_many_as_another_library_counts(options):
    """One behind the recorder, which counts what arrives at the MPI library; and tools, whose functions MPI_X call PMPI_X: one of which the linker leads to the
    recorder, and one that would go past it."""
    if os.uname().machine != "x86_64":
        return
    counted, seen = counts_of(options, fresh(options, "counted"), "PMPI_")
    assert sum(counted.values()) > 100 and seen == counted, (seen, counted)
    folder = fresh(options, "tool")
    assert counts_of(options, folder, "MPI_", "-DBY_LINKER") == (counted, counted)
    callers = {path.split(";")[-2] for path in values(options, folder / "run", "visits") if path.split(";")[-1] in counted}
    assert callers and not callers & set(counted), callers  # functions of the program, not those of the tool
    assert counts_of(options, fresh(options, "past"), "MPI_") == ({}, counted)


# MPI_Finalize is there as a library of which no function calls PMPI_... by the linker is no tool.
LISTENER = """
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
int PMPI_Finalize(void);
int MPI_Finalize(void) { return PMPI_Finalize(); }
int MPI_Pcontrol(const int level, ...)
{
    char line[256];
    int n;
    va_list more;
    va_start(more, level);
    n = snprintf(line, sizeof line, "level %d: %s", level, va_arg(more, const char *));
    n += snprintf(line + n, sizeof line - n, " %d", va_arg(more, int));
    n += snprintf(line + n, sizeof line - n, " %g", va_arg(more, double));
    for (int i = 0; i < 4; i++)
        n += snprintf(line + n, sizeof line - n, " %d", va_arg(more, int));
    n += snprintf(line + n, sizeof line - n, " %g;\\n", va_arg(more, double));
    va_end(more);
    return write(1, line, n) != n;
}
"""


def record_under_tool(options, name, source, of="under_tool"):
    """A program in 2 processes, with a tool of this source."""
    folder = fresh(options, name)
    (folder / "tool.c").write_text(source)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", folder / "tool.so", folder / "tool.c"], check=True)
    run = record(options, folder, "--", program(options, of), n=2, more={"LD_PRELOAD": str(folder / "tool.so")}.items()).must(0)
    return run.output, values(options, folder / "run", "visits")


@test
def a_tool_has_all_arguments_of_mpi_pcontrol(options):
    if os.uname().machine not in ("x86_64", "aarch64"):
        return
    output, _ = record_under_tool(options, "listener", LISTENER)
    assert output == 2 * "level 3: words 42 2.5 1 2 3 4 5.5;\n", output


# One that does not pass on a call: the one behind it is of another function of the program, with a tool's function and without.
SWALLOWER = """
int PMPI_Finalize(void), PMPI_Allreduce(const void *, void *, int, TYPE, TYPE, TYPE);
int MPI_Finalize(void) { return PMPI_Finalize(); }
int MPI_Barrier(TYPE comm) { return 0; }
#ifdef ALL
int MPI_Allreduce(const void *a, void *b, int n, TYPE type, TYPE op, TYPE comm) { return PMPI_Allreduce(a, b, n, type, op, comm) + 0 * n; }
#endif
"""


@test
def callers_are_right_behind_a_call_that_a_tool_does_not_pass_on(options):
    if os.uname().machine not in ("x86_64", "aarch64"):
        return
    for name, more in ("swallower", ""), ("swallower_of_all", "#define ALL\n"):
        source = f"#define TYPE {'int' if options.mpi == 'mpich' else 'void *'}\n{more}{SWALLOWER}"
        _, seen = record_under_tool(options, name, source)
        paths = {path: n for path, n in seen.items() if path.split(";")[-1] in ("MPI_Barrier", "MPI_Allreduce")}
        assert paths == {"under_tool;third;MPI_Allreduce": 2}, (name, seen)
        if program(options, "fortran_calls").exists():
            _, seen = record_under_tool(options, name, source, "fortran_calls")
            assert seen["fortran_calls;MAIN__;MPI_Allreduce"] == 2, (name, seen)


# MPI begins before the recorder does, as the constructors of the libraries loaded last run first.
EARLY = """
int PMPI_Init(int *, char ***);
__attribute__((constructor)) static void begin(void) { PMPI_Init(0, 0); }
int MPI_Init(int *n, char ***words) { (void)n, (void)words; return 0; }
"""


@test
def mpi_may_begin_in_the_constructor_of_a_library(options):
    folder = fresh(options, "early")
    (folder / "early.c").write_text(EARLY)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "early.so", folder / "early.c"], check=True)
    (folder / "script").write_text(f'#!/bin/sh\nLD_PRELOAD="$LD_PRELOAD:{folder}/early.so" exec {program(options, "late_sender")}\n')
    (folder / "script").chmod(0o755)
    record(options, folder, f"--mpi={options.mpi}", "--", "./script", n=2).must(0, "recorded 2 processes, 2 threads, 70 events")


@test_once
def an_archive_is_made_where_file_systems_have_no_symbolic_links(options):
    folder = fresh(options, "no_links")
    (folder / "none.c").write_text("#include <errno.h>\nint symlink(const char *a, const char *b) { (void)a; (void)b; errno = EPERM; return -1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "none.so", folder / "none.c"], check=True)
    record(options, folder, "--", program(options, "late_sender"), n=2, more={"LD_PRELOAD": str(folder / "none.so")}.items()).must(0, "recorded 2 processes, 2 threads, 70 events")
    names = {str(path.relative_to(folder / "run")) for path in (folder / "run").rglob("*")}
    assert names == {"traces", "traces.otf2", "traces.def", *(f"traces/{i}.{kind}" for i in range(2) for kind in ("evt", "def"))}, names
    assert sum(records(options, folder / "run").values()) >= 70


NO_RENAME = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
int rename(const char *from, const char *to)
{
    errno = ENOSPC;
    return strstr(from, "/part-") != 0 ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}
int symlink(const char *a, const char *b) { (void)a; (void)b; errno = EPERM; return -1; }
"""


@test_once
def nothing_is_left_of_an_archive_that_could_not_be_made(options):
    folder = fresh(options, "leftovers")
    run, left = folder / "run", folder / "run" / ".traces.tmp-1" / "part-0-0" / "traces"
    (folder / "none.c").write_text(NO_RENAME)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "none.so", folder / "none.c"], check=True)
    failed = record(options, folder, "--", program(options, "late_sender"), n=2, more={"LD_PRELOAD": str(folder / "none.so")}.items())
    assert "cannot move the files of" in failed.errors and {path.name for path in run.iterdir()} == {"raw"}, (failed.errors, list(run.iterdir()))
    left.mkdir(parents=True)  # of a finish that was killed
    (left / "0.evt").touch()
    Run([options.heddle, "record", "--finish=run"], folder).must(0, "recorded 2 processes, 2 threads, 70 events")
    assert {path.name for path in run.iterdir()} == {"traces", "traces.otf2", "traces.def"}, list(run.iterdir())


main()

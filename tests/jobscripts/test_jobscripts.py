#!/usr/bin/env python3
"""heddle jobscript: scripts for all systems and uses are right, and run to the end with stand-ins for the launchers (bin/).

usage: test_jobscripts.py --heddle PROGRAM --mpirun PROGRAM --sweep PROGRAM --work DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, TEMPORARY  # noqa: E402

ARCHIVES = [ROOT / "tests" / "data" / name for name in ("pat-mpi-4", "scorep-jacobi-mpi-c-16", "pat-hybtask-2x3")]
DIRECTIVES = {"slurm": "#SBATCH", "cray-slurm": "#SBATCH", "cray-alps": "#PBS", "lsf": "#BSUB", "pjm": "#PJM", "bgq": "# @",
              "bgq-cobalt": "#COBALT", "bgp": "# @", "pbs": "#PBS", "gridengine": "#$", "flux": "#flux:", "mpirun": "#!/bin/bash"}
KNOWN = ("pjm", "bgq", "bgq-cobalt", "bgp")  # systems whose nodes heddle knows
USES = {"alone": [], "dependent": ["--after", "4711"], "own-job": []}
SIZES = ["--nodes=2", "--ranks-per-node=2", "--threads=1", "--traces-per-rank=4", "--memory-per-node=4G", "--cores-per-node=4"]

# What the batch system is asked for with SIZES, the account, the queue and a limit of an hour and a half.
EXPECTED = {
    "slurm": ["--job-name=heddle", "--output=heddle-%j.out", "--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1", "--exclusive", "--mem=0", "--time=01:30:00",
              "--signal=B:TERM@120", "--account=project", "--partition=fast"],
    "cray-slurm": ["--job-name=heddle", "--output=heddle-%j.out", "--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1", "--hint=nomultithread", "--exclusive",
                   "--mem=0", "--time=01:30:00", "--signal=B:TERM@120", "--account=project", "--partition=fast"],
    "cray-alps": ["-N heddle", "-j oe", "-l mppwidth=4", "-l mppnppn=2", "-l mppdepth=1", "-l walltime=01:30:00", "-A project", "-q fast"],
    "lsf": ["-J heddle", "-o heddle-%J.out", "-nnodes 2", "-W 90", "-wa TERM -wt 2", "-P project", "-q fast"],
    "pjm": ["--name heddle", "-j", "-L node=2", "-L elapse=01:30:00", "--mpi proc=4", "--mpi max-proc-per-node=2", "-g project", "-L rscgrp=fast"],
    "bgq": ["job_name = heddle", "step_name = heddle", "job_type = bluegene", "bg_size = 2", "wall_clock_limit = 01:30:00,01:28:00",
            "output = $(job_name).$(jobid).out", "error = $(job_name).$(jobid).err", "account_no = project", "class = fast", "queue"],
    "pbs": ["-N heddle", "-j oe", "-l select=2:ncpus=4:mpiprocs=2:ompthreads=1", "-l place=scatter:excl", "-l walltime=01:30:00", "-A project", "-q fast"],
    "gridengine": ["-S /bin/bash", "-N heddle", "-cwd", "-j y", "-pe mpi 8", "-l s_rt=01:28:00,h_rt=01:30:00", "-P project", "-q fast"],
    "flux": ["--job-name=heddle", "--nodes=2", "--exclusive", "--time-limit=90m", "--signal=TERM@120s", "--bank=project", "--queue=fast"],
    "mpirun": [],
    "bgq-cobalt": ["--jobname heddle", "--output heddle.out", "-n 2", "-t 90", "--mode script", "-A project", "-q fast"],
}
EXPECTED["bgp"] = EXPECTED["bgq"]
DEPENDENT = {"slurm": "--dependency=afterany:4711", "cray-slurm": "--dependency=afterany:4711", "cray-alps": "-W depend=afterany:4711",
             "lsf": '-w "ended(4711)"', "pjm": "--step --sparam jid=4711", "bgq": "dependency = (4711 >= 0)",
             "pbs": "-W depend=afterany:4711", "gridengine": "-hold_jid 4711", "flux": "--dependency=afterany:4711",
             "bgq-cobalt": "--dependencies 4711", "bgp": "dependency = (4711 >= 0)"}


def run(*command, code=0, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL, **more)
    assert done.returncode == code, f"{command}: exit code {done.returncode} instead of {code}: {done.stderr}{done.stdout}"
    return done.stderr if code else done.stdout


def uses_of(system):
    return [(use, more) for use, more in USES.items() if system != "mpirun" or use != "dependent"]


def script_of(options, system, *arguments):
    nodes = [] if system in KNOWN or any("-per-node=" in str(word) for word in arguments) else ["--local"]
    charged = [] if system == "mpirun" else ["--account=project", "--queue=fast"]
    return run(options.heddle, "jobscript", f"--system={system}", *nodes, *charged, *arguments)


def environment(options, log, **more):
    return dict(os.environ, TMPDIR=TEMPORARY.name, PATH=f"{HERE / 'bin'}:{os.environ['PATH']}", COBALT_PARTNAME="R00-M0",
                HEDDLE_STANDIN_LOG=str(log), HEDDLE_STANDIN_MPIRUN=options.mpirun, **MPI_ENVIRONMENT, **more)


def scripts_are_clean(options):
    """Nothing is left to fill in; the shell and shellcheck have nothing to say; lines for an own job have no directives."""
    scripts = []
    for archive in ARCHIVES:
        for system, directive in DIRECTIVES.items():
            for use, more in uses_of(system):
                text = script_of(options, system, f"--use={use}", *more, archive)
                assert "{{" not in text and "}}" not in text, text
                assert (directive in text) == (use != "own-job"), text
                assert ("4711" in text) == (use == "dependent"), text
                assert ('\nexit "' in text) == (use != "own-job"), text
                assert ("\nset -u\n" in text) == ("module load" in text) == (use != "own-job"), text
                if use != "own-job" and system != "mpirun":
                    assert "project" in text and "fast" in text, text
                scripts.append(options.work / f"script-{len(scripts)}.sh")
                scripts[-1].write_text(text)
                run("bash", "-n", scripts[-1])
    if shutil.which("shellcheck"):
        run("shellcheck", "--shell=bash", *scripts)
    else:
        print("     without shellcheck, which is not here")


def directives_are_as_expected(options):
    for system, directive in DIRECTIVES.items():
        for use, more in uses_of(system):
            if use == "own-job":
                continue
            text = script_of(options, system, *more, *SIZES, "--time=01:30:00", ARCHIVES[0])
            got = [line[len(directive) + 1:] for line in text.splitlines() if line.startswith(directive + " ")]
            expected = EXPECTED[system] + ([DEPENDENT[system]] if use == "dependent" else [])
            assert sorted(got) == sorted(expected), (system, got, expected)
            assert directive != "# @" or got[-1] == "queue", got


def scripts_run_to_the_end(options):
    """The report is that of an analysis by hand; the launcher was asked for the ranks that heddle plan names. But with HEDDLE_RUNS=all of
    each system one archive and one use, in turn."""
    log, is_whole = options.work / "log", os.environ.get("HEDDLE_RUNS", "all") == "all"
    for i, archive in enumerate(ARCHIVES):
        by_hand = options.work / "by-hand.cubex"
        run(options.heddle, "analyze", archive, "-o", by_hand, "--force", "--quiet", "--no-summary")
        expected = run(options.heddle, "dump", by_hand)
        for j, system in enumerate(DIRECTIVES):
            uses = uses_of(system)
            for use, more in uses if is_whole else [uses[j // len(ARCHIVES) % len(uses)]] if j % len(ARCHIVES) == i else []:
                report = options.work / f"{archive.name}-{system}.cubex"
                text = script_of(options, system, f"--use={use}", *more, *SIZES, archive,
                                 "--report", report, "--analyze-options=--force --quiet --no-summary --bind=none")
                path = options.work / "job.sh"
                path.write_text(text)
                log.write_text("")
                run("bash", path, env=environment(options, log))
                assert re.fullmatch(r"\w+ 4\n", log.read_text()), log.read_text()
                assert run(options.heddle, "dump", report) == expected
                report.unlink()


def the_plan_is_in_the_script(options):
    archive = ARCHIVES[1]
    sizes = ["--memory-per-node=1G", "--cores-per-node=16", "--traces-per-rank=3"]
    row = run(options.heddle, "plan", *sizes, archive).splitlines()[1].split()
    text = script_of(options, "slurm", *sizes, archive)
    for option, value in (("--nodes", row[0]), ("--ntasks-per-node", row[1]), ("--ntasks", row[2]), ("--cpus-per-task", row[3])):
        assert re.search(rf" {option}={value}[ \n]", text), (option, value, text)
    assert row[:2] == ["3", "2"] and "--traces-per-rank=3" in text, row


def the_plan_s_memory_is_what_an_analysis_uses(options):
    """Within a quarter, MPI's part included; less where there are more threads than processors."""
    if "libasan" in run("ldd", options.heddle):
        return
    sweep = options.work / "sweep"
    shutil.rmtree(sweep, ignore_errors=True)
    run(options.sweep, sweep, 32, 32, "--iterations", 1, "--blocks", 12, "--rounds", 20)
    shared = [ROOT.parent / "shared" / "traces" / name for name in ("amg-8", "sweep3d-16", "npb-sp-S-16", "clover-4x2", "miniamr-8")]
    for archive in [*ARCHIVES, sweep, *filter(pathlib.Path.exists, shared)]:
        for ranks, threads in (1, 1), (1, 4), (2, 1):
            row = run(options.heddle, "plan", "--nodes=1", "--cores-per-node=4", f"--ranks-per-node={ranks}", f"--threads={threads}", archive).splitlines()[1].split()
            planned = float(row[7]) * 2 ** {"KiB": 10, "MiB": 20, "GiB": 30}[row[8]]
            command = [options.mpirun, "-n", ranks] if ranks > 1 else []
            done = subprocess.run([str(word) for word in [*command, options.heddle, "analyze", archive, "-o", options.work / "r.cubex", "--force", "--verbose",
                                   "--no-summary", f"--threads={threads}", "--bind=none"]], capture_output=True, text=True, timeout=HANG_SECONDS,
                                  stdin=subprocess.DEVNULL, env=environment(options, options.work / "log"))
            used = int(re.search(r"memory_peak_bytes=(\d+)", done.stderr)[1])
            # threads that have no processor of their own may run far ahead of each other
            least = 0.75 if ranks * threads <= os.cpu_count() else 0.5
            assert least * used < planned < 1.25 * used, f"{archive} on {ranks} x {threads}: {planned / 1e6:.1f} MB planned, {used / 1e6:.1f} MB used"


def the_warning_is_passed_on(options):
    """The batch system's signal ends the launcher, and the script with it."""
    for system, use, whole_group in [(system, "alone", False) for system in DIRECTIVES] + [("slurm", "alone", True)] * 5 + [("slurm", "own-job", False)]:
        log = options.work / "log"
        log.write_text("")
        path = options.work / "job.sh"
        path.write_text(script_of(options, system, f"--use={use}", ARCHIVES[0]))
        job = subprocess.Popen(["bash", str(path)], env=environment(options, log, HEDDLE_STANDIN_WAITS="1"), stdin=subprocess.DEVNULL,
                               start_new_session=True)
        limit = time.monotonic() + HANG_SECONDS
        while not log.read_text().endswith("waiting\n") and time.monotonic() < limit:
            time.sleep(0.02)
        (os.killpg if whole_group else os.kill)(job.pid, signal.SIGTERM)
        # A launcher that ends while bash handles the same signal: bash may have forgotten its code, and the signal's serves.
        codes = [0] if use == "own-job" else [7, 128 + signal.SIGTERM] if whole_group else [7]
        assert job.wait(HANG_SECONDS) in codes, (system, use, whole_group, job.returncode)
        assert log.read_text().endswith("terminated\n"), (system, log.read_text())


def exit_codes_come_through(options):
    """An archive that is not complete: exit code 3, as of heddle analyze."""
    archive = options.work / "cut"
    shutil.rmtree(archive, ignore_errors=True)
    shutil.copytree(ARCHIVES[0], archive)
    (archive / "traces" / "3.evt").unlink()
    path = options.work / "job.sh"
    arguments = ["--analyze-options=--quiet --no-summary --bind=none --force", archive, "--report", options.work / "cut.cubex"]
    path.write_text(script_of(options, "slurm", *arguments))
    log = options.work / "log"
    run("bash", path, env=environment(options, log), code=3)
    path.write_text("set -e\n" + script_of(options, "slurm", "--use=own-job", *arguments) + "echo behind\n")
    assert run("bash", path, env=environment(options, log)) == "behind\n"
    path.write_text("trap 'echo mine' USR1\n(exit 5)\n" + script_of(options, "slurm", "--use=own-job", *arguments) + "code=$?\ntrap -p\nexit $code\n")
    done = subprocess.run(["bash", str(path)], env=environment(options, log), capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.returncode == 5 and "echo mine" in done.stdout and "exit code 3" in done.stderr, (done.returncode, done.stdout, done.stderr)


def paths_with_blanks(options):
    archive = options.work / "it's a path"
    shutil.rmtree(archive, ignore_errors=True)
    shutil.copytree(ARCHIVES[0], archive)
    report = options.work / "with blanks $HOME.cubex"
    log = options.work / "log"
    for system in DIRECTIVES:
        arguments = [archive, "--report", report, "--analyze-options=--force --quiet --no-summary --bind=none"]
        if system == "bgp":
            assert "blanks" in run(options.heddle, "jobscript", "--system=bgp", *arguments, code=2)
            continue
        path = options.work / "job.sh"
        path.write_text(script_of(options, system, *arguments))
        run("bash", path, env=environment(options, log))
        report.unlink()


def systems_have_their_own_words(options):
    archive = ARCHIVES[1]
    for ranks, mode in ((1, "SMP"), (2, "DUAL"), (4, "VN")):
        assert f"mpirun -mode {mode} -np {ranks} " in script_of(options, "bgp", f"--ranks-per-node={ranks}", archive)
    assert "cannot start 3 ranks" in run(options.heddle, "jobscript", "--system=bgq", "--ranks-per-node=3", archive, code=1)
    assert "# @ bg_shape = 1x2x1x1\n" in script_of(options, "bgq", "--shape=1x2x1x1", archive)
    assert "wall_clock_limit = 02:00:00,01:58:00" in script_of(options, "bgq", "--time=02:00:00", archive)
    assert "#BSUB -W 91\n" in script_of(options, "lsf", "--time=01:30:01", archive)
    assert "--signal=B:TERM@30\n" in script_of(options, "slurm", "--time=00:01:00", archive)
    assert "#$ -pe orte 8\n" in script_of(options, "gridengine", "--parallel-environment=orte", *SIZES, archive)
    assert "--mpi=cray_shasta" in script_of(options, "cray-slurm", "--mpi=cray_shasta", archive)
    assert "--mpi=" not in script_of(options, "cray-slurm", archive) and "--mpi=" not in script_of(options, "slurm", "--mpi=none", archive)
    assert re.search(r"--mpi=(pmix|pmi2)\b", script_of(options, "slurm", archive))
    assert "-wa" not in script_of(options, "lsf", "--time=00:01:00", archive)


def templates_of_a_site(options):
    own = options.work / "own.sh"
    own.write_text(run(options.heddle, "jobscript", "--system=slurm", "--show-template").replace("srun ", "srun --mpi=pmix_v4 "))
    assert "srun --mpi=pmix_v4 --nodes=1 " in run(options.heddle, "jobscript", "--local", "--template", own, ARCHIVES[0])
    own.write_text("a\n{{NODE}}\n")
    assert "line 2: there is no variable \"NODE\"" in run(options.heddle, "jobscript", "--local", "--template", own, ARCHIVES[0], code=1)


def nodes_are_never_guessed(options):
    """Cores and memory are given, known of the system, those of sinfo, or, if that is said, of this machine."""
    archive, log = ARCHIVES[1], options.work / "log"

    def asked(sinfo, *arguments, code=0):
        done = subprocess.run([options.heddle, "jobscript", *map(str, arguments), archive], capture_output=True, text=True,
                              env=environment(options, log, HEDDLE_STANDIN_SINFO=sinfo), timeout=HANG_SECONDS, stdin=subprocess.DEVNULL)
        assert done.returncode == code, (done.returncode, done.stderr)
        return done.stdout, done.stderr

    for system in DIRECTIVES:
        code = 0 if system in KNOWN else 2
        text, said = asked("", f"--system={system}", code=code)
        assert code == 0 or ("cores and the memory of a node are not known" in said and "--local" in said and text == ""), said
    assert "the memory of a node is not known" in asked("", "--cores-per-node=4", code=2)[1]
    assert "the number of cores of a node is not known" in asked("", "--memory-per-node=4G", code=2)[1]
    assert asked("", "--local")[0] != "" and "--threads=1 " in asked("", "--local", "--cores-per-node=1")[0]

    sinfo = "debug|1|4|2000\nfast*|2|64|257000\nfast*|2|48|128000\nodd|x|1|1\n"
    text, said = asked(sinfo)
    assert 'nodes of partition "fast", from sinfo: 96 cores, 125 GiB (the least of different nodes)' in said, said
    assert text == run(options.heddle, "jobscript", "--cores-per-node=96", "--memory-per-node=128000M", archive)
    text, said = asked(sinfo, "--queue=debug")
    assert 'nodes of partition "debug", from sinfo: 4 cores, 1.95 GiB\n' in said, said
    assert "--partition=debug" in text and "nodes of" not in text
    assert "from sinfo: 96 cores" in asked(sinfo, "--memory-per-node=64G", "--system=cray-slurm")[1]
    for arguments in (["--local"], ["--memory-per-node=64G", "--cores-per-node=8"], ["--system=pbs", "--local"]):
        assert asked(sinfo, *arguments)[1] == "", arguments
    for arguments in (["--queue=none"], ["--queue=odd"], ["--system=pbs"], ["--system=lsf"]):
        assert "not known" in asked(sinfo, *arguments, code=2)[1], arguments


def plan_recommends_a_row(options):
    def plan(*arguments):
        return run(options.heddle, "plan", ARCHIVES[1], *arguments).split("\n\nrecommended: ")

    table, why = plan("--memory-per-node=64G", "--cores-per-node=4")
    assert table.splitlines()[1].split()[9:11] == ["under", "1"], table
    assert why.split() == "1 node, 1 rank on each, 4 threads: the fewest that have enough memory; under 1 second".split(), why
    assert len(plan("--memory-per-node=64G", "--cores-per-node=4", "--nodes=2")) == 1


def errors(options):
    archive = ARCHIVES[0]
    out = options.work / "out.sh"
    out.unlink(missing_ok=True)
    run(options.heddle, "jobscript", "--local", archive, "-o", out)
    assert "exists already" in run(options.heddle, "jobscript", "--local", archive, "-o", out, code=1)
    run(options.heddle, "jobscript", "--local", archive, "-o", out, "--force")
    assert os.access(out, os.X_OK)
    assert "--after" in run(options.heddle, "jobscript", archive, "--use=dependent", code=2)
    assert "--after" in run(options.heddle, "jobscript", archive, "--use=own-job", "--after=1", code=2)
    assert "Blue Gene" in run(options.heddle, "jobscript", archive, "--shape=1x1", code=2)
    for option in ("--account", "--queue", "--job-name", "--after"):
        assert "special characters" in run(options.heddle, "jobscript", archive, f"{option}=x\ny", code=2)
    assert "--like" in run(options.heddle, "jobscript", options.work / "nowhere", code=1)
    assert "batch systems" in run(options.heddle, "jobscript", "--system=mpirun", "--local", "--after=1", archive, code=2)
    text = run(options.heddle, "jobscript", "--local", "later/traces.otf2", "--like", archive, "--report", "later.cubex", cwd=options.work)
    assert f" --output {options.work}/later.cubex {options.work}/later/traces.otf2 " in text, text
    assert "HH:MM:SS" in run(options.heddle, "jobscript", "--local", archive, "--time=90", code=2)
    assert "ARCHIVE" in run(options.heddle, "jobscript", code=2)
    assert "cannot find" in run(options.heddle, "jobscript", options.work / "nowhere", code=1)
    assert "too small" in run(options.heddle, "plan", archive, "--memory-per-node=10M", code=1)
    assert "--max-nodes" in run(options.heddle, "plan", archive, "--traces-per-rank=1", "--cores-per-node=1", "--max-nodes=2", code=1)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--mpirun", "--sweep", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    options.heddle, options.sweep, options.mpirun = os.path.abspath(options.heddle), os.path.abspath(options.sweep), shutil.which(options.mpirun)
    options.work = pathlib.Path(options.work).resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    for test in (scripts_are_clean, directives_are_as_expected, scripts_run_to_the_end, the_plan_is_in_the_script, the_plan_s_memory_is_what_an_analysis_uses,
                 the_warning_is_passed_on, exit_codes_come_through,
                 paths_with_blanks, systems_have_their_own_words, templates_of_a_site, nodes_are_never_guessed, plan_recommends_a_row, errors):
        test(options)
        print("ok  ", test.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

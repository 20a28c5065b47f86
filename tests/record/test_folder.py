#!/usr/bin/env python3
"""heddle record: which folder the programs of a job have, and what all of its processes say once.

usage: test_folder.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import os
import re
import shutil
import subprocess
import sys

from recording import HANG_SECONDS, Run, fresh, main, program, test, test_once, values, waited


@test
def a_script_may_start_the_launcher(options):
    folder = fresh(options, "script")
    script = folder / "run me.sh"
    script.write_text(f"#!/bin/sh\n{options.mpirun} -n 2 {program(options, 'late_sender')} || exit 1\nexit 9\n")
    script.chmod(0o755)
    run = Run([options.heddle, "record", "-o", "run", "--", script], folder).must(9, "recorded 2 processes, 2 threads, 70 events")
    assert abs(sum(values(options, folder / "run", "mpi_latesender").values()) / waited(run) - 1) < 0.1, run.output
    Run([options.heddle, "record", "--mpi=none", "-o", "none", "--", script], folder).must(9, "nothing was recorded")


@test_once
def a_disk_without_any_room_is_told_as_the_reason(options):
    folder = fresh(options, "no disk")
    (folder / "disk").mkdir()
    script = 'mount -t tmpfs -o size=60k tmpfs disk || exit 77; exec "$0" -n 2 "$1" record -o disk/run -- "$2"'
    run = Run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, options.mpirun, options.heddle, program(options, "late_sender")], folder)
    if run.code == 77 or run.errors.startswith("unshare:"):
        return  # not everybody may mount
    run.must(0, "nothing was recorded: the disk is full", "--output DIR on a disk with room")


@test
def scripts_and_several_programs_share_a_folder(options):
    folder, one = fresh(options, "shared"), program(options, "late_sender")
    (folder / "other").symlink_to(one)
    again = [options.heddle, "record", "--"]
    (folder / "script").write_text('#!/bin/sh\n"$@"\nexit $?\n')  # stays between the launcher and heddle record
    (folder / "by_rank").write_text(f"""#!/bin/sh
if [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" -lt 2 ]; then exec {options.heddle} record -- {one}; fi
exec {options.heddle} record -- ./other
""")
    for name in "script", "by_rank":
        (folder / name).chmod(0o755)
    several = [["-n", 2, *again, one, ":", "-n", 2, *again, "./other"], ["-n", 2, "./script", *again, one, ":", "-n", 2, "./script", *again, one]]
    if Run([options.mpirun, "-n", 1, "true", ":", "-n", 1, "true"], folder).code != 0:  # that of Open MPI 5.0.7 in Debian 13: open-mpi/ompi#13303
        several = []
    for words in [*several, ["-n", 4, "./by_rank"]]:
        for found in folder.glob("heddle-*"):
            shutil.rmtree(found)
        Run([options.mpirun, *words], folder).must(0, "recorded 4 processes, 4 threads")
        assert len(list(folder.glob("heddle-*"))) == 1, list(folder.glob("heddle-*"))
        assert list(folder.glob("heddle-*/traces.otf2")), list(folder.glob("heddle-*/*"))


@test_once
def programs_that_a_script_starts_one_after_the_other_have_a_folder_each(options):
    folder, one = fresh(options, "one_after_the_other"), program(options, "posix_threads")
    (folder / "other").symlink_to(one)
    (folder / "script").write_text("#!/bin/sh\n" + "".join(f"{options.heddle} record --mpi=none -- {name} keys\n" for name in (one, "./other", one)) + "exit 0\n")
    (folder / "script").chmod(0o755)
    run = Run([options.mpirun, "-n", 2, "./script"], folder).must(0)
    assert run.errors.count("recorded 2 processes") == 3, run.errors
    assert len(list(folder.glob("heddle-*/traces.otf2"))) == len(list(folder.glob("heddle-*"))) == 3, list(folder.glob("heddle-*"))


# Has the turn of one of several programs of the mpirun that started it, as another one that may have been killed; prints when it ends.
HOLDER = '''import os, pathlib, socket, sys, time
parent = int(sys.argv[1])
begin = int(pathlib.Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[19]) // os.sysconf("SC_CLK_TCK")
boot = int(next(line for line in open("/proc/stat") if line.startswith("btime ")).split()[1])
job, key = time.strftime("%Y%m%d-%H%M%S-", time.localtime(boot + begin)) + str(parent), 14695981039346656037
for byte in (os.environ.get("PMIX_NAMESPACE", job) + job).encode():
    key = (key ^ byte) * 1099511628211 % 2**64
claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
claim.bind(f"\\0heddle-{os.getuid()}-{key:016x}")
pathlib.Path("held").touch()
while float(sys.argv[2]) > 0 and not list(pathlib.Path(".").glob("asks-*")):
    time.sleep(0.01)
time.sleep(float(sys.argv[2]))
print("made" if list(pathlib.Path(".").glob("heddle-*/raw")) else "none", flush=True)
os._exit(0)
'''


@test_once
def a_program_waits_for_one_that_looks_for_the_folder_and_not_for_a_killed_one(options):
    for seconds in 0, 1.5:
        folder = fresh(options, f"turn_{seconds}")
        (folder / "holder.py").write_text(HOLDER)
        (folder / "script").write_text(f"""#!/bin/sh
if [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ]; then {sys.executable} holder.py $PPID {seconds} & fi
while [ ! -e held ]; do sleep 0.01; done
if [ {seconds} = 0 ]; then wait; fi
touch asks-$$
exec "$@"
""")
        (folder / "script").chmod(0o755)
        run = Run([options.mpirun, "-n", 2, "./script", options.heddle, "record", "--", program(options, "late_sender")], folder).must(0, "recorded 2 processes")
        assert "none" in run.output and "made" not in run.output, run.output
        assert len(list(folder.glob("heddle-*"))) == 1, list(folder.glob("heddle-*"))


@test
def the_launcher_can_be_started_too(options):
    folder = fresh(options, "launcher")
    Run([options.heddle, "record", "--", options.mpirun, "-n", 2, program(options, "ending_program")], folder).must(0, "recorded 2 processes")
    (made,) = folder.iterdir()
    assert re.fullmatch(r"heddle-ending_program-\d{8}-\d{6}-\d+", made.name), made
    # Without a launcher the program is a world of one.
    Run([options.heddle, "record", "-o", "alone", "--", program(options, "late_sender").with_name("every_call")], folder)
    assert (folder / "alone").exists()


@test
def a_launcher_that_ends_all_after_a_failure_has_passed_on_where_the_recording_is(options):
    for how, said in (("segv", r"rank \d was ended by signal 11 \(Segmentation fault\)"), ("exit", r"rank \d ended with exit code 5")):
        folder = fresh(options, f"failure of {how}")
        run = Run([options.mpirun, "-n", 3, options.heddle, "record", "-o", "run", "--", program(options, "ending_program"), how], folder)
        assert len(re.findall(rf"heddle: {said}: what was recorded until then will be in {folder}/run\n  try:      heddle analyze '{folder}/run'\n", run.errors)) == 1, run.errors
    silent = Run([options.mpirun, "-n", 2, options.heddle, "record", "--", "/bin/false"], fresh(options, "no failure")).errors
    assert "heddle: rank" not in silent, silent  # nothing was recorded


@test_once
def a_file_that_may_not_be_executed_is_said_how_to_run(options):
    folder = fresh(options, "texts")
    for name, *words in (("./text", "cannot be run: no permission", "try:      chmod +x ./text\n"), ("text", "there is no command", "try:      chmod +x text\n"),
                         ("text.py", "try:      python3 text.py\n")):
        (folder / name).touch()
        Run([options.heddle, "record", "--", name], folder).must(1, *words)


@test_once
def the_last_lines_of_an_analysis_follow_its_summary(options):
    folder = fresh(options, "last lines")
    run = Run([options.mpirun, "-n", 2, options.heddle, "record", "-o", "run", "--analyze", "--", program(options, "late_sender")], folder).must(0)
    again = Run([options.mpirun, "-n", 1, options.heddle, "analyze", "--mpi=no", "run", "--force"], folder).must(0)
    for lines in run, again:
        assert re.search(r'Analysis time .*\nheddle: report ".*run/heddle.cubex" is written\n  next:     heddle html .*\n.*explain METRIC.*\n$', lines.output.replace("\r", ""), re.S), lines.output
        assert "is written" not in lines.errors, lines.errors


@test_once
def an_error_of_all_ranks_is_said_once(options):
    """Errors that only some ranks have are said, too: here ranks 0 to 2 have one, and rank 3 another one."""
    folder = fresh(options, "once")
    started = [subprocess.Popen([options.heddle, "record", "--", "./nowhere" if rank < 3 else "./nothing"], cwd=folder, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "4"}) for rank in range(4)]
    said = "".join(process.communicate(timeout=HANG_SECONDS)[1] for process in started)
    assert (said.count('"./nowhere"'), said.count('"./nothing"')) == (1, 1) and all(process.returncode != 0 for process in started), said
    assert "usage: heddle record" in subprocess.run([options.heddle, "record", "--help"], capture_output=True, text=True, check=True).stdout


main()

"""The recorder's libraries under the thread sanitizer, which sees them alone: programs, MPI and OpenMP libraries are as they always are. What
these order is told by libraries of this test (gomp_order.c, ompt_order.c). Without MPI's launcher, as that would be seen, too."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
from runner import ENVIRONMENT, HANG_SECONDS  # noqa: E402

WISHES = {
    "": {},
    "profile": {"PROFILE": "1"},
    "samples": {"SAMPLE": "1000"},
    "window": {"WINDOW": "1:1000000000", "COUNTERS": "ru_utime,ru_nvcsw"},
    "the end": {"LAST": "1000000", "CALLERS": "3"},
    "iterations": {"ITERATIONS": "1-1"},
}
OF = {"many_threads": ("", "profile", "samples", "window", "the end"), "openmp_constructs": ("", "profile"), "paused_team": ("iterations",)}


def run(options, program, wishes, is_told=True):
    """Lines that say where races are."""
    folder = pathlib.Path(options.work)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    told = options.told if is_told else ("", "")
    environment = {**os.environ, **ENVIRONMENT, "HEDDLE_RECORD_DIR": str(folder), "LD_PRELOAD": " ".join((told[0], options.recorder, told[1], options.sanitizer)),
                   "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 atexit_sleep_ms=20", "OMP_TOOL": "enabled", **{"HEDDLE_RECORD_" + name: text for name, text in wishes.items()}}
    done = subprocess.run([program], capture_output=True, text=True, timeout=HANG_SECONDS, env=environment, errors="replace")
    races = sorted(set(re.findall(r"^SUMMARY: ThreadSanitizer: (.*)", done.stderr, re.M)))
    assert done.returncode == (66 if races else 0), f"exit code {done.returncode}: {done.stderr}"
    assert re.fullmatch(r"\d+( \d+)*\n", done.stdout), f"{program} {wishes}: {done.stdout!r} {done.stderr}"
    kind = "profile" if "PROFILE" in wishes else "log"
    n = 1 if "WINDOW" in wishes else 2 if "ITERATIONS" in wishes else 3  # threads that begin before the window are not recorded
    assert len(list(folder.glob(f"*.{kind}"))) >= n, f"{program}: {os.listdir(folder)}"
    return races


def main():
    parser = argparse.ArgumentParser()
    for name in ("recorder", "sanitizer", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--told", nargs=2, required=True, help="libraries that are loaded before and behind the recorder's")
    parser.add_argument("programs", nargs="+", help="of OF, with the compiler behind")
    options = parser.parse_args()
    wrong = 0
    for program in options.programs:
        kind = next(kind for kind in OF if kind in program)
        for name in OF[kind]:
            races = run(options, program, WISHES[name])
            wrong += len(races)
            for race in races:
                print(f"{os.path.basename(program)} {name}: {race}", flush=True)
        if kind == "openmp_constructs" and not any("src/record/preload" in race for race in run(options, program, {}, is_told=False)):
            wrong += 1
            print(f"{os.path.basename(program)}: the sanitizer does not see the recorder", flush=True)
    sys.exit(1 if wrong else 0)


main()

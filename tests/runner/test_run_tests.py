#!/usr/bin/env python3
"""What run_tests.py makes of tests that pass, fail, crash, are skipped and hang: each gets its row, and the one that hangs is ended.

usage: test_run_tests.py RUN_TESTS WORK_FOLDER
"""
import os
import pathlib
import subprocess
import sys

TESTS = r"""
add_test(passes "/bin/sh" "-c" "exit 0")
add_test(fails "/bin/sh" "-c" "echo one; echo FAIL two; for i in 3 4 5 6 7; do echo \$i; done; exit 1")
add_test(crashes "/bin/sh" "-c" "kill -SEGV \$\$")
add_test(is_skipped "/bin/sh" "-c" "exit 77")
add_test(hangs "/bin/sh" "-c" "sleep 100000 & wait")
set_tests_properties(is_skipped PROPERTIES SKIP_RETURN_CODE 77)
"""
OUTCOMES = {"passes": "passed", "fails": "failed", "crashes": "failed", "is_skipped": "skipped", "hangs": "failed"}

run_tests, work = sys.argv[1], pathlib.Path(sys.argv[2])
work.mkdir(parents=True, exist_ok=True)
(work / "CTestTestfile.cmake").write_text(TESTS)
results = work / "results.tsv"
results.unlink(missing_ok=True)
environment = {**os.environ, "HEDDLE_TEST_IDLE_SECONDS": "2"}
part = subprocess.run([sys.executable, run_tests, results, "part", "five", work, "alone NAME"], env=environment, capture_output=True, text=True)
rows = [line.split("\t") for line in results.read_text().splitlines()]
assert {row[1]: row[2] for row in rows} == OUTCOMES, (rows, part.stdout, part.stderr)
assert all(row[4] == f"alone {row[1]}" for row in rows), rows
assert "no processor time used for" in part.stdout, part.stdout
end = subprocess.run([sys.executable, run_tests, results, "end"], capture_output=True, text=True)
assert "alone fails\n      FAIL two\n" in end.stdout and "alone crashes\n" in end.stdout, end.stdout
assert end.returncode == 1 and end.stdout.splitlines()[-1] == "1 passed, 3 failed, 1 skipped", (end.returncode, end.stdout)

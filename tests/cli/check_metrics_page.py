#!/usr/bin/env python3
"""Every metric of the program's table has its place in docs/metrics.md, every one that is measured or a heuristic a test.

usage: check_metrics_page.py   (the test named patterns)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LATER = re.compile(r"mpi_rma_|bytes_(put|get)$")


def main():
    table = (ROOT / "src" / "profile" / "metric_table.h").read_text()
    page = (ROOT / "docs" / "metrics.md").read_text()
    # In tests, not in the oracle, which names everything that it computes.
    tests = "".join(path.read_text(errors="replace") for path in (ROOT / "tests").rglob("test_*.c"))
    tested = set(re.findall(r'(?<=")\w+(?=")|(?<=\bHD_METRIC_)\w+|(?<=\bM\()\w+', tests))
    wrong = []
    rows = re.findall(r"^X\((\w+), \w+, \"[^\"]*\", \w+, (\w),", table, re.M)
    for metric, kind in rows:
        anchored = f'<a id="{metric}"></a>' in page
        if LATER.match(metric) and not anchored:
            continue
        if not anchored:
            wrong.append(f"docs/metrics.md has no place for {metric}")
        elif kind in "RH" and metric not in tested:
            wrong.append(f"no test names {metric}")
    print("\n".join(wrong) or f"{len(rows)} metrics")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Every metric of the program's table has its place in docs/metrics.md and in the HTML report's program; every one that is measured or a
heuristic has a test and a second opinion.

usage: check_metrics_page.py   (the test named patterns)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import analysis  # noqa: E402
import causes  # noqa: E402

# Of messages on a topology and on the machine there is no second opinion: tests/topology has values worked out by hand.
WITHOUT_OPINION = re.compile(r"mpi_ls_refill|mpi_refill_count$|topo_|machine_")


def main():
    table = (ROOT / "src" / "profile" / "metric_table.h").read_text()
    page = (ROOT / "docs" / "metrics.md").read_text()
    program = (ROOT / "src" / "report" / "html" / "app" / "dist" / "page.js").read_text()
    explained = set(re.findall(r'[{,]"?(\w+)"?:\d+(?=[,}])', program))  # its table of anchors
    # In tests, not in the oracle, which names everything that it computes.
    tests = "".join(path.read_text(errors="replace") for path in (ROOT / "tests").rglob("test_*.c"))
    tested = set(re.findall(r'(?<=")\w+(?=")|(?<=\bHD_METRIC_)\w+|(?<=\bM\()\w+', tests))
    computed = set(analysis.METRICS) | set(causes.METRICS)
    wrong = []
    rows = re.findall(r"^X\((\w+), \w+, \"[^\"]*\", \w+, (\w),", table, re.M)
    for metric, kind in rows:
        if f'<a id="{metric}"></a>' not in page:
            wrong.append(f"docs/metrics.md has no place for {metric}")
        elif metric not in explained:
            wrong.append(f"the HTML report does not explain {metric}: run ./dev page")
        if kind in "RH" and metric not in tested:
            wrong.append(f"no test names {metric}")
        if kind in "RH" and metric not in computed and not WITHOUT_OPINION.match(metric):
            wrong.append(f"no class of tests/oracle/patterns computes {metric}: values of the program are not compared")
    print("\n".join(wrong) or f"{len(rows)} metrics")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

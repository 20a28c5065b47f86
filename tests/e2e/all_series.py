"""What a report with --series all has of the critical path, classes of MPI calls, and imbalance: text, maps, CSV and JSON. For test_series.py."""
import csv
import io
import json

CLASSES = ("mpi_init_exit", "mpi_mgmt_comm", "mpi_sync_collective", "mpi_point2point", "mpi_collective", "mpi_rma_communication", "mpi_mgmt_win",
           "mpi_rma_sync_active", "mpi_rma_sync_passive", "mpi_mgmt_file", "mpi_io_individual", "mpi_io_collective")
TIMES = ("comp", "mpi", "omp_time", "critical_path", *CLASSES)
STARTUP = ("mpi_init_wait", "mpi_init_completion", "mpi_finalize_wait")


def check_no_distance(text):
    """Imbalance, as CSV: none where all compute as long, also where numbers are rounded."""
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows and all(float(row["value"]) >= 1e-10 for row in rows), min(rows, key=lambda row: float(row["value"]))


def check_what_is_not_there(series, report, other, alone):
    """Messages are true. alone: a report of one process."""
    assert "  none in them\n" in series(report, "--metric", "mpi_init_exit", "--paths"), "MPI_Init is in no iteration"
    assert "  none in them\n" in series(report, "--metric", "mpi_init_exit")
    series(report, "--metric", "duration", "--paths", codes=(2,), word="of processes, not of call paths")
    series(report, "--metric", "duration", "--by", "windows", codes=(2,), word="iterations have a duration")
    series(other, "--metric", "duration", codes=(2,), word="iterations have a duration")
    for metric in ("imbalance", "imbalance_above"):
        for how in ((), ("--map",), ("--csv",)):
            series(alone, "--metric", metric, *how, codes=(2,), word=f'metric "{metric}"\n  note:     computation takes as long on each process')


def check_all_series(series, report, other, without_path, alone, folder):
    """series(): runs heddle series. report: with --series all and iterations; other: without; without_path: with --no-critical-path; alone: of one process."""
    check_what_is_not_there(series, report, other, alone)
    lines = series(report, "--width=200").splitlines()
    assert any(line.startswith("  Critical path") for line in lines) and any(line.startswith("  Collective (mpi_collective)") for line in lines), lines
    for by in ("iterations", "windows"):
        text = series(report, "--metric", "critical_path", "--map", "--by", by)
        assert text.startswith("Critical path\n") and "down: process" in text, text
        lines = series(report, "--metric", "critical_path", "--by", by).splitlines()
        assert lines[0].startswith("Report") and any(line.startswith("  process 0") for line in lines), lines
        shown = json.loads(series(report, "--json"))[by]
        assert {"critical_path", "mpi_collective", "mpi_init_exit"} <= {row["metric"] for row in shown["series"]} & {row["metric"] for row in shown["paths"]}, shown["series"]
    assert {"critical_path", "mpi_collective"} <= {row["metric"] for row in json.loads(series(report, "--json"))["iterations"]["verdicts"]}
    whole = json.loads(series(report, "--json", "--metric", "mpi_communication"))["iterations"]
    part = json.loads(series(report, "--json", "--metric", "mpi_collective"))["iterations"]
    assert [row["values"] for row in whole["series"]] == [row["values"] for row in part["series"]] != [], whole
    assert [row["values"] for row in whole["paths"]] == [row["values"] for row in part["paths"]] != [], whole
    imbalance = json.loads(series(report, "--json", "--metric", "imbalance"))["iterations"]
    assert imbalance["series"] and imbalance["paths"] == [], imbalance
    series(report, "--metric", "imbalance", "--paths", codes=(2,), word="not of call paths")
    series(report, "--metric", "mpi_io", codes=(2,), word="the run has none of these")
    picture = folder / "critical.svg"
    series(report, "--metric", "critical_path", "--picture", picture, "-f")
    assert "<svg" in picture.read_text()
    for metric in ("critical_path", "mpi_point2point", "mpi_communication"):
        series(other, "--metric", metric, codes=(2,), word="heddle analyze --series all")
    series(without_path, "--metric", "critical_path", codes=(2,), word="without --no-critical-path")
    series(without_path, "--metric", "mpi_collective")
    assert series(other, "--metric", "imbalance").count("  process ") > 0

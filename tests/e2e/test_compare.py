#!/usr/bin/env python3
"""heddle diff, mean, merge, cut and scaling on real reports: identities, sums, rules and exit codes, files.

usage: test_compare.py --heddle PROGRAM --work DIR
"""
import argparse
import base64
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zlib

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY, is_writing

DATA = ROOT / "tests" / "data"
MPI = "scorep-jacobi-mpi-c-16"    # 16 processes
HYBRID = "scorep-jacobi-hyb-c-4x2"  # 4 processes of two threads, the same solver
OTHERS = ["pat-mpi-4", "pat-topo-6", "pat-hybtask-2x3", "npb-is-S-8", "pat-rma-4"]


def run(options, *arguments, code=0, word="", limit=None):
    """Ends with this exit code; an error is said once and has this word in it. limit: bytes of a file that it may write."""
    command = [options.heddle, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL, restore_signals=limit is None,  # without SIGXFSZ
                          preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))),
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    assert done.returncode == code, f"{command}: exit code {done.returncode} instead of {code}: {done.stderr}"
    assert done.stderr.count("heddle: error: ") == (1 if code in (1, 2) else 0), f"{command}: {done.stderr}"
    assert word in done.stderr, f"{command}: {word!r} is not said: {done.stderr}"
    return done.stderr if code in (1, 2) else done.stdout


def report(options, name):
    path = pathlib.Path(options.work) / f"{name}.cubex"
    if name not in options.made:
        run(options, "analyze", DATA / name, "-o", path, "--force", "--quiet", "--no-summary")
        options.made.add(name)
    return path


def fresh(options, name):
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def values(options, path):
    """(metric, call path, process, thread): value, as heddle dump has them."""
    out = {}
    for line in run(options, "dump", path).splitlines():
        metric, call_path, process, thread, value = line.split("\t")
        key = metric, call_path, int(process), int(thread)
        out[key] = out.get(key, 0) + float(value)
    return out


def seconds_in(line):
    """The times of a line of text: three significant digits."""
    units = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
    return [float(number) * units[unit] for number, unit in re.findall(r"([+-]?[\d.]+) ([mun]?s)\b", line)]


def sums(all_values, selected=lambda key: True, key=lambda key: key[0]):
    out = {}
    for place, value in all_values.items():
        if selected(place):
            out[key(place)] = out.get(key(place), 0) + value
    return out


def close(a, b, what, scale=0):
    for key in a.keys() | b.keys():
        x, y = a.get(key, 0), b.get(key, 0)
        assert abs(x - y) <= 1e-12 * max(abs(x), abs(y), scale), f"{what}: {key} is {x}, not {y}"


def head_of(page):
    """The head of a page, as docs/formats.md has it."""
    text = re.search(r'id="heddle-head">([^<]*)<', page.read_text()).group(1)
    return json.loads(zlib.decompress(base64.b64decode(text)))


# ---- identities -------------------------------------------------------------------------------------------------------------


def a_report_minus_itself_is_zero(options):
    folder = fresh(options, "itself")
    for name in [MPI, HYBRID, *OTHERS]:
        text = run(options, "diff", report(options, name), report(options, name), "-o", folder / f"{name}.cubex", "--fail-if", "time > +0%",
                   "--fail-if", "time < -0%", "--fail-if", "time > +0s")
        assert "Wait states" not in text and "Rules: 0 of 3 violated" in text, text
        assert values(options, report(options, name)) and values(options, folder / f"{name}.cubex") == {}


def the_mean_of_equal_reports_is_the_report(options):
    folder = fresh(options, "mean")
    for name in [MPI, HYBRID, *OTHERS]:
        path = report(options, name)
        expected = run(options, "dump", path)
        for n in (2, 3):
            run(options, "mean", *[path] * n, "-o", folder / f"{name}-{n}.cubex", "--quiet")
            assert run(options, "dump", folder / f"{name}-{n}.cubex") == expected and expected.count("\n") > 100, name


def a_mean_knows_no_main_window_so_its_imbalance_impact_is_compared_with_that_of_a_run(options):
    mean, one, name = fresh(options, "mean-impact") / "mean.cubex", report(options, "npb-is-S-8"), "critical_imbalance_impact"
    run(options, "mean", one, one, "-o", mean, "--quiet")
    of = [(row["a"], row["b"]) for a in (mean, one) for row in json.loads(run(options, "diff", a, one, "--json"))["metrics"] if row["metric"] == name]
    assert len(of) == 2 and of[0] == (0, 0) and of[1][0] == of[1][1] > 0.05, of


def merging_is_associative(options):
    folder = fresh(options, "merge")
    triples = [(MPI, HYBRID, "pat-mpi-4"), (HYBRID, "pat-hybtask-2x3", MPI), ("pat-rma-4", "pat-topo-6", "pat-rma-4")]
    for n, names in enumerate(triples):
        a, b, c = [report(options, name) for name in names]
        ab, bc, ab_c, a_bc, abc = [folder / f"{n}-{name}.cubex" for name in ("ab", "bc", "ab_c", "a_bc", "abc")]
        for output, inputs in ((ab, (a, b)), (bc, (b, c)), (ab_c, (ab, c)), (a_bc, (a, bc)), (abc, (a, b, c))):
            run(options, "merge", *inputs, "-o", output, "--quiet")
        parts = [contents(path) for path in (ab_c, a_bc, abc)]
        assert parts[0] == parts[1] == parts[2] and len(parts[0]) > 20, names
        close(sums(values(options, abc), lambda key: key[0] == "time"), sums(values(options, a), lambda key: key[0] == "time"), names)


def contents(path):
    """All members of a report; of the anchor without what says what it was merged of."""
    with tarfile.open(path) as tar:
        out = {member.name: tar.extractfile(member).read() for member in tar.getmembers()}
    out["anchor.xml"] = re.sub(rb'<attr key="Heddle::Algebra"[^>]*>', b"", out["anchor.xml"])
    return out


def opposite_differences_are_opposite_numbers(options):
    folder = fresh(options, "opposite")
    a, b = folder / "a.cubex", folder / "b.cubex"
    run(options, "cut", report(options, MPI), "--prune", "MPI_Init", "-o", a, "--quiet")
    run(options, "cut", report(options, MPI), "--prune", "MPI_Recv", "--drop", "-o", b, "--quiet")
    run(options, "diff", a, b, "-o", folder / "ab.cubex", "--quiet")
    run(options, "diff", b, a, "-o", folder / "ba.cubex", "--quiet")
    ab, ba = values(options, folder / "ab.cubex"), values(options, folder / "ba.cubex")
    assert ab and {key: -value for key, value in ba.items()} == ab
    of_a, of_b = values(options, a), values(options, b)
    assert ab == {key: of_b.get(key, 0) - of_a.get(key, 0) for key in of_a.keys() | of_b.keys() if of_b.get(key, 0) != of_a.get(key, 0)}


# ---- reports that differ ---------------------------------------------------------------------------------------------------


def time_outside(report):
    """Outside of the main window, but for MPI_Init and MPI_Finalize."""
    with tarfile.open(report) as archive:
        rows = [line.split("\t") for line in archive.extractfile("heddle.startup.tsv").read().decode().splitlines()]
    return sum(float(value) / int(resolution or 1) for metric, _, resolution, _, values in rows if metric == "time" for value in values.split(",") if value)


def runs_of_different_sizes_are_compared_by_their_sums(options):
    folder = fresh(options, "sizes")
    a, b = report(options, HYBRID), report(options, MPI)
    text = run(options, "diff", a, b, "-o", folder / "d.cubex", "--html", folder / "d.html", "--all", "--with-startup")
    assert "sums over all of them are compared" in text, text
    path_key = lambda key: (key[0], ";".join(key[1].split(";")[1:]))  # the programs have different names
    of_a, of_b = sums(values(options, a), key=path_key), sums(values(options, b), key=path_key)
    difference = {key: of_b.get(key, 0) - of_a.get(key, 0) for key in of_a.keys() | of_b.keys()}
    close(sums(values(options, folder / "d.cubex"), key=path_key), difference, "difference", 1)
    head = head_of(folder / "d.html")
    assert head["kind"] == "difference" and "minus" in head["title"] and len(difference) > 200, head["title"]
    close({metric["id"]: metric["total"] for metric in head["metrics"]}, sums(difference, key=lambda key: key[0]), "page", 10)
    without = run(options, "diff", a, b, "--all")
    outside = [time_outside(a), time_outside(b)]
    for page, is_counted, left_out in ((text, lambda path: True, (0, 0, 0)),
                                       (without, lambda path: "MPI_Init" not in path and "MPI_Finalize" not in path, (*outside, outside[1] - outside[0]))):
        time_line = next(line for line in page.splitlines() if line.startswith("  Time "))
        times = [sum(value for (metric, path), value in of.items() if metric == "time" and is_counted(path)) - out
                 for of, out in zip((of_a, of_b, difference), left_out)]
        for number, expected in zip(seconds_in(time_line), times):
            assert abs(number - expected) <= 0.006 * abs(expected), (time_line, expected)


def reports_of_different_programs_are_said_to_be(options):
    """The programs of pat-mpi-4 and npb-is-S-8 have main alone in common; jacobi.f and its hybrid variant are one solver."""
    a, b = report(options, "pat-mpi-4"), report(options, "npb-is-S-8")
    for command in (["diff", a, b], ["diff", a, b, "--markdown"], ["scaling", a, b]):
        text, said = said_of(options, *command)
        assert "They seem to be of different programs" in text and "is.S.x" in text, text
        assert "the reports seem to be of different programs" in said, said
    for command in ("diff", "scaling"):
        assert "seem to be" in json.loads(run(options, command, a, b, "--json"))["different_programs"]
        assert json.loads(run(options, command, report(options, HYBRID), report(options, MPI), "--json"))["different_programs"] is None


def the_mean_of_two_runs(options):
    folder = fresh(options, "two-runs")
    a, b = report(options, "pat-mpi-4"), folder / "b.cubex"
    run(options, "cut", a, "--prune", "MPI_Barrier", "--drop", "-o", b, "--quiet")
    text = run(options, "mean", a, b, "-o", folder / "m.cubex", "--html", folder / "m.html")
    assert "Time breakdown" in text and f'report: "{folder / "m.cubex"}"' in text and head_of(folder / "m.html")["kind"] == "report"
    of_a, of_b = values(options, a), values(options, b)
    assert len(of_b) < len(of_a)
    assert values(options, folder / "m.cubex") == {key: (of_a[key] + of_b.get(key, 0)) / 2 for key in of_a}
    done = subprocess.run([options.heddle, "mean", a, report(options, MPI), "-q", "-o", folder / "s.cubex"], capture_output=True, text=True, check=True)
    assert "different processes: values are summed up over all of them" in done.stderr


# ---- cutting ---------------------------------------------------------------------------------------------------------------


def a_new_root_keeps_the_sums_below_it(options):
    folder = fresh(options, "root")
    whole = values(options, report(options, HYBRID))
    text = run(options, "cut", report(options, HYBRID), "--root", "main", "-o", folder / "c.cubex")
    assert "Time breakdown" in text
    cut = values(options, folder / "c.cubex")
    assert cut and all(key[1].split(";")[0] == "main" for key in cut)
    below = {(metric, path[path.index("main"):], *place): value for (metric, path, *place), value in whole.items() if "main" in path.split(";")}
    assert cut == below and len(below) < len(whole)


def pruning_preserves_totals(options):
    folder = fresh(options, "prune")
    by_place = lambda key: (key[0], *key[2:])
    for name in (HYBRID, MPI, "pat-mpi-4"):
        whole = values(options, report(options, name))
        run(options, "cut", report(options, name), "--prune", "main", "-o", folder / f"{name}.cubex", "--quiet", "--html", folder / f"{name}.html")
        pruned = values(options, folder / f"{name}.cubex")
        assert 0 < len(pruned) < len(whole)
        scale = max(map(abs, sums(whole).values()))
        close(sums(pruned, key=by_place), sums(whole, key=by_place), name, scale)
        run(options, "cut", report(options, name), "--prune", "main", "--drop", "-o", folder / f"{name}-dropped.cubex", "--quiet")
        dropped = values(options, folder / f"{name}-dropped.cubex")
        assert dropped == {key: value for key, value in whole.items() if "main" not in key[1].split(";")}


def what_cannot_be_cut(options):
    folder = fresh(options, "no-cut")
    path = report(options, MPI)
    run(options, "cut", path, "-o", folder / "c.cubex", code=2, word="nothing is to be cut")
    run(options, "cut", path, "--root", "mian", "-o", folder / "c.cubex", code=2, word="mian")
    root = next(iter(values(options, path)))[1].split(";")[0]
    run(options, "cut", path, "--prune", root, "-o", folder / "c.cubex", code=2, word="--drop")
    run(options, "cut", path, "--prune", root, "--drop", "-o", folder / "c.cubex", code=2, word="nothing")
    assert list(folder.iterdir()) == []


# ---- why, in what order, of how many runs --------------------------------------------------------------------------------


def wall_time_comes_first_then_causes_then_wait_states(options):
    a, b = report(options, HYBRID), report(options, MPI)
    text = run(options, "diff", a, b, "--top=2")
    heads = re.findall(r"^(\w.*?)(?:  |:|$)", text, re.M)
    assert re.match(r"B takes \d+\.\d\d x as long$", heads[0]) and re.search(r": [\d.]+ m?s -> [\d.]+ m?s \(main window\)\n", text), text
    assert heads[1:] == ["Causes that have changed (delay costs)", "Computation on the critical path", "Wait states", "Metrics"], heads
    assert text.count("  Late Sender ") <= 1 and "propagating" not in text and "1 run each: not tested" in text, text
    assert "(run)\n" in run(options, "diff", a, b, "--with-startup").splitlines(keepends=True)[0]
    text = run(options, "diff", a, b, "--all")
    assert "\nTime by call path " in text and "propagating" in text, text


def causes_name_the_processes_that_carry_the_change(options):
    """In the one of which a cause is pruned nobody is to blame at it: all of it has changed, by who had it."""
    folder = fresh(options, "carriers")
    a, b = report(options, "pat-mpi-4"), folder / "b.cubex"
    causes = sums(values(options, a), lambda key: key[0] == "delay_latesender", key=lambda key: key[1])
    path = max(causes, key=causes.get)
    value = json.loads(run(options, "diff", a, a, "--json"))
    assert value["causes"] == [] and value["critical_path"] == [] and value["wall"]["of"] == "main window", value["causes"]
    run(options, "cut", a, "--prune", path.split(";")[-1], "--drop", "-o", b, "--quiet")
    value = json.loads(run(options, "diff", b, a, "--json", "--top=20"))
    cause = next(cause for cause in value["causes"] if ";".join(cause["call_path"]) == path)
    of = sums(values(options, a), lambda key: key[1] == path and re.fullmatch("delay_.*_(?:aggregate|longterm)", key[0]), key=lambda key: key[2])
    ranked, whole = sorted(of, key=lambda process: (-of[process], process)), sum(of.values())
    n = next(n for n in range(1, len(ranked) + 1) if sum(of[process] for process in ranked[:n]) >= 0.9 * whole * (1 - 1e-12))
    assert cause["a"] == 0 and sorted(cause["carrying_processes"]) == sorted(ranked[:n]), (cause, of)


def archives_are_analysed_on_the_fly(options):
    folder, temporary = fresh(options, "archives"), fresh(options, "archives-tmp")
    archives = [DATA / "pat-mpi-4", DATA / "pat-nbc-4" / "traces.otf2"]
    expected = json.loads(run(options, "diff", report(options, "pat-mpi-4"), report(options, "pat-nbc-4"), "--json", "--all"))
    before = [sorted(path.name for path in (DATA / name).iterdir()) for name in ("pat-mpi-4", "pat-nbc-4")]
    environment = dict(os.environ, TMPDIR=str(temporary), **MPI_ENVIRONMENT)
    done = subprocess.run([options.heddle, "diff", *archives, "--json", "-o", folder / "d.cubex"], capture_output=True, text=True, env=environment, timeout=HANG_SECONDS)
    assert done.returncode == 0 and "heddle: replay" in done.stderr, done.stderr
    got = json.loads(done.stdout)
    assert [got["a"]["path"], got["b"]["path"]] == list(map(str, archives))
    for document in (got, expected):
        for key in ("a", "b", "runs"):
            del document[key]
    assert got == expected
    assert [sorted(path.name for path in (DATA / name).iterdir()) for name in ("pat-mpi-4", "pat-nbc-4")] == before
    quiet = subprocess.run([options.heddle, "diff", *archives, "-q"], capture_output=True, text=True, env=environment, timeout=HANG_SECONDS)
    assert "heddle: replay" not in quiet.stderr and quiet.returncode == 0, quiet.stderr
    run(options, "diff", report(options, MPI), folder, code=1)
    done = subprocess.run([options.heddle, "diff", *archives], capture_output=True, text=True, env=dict(environment, PMIX_RANK="0"), timeout=HANG_SECONDS)
    assert done.returncode == 2 and "without a launcher" in done.stderr, done.stderr
    done = subprocess.run([options.heddle, "diff", *archives], capture_output=True, text=True, env=dict(environment, TMPDIR=str(folder / "none")), timeout=HANG_SECONDS)
    assert done.returncode == 1 and "temporary folder" in done.stderr, done.stderr
    assert [path for path in temporary.iterdir() if path.name.startswith("heddle")] == []


def a_signal_leaves_no_temporary_report(options):
    temporary = fresh(options, "signal-tmp")
    environment = dict(os.environ, TMPDIR=str(temporary), **MPI_ENVIRONMENT)
    process = subprocess.Popen([options.heddle, "diff", DATA / MPI, DATA / MPI], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    while process.poll() is None and not any(path.name.startswith("heddle-") for path in temporary.iterdir()):
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=HANG_SECONDS)
    assert process.returncode == -signal.SIGTERM, process.returncode
    assert [path for path in temporary.iterdir() if path.name.startswith("heddle")] == []


def several_runs_are_told_apart(options):
    folder = fresh(options, "runs")
    a, b = report(options, "pat-mpi-4"), folder / "b.cubex"
    run(options, "cut", a, "--prune", "MPI_Barrier", "--drop", "-o", b, "--quiet")
    run(options, "diff", a, a, b, code=2, word="A1 A2 A3 -- B1 B2 B3")
    run(options, "diff", a, a, "--", code=2, word='after "--"')
    run(options, "diff", a, "--", b, "--significant", code=2, word="at least 2 runs")
    text = run(options, "diff", a, a, "--", b, b, "-o", folder / "d.cubex", "--html", folder / "d.html")
    assert "Means of 2 and 2 runs" in text and text.count('\n  A: "') == text.count('\n  B: "') == 2 and "<0.001 *" in text, text
    of_a, of_b = values(options, a), values(options, b)
    expected = {key: of_b.get(key, 0) - of_a.get(key, 0) for key in of_a.keys() | of_b.keys() if of_b.get(key, 0) != of_a.get(key, 0)}
    assert values(options, folder / "d.cubex") == expected and expected
    head = head_of(folder / "d.html")
    assert len(head["difference"]["runs"]["a"]) == 2 and head["difference"]["causes"] is not None
    assert "not tested" in run(options, "diff", a, a, "--", b)
    rule = ["--quiet", "--fail-if", "time < -0.001%"]
    run(options, "diff", a, a, "--", b, b, *rule, "--significant", code=4)
    run(options, "diff", a, b, "--", b, b, *rule, code=4)
    text = run(options, "diff", a, b, "--", b, b, *rule, "--significant")
    assert "holds, but the difference is not more than noise: -" in text, text
    assert run(options, "diff", "--", a, b) == run(options, "diff", a, "--", b) == run(options, "diff", a, b)


# ---- rules -----------------------------------------------------------------------------------------------------------------


def rules_and_exit_codes(options):
    folder = fresh(options, "rules")
    a, b = report(options, HYBRID), report(options, MPI)
    rules = folder / "perf.rules"
    rules.write_text("# what must not happen\nmpi_latesender > +5%   # waiting\n\nmpi_bytes > +1TiB\n")
    text = run(options, "diff", a, b, "--fail-if", "mpi_latesender > +5%", "--fail-if", "visits > 1000000000", code=4)
    assert "Rules: 1 of 2 violated\n  violated      mpi_latesender > +5% holds: +" in text and "\n  passed        visits > 1000000000 does not hold: " in text, text
    assert run(options, "diff", a, b, "--quiet", "--fail-if", "visits > 1000000000") == text_of_rules("passed", "visits > 1000000000", options, a, b)
    run(options, "diff", a, b, "--rules", folder / "no.rules", code=1, word="no.rules")
    markdown = run(options, "diff", a, b, "--rules", rules, "--markdown", code=4) if has_metric(options, a, "mpi_bytes") else None
    rules.write_text("mpi_latesender > +5%\n")
    markdown = markdown or run(options, "diff", a, b, "--rules", rules, "--markdown", code=4)
    assert markdown.startswith("### Heddle: 1 of ") and "| **violated** | `mpi_latesender > +5%` holds |" in markdown and "| Time `time` |" in markdown, markdown
    for bad, word in (("mpi_latesender", "neither"), ("mpi_latesendr > +5%", "closest"), ("time > 5%", "percent"), ("time > +5kg", '"kg"'),
                      ("time at nowhere > +5%", "nowhere")):
        run(options, "diff", a, b, "--fail-if", bad, "-o", folder / "d.cubex", code=2, word=word)
    # efficiencies: of B, changed from A to B, of the whole run; with a rule of another kind; and in a report that has none
    whole = [json.loads(run(options, "efficiency", path, "--json"))["whole"]["load_balance"] for path in (a, b)]
    one, other = sorted(whole)
    assert other - one > 0.02, whole
    middle, drop = (one + other) / 2, 100 * (other - one) - 1
    low, high = (a, b) if whole[0] < whole[1] else (b, a)
    text = run(options, "diff", high, low, "--fail-if", f"whole:load_balance < {middle}", "--fail-if", f"whole:load_balance < -{drop}%",
               "--fail-if", "visits > 1000000000", "--quiet", code=4)
    assert f"violated      whole:load_balance < {middle} holds: {100 * one:.1f} % (A: {100 * other:.1f} %, B: {100 * one:.1f} %)\n" in text, text
    assert f"violated      whole:load_balance < -{drop}% holds: {100 * (one - other):+.1f} pp (" in text and "Rules: 2 of 3 violated" in text, text
    run(options, "diff", low, high, "--fail-if", f"whole:load_balance < {middle}", "--fail-if", "whole:load_balance < -0.1%", "--quiet")
    document = json.loads(run(options, "diff", high, low, "--fail-if", f"whole:load_balance < {middle}", "--json", code=4))["rules"][0]
    assert (document["result"], document["metric"], document["compares"]) == ("violated", "whole:load_balance", "efficiency"), document
    assert abs(document["b"] - one) < 1e-12 and abs(document["a"] - other) < 1e-12, document
    for command in (("diff", a, b), ("efficiency", a)):
        for bad, word in (("load_balance < much", "no number"), ("whole:lod_balance < 0.5", "load_balance"), ("load_balance < -5", "write:    load_balance < -0.05, or -5%"),
                          ("load_balance at main < 0.8", "write:    load_balance < 0.8"), ("load_balance <= 0.8", 'has "="'), ("load_balance < 0,8", "decimals"),
                          ("load_balance < -5%time", "no times"), ("load_balance < 80", "0.8, or 80%"), ("parallel_efficiency < 0.8", "parallel"), ("load_balance 1", "neither")):
            run(options, *command, "--fail-if", bad, code=2, word=word)
    line = next(line for line in run(options, "efficiency", a, "--focus", "MPI_Allreduce").splitlines() if "MPI_Allreduce   " in line)
    assert line.split()[-3:] == ["-", "-", "-"], line  # nothing in it computes
    assert "OpenMP load balance" in run(options, "efficiency", report(options, HYBRID))
    text = run(options, "efficiency", report(options, "pat-pthread-3"))
    assert "  Thread load balance  " in text and "OpenMP load balance" not in text and "MPI load balance" not in text, text
    run(options, "efficiency", a, "--fail-if", "load_balance < -5%", code=2, word="heddle diff A B --fail-if 'load_balance < -5%'")
    bare = folder / "bare.cubex"
    run(options, "mean", a, a, "-o", bare, "--quiet")
    text = run(options, "diff", a, bare, "--fail-if", "load_balance < 0.5", "--quiet", code=3)
    assert "inconclusive  load_balance < 0.5 does not hold: not known (A: " in text, text
    bare.unlink()
    rules.write_text("time > +5%\ntime > much\n")
    run(options, "diff", a, b, "--rules", rules, "-o", folder / "d.cubex", code=2, word="2 of ")
    assert [path.name for path in folder.iterdir()] == ["perf.rules"]


def has_metric(options, path, metric):
    return any(key[0] == metric for key in values(options, path))


def text_of_rules(result, rule, options, a, b):
    n_a, n_b = (sums(values(options, path))["visits"] for path in (a, b))
    return f"\nRules: 0 of 1 violated\n  {result:12}  {rule} does not hold: {n_b:.5g} occ (A: {n_a:.5g} occ, B: {n_b:.5g} occ)\n"


# ---- reports that are not complete ------------------------------------------------------------------------------------------

COVERS = "trace coverage 90 % of recorded events (3 of 4 locations complete)"
WITHOUT = "delay costs, critical path"


def incomplete_reports(options):
    """Of one program: all of it; with a file of events that is cut off; stopped; without what follows from the backward replay. And what stopped it."""
    if options.incomplete is not None:
        return options.incomplete
    folder = fresh(options, "incomplete-reports")
    full, part, stopped, without = [folder / f"{name}.cubex" for name in ("full", "part", "stopped", "without")]
    shutil.copy(report(options, "pat-mpi-4"), full)
    shutil.copytree(DATA / "pat-mpi-4", folder / "cut")
    os.truncate(folder / "cut" / "traces" / "1.evt", 9000)
    run(options, "analyze", folder / "cut", "-o", part, "--quiet", "--no-summary", code=3)
    run(options, "analyze", DATA / "pat-mpi-4", "-o", without, "--quiet", "--no-summary", "--no-delay", "--no-critical-path")
    stopped.write_bytes(full.read_bytes().replace(b'key="Heddle::Version" value="', b'key="Heddle::Stopped" value="'))  # as many bytes
    version = re.search(r"Heddle version +(.*)", run(options, "summary", full)).group(1)
    options.incomplete = full, part, stopped, without, version
    return options.incomplete


def said_of(options, name, *arguments):
    """Standard output and standard error."""
    done = subprocess.run([options.heddle, name, *map(str, arguments)], capture_output=True, text=True, check=True, timeout=HANG_SECONDS)
    return done.stdout, done.stderr


def what_is_made_of_incomplete_reports_says_so(options):
    folder = fresh(options, "incomplete")
    full, part, stopped, without, version = incomplete_reports(options)
    warning = f'heddle: warning: report "{part}" is incomplete: {COVERS}\n'
    one = f'{COVERS} in "{part}" (1 of 2 reports)'
    out = folder / "out.cubex"
    for name, reports in {"mean": (part, full), "merge": (full, part), "diff": (full, part)}.items():
        assert said_of(options, name, *reports, "-o", out, "--html", folder / "out.html", "-f", "-q") == ("", warning), name
        assert run(options, "summary", out).splitlines()[0].endswith("; " + one), name
        assert ["Heddle::Coverage", one.removeprefix("trace coverage ")] in head_of(folder / "out.html")["attributes"], name
    run(options, "cut", out, "--root", "main", "-o", folder / "cut.cubex", "-q")
    assert run(options, "summary", folder / "cut.cubex").splitlines()[0].endswith("; " + one)
    assert "is incomplete: " + one in said_of(options, "mean", out, full, "-o", folder / "again.cubex", "-q")[1]

    text, said = said_of(options, "mean", stopped, part, without, part, full, "-o", out, "-f")
    assert said == (f'heddle: warning: report "{stopped}" is incomplete: stopped {version}\n{warning}heddle: warning: report "{without}" was made without {WITHOUT}\n'
                    f"{warning}"), said
    assert f'Partial: the analysis was stopped {version} in "{stopped}" (1 of 5 reports); results of later phases are missing\nReport ' in text, text
    assert f'; {COVERS} in "{part}" and "{part}" (2 of 5 reports)\n' in text and f'\n  {"Not computed":26}{WITHOUT} in "{without}" (1 of 5 reports)\n' in text, text

    run(options, "mean", part, part, "-o", out, "-f", "-q")
    assert run(options, "summary", out).splitlines()[0].endswith("; " + COVERS), "of all"
    assert said_of(options, "mean", full, full, "-o", out, "-f", "-q") == said_of(options, "mean", without, without, "-o", out, "-f", "-q") == ("", "")
    assert not [line for line in run(options, "summary", out).splitlines() if "trace coverage" in line or "Partial" in line]


def what_is_printed_of_incomplete_reports_says_so(options):
    folder = fresh(options, "incomplete-text")
    full, part, stopped, without, version = incomplete_reports(options)
    text, said = said_of(options, "diff", full, part)
    assert COVERS in said and f'\n  B: "{part}": ' in text and text.splitlines()[2].endswith("; " + COVERS), text
    assert text.splitlines()[1].endswith(" call paths"), text
    text = said_of(options, "diff", stopped, without, "--markdown")[0].splitlines()
    assert text[2].endswith("; **stopped " + version + "**") and text[3].endswith("; **without " + WITHOUT + "**"), text
    text, said = said_of(options, "scaling", full, part, stopped, "--html", folder / "s.html")
    assert [line.partition(" call paths")[2] for line in text.splitlines()[1:4]] == ["", "; " + COVERS, "; stopped " + version], text
    assert said.count("is incomplete") == 2 and said_of(options, "scaling", full, part, "--quiet") == ("", said.splitlines(keepends=True)[0])
    assert [size["incomplete"] for size in head_of(folder / "s.html")["runs"]] == [None, COVERS, "stopped " + version]

    first = "Partial: " + COVERS
    for arguments in (["causes", part], ["causes", part, "--processes"], ["topology", part], ["topology", part, "--by", "node"]):
        text = run(options, *arguments)
        assert text.startswith(first + "\n") and text.count("\n") > 3, text
        text = run(options, *arguments, "--tsv")
        assert "Partial" not in text and "\t" in text.splitlines()[0], text
    assert run(options, "topology", stopped).startswith(f"Partial: the analysis was stopped {version}; results of later phases are missing\n")
    assert "Partial" not in run(options, "topology", full) + run(options, "causes", full)
    assert COVERS in said_of(options, "topology", part, "-o", folder / "t.svg")[1]


def a_rule_that_does_not_hold_for_incomplete_reports_is_unsure(options):
    full, part, stopped, without, version = incomplete_reports(options)
    rule = ["--quiet", "--fail-if", "time > +5%"]
    text = run(options, "diff", full, part, *rule, code=3, word=COVERS)
    assert re.fullmatch(r"\nRules: 0 of 1 violated, 1 inconclusive\n  inconclusive  time > \+5% does not hold: -.*\n" + re.escape(f"  report B: {COVERS}\n"), text), text
    assert f"report A: stopped {version}" in run(options, "diff", stopped, full, *rule, code=3)
    text = run(options, "diff", full, part, *rule, "--fail-if", "time < +0%", "--markdown", code=4)
    assert text.startswith("### Heddle: 1 of 2 rules violated, 1 inconclusive\n") and "\n| **inconclusive** | `time > +5%` does not hold |" in text, text
    assert text.endswith(f"\n\nReport B: {COVERS}.\n\n"), text
    run(options, "diff", full, part, "--quiet", word=COVERS)
    assert f"report B: without {WITHOUT}" in run(options, "diff", full, without, "--quiet", "--fail-if", "delay_latesender > +5%", code=3)
    for rule in ("time > +5%", "mpi_latesender > +5%", "visits > +5%"):
        assert "1 inconclusive" not in run(options, "diff", full, without, "--quiet", "--fail-if", rule), rule
    run(options, "diff", without, without, "--quiet", "--fail-if", "time > +5%")


# ---- scaling ---------------------------------------------------------------------------------------------------------------


def shares_of_several_sizes(options):
    folder = fresh(options, "scaling")
    a, b = report(options, HYBRID), report(options, MPI)
    lines = [line.split("\t") for line in run(options, "scaling", b, a, "--with-startup", "--tsv", "--html", folder / "s.html").splitlines()]
    assert lines[0] == ["kind", "name", "unit", "growth", "4", "16", "metric", "term", "constant", "factor", "error", "at 32", "at 64"], lines[0]
    totals = [sums(values(options, path)) for path in (a, b)]
    for i, total in enumerate(totals):
        got = {line[1]: float(line[4 + i]) for line in lines[1:] if line[0] == "metric" and line[4 + i]}
        assert len(got) > 50
        close(got, total, "scaling", 1)
    growth = next(float(line[3]) for line in lines if line[1] == "mpi")
    shares = [100 * total["mpi"] / total["time"] for total in totals]
    assert abs(growth - (shares[1] - shares[0]) / 2) < 1e-9, (growth, shares)
    head = head_of(folder / "s.html")
    assert head["kind"] == "scaling" and [(r["processes"], r["locations"]) for r in head["runs"]] == [(4, 8), (16, 16)]
    metric = next(metric for metric in head["metrics"] if metric["id"] == "mpi")
    assert abs(metric["growth"] - growth) < 1e-12 and metric["values"] == [float(x) for x in next(line for line in lines if line[1] == "mpi")[4:6]]
    text = run(options, "scaling", a, b)
    assert re.search(r"^    +MPI +[0-9.]+ +[0-9.]+ +[+-][0-9.]+ pp$", text, re.M), text
    assert "+0.00 pp" in (every := run(options, "scaling", a, b, "--all")) and "-0.00 pp" not in every
    run(options, "scaling", a, code=2, word="operands")


# ---- files -----------------------------------------------------------------------------------------------------------------


def nothing_half_written(options):
    folder = fresh(options, "files")
    a = report(options, MPI)
    commands = {"diff": [a, a], "mean": [a, a], "merge": [a, a], "cut": [a, "--root", "main"]}
    for name, arguments in commands.items():
        there = folder / f"{name}.cubex"
        there.write_text("mine")
        run(options, name, *arguments, "-o", there, code=1, word="already")
        assert there.read_text() == "mine"
        run(options, name, *arguments, "-o", there, "--html", there, "--force", code=2, word="both")
        run(options, name, *arguments, "-o", there, "--force", "--quiet")
        run(options, "dump", there)
        there.unlink()
        run(options, name, *arguments, "-o", folder, "--force", code=1, word="director")
        run(options, name, *arguments, "-o", folder / "none" / "x.cubex", code=1, word="No such file")
        run(options, name, *arguments, "-o", folder / "x.cubex", "--html", folder / "none" / "x.html", code=1, word="No such file")
        run(options, name, folder / "no.cubex", *arguments[1:], "-o", folder / "x.cubex", code=1, word="no.cubex")
    (folder / "damaged.cubex").write_bytes(a.read_bytes()[:20000])
    run(options, "diff", a, folder / "damaged.cubex", "-o", folder / "x.cubex", code=1, word="damaged.cubex")
    (folder / "damaged.cubex").unlink()
    run(options, "diff", a, code=2, word="operands")
    run(options, "diff", a, a, a, code=2)
    assert list(folder.iterdir()) == []


def replacing_one_of_its_own_reports(options):
    folder = fresh(options, "own")
    own = folder / "own.cubex"
    shutil.copy(report(options, MPI), own)
    expected = run(options, "dump", own)
    for name in ("mean", "merge"):
        run(options, name, own, own, "-o", own, "--force", "--quiet")
        assert run(options, "dump", own) == expected


def what_a_result_is_made_of_stays(options):
    """By whatever name it is called."""
    folder = fresh(options, "inputs")
    a, own, rules = report(options, MPI), folder / "own.cubex", folder / "own.rules"
    shutil.copy(a, own)
    rules.write_text("time > +5%\n")
    (folder / "symbolic.html").symlink_to(own.resolve())
    (folder / "hard.html").hardlink_to(own)
    names = [own, folder / "symbolic.html", folder / "hard.html"]
    for name, arguments in {"diff": [a, own], "mean": [a, own], "merge": [own, a], "scaling": [own, a], "cut": [own, "--root", "main"]}.items():
        for page in names if name == "diff" else names[:1]:
            run(options, name, *arguments, "--html", page, "--force", "--quiet", code=2, word="the page cannot have the name of what it is made of")
    run(options, "diff", a, own, "-o", own, "--force", code=2, word="the difference cannot have the name of what it is made of")
    for option in ("--html", "-o"):
        run(options, "diff", a, own, "--rules", rules, option, rules, "--force", code=2, word="own.rules")
    assert own.read_bytes() == a.read_bytes() and rules.read_text() == "time > +5%\n"
    assert sorted(path.name for path in folder.iterdir()) == ["hard.html", "own.cubex", "own.rules", "symbolic.html"]


def a_report_whose_page_fails_is_complete(options):
    """A file that may not be as large as a page is, but as large as the report."""
    folder = fresh(options, "no-page")
    a = report(options, "pat-mpi-4")
    limit = 800 << 10
    assert a.stat().st_size < limit
    for name in ("diff", "mean"):
        there = folder / f"{name}.cubex"
        run(options, name, a, a, "-o", there, "-q")
        expected = there.read_bytes()
        error = run(options, name, a, a, "-o", there, "--html", folder / "page.html", "-q", "-f", code=1, limit=limit, word="the page cannot be written")
        assert f'\n  report:   "{there}" is complete\n' in error, error
        assert there.read_bytes() == expected
        there.unlink()
    error = run(options, "diff", a, a, "--html", folder / "page.html", "-q", code=1, limit=limit, word="the page cannot be written")
    assert "is complete" not in error, error
    assert list(folder.iterdir()) == []


def a_signal_leaves_nothing(options):
    """Ended while it writes: 150 reports take a while."""
    folder = fresh(options, "signal")
    arguments = [options.heddle, "mean", *[str(report(options, MPI))] * 150, "-q", "-o", str(folder / "m.cubex")]
    seen = False
    for _ in range(100):
        if seen:
            return
        process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not is_writing(process.pid, folder.resolve()):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=HANG_SECONDS)
        process.stderr.close()
        assert process.returncode in (0, -signal.SIGTERM)
        names = sorted(path.name for path in folder.iterdir())
        assert names in ([], ["m.cubex"]), names
        seen |= process.returncode != 0 and names == []
        if names:  # it was complete when the signal came
            run(options, "dump", folder / "m.cubex")
            (folder / "m.cubex").unlink()
    assert seen, "it was never ended"


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    options.made, options.incomplete = set(), None
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    for test in (a_report_minus_itself_is_zero, the_mean_of_equal_reports_is_the_report, merging_is_associative,
                 opposite_differences_are_opposite_numbers, wall_time_comes_first_then_causes_then_wait_states,
                 causes_name_the_processes_that_carry_the_change, archives_are_analysed_on_the_fly, a_signal_leaves_no_temporary_report,
                 several_runs_are_told_apart, runs_of_different_sizes_are_compared_by_their_sums, reports_of_different_programs_are_said_to_be, the_mean_of_two_runs, a_mean_knows_no_main_window_so_its_imbalance_impact_is_compared_with_that_of_a_run,
                 a_new_root_keeps_the_sums_below_it, pruning_preserves_totals, what_cannot_be_cut, rules_and_exit_codes, what_is_made_of_incomplete_reports_says_so,
                 what_is_printed_of_incomplete_reports_says_so, a_rule_that_does_not_hold_for_incomplete_reports_is_unsure, shares_of_several_sizes,
                 nothing_half_written, replacing_one_of_its_own_reports, what_a_result_is_made_of_stays, a_report_whose_page_fails_is_complete,
                 a_signal_leaves_nothing):
        test(options)
        print("ok  ", test.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""heddle simulate: the recorded times without a change, the same output for any ranks and threads, hypotheses together and alone, what is
refused.

usage: test_simulate.py --heddle HEDDLE --mpirun PROGRAM --work FOLDER ARCHIVE...
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
from runner import few, run

HYPOTHESES = ["none", "scale main 1/2", "scale main on process 0 3", "balance main", "balance main to least", "balance main to median over node",
              "scale ** on process 1 0.25", "scale main > * 0", "network ideal", "network zero",
              "network latency 1/2 bandwidth 2 + without MPI_Barrier", "without messages ** bytes 0-1K", "eager 0", "eager 1M",
              "interference main off", "overlap **", "remove delay main", "balance main to median per collectives", "remove delay ** on process 1", "scale main in iteration 2- of collectives 1/3", "none"]

# Words of the command line, and what the error says.
REFUSED = [
    (["--what-if", "scal main 2"], "a change begins with"),
    (["--what-if", "scale main -1"], "a factor is a number"),
    (["--what-if", "scale main 1/0"], "a factor is a number"),
    (["--what-if", "scale main in iteration 0 2"], "iterations are numbers from 1 on"),
    (["--what-if", "scale main in iteration 5-3,7 of main 2"], "iterations are numbers from 1 on"),
    (["--what-if", "scale main in iteration 5,x of main 2"], "iterations are numbers from 1 on"),
    (["--what-if", "scale main in iteration 2 of nowhere 2"], "has no region \"nowhere\""),
    (["--what-if", "scale main in iteration 2 2"], "no loop was found"),
    (["--what-if", "scale main in iteration 1 in iteration 2 2"], "once each"),
    (["--what-if", "without main in iteration 2"], "iterations are for"),
    (["--what-if", "balance main in iteration 2"], "ends with \"per\""),
    (["--what-if", "balance main in iteration 2 of main per main"], "follows \"per\""),
    (["--what-if", "scale main"], "a factor is missing"),
    (["--what-if", "scale main 2 + scale main 3"], "two changes select the same computation"),
    (["--what-if", "scale nowhere 2"], "no call path that ends with \"nowhere\""),
    (["--what-if", "scale mian 2"], "closest:"),
    (["--what-if", "scale main on process 0-99 2"], "does not say which ones"),
    (["--what-if", "scale main on node nowhere 2"], "no process was on a node"),
    (["--what-if", "scale MPI_Init 2"], "selects no computation"),
    (["--what-if", "without MPI_Init"], "selects no call that synchronises"),
    (["--what-if", "balance main to most"], "a balance is to"),
    (["--what-if", "balance main per mian"], 'character 18: "mian"'),
    (["--what-if", "balance main per MPI_Init"], "in no instance of"),
    (["--what-if", "remove delays main"], 'character 8: "delays main"'),
    (["--what-if", "remove delay"], 'a selection is missing'),
    (["--what-if", "remove delay MPI_Init"], "selects no computation"),
    (["--what-if", "remove delay main + scale main 2"], "two changes select the same computation"),
    (["--what-if", "scale main 2 + balance mian"], 'character 24: "mian"'),
    (["--what-if", "none", "--output", "one.cubex", "--times", "./one.cubex"], "two files cannot both be"),
    (["--what-if", "netwrk ideal"], "closest:  network"),
    (["--what-if", "network"], "something is missing after the verb"),
    (["--what-if", "network fast"], 'character 9: "fast"'),
    (["--what-if", "network latency x bandwidth 2"], 'character 17: "x bandwidth 2"'),
    (["--what-if", "network latency 2 latency 3"], 'character 19: "latency 3"'),
    (["--what-if", "network bandwidth 0"], "a factor above 0"),
    (["--what-if", "network ideal + network zero"], "two changes are of the network"),
    (["--what-if", "without messages main bytes 4K-1K"], 'character 29: "4K-1K"'),
    (["--what-if", "without messages main tag any"], 'character 27: "any"'),
    (["--what-if", "without messages mian"], "closest:  main"),
    (["--what-if", "without messages main tag 4711"], "selects no message"),
    (["--what-if", "eager"], "something is missing after the verb"),
    (["--what-if", "eager 4k"], 'character 7: "4k"'),
    (["--what-if", "balance main over rows"], 'character 19: "rows"'),
    (["--what-if", "balance main over row"], "no topology of two or more dimensions"),
    (["--what-if", "interference main on"], 'character 19: "on"'),
    (["--what-if", "interference main off + scale main 2"], "two changes select the same computation"),
    (["--what-if", "overlap idle"], "no call path that ends with"),
    (["--what-if", "place /nowhere/places"], "cannot be opened"),
    (["--what-if", "eager 1 + eager 2"], "two changes are of the limit of eager messages"),
    (["--what-if", ""], "--what-if"),
    (["--curve", "nowhere"], "no call path that ends with \"nowhere\""),
    (["--curve", "mian"], "closest:"),
    (["--curve", "MPI_Init"], "selects no computation"),
    (["--advise", "--times", "/nowhere/times.tsv"], "--times is for 1 to 8 hypotheses"),
    (["--file", "/nowhere/hypotheses"], "cannot be opened"),
]


def simulate(heddle, archive, *words, launcher=(), threads=1):
    code, output, errors = run([*launcher, heddle, "simulate", "--quiet", "--bind=none", f"--threads={threads}", *words, archive])
    assert code == 0, (archive, words, code, errors)
    return output


def what_if(texts):
    return [word for text in texts for word in ("--what-if", text)]


def check_identity(heddle, mpirun, archive):
    """The recorded times, and the same output on all ranks and threads."""
    expected = simulate(heddle, archive, "--json", "--what-if", "none")
    document = json.loads(expected)
    run_none = document["hypotheses"][0]
    assert run_none["moved_calls"] == 0, archive
    for member in "run_time", "run_time_whole", "calls":
        assert run_none[member] == document["recorded"][member], (archive, member)
    assert document["counts"]["calls"] > 0 and document["counts"]["cycles"] == 0, (archive, document["counts"])
    for ranks, threads, placement in few([(3, 2, "cyclic"), (7, 1, "block"), (2, 3, "node")]):
        got = simulate(heddle, archive, "--json", "--what-if", "none", f"--placement={placement}", launcher=(mpirun, "-n", str(ranks)), threads=threads)
        assert got == expected, (archive, ranks, threads)


def check_together(heddle, work, archive):
    """Hypotheses do not depend on each other, nor on where they stand: more than one pass, and a file."""
    together = json.loads(simulate(heddle, archive, "--json", *what_if(HYPOTHESES)))["hypotheses"]
    for text, outcome in zip(HYPOTHESES, together):
        alone, = json.loads(simulate(heddle, archive, "--json", "--what-if", text))["hypotheses"]
        assert alone == outcome, text
    path = work / "hypotheses"
    path.write_text("# ideas\n\n" + "".join(f"{text}  \n" for text in HYPOTHESES))
    assert json.loads(simulate(heddle, archive, "--json", "--file", path))["hypotheses"] == together
    assert together[1]["run_time"] < together[0]["run_time"] < together[2]["run_time"]
    path.write_text("none\nscale main oops\n")
    code, _, errors = run([heddle, "simulate", "--file", path, archive])
    assert code == 2 and b"line 2" in errors and b'character 12: "oops"' in errors, errors


def check_refused(heddle, archive):
    for words, text in REFUSED:
        code, output, errors = run([heddle, "simulate", "--quiet", *words, archive])
        assert code in (1, 2) and output == b"" and text in errors.decode(), (words, code, errors)


def check_times(heddle, work, archive):
    path = work / "times.tsv"
    path.unlink(missing_ok=True)
    simulate(heddle, archive, "--what-if", "none", "--what-if", "scale main 2", "--times", path)
    head, *lines = path.read_text().splitlines()
    assert head.split("\t") == ["process", "thread", "call", "enter", "leave", "enter_1", "leave_1", "enter_2", "leave_2"], head
    rows = [list(map(int, line.split("\t"))) for line in lines]
    assert rows == sorted(rows) and all(row[3:5] == row[5:7] and row[7] <= row[8] for row in rows)
    code, _, errors = run([heddle, "simulate", "--what-if", "none", "--times", path, archive])
    assert code == 1 and b"exists already" in errors, errors
    simulate(heddle, archive, "--what-if", "none", "--times", path, "--force")
    code, _, errors = run([heddle, "simulate", *what_if(HYPOTHESES), "--times", path, "--force", archive])
    assert code == 2 and b"1 to 8 hypotheses" in errors, errors
    copy, ideas = work / "copy", work / "ideas.cubex"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(archive, copy)
    ideas.write_text("none\n")
    for words in ["--times", copy / "traces.otf2"], ["--times", copy / "traces/0.evt"], ["--times", ideas], ["--output", ideas], \
            ["--output", work / "copy.cubex", "--html", copy / "traces.otf2"]:
        code, _, errors = run([heddle, "simulate", "--file", ideas, *words, "--force", copy])
        assert code == 2 and b"is read, and is not replaced" in errors, (words, errors)
    drawing = work / "ideas.svg"
    drawing.write_text("none\n")
    for picture, text in (drawing, b"is read, and is not replaced"), (copy / "traces.def", b"does not end in .svg"):
        code, _, errors = run([heddle, "simulate", "--file", drawing, "--curves", "--svg", picture, "--force", copy])
        assert code == 2 and text in errors and drawing.read_text() == "none\n", (picture, errors)


def check_incomplete(heddle, work, archive):
    """Of a damaged archive, what is there."""
    copy = work / "cut"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(archive, copy)
    events = sorted(copy.glob("traces/*.evt"))[1]
    os.truncate(events, events.stat().st_size // 2)
    code, output, errors = run([heddle, "simulate", "--quiet", "--json", "--what-if", "none", copy])
    document = json.loads(output)
    assert code == 3 and b"warning" in errors, (code, errors)
    assert document["hypotheses"][0]["moved_calls"] == 0 and document["counts"]["unmatched"] > 0, document["counts"]


def check_rows(heddle, archive):
    """The rows of the topology of 3 x 2."""
    over_row, by_hand = json.loads(simulate(heddle, archive, "--json", *what_if(
        ["balance ** over row", "balance ** on process 0,1 + balance ** on process 2,3 + balance ** on process 4,5"])))["hypotheses"]
    assert {**over_row, "text": ""} == {**by_hand, "text": ""} and over_row["moved_calls"] > 0, (over_row, by_hand)


def check_places(heddle, work, archive):
    path = work / "places"
    for text, message in (("0-3\n", b"a node is missing"), ("# two nodes\n\n0-9 a\n", b"these are not processes"), ("0,1 a\n2-3 b\n", b"it is not known")):
        path.write_text(text)
        code, _, errors = run([heddle, "simulate", "--quiet", "--what-if", f"place {path}", archive])
        assert code == 2 and message in errors, errors
def run_times(heddle, archive, texts):
    return [row["run_time"] for row in json.loads(simulate(heddle, archive, "--json", *what_if(texts)))["hypotheses"]]


def check_advice(heddle, mpirun, archive):
    """Candidates and steps are what --what-if says of them; each step is the best of what can follow, as far as it is worth it."""
    output = simulate(heddle, archive, "--json", "--advise", "--curves", "--curve", "main")
    advised = json.loads(output)
    for ranks, threads in few([(3, 2), (2, 1)]):
        got = simulate(heddle, archive, "--json", "--advise", "--curves", "--curve", "main", launcher=(mpirun, "-n", str(ranks)), threads=threads)
        assert got == output, (archive, ranks, threads)
    recorded, candidates, steps = advised["recorded"]["run_time"], advised["candidates"], advised["advice"]
    times = [row["run_time"] for row in candidates]
    assert candidates and times == sorted(times) == run_times(heddle, archive, [row["text"] for row in candidates]), (archive, times)
    assert all(row["is_bound"] or row["text"].startswith(("balance ", "without ")) for row in candidates), candidates
    possible = [row for row in candidates if not row["is_bound"]]
    if possible and recorded - possible[0]["run_time"] >= 0.01 * recorded:
        assert steps[0]["text"] == possible[0]["text"] and steps[0]["run_time"] == possible[0]["run_time"], (archive, steps)
    before, texts = recorded, []
    for step in steps:
        texts.append(step["text"])
        assert before - step["run_time"] >= 0.01 * recorded and not step["is_bound"], (archive, steps)
        before = step["run_time"]
        assert run_times(heddle, archive, [" + ".join(texts)]) == [before], (archive, texts)
    check_curves(heddle, archive, advised)
    text = simulate(heddle, archive)
    assert text == simulate(heddle, archive, "--advise") and b"\n  Advice, each with those above" in text, text
    assert text.count(b"\n") < 40, "more than a screen"
    return advised


def check_curves(heddle, archive, advised):
    curves = advised["curves"]
    assert curves and curves[0]["text"] == "main", curves
    for curve in curves:
        times = [point["run_time"] for point in curve["points"]]
        factors = [f"scale {curve['text']} {100 - point['removed']}/100" for point in curve["points"]]
        assert times == run_times(heddle, archive, factors) and times[0] == advised["recorded"]["run_time"], curve
        flat = [point["removed"] for point in curve["points"][:-1] if point["run_time"] - times[-1] <= max(0.02 * (times[0] - times[-1]), 0.001 * times[0])]
        assert curve["flat_from"] == (flat[0] if flat else None), curve
        if curve["next"] is not None:
            at_end, with_next = run_times(heddle, archive, [f"scale {curve['text']} 0", f"scale {curve['text']} 0 + scale {curve['next']} 9/10"])
            assert abs(curve["next_share"] - min(10 * (at_end - with_next) / at_end, 1)) < 1e-9, curve


def check_report(heddle, work, archive, advised):
    """The report of an analysis that simulates, too, has the same predictions, and is otherwise the same."""
    path = work / "hypotheses"
    path.write_text("# ideas\nscale main 1/2\ncurve main\n")
    plain, predicted = work / "plain.cubex", work / "predicted.cubex"
    words = ["analyze", archive, "--quiet", "--bind=none", "--force", "-o"]
    for report, more in (plain, []), (predicted, ["--simulate", "none", "--simulate", path, "--simulate", "advice", "--simulate", "curves"]):
        code, _, errors = run([heddle, *words, report, *more])
        assert code == 0, errors
    value = json.loads(run([heddle, "summary", predicted, "--json"])[1])["predictions"]
    for key in "advice", "candidates", "curves":
        assert value[key] == advised[key], (key, value[key], advised[key])
    assert [row["text"] for row in value["hypotheses"]] == ["none", "scale main 1/2"]
    assert [row["run_time"] for row in value["hypotheses"]] == run_times(heddle, archive, ["none", "scale main 1/2"])
    assert json.loads(run([heddle, "summary", plain, "--json"])[1])["predictions"] is None
    dumps = [run([heddle, "dump", report])[1] for report in (plain, predicted)]
    assert dumps[0] == dumps[1] and len(dumps[0]) > 0
    for more, text in ([["--from", "1ms"], "for whole runs"], [["--no-delay"], "needs delay costs"], [["--simulate", "blance main"], "or the name of a file"],
                       [["--simulate", "balance mian"], "closest:"], [["--simulate", "curve mian"], "closest:"]):
        code, _, errors = run([heddle, *words, work / "refused.cubex", "--simulate", "none", *more])
        assert code == 2 and text in errors.decode() and not (work / "refused.cubex").exists(), (more, code, errors)


# From one recorded run of a pair to the other: hypothesis, and how far off the prediction may be.
NONBLOCKING = "scale ** on process 0,1 "
PAIRS = [("sweep-f3", "balance **", "sweep-balanced", 0.03), ("sweep-f3", "balance ** to least", "sweep-f1", 0.03),
         ("sweep-f1", "scale ** on process 0,3 3", "sweep-f3", 0.03), ("nonblocking-f3", NONBLOCKING + "1/3", "nonblocking-f1", 0.03),
         ("nonblocking-f1", NONBLOCKING + "3", "nonblocking-f3", 0.03), ("messages-f3", "scale ** on process 3 1/3", "messages-f1", 0.03),
         ("messages-f1", "scale ** on process 3 3", "messages-f3", 0.03), ("fence-f3", "scale ** on process 1,3 1/3", "fence-f1", 0.03),
         ("fence-f1", "scale ** on process 1,3 3", "fence-f3", 0.03), ("loop-f3", "scale !$omp parallel @main on thread 0 1/3", "loop-f1", 0.03),
         ("loop-f1", "scale !$omp parallel @main on thread 0 3", "loop-f3", 0.03), ("tasks-f3", "scale TASKS 1/3", "tasks-f1", 0.03),
         ("tasks-f1", "scale TASKS 3", "tasks-f3", 0.03), ("stencil-8-f3", "scale solve on process 0,2,4,6 1/3", "stencil-8-f1", 0.03), ("stencil-8-f3", "balance solve to least", "stencil-8-f1", 0.03),
         ("stencil-8-f1", "scale solve on process 0,2,4,6 3", "stencil-8-f3", 0.03)]


def check_pairs(heddle, work, folder):
    """The recorded run after a change is what was predicted from the one before it."""
    for before, text, after, bar in PAIRS:
        predicted = run_times(heddle, folder / before, [text])[0]
        target = json.loads(simulate(heddle, folder / after, "--json", "--what-if", "none"))["recorded"]["run_time"]
        assert abs(predicted / target - 1) < bar, (before, text, predicted, target)
    check_pieces(heddle, folder, work)
    advised = json.loads(simulate(heddle, folder / "stencil-8-f3", "--json"))
    first = advised["advice"][0]
    assert first["text"] == "balance solve > nap" and first["waits_at"] == advised["recorded"]["waits_at"] == "pairs > main > stencil > MPI_Waitall", first
    assert first["waiting"] < 0.2 * advised["recorded"]["waiting"], first


def check_pieces(heddle, folder, work):
    """Delays are a part of what balancing takes away; one instance is the whole; instances on any ranks."""
    texts = ["remove delay solve", "balance solve to least", "balance solve", "balance solve per pairs", "balance solve per stencil", "balance solve per solve"]
    removed, least, mean, per_run, per_stencil, per_solve = run_times(heddle, folder / "stencil-8-f3", texts)
    recorded, = run_times(heddle, folder / "stencil-8-f3", ["none"])
    assert least < removed < recorded and per_run == mean and per_solve < mean, (least, removed, per_run, mean, per_solve)
    assert abs(per_stencil - mean) < 0.001 * mean, "one instance on each process"
    code, _, errors = run([heddle, "analyze", folder / "stencil-8-f3", "--quiet", "--bind=none", "--force", "-o", work / "delays.cubex",
                           "--simulate", texts[0]])
    assert code == 0, errors
    value = json.loads(run([heddle, "summary", work / "delays.cubex", "--json"])[1])["predictions"]
    assert [row["run_time"] for row in value["hypotheses"]] == [removed], value["hypotheses"]


def check_svg(heddle, work, archive):
    path = work / "curves.svg"
    path.unlink(missing_ok=True)
    simulate(heddle, archive, "--curves", "--curve", "main", "--svg", path)
    curves = json.loads(simulate(heddle, archive, "--json", "--curves", "--curve", "main"))["curves"]
    picture = xml.etree.ElementTree.parse(path).getroot()
    lines = picture.findall(".//{*}polyline")
    assert len(lines) == len(curves) > 0
    for line, curve in zip(lines, curves):
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        assert len(points) == len(curve["points"]) and points == sorted(points), points
        order = [point["run_time"] for point in curve["points"]]
        assert all((y < points[0][1] + 0.05) == (time >= order[0]) or y == points[0][1] for (_, y), time in zip(points, order)), (points, order)
    for words, text in ((["--curves"], "exists already"), (["--advise", "--force"], "--picture draws curves")):
        code, _, errors = run([heddle, "simulate", *words, "--svg", path, archive])
        assert code in (1, 2) and text in errors.decode(), errors
    for name in ("curves.pdf", "curves.png", "curves"):
        code, _, errors = run([heddle, "simulate", "--curves", "--picture", path.with_name(name), archive])
        assert code == 2 and "does not end in .svg" in errors.decode() and not path.with_name(name).exists(), errors


def check_threads(heddle, archive, with_tasks):
    """Computation in teams changes the run; all waits of threads are simulated; tasks are not balanced."""
    texts = ["none", "scale ** 1/2", "scale ** on thread 1 2", "balance main over team", "without **"]
    document = json.loads(simulate(heddle, archive, "--json", *what_if(texts)))
    none, half, slower, balanced, without = (outcome["run_time"] for outcome in document["hypotheses"])
    assert half < none < slower and balanced != none and without < none, document["hypotheses"]
    assert document["counts"]["not_simulated"] == 0, document["counts"]
    code, _, errors = run([heddle, "simulate", "--what-if", "balance **", with_tasks])
    assert code == 2 and b"tasks cannot be balanced" in errors, errors


def check_advice_of_threads(heddle, work, archive):
    """Advice without a hypothesis begins with the recorded run alone; what it says is that of heddle simulate."""
    report = work / "advised.cubex"
    code, _, errors = run([heddle, "analyze", archive, "--quiet", "--no-summary", "--bind=none", "--force", "-o", report, "--simulate", "advice"])
    assert code == 0, errors
    value = json.loads(run([heddle, "summary", report, "--json"])[1])["predictions"]
    assert value["hypotheses"] == [] and value["advice"] == json.loads(simulate(heddle, archive, "--json"))["advice"], value


def check_advice_of_nothing(heddle, work, archive):
    """A part of MPI_Init: no candidate saves anything, so there is no table of them."""
    part = work / "nothing"
    shutil.rmtree(part, ignore_errors=True)
    code, _, errors = run([heddle, "extract", archive, "--from", "0.1", "--to", "0.2", "-o", part, "--quiet"])
    assert code == 0, errors
    text = simulate(heddle, part)
    assert b"Each alone: none of 1 saves 0.05 % of the run time" in text, text


def check_found_iterations(heddle, mpirun, work, archive):
    """Iterations that are found are those of the report: in all of them together it is as in each alone, after the other; any ranks."""
    def run_times(*hypotheses, launcher=()):
        code, output, errors = run([*launcher, heddle, "simulate", archive, "--json", *what_if(hypotheses)])
        assert code == 0, errors
        return [one["run_time"] for one in json.loads(output)["hypotheses"]]
    report = work / "found.cubex"
    code, _, errors = run([heddle, "analyze", archive, "-o", report, "--force", "--quiet"])
    assert code in (0, 3), errors
    found = json.loads(run([heddle, "series", report, "--json"])[1])["iterations"]
    assert found["how"] == "found" and found["count"] == 11, found["how"]
    each = " + ".join(f"scale ** in iteration {k} 1/2" for k in range(1, 12))
    hypotheses = ["scale ** in iteration 1-11 1/2", "scale ** in iteration 1- 1/2", each, "scale ** in iteration 2-11 1/2", "scale ** in iteration 1 1/2", "none",
                  "remove delay ** in iteration 1"]
    times = run_times(*hypotheses)
    assert times[0] == times[1] == times[2] < min(times[3], times[4]) and max(times[3:5]) < times[5] >= times[6], times
    assert times == run_times(*hypotheses, launcher=(mpirun, "-n", "3"))
    code, _, errors = run([heddle, "simulate", archive, "--what-if", "scale ** in iteration 12 1/2"])
    assert code == 2 and b"in iterations 12 there is no computation" in errors, errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("archives", nargs="+")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    archives = {os.path.basename(archive): archive for archive in options.archives}
    for archive in few(sorted(archives.values())):
        check_identity(options.heddle, options.mpirun, archive)
    check_together(options.heddle, options.work, archives["pat-mpi-4"])
    check_refused(options.heddle, archives["pat-mpi-4"])
    check_times(options.heddle, options.work, archives["pat-mpi-4"])
    check_incomplete(options.heddle, options.work, archives["pat-mpi-4"])
    check_svg(options.heddle, options.work, archives["pat-mpi-4"])
    check_pairs(options.heddle, options.work, pathlib.Path(archives["pat-mpi-4"]).parent / "pairs")
    for archive in few(["npb-is-S-8", "pat-nbc-4"]):
        check_advice(options.heddle, options.mpirun, archives[archive])
    check_report(options.heddle, options.work, archives["pat-mpi-4"], check_advice(options.heddle, options.mpirun, archives["pat-mpi-4"]))


    check_found_iterations(options.heddle, options.mpirun, options.work, archives["npb-is-S-8"])
    check_rows(options.heddle, archives["pat-topo-6"])
    check_places(options.heddle, options.work, archives["pat-mpi-4"])
    check_threads(options.heddle, archives["scorep-jacobi-hyb-c-4x2"], archives["pat-hybtask-2x3"])
    for name in "scorep-jacobi-hyb-c-4x2", "pat-hybtask-2x3":
        check_advice_of_threads(options.heddle, options.work, archives[name])
    check_advice_of_nothing(options.heddle, options.work, archives["pat-mpi-4"])
    return 0


if __name__ == "__main__":
    sys.exit(main())

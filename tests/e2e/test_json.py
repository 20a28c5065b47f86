#!/usr/bin/env python3
"""What heddle prints with --json: valid by docs/schema/heddle-1.json, without a member that the schema does not have, and with the numbers of
the text, in its order.

usage: test_json.py --heddle PROGRAM --hostile PROGRAM --sweep PROGRAM --work DIR
"""
import argparse
import collections
import copy
import csv
import gzip
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import jsonschema

from json_sections import HEADINGS, check_equal, check_no_measurement, check_predictions, sections, time_text
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

DATA = ROOT / "tests/data"
SCHEMA = json.loads((ROOT / "docs/schema/heddle-1.json").read_text())
COMMANDS = ["info", "plan", "simulate", "summary", "causes", "topology", "instances", "matrix", "series", "diff", "scaling"]
seen = collections.Counter()  # members of the schema that were somewhere not null, not empty


def strict(schema):
    """No object has a member that the schema does not name. (It lets later versions add some.)"""
    schema = copy.deepcopy(schema)

    def close(part, is_command=False):
        if isinstance(part, dict):
            if "properties" in part and "required" in part and not is_command:
                assert set(part["required"]) <= set(part["properties"]), part["required"]
                part["additionalProperties"] = False
            for value in part.values():
                close(value)
        elif isinstance(part, list):
            for value in part:
                close(value)

    for name, part in schema["$defs"].items():
        close(part.get("properties", part) if name.startswith("command_") else part)
    schema["unevaluatedProperties"] = False
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


VALIDATOR = strict(SCHEMA)


def run(options, *arguments, codes=(0,)):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    assert done.returncode in codes, f"{arguments}: exit code {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode()


def note(value, path=""):
    """Remembers which members had a value."""
    if isinstance(value, dict):
        for key, part in value.items():
            note(part, f"{path}.{key}")
    elif isinstance(value, list):
        for part in value:
            note(part, path)
    elif value is not None:
        seen[path] += 1


def no_constant(word):
    raise AssertionError(f"{word} is no JSON")


def document(options, command, *arguments, codes=(0,)):
    text = run(options, command, *arguments, "--json", codes=codes)
    value = json.loads(text, parse_constant=no_constant)
    errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in VALIDATOR.iter_errors(value)]
    assert not errors, f"{command} {arguments}: {errors}"
    assert value["schema"] == "heddle" and value["version"] == 1 and value["command"] == command
    note(value, command)
    return value


def check_drift(value, text):
    said = re.search(r"Computation (grows|shrinks) over (\d+) iterations, .*?: (\S+ \S+) per iteration in the first quarter, (\S+ \S+) in the last", " ".join(text.split()))
    assert (value is not None) == (said is not None), (value, text)
    if said is not None:
        check_equal("drift", said.groups(), ("grows" if value["grows"] else "shrinks", str(value["iterations"]), time_text(value["first"]), time_text(value["last"])))


def check_summary(options, report):
    for top in (1, 4):
        value = document(options, "summary", report, f"--top={top}")
        text = sections(run(options, "summary", report, f"--top={top}", "--verbose"))
        check_drift(value["computation_drift"], " ".join(sum(text.values(), [])))
        for key, (heading, check) in HEADINGS.items():
            lines = text.get(heading, [""])
            if heading not in text and key == "measurement" and value[key] is not None:
                check_no_measurement(value[key])
            elif heading not in text:
                assert not value[key] or key in ("topologies", "nodes"), f"{report}: {key}: {value[key]}"
            elif not value[key]:
                assert ("  unknown: " if value[key] is None else "  none: ") in lines[1], f"{report}: {key}: {lines}"
            if value[key] and heading in text and check is not None:
                check(lines, value[key])
    return value


# ---- other commands ------------------------------------------------------------------------------------------------------------------


def table(text):
    lines = [line.split("\t") for line in text.splitlines()]
    return lines[0], lines[1:]


def joined(names):
    """A call path as tables write it."""
    return "" if names is None else ";".join(names)


def number(text):
    return None if text == "" else float(text)


def check_info(options, archive):
    value = document(options, "info", archive)
    text = dict(re.findall(r"^(\w+) +(.*)$", run(options, "info", archive), re.M))
    plain = {key: text[key].replace(",", "") for key in ("events", "regions", "communicators", "windows")}
    check_equal("counts", plain, {key: str(value[key]) for key in plain})
    check_equal("length", text["length"], f"{value['length']:.6f} s")
    check_equal("paradigms", text["paradigms"], ", ".join(value["paradigms"]) or "none")
    assert text["locations"].replace(",", "").startswith(f"{value['locations']['total']} ({value['locations']['cpu_threads']} CPU")
    assert text["clock"] == f"{1e9 / value['ticks_per_second']:.6g} ns per tick"


def check_simulate(options, archive):
    """The run times are those of the text, and so is the time in calls."""
    words = ("simulate", archive, "--quiet", "--what-if", "scale main 2" if archive.name == "pat-mpi-4" else "none", "--what-if", "none")
    value = document(options, *words)
    lines = run(options, *words).split("\n")
    head = next(i for i, line in enumerate(lines) if line.endswith("(recorded)"))
    check_equal("hypotheses", [line.split("%   ")[1] for line in lines[head + 1:head + 3]], [row["text"] for row in value["hypotheses"]])
    for line, row in zip(lines[head:head + 3], [value["recorded"], *value["hypotheses"]]):
        number, unit = line.split()[:2]
        shown = float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit]
        assert math.isclose(shown, row["run_time"], rel_tol=0.006), (line, row["run_time"])
    names = [call["region"] for call in value["recorded"]["calls"]]
    assert all([call["region"] for call in row["calls"]] == names for row in value["hypotheses"]), names
    check_equal("nothing else", [value["advice"], value["candidates"], value["curves"]], [[], [], []])
    advised = document(options, "simulate", archive, "--quiet", "--advise", "--curves")
    for width in 80, 60:
        lines = run(options, "simulate", archive, "--quiet", "--advise", "--curves", f"--width={width}").split("\n")
        check_predictions(lines, {**advised["recorded"], "hypotheses": [], **{key: advised[key] for key in ("advice", "candidates", "curves")}})
    assert archive.name != "pat-mpi-4" or "  balance chain > compute > work_us to least (bound)" in lines, lines


def check_plan(options, archive):
    for extra in ([], ["--nodes", "1"], ["--memory-per-node", "64G", "--cores-per-node", "4"]):
        value = document(options, "plan", archive, *extra)
        rows, _, recommended = run(options, "plan", archive, *extra).partition("\n\nrecommended: ")
        lines = [line.split() for line in rows.splitlines()[1:]]
        keys = ("nodes", "ranks_per_node", "ranks", "threads", "traces_per_rank")
        check_equal("plans", [[int(word) for word in line[:5]] for line in lines], [[plan[key] for key in keys] for plan in value["plans"]])
        check_equal("the fastest", next((i for i, line in enumerate(lines) if "fastest" in line), None), value["fastest"])
        nodes = int(recommended.split()[0]) if recommended else None
        check_equal("the recommended one", nodes, value["plans"][value["recommended"]]["nodes"] if recommended else value["recommended"])


def check_causes_table(options, report):
    value = document(options, "causes", report)
    _, lines = table(run(options, "causes", report, "--tsv"))
    check_equal("causes", [(line[0], line[1], line[2], float(line[3]), float(line[4])) for line in lines],
                [(joined(row["cause"]["call_path"]), joined(row["waiting_at"]["call_path"]), row["wait_state"], row["short_term"], row["long_term"])
                 for row in value["causes"]])
    assert value["pairs"] is None
    value = document(options, "causes", report, "--processes")
    _, lines = table(run(options, "causes", report, "--processes", "--tsv"))
    check_equal("pairs", [tuple(map(number, line)) for line in lines],
                [(row["process"], row["waiting_process"], row["short_term"], row["long_term"]) for row in value["pairs"]])


def check_scaling(options, *reports):
    value = document(options, "scaling", *reports)
    n, term = len(value["runs"]), slice(5 + len(value["runs"]), None)
    head, lines = table(run(options, "scaling", *reports, "--tsv"))
    check_equal("sizes", list(map(int, head[4:4 + n])), [run["size"] for run in value["runs"]])
    check_equal("predicted sizes", head[4 + n:], ["metric", "term", "constant", "factor", "error", *(f"at {size}" for size in value["predicted_sizes"])])
    expected = [("metric", row["metric"], row["metric"], row) for row in value["metrics"]]
    expected += [("path", joined(row["call_path"]), "time", row) for row in value["call_paths"]]
    expected += [("wait", joined(row["call_path"]), row["metric"], row) for row in value["waits"]]
    factors = (value["efficiencies"] or {"factors": []})["factors"]
    last = lines[len(expected):]
    del lines[len(expected):]
    check_equal("efficiencies", [("efficiency", line[1], line[2], [number(word) for word in line[4:4 + n]]) for line in last if line[0] == "efficiency" and not any(line[4 + n:])],
                [("efficiency", row["id"], row["unit"], row["values"]) for row in factors])
    for i in range(n if factors else 0):
        of = {row["id"]: row["values"][i] for row in factors}
        if of["runtime"] is not None:
            assert abs(of["global"] - of["parallel"] * of["computation_scaling"]) <= 1e-12, of
            assert abs(of["parallel"] - of["load_balance"] * of["communication"]) <= 1e-12, of
    check_equal("series", [(line[0], line[1], line[4 + n], [number(word) for word in line[4:4 + n]]) for line in lines],
                [(kind, name, metric, row["values"]) for kind, name, metric, row in expected])
    for line, (*_, row) in zip(lines, expected):
        growth, model = number(line[3]), row["model"]
        assert (growth is None) == (row["growth"] is None) and (growth is None or abs(growth - 100 * row["growth"]) <= 1e-12 * abs(growth)), line
        if model is None:
            assert not any(line[term]), line
            continue
        check_equal("model", (line[5 + n], *map(number, line[6 + n:8 + n])), (model["term"], model["constant"], model["factor"]))
        check_equal("predictions", [number(word) for word in line[9 + n:]], model["predictions"])
        assert abs(number(line[8 + n]) - 100 * model["error"]) < 1e-9 and 0 <= model["error"] <= 0.2, line
        for size, predicted in zip(value["predicted_sizes"], model["predictions"]):
            own = model["constant"] + model["factor"] * size ** model["exponent"] * math.log2(size) ** model["log_exponent"]
            assert abs(predicted - own) <= 1e-12 * own, row
    return value


def check_models(options):
    """Runs of a wavefront on 2 to 32 processes."""
    reports = []
    for columns, rows in ((2, 1), (2, 2), (4, 2), (4, 4), (8, 4)):
        folder = pathlib.Path(options.work) / f"wave-{columns * rows}"
        subprocess.run([options.sweep, folder, str(columns), str(rows)], check=True, timeout=HANG_SECONDS)
        reports.append(analyze(options, folder, folder.name))
    value = check_scaling(options, *reports)
    assert not value["is_startup_counted"] and document(options, "scaling", *reports, "--with-startup")["is_startup_counted"]
    factors = {row["id"]: row["values"] for row in value["efficiencies"]["factors"]}
    strong, weak = factors["computation_scaling"], {row["id"]: row["values"] for row in document(options, "scaling", *reports, "--weak")["efficiencies"]["factors"]}["computation_scaling"]
    # every process computes as much, so all of them compute for longer
    for size, one, other in zip((2, 4, 8, 16, 32), strong, weak):
        assert abs(one - 2 / size) < 1e-2 / size and abs(other - 1) < 1e-2, (size, one, other)
    models = {row["metric"]: row["model"] for row in value["metrics"]}
    check_equal("computation", models["comp"]["term"], "constant")  # every process computes as much
    check_equal("sends", models["comms_send"] is not None, True)
    check_equal("predicted", document(options, "scaling", *reports, "--predict=100", "--predict=1000")["predicted_sizes"], [100, 1000])
    check_equal("fewer sizes", {row["model"] is None for row in document(options, "scaling", *reports[:3])["metrics"]}, {True})
    text = run(options, "scaling", *reports, "--all")
    lines = dict(re.findall(r"^ +(\S.*?)  +\S+ [mun]?s .*? (\S+ %) ", text[text.index("Time per process"):], re.M))
    check_equal("errors", lines["Computation"], f"{100 * models['comp']['error']:.1f} %")

    # What Extra-P reads has the same values, per process, in its text format and as JSON lines.
    folder = pathlib.Path(options.work)
    run(options, "scaling", *reports, reports[-1], "--quiet", "--extrap", folder / "e.txt")
    run(options, "scaling", *reports, reports[-1], "--quiet", "--extrap", folder / "e.jsonl")
    read = extrap_text((folder / "e.txt").read_text())
    lines = {}
    for line in map(json.loads, (folder / "e.jsonl").read_text().splitlines()):
        lines.setdefault((line["metric"], line["callpath"]), []).append((line["params"]["p"], line["value"]))
    check_equal("Extra-P", read, lines)
    for kind, rows in (("time", value["call_paths"]), (None, value["waits"])):
        for row in rows:
            if any(row["values"]):
                own = [each / run["size"] for each, run in zip(row["values"], value["runs"])]
                got = read[kind or row["metric"], "->".join(row["call_path"])]
                check_equal("values for Extra-P", [(run["size"], [each]) for run, each in zip(value["runs"], own)], [(p, values[:1]) for p, values in got])
                check_equal("repetitions", [len(values) for _, values in got], [1, 1, 1, 1, 2])
    run(options, "scaling", *reports, "--extrap", folder / "e.txt", codes=(1,))
    run(options, "scaling", *reports, "--quiet", "--picture", folder / "e.svg")
    assert "<svg" in (folder / "e.svg").read_text()
    run(options, "scaling", *reports, "--picture", folder / "e.svg", codes=(1,))
    run(options, "scaling", *reports, "--picture", folder / "e.pdf", codes=(2,))
    run(options, "scaling", *reports, "--picture", folder / "e.html", "--html", folder / "e.html", codes=(2,))
    run(options, "scaling", *reports, "--extrap", "-", codes=(2,))
    run(options, "scaling", *reports, "--extrap", folder / "e.html", "--html", folder / "e.html", codes=(2,))
    run(options, "scaling", *reports, "--extrap", folder / "e.html", "--html", f"{folder}/./e.html", codes=(2,))
    assert not (folder / "e.html").exists()
    run(options, "scaling", *reports, "--extrap", reports[0], "--force", codes=(2,))
    run(options, "scaling", *reports, "--extrap", folder / "none" / "e.txt", codes=(1,))
    for wrong in ("0", "-4", "x", "4x", "99999999999"):
        run(options, "scaling", *reports, f"--predict={wrong}", codes=(2,))


def extrap_text(text):
    """Values by metric and call path: of each point, after Extra-P's grammar of its text format."""
    lines = text.splitlines()
    assert lines[0] == "PARAMETER p" and re.fullmatch(r"POINTS( \(\d+\))+", lines[1]), lines[:2]
    points, out, metric, region = [int(word) for word in re.findall(r"\d+", lines[1])], {}, None, None
    for line in lines[2:]:
        tag, _, rest = line.partition(" ")
        if tag == "METRIC":
            metric = rest
        elif tag == "REGION":
            region = rest
            assert (metric, region) not in out, line
            out[metric, region] = []
        else:
            assert tag == "DATA" and all(re.fullmatch(r"-?\d+(\.\d*)?", word) for word in rest.split(" ")), line
            out[metric, region].append((points[len(out[metric, region])], list(map(float, rest.split(" ")))))
    assert all(len(values) == len(points) for values in out.values())
    return out


def amounts(row, unit):
    """Values of A and B, and their difference, as the text has them."""
    def text(value):
        if unit != "sec" and abs(value) < 99999999.5 and (abs(value) >= 99999.5 or value == round(value)):
            return f"{value:,.0f}"
        return time_text(value) if unit == "sec" else f"{value:.5g}"
    return text(row["a"]), text(row["b"]), ("+" if row["difference"] > 0 else "") + text(row["difference"])


def check_diff(options, a, b):
    value = document(options, "diff", a, b, "--top=4", "--fail-if=time > +1000%", "--fail-if=mpi_latesender at main < 12%time", codes=(0, 3, 4))
    blocks = run(options, "diff", a, b, "--top=4", "--all").split("\n\n")
    number = r"[+-]?[\d.,]+(?:e[+-]?\d+)?(?: [mun]?s)?"
    row = re.compile(rf" ({number}) +({number}) +({number})(?: +\S+ %| +new)?(?: *[+-]\S+ pp)? *$", re.M)
    rows = lambda head: row.findall(next((block for block in blocks if block.startswith(head)), ""))
    units = {metric["metric"]: metric["unit"] for metric in value["metrics"]}
    check_equal("metrics", collections.Counter(rows("Metrics")),
                collections.Counter(amounts(row, row["unit"]) for row in value["metrics"] if row["a"] != 0 or row["b"] != 0))
    for row_ in value["metrics"]:
        assert row_["difference"] == row_["b"] - row_["a"]
    check_equal("waits", rows("Wait states"),
                [amounts(place, units[wait["metric"]]) for wait in value["waits"] for place in [wait, *wait["call_paths"]]])
    for key, head in (("causes", "Causes"), ("critical_path", "Computation"), ("call_paths", "Time by call path")):
        check_equal(key, rows(head), [amounts(place, "sec") for place in value[key] or []])
    first, wall = blocks[0].splitlines()[0], value["wall"]
    if time_text(wall["a"]) == time_text(wall["b"]):
        check_equal("wall time", first, f"B takes as long as A: {time_text(wall['a'])} ({wall['of']})")
    else:
        factor = wall["b"] / wall["a"]
        digits = 4 if factor < 0.1 else 2 if factor < 9.995 else 1 if factor < 99.95 else 0
        check_equal("wall time", first, f"B takes {factor:.{digits}f} x as long: {time_text(wall['a'])} -> {time_text(wall['b'])} ({wall['of']})")
    check_equal("runs", value["runs"], {"a": [value["a"]], "b": [value["b"]]})
    assert wall["p"] is None and wall["deviation_a"] is None
    check_equal("rules", [rule["rule"] for rule in value["rules"]], ["time > +1000%", "mpi_latesender at main < 12%time"])


def check_diff_of_runs(options, a, b):
    value = document(options, "diff", a, a, "--", b, b, a, "--fail-if=time > +0s", "--significant", codes=(0, 3, 4))
    one, other = document(options, "diff", a, b), document(options, "diff", b, a)
    check_equal("runs", [[run["path"] for run in value["runs"][key]] for key in "ab"], [[str(a)] * 2, [str(b), str(b), str(a)]])
    for got in value["metrics"]:
        first, second = (next(row for row in of["metrics"] if row["metric"] == got["metric"]) for of in (one, other))
        expected = (2 * first["b"] + second["b"]) / 3
        assert abs(got["b"] - expected) <= 1e-12 * abs(expected) and abs(got["a"] - first["a"]) <= 1e-12 * abs(first["a"]), (got, first, second)
        spread = math.sqrt(((first["b"] - expected) ** 2 * 2 + (second["b"] - expected) ** 2) / 2)
        assert got["deviation_a"] == 0 and abs(got["deviation_b"] - spread) <= 1e-9 * abs(expected) + 1e-300, got
        # no noise in A, so t = difference / (spread / sqrt(3)) with 2 degrees of freedom; t is 2 for two of three that differ
        if abs(first["b"] - second["b"]) > 1e-9 * abs(expected):
            assert abs(got["p"] - (1 - 2 / math.sqrt(6))) < 1e-6, got
    assert value["rules"][0]["result"] != "violated"  # the time has not grown


def check_topology(options, report):
    value = document(options, "topology", report, "--list")
    lines = [line.split("\t") for line in run(options, "topology", report, "--list").splitlines()]
    check_equal("topologies", lines, [[topology["name"], " x ".join(f"{d['name']} {d['size']}{' periodic' if d['is_periodic'] else ''}"
                                                                   for d in topology["dimensions"])] for topology in value["topologies"]])
    for name in [line[0] for line in lines]:
        value = document(options, "topology", report, "--name", name)
        head, cells = table(run(options, "topology", report, "--name", name, "--tsv"))
        check_equal("dimensions", head[:-2], [dimension["name"] for dimension in value["place"]["dimensions"]])
        check_equal("cells", [[*line[:-2], float(line[-2]), int(line[-1])] for line in cells],
                    [[*("all" if x is None else str(x) for x in cell["coordinates"]), cell["value"], cell["locations"]] for cell in value["place"]["cells"]])
    for by, more in (("node", []), ("node", ["--metric", "visits"]), ("coordinate", ["--name", "nodes"])):
        codes = (0,) if by == "node" else (0, 2)  # 2: there is one node alone
        text = run(options, "topology", report, "--by", by, *more, "--tsv", codes=codes)
        if not text:
            continue
        value = document(options, "topology", report, "--by", by, *more)
        head, lines = table(text)
        keys = ["division", "part", "processes", *("value" if key == "visits" else key for key in head[3:])]
        check_equal("divisions", [[line[0], line[1], *map(float, line[2:])] for line in lines],
                    [["(not on it)" if key == "part" and row[key] is None else row[key] for key in keys] for row in value["divisions"]])
    text = run(options, "topology", report, "--by", "distance", "--tsv", codes=(0, 2))
    if text:
        value = document(options, "topology", report, "--by", "distance")
        head, lines = table(text)
        check_equal("distances", [[line[0].split()[0], line[1], *map(float, line[2:])] for line in lines],
                    [[row["kind"], row["distance"] or "(not known)", *(row[key] for key in head[2:])] for row in value["distances"]])


def member(report, name):
    """Rows of a table that the report carries."""
    with tarfile.open(report) as archive:
        head, lines = table(archive.extractfile(name).read().decode().rstrip("\n"))
    return [dict(zip(head, line, strict=True)) for line in lines]


def check_instances_command(options, report):
    """The document, the table for spreadsheets, the text and the report's own table have the same instances."""
    value = document(options, "instances", report, "--top=2")
    instances = [(wait["metric"], instance) for wait in value["waits"] for instance in wait["instances"]]
    assert all(metric == instance["metric"] for metric, instance in instances)
    lines = list(csv.DictReader(io.StringIO(run(options, "instances", report, "--top=2", "--csv"))))
    texts, numbers = ("metric", "call_path"), ("instance", "call_path_id", "process", "thread", "enter", "leave", "waiting", "peer")
    check_equal("instances", [[*(line[key] for key in texts), *(number(line[key]) for key in numbers)] for line in lines],
                [[instance["metric"], joined(instance["call_path"]), *(instance[key] for key in numbers)] for _, instance in instances])
    own = {row["instance"]: row for row in member(report, "heddle.instances.tsv")}
    for _, instance in instances:
        row = own[str(instance["instance"])]
        check_equal("instance", (row["metric"], number(row["path"]), number(row["process"]), number(row["thread"]), number(row["enter"]),
                                 number(row["leave"]), number(row["waiting"]), number(row["peer"])),
                    tuple(instance[key] for key in ("metric", "call_path_id", "process", "thread", "enter", "leave", "waiting", "peer")))
    text = run(options, "instances", report, "--top=2")
    check_equal("waits", re.findall(r"^\S.* \((\w+)\): (\S+ [mun]?s)$", text, re.M), [(wait["metric"], time_text(wait["sum"])) for wait in value["waits"]])
    check_equal("lines", [line.split()[:7] for line in text.splitlines() if re.match(r" +\d+ +[\d.]+ [mun]?s +[\d.e-]+ +[\d.e-]+ +\d+ ", line)],
                [[str(i["instance"]), *time_text(i["waiting"]).split(), f"{i['enter']:.9g}", f"{i['leave']:.9g}", str(i["process"]), str(i["thread"])]
                 for _, i in instances])
    for wait in value["waits"][:1]:
        for name in {wait["metric"], f"{wait['name']} ({wait['interface']})", "LATE SENDER" if wait["name"] == "Late Sender" else wait["metric"]}:
            one = document(options, "instances", report, "--metric", name, "--top=2")
            check_equal("one wait state", (one["metric"], one["waits"]), (wait["metric"], [wait]))
    check_startup_of_instances(options, report, own, value, text)


STARTUP = {"mpi_init_completion", "mpi_finalize_wait"}


def check_startup_of_instances(options, report, own, value, text):
    """Instances of waiting in MPI_Init and MPI_Finalize are left out, but with --with-startup, or if one asks for them."""
    waits = {row["metric"] for row in own.values()} & STARTUP
    whole = document(options, "instances", report, "--with-startup")
    check_equal("with start-up", {wait["metric"] for wait in whole["waits"]} & STARTUP, waits)
    assert whole["is_startup_counted"] and not {wait["metric"] for wait in value["waits"]} & STARTUP
    if waits:
        assert not value["is_startup_counted"] and "is not counted; --with-startup counts it." in text
    for metric in waits:
        one = document(options, "instances", report, "--metric", metric)
        check_equal(metric, one["waits"], [wait for wait in whole["waits"] if wait["metric"] == metric])


# ---- reports -------------------------------------------------------------------------------------------------------------------------


def analyze(options, archive, name, *more, codes=(0,)):
    report = pathlib.Path(options.work) / f"{name}.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", *more, codes=codes)
    return report


def truncated(options, name):
    """A copy of an archive with the beginning of each event file: processes wait for what is not recorded."""
    folder = pathlib.Path(options.work) / "truncated"
    shutil.copytree(DATA / name, folder)
    for events in folder.glob("traces/*.evt"):
        os.truncate(events, 8000)
    return folder


def swept(options, slow):
    """An archive of several nodes, whose waiting is concentrated: 40: on some lines of its topology, 10: on a node."""
    folder = pathlib.Path(options.work) / f"sweep-{slow}"
    subprocess.run([options.sweep, folder, "16", "8", "--blocks", "2", "--rounds", "4", "--slow", str(slow)], check=True, timeout=HANG_SECONDS)
    return folder


def foreign(options):
    for packed in sorted((DATA / "reports").glob("*.gz")):
        report = pathlib.Path(options.work) / packed.stem
        report.write_bytes(gzip.decompress(packed.read_bytes()))
        yield report


def properties(part, path, defs):
    """Members that the schema names, as note() has them."""
    if "$ref" in part:
        yield from properties(defs[part["$ref"].rsplit("/", 1)[1]], path, defs)
    for one in part.get("oneOf", []):
        yield from properties(one, path, defs)
    if "items" in part:
        yield from properties(part["items"], path, defs)
    for key, value in part.get("properties", {}).items():
        below = list(properties(value, f"{path}.{key}", defs))
        yield from below or [f"{path}.{key}"]


def check_series(options, report):
    """Both kinds, and the rows of --csv added up."""
    found = document(options, "series", report)
    assert found["iterations"]["count"] == len(found["iterations"]["slices"]) == 11 and found["iterations"]["how"] == "option", found
    assert document(options, "series", report, "--by", "windows")["iterations"] is None
    for by in ("windows", "iterations"):
        sums = collections.Counter()
        for row in csv.DictReader(run(options, "series", report, "--csv", "--by", by).splitlines()):
            sums[row["metric"]] += float(row["value"])
        for row in found[by]["series"]:
            if row["metric"] != "duration":
                whole = sum(row["values"]) + row["before"] + row["after"] + row["between"]
                assert abs(whole - sums[row["metric"]]) <= 1e-12, (by, row["metric"], whole, sums)
    assert {row["process"] for row in document(options, "series", report, "--metric", "duration", "--by", "iterations")["iterations"]["series"]} == set(range(8))


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--hostile", "--sweep", "--drift", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)

    archives = sorted(path.parent for path in DATA.glob("*/traces.otf2"))
    reports = {}
    for archive in archives:
        check_info(options, archive)
        check_plan(options, archive)
        check_simulate(options, archive)
        reports[archive.name] = analyze(options, archive, archive.name, "--instances=3")
    others = list(foreign(options))
    cut = analyze(options, truncated(options, "pat-mpi-4"), "cut", codes=(3,))
    sweep = analyze(options, swept(options, 40), "sweep", "--simulate=advice", "--simulate=curves", "--simulate=scale compute 1/2")
    on_a_node = analyze(options, swept(options, 10), "on_a_node")
    with_files = pathlib.Path(options.work) / "with_files"
    subprocess.run([sys.executable, ROOT / "tests/oracle/random_files.py", "33", with_files], check=True, timeout=HANG_SECONDS)
    files = analyze(options, with_files, "files")
    left_out = analyze(options, DATA / "pat-mpi-4", "left_out", "--no-delay", "--no-critical-path")
    sample = json.loads(re.search(r'^    (\{"name": .*\})$', (ROOT / "docs/json.md").read_text(), re.M)[1])
    first = check_summary(options, reports["pat-mpi-4"])["waits"][0]
    check_equal("the sample of docs/json.md", sample, {key: first[key] for key in sample})
    iterations = analyze(options, DATA / "npb-is-S-8", "iterations", "--iterations", "rank")
    slower = pathlib.Path(options.work) / "slower"
    subprocess.run([options.drift, slower], check=True, timeout=HANG_SECONDS)
    drift = analyze(options, slower, "drift", "--iterations", "iteration")
    for report in [*reports.values(), *others, cut, sweep, on_a_node, files, left_out, iterations, drift]:
        check_summary(options, report)
    for report in reports.values():
        check_instances_command(options, report)
    for by in ("process", "node"):
        document(options, "matrix", reports["pat-mpi-4"], "--by", by)
        document(options, "matrix", sweep, "--by", by)
    check_series(options, iterations)
    run(options, "instances", left_out, codes=(1,))
    for report in [*reports.values(), cut, sweep]:
        check_causes_table(options, report)
        check_topology(options, report)
    document(options, "causes", cut, "--of", "MPI_Recv", "--by", "work_us")
    document(options, "topology", cut, "--call-path", "late_sender", "--metric", "time")
    compat = analyze(options, DATA / "pat-omptask-4", "compat", "--compat=scout26")
    value = document(options, "diff", reports["pat-omptask-4"], compat)
    assert value["call_paths"][0]["processes"][0]["thread"] is not None  # of one process
    check_scaling(options, reports["scorep-jacobi-mpi-c-16"], reports["scorep-jacobi-hyb-c-4x2"])
    check_scaling(options, *others)
    check_models(options)
    check_diff(options, reports["scorep-jacobi-mpi-c-16"], reports["scorep-jacobi-hyb-c-4x2"])
    check_diff(options, reports["pat-mpi-4"], cut)
    check_diff(options, reports["pat-nbc-4"], reports["pat-mpi-4"])
    check_diff_of_runs(options, reports["pat-mpi-4"], cut)
    mean = pathlib.Path(options.work) / "mean.cubex"
    run(options, "mean", reports["pat-mpi-4"], reports["pat-nbc-4"], "-o", mean, "--quiet")
    check_summary(options, mean)

    # A report that is restricted says to what.
    part = analyze(options, DATA / "pat-mpi-4", "part", "--roi", "late_sender", "--roi", "wrong_order", "--from=1ms", "--to=10")
    said = document(options, "summary", part)["report"]
    attributes = {row["key"]: row["value"] for row in document(options, "summary", part)["analysis"]}
    check_equal("regions", said["regions"], ["late_sender", "wrong_order"])
    check_equal("interval", said["interval"], {"from": 0.001, "to": 10})
    check_equal("window", said["window"], {"from": float(attributes["WindowFrom"]), "to": float(attributes["WindowTo"])})
    assert said["region_share"] in run(options, "summary", part).splitlines()[0], said
    rest = document(options, "causes", analyze(options, DATA / "pat-mpi-4", "rest", "--from=2ms"))["report"]
    check_equal("the rest", (rest["regions"], rest["region_share"], rest["interval"], rest["window"]), ([], None, {"from": 0.002, "to": None}, None))
    whole = document(options, "matrix", reports["pat-mpi-4"])["report"]
    check_equal("the whole", (whole["regions"], whole["interval"], whole["window"]), ([], None, None))

    # Names that attack whoever shows them: still JSON, and valid.
    hostile = pathlib.Path(options.work) / "hostile"
    subprocess.run([options.hostile, hostile], check=True, timeout=HANG_SECONDS)
    report = analyze(options, hostile, "hostile", "--instances=3", codes=(0, 3))
    document(options, "info", hostile)
    for arguments in (["summary", report], ["causes", report], ["instances", report], ["diff", report, report], ["scaling", report, report]):
        document(options, *arguments)

    # What only one output can be.
    for command, other in (("causes", "--tsv"), ("instances", "--csv"), ("topology", "--tsv"), ("scaling", "--tsv"), ("diff", "--markdown"), ("diff", "--quiet")):
        run(options, command, *[cut] * (1 if command in ("causes", "instances", "topology") else 2), "--json", other, codes=(2,))
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([options.heddle, "summary", str(cut), "--json"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=dict(os.environ, **MPI_ENVIRONMENT))
        assert done.returncode == 1 and "cannot write the JSON document" in done.stderr, done.stderr

    never = [path for command in COMMANDS if any(name.startswith(f"{command}.") for name in seen)
             for path in properties(SCHEMA["$defs"][f"command_{command}"], command, SCHEMA["$defs"]) if seen[path] == 0]
    print("members that no document here had a value for:", ", ".join(never) or "none")
    print("JSON documents are valid, and have the numbers of the text")


main()
sys.exit(0)

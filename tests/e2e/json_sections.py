"""The sections of heddle summary: what their lines say is what stands in the document of --json. Used by test_json.py."""
import re


# ---- the text's numbers -----------------------------------------------------------------------------------------------------------


def sections(text):
    """Heading: its lines."""
    found, name = {}, ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            name = line
        found.setdefault(name, []).append(line)
    return found


def rows(lines):
    """The numbers of lines that end with seconds and percent, as printed."""
    return re.findall(r" (\S+ [mun]?s) +(-?[\d.]+) %$", "\n".join(lines), re.M)


def row(value, share):
    """Of a value and its share of the whole."""
    return time_text(value), f"{100 * (share or 0):.1f}"


def time_text(seconds):
    """Three significant digits and the unit that fits."""
    if seconds == 0:
        return "0 s"
    size, name = next((unit for unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")) if abs(seconds) >= 0.9995 * unit[0]), (1e-9, "ns"))
    value = seconds / size
    return f"{value:.{2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0}f} {name}"


def check_equal(what, text, values):
    assert text == values, f"{what}: the text has\n{text}\nthe document\n{values}"


def check_time(lines, values):
    check_equal("time", rows(lines), [row(v["value"], v["share"]) for v in values])


def check_processes(lines, processes):
    """Each that has a row of its own in the text is the one with the largest value there; its threads have at most its value."""
    words = " ".join(" ".join(lines).split())
    for process in processes:
        threads = process["threads"] or []
        assert sum(thread["value"] for thread in threads) <= process["value"] * (1 + 1e-12), process
        assert [thread["value"] for thread in threads] == sorted((thread["value"] for thread in threads), reverse=True)
    if len(processes) > 1 and processes[0]["thread"] is None and f"{100 * processes[0]['share']:.0f} %" != "0 %":
        named = re.search(rf"process {processes[0]['process']}(?: threads? [\d, -]+)?: {100 * processes[0]['share']:.0f} %", words)
        assert named or re.search(r"\d of \d+ processes: ", words), (processes[0], words)


def check_waits(lines, waits):
    expected = []
    for wait in waits:
        expected.append(row(wait["value"], wait["share"]))
        for path in wait["call_paths"]:
            expected.append(row(path["value"], path["share"]))
            check_processes(lines, path["processes"])
        if wait["messages"] is not None:
            assert f"    in {wait['messages']['waiting']:,.0f} of {wait['messages']['total']:,.0f} message" in "\n".join(lines)
    check_equal("waits", rows(lines), expected)


def check_instances(lines, waits):
    expected, total = [], 0
    for wait in waits:
        expected.append(time_text(wait["sum"]))
        assert f"\n  {wait['name']} ({wait['interface']}) " in "\n".join(lines), (wait["name"], lines)
        expected += [time_text(instance["waiting"]) for instance in wait["instances"]]
        total += wait["count"]
    check_equal("instances", [value for value, _ in rows(lines)], expected)
    check_equal("numbers of instances", sum(map(int, re.findall(r"^    (\d+) instances?, mean", "\n".join(lines), re.M))), total)


def check_causes(lines, causes):
    expected = [row(causes["total"], 1)]
    for cause in causes["call_paths"]:
        expected.append(row(cause["value"], cause["share"]))
        expected += [row(effect["value"], effect["value"] / causes["total"]) for effect in cause["effects"]]
        assert abs(cause["short_term"] + cause["long_term"] - cause["value"]) <= 1e-12 * cause["value"]
    if causes["others"]["call_paths"] > 0:
        expected.append(row(causes["others"]["value"], causes["others"]["share"]))
    if causes["unattributed"] > 0:
        expected.append(row(causes["unattributed"], causes["unattributed"] / causes["total"]))
    check_equal("causes", rows(lines), expected)


def check_critical(lines, critical):
    expected = [row(critical["length"], 1)] + [row(path["value"], path["share"]) for path in critical["call_paths"]]
    check_equal("critical path", rows(lines), expected)


def check_communication(lines, values):
    words = "".join(lines[1:])
    numbers = {name: int(number.replace(",", "")) for number, name in re.findall(r"([\d,]+) (message|access)(?:s|es)?\b", words)}
    check_equal("calls", int(re.match(r"  ([\d,]+) MPI call", words)[1].replace(",", "")), round(values["calls"]))
    check_equal("messages", numbers.get("message"), None if values["messages"] is None else round(values["messages"]))
    pairs = re.findall(r"^ +(\d+) +(\d+) +([\d,]+) +(\S+ (?:bytes?|[KMGT]iB)) +(\S+ [mun]?s)", "\n".join(lines), re.M)
    expected = [(pair, pair["mean_transfer"]) for pair in values["pairs_by_bytes"] or []] + \
        [(pair, pair["late_sender"] + pair["late_receiver"]) for pair in values["pairs_by_waiting"] or []]
    check_equal("pairs", pairs,
                [(str(pair["sender"]), str(pair["receiver"]), f"{pair['messages']:,}", bytes_text(pair["bytes"]), time_text(seconds)) for pair, seconds in expected])


def bytes_text(value):
    """As bytes_text.c has it."""
    if value < 999.5:
        return f"{value:.0f} byte{'' if round(value) == 1 else 's'}"
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        value /= 1024
        if value < 999.5:
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    raise AssertionError(value)


def check_files(lines, values):
    def moved(row):
        rate = "" if row["bandwidth"] is None else f", {bytes_text(row['bandwidth'])}/s"
        n = row["reads"] + row["writes"] + row["others"]
        assert row["bandwidth"] is None or abs(row["bandwidth"] - (row["bytes_read"] + row["bytes_written"]) / row["time"]) < 1e-9 * row["bandwidth"]
        return f"{n} operation{'' if n == 1 else 's'}, {bytes_text(row['bytes_read'])} read, {bytes_text(row['bytes_written'])} written{rate}"
    words = " ".join(" ".join(lines).split())
    assert f"{time_text(values['time_in_calls'])} in calls for files" in words, words
    assert f", {time_text(values['time_in_mpi_io'])} of it in MPI-IO, {time_text(values['waiting'])} waiting in collective calls" in words, words
    assert moved(values) in words, (moved(values), words)
    for file in values["files"]:
        name = f"{file['file']} ({file['paradigm']}{', inner' if file['inner'] else ''})"
        processes = f"{file['processes']} process{'' if file['processes'] == 1 else 'es'}"
        assert f" {name} {time_text(file['time'])}: {processes}, {moved(file)}" in words, (file, words)
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines), lines
    check_equal("more files", re.findall(r"\((\d+) more\)", words), [str(values["n_files"] - len(values["files"]))][:values["n_files"] > len(values["files"])])


def check_balance(lines, balance):
    words = "\n".join(lines)
    if balance["efficiency"] is not None:
        check_equal("efficiency", re.search(r"efficiency: ([\d.]+) %", words)[1], f"{100 * balance['efficiency']:.1f}")
    check_equal("longest", re.search(r"longest: (\S+ [mun]?s)", words)[1], time_text(balance["longest"]["value"]))


def check_efficiency(lines, values):
    words, entry, lowest = "\n".join(lines), values["slice"], values["lowest"]
    check_equal("parallel", re.search(r"Parallel efficiency +([\d.]+) %", words)[1], f"{100 * entry['parallel']:.1f}")
    hybrid, part = entry["hybrid"], "mpi" if "MPI load balance" in words else "openmp"
    balance = hybrid[part]["load_balance"] if hybrid else entry["load_balance"]
    found = re.search(r"oad balance +([\d.]+) %", words)
    assert len([line for line in lines[1:] if line]) <= 12, lines
    check_equal("load balance", found and found[1], None if balance is None else f"{100 * balance:.1f}")
    if lowest:
        assert f"lowest: {lowest['name']}, {100 * lowest['value']:.1f} %" in " ".join(words.split()), (lowest, words)


def check_per_node(lines, nodes):
    check_equal("nodes", [re.findall(r"(\S+ [mun]?s)\b", line) for line in lines[2:] if "s " in line],
                [[time_text(node[key]) for key in ("computation", "mpi", "waiting")] for node in nodes])


def check_predictions(lines, values):
    """Each row of the text is one of the document: its hypothesis, of which the end is shown at least, and its times."""
    def times(row):
        return [time_text(row["run_time"]), time_text(row["saved"])]

    def shown_behind(heading):
        start = next(i for i, line in enumerate(lines) if line.strip().startswith(heading)) + 1
        start += re.fullmatch(" +run time +saved( .*)?", lines[start]) is not None  # of a heading that is too long
        rows = []
        for before, line in zip(lines[start - 1:], lines[start:]):
            if re.match(r" {20,}-?[\d.]+ [mun]?s ", line):
                line = before + line  # a hypothesis that is too long has a line of its own
            found = re.fullmatch(r"  (.*?)( \.{4,})? +(-?[\d.]+ [mun]?s) +(-?[\d.]+ [mun]?s) +-?[\d.]+ %( .*)?", line)
            if found is None and re.fullmatch(r"  (balance|without|network) .*[^%]", line):
                continue
            if found is None and "(recorded)" not in line:
                break
            rows += [found] if found else []
        return rows

    for heading, rows in (("Hypothesis", values["hypotheses"]), ("Advice", values["advice"]),
                          ("Each alone", [row for row in values["candidates"] if row["saved"] >= 5e-4 * values["run_time"]][:10])):
        if heading == "Hypothesis" and not rows or heading != "Hypothesis" and not values["candidates"]:
            continue
        found = shown_behind(heading)
        check_equal(heading, [[row[3], row[4]] for row in found], [times(row) for row in rows])
        for shown, row in zip(found, rows):
            text = row["text"] + (" (bound)" if row.get("is_bound") else "")
            assert text.endswith(shown[1].split("...")[-1].strip()), (shown[1], text)
    check_equal("curves", sum(line.count("removed  100 %") for line in lines), len(values["curves"]))
    for curve in values["curves"]:
        assert curve["points"][0]["run_time"] == values["run_time"], curve
        check_equal("shares", [point["removed"] for point in curve["points"]], [0, 10, 20, 35, 50, 65, 80, 100])


def check_sentences(lines, concentrations):
    words = " ".join(" ".join(lines).split())
    check_equal("concentrations", words.count(": concentrated on"), len(concentrations))
    for one in concentrations:
        assert f"{one['quantity']}: {one['text']}" in words, one
        shares = tuple(map(int, re.search(r": (\d+) % of the total on (\d+) % of the processes$", one["text"]).groups()))
        assert shares == (round(100 * one["share"]), round(100 * one["share_of_processes"])) and one["parts"][0] in one["text"], one


def check_topologies(lines, topologies):
    check_sentences(lines, [one for topology in topologies for one in topology["concentrations"]])


def check_nodes(lines, nodes):
    check_equal("nodes", rows(lines), [row(node["value"], node["share"]) for node in nodes["by_waiting"]])
    check_sentences(lines, nodes["concentrations"])


def check_unfinished(lines, unfinished):
    chains = {node["end"] for node in unfinished["nodes"] if node["kind"] == "waits" and node["cycle"] is None}
    check_equal("cycles", len(re.findall(r"eadlock: ", "\n".join(lines))), unfinished["cycles"])
    assert len(chains) > 0 or unfinished["cycles"] > 0
    for edge in unfinished["edges"]:
        assert unfinished["nodes"][edge["from"]]["kind"] in ("waits", "operation") and edge["to"] < len(unfinished["nodes"])


def check_diagnostics(lines, diagnostics):
    words = " ".join(" ".join(lines).split())
    assert ("below the error of the clocks" in words) == (diagnostics["clock_error"] is not None), words
    if diagnostics["clock_error"] is None:
        assert f"They count in steps of {time_text(diagnostics['clock_tick'])}" in words or diagnostics["clock_tick"] is None, words
    else:
        assert f"Waits shorter than {time_text(diagnostics['clock_error'])} are" in words, words
        assert all(diagnostics["clock_error"] >= pair["worst"] for pair in diagnostics["clock_pairs"])
        share = diagnostics["share_below_clock_error"]
        assert ("; at least " in words) == bool(share) and (not share or f"at least {100 * share:.1f} % of the waiting" in words), (words, share)
    check_equal("findings", [int(n) for n in re.findall(r"^  (\d+) ", "\n".join(lines), re.M)], [row["count"] for row in diagnostics["findings"]])


def check_measurement(lines, values):
    words = " ".join(" ".join(lines[1:]).split())
    if values["flushes"] > 0:
        assert f"{values['flushes']:.0f} flush" in words and time_text(values["flush_time"]) in words, (words, values)
        assert f"process {values['flush_process']}." in words, words
    assert ("recording was off" in words) == (values["off_time"] > 0) and ("of the trace buffer" in words) == (values["flushes"] > 0), words
    assert ("calls per second" in words) == (values["calls_per_second"] >= 1e5), words
    for function in values["filter_candidates"][:words.count(" each: ")]:
        assert f"{function['calls']:,.0f} calls" in words and f"{time_text(function['mean_time'])} each" in words, (function, words)


def check_no_measurement(values):
    """What is not printed is nothing to speak of."""
    assert values["flushes"] == values["off_time"] == 0 and (values["calls_per_second"] or 0) < 1e5, values


HEADINGS = {
    "efficiency": ("Efficiencies", check_efficiency),
    "time": ("Time breakdown", check_time), "balance": ("Load balance", check_balance), "waits": ("Top wait states", check_waits),
    "instances": ("Wait-state instances", check_instances), "per_node": ("Per node", check_per_node),
    "causes": ("Root causes of wait states (delay costs)", check_causes), "critical": ("Critical path", check_critical),
    "communication": ("Communication statistics", check_communication), "diagnostics": ("Trace diagnostics", check_diagnostics),
    "unfinished": ("Unfinished operations (wait-for graph)", check_unfinished), "nodes": ("Wait states by node", check_nodes),
    "topologies": ("Wait states by topology coordinate", check_topologies),
    "files": ("File I/O", check_files), "predictions": ("Predictions (what-if simulation)", check_predictions),
    "measurement": ("Measurement", check_measurement),
    "analysis": ("Analysis run", None), "provenance": ("Provenance", None),
}

#!/usr/bin/env python3
"""heddle export: what otf2-print shows of an archive stands in the files for Perfetto and Paraver, at the same times.

usage: test_export.py --openmpi|--mpich HEDDLE --work DIR ARCHIVE...

Of each archive:
  1. Perfetto: the JSON has the fields of the format; slices nest on each thread; the slices are the enters and leaves that otf2-print
     shows; every arrow has both ends, at the times of the send and of the receive that belong together by the order in which they
     were sent and posted; calls have what they communicated
  2. parts: the slices of the whole, cut at the borders; the arrows with both ends in it
  3. Paraver: records in the order of time; an event for each enter and leave, with the name of its region; states without gaps; a
     communication for each arrow
  4. wait states of a report: a slice for each instance, and one for its cause, which an arrow connects
Once: samples; clocks; standard output and compressed files; what cannot be done has an error, and leaves nothing behind; what is damaged.
"""
import argparse
import bisect
import collections
import decimal
import gzip
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import otf2_bytes
from run_matrix import HANG_SECONDS, Archive, Build, Failure, run
from runner import few
from test_extract import DAMAGES, WORDS, cut_file, otf2_print

PARTS = ((0.0, 0.31), (0.2, 0.45), (0.449, 0.4501), (0.7, 1.1))
FUNCTIONS = "60000019"
COLLECTIVE_ENDS = ("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE", "RMA_COLLECTIVE_END")


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


# ---- the archive, as otf2-print shows it ------------------------------------------------------------------------------------------

Message = collections.namedtuple("Message", "sender sent receiver received tag bytes")


class Printed:
    """events: {location index: [(time, kind, rest)]}, in the order of the program's locations."""

    def __init__(self, anchor):
        definitions = otf2_print(anchor).definitions
        clock = re.search(r"^CLOCK_PROPERTIES.*?Ticks per Seconds: (\d+), Global Offset: (\d+), Length: (\d+)", definitions, re.M)
        self.resolution, self.origin, self.length = map(int, clock.groups())
        by_ref = collections.defaultdict(list)
        for kind, location, at, rest in WORDS.findall(otf2_print(anchor).events):
            by_ref[int(location)].append((int(at), kind, rest))
        self.by_ref = by_ref
        processes = collections.defaultdict(list)  # of a location's number the lower half is its process
        for ref in by_ref:
            processes[ref & 0xFFFFFFFF].append(ref)
        self.rank_of = {ref: rank for rank, key in enumerate(sorted(processes)) for ref in processes[key]}

    def n(self, *kinds):
        return sum(kind in kinds for rows in self.by_ref.values() for _, kind, _ in rows)

    def messages(self):
        """Those with both ends: the k-th send of a channel belongs to the receive that was posted as the k-th one."""
        sends, receives = collections.defaultdict(list), collections.defaultdict(list)
        for ref in sorted(self.by_ref):
            open_calls, posts = [], {}
            rows = self.by_ref[ref]
            has_cancelled = any(kind == "MPI_REQUEST_CANCELLED" for _, kind, _ in rows)
            for i, (at, kind, rest) in enumerate(rows):
                request = re.search(r"Request: (\d+)", rest)
                if kind == "ENTER":
                    open_calls.append(at)
                elif kind == "LEAVE" and open_calls:
                    open_calls.pop()
                elif kind == "MPI_IRECV_REQUEST":
                    posts[request[1]] = (open_calls[-1], i)
                elif kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
                    is_send = "SEND" in kind
                    peer, comm, tag, size = re.search(r'(?:Sender|Receiver): \d+ \(".*?" <(\d+)>\), Communicator: ".*?" <(\d+)>, '
                                                      r"Tag: (\d+), Length: (\d+)", rest).groups()
                    ends = (ref & 0xFFFFFFFF, int(peer) & 0xFFFFFFFF)
                    channel = (comm, tag, *(ends if is_send else ends[::-1]))
                    if is_send:
                        if request and has_cancelled and self.is_cancelled(rows[i:], request[1]):
                            continue
                        sends[channel].append(((at, ref, i), (ref, at, int(size))))
                    else:
                        post = posts.pop(request[1]) if request else (open_calls[-1], i)
                        receives[channel].append(((post[0], ref, post[1]), (ref, at)))
        found = []
        for channel, rows in sends.items():
            for (_, (sender, sent, size)), (_, (receiver, received)) in zip(sorted(rows), sorted(receives[channel])):
                found.append(Message(sender, sent, receiver, received, int(channel[1]), size))
        return found

    @staticmethod
    def is_cancelled(rows, request):
        for _, kind, rest in rows:
            if kind in ("MPI_ISEND_COMPLETE", "MPI_REQUEST_CANCELLED") and re.search(rf"Request: {request}\b", rest):
                return kind == "MPI_REQUEST_CANCELLED"
        return False


# ---- Perfetto -----------------------------------------------------------------------------------------------------------------------

FIELDS = {"B": {"ph", "ts", "pid", "tid", "name", "cat"}, "E": {"ph", "ts", "pid", "tid"}, "M": {"ph", "pid", "tid", "name", "args"},
          "s": {"ph", "ts", "pid", "tid", "name", "cat", "id"}, "f": {"ph", "ts", "pid", "tid", "name", "cat", "id", "bp"},
          "C": {"ph", "ts", "pid", "tid", "name", "args"}}
Slice = collections.namedtuple("Slice", "begin end name args depth")


class Perfetto:
    """Reads and checks a trace by itself: threads: {(pid, tid): name}, slices: {(pid, tid): [Slice]}, arrows: {(cat, id): (s, f)}."""

    def __init__(self, text, where):
        self.where = where
        whole = json.loads(text, parse_float=decimal.Decimal)
        expect(set(whole) == {"displayTimeUnit", "otherData", "traceEvents"} and whole["displayTimeUnit"] == "ns", where, "members", list(whole))
        self.other = whole["otherData"]
        self.names, self.processes, self.slices, ends, self.n_events = {}, {}, collections.defaultdict(list), collections.defaultdict(dict), 0
        self.counters = collections.defaultdict(list)
        stacks, now = collections.defaultdict(list), collections.defaultdict(int)
        for event in whole["traceEvents"]:
            phase, thread = event["ph"], (event["pid"], event["tid"])
            expect(FIELDS[phase] <= set(event) <= FIELDS[phase] | {"args"}, where, "fields", event)
            expect(event["pid"] > 0 and event["tid"] > 0, where, "Perfetto does not show", event)
            if phase == "M":
                self.name(event)
                continue
            at = self.ticks(event["ts"])
            if phase == "C":                                    # of the time until the next value, so written when that is known
                self.counters[event["pid"], event["name"]].append((at, float(event["args"]["value"])))
                continue
            expect(at >= now[thread], where, "not in the order of time", event)
            now[thread] = at
            if phase == "B":
                stacks[thread].append((at, event["name"], event.get("args", {}), len(stacks[thread])))
            elif phase == "E":
                expect(stacks[thread], where, "nothing is open", event)
                begin, name, args, depth = stacks[thread].pop()
                self.slices[thread].append(Slice(begin, at, name, {**args, **event.get("args", {})}, depth))
            else:
                expect(stacks[thread], where, "an arrow outside of all slices", event)
                key = (event["cat"], event["id"])
                expect(phase not in ends[key], where, "two arrows have one id", event)
                ends[key][phase] = (thread, at)
        expect(not any(stacks.values()), where, "never ended", {key: stack for key, stack in stacks.items() if stack})
        expect(all(set(end) == {"s", "f"} for end in ends.values()), where, "an arrow has one end")
        self.arrows = {key: (end["s"], end["f"]) for key, end in ends.items()}
        expect(set(self.slices) <= set(self.names), where, "a thread has no name")

    def name(self, event):
        expect(event["name"] in ("process_name", "thread_name", "process_sort_index", "thread_sort_index"), self.where, event)
        if event["name"] == "process_name":
            self.processes[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            self.names[event["pid"], event["tid"]] = event["args"]["name"]

    def ticks(self, microseconds):
        """Exact: no two ticks are as near as the last digit."""
        scaled = decimal.Decimal(microseconds) * self.other["ticks_per_second"] / 10**6
        at = int(scaled.to_integral_value(decimal.ROUND_CEILING))
        expect(at - scaled < decimal.Decimal("0.01"), self.where, microseconds, "is no time of the archive")
        return at + self.other["origin_ticks"]

    def locations(self):
        """[(pid, tid)] of threads of the program, in the order of their locations."""
        return sorted((key for key, name in self.names.items() if not re.match(r"Wait states|Causes of waits", name)), key=lambda key: key[1])

    def messages(self):
        return [arrow for (kind, _), arrow in self.arrows.items() if kind == "message"]


def export(build, archive, *options, code=0):
    got, output, errors = run([build.heddle, "export", str(archive), *map(str, options)])
    expect(got == code, f"heddle export {' '.join(map(str, options))}: exit code {got}\n{errors.strip()}")
    return output + errors


def export_perfetto(build, archive, work, *options, code=0):
    path = work / "t.json"
    said = export(build, archive, "--perfetto", path, "--force", *options, code=code)
    return Perfetto(path.read_text(), f"{archive} {options}"), said


def ref_of(printed, trace):
    """{(pid, tid): number of the location in the archive}: those of a process are in the order of their definitions."""
    order = sorted(printed.by_ref, key=lambda ref: (printed.rank_of[ref], ref >> 32))
    with_events = [key for key in trace.locations() if trace.slices[key]]
    order = [ref for ref in order if any(kind == "ENTER" for _, kind, _ in printed.by_ref[ref])]
    expect(len(with_events) == len(order), trace.where, "locations", len(with_events), len(order))
    return dict(zip(with_events, order))


def plain(name):
    """Of Fortran without what the compiler adds; reports, and so exports, have some names in this way."""
    module = re.fullmatch(r"__(\w+)_MOD_(\w+)", name)
    return "::".join(module.groups()) if module else name.rstrip("_")


def region_of(rest):
    return plain(re.match(r'Region: "(.*)" <\d+>$', rest)[1])


OF_HEDDLE = ("MEASUREMENT OFF", "TRACE BUFFER FLUSH")  # slices that no enter begins


def check_whole(printed, trace, said):
    """The enters and leaves, messages, and what calls have communicated."""
    refs = ref_of(printed, trace)
    for key, ref in refs.items():
        slices = [s for s in trace.slices[key] if s.name not in OF_HEDDLE]
        enters = sorted((s.begin, plain(s.name)) for s in slices if "entered_before" not in s.args)
        leaves = sorted((s.end, plain(s.name)) for s in slices if "left_later" not in s.args)
        rows   = printed.by_ref[ref]
        expect(enters == sorted((at, region_of(rest)) for at, kind, rest in rows if kind == "ENTER"), trace.where, "enters of", key)
        expect(leaves == sorted((at, region_of(rest)) for at, kind, rest in rows if kind == "LEAVE"), trace.where, "leaves of", key)
    arrows   = sorted((refs[s[0]], s[1], refs[f[0]], f[1]) for s, f in trace.messages())
    messages = printed.messages()
    expect(arrows == sorted(message[:4] for message in messages), trace.where, "arrows")
    expect(f"messages      {len(arrows)}\n" in said and trace.other["messages"] == len(arrows), trace.where, said)
    shown = [row for slices in trace.slices.values() for s in slices for row in s.args.get("communication", ())]
    expect(sum("sent_to" in row for row in shown) == printed.n("MPI_SEND", "MPI_ISEND"), trace.where, "sends in calls")
    expect(sum("received_from" in row for row in shown) == printed.n("MPI_RECV", "MPI_IRECV"), trace.where, "receives in calls")
    collectives = [row for row in shown if "members" in row]
    expect(len(collectives) == printed.n(*COLLECTIVE_ENDS), trace.where, "collectives in calls")
    sent = sum(int(size) for rows in printed.by_ref.values() for _, kind, rest in rows if kind in COLLECTIVE_ENDS
               for size in re.findall(r"Sent: (\d+)", rest))
    expect(sum(row["bytes_sent"] for row in collectives) == sent, trace.where, "bytes of collectives")
    return messages


def check_counters(printed, trace):
    """What is counted per second, over all the time, is what was counted."""
    counted = collections.defaultdict(list)
    for ref, rows in printed.by_ref.items():
        for _, kind, rest in rows:
            for name, value in re.findall(r'\("([^"]*)" <\d+>; \w+; ([-+.e\d]+)\)', rest) if kind == "METRIC" else ():
                counted[printed.rank_of[ref] + 1, name].append(float(value))
    expect({key[0:1] + (re.sub(r" \[.*", "", key[1]),) for key in trace.counters} == set(counted), trace.where, "tracks of counters")
    for (pid, name), rows in trace.counters.items():
        values = counted[pid, re.sub(r" \[.*", "", name)]
        expect(rows == sorted(rows), trace.where, name, "is not in the order of time")
        if name.endswith(" per s"):
            whole = sum(value * (after - at) for (at, value), (after, _) in zip(rows, rows[1:])) / printed.resolution
            expect(abs(whole - (values[-1] - values[0])) <= 1e-6 * whole and rows[-1][1] == 0, trace.where, name, whole)
        else:
            expect([value for _, value in rows] == [v for v, before in zip(values, [None, *values]) if v != before], trace.where, name)


def check_part(whole, trace, begin, end):
    """[begin, end): ticks of the archive."""
    last = max((s.end for slices in trace.slices.values() for s in slices), default=begin)
    for key in whole.locations():
        wanted = collections.Counter()
        for s in whole.slices[key]:
            if s.end >= begin and s.begin < end and (s.end > begin or s.begin == begin or s.end == begin):
                wanted[max(s.begin, begin), min(s.end, end), s.name] += 1
        found = collections.Counter((s.begin, s.end, s.name) for s in trace.slices[key])
        strange = found - wanted
        expect(not strange, trace.where, key, "the whole has not", list(strange)[:3])
        # what ends where the part begins may be seen as before it: its leave is the first record in it
        missing = [row for row in wanted - found if row[0] != row[1]]
        expect(not missing, trace.where, key, "is missing", missing[:3])
    expect(last <= end, trace.where, "goes on after the end")
    inside = lambda arrow: all(begin <= at < end for _, at in arrow)
    expect(sorted(trace.messages()) == sorted(filter(inside, whole.messages())), trace.where, "arrows")
    alone = sum(begin <= at < end for arrow in whole.messages() if not inside(arrow) for _, at in arrow)
    others = trace.other["message_ends_omitted"] - alone  # have none in the whole
    expect(others == 0 or 0 < others <= whole.other["message_ends_omitted"], trace.where, "ends without the other one")


def check_parts(build, archive, printed, whole, work):
    length = printed.length / printed.resolution
    for part in PARTS:
        begin, end = (f"{length * share:.9f}" for share in part)
        trace, said = export_perfetto(build, archive, work, "--from", begin, "--to", end)
        ticks = [printed.origin + round(decimal.Decimal(t) * printed.resolution) for t in (begin, end)]
        check_part(whole, trace, *ticks)
        alone = trace.other["message_ends_omitted"]
        expect((f"omitted       {alone} sends and receives" in said) == (alone > 0), trace.where, said)


# ---- Paraver ------------------------------------------------------------------------------------------------------------------------

class Paraver:
    """Reads and checks the three files: events, states: {(task, thread): rows}."""

    def __init__(self, base):
        self.where = str(base)
        header, *lines = base.with_suffix(".prv").read_text().splitlines()
        found = re.fullmatch(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:(\d+)\(([\d,]+)\):1:(\d+)\(([\d:,]+)\)", header)
        expect(found, self.where, header)
        self.end, nodes, self.cpus = int(found[1]), int(found[2]), list(map(int, found[3].split(",")))
        self.tasks = [tuple(map(int, task.split(":"))) for task in found[5].split(",")]
        expect(len(self.cpus) == nodes and len(self.tasks) == int(found[4]) and sum(self.cpus) == sum(n for n, _ in self.tasks), header)
        self.events, self.states, self.messages, now = collections.defaultdict(list), collections.defaultdict(list), [], 0
        for line in lines:
            kind, *numbers = map(int, line.split(":"))
            cpu, application, task, thread, at = numbers[:5]
            expect(application == 1 and 1 <= cpu <= sum(self.cpus) and 1 <= thread <= self.tasks[task - 1][0], self.where, line)
            expect(now <= at <= self.end, self.where, "not in the order of time", line)
            now = at
            if kind == 1:
                self.states[task, thread].append((at, numbers[5], numbers[6]))
            elif kind == 2:
                self.events[task, thread].append((at, str(numbers[5]), numbers[6]))
            else:
                expect(kind == 3 and len(numbers) == 14, self.where, line)
                self.messages.append(((task, thread), at, numbers[5], (numbers[8], numbers[9]), numbers[10], numbers[11], *numbers[12:]))
        self.read_labels(base.with_suffix(".pcf").read_text())
        self.read_rows(base.with_suffix(".row").read_text())

    def read_labels(self, text):
        self.values, self.state_names = collections.defaultdict(dict), {}
        for block in re.split(r"\n\n+", text):
            lines = block.splitlines()
            if lines and lines[0] == "EVENT_TYPE":
                kind = lines[1].split()[1]
                self.values[kind] = {int(line.split(None, 1)[0]): line.split(None, 1)[1] for line in lines[3:]}
            elif lines and lines[0] == "STATES":
                self.state_names = {int(line.split(None, 1)[0]): line.split(None, 1)[1] for line in lines[1:]}
            elif lines and lines[0] == "STATES_COLOR":
                expect(all(re.fullmatch(r"\d+ +\{\d+,\d+,\d+\}", line) for line in lines[1:]), self.where, "colours")

    def read_rows(self, text):
        for level, n, block in re.findall(r"^LEVEL (\w+) SIZE (\d+)\n((?:(?!LEVEL).+\n)*)", text, re.M):
            expect(block.count("\n") == int(n), self.where, "labels of", level, n, block)
            expect(int(n) == {"CPU": sum(self.cpus), "NODE": len(self.cpus), "TASK": len(self.tasks),
                              "THREAD": sum(self.cpus)}[level], self.where, level, n)


def check_paraver(build, archive, printed, trace, messages, work):
    export(build, archive, "--paraver", work / "p", "--force")
    paraver = Paraver(work / "p")
    refs    = ref_of(printed, trace)
    threads = collections.defaultdict(list)
    for pid, tid in trace.locations():
        threads[pid].append(tid)
    place_of = {refs[pid, tid]: (pid, i + 1) for pid, tids in threads.items() for i, tid in enumerate(tids) if (pid, tid) in refs}
    ns = lambda ticks: (ticks - trace.other["origin_ticks"]) * 10**9 // printed.resolution
    n_enters = 0
    for key, ref in refs.items():
        place, slices = place_of[ref], trace.slices[key]
        enters = [(at, paraver.values[kind][value]) for at, kind, value in paraver.events[place] if value != 0]
        expect(sorted(enters) == sorted((ns(s.begin), s.name) for s in slices), paraver.where, "enters of", place)
        expect(sorted(at for at, _, value in paraver.events[place] if value == 0) == sorted(ns(s.end) for s in slices), "leaves of", place)
        n_enters += len(enters)
        check_states(paraver, place, slices, ns)
    n_parts = sum("entered_before" in s.args for slices in trace.slices.values() for s in slices)
    n_own = sum(s.name in OF_HEDDLE for slices in trace.slices.values() for s in slices)
    expect(n_enters == printed.n("ENTER") + n_parts + n_own, paraver.where, "number of enters")
    wanted = sorted((place_of[m.sender], ns(m.sent), place_of[m.receiver], ns(m.received), m.bytes, m.tag) for m in messages)
    found  = sorted((sender, sent, receiver, received, size, tag) for sender, _, sent, receiver, _, received, size, tag in paraver.messages)
    expect(found == wanted, paraver.where, "communications")
    begins = {(place, at) for place, rows in paraver.events.items() for at, _, value in rows if value != 0}
    for sender, called, sent, receiver, posted, received, *_ in paraver.messages:
        expect(called <= sent and posted <= received, paraver.where, "ends of", sender, receiver)
        expect({(sender, called), (receiver, posted)} <= begins, paraver.where, "no call begins at", called, posted)


def check_states(paraver, place, slices, ns):
    """They follow each other as long as anything is open; MPI calls are not running."""
    rows, covered = paraver.states[place], []
    for begin, end, state in rows:
        expect(begin < end and state in paraver.state_names, paraver.where, "state", place, begin, end, state)
        if covered and covered[-1][1] == begin:
            covered[-1][1] = end
        else:
            expect(not covered or covered[-1][1] < begin, paraver.where, "two states at", begin, place)
            covered.append([begin, end])
    wanted = []
    for s in sorted(slices, key=lambda s: (s.begin, s.end)):
        if wanted and ns(s.begin) <= wanted[-1][1]:
            wanted[-1][1] = max(wanted[-1][1], ns(s.end))
        elif ns(s.begin) < ns(s.end):
            wanted.append([ns(s.begin), ns(s.end)])
    merged = []
    for begin, end in covered:
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = end
        else:
            merged.append([begin, end])
    expect(merged == wanted, paraver.where, "states of", place, "do not cover its calls", merged[:3], wanted[:3])
    begins = [begin for begin, *_ in rows]
    for s in slices:
        if s.name in ("MPI_Recv", "MPI_Waitall", "MPI_Allreduce") and ns(s.begin) < ns(s.end):
            state = rows[bisect.bisect_right(begins, ns(s.begin)) - 1][2]
            expect(paraver.state_names[state] == {"MPI_Recv": "Waiting a message", "MPI_Waitall": "Wait/WaitAll",
                                                  "MPI_Allreduce": "Group Communication"}[s.name], paraver.where, s, state)


# ---- wait states --------------------------------------------------------------------------------------------------------------------

def check_efficiencies(trace, said, report, build, printed):
    """A track for each of three efficiencies: a value at the begin of each time window of the report, and 0 behind the last one."""
    code, output, errors = run([build.heddle, "efficiency", report, "--json"])
    expect(code == 0, errors)
    windows = json.loads(output)["slices"]
    tracks = {name: rows for (_, name), rows in trace.counters.items() if name.endswith("[%]")}
    expect(len(tracks) == 3 and f"efficiencies  of {len(windows)} time windows" in said, trace.where, sorted(tracks), said)
    for name, key in (("Parallel efficiency [%]", "parallel"), ("Load balance [%]", "load_balance"), ("Communication efficiency [%]", "communication")):
        wanted = [(window["from"], 100 * window[key]) for window in windows if window[key] is not None] + [(windows[-1]["to"], 0)]
        found = [((at - printed.origin) / printed.resolution, value) for at, value in tracks[name]]
        expect(len(found) == len(wanted) and all(abs(a - c) <= 1e-8 and abs(b - d) <= 1e-6 for (a, b), (c, d) in zip(found, wanted)), trace.where, name, found[:3], wanted[:3])


def check_waits(build, archive, printed, work):
    """Number of instances."""
    report = work / "r.cubex"
    build.analyze(archive.anchor, report, 1, 1, "block", "--instances", "3")
    trace, said = export_perfetto(build, archive.anchor, work, "--report", report)
    code, table, errors = run(["tar", "-xOf", str(report), "heddle.instances.tsv"])
    expect(code == 0, errors)
    rows = [dict(zip(table.splitlines()[0].split("\t"), line.split("\t"))) for line in table.splitlines()[1:]]
    waits  = {s.args["instance"]: (key, s) for key, slices in trace.slices.items() for s in slices if "metric" in s.args and "thread" in s.args}
    causes = {s.args["instance"]: (key, s) for key, slices in trace.slices.items() for s in slices if "waiting_process" in s.args}
    expect(len(waits) == len(rows) and f"wait states   {f'{len(rows)} instance' if rows else 'none: no instance'}" in said, trace.where, "instances", len(waits), len(rows), said)
    n_causes = 0
    for row in rows:
        (pid, tid), s = waits[int(row["instance"])]
        enter, leave = (printed.origin + round(decimal.Decimal(row[key]) * printed.resolution) for key in ("enter", "leave"))
        expect((s.begin, s.end) == (enter, leave) and pid == int(row["process"]) + 1, trace.where, "instance", row, s)
        expect(trace.names[pid, tid].startswith("Wait states") and s.args["metric"] == row["metric"], trace.where, row, s)
        expect(abs(float(s.args["waiting_us"]) - 1e6 * float(row["waiting"])) <= 1e-6 * float(row["waiting"]) * 1e6, trace.where, row, s)
        has_cause = row["peer"] != ""
        expect((int(row["instance"]) in causes) == has_cause, trace.where, "cause of", row)
        if has_cause:
            key, cause = causes[int(row["instance"])]
            begin, end = trace.arrows["cause", int(row["instance"])]
            expect(begin == (key, enter) and end == ((pid, tid), enter) and key[0] == int(row["peer"]) + 1, trace.where, "arrow of", row)
            expect((cause.begin, cause.end) == (enter, leave) and cause.args["waiting_process"] == int(row["process"]), trace.where, cause)
            path = (cause.args["call_path"] or "").split(" > ")
            if len(path) > 1:  # the peer was in it then; the first one is the program
                expect(any(c.name == path[-1] and c.begin < leave and c.end > enter for thread, slices in trace.slices.items()
                           if thread[0] == key[0] for c in slices), trace.where, "cause", row, cause)
                n_causes += 1
    check_efficiencies(trace, said, report, build, printed)
    expect(n_causes > 0 or not any(row["metric"] == "mpi_latesender" for row in rows), trace.where, "no cause is known")
    if rows:
        part, said = export_perfetto(build, archive.anchor, work, "--instance", "1", "--margin", "1us", "--report", report)
        first = waits[1][1]
        found = [s for slices in part.slices.values() for s in slices if s.args.get("instance") == 1 and "thread" in s.args]
        expect([(s.begin, s.end) for s in found] == [(first.begin, first.end)], part.where, "the instance is not in its part", found, said)
    return len(rows)


# ---- once ---------------------------------------------------------------------------------------------------------------------------

def check_outputs(build, archive, work):
    """Compressed, and on standard output: the same."""
    plain, packed = work / "plain.json", work / "packed.json.gz"
    export(build, archive.anchor, "--perfetto", plain, "--quiet")
    export(build, archive.anchor, "--perfetto", packed)
    done = subprocess.run([build.heddle, "export", str(archive.anchor), "--perfetto", "-"], capture_output=True, check=False)
    expect(done.returncode == 0 and done.stdout == plain.read_bytes() == gzip.decompress(packed.read_bytes()), "outputs differ")
    unread = subprocess.Popen([build.heddle, "export", str(archive.anchor), "--perfetto", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    unread.stdout.close()  # as of a reader in a pipe that has seen enough
    said = unread.stderr.read()
    expect(unread.wait() == -signal.SIGPIPE and b"error" not in said, "a reader that stops", unread.returncode, said)
    expect(packed.read_bytes()[:2] == b"\x1f\x8b" and b"messages " in done.stderr, "compressed, or what is said")
    export(build, archive.anchor, "--paraver", work / "a.prv", "--quiet")
    export(build, archive.anchor, "--paraver", work / "b.prv.gz", "--quiet")
    export(build, archive.anchor, "--perfetto", "/dev/null", "--force", "--quiet")
    expect(pathlib.Path("/dev/null").is_char_device(), "a device is replaced")
    expect(gzip.decompress((work / "b.prv.gz").read_bytes()) == (work / "a.prv").read_bytes(), "compressed .prv")
    names = sorted(path.name for path in work.iterdir())
    expect(names == ["a.pcf", "a.prv", "a.row", "b.pcf", "b.prv.gz", "b.row", "packed.json.gz", "plain.json"], names)


def check_processes(build, archive, whole, work):
    chosen = (1, 2)
    trace, said = export_perfetto(build, archive.anchor, work, "--process", "1-2")
    expect(set(trace.processes) == {p + 1 for p in chosen}, trace.where, trace.processes)
    for key in trace.locations():
        expect(trace.slices[key] == whole.slices[key], trace.where, "slices of", key)
    both = [arrow for arrow in whole.messages() if all(thread[0] - 1 in chosen for thread, _ in arrow)]
    expect(sorted(trace.messages()) == sorted(both), trace.where, "arrows")
    one = sum(sum(thread[0] - 1 in chosen for thread, _ in arrow) == 1 for arrow in whole.messages())
    expect(trace.other["message_ends_omitted"] == one > 0 and f"omitted       {one} sends" in said, trace.where, said)
    export(build, archive.anchor, "--paraver", work / "chosen", "--process", "1", "--process", "2")
    expect(len(Paraver(work / "chosen").tasks) == 2, "tasks")


def check_clocks(build, archive, work):
    """Messages that arrive before they are sent are named; the controlled logical clock has none, and times only grow."""
    linear, said = export_perfetto(build, archive.anchor, work)
    n_early = sum(f[1] < s[1] for s, f in linear.messages())
    expect((f"{n_early} message" in said and "--clock clc" in said) if n_early else "before" not in said, linear.where, n_early, said)
    clc, said = export_perfetto(build, archive.anchor, work, "--clock", "clc")
    expect(not any(f[1] < s[1] for s, f in clc.messages()) and "arrive" not in said, clc.where, said)
    for key in linear.locations():
        for before, after in zip(linear.slices[key], clc.slices[key]):
            expect(before.name == after.name and before.begin <= after.begin and before.end <= after.end, clc.where, before, after)
    raw, _ = export_perfetto(build, archive.anchor, work, "--clock", "none")
    expect(raw.other["clock"] == "none" and len(raw.messages()) == len(linear.messages()), raw.where)
    return n_early


def check_samples(build, archive, whole, work):
    """Samples become the slices of the calls that they were made of; where they say as little as they may, slices that nest."""
    for far in (False, True):
        sampled = otf2_bytes.Archive(archive.anchor.parent)
        otf2_bytes.Sampling(sampled, far)
        sampled.write(work / "sampled")
        trace, said = export_perfetto(build, work / "sampled", work)
        expect("omitted" not in said, trace.where, said)
        for key in whole.locations():
            found, wanted = (collections.Counter((s.begin, s.end, s.name) for s in t.slices[key]) for t in (trace, whole))
            expect(far or found == wanted, trace.where, key, list(found - wanted)[:3], list(wanted - found)[:3])
            times = lambda slices: sum((s.end - s.begin) for s in slices if s.depth == 0)
            expect(times(trace.slices[key]) == times(whole.slices[key]), trace.where, key, "time in all")
        shutil.rmtree(work / "sampled")


def check_errors(build, archive, work):
    work.mkdir()
    there = work / "there.json"
    there.write_text("mine\n")
    report = work / "r.cubex"
    build.analyze(archive.anchor, report)
    compat = work / "compat.cubex"
    build.analyze(archive.anchor, compat, 1, 1, "block", "--compat=scout26")
    (work / "b.row").write_text("mine\n")
    copy = work / "copy"
    shutil.copytree(archive.anchor.parent, copy)
    before = sorted(path.name for path in work.iterdir())
    new = ("--perfetto", str(work / "t.json"))
    for code, words, options in (
        (2, "no format is given", ()),
        (1, "exists already", ("--perfetto", str(there))),
        (1, "exists already", ("--paraver", str(work / "b"))),
        (1, "cannot write", ("--perfetto", str(work / "no" / "folder" / "t.json"))),
        (2, "cannot go to standard output", ("--paraver", "-")),
        (2, "exclude each other", (*new, "--instance", "1", "--from", "1ms")),
        (2, "--from is not before --to", (*new, "--from", "1s", "--to", "0.5s")),
        (2, "has no instances", (*new, "--instance", "1", "--report", str(report))),
        (2, "has no instances, and no efficiencies", (*new, "--report", str(compat))),
        (1, "heddle analyze --instances", (*new, "--instance", "1", "--report", str(work / "not-there.cubex"))),
        (2, "none is 99", (*new, "--process", "99")),
        (2, "needs an MPI rank", (*new, "--process", "all")),
        (2, "\"--clock\"", (*new, "--clock", "best")),
        (2, "is read, and is not replaced", ("--perfetto", str(archive.anchor), "--force")),
        *((2, "cannot both be", ("--perfetto", str(work / f"twice{ending}"), "--paraver", f"{work}/./{base}"))
          for ending, base in ((".prv", "twice"), (".pcf", "twice.prv"), (".row", "twice.prv.gz"), (".prv.gz", "twice.prv.gz"))),
        (2, "is read, and is not replaced", ("--perfetto", str(report), "--report", str(report), "--force")),
    ):
        got, output, errors = run([build.heddle, "export", str(archive.anchor), *options])
        expect(got == code and words in errors and not output, f"{options}: exit code {got}, expected {code} with \"{words}\"\n{output}{errors}")
        left = sorted(path.name for path in work.iterdir())
        expect(left == before, f"{options}: something is left behind: {left}")
    expect(there.read_text() == "mine\n", "it was replaced")
    _, said = export_perfetto(build, archive.anchor, work, "--report", report)
    expect("wait states   none, as there is no report with instances" in said and "efficiencies  of " in said, "a report without instances", said)


def check_interrupted(build, archive, work):
    """Ended by a signal while it writes: nothing is left behind, or, where it came too late, the whole."""
    folder, ended = work / "interrupted", False
    for wait in range(200):
        if ended:
            return
        folder.mkdir()
        process = subprocess.Popen([build.heddle, "export", str(archive.anchor), "-q", "--perfetto", str(folder / "t.json"), "--paraver", str(folder / "t")])
        time.sleep(0.002 + 0.001 * (wait % 40))
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=HANG_SECONDS)
        names = sorted(path.name for path in folder.iterdir())
        expect(process.returncode in (0, -signal.SIGTERM) and names in ([], ["t.json"], ["t.json", "t.pcf", "t.prv", "t.row"]),
               f"interrupted: exit code {process.returncode}, left behind: {names}")
        ended |= process.returncode != 0 and not names
        shutil.rmtree(folder)
    raise Failure("interrupted: it was never ended before it was complete")


def check_damaged(build, archive, work):
    """Exit code 3 and a warning; what can be read is there, and nests."""
    for what, words, damage in DAMAGES:
        copy = work / what.replace(" ", "-")
        shutil.copytree(archive.anchor.parent, copy)
        for file in copy.rglob("*"):
            file.chmod(0o755)
        damage(copy, "1")
        code = 0 if what in ("stopped", "unknown") else 3  # not all is lost: a call that ends with the recording, a record that nobody knows
        trace, said = export_perfetto(build, copy / archive.anchor.name, work, code=code)
        if what in ("cut", "missing"):
            expect(words.split(" has")[0] in said and "has a" in said or "has no" in said, what, said)
        if what == "stopped":
            expect(any("left_later" in s.args for slices in trace.slices.values() for s in slices), what, "nothing is left open")
        if what == "unknown":
            expect("omitted       1 records" in said, what, said)
        shutil.rmtree(copy)


def check(build, archive, work):
    printed = Printed(archive.anchor)
    whole, said = export_perfetto(build, archive.anchor, work)
    messages = check_whole(printed, whole, said)
    check_counters(printed, whole)
    check_parts(build, archive.anchor, printed, whole, work)
    check_paraver(build, archive.anchor, printed, whole, messages, work)
    n_waits = check_waits(build, archive, printed, work)
    return printed, whole, f"{sum(map(len, whole.slices.values()))} slices, {len(messages)} messages, {n_waits} instances"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    work = pathlib.Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    archives, failed = [Archive(pathlib.Path(folder).resolve()) for folder in few(options.archives)], 0
    for i, archive in enumerate(archives):
        try:
            _, whole, what = check(build, archive, work)
            if i == 0:
                (work / "outputs").mkdir()
                check_outputs(build, archive, work / "outputs")
                check_processes(build, archive, whole, work)
                check_errors(build, archive, work / "errors")
                check_interrupted(build, archive, work)
                check_damaged(build, archive, work)
            if archive.name.startswith("pat-"):
                check_samples(build, archive, whole, work)
            if archive.name == "pat-topo-6":
                expect(check_clocks(build, archive, work) > 0, "no message arrives too early: nothing was checked")
            print("ok   ", archive.name, what, flush=True)
        except Failure as failure:
            failed += 1
            print("FAIL ", archive.name, failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Archives as other machines, other versions of OTF2, and sampling write them: the same report as that of the archive they were made of.

usage: test_foreign.py --openmpi|--mpich HEDDLE --work DIR [--damaged N] ARCHIVE...

Of each archive, one after the other:
  1. in the other byte order, and written anew in this one
  2. as OTF2 2.3, 2.0, 1.4, 1.2 and 1.1 would have written it, held against the archive without the records that these do not have
  3. as sampled, with unwind distances that say as much as they can, and as little: then visits differ, and what is made of them;
     and parts of that, analysed and extracted
Once, on the first one with user functions in a program: files of several chunks; what other ranks and threads find in the sampled one; an anchor of a newer OTF2, in containers, compressed; records
that are not known; calling contexts that cannot be, at all, or one after the other; N sampled archives with numbers of contexts changed at random.
"""
import argparse
import copy
import pathlib
import random
import shutil
import sys
import subprocess

import compare_reference
import otf2_bytes
from run_matrix import Build, Failure, check_invariants, metric_kinds, metric_parents, run
from runner import few, ways

OF_VISITS = ("visits", "imbalance_below_bypass", "imbalance_above_single", "imbalance_below_singularity")
CHUNK_BYTES, N_PADDING = 256 << 10, 80000  # the smallest chunk that the library takes; so many records of no meaning are more than that
VERSIONS = ((2, 3), (2, 0), (1, 4), (1, 2), (1, 1))


def earliest(archive):
    """The version of OTF2 before which what is in the archive could not be told."""
    kinds  = [kind for kind, _ in archive.definitions.records]
    events = {kind for file in archive.events.values() for kind, _ in file.records}
    if 43 in kinds:  # communicators between two groups
        return 3, 0
    if kinds.count(31) > 1:  # topologies besides the grid of processes and threads
        return 1, 3
    if events & {*range(35, 53), *range(62, 66)}:  # windows, threads
        return 1, 2
    return 0, 0


def has_all(archive):
    """User functions, and a program around them, whose time is left where there is nothing else."""
    return otf2_bytes.Sampling(archive).n_samples > 0 and len(records_of(archive, otf2_bytes.PROGRAM_BEGIN)) == len(archive.events)


class Test:
    def __init__(self, build, work, n_damaged, readers):
        self.build, self.work, self.n_damaged, self.n, self.readers = build, work, n_damaged, 0, readers

    def write(self, archive, order=otf2_bytes.LITTLE, chunk_bytes=16 << 20):
        shutil.rmtree(self.work / "archive", ignore_errors=True)
        archive.write(self.work / "archive", order, chunk_bytes)
        return self.work / "archive" / "traces.otf2"

    def report_of(self, anchor, *more):
        """Exit code, lines of the dump, table of the findings."""
        report, findings = self.work / "r.cubex", self.work / "r.findings.tsv"
        findings.unlink(missing_ok=True)
        if self.readers:  # they agree on every record
            done = subprocess.run([self.readers, anchor], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if done.returncode != 0:
                raise Failure(f"the readers: {done.stdout}{done.stderr}")
        code   = self.build.analyze(anchor, report, *more)
        lines  = self.build.dump(report, self.work / "r.tsv").splitlines()
        self.n += 1
        return code, lines, findings.read_text(errors="surrogateescape") if findings.exists() else ""

    def demand_same(self, what, expected, found, without=()):
        a, b = (({line for line in lines if not line.startswith(without)} if without else set(lines)) for _, lines, _ in (expected, found))
        if expected[0] != found[0] or a != b or (expected[2] != found[2] and not without):
            lines = "\n".join([*sorted(a - b)[:3], "but:", *sorted(b - a)[:3]])
            raise Failure(f"{what}: exit codes {expected[0]}, {found[0]}; {len(a ^ b)} lines differ\n{lines}\n{found[2]}")

    def check_byte_order(self, folder):
        expected = self.report_of(folder / "traces.otf2")
        for order in (otf2_bytes.LITTLE, otf2_bytes.BIG):
            self.demand_same(f"byte order {chr(order)}", expected, self.report_of(self.write(otf2_bytes.Archive(folder), order)))

    def check_chunks(self, folder):
        """Event files of several chunks, whole and cut off in the last one, in either byte order."""
        expected, cut = self.report_of(folder / "traces.otf2"), []
        for order in (otf2_bytes.LITTLE, otf2_bytes.BIG):
            archive = otf2_bytes.Archive(folder)
            name, file = next(iter(archive.events.items()))
            middle = len(file.records) // 2
            while file.records[middle - 1][0] in (otf2_bytes.TIME, otf2_bytes.ATTRIBUTES):
                middle += 1
            file.records[middle:middle] = [(otf2_bytes.PARAMETER, [otf2_bytes.number(0), otf2_bytes.number(i)]) for i in range(N_PADDING)]
            anchor = self.write(archive, order, CHUNK_BYTES)
            path   = anchor.with_suffix("") / f"{name}.evt"
            self.demand_same(f"chunks in byte order {chr(order)}", expected, self.report_of(anchor))
            if path.stat().st_size < CHUNK_BYTES + 1000:
                raise Failure("one chunk only")
            path.write_bytes(path.read_bytes()[:-500])
            cut.append(self.report_of(anchor))
        if cut[0][0] != 3 or "cut-events" not in cut[0][2]:
            raise Failure(f"cut off: exit code {cut[0][0]}\n{cut[0][2]}")
        self.demand_same("cut off in the other byte order", *cut)

    def check_versions(self, folder):
        for version in few(VERSIONS):
            new, old = otf2_bytes.Archive(folder), otf2_bytes.Archive(folder)
            if version < earliest(new):
                continue
            for file in new.events.values():
                otf2_bytes.leave_out(file, otf2_bytes.later_events(version))
            otf2_bytes.make_older(old, version)
            self.demand_same("OTF2 %d.%d" % version, self.report_of(self.write(new)), self.report_of(self.write(old)))

    def extract(self, anchor, part):
        to = self.work / "part"
        shutil.rmtree(to, ignore_errors=True)
        code, _, errors = run([self.build.heddle, "extract", str(anchor), *part, "-o", str(to)])
        if code != 0:
            raise Failure(f"heddle extract: exit code {code}\n{errors}")
        return to / "traces.otf2"

    def parts_of(self, anchor):
        code, output, errors = run([self.build.heddle, "info", str(anchor)])
        length = float(next(line.split()[1] for line in output.splitlines() if line.startswith("length")))
        if code != 0:
            raise Failure(f"heddle info: exit code {code}\n{errors}")
        return [("--from", f"{a * length:.9f}", "--to", f"{b * length:.9f}") for a, b in ((0.2, 0.45), (0.5, 0.77))]

    def check_samples(self, folder):
        anchor = folder / "traces.otf2"
        for far, without in ((False, ()), (True, OF_VISITS)):
            archive = otf2_bytes.Archive(folder)
            otf2_bytes.Sampling(archive, far)
            sampled = self.write(archive)
            self.demand_same(f"sampled, far {far}", self.report_of(anchor), self.report_of(sampled), without)
            if "timer every 0.01 s" not in run([self.build.heddle, "info", str(sampled)])[1]:
                raise Failure("heddle info does not say what samples were taken by")
            for part in few(self.parts_of(anchor)):
                more = (1, 1, "block", *part)
                self.demand_same(f"{part} of sampled", self.report_of(anchor, *more), self.report_of(sampled, *more), without)
                expected = self.report_of(self.extract(anchor, part))
                self.demand_same(f"{part} extracted", expected, self.report_of(self.extract(sampled, part)), OF_VISITS)

    def check_ranks(self, folder):
        archive = otf2_bytes.Archive(folder)
        otf2_bytes.Sampling(archive, True)
        anchor   = self.write(archive, otf2_bytes.BIG)
        expected = self.report_of(anchor)
        for ranks, threads, placement in ways(((1, 3, "cyclic"), (3, 1, "node"), (2, 2, "block"))):
            self.demand_same(f"{ranks} x {threads}", expected, self.report_of(anchor, ranks, threads, placement))

    def check_refused(self, folder):
        """change: of the anchor's numbers."""
        for change, words in (({"format": 3, "version": [4, 1, 0]}, ("newer OTF2", "trace format 3, written by OTF2 4.1.0")),
                              ({"substrate": otf2_bytes.SIONLIB}, ("SIONlib containers", "SCOREP_TRACING_USE_SION")),
                              ({"compression": 2}, ("is compressed",)),
                              ({"magic": b"OTF9\0"}, ("is not the anchor file of an OTF2 archive",))):
            archive = otf2_bytes.Archive(folder)
            vars(archive).update(change)
            anchor = self.write(archive)
            if "substrate" in change: # without its files
                shutil.rmtree(anchor.with_suffix(""))
            for command in ("info", "analyze"):
                code, output, errors = run([self.build.heddle, command, str(anchor)])
                if code != 1 or output or any(word not in errors for word in words) or (self.work / "archive" / "heddle.cubex").exists():
                    raise Failure(f"{change}: exit code {code} of heddle {command}\n{errors}")
        archive = otf2_bytes.Archive(folder)
        archive.version, archive.anchor_format = [9, 7, 5], 4
        self.demand_same("a newer version of the same format", self.report_of(folder / "traces.otf2"), self.report_of(self.write(archive)))

    def check_unknown_records(self, folder):
        archive = otf2_bytes.Archive(folder)
        for file in archive.events.values():
            file.records[5:5] = file.records[9:9] = [(200, [otf2_bytes.number(77), b"what\0"])]
        code, lines, findings = self.report_of(self.write(archive))
        expected = self.report_of(folder / "traces.otf2")
        if code != 3 or findings.count("unknown-kind") != len(archive.events) or lines != expected[1]:
            raise Failure(f"unknown records: exit code {code}\n{findings}")

    def check_kept(self, what, anchor, finding):
        """What is wrong is named, and the rest is a report that keeps the invariants."""
        code, lines, findings = self.report_of(anchor)
        values = compare_reference.load(str(self.work / "r.tsv"))
        check_invariants(values, metric_parents(self.work / "r.cubex"), metric_kinds())
        if finding is not None and finding not in findings:
            raise Failure(f"{what}: exit code {code}, no finding {finding}\n{findings}")
        return code, values

    def check_contexts(self, folder):
        sampled = otf2_bytes.Archive(folder)
        otf2_bytes.Sampling(sampled)
        self.report_of(self.write(sampled))
        total = sum(value for key, value in compare_reference.load(str(self.work / "r.tsv")).items() if key[0] == "time")
        for what, finding, exit_code in (("circle", "unknown-reference", 3), ("region", "unknown-reference", 3), ("parent", "unknown-reference", 3),
                                         ("long", "stack", 0), ("none", "stack", 0), ("context", "unknown-reference", 3)):
            archive = copy.deepcopy(sampled)
            damage_contexts(archive, what)
            code, values = self.check_kept(what, self.write(archive), finding)
            if code != exit_code or (exit_code == 0 and
                                     abs(sum(value for key, value in values.items() if key[0] == "time") - total) > 1e-9 * total):
                raise Failure(f"{what}: exit code {code}, or time is lost")
        for depth, exit_code in ((4096, 0), (4097, 3)):
            archive = copy.deepcopy(sampled)
            dig(archive, depth)
            code, _ = self.check_kept(f"depth {depth}", self.write(archive), "unknown-reference" if exit_code else None)
            if code != exit_code:
                raise Failure(f"depth {depth}: exit code {code}")
        for seed in few(range(self.n_damaged)):
            archive = copy.deepcopy(sampled)
            draw_damage(archive, random.Random(seed))
            self.report_of(self.write(archive))


def contexts_of(archive):
    return [fields for kind, fields in archive.definitions.records if kind == 34]


def records_of(archive, *kinds):
    return [fields for file in archive.events.values() for kind, fields in file.records if kind in kinds]


def damage_contexts(archive, what):
    contexts = contexts_of(archive)
    n        = otf2_bytes.number
    if what == "circle":
        contexts[0][3] = contexts[-1][0]
        contexts[-1][3] = contexts[0][0]
    elif what == "region":
        contexts[2][1] = n(99999)
    elif what == "parent":
        contexts[3][3] = n(99999)
    for fields in records_of(archive, otf2_bytes.SAMPLE):
        if what in ("long", "none"):
            fields[1] = n(4000000000 if what == "long" else 0)
        elif what == "context":
            fields[0] = n(fields[0][-1] + 99999)


def dig(archive, depth):
    """A sample that deep, as the last but one of a location."""
    file    = next(iter(archive.events.values()))
    at, top = max((i, fields[0][-1]) for i, (kind, fields) in enumerate(file.records) if kind == otf2_bytes.SAMPLE)
    parents = {fields[0][-1]: fields for fields in contexts_of(archive)}
    first, n, parent = len(parents), 0, top
    while parent != -1:
        n, parent = n + 1, parents[parent][3][-1]
    for i in range(depth - n):
        archive.define(34, otf2_bytes.number(first + i), parents[top][1], otf2_bytes.number(-1), otf2_bytes.number(first + i - 1 if i else top))
    last = first + depth - n - 1
    file.records[at + 1:at + 1] = [(otf2_bytes.SAMPLE, [otf2_bytes.number(last), otf2_bytes.number(depth - n + 1), otf2_bytes.number(0)]),
                                   (otf2_bytes.SAMPLE, [otf2_bytes.number(top), otf2_bytes.number(1), otf2_bytes.number(0)])]


def draw_damage(archive, draw):
    contexts = contexts_of(archive)
    numbers  = (0, 1, 2, 3, len(contexts) // 2, len(contexts) - 1, len(contexts), 2 ** 32 - 2)
    for _ in range(draw.choice((0, 1, 5))):
        draw.choice(contexts)[3] = otf2_bytes.number(draw.choice(numbers))
    for file in archive.events.values():
        for kind, fields in file.records:
            if kind in (otf2_bytes.CONTEXT_ENTER, otf2_bytes.CONTEXT_LEAVE, otf2_bytes.SAMPLE) and draw.random() < 0.05:
                field         = {otf2_bytes.CONTEXT_ENTER: 1, otf2_bytes.CONTEXT_LEAVE: 0}.get(kind, draw.randrange(2))
                fields[field] = otf2_bytes.number(draw.choice(numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--work", required=True)
    parser.add_argument("--readers", metavar="COMPARE_READERS")
    parser.add_argument("--damaged", type=int, default=10, metavar="N")
    options = parser.parse_args()
    work    = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    test    = Test(Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich), work, options.damaged,
                   options.readers)
    folders = [path if path.is_dir() else path.parent for path in map(pathlib.Path, options.archives)]
    checks  = [(folder, check) for folder in few(folders) for check in (test.check_byte_order, test.check_versions, test.check_samples)]
    first   = next(folder for folder in folders if has_all(otf2_bytes.Archive(folder)))
    checks += [(first, check) for check in (test.check_chunks, test.check_ranks, test.check_refused, test.check_unknown_records, test.check_contexts)]
    failed  = 0
    for folder, check in checks:
        try:
            check(folder)
        except Failure as failure:
            print(f"{folder}: {check.__name__}: {failure}")
            failed += 1
    print(f"{test.n} analyses, {failed} of {len(checks)} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

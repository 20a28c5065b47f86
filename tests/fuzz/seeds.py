#!/usr/bin/env python3
"""The inputs that fuzzing begins with: seeds.py SOURCE FOLDER makes a folder of them for each target.

Reports are those of tests/data/reports, with what follows from them; texts stand here.
"""
import gzip
import io
import pathlib
import re
import sys
import tarfile
import tempfile

TEXTS = {
    "expression": [
        "metric::time() + metric::visits(i) * 2 ^ 0.5", "{ ${a} = 3; while (${a} > 0) { ${a} = ${a} - 1; }; return ${a}; }",
        "|sin(-1)| + min(1, 2) - max(3, 4)", '("abc" =~ /a.c/) + ("a" seq "a") and not true xor false',
        '{ if (${cube::region::name}[${calculation::region::id}] =~ /MPI_.*/) { return 1; } elseif (1 == 2) { return 2; } else { return 0; }; }',
        "metric::call::m(e, 1) / metric::fixed::n() ; sizeof(a) defined(b)", '{ ${x}[3] = "t"; ${y} = sizeof(x); return ${y}; }',
        "sqrt(exp(log(abs(atan(asin(acos(tan(cos(pos(neg(sgn(floor(ceil(1.5e-3))))))))))))))"],
    "options": [
        "ARCHIVE\n--text=x\n-f\n-t\n7", "--texts\na\n--texts=b\n--small\n65535\nA\nB", "--choice\nnode\n--size=12G\n--time\n3.25us\nA",
        "-ft3\n--\n--flag", "--help", "--time=END\nA", "--cuont=3\nA", "--size=18446744073709551615\nA", "--time\n0.000000000000000001\nA"],
    "fail_rule": [
        "time > +5%\n# words\n\nbytes at solve<a>b> > 1MiB\n", "time at main > MPI_Recv < -0.1s\n", "time > 12%time\ntime < +2%time\nbytes > 1000\n",
        "time at main;solve<a>b>;MPI_Recv > 0.5ms\n"],
    "demangle": [
        "_ZN3net4sendEi", "_ZNKSt3mapISsSt6vectorIiSaIiEESt4lessISsESaISt4pairIKSsS2_EEE4findERS6_", "_Z1fSt4pairIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_E",
        "_ZN6detail5applyIJidfEEEDTcl1fspfp_EEDpT_", "_ZZN1a1bIiEEvT_ENKUlvE_clEv._omp_fn.0", "_ZN1AILi3EXadL_Z1gvEEE1hIXsrT_1xEEEvv", "__solver_MOD_step",
        "_QMsolverPstep", "solver_mp_step_\na.f90", "step$solver_", "step_\na.F"],
    "slurm": [
        "# a site\nSwitchName=leaf0 Nodes=tux[0-1],login LinkSpeed=10\nswitchname=leaf1 NODES=tux[2-9],node[0000-0010]\nSwitchName=spine Switches=leaf[0-1]\n",
        "SwitchName=s0 Nodes=tux[0-3]\nSwitchName=b Switches=s0\nSwitchName=a Switches=s0,b\nSwitchName=top Switches=a\n",
        "SwitchName = a\tNodes= \"tux[0-1]\" LinkSpeed =1\n  SwitchName=\"b\"Nodes =tux[2,3]n[0-1]m[00-03]\\\n\n"],
    "places": [
        "host x y z\nsize 4 4 2\nperiodic yes yes no\ntux0 0 0 0\ntux1 1 0 0\ntux2 2 0 1\nnode0003 3 3 1\n",
        "rank x\n0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n", "grid:4x2", "torus:2x2x2", "none"],
    "template": ["#!/bin/sh\n#SBATCH -N {{NODES}}\n{{A}}{{EMPTY}}\n{{NONE}} x\n{{INCLUDE common}}\n", "{{INCLUDE run}}\n{{UNKNOWN}}\n", "{{{{A}}}}\n{{A"],
    "tables": [
        "\1cause\teffect\tdelay\tshort\tlong\n\1\1metric\tcallpath\n",
        "\1\1\1\1\1\1sender\treceiver\tmessages\tbytes\tlate_sender\tlate_receiver\ttransfer\n0\t1\t2\t80\t0.5\t0\t0.25\n1\t0\t1\t0\t0\t0\t0\n"
        "\1from\tmessages\n0\t1\n32\t2\n"],
}


def members(report):
    with tarfile.open(fileobj=io.BytesIO(report), mode="r:", ignore_zeros=True) as tar:
        for member in tar:
            yield member.name, tar.extractfile(member).read()


def plain(anchor):
    return gzip.decompress(anchor) if anchor[:2] == b"\x1f\x8b" else anchor


def small_anchors():
    """Each part of an anchor, few of each: metrics that are computed, topologies, attributes."""
    head = b'<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<attr key="a" value="b"/>\n<doc><mirrors><murl>m</murl></mirrors></doc>\n'
    metrics = (b'<metrics title="t"><metric id="0" type="EXCLUSIVE"><disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>DOUBLE</dtype>'
               b'<uom>sec</uom><val></val><url>@mirror@x</url><descr>d</descr><metric id="1" type="POSTDERIVED"><disp_name>D</disp_name>'
               b'<uniq_name>d</uniq_name><dtype>DOUBLE</dtype><cubepl>metric::time() / 2</cubepl></metric></metric></metrics>\n')
    program = (b'<program><region id="0" mod="m.c" begin="1" end="2"><name>main</name><mangled_name>main</mangled_name><paradigm>user</paradigm>'
               b'<role>function</role></region><cnode id="0" line="3" mod="m.c" calleeId="0"><parameter partype="numeric" parkey="n" parvalue="1"/>'
               b'<cnode id="1" calleeId="0"></cnode></cnode></program>\n')
    system = (b'<system><systemtreenode Id="0"><name>m</name><class>machine</class><systemtreenode Id="1"><name>n</name><class>node</class>'
              b'<attr key="Heddle::Node" value="1"/><locationgroup Id="0"><name>p</name><rank>0</rank><type>process</type>'
              b'<location Id="0"><name>t</name><rank>0</rank><type>thread</type></location></locationgroup></systemtreenode></systemtreenode>\n'
              b'<topologies><cart name="c" ndims="2"><dim name="x" size="2" periodic="true"/><dim size="1" periodic="false"/>'
              b'<coord locId="0">1 0</coord></cart></topologies></system></cube>\n')
    return [head + metrics + program + system]


def event_files(source):
    """Small ones of each archive, and one in the other byte order, in chunks of 256 bytes."""
    sys.path.insert(0, str(source / "tests" / "e2e"))
    import otf2_bytes
    for archive in sorted((source / "tests/data").glob("*/traces")):
        yield min(archive.glob("*.evt"), key=lambda path: path.stat().st_size).read_bytes()[:3000]
    with tempfile.TemporaryDirectory() as folder:
        otf2_bytes.Archive(source / "tests/data/pat-pthread-3").write(pathlib.Path(folder), otf2_bytes.BIG, 256)
        yield from (path.read_bytes()[:3000] for path in sorted(pathlib.Path(folder).glob("traces/*.evt"))[:2])


def main():
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    seeds = {name: [text.encode("latin-1") for text in texts] for name, texts in TEXTS.items()}
    reports = [gzip.decompress(path.read_bytes()) for path in sorted((source / "tests/data/reports").glob("*.gz"))]
    reports += [pathlib.Path(path).read_bytes() for path in sys.argv[3:]]
    seeds["report"] = reports
    seeds["events"] = list(event_files(source))
    seeds["anchor"] = small_anchors() + [plain(dict(members(report))["anchor.xml"])[:6000] for report in reports]
    for report in reports:
        parts = dict(members(report))
        for name in sorted(parts):
            for text in re.findall(rb"<cubepl[^>]*>([^<]+)<", plain(parts["anchor.xml"])) if name == "anchor.xml" else []:
                seeds["expression"].append(text)
        tables = [parts.get("heddle." + name + ".tsv", b"") for name in ("findings", "causes", "pairs", "statistics", "instances", "moments", "windows", "messages", "matrix", "sizes")]
        if any(tables):
            seeds["tables"].append(b"\1".join(b"\n".join(table.split(b"\n")[:8]) + b"\n" for table in tables))
    for name, texts in seeds.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(dict.fromkeys(texts)):
            (folder / name / f"{number:02}").write_bytes(text)


main()

#!/usr/bin/python3
"""Efficiencies of a program without MPI whose second thread ends after the first: no data is moved, so transfer is 1.

usage: check_late_thread.py HEDDLE

    thread 0   [main 100-1000]
    thread 1      [work 200        -5000]

Exit status: 0 it is, and all of compare_efficiency.py holds; 1 something differs.
"""
import os
import sys
import tempfile

import otf2
from otf2.enums import Paradigm, RegionRole

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_efficiency


def write(folder):
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        group = definitions.location_group('Process', system_tree_parent=definitions.system_tree_node('node', 'node'))
        for name, region, enter, leave in (('Master thread', 'main', 100, 1000), ('Thread 1', 'work', 200, 5000)):
            writer = trace.event_writer_from_location(definitions.location(name, group=group))
            called = definitions.region(region, canonical_name=region, region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
            writer.enter(enter, called)
            writer.leave(leave, called)


def main(arguments):
    with tempfile.TemporaryDirectory(prefix='heddle-efficiency-') as folder:
        write(folder + '/trace')
        _, problems = compare_efficiency.check(arguments[0], folder + '/trace/traces.otf2', 'late', folder, None)
        whole = compare_efficiency.analyze(arguments[0], folder + '/trace/traces.otf2', folder + '/report.cubex')[1]['whole']
    if whole['transfer'] != 1 or abs(whole['runtime'] - 4.9e-6) > 1e-15:
        problems.append('transfer is %s of %s s' % (whole['transfer'], whole['runtime']))
    print('\n'.join(problems) or 'transfer is 1')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

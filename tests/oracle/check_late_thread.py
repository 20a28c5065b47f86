#!/usr/bin/python3
"""Efficiencies of programs without MPI: one whose second thread ends after the first, where no data is moved, so
transfer is 1, and the same with a second process whose threads are never in a region while time passes; and one that
waits for a device in a call of HIP, which is not useful.

usage: check_late_thread.py HEDDLE

    process 0   thread 0   [main 100-1000]
                thread 1      [work 200        -5000]
    process 1   thread 0   [main 100]   [main 400]
                thread 1     [work 200]     [work 500]

    process 0   thread 0   [main 0  [hipDeviceSynchronize 100-900]  1000]

Exit status: 0 it is, and all of compare_efficiency.py holds; 1 something differs.
"""
import os
import sys
import tempfile

import otf2
from otf2.enums import Paradigm, RegionRole

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_efficiency


LATE = (('Master thread', 'main', [(100, 1000)]), ('Thread 1', 'work', [(200, 5000)]))
IDLE = (('Master thread', 'main', [(100, 100), (400, 400)]), ('Thread 1', 'work', [(200, 200), (500, 500)]))


def write(folder, *processes):
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        node = definitions.system_tree_node('node', 'node')
        regions = {name: definitions.region(name, canonical_name=name, region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
                   for name in ('main', 'work')}
        for number, threads in enumerate(processes):
            group = definitions.location_group('Process %d' % number, system_tree_parent=node)
            for name, region, calls in threads:
                writer = trace.event_writer_from_location(definitions.location(name, group=group))
                for enter, leave in calls:
                    writer.enter(enter, regions[region])
                    writer.leave(leave, regions[region])


def write_hip(folder):
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        group = definitions.location_group('Process 0', system_tree_parent=definitions.system_tree_node('node', 'node'))
        writer = trace.event_writer_from_location(definitions.location('Master thread', group=group))
        main, sync = (definitions.region(name, canonical_name=name, region_role=RegionRole.FUNCTION, paradigm=paradigm)
                      for name, paradigm in (('main', Paradigm.USER), ('hipDeviceSynchronize', Paradigm.HIP)))
        writer.enter(0, main)
        writer.enter(100, sync)
        writer.leave(900, sync)
        writer.leave(1000, main)


def check_hip(heddle, folder):
    write_hip(folder + '/hip')
    _, problems = compare_efficiency.check(heddle, folder + '/hip/traces.otf2', 'hip', folder, None)
    document = compare_efficiency.analyze(heddle, folder + '/hip/traces.otf2', folder + '/hip.cubex')[1]
    found = [document['whole']['parallel']] + [row['efficiency']['parallel'] for row in document['regions']]
    lowest = document['lowest']
    if (lowest['id'], lowest['call_path'], lowest['process']) != ('serialisation', ['main', 'hipDeviceSynchronize'], 0):
        problems.append('the lowest: %s' % lowest)
    return problems + ([] if found == [0.2, None] else ['parallel efficiency of a call of HIP: %s' % found])

def main(arguments):
    with tempfile.TemporaryDirectory(prefix='heddle-efficiency-') as folder:
        write(folder + '/idle', LATE, IDLE)
        _, of_idle = compare_efficiency.check(arguments[0], folder + '/idle/traces.otf2', 'idle', folder, None)
        write(folder + '/trace', LATE)
        _, problems = compare_efficiency.check(arguments[0], folder + '/trace/traces.otf2', 'late', folder, None)
        whole = compare_efficiency.analyze(arguments[0], folder + '/trace/traces.otf2', folder + '/report.cubex')[1]['whole']
        problems += of_idle + check_hip(arguments[0], folder)
    if whole['transfer'] != 1 or abs(whole['runtime'] - 4.9e-6) > 1e-15:
        problems.append('transfer is %s of %s s' % (whole['transfer'], whole['runtime']))
    print('\n'.join(problems) or 'transfer is 1')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

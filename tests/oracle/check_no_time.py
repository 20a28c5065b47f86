#!/usr/bin/python3
"""A run whose events are all at the same time: commands whose tables it lacks say so, and do not advise other options.
The difference of two equal reports has no time either, and says that it is made of others. A run in which MPI_Finalize begins
when MPI_Init ends has no time series and no clusters, and says why; the whole run has efficiencies.

usage: check_no_time.py HEDDLE

Exit status: 0 they do, 1 one does not.
"""
import os
import sys
import tempfile

import otf2
from otf2.enums import GroupType, Paradigm, RegionRole

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'runner'))
import runner


def write(folder, length):
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        group = definitions.location_group('Process', system_tree_parent=definitions.system_tree_node('node', 'node'))
        writer = trace.event_writer_from_location(definitions.location('Master thread', group=group))
        called = definitions.region('main', canonical_name='main', region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
        writer.enter(100, called)
        writer.leave(100 + length, called)


def answers(heddle, folder, length, *options):
    """{command: (exit code, errors)}, and of the difference of the report and itself"""
    write('%s/%d' % (folder, length), length)
    report = '%s/%d.cubex' % (folder, length)
    code, _, errors = runner.run([heddle, 'analyze', '%s/%d' % (folder, length), '-o', report, '--force', '--quiet', *options])
    if code != 0:
        sys.exit('check_no_time: exit status %d: %s' % (code, errors.decode()))
    difference = '%s/%d-difference.cubex' % (folder, length)
    runner.run([heddle, 'diff', report, report, '-o', difference, '--force'])
    done = {command: runner.run([heddle, *command.split(), report])
            for command in ('efficiency', 'series', 'series --lags', 'causes', 'summary')}
    done['of difference'] = runner.run([heddle, 'series', difference])
    return {command: (code, errors.decode()) for command, (code, _, errors) in done.items()}


def write_empty_window(folder):
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        group = definitions.location_group('MPI Rank 0', system_tree_parent=definitions.system_tree_node('node', 'node'))
        location = definitions.location('Master thread', group=group)
        definitions.group('', GroupType.COMM_LOCATIONS, Paradigm.MPI, members=(location,))
        writer = trace.event_writer_from_location(location)
        main = definitions.region('main', region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
        step = definitions.region('step', region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
        calls = [definitions.region(name, region_role=RegionRole.FUNCTION, paradigm=Paradigm.MPI) for name in ('MPI_Init', 'MPI_Finalize')]
        writer.enter(100, main)
        for region, enter, leave in [(calls[0], 100, 200), *[(step, 200, 200)] * 9, (calls[1], 200, 300)]:
            writer.enter(enter, region)
            writer.leave(leave, region)
        writer.leave(300, main)


def check_empty_window(heddle, folder, problems):
    archive, report = folder + '/window', folder + '/window.cubex'
    write_empty_window(archive)
    for command, code, words in ((('analyze', archive, '-o', report, '-q', '--iterations', 'step'), 0, ''),
                                 (('series', report), 1, 'no time passes between MPI_Init and MPI_Finalize'),
                                 (('analyze', archive, '-o', report, '-f', '-q', '--iterations', 'step', '--cluster', '2'), 2,
                                  '"--cluster": no time passes between MPI_Init and MPI_Finalize'),
                                 (('efficiency', report), 0, '')):
        got, _, errors = runner.run([heddle, *command])
        if got != code or words not in errors.decode():
            problems.append('%s: exit code %d: %s' % (' '.join(command), got, errors.decode()))


def main(arguments):
    problems = []
    with tempfile.TemporaryDirectory(prefix='heddle-no-time-') as folder:
        of_none, of_some = answers(arguments[0], folder, 0), answers(arguments[0], folder, 500)
        of_compat = answers(arguments[0], folder, 400, '--compat=scout26')
        check_empty_window(arguments[0], folder, problems)
    for command in ('efficiency', 'series'):
        if of_none[command][0] != 1 or 'no time passes in the run' not in of_none[command][1] or '--' in of_none[command][1]:
            problems.append('%s: %s' % (command, of_none[command]))
        if of_some[command][0] != 0 or of_compat[command][0] != 1 or '--compat' not in of_compat[command][1]:
            problems.append('%s: %s %s' % (command, of_some[command], of_compat[command]))
    for command in ('causes', 'series --lags'):
        if of_some[command][0] != 1 or 'it has no wait states' not in of_some[command][1] or '--no-delay' in of_some[command][1]:
            problems.append('%s: %s' % (command, of_some[command]))
    if 'made of other reports' not in of_some['of difference'][1] or 'no time passes' in of_some['of difference'][1]:
        problems.append('difference: %s %s' % of_some['of difference'])
    if of_none['summary'][0] != 0:
        problems.append('summary: %s %s' % of_none['summary'])
    print('\n'.join(problems) or 'they say that no time passes')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

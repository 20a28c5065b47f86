"""What the comparisons of series share: programs, reports of them, bounds of their slices, and other ranks and threads."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
from compare_iterations import dynamic_regions, instances
from compare_time_series import has_tasks, slices_of_iterations, table

SHAPES = ((1, 2), (2, 1), (2, 2), (3, 2))                                            # ranks, threads


def analyze(heddle, filename, report, region, folder, launcher=(), threads=1, more=()):
    command = list(launcher) + [heddle, 'analyze', filename, '-o', report, '-f', '-q', '--no-demangle', '--series', 'all', '--threads', str(threads)]
    command += more
    done = subprocess.run(command + (['--iterations', region] if region else []), capture_output=True, env=dict(os.environ, TMPDIR=folder))
    return done.returncode, done.stderr.decode()


def report_of(heddle, filename, region, folder, name, differences):
    """(report, region of its iterations); None instead if it cannot be made."""
    report = os.path.join(folder, 'r.cubex')
    code, errors = analyze(heddle, filename, report, region, folder)
    if region and code == 2:
        region = ''                                                                  # it does not have that function
        code, errors = analyze(heddle, filename, report, region, folder)
    if code not in (0, 3):
        differences.append('%s: exit code %d: %s' % (name, code, errors))
        return None, region
    return report, region


def window_cuts(archive, report):
    """{process: [(begin, slice)]}"""
    rows = [row for row in table(report, 'heddle.slices.tsv') if row['kind'] == 'window']
    begin, end = (round(float(time) * archive.resolution) + archive.offset for time in (rows[0]['from'], rows[-1]['to']))
    cuts = [(float('-inf'), 0)] + [(begin + k * (end - begin) // len(rows), k + 1) for k in range(len(rows) + 1)]
    return {location.process: cuts for location in archive.locations}


def iteration_cuts(archive, filename, region):
    """Likewise; None: there are none, or tasks leave them in another order than they were entered."""
    names = {region} if region else dynamic_regions(filename)
    bounds = instances(archive, names) if names else None
    if bounds is None or has_tasks(archive):
        return None
    most = max(len(of) for of in bounds.values())
    return {location.process: slices_of_iterations(bounds.get(location.process, []), most) for location in archive.locations}


def check_other_ranks(options, filename, report, region, tables, folder, name, differences):
    """tables: report -> what must be equal"""
    if not options['mpirun']:
        return
    ranks, threads = SHAPES[options['n'] % len(SHAPES)]
    options['n'] += 1
    other = os.path.join(folder, 'other.cubex')
    code, errors = analyze(options['heddle'], filename, other, region, folder, (options['mpirun'], '-n', str(ranks)), threads)
    if code not in (0, 3) or tables(other) != tables(report):
        differences.append('%s: %d ranks, %d threads: other tables %s' % (name, ranks, threads, errors))


def compare_all(arguments, compare, check_archive=None):
    """compare(options, folder, filename, name, region) -> (differences, values); check_archive: what else is done with archives that have
    iterations. Returns the kind of programs, the differences, how many values were compared."""
    options, differences, count, kind = {'heddle': arguments[0], 'mpirun': None, 'n': 0}, [], 0, ['archives']
    if '--mpirun' in arguments:
        at = arguments.index('--mpirun')
        options['mpirun'] = arguments[at + 1]
        del arguments[at:at + 2]
    with tempfile.TemporaryDirectory(dir=run_matrix.TEMPORARY.name) as folder:
        if arguments[1] == '--archives':
            for argument in arguments[2:]:
                filename, _, region = argument.partition('=')
                name = os.path.basename(os.path.dirname(filename))
                wrong, n = compare(options, folder, filename, name, region)
                differences, count = differences + wrong, count + n
                if region and check_archive is not None:
                    check_archive(options['heddle'], filename, name, region, folder, differences)
        else:
            kind = [option[2:] for option in arguments[4:]]
            for seed in range(int(arguments[2]), int(arguments[3]) + 1):
                program = os.path.join(folder, 'p%d' % seed)
                subprocess.run([arguments[1], str(seed), program] + kind, check=True, capture_output=True)
                wrong, n = compare(options, folder, os.path.join(program, 'traces.otf2'), 'seed %d' % seed, 'solve')
                differences, count = differences + wrong, count + n
    return tuple(kind), differences, count

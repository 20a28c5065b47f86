"""Statistics and instances of wait states in a report, against the oracle's: every instance and every number must be equal. Used by
compare_random.py and compare_archive.py, which analyse with all instances kept."""
import math
import tarfile
import xml.etree.ElementTree

ALL = 65535             # instances of each wait state
EXACT_QUARTILES = 1024  # instances at a call path: with more of them, quartiles are those of a histogram
BUCKET = 1 / 64


def text(report, name):
    """A table of a report as it is."""
    with tarfile.open(report) as archive:
        return archive.extractfile('heddle.%s.tsv' % name).read().decode()


def table(report, name):
    """The lines of a table of a report, each a dictionary; behind the last one there may be an empty one."""
    lines = [line for line in text(report, name).splitlines() if line]
    head = lines[0].split('\t')
    return [dict(zip(head, line.split('\t'), strict=True)) for line in lines[1:]]


def path_names(report):
    """id of a call path -> names of its regions, joined by semicolons."""
    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.parse(archive.extractfile('anchor.xml')).getroot()
    regions = {region.get('id'): region.findtext('name') for region in root.iter('region')}
    names = {}

    def walk(element, above):
        name = above + regions[element.get('calleeId')]
        names[element.get('id')] = name
        for child in element.findall('cnode'):
            walk(child, name + ';')
    for element in root.find('program').findall('cnode'):
        walk(element, '')
    return names


def quantile(values, part):
    """Between the two values around that place, linearly."""
    place = part * (len(values) - 1)
    low = math.floor(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def summary(waits, second):
    """The numbers of a line of the statistics; waits: ascending, in ticks."""
    mean = sum(waits) / len(waits)
    return {'count': len(waits), 'mean': mean / second, 'minimum': waits[0] / second, 'maximum': waits[-1] / second,
            'sum': sum(waits) / second, 'variance': math.fsum((wait - mean) ** 2 for wait in waits) / len(waits) / second ** 2,
            'median': quantile(waits, 0.5) / second, 'quartile25': quantile(waits, 0.25) / second,
            'quartile75': quantile(waits, 0.75) / second}


def wrong_instances(report, names, expected, second):
    """expected: instances of the oracle."""
    got = {}
    for row in table(report, 'instances'):
        ticks = [round(float(row[key]) * second) for key in ('enter', 'leave', 'waiting')]
        key = (row['metric'], names[row['path']], int(row['process']), int(row['thread']), *ticks)
        got[key] = got.get(key, 0) + 1
    for instance in expected:
        got[instance] = got.get(instance, 0) - 1
    for key, count in sorted(got.items()):
        if count:
            yield '%s of %s at %s, process %d, thread %d, from %d to %d, waiting %d ticks' \
                % (('one too many' if count > 0 else 'one too few',) + key)


def wrong_statistics(report, names, expected, second):
    groups = {}
    for metric, path, _, _, _, _, waiting in expected:
        groups.setdefault((metric, path), []).append(waiting)
        groups.setdefault((metric, None), []).append(waiting)
    rows = table(report, 'statistics')
    keys = [(row['metric'], names[row['path']] if row['path'] else None) for row in rows]
    most = {}
    for row, (metric, path) in zip(rows, keys):
        if path is not None:
            most[metric] = max(most.get(metric, 0), int(row['count']))
    for key in sorted(set(groups) - set(keys), key=str):
        yield 'no statistics of %s at %s' % key
    for row, key in zip(rows, keys):
        if keys.count(key) > 1:         # call paths of equal names, which the oracle adds up
            continue
        if key not in groups:
            yield 'statistics of %s at %s, which has no instances' % key
            continue
        n = int(row['count']) if key[1] is not None else most[key[0]]
        for name, value in summary(sorted(groups[key]), second).items():
            # what is added up in doubles, and printed with 15 digits, is off by some of the last ones
            off = BUCKET if n > EXACT_QUARTILES and name in ('median', 'quartile25', 'quartile75') else 1e-9
            if abs(float(row[name]) - value) > off * abs(value) + (1e-15 if name != 'variance' else 1e-9 / second ** 2):
                yield '%s of %s at %s is %s, not %.15g' % (name, *key, row[name], value)


def wrong(report, analysis):
    """What is not the oracle's in a report with all instances."""
    names, expected = path_names(report), list(analysis.instances())
    yield from wrong_instances(report, names, expected, analysis.archive.resolution)
    yield from wrong_statistics(report, names, expected, analysis.archive.resolution)

"""The table of files of a report, compared with that of the oracle."""
import tarfile

MEMBER = 'heddle.files.tsv'


def wrong(report, analysis):
    """What differs; the oracle's names have nothing that the table escapes."""
    from patterns.files import Files
    with tarfile.open(report) as archive:
        text = archive.extractfile(MEMBER).read().decode() if MEMBER in archive.getnames() else ''
    got = {tuple(line.split('\t')[:3]): line.split('\t')[3:] for line in text.splitlines()[1:]}
    rows = analysis.parts_by_type[Files].rows() if Files in analysis.parts_by_type else []
    expected = {(row[0], row[1], str(row[2])): row[3:] for row in rows}
    for key in sorted(set(got) | set(expected)):
        a, b = got.get(key), expected.get(key)
        if a is None or b is None or [int(number) for number in a[:-1]] != b[:-1] or abs(float(a[-1]) - b[-1] / analysis.archive.resolution) > 1e-12:
            yield 'files: %s: heddle %s, oracle %s' % (key, a, b)

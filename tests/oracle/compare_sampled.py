#!/usr/bin/python3
"""An archive as a sampling one, analysed by heddle and by the oracle, as compare_archive.py does it.

usage: compare_sampled.py HEDDLE FOLDER [REGION]

FOLDER: of the archive. REGION: time series and causes over time are compared instead, its instances are iterations, as
compare_iterations.py does it. The archive is turned into a sampling one twice: with unwind distances that say as much as they can, and as little.
Exit status: 0 equal, 1 different, 2 something could not be run.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import compare_archive
import compare_iterations
import otf2_bytes


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.stderr.write(__doc__)
        return 2
    result = 0
    for far in (False, True):
        with tempfile.TemporaryDirectory(prefix='heddle-sampled-') as folder:
            archive = otf2_bytes.Archive(arguments[1])
            otf2_bytes.Sampling(archive, far)
            sampled = os.path.join(folder, 'archive')
            archive.write(sampled)
            result = max(result, compare_iterations.main([arguments[0], sampled + '=' + arguments[2]]) if len(arguments) > 2 else
                         compare_archive.main([arguments[0], os.path.join(sampled, 'traces.otf2'), '--causes']))
    return result


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

"""What otf2-print shows of an archive."""
import collections
import functools
import os
import subprocess

LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"} # for these tables: then it takes a third of the processor time
SECTIONS = "=== Global Definitions ", "=== Events "

Text = collections.namedtuple("Text", "code definitions events errors")


def otf2_text(anchor):
    """Exit code, definitions, events, errors of otf2-print. OSError where it is not installed.

    It is started once for both: it looks through tables of hundreds of megabytes, whatever the archive holds."""
    stat = os.stat(anchor)
    return shown(str(anchor), stat.st_ino, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(maxsize=4)
def shown(anchor, *_):
    done = subprocess.run(["otf2-print", "--show-all", anchor], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          env=os.environ | LARGE_PAGES)
    head, _, rest = done.stdout.partition(SECTIONS[0])
    definitions, _, events = rest.partition(SECTIONS[1])
    return Text(done.returncode, definitions, events, done.stderr.strip())

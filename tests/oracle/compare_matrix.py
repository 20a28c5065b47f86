"""The communication matrix of a report against the oracle's: every pair and every size class must be equal. Used by
compare_random.py and compare_archive.py."""
import tarfile
from collections import Counter, defaultdict

from compare_instances import table
from patterns import LateReceivers, LateSenders, Messages

COLUMNS = ('messages', 'bytes', 'late_sender', 'late_receiver', 'transfer')
TIMES = COLUMNS[2:]


def is_there(report):
    with tarfile.open(report) as archive:
        return 'heddle.matrix.tsv' in archive.getnames()


def expected(analysis):
    """({(sender, receiver): [messages, bytes, late sender, late receiver, transfer]}, {smallest size of the class: messages}), times
    in ticks. A call counts as for the metrics: if it lies in the interval."""
    rows, sizes = defaultdict(lambda: [0] * len(COLUMNS)), Counter()

    def is_held(call):
        return analysis.is_held(call.location.process, call.enter, call.leave)

    def row(receive):
        _, sender, receiver, _ = receive.key
        return rows[sender, receiver]
    for receive in analysis.parts_by_type[Messages].receives:
        call, send = receive.call, receive.match
        if send is not None and is_held(call):
            pair = row(receive)
            pair[0] += 1
            pair[1] += send.bytes
            pair[4] += max(0, call.leave - max(send.request.enter, call.enter))
            sizes[0 if send.bytes == 0 else 1 << send.bytes.bit_length() - 1] += 1
    for wait, receive in analysis.parts_by_type[LateSenders].instances:
        if is_held(receive.call):
            row(receive)[2] += wait
    for wait, send in analysis.parts_by_type[LateReceivers].instances:
        if is_held(send.completion):
            row(send)[3] += wait
    return rows, sizes


def wrong(report, analysis):
    if not is_there(report):
        if expected(analysis)[0]:
            yield 'there is no communication matrix'
        return
    pairs, sizes = expected(analysis)
    second = analysis.archive.resolution
    got = {(int(line['sender']), int(line['receiver'])):
           [round(float(line[name]) * second) if name in TIMES else int(line[name]) for name in COLUMNS] for line in table(report, 'matrix')}
    for pair in sorted(set(got) | set(pairs)):
        for name, a, b in zip(COLUMNS, got.get(pair, [0] * len(COLUMNS)), pairs.get(pair, [0] * len(COLUMNS))):
            if a != b:
                yield '%s of process %d to process %d: heddle %d, oracle %d' % (name, *pair, a, b)
    if {int(line['from']): int(line['messages']) for line in table(report, 'sizes')} != sizes:
        yield 'sizes of messages are not %s' % dict(sizes)

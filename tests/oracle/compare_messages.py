"""Messages in the timeline excerpts of a report against the oracle's: of the threads of an excerpt every message that lies in its window,
and the numbers of sends and receives. Used by compare_random.py and compare_archive.py."""
from collections import Counter, defaultdict

from compare_instances import table
from patterns import Messages

MOST = 500              # ends of messages of a thread: with more of them, those nearest to the end of the wait are kept


def ends_of(analysis):
    """(messages: (sender, receiver, sent, received, bytes, tag)), sender and receiver: (process, thread); sends and receives of each thread:
    times."""
    messages, sends, receives = [], defaultdict(list), defaultdict(list)

    def place(call):
        return call.location.process, call.location.thread

    part, offset = analysis.parts_by_type[Messages], analysis.archive.offset
    for send in part.sends:
        if not send.cancelled:
            sends[place(send.call)].append(send.call.enter - offset)
    for receive in part.receives:
        receives[place(receive.call)].append(receive.call.leave - offset)
        if receive.match is not None:
            send = receive.match
            messages.append((place(send.call), place(receive.call), send.call.enter - offset, receive.call.leave - offset, send.bytes,
                             receive.key[3]))
    return messages, sends, receives


def wrong(report, analysis):
    second = analysis.archive.resolution
    messages, sends, receives = ends_of(analysis)
    lanes, got = defaultdict(set), defaultdict(Counter)
    for row in table(report, 'moments'):
        lanes[row['instance']].add((int(row['process']), int(row['thread'])))
    for row in table(report, 'messages'):
        got[row['instance']][(int(row['sender']), int(row['sender_thread'])), (int(row['receiver']), int(row['receiver_thread'])),
                             round(float(row['sent']) * second), round(float(row['received']) * second), int(row['bytes']), int(row['tag'])] += 1
    for row in table(report, 'windows'):
        number, begin, end = row['instance'], round(float(row['begin']) * second), round(float(row['end']) * second)
        own = lanes[number]
        expected = Counter(message for message in messages if message[0] in own and message[1] in own
                           and begin <= message[2] and message[3] <= end and message[2] <= end and message[3] >= begin)
        processes = {process for process, _ in own}
        n_ends = Counter()
        for sender, receiver, sent, received, *_ in messages:
            n_ends[sender] += sender in own and receiver[0] in processes and begin <= sent <= end
            n_ends[receiver] += receiver in own and sender[0] in processes and begin <= received <= end
        missing = expected - got[number] if max(n_ends.values(), default=0) <= MOST else Counter()
        for what, rows in (('one too few', missing), ('one too many', got[number] - expected)):
            for message in rows:
                yield 'messages of the excerpt of instance %s: %s: %s' % (number, what, message)
        for name, times in (('sends', sends), ('receives', receives)):
            count = sum(begin <= time <= end for lane in own for time in times[lane])
            if count != int(row[name]):
                yield '%s in the excerpt of instance %s: %s, not %d' % (name, number, row[name], count)

#include "finding.h"

#include "memory.h"

const hd_finding_info hd_finding_infos[HD_N_FINDINGS] = {
    [HD_FINDING_NO_EVENTS] = {
        "no-events", true,
        "locations have no event file, or an empty one",
        "location has no event file, or an empty one",
    },
    [HD_FINDING_CUT_EVENTS] = {
        "cut-events", true,
        "locations have an event file that ends too early",
        "location has an event file that ends too early",
    },
    [HD_FINDING_STOPPED] = {
        "stopped", true,
        "processes end inside of calls, or before others call MPI_Finalize: they, or their recordings, stopped early",
        "process ends inside of calls, or before others call MPI_Finalize: it, or its recording, stopped early",
    },
    [HD_FINDING_MORE_EVENTS] = {
        "more-events", false,
        "locations have more events than the definitions announce; all of them are counted",
        "location has more events than the definitions announce; all of them are counted",
    },
    [HD_FINDING_NO_DEFINITIONS] = {
        "no-definitions", true,
        "locations have no readable definitions of their own; their clocks are not corrected, and communicators may be "
        "taken for others",
        "location has no readable definitions of its own; its clock is not corrected, and communicators may be taken "
        "for others",
    },
    [HD_FINDING_UNBALANCED] = {
        "unbalanced", false,
        "enter and leave records have no counterpart",
        "enter or leave record has no counterpart",
    },
    [HD_FINDING_STACK] = {
        "stack", false,
        "samples or calls have a stack that contradicts the one before; the common part is taken as open",
        "sample or call has a stack that contradicts the one before; the common part is taken as open",
    },
    [HD_FINDING_UNKNOWN] = {
        "unknown-reference", true,
        "records name something that is not defined; they are ignored",
        "record names something that is not defined; it is ignored",
    },
    [HD_FINDING_UNKNOWN_KIND] = {
        "unknown-kind", true,
        "records are of a kind that the OTF2 library does not know; they are ignored",
        "record is of a kind that the OTF2 library does not know; it is ignored",
    },
    [HD_FINDING_TIME_BACKWARDS] = {
        "time-backwards", false,
        "records have a time earlier than the record before them, or one that cannot be; the time before is used",
        "record has a time earlier than the record before it, or one that cannot be; the time before is used",
    },
    [HD_FINDING_TIME_DAMAGED] = {
        "time-damaged", true,
        "records have a time far after the end of the recording; the time of the record before is used",
        "record has a time far after the end of the recording; the time of the record before is used",
    },
    [HD_FINDING_OUTSIDE_CALL] = {
        "outside-call", false,
        "communication records are outside of a call; they are ignored",
        "communication record is outside of a call; it is ignored",
    },
    [HD_FINDING_TEAM_UNKNOWN] = {
        "team-unknown", false,
        "OpenMP threads work in teams that are not recorded; their waiting time is not counted",
        "OpenMP thread works in a team that is not recorded; its waiting time is not counted",
    },
    [HD_FINDING_UNMATCHED_RECEIVE] = {
        "unmatched-receive", false,
        "receives have no matching send; their waiting time is not counted",
        "receive has no matching send; its waiting time is not counted",
    },
    [HD_FINDING_UNMATCHED_SEND] = {
        "unmatched-send", false,
        "sends have no matching receive; their waiting time is not counted",
        "send has no matching receive; its waiting time is not counted",
    },
    [HD_FINDING_UNMATCHED_COLLECTIVE] = {
        "unmatched-collective", false,
        "collective calls miss some members; their waiting time is not counted",
        "collective call misses some members; its waiting time is not counted",
    },
    [HD_FINDING_MIXED_COLLECTIVE] = {
        "mixed-collective", false,
        "collective calls have members that report another operation or root; their waiting time is not counted",
        "collective call has members that report another operation or root; its waiting time is not counted",
    },
    [HD_FINDING_UNMATCHED_EPOCH] = {
        "unmatched-epoch", false,
        "epochs of windows have no counterpart at a process of their group; it is ignored",
        "epoch of a window has no counterpart at a process of its group; it is ignored",
    },
    [HD_FINDING_RMA_OUT_OF_PLACE] = {
        "rma-out-of-place", false,
        "calls end an epoch of a window that was not begun (complete, wait or unlock without start, post or lock)",
        "call ends an epoch of a window that was not begun (complete, wait or unlock without start, post or lock)",
    },
    [HD_FINDING_INCOMPLETE_REQUEST] = {
        "incomplete-request", false,
        "requests are started but never completed, or completed but never started",
        "request is started but never completed, or completed but never started",
    },
    [HD_FINDING_FEWER_ITERATIONS] = {
        "fewer-iterations", false,
        "iterations are missing on processes that have fewer of them than others",
        "iteration is missing on a process that has fewer of them than others",
    },
    [HD_FINDING_INNER_ITERATION] = {
        "inner-iteration", false,
        "iterations are inside of other ones, of which they are taken as a part",
        "iteration is inside of another one, of which it is taken as a part",
    },
    [HD_FINDING_COUNTER_UNKNOWN] = {
        "counter-unknown", false,
        "values of counters are of none that is defined; they are ignored",
        "value of a counter is of none that is defined; it is ignored",
    },
    [HD_FINDING_COUNTER_TYPE] = {
        "counter-type", false,
        "values of counters are of another type than their definition says, or not finite; they are ignored",
        "value of a counter is of another type than its definition says, or not finite; it is ignored",
    },
    [HD_FINDING_COUNTER_FALLS] = {
        "counter-falls", false,
        "values of counters that are sums are below the ones before; these differences are ignored",
        "value of a counter that is a sum is below the one before; this difference is ignored",
    },
    [HD_FINDING_COUNTER_LEVEL] = {
        "counter-level", false,
        "metrics recorded over time are declared as sums, but fall; they are taken for levels",
        "metric recorded over time is declared as a sum, but falls; it is taken for a level",
    },
    [HD_FINDING_CLOCK_P2P] = {
        "clock-point-to-point", false,
        "messages arrive before they were sent (clocks)",
        "message arrives before it was sent (clocks)",
    },
    [HD_FINDING_CLOCK_COLLECTIVE] = {
        "clock-collective", false,
        "members leave a collective before it can be complete (clocks)",
        "member leaves a collective before it can be complete (clocks)",
    },
};

const char *
hd_finding_words(hd_finding_kind kind, uint64_t count)
{
    return count == 1 ? hd_finding_infos[kind].one : hd_finding_infos[kind].many;
}

static uint64_t
place_hash(const hd_finding *f)
{
    uint64_t h = hd_hash((uint64_t)f->kind << 56 ^ (uint64_t)f->process << 24 ^ f->thread);

    h = hd_hash(h ^ ((uint64_t)f->call_path << 32 | f->peer));
    return hd_hash(h ^ ((uint64_t)f->communicator << 32 | f->tag));
}

static int
compare_place(const void *left, const void *right)
{
    const hd_finding *a = left, *b = right;

#define HD_COMPARE(field)                                                                                              \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1
    HD_COMPARE(kind);
    HD_COMPARE(process);
    HD_COMPARE(thread);
    HD_COMPARE(call_path);
    HD_COMPARE(peer);
    HD_COMPARE(communicator);
    HD_COMPARE(tag);
#undef HD_COMPARE
    return 0;
}

void
hd_findings_fini(hd_findings *findings)
{
    free(findings->rows);
    hd_table_fini(&findings->index);
    *findings = (hd_findings){ 0 };
}

void
hd_findings_add(hd_findings *findings, hd_finding finding)
{
    uint64_t key = place_hash(&finding);
    uint32_t i;

    while ((i = hd_table_get(&findings->index, key)) != HD_NONE) {
        hd_finding *row = &findings->rows[i];

        if (compare_place(row, &finding) == 0) {
            row->count += finding.count;
            row->worst = finding.worst > row->worst ? finding.worst : row->worst;
            if (row->time == 0 || (finding.time != 0 && finding.time < row->time))
                row->time = finding.time;
            return;
        }
        key++;
    }
    hd_table_add(&findings->index, key, (uint32_t)findings->n);
    HD_PUSH(findings->rows, findings->n, findings->capacity, finding);
}

void
hd_findings_sort(hd_findings *findings)
{
    if (findings->n > 0)
        qsort(findings->rows, findings->n, sizeof *findings->rows, compare_place);
    hd_table_fini(&findings->index);
}

#include "finding.h"

#include "memory.h"

const hd_finding_info hd_finding_infos[HD_N_FINDINGS] = {
    [HD_FINDING_NO_EVENTS]            = { "no-events", "locations have no event file, or an empty one", true },
    [HD_FINDING_CUT_EVENTS]           = { "cut-events", "locations have an event file that ends too early", true },
    [HD_FINDING_NO_DEFINITIONS]       = { "no-definitions", "locations have no readable definitions; their clocks are not corrected", true },
    [HD_FINDING_UNBALANCED]           = { "unbalanced", "enter and leave records have no counterpart", false },
    [HD_FINDING_UNKNOWN]              = { "unknown-reference", "records name something that is not defined; they are left out", true },
    [HD_FINDING_TIME_BACKWARDS]       = { "time-backwards", "records have a time earlier than the record before them, or one that cannot be; the time before is used", false },
    [HD_FINDING_TIME_DAMAGED]         = { "time-damaged", "records have a time far behind the end of the recording; the time of the record before is used", true },
    [HD_FINDING_OUTSIDE_CALL]         = { "outside-call", "communication records are outside of a call; they are left out", false },
    [HD_FINDING_TEAM_UNKNOWN]         = { "team-unknown", "threads of OpenMP work in teams that are not recorded; nobody knows whom they wait for", false },
    [HD_FINDING_UNMATCHED_RECEIVE]    = { "unmatched-receive", "receives have no matching send; their waiting time is not counted", false },
    [HD_FINDING_UNMATCHED_SEND]       = { "unmatched-send", "sends have no matching receive; their waiting time is not counted", false },
    [HD_FINDING_UNMATCHED_COLLECTIVE] = { "unmatched-collective", "collective calls miss some members; their waiting time is not counted", false },
    [HD_FINDING_MIXED_COLLECTIVE]     = { "mixed-collective", "collective calls have members that report another operation or root; their waiting time is not counted", false },
    [HD_FINDING_INCOMPLETE_REQUEST]   = { "incomplete-request", "requests are started but never completed, or completed but never started", false },
    [HD_FINDING_CLOCK_P2P]            = { "clock-point-to-point", "messages arrive before they were sent (clocks)", false },
    [HD_FINDING_CLOCK_COLLECTIVE]     = { "clock-collective", "members leave a collective before it can be complete (clocks)", false },
};

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

#define HD_COMPARE(field)                                                                                                        \
    if (a->field != b->field)                                                                                                    \
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

/* Writes tracks with the wait states of the report, and tracks with their causes in the processes waited for. */
#include "perfetto_format.h"

#include "memory.h"

/* A slice of a track of its own: slices on one nest, so those that overlap go to several. */
typedef struct slice {
    const hd_wait_mark *mark;
    uint32_t            process; /* that it is shown at */
    bool                is_cause;
    uint64_t            thread;  /* number of the track, out */
} slice;

static int
compare_slices(const void *left, const void *right)
{
    const slice *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->is_cause != b->is_cause)
        return a->is_cause ? 1 : -1;
    if (a->mark->begin != b->mark->begin)
        return a->mark->begin < b->mark->begin ? -1 : 1;
    return (a->mark->number > b->mark->number) - (a->mark->number < b->mark->number);
}

static bool
has_cause(const hd_export *export, const hd_wait_mark *mark)
{
    return mark->peer != HD_NONE && mark->peer != mark->process &&
           export->is_chosen[hd_defs_processes(export->defs)[mark->peer].first_location];
}

static void
name_track(hd_perfetto *perfetto, const slice *first, uint64_t lane)
{
    const char *kind = first->is_cause ? "Causes of waits" : "Wait states";
    char       *name = lane > 0 ? hd_format("%s %" PRIu64, kind, lane + 1) : hd_strdup(kind);

    hd_perfetto_put_name(perfetto, false, HD_PERFETTO_PROCESS(first->process), first->thread, name,
                         (first->is_cause ? 1001000u : 1000000u) + lane);
    free(name);
}

/* The slices of one kind in one process, n of them: each to the first track that is free. Returns how many tracks. */
static uint64_t
place_slices(hd_perfetto *perfetto, slice *slices, size_t n, uint64_t first_thread)
{
    hd_time *ends    = HD_NEW_ARRAY(hd_time, n);
    uint64_t n_lanes = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t lane = 0;

        while (lane < n_lanes && ends[lane] > slices[i].mark->begin)
            lane++;
        slices[i].thread = first_thread + lane;
        if (lane == n_lanes)
            name_track(perfetto, &slices[i], n_lanes++);
        ends[lane] = slices[i].mark->end;
    }
    free(ends);
    return n_lanes;
}

static void
put_args(FILE *out, const slice *of)
{
    const hd_wait_mark *mark = of->mark;

    fprintf(out, ",\"args\":{\"instance\":%" PRIu32 ",\"metric\":\"%s\",\"waiting_us\":%.12g", mark->number,
            mark->metric, mark->waiting * 1e6);
    if (of->is_cause)
        fprintf(out, ",\"waiting_process\":%" PRIu32 ",\"waiting_thread\":%" PRIu32, mark->process, mark->thread);
    else {
        fprintf(out, ",\"thread\":%" PRIu32, mark->thread);
        if (mark->peer != HD_NONE)
            fprintf(out, ",\"waits_for\":%" PRIu32, mark->peer);
    }
    fputs(",\"call_path\":", out);
    hd_perfetto_put_text(out, of->is_cause ? mark->cause : mark->path); /* null: not known */
    putc('}', out);
}

static void
put_slice(hd_perfetto *perfetto, const slice *of)
{
    uint64_t process = HD_PERFETTO_PROCESS(of->process);

    hd_perfetto_begin_event(perfetto, "B", of->mark->begin, process, of->thread);
    fputs(",\"name\":", perfetto->out);
    hd_perfetto_put_text(perfetto->out, of->mark->name);
    fprintf(perfetto->out, ",\"cat\":\"%s\"", of->is_cause ? "cause" : "wait");
    put_args(perfetto->out, of);
    fputs("}", perfetto->out);
    if (has_cause(perfetto->export, of->mark)) {
        hd_perfetto_begin_event(perfetto, of->is_cause ? "s" : "f", of->mark->begin, process, of->thread);
        fprintf(perfetto->out, ",\"name\":\"cause\",\"cat\":\"cause\",\"id\":%" PRIu32 "%s}", of->mark->number,
                of->is_cause ? "" : ",\"bp\":\"e\"");
    }
    hd_perfetto_begin_event(perfetto, "E", of->mark->end, process, of->thread);
    fputs("}", perfetto->out);
}

void
hd_perfetto_put_waits(hd_perfetto *perfetto)
{
    const hd_wait_marks *waits  = perfetto->export->waits;
    slice               *slices = HD_NEW_ARRAY(slice, 2 * waits->n + 1);
    uint64_t             thread = HD_PERFETTO_THREAD(perfetto->export->defs->n_locations);
    size_t               n      = 0;

    for (size_t i = 0; i < waits->n; i++)
        slices[n++] = (slice){ .mark = &waits->marks[i], .process = waits->marks[i].process };
    for (size_t i = 0; i < waits->n; i++)
        if (has_cause(perfetto->export, &waits->marks[i]))
            slices[n++] = (slice){ .mark = &waits->marks[i], .process = waits->marks[i].peer, .is_cause = true };
    qsort(slices, n, sizeof *slices, compare_slices);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && slices[end].process == slices[i].process &&
                      slices[end].is_cause == slices[i].is_cause;)
            end++;
        thread += place_slices(perfetto, &slices[i], end - i, thread);
    }
    /* causes first: an arrow begins before it ends, also where both times are the same */
    for (int is_cause = 1; is_cause >= 0; is_cause--)
        for (size_t i = 0; i < n; i++)
            if (slices[i].is_cause == (is_cause == 1))
                put_slice(perfetto, &slices[i]);
    free(slices);
}

/* Finds the instances of a report that are in an export, and what was the cause of each. */
#include "wait_marks.h"

#include <math.h>

#include "instance_list.h"
#include "memory.h"
#include "metric.h"
#include "path_text.h"

void
hd_wait_marks_fini(hd_wait_marks *marks)
{
    for (size_t i = 0; i < marks->n; i++) {
        free(marks->marks[i].path);
        free(marks->marks[i].cause);
    }
    free(marks->marks);
    *marks = (hd_wait_marks){ 0 };
}

/* The call path in which the peer was longest while the call waited, as the timeline excerpts say; HD_NONE: there are
 * none of it. *at: excerpts before it are of instances before this one. */
static uint32_t
find_cause(const hd_excerpt_list *list, size_t *at, const hd_instance_entry *instance, uint32_t n_paths)
{
    double  *times = HD_NEW_ARRAY(double, (size_t)n_paths + 1);
    uint32_t best  = HD_NONE;

    while (*at < list->n && list->excerpts[*at].instance < instance->number)
        ++*at;
    for (size_t i = *at; i < list->n && list->excerpts[i].instance == instance->number; i++) {
        const hd_excerpt_entry *row = &list->excerpts[i];
        double                  begin = fmax(row->begin, instance->enter), end = fmin(row->end, instance->leave);

        if (row->process != instance->peer || row->is_wait || end <= begin)
            continue;
        times[row->path] += end - begin;
        if (best == HD_NONE || times[row->path] > times[best])
            best = row->path;
    }
    free(times);
    return best;
}

static hd_status
check_archive(const hd_cube *cube, const hd_defs *defs, const hd_instance_entry *instance)
{
    if (instance->process < defs->n_processes &&
        instance->thread < hd_defs_processes(defs)[instance->process].n_locations &&
        (instance->peer == HD_NONE || instance->peer < defs->n_processes) &&
        instance->leave < (double)(UINT64_MAX / 4) / (double)defs->resolution)
        return HD_OK;
    hd_fail(HD_EFORMAT, "the report \"%s\" is of another archive: instance %" PRIu32 " is not in this one", cube->path,
            instance->number);
    hd_fail_detail("try", "--report REPORT.cubex, the report of heddle analyze of this archive");
    return HD_EFORMAT;
}

static hd_time
time_of(const hd_defs *defs, double seconds)
{
    return defs->first_time + (hd_time)llround(seconds * (double)defs->resolution);
}

static int
compare_marks(const void *left, const void *right)
{
    const hd_wait_mark *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool
is_in(const hd_wait_mark *mark, const hd_defs *defs, const hd_analysis_interval *interval, const bool *is_chosen)
{
    return is_chosen[hd_defs_processes(defs)[mark->process].first_location] && mark->end > interval->from &&
           mark->begin < interval->to;
}

hd_status
hd_wait_marks_read(hd_cube *cube, const hd_defs *defs, const hd_analysis_interval *interval, const bool *is_chosen,
                   hd_wait_marks *marks)
{
    hd_instance_list list     = { 0 };
    hd_excerpt_list  excerpts = { 0 };
    size_t           capacity = 0, at = 0;
    hd_status        status   = hd_instance_list_read(cube, &list);

    *marks = (hd_wait_marks){ .is_there = list.is_there };
    if (status == HD_OK)
        status = hd_excerpt_list_read(cube, &excerpts);
    for (size_t i = 0; i < list.n_instances && status == HD_OK; i++) {
        const hd_instance_entry *instance = &list.instances[i];
        hd_wait_mark             mark     = { .number = instance->number, .process = instance->process,
                                              .thread = instance->thread, .peer = instance->peer,
                                              .metric = hd_metric_infos[instance->metric].id,
                                              .name = hd_metric_infos[instance->metric].name,
                                              .waiting = instance->waiting };
        uint32_t                 cause;

        status = check_archive(cube, defs, instance);
        if (status != HD_OK)
            break;
        mark.begin = time_of(defs, instance->enter);
        mark.end   = time_of(defs, instance->leave);
        if (!is_in(&mark, defs, interval, is_chosen)) {
            marks->n_others++;
            continue;
        }
        cause      = mark.peer != HD_NONE ? find_cause(&excerpts, &at, instance, cube->n_paths) : HD_NONE;
        mark.begin = hd_time_max(mark.begin, interval->from);
        mark.end   = hd_time_min(mark.end, interval->to);
        mark.path  = hd_path_text(cube, instance->path, " > ");
        mark.cause = cause != HD_NONE ? hd_path_text(cube, cause, " > ") : NULL;
        HD_PUSH(marks->marks, marks->n, capacity, mark);
    }
    if (status == HD_OK && marks->n > 0)
        qsort(marks->marks, marks->n, sizeof *marks->marks, compare_marks);
    if (status != HD_OK)
        hd_wait_marks_fini(marks);
    hd_instance_list_fini(&list);
    hd_excerpt_list_fini(&excerpts);
    return status;
}

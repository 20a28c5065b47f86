/* Finds the interval that a command is to work on. */
#include "trace_part.h"

#include <math.h>
#include <string.h>

#include "instance_list.h"
#include "memory.h"

char *
hd_archive_beside(const char *anchor, const char *name)
{
    const char *slash = strrchr(anchor, '/');

    return hd_format("%.*s%s", slash != NULL ? (int)(slash - anchor + 1) : 0, anchor, name);
}

static hd_status
no_instance(const char *report, const hd_instance_list *list, uint32_t number)
{
    if (list->n_instances == 0)
        hd_fail(HD_EUSAGE, "the report \"%s\" has no instances", report);
    else
        hd_fail(HD_EUSAGE, "the report \"%s\" has %zu instances, none is number %" PRIu32, report, list->n_instances,
                number);
    hd_fail_detail("try", "heddle analyze ARCHIVE --instances N, which keeps the N most severe of each wait state");
    return HD_EUSAGE;
}

static hd_status
find_instance(const char *path, uint32_t number, hd_instance_entry *instance)
{
    hd_cube         *cube = NULL;
    hd_instance_list list = { 0 };
    hd_status        status = hd_cube_open(path, &cube);
    size_t           i      = 0;

    if (status == HD_OK)
        status = hd_instance_list_read(cube, &list);
    else
        hd_fail_detail("try", "--report REPORT.cubex, one of heddle analyze --instances N");
    while (i < list.n_instances && list.instances[i].number != number)
        i++;
    if (status == HD_OK && i == list.n_instances)
        status = no_instance(path, &list, number);
    if (status == HD_OK)
        *instance = list.instances[i];
    hd_instance_list_fini(&list);
    hd_cube_close(cube);
    return status;
}

typedef struct extent { /* ticks since the first event; to: UINT64_MAX: the end */
    uint64_t from, to;
} extent;

static hd_status
extent_of_instance(const hd_trace_part *part, const char *anchor, const hd_defs *defs, extent *found)
{
    char *report = part->report != NULL ? hd_strdup(part->report) : hd_archive_beside(anchor, "heddle.cubex");
    hd_instance_entry instance;
    hd_status         status = find_instance(report, part->instance, &instance);

    free(report);
    if (status != HD_OK)
        return status;
    if (instance.leave >= (double)(UINT64_MAX / 2) / (double)defs->resolution)
        return hd_fail(HD_EFORMAT, "instance %" PRIu32 " is not of this archive: it is left after %.9g s",
                       part->instance, instance.leave);
    found->from = (uint64_t)llround(instance.enter * (double)defs->resolution);
    found->to   = (uint64_t)llround(instance.leave * (double)defs->resolution) + 1; /* the call's last event is in it */
    return HD_OK;
}

hd_status
hd_trace_part_choose(const hd_trace_part *part, const char *anchor, const hd_defs *defs,
                     hd_analysis_interval *interval)
{
    uint64_t  margin = hd_duration_ticks(part->margin, defs->resolution);
    extent    chosen = { .from = hd_duration_ticks(part->from, defs->resolution),
                         .to = hd_duration_ticks(part->to, defs->resolution) };
    bool      given  = chosen.from != 0 || !hd_duration_is_end(part->to);
    hd_status status = HD_OK;

    if (part->instance != 0 && given) {
        hd_fail(HD_EUSAGE, "--instance and --from or --to exclude each other");
        hd_fail_detail("try", "--instance N, or --from T --to T");
        return HD_EUSAGE;
    }
    if (part->instance == 0 && !given) {
        *interval = hd_analysis_interval_since(defs->first_time, 0, UINT64_MAX);
        return HD_OK;
    }
    if (part->instance != 0)
        status = extent_of_instance(part, anchor, defs, &chosen);
    if (status != HD_OK)
        return status;
    chosen.from = chosen.from > margin ? chosen.from - margin : 0;
    chosen.to   = chosen.to < UINT64_MAX - margin ? chosen.to + margin : UINT64_MAX;
    if (chosen.from >= chosen.to || (defs->length > 0 && chosen.from > defs->length)) {
        hd_fail(HD_EUSAGE, part->instance != 0 ? "the instance is not in this archive" :
                                                 "the interval from --from to --to contains no part of the run");
        if (defs->length > 0)
            hd_fail_detail("run", "%.9g s", (double)defs->length / (double)defs->resolution);
        return HD_EUSAGE;
    }
    *interval = hd_analysis_interval_since(defs->first_time, chosen.from, chosen.to);
    /* what is open then is begun at a time that a reader knows */
    interval->from = hd_time_max(interval->from, defs->first_time);
    return HD_OK;
}

/* heddle info: what an archive holds, and what its analysis needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "json_document.h"
#include "memory.h"
#include "message.h"
#include "plan.h"
#include "terminal.h"
#include "event_sample.h"

typedef struct hd_info_options {
    bool        help, json;
    const char *archive;
} hd_info_options;

static const hd_option info_options[] = {
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, offsetof(hd_info_options, json) },
    HD_OPTION_HELP,
};

/* ---- what is said ----------------------------------------------------------------------------------------------------------- */

typedef struct archive_info {
    const char     *anchor;
    const hd_defs  *defs;
    char           *sampling;         /* NULL: no samples, or nothing is said of them */
    uint64_t        n_locations[3];   /* by hd_location_type */
    uint64_t        n_regions;
    bool            paradigms[256];   /* those of the regions */
    uint64_t        trace_bytes;      /* memory for the trace over all ranks, and the definitions */
    hd_plan_request node;             /* the one where this runs */
    hd_plan         plan;             /* on the smallest number of nodes like it */
    bool            has_plan;
} archive_info;

static void
count_locations(archive_info *info)
{
    const hd_location_def *locations = hd_defs_locations(info->defs);

    for (uint32_t i = 0; i < info->defs->n_locations; i++)
        info->n_locations[locations[i].type < 3 ? locations[i].type : HD_LOCATION_METRIC]++;
}

static void
count_regions(archive_info *info)
{
    const hd_region *regions = hd_defs_regions(info->defs);
    const uint32_t  *refs    = hd_defs_region_refs(info->defs);

    for (uint32_t i = 0; i < info->defs->flush_region; i++)
        if (refs[i] != HD_NONE) { /* not one that was added */
            info->paradigms[regions[i].paradigm] = true;
            info->n_regions++;
        }
}

/* The smallest number of nodes like this one, as heddle plan has it. */
static void
plan_analysis(archive_info *info)
{
    info->node             = hd_plan_this_node();
    info->node.trace_bytes = hd_event_sample_trace_bytes(info->anchor, info->defs);
    info->trace_bytes      = info->node.trace_bytes > 0 ? info->node.trace_bytes : hd_plan_trace_bytes(info->defs);
    info->trace_bytes += info->defs->bytes;
    info->has_plan = hd_plan_make(info->defs, &info->node, &info->plan) == HD_OK;
}

static void
archive_info_init(archive_info *info, const char *anchor, const hd_defs *defs)
{
    *info = (archive_info){ .anchor = anchor, .defs = defs, .sampling = hd_defs_sampling(defs) };
    count_locations(info);
    count_regions(info);
    plan_analysis(info);
}

static void
archive_info_fini(archive_info *info)
{
    free(info->sampling);
}

/* ---- as text ---------------------------------------------------------------------------------------------------------------- */

enum { KEY_COLUMNS = 14 };

static void
print_key(const char *key)
{
    printf("%-*s", KEY_COLUMNS, key);
}

static void
print_text(const char *key, const char *text)
{
    print_key(key);
    hd_message_escaped(stdout, *text != '\0' ? text : "unknown", false);
    putchar('\n');
}

static void
print_count(const char *key, uint64_t value)
{
    char number[28];

    print_key(key);
    printf("%s\n", hd_message_number(number, value));
}

static void
print_processes(const hd_defs *defs)
{
    uint32_t others = defs->n_processes - defs->n_mpi_processes;
    char     number[28];

    print_key("processes");
    printf("%s", hd_message_number(number, defs->n_processes));
    if (others == 0)
        printf(" of MPI\n");
    else if (defs->n_mpi_processes == 0)
        printf(" without MPI\n");
    else
        printf(" (%" PRIu32 " of MPI, %" PRIu32 " others)\n", defs->n_mpi_processes, others);
}

static void
print_locations(const archive_info *info)
{
    const uint64_t *n = info->n_locations;
    char            number[28];

    print_key("locations");
    printf("%s (", hd_message_number(number, info->defs->n_locations));
    printf("%s CPU threads", hd_message_number(number, n[HD_LOCATION_CPU]));
    if (n[HD_LOCATION_ACCELERATOR] > 0)
        printf(", %s accelerator streams", hd_message_number(number, n[HD_LOCATION_ACCELERATOR]));
    if (n[HD_LOCATION_METRIC] > 0)
        printf(", %s of metrics only", hd_message_number(number, n[HD_LOCATION_METRIC]));
    printf(")\n");
}

static void
print_paradigms(const archive_info *info)
{
    const char *between = "";

    print_key("paradigms");
    for (unsigned i = 1; i < 256; i++)
        if (info->paradigms[i]) {
            printf("%s%s", between, hd_paradigm_name((uint8_t)i));
            between = ", ";
        }
    printf("%s\n", *between == '\0' ? "none" : "");
}

static void
print_sampling(const archive_info *info)
{
    char number[28];

    if (info->defs->n_contexts > 0) {
        print_key("contexts");
        printf("%s calling contexts\n", hd_message_number(number, info->defs->n_contexts));
    }
    if (info->sampling != NULL) {
        print_key("sampling");
        hd_message_escaped(stdout, info->sampling, false);
        putchar('\n');
    }
}

/* Whether a counter before it, from `first` on, has its name. */
static bool
is_named(const hd_defs *defs, uint32_t first, uint32_t counter)
{
    for (uint32_t i = first; i < counter; i++)
        if (strcmp(hd_defs_text(defs, hd_defs_counters(defs)[i].name),
                   hd_defs_text(defs, hd_defs_counters(defs)[counter].name)) == 0)
            return true;
    return false;
}

/* With the unit of each. */
static void
print_counters(const char *key, const hd_defs *defs, uint32_t first, uint32_t n)
{
    enum { MOST = 40 };
    uint32_t n_printed = 0;

    for (uint32_t i = first; i < first + n && n_printed < MOST; i++) {
        const char *unit = hd_defs_text(defs, hd_defs_counters(defs)[i].unit);

        if (is_named(defs, first, i))
            continue;
        if (n_printed++ == 0)
            print_key(key);
        else
            fputs(", ", stdout);
        hd_message_escaped(stdout, hd_defs_text(defs, hd_defs_counters(defs)[i].name), false);
        if (*unit != '\0' && strcmp(unit, "#") != 0) {
            fputs(" [", stdout);
            hd_message_escaped(stdout, unit, false);
            putchar(']');
        }
    }
    if (n_printed == MOST)
        fputs(", ...", stdout);
    if (n_printed > 0)
        putchar('\n');
}

static void
print_times(const hd_defs *defs)
{
    print_key("length");
    printf("%.6f s\n", (double)defs->length / (double)defs->resolution);
    print_key("clock");
    printf("%.6g ns per tick\n", 1e9 / (double)defs->resolution);
}

/* A sentence, in as many lines as it takes; frees it. */
static void
print_owned(const char *key, char *text)
{
    print_key(key);
    hd_options_wrapped(stdout, text, hd_terminal_help_width(), KEY_COLUMNS, KEY_COLUMNS);
    free(text);
}

static void
print_needs(const archive_info *info)
{
    const hd_plan *plan  = &info->plan;
    uint32_t       cores = info->node.cores_per_node;
    char           a[28], b[28], *needs;

    print_owned("memory", hd_format("about %s for the trace, over all ranks, and %s for each rank",
                                    hd_message_size(a, info->trace_bytes), hd_message_size(b, HD_PLAN_RANK_BYTES)));
    hd_message_size(a, info->node.memory_per_node);
    if (!info->has_plan)
        needs = hd_format("nodes with more memory than this one (%s)", a);
    else if (plan->nodes == 1)
        needs = hd_format("1 node like this one (%" PRIu32 " core%s, %s): any number of ranks up to %" PRIu32,
                          cores, cores == 1 ? "" : "s", a, info->defs->n_processes);
    else
        needs = hd_format("%" PRIu32 " nodes like this one (%" PRIu32 " core%s, %s), %" PRIu32 " rank%s on each",
                          plan->nodes, cores, cores == 1 ? "" : "s", a, plan->ranks_per_node,
                          plan->ranks_per_node == 1 ? "" : "s");
    print_owned("needs", needs);
}

static void
print_info(const archive_info *info)
{
    const hd_defs *defs = info->defs;
    char           size[28];

    print_text("archive", info->anchor);
    print_text("creator", hd_defs_text(defs, defs->creator));
    print_text("machine", hd_defs_text(defs, defs->machine));
    print_text("OTF2", hd_defs_text(defs, defs->version));
    print_processes(defs);
    print_locations(info);
    print_count("events", defs->n_events);
    print_count("regions", info->n_regions);
    print_paradigms(info);
    print_count("communicators", hd_first_window(defs) - defs->n_file_comms);
    print_count("windows", defs->n_windows);
    print_sampling(info);
    print_counters("counters", defs, 0, defs->n_counters);
    print_counters("sampled", defs, defs->n_counters, defs->n_tracks);
    print_text("size", hd_message_size(size, defs->archive_bytes));
    print_times(defs);
    print_needs(info);
}

/* ---- as JSON ---------------------------------------------------------------------------------------------------------------- */

static void
put_text(hd_json *json, const char *key, const char *text)
{
    hd_json_text(json, key, *text != '\0' ? text : NULL);
}

static void
put_counts(hd_json *json, const archive_info *info)
{
    const hd_defs *defs = info->defs;

    hd_json_object(json, "processes");
    hd_json_count(json, "total", defs->n_processes);
    hd_json_count(json, "mpi", defs->n_mpi_processes);
    hd_json_end(json);
    hd_json_object(json, "locations");
    hd_json_count(json, "total", defs->n_locations);
    hd_json_count(json, "cpu_threads", info->n_locations[HD_LOCATION_CPU]);
    hd_json_count(json, "accelerator_streams", info->n_locations[HD_LOCATION_ACCELERATOR]);
    hd_json_count(json, "metrics_only", info->n_locations[HD_LOCATION_METRIC]);
    hd_json_end(json);
    hd_json_count(json, "events", defs->n_events);
    hd_json_count(json, "regions", info->n_regions);
    hd_json_array(json, "paradigms");
    for (unsigned i = 1; i < 256; i++)
        if (info->paradigms[i])
            hd_json_text(json, NULL, hd_paradigm_name((uint8_t)i));
    hd_json_end(json);
    hd_json_count(json, "communicators", hd_first_window(defs) - defs->n_file_comms);
    hd_json_count(json, "windows", defs->n_windows);
    hd_json_count(json, "calling_contexts", defs->n_contexts);
    hd_json_text(json, "sampling", info->sampling);
    hd_json_array(json, "counters");
    for (uint32_t i = 0; i < defs->n_counters + defs->n_tracks; i++) {
        const hd_counter_def *counter = &hd_defs_counters(defs)[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "name", hd_defs_text(defs, counter->name));
        hd_json_text(json, "unit", hd_defs_text(defs, counter->unit));
        hd_json_bool(json, "over_time", i >= defs->n_counters);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static hd_status
write_json(const archive_info *info)
{
    const hd_defs *defs = info->defs;
    hd_json        json;

    hd_json_document_begin(&json, stdout, "info");
    hd_json_text(&json, "archive", info->anchor);
    put_text(&json, "creator", hd_defs_text(defs, defs->creator));
    put_text(&json, "machine", hd_defs_text(defs, defs->machine));
    put_text(&json, "otf2_version", hd_defs_text(defs, defs->version));
    put_counts(&json, info);
    hd_json_count(&json, "bytes", defs->archive_bytes);
    hd_json_number(&json, "length", (double)defs->length / (double)defs->resolution);
    hd_json_count(&json, "ticks_per_second", defs->resolution);
    hd_json_object(&json, "memory");
    hd_json_count(&json, "trace_bytes", info->trace_bytes);
    hd_json_count(&json, "rank_bytes", HD_PLAN_RANK_BYTES);
    hd_json_end(&json);
    hd_plan_put_node(&json, &info->node);
    if (info->has_plan)
        hd_plan_put(&json, "needs", &info->plan);
    else
        hd_json_null(&json, "needs");
    return hd_json_document_end(&json);
}

static hd_status
info_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_info_options *options = options_;
    char                  *anchor  = NULL;
    hd_defs               *defs    = NULL;
    archive_info           info;
    hd_status              status;

    (void)analysis_comm;
    status = hd_archive_find(options->archive, &anchor);
    if (status != HD_OK)
        goto out;
    status = hd_defs_read(anchor, &defs);
    if (status != HD_OK)
        goto out;
    archive_info_init(&info, anchor, defs);
    if (options->json)
        status = write_json(&info);
    else
        print_info(&info);
    archive_info_fini(&info);
    *exit_code = HD_EXIT_OK;
out:
    free(defs);
    free(anchor);
    return status;
}

const hd_command hd_cmd_info = {
    .name           = "info",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_info_options, archive),
    .what           = "show what an archive holds and what its analysis needs",
    .text           = "Shows what an OTF2 archive holds: processes, locations, events, paradigms, interrupt generators of samples, size, length and clock; "
                      "and how much memory and how many nodes like this one an analysis needs. ARCHIVE is the anchor file "
                      "(.otf2) or a folder that holds traces.otf2. The definitions are read, and of the event files a sample.\n\n"
                      "The need of memory is an estimate: what the trace takes over all ranks, the definitions once per node, and what the "
                      "MPI library takes for each rank. heddle plan shows more.",
    .example        = "heddle info traces.otf2\twhat is in it\n"
                      "heddle info traces.otf2 --json\tthe same for a script",
    .options        = info_options,
    .n_options      = sizeof info_options / sizeof *info_options,
    .bytes          = sizeof(hd_info_options),
    .run            = info_run,
};

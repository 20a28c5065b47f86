/* heddle info: what an archive holds, and what its analysis needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "message.h"
#include "plan.h"
#include "event_sample.h"

typedef struct hd_info_options {
    bool        help;
    const char *archive;
} hd_info_options;

static const hd_option info_options[] = { HD_OPTION_HELP };

static void
print_key(const char *key)
{
    printf("%-14s", key);
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
print_locations(const hd_defs *defs)
{
    const hd_location_def *locations = hd_defs_locations(defs);
    uint64_t               n[3]      = { 0 };
    char                   number[28];

    for (uint32_t i = 0; i < defs->n_locations; i++)
        n[locations[i].type < 3 ? locations[i].type : HD_LOCATION_METRIC]++;
    print_key("locations");
    printf("%s (", hd_message_number(number, defs->n_locations));
    printf("%s CPU threads", hd_message_number(number, n[HD_LOCATION_CPU]));
    if (n[HD_LOCATION_ACCELERATOR] > 0)
        printf(", %s accelerator streams", hd_message_number(number, n[HD_LOCATION_ACCELERATOR]));
    if (n[HD_LOCATION_METRIC] > 0)
        printf(", %s of metrics only", hd_message_number(number, n[HD_LOCATION_METRIC]));
    printf(")\n");
}

static void
print_regions(const hd_defs *defs)
{
    const hd_region *regions   = hd_defs_regions(defs);
    const uint32_t  *refs      = hd_defs_region_refs(defs);
    bool             seen[256] = { false };
    const char      *between   = "";
    uint64_t         n         = 0;

    for (uint32_t i = 0; i < defs->flush_region; i++)
        if (refs[i] != HD_NONE) { /* not one that was added */
            seen[regions[i].paradigm] = true;
            n++;
        }
    print_count("regions", n);
    print_key("paradigms");
    for (unsigned i = 1; i < 256; i++)
        if (seen[i]) {
            printf("%s%s", between, hd_paradigm_name((uint8_t)i));
            between = ", ";
        }
    printf("%s\n", *between == '\0' ? "none" : "");
}

static void
print_sampling(const hd_defs *defs)
{
    char *sampling = hd_defs_sampling(defs);
    char  number[28];

    if (defs->n_contexts > 0) {
        print_key("sampling");
        printf("%s calling contexts", hd_message_number(number, defs->n_contexts));
        if (sampling != NULL) {
            fputs("; ", stdout);
            hd_message_escaped(stdout, sampling, false);
        }
        putchar('\n');
    }
    free(sampling);
}

static void
print_times(const hd_defs *defs)
{
    print_key("length");
    printf("%.6f s\n", (double)defs->length / (double)defs->resolution);
    print_key("clock");
    printf("%.6g ns per tick\n", 1e9 / (double)defs->resolution);
}

/* The smallest number of nodes like this one, as heddle plan has it. */
static void
print_needs(const char *anchor, const hd_defs *defs)
{
    hd_plan_request request = hd_plan_this_node();
    hd_plan         plan;
    char            a[28], b[28];

    request.trace_bytes = hd_event_sample_trace_bytes(anchor, defs);
    print_key("memory");
    printf("about %s for the trace, over all ranks, and %s for each rank\n",
        hd_message_size(a, (request.trace_bytes > 0 ? request.trace_bytes : hd_plan_trace_bytes(defs)) + defs->bytes),
           hd_message_size(b, HD_PLAN_RANK_BYTES));
    hd_message_size(a, request.memory_per_node);
    print_key("needs");
    if (hd_plan_make(defs, &request, &plan) != HD_OK)
        printf("nodes with more memory than this one (%s)\n", a);
    else if (plan.nodes == 1)
        printf("1 node like this one (%" PRIu32 " cores, %s): any number of ranks up to %" PRIu32 "\n", request.cores_per_node, a,
               defs->n_processes);
    else
        printf("%" PRIu32 " nodes like this one (%" PRIu32 " cores, %s), %" PRIu32 " rank%s on each\n", plan.nodes, request.cores_per_node, a,
               plan.ranks_per_node, plan.ranks_per_node == 1 ? "" : "s");
}

static hd_status
info_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_info_options *options = options_;
    char                  *anchor  = NULL;
    hd_defs               *defs    = NULL;
    hd_status              status;
    char                   size[28];

    (void)analysis_comm;
    status = hd_archive_find(options->archive, &anchor);
    if (status != HD_OK)
        goto out;
    status = hd_defs_read(anchor, &defs);
    if (status != HD_OK)
        goto out;
    print_text("archive", anchor);
    print_text("creator", hd_defs_text(defs, defs->creator));
    print_text("machine", hd_defs_text(defs, defs->machine));
    print_text("OTF2", hd_defs_text(defs, defs->version));
    print_processes(defs);
    print_locations(defs);
    print_count("events", defs->n_events);
    print_regions(defs);
    print_count("communicators", hd_first_window(defs));
    print_count("windows", defs->n_windows);
    print_sampling(defs);
    print_text("size", hd_message_size(size, defs->archive_bytes));
    print_times(defs);
    print_needs(anchor, defs);
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
    .example        = "heddle info traces.otf2\twhat is in it",
    .options        = info_options,
    .n_options      = sizeof info_options / sizeof *info_options,
    .bytes          = sizeof(hd_info_options),
    .run            = info_run,
};

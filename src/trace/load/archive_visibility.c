#include "archive_visibility.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "memory.h"

enum { NODE_NAME_BYTES = 256 };

typedef struct missing_file {
    uint64_t location_ref;
    uint32_t rank; /* that hosts it */
    uint32_t kind; /* in suffixes */
} missing_file;

static const char *const suffixes[] = { "evt", "def" };

static bool
is_visible(const char *anchor, const missing_file *file)
{
    char *path = hd_archive_file(anchor, file->location_ref, suffixes[file->kind]);
    bool  is   = access(path, R_OK) == 0;

    free(path);
    return is;
}

static void
list_missing(const hd_analysis_comm *analysis_comm, const char *anchor, const hd_trace *trace, hd_bytes *list)
{
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];
            missing_file              file     = { hd_defs_locations(trace->defs)[location->location].ref,
                                                   hd_analysis_comm_rank(analysis_comm).v, 0 };

            if (location->n_events == 0 && !is_visible(anchor, &file))
                hd_bytes_put(list, &file, sizeof file);
            file.kind = 1;
            if (hd_analysis_comm_size(analysis_comm) > 1 && !is_visible(anchor, &file))
                hd_bytes_put(list, &file, sizeof file);
        }
}

/* Each rank gets what all lists hold. */
static void
share_list(hd_analysis_comm *analysis_comm, hd_bytes *list, uint64_t n_all)
{
    uint64_t *n_bytes = NULL;
    uint8_t  *all     = NULL;

    hd_analysis_comm_gather(analysis_comm, list->data, list->n, &all, &n_bytes);
    free(n_bytes);
    free(list->data);
    *list = (hd_bytes){ .data = all != NULL ? all : hd_alloc(n_all, sizeof(missing_file)),
                        .n = n_all * sizeof(missing_file) };
    hd_analysis_comm_broadcast(analysis_comm, list->data, list->n, (hd_arank){ 0 });
}

/* name: [NODE_NAME_BYTES] out, of the node of that rank */
static void
ask_node_name(hd_analysis_comm *analysis_comm, uint32_t rank, char *name)
{
    memset(name, 0, NODE_NAME_BYTES);
    if (hd_analysis_comm_rank(analysis_comm).v == rank)
        snprintf(name, NODE_NAME_BYTES, "%s", hd_analysis_comm_node_name(analysis_comm));
    hd_analysis_comm_broadcast(analysis_comm, name, NODE_NAME_BYTES, (hd_arank){ rank });
}

/* The first file of the list that another rank sees, and the lowest rank that does. */
static hd_status
look(hd_analysis_comm *analysis_comm, const char *anchor, const missing_file *files, uint64_t n)
{
    uint64_t  n_seen[1] = { 0 }, first[1] = { UINT64_MAX };
    char      there[NODE_NAME_BYTES], not_there[NODE_NAME_BYTES], *path;
    hd_status status;

    for (uint64_t i = 0; i < n && hd_analysis_comm_node_rank(analysis_comm) == 0; i++)
        if (is_visible(anchor, &files[i]) && n_seen[0]++ == 0)
            first[0] = i << 32 | hd_analysis_comm_rank(analysis_comm).v;
    hd_analysis_comm_reduce(analysis_comm, n_seen, 1, HD_MAX);
    hd_analysis_comm_reduce(analysis_comm, first, 1, HD_MIN);
    if (n_seen[0] == 0)
        return HD_OK;
    ask_node_name(analysis_comm, (uint32_t)first[0], there);
    ask_node_name(analysis_comm, files[first[0] >> 32].rank, not_there);
    path   = hd_archive_file(anchor, files[first[0] >> 32].location_ref, suffixes[files[first[0] >> 32].kind]);
    status = hd_fail(HD_EOPEN, "not all nodes see the same archive: \"%s\" is there on node %s, but not on node %s",
                     path, there, not_there);
    hd_fail_detail("ranks", "%" PRIu32 " sees it, %" PRIu32 " should read it; some node sees %" PRIu64 " of %" PRIu64
                   " files that are missing", (uint32_t)first[0], files[first[0] >> 32].rank, n_seen[0], n);
    hd_fail_detail("try", "an archive on a file system that all nodes share");
    free(path);
    return status;
}

hd_status
hd_check_archive_visibility(hd_analysis_comm *analysis_comm, const char *anchor, const hd_trace *trace)
{
    hd_bytes  list   = { 0 };
    hd_status status = HD_OK;
    uint64_t  n_all[1];

    list_missing(analysis_comm, anchor, trace, &list);
    n_all[0] = list.n / sizeof(missing_file);
    hd_analysis_comm_reduce(analysis_comm, n_all, 1, HD_SUM);
    if (n_all[0] > 0) {
        share_list(analysis_comm, &list, n_all[0]);
        status = look(analysis_comm, anchor, (const missing_file *)(const void *)list.data, n_all[0]);
    }
    free(list.data);
    return status;
}

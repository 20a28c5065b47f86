#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "file_claim.h"
#include "memory.h"
#include "new_file.h"
#include "out_file.h"
#include "report_path.h"

struct hd_output {
    char       *paths[HD_N_SIDE_FILES], *path;
    hd_new_file sides[HD_N_SIDE_FILES];
    hd_new_file report; /* on rank 0 */
    hd_file_claim claim; /* of rank 0, from the start to the end */
    char       *file;   /* of the report, as this rank opens it */
    bool        force, has_stat;
};

static const struct {
    const char *suffix, *what;
} side_infos[] = {
    [HD_SIDE_FINDINGS] = { ".findings.tsv", "table of trace diagnostics" },
    [HD_SIDE_WAITS]    = { ".waitgraph.dot", "drawing of the wait-for graph" },
    [HD_SIDE_STAT]     = { ".stat", "file of statistics" },
    [HD_SIDE_CLOCKS]   = { ".clocks.tsv", "table of clocks" },
};

static char *
default_path(const char *anchor)
{
    const char *slash = strrchr(anchor, '/');

    return hd_format("%.*sheddle.cubex", slash != NULL ? (int)(slash - anchor + 1) : 0, anchor);
}

static char *
side_path(const char *report, const char *suffix)
{
    size_t n = strlen(report);

    if (n > 6 && strcmp(report + n - 6, ".cubex") == 0)
        n -= 6;
    return hd_format("%.*s%s", (int)n, report, suffix);
}

static hd_status
cannot_write(const char *path, int error)
{
    hd_fail(HD_EWRITE, "the report cannot be written: %s", hd_new_file_why(error));
    hd_fail_detail("report", "\"%s\"", path);
    if (error == EISDIR)
        hd_fail_detail("try", "--output \"%s%sheddle.cubex\"", path, path[strlen(path) - 1] == '/' ? "" : "/");
    else if (error == ENOENT)
        hd_fail_detail("try", "--output REPORT.cubex in a folder that exists");
    else
        hd_fail_detail("try", "--output REPORT.cubex in a folder where you may write");
    return HD_EWRITE;
}

static hd_status
exists(const char *path)
{
    hd_fail(HD_EEXIST, "the report exists already");
    hd_fail_detail("report", "\"%s\"", path);
    hd_fail_detail("try", "--force to replace it, or --output REPORT.cubex for another name");
    hd_fail_detail("or", "heddle summary \"%s\", which prints it", path);
    return HD_EEXIST;
}

static hd_status
stat_exists(const char *path)
{
    hd_fail(HD_EEXIST, "the file of statistics exists already");
    hd_fail_detail("file", "\"%s\"", path);
    hd_fail_detail("try", "--force to replace it, or --output REPORT.cubex for another name");
    return HD_EEXIST;
}

static hd_status
is_of_archive(const char *path)
{
    hd_fail(HD_EUSAGE, "the report would replace a file of the archive");
    hd_fail_detail("report", "\"%s\"", path);
    hd_fail_detail("try", "--output REPORT.cubex for another name");
    return HD_EUSAGE;
}

static hd_status
is_claimed(const char *path, char *who)
{
    hd_fail(HD_EEXIST, "the report is being written by another heddle");
    hd_fail_detail("report", "\"%s\"", path);
    hd_fail_detail("by", "%s", who);
    hd_fail_detail("try", "one process; or several of one MPI job, which share the work: mpirun -n N heddle analyze ...");
    free(who);
    return HD_EEXIST;
}

static hd_status
probe(hd_output *output, const char *anchor)
{
    struct stat info;
    char       *who = NULL;
    int         error;

    if (stat(output->path, &info) == 0 && !S_ISREG(info.st_mode))
        return cannot_write(output->path, S_ISDIR(info.st_mode) ? EISDIR : EINVAL);
    if (hd_archive_has_file(anchor, output->path))
        return is_of_archive(output->path);
    if (hd_report_check_name(output->path) != HD_OK)
        return HD_EUSAGE;
    if (access(output->path, F_OK) == 0 && !output->force)
        return exists(output->path);
    if (output->has_stat && !output->force && access(output->paths[HD_SIDE_STAT], F_OK) == 0)
        return stat_exists(output->paths[HD_SIDE_STAT]);
    error = hd_new_file_probe(output->path);
    if (error != 0)
        return cannot_write(output->path, error);
    return hd_file_claim_take(&output->claim, output->path, &who) ? HD_OK : is_claimed(output->path, who);
}

hd_status
hd_output_open(hd_analysis_comm *analysis_comm, const hd_output_request *request, hd_output **output_out)
{
    hd_output *output = HD_NEW(hd_output);
    hd_status  status = HD_OK;

    output->force    = request->force;
    output->has_stat = request->has_stat;
    output->path     = request->path != NULL ? hd_strdup(request->path) : default_path(request->anchor);
    for (size_t i = 0; i < HD_N_SIDE_FILES; i++)
        output->paths[i] = side_path(output->path, side_infos[i].suffix);
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        status = probe(output, request->anchor);
    else
        hd_file_claim_share(&output->claim, output->path);
    status = hd_agree(analysis_comm, status);
    if (status != HD_OK) {
        hd_output_free(output);
        return status;
    }
    *output_out = output;
    return HD_OK;
}

const char *
hd_output_path(const hd_output *output)
{
    return output->path;
}

const char *
hd_output_side_path(const hd_output *output, hd_side_file side)
{
    return output->paths[side];
}

/* Whether the name is one of a file that this rank can write to, and is that of rank 0. */
static bool
sees(const char *file, const uint64_t of_rank_0[2])
{
    struct stat info;
    int         fd    = open(file, O_WRONLY | O_CLOEXEC);
    bool        is_it = fd >= 0 && fstat(fd, &info) == 0 && info.st_dev == of_rank_0[0] && info.st_ino == of_rank_0[1];

    if (fd >= 0)
        close(fd);
    return is_it;
}

/* A file without a name is known to the other ranks of the node by the process that has it open. */
static hd_status
open_report(hd_analysis_comm *analysis_comm, hd_output *output, bool has_name, bool *all_see_it)
{
    struct stat info;
    int64_t     process[2] = { 0 };
    uint64_t    of_file[2] = { 0 }, n_blind;
    bool        is_named   = has_name;
    int         error      = 0;
    hd_status   status;

    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        error = hd_new_file_open(&output->report, output->path, has_name);
        if (error == 0 && fstat(output->report.fd, &info) == 0) {
            of_file[0] = (uint64_t)info.st_dev;
            of_file[1] = (uint64_t)info.st_ino;
        }
        process[0] = (int64_t)getpid();
        process[1] = output->report.fd;
        is_named   = output->report.temporary != NULL;
    }
    status = hd_agree(analysis_comm, error == 0 ? HD_OK : cannot_write(output->path, error));
    if (status != HD_OK)
        return status;
    hd_analysis_comm_broadcast(analysis_comm, process, sizeof process, (hd_arank){ 0 });
    hd_analysis_comm_broadcast(analysis_comm, of_file, sizeof of_file, (hd_arank){ 0 });
    hd_analysis_comm_broadcast(analysis_comm, &is_named, sizeof is_named, (hd_arank){ 0 });
    free(output->file);
    output->file = is_named ? hd_format("%s.tmp-%" PRId64, output->path, process[0])
                            : hd_format("/proc/%" PRId64 "/fd/%" PRId64, process[0], process[1]);
    n_blind      = !is_named && !sees(output->file, of_file);
    hd_analysis_comm_reduce(analysis_comm, &n_blind, 1, HD_SUM);
    *all_see_it = n_blind == 0;
    return HD_OK;
}

hd_status
hd_output_begin(hd_analysis_comm *analysis_comm, hd_output *output)
{
    uint64_t  last_node = hd_analysis_comm_node(analysis_comm);
    bool      all_see_it = true;
    hd_status status;

    hd_analysis_comm_reduce(analysis_comm, &last_node, 1, HD_MAX);
    status = open_report(analysis_comm, output, last_node > 0, &all_see_it);
    if (status == HD_OK && !all_see_it) {
        hd_new_file_fini(&output->report);
        status = open_report(analysis_comm, output, true, &all_see_it);
    }
    return status;
}

const char *
hd_output_file(const hd_output *output)
{
    return output->file;
}

static hd_status
write_side(hd_output *output, hd_side_file i, const hd_bytes *text)
{
    int error = hd_new_file_open(&output->sides[i], output->paths[i], false);

    if (error == 0)
        error = hd_write_at(output->sides[i].fd, text->data, text->n, 0);
    return error == 0 ? HD_OK : cannot_write(output->paths[i], error);
}

static hd_status
name_report(hd_output *output)
{
    int error = hd_new_file_commit(&output->report, output->force);

    if (error == EEXIST && !output->force)
        return exists(output->path);
    return error == 0 ? HD_OK : cannot_write(output->path, error);
}

/* The report has its name already. A table of findings belongs to it, and replaces one that is there. */
static hd_status
name_side(hd_output *output, hd_side_file i)
{
    int error = hd_new_file_commit(&output->sides[i], output->force || i != HD_SIDE_STAT);

    if (error == 0)
        return HD_OK;
    hd_fail(HD_EWRITE, "the %s cannot be written: %s", side_infos[i].what, hd_new_file_why(error));
    hd_fail_detail("file", "\"%s\"", output->paths[i]);
    hd_fail_detail("report", "\"%s\" is complete", output->path);
    return HD_EWRITE;
}

static hd_status
commit(hd_output *output, const hd_bytes *texts)
{
    hd_status status = HD_OK;

    for (size_t i = 0; i < HD_N_SIDE_FILES && status == HD_OK; i++)
        if (texts[i].data != NULL)
            status = write_side(output, (hd_side_file)i, &texts[i]);
    if (status == HD_OK)
        status = name_report(output);
    for (size_t i = 0; i < HD_N_SIDE_FILES && status == HD_OK; i++) {
        if (texts[i].data != NULL)
            status = name_side(output, (hd_side_file)i);
        else if (i != HD_SIDE_STAT || output->force)
            unlink(output->paths[i]);
    }
    return status;
}

hd_status
hd_output_commit(hd_analysis_comm *analysis_comm, hd_output *output, const hd_bytes texts[HD_N_SIDE_FILES])
{
    hd_status status = HD_OK;

    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        status = commit(output, texts);
    if (status != HD_OK)
        hd_output_drop(output);
    return hd_agree(analysis_comm, status);
}

void
hd_output_drop(hd_output *output)
{
    if (output == NULL)
        return;
    hd_new_file_drop(&output->report);
    hd_file_claim_drop(&output->claim);
    for (size_t i = 0; i < HD_N_SIDE_FILES; i++)
        hd_new_file_drop(&output->sides[i]);
}

void
hd_output_unclaim(hd_output *output)
{
    if (output != NULL)
        hd_file_claim_abandon(&output->claim);
}

void
hd_output_free(hd_output *output)
{
    if (output == NULL)
        return;
    hd_new_file_fini(&output->report);
    hd_file_claim_fini(&output->claim);
    for (size_t i = 0; i < HD_N_SIDE_FILES; i++) {
        hd_new_file_fini(&output->sides[i]);
        free(output->paths[i]);
    }
    free(output->path);
    free(output->file);
    free(output);
}

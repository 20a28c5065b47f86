#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "out_file.h"

struct hd_output {
    char *path, *temporary, *findings_path, *findings_temporary;
    bool  force, done;
};

/* The one thing that a signal handler can see. Set by hd_output_guard(), release; read by the handler, acquire. */
static _Atomic(const hd_output *) guarded;

static void
die_clean(int number)
{
    const hd_output *output = atomic_load_explicit(&guarded, memory_order_acquire);

    if (output != NULL)
        hd_output_drop(output);
    signal(number, SIG_DFL);
    raise(number);
}

void
hd_output_guard(const hd_output *output)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    atomic_store_explicit(&guarded, output, memory_order_release);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], output != NULL ? die_clean : SIG_DFL);
}

static char *
default_path(const char *anchor)
{
    const char *slash = strrchr(anchor, '/');

    return hd_format("%.*sheddle.cubex", slash != NULL ? (int)(slash - anchor + 1) : 0, anchor);
}

static char *
findings_path(const char *report)
{
    size_t n = strlen(report);

    if (n > 6 && strcmp(report + n - 6, ".cubex") == 0)
        n -= 6;
    return hd_format("%.*s.findings.tsv", (int)n, report);
}

static hd_status
cannot_write(const char *path, int error)
{
    hd_fail(HD_EWRITE, "the report cannot be written: %s", strerror(error));
    hd_fail_detail("report", "\"%s\"", path);
    hd_fail_detail("try", "--output REPORT.cubex with a place where you may write");
    return HD_EWRITE;
}

static hd_status
exists(const char *path)
{
    hd_fail(HD_EEXIST, "there is a report already");
    hd_fail_detail("report", "\"%s\"", path);
    hd_fail_detail("try", "--force to replace it, or --output REPORT.cubex for another place");
    return HD_EEXIST;
}

static hd_status
probe(const hd_output *output)
{
    struct stat info;
    int         file;

    if (stat(output->path, &info) == 0 && S_ISDIR(info.st_mode))
        return cannot_write(output->path, EISDIR);
    if (access(output->path, F_OK) == 0 && !output->force)
        return exists(output->path);
    file = open(output->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0)
        return cannot_write(output->path, errno);
    close(file);
    unlink(output->temporary);
    return HD_OK;
}

hd_status
hd_output_open(hd_group *group, const hd_output_request *request, hd_output **output_out)
{
    hd_output *output = HD_NEW(hd_output);
    int64_t    pid    = (int64_t)getpid();
    hd_status  status = HD_OK;

    hd_group_broadcast(group, &pid, sizeof pid, (hd_arank){ 0 });
    output->force              = request->force;
    output->path               = request->path != NULL ? hd_strdup(request->path) : default_path(request->anchor);
    output->findings_path      = findings_path(output->path);
    output->temporary          = hd_format("%s.tmp-%" PRId64, output->path, pid);
    output->findings_temporary = hd_format("%s.tmp-%" PRId64, output->findings_path, pid);
    if (hd_group_rank(group).v == 0)
        status = probe(output);
    status = hd_agree(group, status);
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
hd_output_temporary(const hd_output *output)
{
    return output->temporary;
}

const char *
hd_output_findings_path(const hd_output *output)
{
    return output->findings_path;
}

static hd_status
write_findings(const hd_output *output, const hd_bytes *findings)
{
    FILE *file  = fopen(output->findings_temporary, "we");
    int   error = 0;

    if (file == NULL)
        return cannot_write(output->findings_path, errno);
    if (fwrite(findings->data, 1, findings->n, file) != findings->n)
        error = errno;
    if (fclose(file) != 0 && error == 0)
        error = errno;
    return error == 0 ? HD_OK : cannot_write(output->findings_path, error);
}

static hd_status
rename_report(const hd_output *output)
{
    int error = hd_name_file(output->temporary, output->path, output->force);

    if (error == EEXIST && !output->force)
        return exists(output->path);
    return error == 0 ? HD_OK : cannot_write(output->path, error);
}

/* The report has its name already. */
static hd_status
cannot_name_findings(const hd_output *output, int error)
{
    hd_fail(HD_EWRITE, "the table of findings cannot be written: %s", strerror(error));
    hd_fail_detail("table", "\"%s\"", output->findings_path);
    hd_fail_detail("report", "\"%s\" is complete", output->path);
    return HD_EWRITE;
}

static hd_status
commit(const hd_output *output, const hd_bytes *findings)
{
    hd_status status = HD_OK;

    if (findings != NULL)
        status = write_findings(output, findings);
    if (status == HD_OK)
        status = rename_report(output);
    if (status != HD_OK)
        return status;
    if (findings == NULL)
        unlink(output->findings_path);
    else if (rename(output->findings_temporary, output->findings_path) != 0)
        return cannot_name_findings(output, errno);
    return HD_OK;
}

hd_status
hd_output_commit(hd_group *group, hd_output *output, const hd_bytes *findings)
{
    hd_status status = HD_OK;

    if (hd_group_rank(group).v == 0)
        status = commit(output, findings);
    if (status != HD_OK)
        hd_output_drop(output);
    status       = hd_agree(group, status);
    output->done = status == HD_OK;
    return status;
}

void
hd_output_drop(const hd_output *output)
{
    if (output == NULL || output->done)
        return;
    unlink(output->temporary);
    unlink(output->findings_temporary);
}

void
hd_output_free(hd_output *output)
{
    if (output == NULL)
        return;
    free(output->path);
    free(output->temporary);
    free(output->findings_path);
    free(output->findings_temporary);
    free(output);
}

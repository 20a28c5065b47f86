/* topology/choice.c: parses the value of --topology. A file is read by rank 0 and broadcast, so that all ranks see the
 * same text even if it changes. */
#include "choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "places.h"
#include "same_file.h"
#include "slurm.h"

#define FILE_PREFIX "file:"
#define SLURM_PREFIX "slurm:"
enum { MAX_BYTES = 256 << 20 };

static hd_status
read_file(const char *path, hd_bytes *bytes)
{
    FILE     *file   = fopen(path, "rb");
    hd_status status = HD_OK;
    char      chunk[65536];
    size_t    n;

    if (file == NULL)
        return hd_fail(HD_EOPEN, "cannot open \"%s\": %s", path, strerror(errno));
    while (status == HD_OK && (n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        hd_bytes_put(bytes, chunk, n);
        if (bytes->n > MAX_BYTES)
            status = hd_fail(HD_ESIZE, "\"%s\" has more than %d bytes", path, MAX_BYTES);
        else if (memchr(chunk, '\0', n) != NULL)
            status = hd_fail(HD_EFORMAT, "\"%s\" is no text", path);
    }
    if (status == HD_OK && ferror(file))
        status = hd_fail(HD_EREAD, "cannot read \"%s\": %s", path, strerror(errno));
    fclose(file);
    return status;
}

/* The text of a file on all ranks; free() it. */
static hd_status
share_file(hd_analysis_comm *analysis_comm, const char *path, char **text)
{
    hd_bytes  bytes = { 0 };
    uint64_t  n;
    hd_status status = hd_agree(analysis_comm,
                                hd_analysis_comm_rank(analysis_comm).v == 0 ? read_file(path, &bytes) : HD_OK);

    n = bytes.n;
    if (status == HD_OK) {
        hd_analysis_comm_broadcast(analysis_comm, &n, sizeof n, (hd_arank){ 0 });
        *text = HD_NEW_ARRAY(char, n + 1);
        if (n > 0 && bytes.n > 0)
            memcpy(*text, bytes.data, n);
        hd_analysis_comm_broadcast(analysis_comm, *text, n, (hd_arank){ 0 });
    }
    free(bytes.data);
    return status;
}

static bool
begins_with(const char *text, const char *prefix)
{
    return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

static hd_status
make_machine(hd_analysis_comm *analysis_comm, const hd_defs *defs, const char *path, hd_choice *choice)
{
    hd_switches *switches = NULL;
    hd_status    status   = HD_OK;
    char        *text     = NULL;
    hd_hosts     hosts;

    if (path != NULL)
        status = share_file(analysis_comm, path, &text);
    if (status == HD_OK && path != NULL) {
        hd_hosts_init(&hosts, defs);
        status = hd_slurm_read(text, path, defs, &hosts, &switches);
        hd_hosts_fini(&hosts);
    }
    if (status == HD_OK) {
        choice->machine  = hd_machine_new(defs, switches);
        choice->switches = path != NULL ? hd_strdup(path) : NULL;
    }
    hd_switches_free(switches);
    free(text);
    return status;
}

static hd_status
make_places(hd_analysis_comm *analysis_comm, const hd_defs *defs, const char *name, hd_choice *choice)
{
    const char *path = name + strlen(FILE_PREFIX);
    char       *text = NULL;
    hd_status   status = share_file(analysis_comm, path, &text);
    hd_hosts    hosts;

    if (status == HD_OK) {
        hd_hosts_init(&hosts, defs);
        status = hd_places_read(text, path, name, defs, &hosts, &choice->cartesian);
        hd_hosts_fini(&hosts);
    }
    free(text);
    return status;
}

/* name: NULL: not given */
static hd_status
make_cartesian(hd_analysis_comm *analysis_comm, const hd_defs *defs, const char *name, hd_choice *choice)
{
    if (begins_with(name, FILE_PREFIX))
        return make_places(analysis_comm, defs, name, choice);
    return hd_cartesian_choose(defs, name, &choice->cartesian);
}

hd_status
hd_choice_make(hd_analysis_comm *analysis_comm, const hd_defs *defs, const char *text, hd_choice *choice)
{
    const char *behind = text != NULL ? strstr(text, "," SLURM_PREFIX) : NULL;
    const char *path   = begins_with(text, SLURM_PREFIX) ? text + strlen(SLURM_PREFIX) : NULL;
    char       *name   = NULL;
    hd_status   status;

    *choice = (hd_choice){ 0 };
    if (path == NULL && behind != NULL)
        path = behind + 1 + strlen(SLURM_PREFIX);
    if (text != NULL && path == NULL)
        name = hd_strdup(text);
    else if (text != NULL && behind != NULL && path > behind)
        name = hd_format("%.*s", (int)(behind - text), text);
    if (defs->n_mpi_processes == 0 && (path != NULL || begins_with(name, FILE_PREFIX)))
        status = hd_fail(HD_EUSAGE, "--topology: the program has no MPI processes, so there are no messages to look at "
                         "on \"%s\"", text);
    else {
        status = make_machine(analysis_comm, defs, path, choice);
        if (status == HD_OK)
            status = make_cartesian(analysis_comm, defs, name, choice);
    }
    free(name);
    if (status != HD_OK)
        hd_choice_fini(choice);
    return status;
}

bool
hd_choice_reads(const char *text, const char *path)
{
    const char *behind = text != NULL ? strstr(text, "," SLURM_PREFIX) : NULL;
    char       *first  = text == NULL ? NULL : behind != NULL ? hd_format("%.*s", (int)(behind - text), text) :
                         hd_strdup(text);
    bool        reads  = behind != NULL && hd_is_same_file(behind + 1 + strlen(SLURM_PREFIX), path);

    if (begins_with(first, FILE_PREFIX))
        reads |= hd_is_same_file(first + strlen(FILE_PREFIX), path);
    else if (begins_with(first, SLURM_PREFIX))
        reads |= hd_is_same_file(first + strlen(SLURM_PREFIX), path);
    free(first);
    return reads;
}

void
hd_choice_fini(hd_choice *choice)
{
    hd_cartesian_free(choice->cartesian);
    hd_machine_free(choice->machine);
    free(choice->switches);
    *choice = (hd_choice){ 0 };
}

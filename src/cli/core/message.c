#include "message.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "bytes_text.h"
#include "completeness.h"
#include "count_text.h"
#include "memory.h"
#include "text.h"

void
hd_message_escaped(FILE *out, const char *text, bool lines)
{
    const unsigned char *p = (const unsigned char *)text;

    while (*p != '\0') {
        size_t n = hd_text_unsafe(p);

        if (n == 0 || (lines && *p == '\n'))
            for (n = hd_text_character(p); n > 0; n--)
                fputc(*p++, out);
        else
            for (; n > 0; n--)
                fprintf(out, "\\x%02x", *p++);
    }
}

void
hd_message_error(FILE *out, const hd_error *error)
{
    fputs("heddle: error: ", out);
    hd_message_escaped(out, error->text, false);
    fputc('\n', out);
    hd_message_escaped(out, error->details, true);
    fflush(out);
}

enum { MAX_LEFT_OUT = 20 }; /* lines */

void
hd_message_left_out(FILE *out, const hd_cube *cube)
{
    if (cube->n_left_out == 0)
        return;
    fprintf(out, "heddle: warning: %" PRIu32 " metric%s of report \"", cube->n_left_out,
            cube->n_left_out == 1 ? "" : "s");
    hd_message_escaped(out, cube->path, false);
    fprintf(out, "\" %s omitted\n", cube->n_left_out == 1 ? "is" : "are");
    for (uint32_t i = 0; i < cube->n_left_out && i < MAX_LEFT_OUT; i++) {
        fputs("  ", out);
        hd_message_escaped(out, cube->left_out[i].id, false);
        fputs(": not computed, because ", out);
        hd_message_escaped(out, cube->left_out[i].why, false);
        fputc('\n', out);
    }
    if (cube->n_left_out > MAX_LEFT_OUT)
        fprintf(out, "  and %" PRIu32 " more\n", cube->n_left_out - MAX_LEFT_OUT);
    fflush(out);
}

static void
warn_of(FILE *out, const hd_cube *cube, const char *what, const char *text)
{
    fputs("heddle: warning: report \"", out);
    hd_message_escaped(out, cube->path, false);
    fprintf(out, "\" %s", what);
    hd_message_escaped(out, text, false);
    fputc('\n', out);
    fflush(out);
}

void
hd_message_incomplete(FILE *out, const hd_cube *cube)
{
    char *text = hd_completeness_text(cube);

    if (text != NULL && hd_is_incomplete(cube))
        warn_of(out, cube, "is incomplete: ", text);
    free(text);
}

void
hd_message_incomplete_ones(FILE *out, hd_cube *const *cubes, uint32_t n)
{
    char *of_all = hd_completeness_join(cubes, n, HD_LEFT_OUT_ATTRIBUTE);

    for (uint32_t i = 0; i < n; i++) {
        const char *left_out = hd_cube_attribute_get(cubes[i], HD_LEFT_OUT_ATTRIBUTE);

        if (hd_is_incomplete(cubes[i]))
            hd_message_incomplete(out, cubes[i]);
        else if (left_out != NULL && of_all != NULL && strcmp(of_all, left_out) != 0)
            warn_of(out, cubes[i], "was made without ", left_out);
    }
    free(of_all);
}

char *
hd_message_number(char *buffer, uint64_t value)
{
    strcpy(buffer, hd_count_text_of(value).text);
    return buffer;
}

char *
hd_message_size(char *buffer, uint64_t bytes)
{
    strcpy(buffer, hd_bytes_text_of((double)bytes).text);
    return buffer;
}

static void
put_text(hd_bytes *bytes, const char *text)
{
    hd_bytes_put(bytes, text, strlen(text));
}

static void
put_owned(hd_bytes *bytes, char *text)
{
    put_text(bytes, text);
    free(text);
}

/* The regions from the root to the call path, joined by " > ". */
static void
put_path(hd_bytes *bytes, const hd_message_trace *trace, uint32_t call_path)
{
    uint32_t *path = NULL;
    size_t    n = 0, capacity = 0;

    for (uint32_t i = call_path; i != HD_NONE; i = trace->tree->nodes[i].parent)
        HD_PUSH(path, n, capacity, trace->tree->nodes[i].region);
    while (n-- > 0) {
        put_text(bytes, hd_defs_text(trace->defs, hd_defs_regions(trace->defs)[path[n]].name));
        if (n > 0)
            put_text(bytes, " > ");
    }
    free(path);
}

static void
put_call(hd_bytes *bytes, const hd_message_trace *trace, uint32_t call_path)
{
    const hd_call_path *node = &trace->tree->nodes[call_path];

    put_text(bytes, ", ");
    put_text(bytes, hd_defs_text(trace->defs, hd_defs_regions(trace->defs)[node->region].name));
    if (node->parent == HD_NONE)
        return;
    put_text(bytes, " at \"");
    put_path(bytes, trace, node->parent);
    put_text(bytes, "\"");
}

static void
put_communicator(hd_bytes *bytes, const hd_defs *defs, const hd_comm *comm)
{
    const hd_comm_group *groups = hd_defs_groups(defs);
    const char          *name   = hd_defs_text(defs, comm->name);
    uint64_t             n      = 0;

    if (*name != '\0') {
        put_owned(bytes, hd_format(", communicator \"%s\"", name));
        return;
    }
    n += comm->group_a != HD_NONE ? groups[comm->group_a].n : 0;
    n += comm->group_b != HD_NONE ? groups[comm->group_b].n : 0;
    put_text(bytes, ", unnamed communicator");
    if (n > 0)
        put_owned(bytes, hd_format(" of %" PRIu64 " processes", n));
}

char *
hd_message_place(const hd_finding *finding, const hd_message_trace *trace)
{
    hd_bytes bytes = { 0 };

    put_owned(&bytes, hd_format("process %" PRIu32, finding->process));
    if (finding->thread != 0)
        put_owned(&bytes, hd_format(", thread %" PRIu32, finding->thread));
    if (finding->call_path < trace->tree->n)
        put_call(&bytes, trace, finding->call_path);
    if (finding->peer != HD_NONE)
        put_owned(&bytes, hd_format(", peer %" PRIu32, finding->peer));
    if (hd_finding_is_of_counter(finding) && finding->tag < trace->defs->n_counters + trace->defs->n_tracks)
        put_owned(&bytes, hd_format(", counter \"%s\"",
                                    hd_defs_text(trace->defs, hd_defs_counters(trace->defs)[finding->tag].name)));
    else if (finding->tag != HD_NONE)
        put_owned(&bytes, hd_format(finding->kind == HD_FINDING_COUNTER_UNKNOWN ? ", metric %" PRIu32 : ", tag %" PRIu32,
                                    finding->tag));
    if (finding->communicator < trace->defs->n_comms)
        put_communicator(&bytes, trace->defs, &hd_defs_comms(trace->defs)[finding->communicator]);
    hd_bytes_put(&bytes, "", 1);
    return (char *)bytes.data;
}

/* One kind: rows [first, end). */
static void
print_kind(FILE *out, const hd_findings *findings, size_t first, size_t end, const hd_message_trace *trace)
{
    uint64_t count = 0;
    size_t   early = first;
    char     number[28], *place;

    for (size_t i = first; i < end; i++) {
        count += findings->rows[i].count;
        if (findings->rows[i].time < findings->rows[early].time)
            early = i;
    }
    place = hd_message_place(&findings->rows[early], trace);
    fprintf(out, "heddle: warning: %s %s\n  first:    ", hd_message_number(number, count),
            hd_finding_words(findings->rows[first].kind, count));
    hd_message_escaped(out, place, false);
    fputc('\n', out);
    if (trace->path != NULL) {
        fputs("  all:      ", out);
        hd_message_escaped(out, trace->path, false);
        fputc('\n', out);
    }
    free(place);
}

void
hd_message_findings(FILE *out, const hd_findings *findings, const hd_message_trace *trace)
{
    size_t end;

    for (size_t first = 0; first < findings->n; first = end) {
        for (end = first + 1; end < findings->n && findings->rows[end].kind == findings->rows[first].kind;)
            end++;
        print_kind(out, findings, first, end, trace);
    }
    fflush(out);
}

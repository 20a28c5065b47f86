#include "finding_file.h"

#include <stdlib.h>
#include <string.h>

static void
put(hd_bytes *bytes, const char *text)
{
    hd_bytes_put(bytes, text, strlen(text));
}

/* Names come from the archive: what would break the table becomes a blank. */
static void
put_name(hd_bytes *bytes, const char *text)
{
    for (; *text != '\0'; text++) {
        char c = (unsigned char)*text < 32 || *text == 127 ? ' ' : *text;

        hd_bytes_put(bytes, &c, 1);
    }
}

static void
put_count(hd_bytes *bytes, uint64_t value)
{
    char *text = hd_format("\t%" PRIu64, value);

    put(bytes, text);
    free(text);
}

static void
put_optional(hd_bytes *bytes, uint32_t value)
{
    if (value == HD_NONE)
        put(bytes, "\t-");
    else
        put_count(bytes, value);
}

static void
put_path(hd_bytes *bytes, const hd_defs *defs, const hd_calltree *tree, uint32_t call_path)
{
    const hd_call_path *node = &tree->nodes[call_path];

    if (node->parent != HD_NONE) {
        put_path(bytes, defs, tree, node->parent);
        put(bytes, ";");
    }
    put_name(bytes, hd_defs_text(defs, hd_defs_regions(defs)[node->region].name));
}

static void
put_time(hd_bytes *bytes, const hd_defs *defs, hd_time time)
{
    char *text = hd_format("\t%.9f", (double)time / (double)defs->resolution);

    put(bytes, time == 0 ? "\t-" : text);
    free(text);
}

static void
put_row(hd_bytes *bytes, const hd_finding *finding, const hd_defs *defs, const hd_calltree *tree)
{
    put(bytes, hd_finding_infos[finding->kind].id);
    put_count(bytes, finding->count);
    put_count(bytes, finding->process);
    put_count(bytes, finding->thread);
    put(bytes, "\t");
    if (finding->call_path < tree->n)
        put_path(bytes, defs, tree, finding->call_path);
    else
        put(bytes, "-");
    put_optional(bytes, finding->peer);
    put(bytes, "\t");
    if (finding->communicator < defs->n_comms)
        put_name(bytes, hd_defs_text(defs, hd_defs_comms(defs)[finding->communicator].name));
    else
        put(bytes, "-");
    put_optional(bytes, finding->tag);
    put_time(bytes, defs, finding->time);
    put(bytes, "\n");
}

void
hd_finding_file_put(hd_bytes *bytes, const hd_findings *findings, const hd_defs *defs, const hd_calltree *tree)
{
    put(bytes, "kind\tcount\tprocess\tthread\tcall_path\tpeer\tcommunicator\ttag\tfirst_time_s\n");
    for (size_t i = 0; i < findings->n; i++)
        put_row(bytes, &findings->rows[i], defs, tree);
}

#include "findings_tsv.h"

#include "memory.h"

void
hd_write_escaped(FILE *file, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        bool is_c1 = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0; /* UTF-8 of U+0080 to U+009F */

        if (is_c1) {
            fprintf(file, "\\x%02x\\x%02x", at[0], at[1]);
            at++;
        } else if (*at < 0x20 || *at == 0x7F || *at == '\\')
            fprintf(file, "\\x%02x", *at);
        else
            fputc(*at, file);
    }
}

char *
hd_escaped(const char *text)
{
    char  *copy   = NULL;
    size_t bytes  = 0;
    FILE  *stream = open_memstream(&copy, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: a name cannot be written");
    hd_write_escaped(stream, text);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a name cannot be written");
    return copy;
}

static void
write_call_path(FILE *file, const hd_defs *defs, const hd_calltree *tree, uint32_t call_path)
{
    uint32_t  n    = 0;
    uint32_t *path = NULL;

    for (uint32_t i = call_path; i < tree->n; i = tree->nodes[i].parent)
        n++;
    path = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    n    = 0;
    for (uint32_t i = call_path; i < tree->n; i = tree->nodes[i].parent)
        path[n++] = tree->nodes[i].region;
    while (n-- > 0) {
        hd_write_escaped(file, hd_defs_text(defs, hd_defs_regions(defs)[path[n]].name));
        if (n > 0)
            fputc(';', file);
    }
    free(path);
}

static void
write_number(FILE *file, uint32_t number)
{
    if (number != HD_NONE)
        fprintf(file, "%" PRIu32, number);
}

void
hd_findings_write_tsv(FILE *file, const hd_findings *findings, const hd_defs *defs, const hd_calltree *tree)
{
    fputs("id\tcount\tprocess\tthread\tcall path\tpeer\tcommunicator\ttag\ttime\n", file);
    for (size_t i = 0; i < findings->n; i++) {
        const hd_finding *finding = &findings->rows[i];

        fprintf(file, "%s\t%" PRIu64 "\t", hd_finding_infos[finding->kind].id, finding->count);
        write_number(file, finding->process);
        fputc('\t', file);
        write_number(file, finding->thread);
        fputc('\t', file);
        write_call_path(file, defs, tree, finding->call_path);
        fputc('\t', file);
        write_number(file, finding->peer);
        fputc('\t', file);
        if (finding->communicator < defs->n_comms)
            hd_write_escaped(file, hd_defs_text(defs, hd_defs_comms(defs)[finding->communicator].name));
        fputc('\t', file);
        write_number(file, finding->tag);
        fputc('\t', file);
        if (finding->time != 0)
            fprintf(file, "%.9f", (double)hd_span_between(defs->first_time, finding->time) / (double)defs->resolution);
        fputc('\n', file);
    }
}

#include "findings_tsv.h"

#include "escape.h"
#include "memory.h"

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
    for (uint32_t i = n; i-- > 0;) {
        hd_write_cell(file, hd_defs_text(defs, hd_defs_regions(defs)[path[i]].name),
                      i + 1 == n ? HD_CELL_FIRST : HD_CELL_NEXT);
        if (i > 0)
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
    fputs("id\tcount\tprocess\tthread\tcall path\tpeer\tcommunicator\ttag\ttime\tworst\n", file);
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
        if (hd_finding_is_of_counter(finding) && finding->tag < defs->n_counters + defs->n_tracks)
            hd_write_cell(file, hd_defs_text(defs, hd_defs_counters(defs)[finding->tag].name), HD_CELL_WHOLE);
        if (finding->communicator < defs->n_comms)
            hd_write_cell(file, hd_defs_text(defs, hd_defs_comms(defs)[finding->communicator].name), HD_CELL_WHOLE);
        fputc('\t', file);
        if (!hd_finding_is_of_counter(finding))
            write_number(file, finding->tag);
        fputc('\t', file);
        if (finding->time != 0)
            fprintf(file, "%.9f", (double)hd_span_between(defs->first_time, finding->time) / (double)defs->resolution);
        fputc('\t', file);
        if (finding->worst != 0)
            fprintf(file, "%.9g", (double)finding->worst / (double)defs->resolution);
        fputc('\n', file);
    }
}

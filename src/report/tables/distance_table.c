/* src/report/tables/distance_table.c: messages by distance, as tables for people, for scripts, or as JSON. */
#include "distance_table.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_text.h"
#include "completeness.h"
#include "count_text.h"
#include "escape.h"
#include "memory.h"
#include "metric.h"
#include "time_text.h"

#define NOT_KNOWN "(not known)"

enum { BYTES = 1 /* its column */, N_COLUMNS = 4, MAX_CLASSES = 16, NAME_WIDTH = 26, COLUMN_WIDTH = 22 };

static const struct {
    const char *head, *name;
    const char *ids[2]; /* metrics that add up to the whole */
    bool        is_time;
} columns[N_COLUMNS] = { { "messages", "messages", { "comms_send", "syncs_send" }, false },
                         { "bytes", "bytes", { "bytes_sent", NULL }, false },
                         { "late sender", "mpi_latesender", { "mpi_latesender", NULL }, true },
                         { "late receiver", "mpi_latereceiver", { "mpi_latereceiver", NULL }, true } };

typedef struct kind_of_distance {
    const char *name; /* for scripts */
    hd_metric   first[N_COLUMNS]; /* of the nearest class */
    int         n;                /* classes */
} kind_of_distance;

static const kind_of_distance kinds[] = {
    { "machine",
      { HD_METRIC_machine_comms_process, HD_METRIC_machine_bytes_process, HD_METRIC_machine_latesender_process,
        HD_METRIC_machine_latereceiver_process },
      HD_METRIC_machine_comms_remote - HD_METRIC_machine_comms_process + 1 },
    { "hops",
      { HD_METRIC_topo_comms_h0, HD_METRIC_topo_bytes_h0, HD_METRIC_topo_latesender_h0,
        HD_METRIC_topo_latereceiver_h0 },
      HD_METRIC_topo_comms_hmore - HD_METRIC_topo_comms_h0 + 1 },
};
enum { MACHINE, HOPS, N_KINDS };

typedef struct distances {
    double sums[MAX_CLASSES][N_COLUMNS], wholes[N_COLUMNS];
} distances;

/* metric: HD_NONE: the report does not have it, and nothing is added */
static hd_status
sum_up(hd_cube *cube, uint32_t metric, const bool *selected, double *sum)
{
    double   *values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = metric != HD_NONE ? hd_cube_sum(cube, metric, selected, values) : HD_OK;

    for (uint32_t i = 0; status == HD_OK && i < cube->n_locations; i++)
        *sum += values[i];
    free(values);
    return status;
}

/* The last class is what is left of the whole: of a whole that differences of rounding only are left of, nothing. */
static hd_status
sum_up_all(hd_cube *cube, const kind_of_distance *kind, const bool *selected, distances *d)
{
    hd_status status = HD_OK;

    *d = (distances){ 0 };
    for (int c = 0; c < N_COLUMNS; c++) {
        double known = 0, rest;

        for (int i = 0; i < kind->n && status == HD_OK; i++) {
            status = sum_up(cube, hd_cube_metric_by_id(cube, hd_metric_infos[kind->first[c] + (hd_metric)i].id),
                            selected, &d->sums[i][c]);
            known += d->sums[i][c];
        }
        for (int i = 0; i < 2 && columns[c].ids[i] != NULL && status == HD_OK; i++)
            status = sum_up(cube, hd_cube_metric_by_id(cube, columns[c].ids[i]), selected, &d->wholes[c]);
        rest = d->wholes[c] - known;
        if (rest > 1e-9 * d->wholes[c])
            d->sums[kind->n][c] = rest;
        else
            d->wholes[c] = known;
    }
    return status;
}

static bool
has_rest(const kind_of_distance *kind, const distances *d)
{
    bool any = false;

    for (int c = 0; c < N_COLUMNS; c++)
        any |= d->sums[kind->n][c] > 0;
    return any;
}

/* name: NULL: that of the class; topology: NULL: the one that messages were looked at on, or none */
static void
print_tsv_class(FILE *file, const kind_of_distance *kind, const char *topology, const char *name, const distances *d,
                int i)
{
    fputs(kind->name, file);
    fputs(topology != NULL ? " " : "", file);
    hd_write_escaped(file, topology != NULL ? topology : "");
    fprintf(file, "\t%s", name != NULL ? name :
            strrchr(hd_metric_infos[kind->first[0] + (hd_metric)i].id, '_') + 1);
    for (int c = 0; c < N_COLUMNS; c++)
        fprintf(file, "\t%.17g", d->sums[i][c]);
    fputc('\n', file);
}

/* Columns [from, to). */
static void
print_class(FILE *file, const char *name, const distances *d, int i, int from, int to)
{
    fprintf(file, "%-*s", NAME_WIDTH, name);
    for (int c = from; c < to; c++) {
        fprintf(file, " %13s", columns[c].is_time ? hd_time_column(d->sums[i][c]).text :
                               c == BYTES ? hd_bytes_text_of(d->sums[i][c]).text :
                                            hd_count_text_rounded(d->sums[i][c]).text);
        fprintf(file, " %5.1f %%", d->wholes[c] > 0 ? 100 * d->sums[i][c] / d->wholes[c] : 0);
    }
    fputc('\n', file);
}

static void
put_class(hd_json *json, const kind_of_distance *kind, const char *topology, const distances *d, int i)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "kind", kind->name);
    hd_json_text(json, "topology", topology);
    hd_json_text(json, "distance",
                 i < kind->n ? strrchr(hd_metric_infos[kind->first[0] + (hd_metric)i].id, '_') + 1 : NULL);
    for (int c = 0; c < N_COLUMNS; c++)
        hd_json_number(json, columns[c].name, d->sums[i][c]);
    hd_json_end(json);
}

/* topology: NULL: not known, or none */
static void
print_title(FILE *file, const kind_of_distance *kind, const char *topology)
{
    fputs(kind == &kinds[MACHINE] ? "Messages by distance on the machine" : "Messages by hops on the topology", file);
    if (topology != NULL) {
        fputs(" \"", file);
        hd_write_escaped(file, topology);
        fputc('"', file);
    }
    fputc('\n', file);
}

static void
print_heads(FILE *file, int from, int to)
{
    fprintf(file, "\n%-*s", NAME_WIDTH, "");
    for (int c = from; c < to; c++)
        fprintf(file, " %13s%s", columns[c].head, c + 1 < to ? "        " : "");
    fputc('\n', file);
}

/* The classes that are there, as one table, or as several that are no wider than that (0: no limit). */
static void
print_table(FILE *file, const kind_of_distance *kind, const distances *d, const bool *is_there, uint32_t width)
{
    int n = width == 0 ? N_COLUMNS : ((int)width - NAME_WIDTH) / COLUMN_WIDTH;

    n = n < 1 ? 1 : n > N_COLUMNS ? N_COLUMNS : n;
    for (int from = 0; from < N_COLUMNS; from += n) {
        int to = from + n < N_COLUMNS ? from + n : N_COLUMNS;

        print_heads(file, from, to);
        for (int i = 0; i <= kind->n; i++)
            if (is_there[i])
                print_class(file, i < kind->n ? hd_metric_infos[kind->first[0] + (hd_metric)i].name : NOT_KNOWN, d, i,
                            from, to);
    }
}

static bool
is_there(const hd_cube *cube, const kind_of_distance *kind)
{
    return hd_cube_metric_by_id(cube, hd_metric_infos[hd_metric_infos[kind->first[0]].parent].id) != HD_NONE;
}

/* ---- of other topologies: in attributes (topology/hop_table.h) --------------------------------------------------- */

/* What the attribute has; the rest of the wholes is not known. Returns the topology's name, NULL: it cannot be
 * understood. */
static const char *
parse_hops(const char *text, const distances *of_report, distances *d)
{
    char *end;

    *d = *of_report;
    memset(d->sums, 0, sizeof d->sums);
    while (*text != '|') {
        unsigned long class = strtoul(text, &end, 10);

        if (end == text || class >= (unsigned long)kinds[HOPS].n)
            return NULL;
        for (int c = 0; c < N_COLUMNS; c++) {
            text             = end;
            d->sums[class][c] = strtod(text, &end);
            if (end == text)
                return NULL;
        }
        if (*end != ';')
            return NULL;
        text = end + 1;
    }
    for (int c = 0; c < N_COLUMNS; c++) {
        double rest = d->wholes[c];

        for (int i = 0; i < kinds[HOPS].n; i++)
            rest -= d->sums[i][c];
        d->sums[kinds[HOPS].n][c] = rest > 1e-9 * d->wholes[c] ? rest : 0;
    }
    return text + 1;
}

static bool
has_class(const distances *d, int i)
{
    bool any = false;

    for (int c = 0; c < N_COLUMNS; c++)
        any |= d->sums[i][c] > 0;
    return any;
}

static void
print_others(const hd_cube *cube, const distances *of_report, bool is_tsv, hd_json *json, uint32_t width, FILE *file)
{
    const kind_of_distance *hops = &kinds[HOPS];

    for (uint32_t a = 0; a < cube->n_attributes; a++) {
        distances   d;
        const char *name;
        bool        has[MAX_CLASSES];

        if (strcmp(cube->attributes[a].key, "Heddle::Hops") != 0 ||
            (name = parse_hops(cube->attributes[a].value, of_report, &d)) == NULL)
            continue;
        for (int i = 0; i <= hops->n; i++)
            has[i] = has_class(&d, i);
        for (int i = 0; i <= hops->n && (json != NULL || is_tsv); i++)
            if (has[i] && json != NULL)
                put_class(json, hops, name, &d, i);
            else if (has[i])
                print_tsv_class(file, hops, name, i < hops->n ? NULL : NOT_KNOWN, &d, i);
        if (json == NULL && !is_tsv) {
            fputc('\n', file);
            print_title(file, hops, name);
            print_table(file, hops, &d, has, width);
        }
    }
}

uint32_t
hd_grid_rows(uint32_t n)
{
    uint32_t rows = 1;

    for (uint32_t i = 2; (uint64_t)i * i <= n; i++)
        if (n % i == 0)
            rows = i;
    return rows;
}

hd_status
hd_distance_table_check(const hd_cube *cube)
{
    uint32_t rows = hd_grid_rows(cube->n_groups);
    int      n    = 0;

    for (int k = 0; k < N_KINDS; k++)
        n += is_there(cube, &kinds[k]);
    if (n == 0) {
        hd_fail(HD_EUSAGE, "report \"%s\" has no messages by distance", cube->path);
        hd_fail_detail("reason", "messages, and a topology of processes or several nodes, are needed, and an analysis "
                       "without --compat");
        if (cube->n_groups > 1)
            hd_fail_detail("try", "heddle analyze --topology=grid:%" PRIu32 "x%" PRIu32
                           ", for processes in the order of their ranks", rows, cube->n_groups / rows);
        return HD_EUSAGE;
    }
    return HD_OK;
}

/* The classes that the report has, and what is in none of them. */
static void
put_classes(const hd_cube *cube, hd_json *json, const kind_of_distance *kind, const distances *d)
{
    const char *topology = kind == &kinds[HOPS] ? hd_cube_attribute_get(cube, "Heddle::Topology") : NULL;

    for (int i = 0; i < kind->n; i++)
        if (hd_cube_metric_by_id(cube, hd_metric_infos[kind->first[0] + (hd_metric)i].id) != HD_NONE)
            put_class(json, kind, topology, d, i);
    if (has_rest(kind, d))
        put_class(json, kind, topology, d, kind->n);
}

static void
print_classes(const hd_cube *cube, const kind_of_distance *kind, const distances *d, bool is_tsv, uint32_t width,
              FILE *file)
{
    bool has[MAX_CLASSES];

    for (int i = 0; i < kind->n; i++)
        has[i] = hd_cube_metric_by_id(cube, hd_metric_infos[kind->first[0] + (hd_metric)i].id) != HD_NONE;
    has[kind->n] = has_rest(kind, d);
    for (int i = 0; i <= kind->n && is_tsv; i++)
        if (has[i])
            print_tsv_class(file, kind, NULL, i < kind->n ? NULL : NOT_KNOWN, d, i);
    if (is_tsv)
        return;
    print_title(file, kind, kind == &kinds[HOPS] ? hd_cube_attribute_get(cube, "Heddle::Topology") : NULL);
    print_table(file, kind, d, has, width);
}

hd_status
hd_distance_table_print(hd_cube *cube, const bool *selected, bool is_tsv, hd_json *json, uint32_t width, FILE *file)
{
    hd_status status    = hd_distance_table_check(cube);
    int       n_printed = 0;

    if (status != HD_OK)
        return status;
    if (json != NULL)
        hd_json_array(json, "distances");
    else if (is_tsv)
        fprintf(file, "kind\tdistance\t%s\t%s\t%s\t%s\n", columns[0].name, columns[1].name, columns[2].name,
                columns[3].name);
    else
        hd_completeness_print(cube, file);
    for (int k = 0; k < N_KINDS && status == HD_OK; k++) {
        distances d;

        if (!is_there(cube, &kinds[k]))
            continue;
        status = sum_up_all(cube, &kinds[k], selected, &d);
        if (status != HD_OK)
            break;
        if (json == NULL && !is_tsv && n_printed++ > 0)
            fputc('\n', file);
        if (json != NULL)
            put_classes(cube, json, &kinds[k], &d);
        else
            print_classes(cube, &kinds[k], &d, is_tsv, width, file);
        if (k == HOPS && selected == NULL)
            print_others(cube, &d, is_tsv, json, width, file);
    }
    if (json != NULL)
        hd_json_end(json);
    return status;
}

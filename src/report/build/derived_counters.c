#include "derived_counters.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "memory.h"
#include "metric.h"

#define INSTRUCTIONS "{" HD_COUNTER_INSTRUCTIONS "}"
#define CYCLES       "{" HD_COUNTER_CYCLES "}"
#define L1_MISSES    "{" HD_COUNTER_L1_MISSES "}"
#define L2_MISSES    "{" HD_COUNTER_L2_MISSES "}"
#define L3_MISSES    "{" HD_COUNTER_L3_MISSES "}"

static const char built_in[] =
    "ipc [instructions/cycle] \"Instructions per cycle\" = " INSTRUCTIONS " / " CYCLES "\n"
    "frequency [GHz] \"Cycles per nanosecond\" = " CYCLES " / time / 1e9\n"
    "cpu_share [s/s] \"CPU time per time\" = {" HD_COUNTER_CPU_TIME "} / 1e9 / time\n"
    "gflops [GFLOP/s] \"Floating-point operations\" = "
    "{PAPI_DP_OPS|PAPI_FP_OPS|RETIRED_SSE_AVX_FLOPS_ALL|FLOPS_DP} / time / 1e9\n"
    "l1_mpki [misses/1000] \"L1 misses per 1,000 instructions\" = 1000 * " L1_MISSES " / " INSTRUCTIONS "\n"
    "l2_mpki [misses/1000] \"L2 misses per 1,000 instructions\" = 1000 * " L2_MISSES " / " INSTRUCTIONS "\n"
    "l3_mpki [misses/1000] \"Last-level misses per 1,000 instructions\" = 1000 * " L3_MISSES " / " INSTRUCTIONS "\n"
    "tlb_mpki [misses/1000] \"TLB misses per 1,000 instructions\" = 1000 * {PAPI_TLB_DM|dTLB-load-misses} / "
    INSTRUCTIONS "\n"
    "branch_mpki [misses/1000] \"Branch mispredictions per 1,000 instructions\" = "
    "1000 * {PAPI_BR_MSP|branch-misses|BR_MISP_RETIRED_ALL_BRANCHES} / " INSTRUCTIONS "\n"
    "memory_bandwidth [GB/s] \"Bytes of last-level misses\" = 64 * " L3_MISSES " / time / 1e9\n"
    "stalled_share [cycles/cycle] \"Stalled cycles\" = "
    "{" HD_COUNTER_STALLS "} / " CYCLES "\n"
    "vector_share [instructions/instruction] \"Vector instructions\" = "
    "{PAPI_VEC_INS|PAPI_VEC_DP|FP_ARITH_INST_RETIRED*PACKED*} / " INSTRUCTIONS "\n";

static const char built_in_name[] = "the built-in table";

typedef struct row {
    char *id, *unit, *name, *formula;
    bool  is_of_file; /* of the user, not built in */
} row;

struct hd_derived_counters {
    row   *rows; /* [n] */
    size_t n, capacity;
};

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* A formula is translated while it is read. Without definitions it is only looked over. */
typedef struct parser {
    const char    *at;
    const char    *why;  /* it is wrong at `at`; NULL: it is not */
    const hd_defs *defs; /* NULL: none */
    char *const   *ids;  /* NULL: none */
    bool           is_missing; /* a counter that the archive does not have */
    hd_bytes       out;        /* CubePL */
    int            depth;
} parser;

static void expression(parser *p);

static void
put(parser *p, const char *text)
{
    hd_bytes_put(&p->out, text, strlen(text));
}

static void
refuse(parser *p, const char *why)
{
    if (p->why == NULL)
        p->why = why;
}

static void
skip_space(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static bool
takes(parser *p, char c)
{
    skip_space(p);
    if (p->why != NULL || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* All counters of a pattern, added up. Returns how many. */
static uint32_t
put_matches(parser *p, const char *pattern, size_t length)
{
    uint32_t n = 0;

    for (uint32_t i = 0; p->defs != NULL && i < p->defs->n_counters; i++)
        if (hd_counter_name_is(hd_defs_text(p->defs, hd_defs_counters(p->defs)[i].name), pattern, length)) {
            put(p, n++ == 0 ? "(metric::" : " + metric::");
            put(p, p->ids != NULL ? p->ids[i] : "");
            put(p, "()");
        }
    if (n > 0)
        put(p, ")");
    return n;
}

/* After '{'. */
static void
counter(parser *p)
{
    uint32_t n = 0;

    do {
        size_t length;

        skip_space(p);
        length = strcspn(p->at, "|}");
        while (length > 0 && (p->at[length - 1] == ' ' || p->at[length - 1] == '\t'))
            length--;
        if (length == 0) {
            refuse(p, "the name of a counter is missing");
            return;
        }
        if (n == 0)
            n = put_matches(p, p->at, length);
        p->at += length;
    } while (takes(p, '|'));
    if (!takes(p, '}'))
        refuse(p, "'}' is missing behind the names of a counter");
    p->is_missing |= n == 0;
}

static void
number(parser *p)
{
    char  *end;
    double value = strtod(p->at, &end);
    char  *text;

    if (end == p->at || value - value != 0 || value < 0) {
        refuse(p, "a number, 'time', {COUNTER} or '(' is missing");
        return;
    }
    p->at = end;
    text  = hd_format("%.17g", value);
    if (strchr(text, 'e') != NULL) { /* CubePL has plain numbers */
        free(text);
        text = value >= 1 ? hd_format("%.0f", value) : hd_format("%.30f", value);
    }
    put(p, text);
    free(text);
}

static void
factor(parser *p)
{
    if (p->depth > 50)
        refuse(p, "it is nested too deeply");
    if (p->why != NULL)
        return;
    p->depth++;
    if (takes(p, '(')) {
        put(p, "(");
        expression(p);
        put(p, ")");
        if (!takes(p, ')'))
            refuse(p, "')' is missing");
    } else if (takes(p, '-')) {
        put(p, "(0 - ");
        factor(p);
        put(p, ")");
    } else if (takes(p, '{'))
        counter(p);
    else if (strncmp(p->at, "time", 4) == 0 && !isalnum((unsigned char)p->at[4]) && p->at[4] != '_') {
        p->at += 4;
        put(p, "metric::execution()");
    } else
        number(p);
    p->depth--;
}

/* From left to right, in brackets. */
static void
chain(parser *p, const char *operators, void (*part)(parser *))
{
    size_t start = p->out.n;

    part(p);
    for (skip_space(p); p->why == NULL && *p->at != '\0' && strchr(operators, *p->at) != NULL; skip_space(p)) {
        char operator[] = { ' ', *p->at++, ' ', '\0' };

        hd_bytes_put(&p->out, "(", 1);
        memmove(p->out.data + start + 1, p->out.data + start, p->out.n - start - 1);
        p->out.data[start] = '(';
        put(p, operator);
        part(p);
        put(p, ")");
    }
}

static void
term(parser *p)
{
    chain(p, "*/", factor);
}

static void
expression(parser *p)
{
    chain(p, "+-", term);
}

static void
whole(parser *p)
{
    expression(p);
    skip_space(p);
    if (p->why == NULL && *p->at != '\0')
        refuse(p, "an operator is missing: +, -, * or /");
    hd_bytes_put(&p->out, "", 1);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static char *
take_until(char **at, char end)
{
    char *from = *at, *to = strchr(from, end);

    if (to == NULL)
        return NULL;
    *to = '\0';
    *at = to + 1;
    return from;
}

static char *
skip(char *at)
{
    return at + strspn(at, " \t");
}

static hd_status
wrong(const char *file, size_t line, size_t column, const char *why)
{
    hd_status status = hd_fail(HD_EUSAGE, "%s, line %zu, column %zu: %s", file, line, column, why);

    hd_fail_detail("a line", "ipc [instructions/cycle] \"Instructions per cycle\" = {PAPI_TOT_INS|instructions} / "
                   "{PAPI_TOT_CYC|cycles}");
    hd_fail_detail("see", "heddle explain derived-counters");
    return status;
}

/* A row with the same id gives way. */
static void
add_row(hd_derived_counters *table, row added)
{
    for (size_t i = 0; i < table->n; i++)
        if (strcmp(table->rows[i].id, added.id) == 0) {
            row old = table->rows[i];

            table->rows[i] = added;
            free(old.id), free(old.unit), free(old.name), free(old.formula);
            return;
        }
    HD_PUSH(table->rows, table->n, table->capacity, added);
}

static bool
is_taken(const char *id, size_t n)
{
    char *name = hd_format("%.*s", (int)n, id);
    bool  is   = hd_metric_by_id(name) != HD_NONE || strncmp(name, "c_", 2) == 0 || strcmp(name, HD_COUNTERS_ROOT) == 0;

    free(name);
    return is;
}

static hd_status
read_line(hd_derived_counters *table, char *line, const char *file, size_t number_of_line)
{
    char       *begin = line, *at = skip(line), *id = at, *id_end, *unit = NULL, *name = NULL;
    parser      p     = { 0 };
    hd_status   status = HD_OK;
    bool        is_of_file = file != built_in_name;

    if (*at == '\0' || *at == '#')
        return HD_OK;
    at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    id_end = at;
    if (id_end == id || isdigit((unsigned char)*id))
        return wrong(file, number_of_line, (size_t)(id - begin) + 1,
                     "an id is missing: letters, digits and '_', a letter first");
    if (is_taken(id, (size_t)(id_end - id)))
        return wrong(file, number_of_line, (size_t)(id - begin) + 1, "the id is that of another metric");
    at = skip(at);
    if (*at == '[') {
        at++;
        if ((unit = take_until(&at, ']')) == NULL)
            return wrong(file, number_of_line, (size_t)(at - begin) + 1, "']' is missing behind the unit");
        at = skip(at);
    }
    if (*at == '"') {
        at++;
        if ((name = take_until(&at, '"')) == NULL)
            return wrong(file, number_of_line, (size_t)(at - begin) + 1, "'\"' is missing behind the name");
        at = skip(at);
    }
    if (*at != '=')
        return wrong(file, number_of_line, (size_t)(at - begin) + 1, "'=' is missing before the formula");
    *id_end = '\0';
    p.at    = at + 1;
    whole(&p);
    free(p.out.data);
    if (p.why != NULL)
        status = wrong(file, number_of_line, (size_t)(p.at - begin) + 1, p.why);
    else
        add_row(table, (row){ .id = hd_strdup(id), .unit = hd_strdup(unit != NULL ? unit : ""),
                              .name = hd_strdup(name != NULL ? name : id), .formula = hd_strdup(at + 1),
                              .is_of_file = is_of_file });
    return status;
}

static hd_status
read_stream(hd_derived_counters *table, FILE *stream, const char *file)
{
    char     *line     = NULL;
    size_t    capacity = 0, n = 0;
    ssize_t   length;
    hd_status status = HD_OK;

    while (status == HD_OK && (length = getline(&line, &capacity, stream)) >= 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        status = read_line(table, line, file, ++n);
    }
    if (status == HD_OK && ferror(stream))
        status = hd_fail(HD_EREAD, "cannot read \"%s\": %s", file, strerror(errno));
    free(line);
    return status;
}

static hd_status
read_file(hd_derived_counters *table, const char *path)
{
    FILE     *stream = fopen(path, "r");
    hd_status status;

    if (stream == NULL)
        return hd_fail(HD_EOPEN, "cannot open \"%s\": %s", path, strerror(errno));
    status = read_stream(table, stream, path);
    fclose(stream);
    return status;
}

hd_status
hd_derived_counters_read(const char *path, hd_derived_counters **table)
{
    hd_derived_counters *read   = HD_NEW(hd_derived_counters);
    FILE                *stream = fmemopen((void *)(uintptr_t)built_in, sizeof built_in - 1, "r");
    hd_status            status;

    HD_ASSERT(stream != NULL);
    status = read_stream(read, stream, built_in_name);
    fclose(stream);
    HD_ASSERT(status == HD_OK);
    if (path != NULL)
        status = read_file(read, path);
    if (status != HD_OK) {
        hd_derived_counters_free(read);
        return status;
    }
    *table = read;
    return HD_OK;
}

void
hd_derived_counters_free(hd_derived_counters *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->n; i++) {
        free(table->rows[i].id);
        free(table->rows[i].unit);
        free(table->rows[i].name);
        free(table->rows[i].formula);
    }
    free(table->rows);
    free(table);
}

uint32_t
hd_derived_counters_n(const hd_derived_counters *table)
{
    return (uint32_t)table->n;
}

char *
hd_derived_counters_lacking(const hd_derived_counters *table, const hd_defs *defs)
{
    char *all = NULL;

    for (size_t i = 0; i < table->n; i++) {
        parser p = { .at = table->rows[i].formula, .defs = defs };
        char  *more;

        if (!table->rows[i].is_of_file)
            continue;
        whole(&p);
        free(p.out.data);
        if (!p.is_missing)
            continue;
        more = hd_format("%s%s%s", all != NULL ? all : "", all != NULL ? ", " : "", table->rows[i].id);
        free(all);
        all = more;
    }
    return all;
}

uint32_t
hd_derived_counters_fill(const hd_derived_counters *table, const hd_defs *defs, char *const *ids, uint32_t parent,
                         hd_cube_metric *metrics)
{
    uint32_t n = 0;

    for (size_t i = 0; i < table->n; i++) {
        const row *from = &table->rows[i];
        parser     p    = { .at = from->formula, .defs = defs, .ids = ids };

        whole(&p);
        if (p.why != NULL || p.is_missing) {
            free(p.out.data);
            continue;
        }
        metrics[n++] = (hd_cube_metric){ .id = from->id, .name = from->name, .unit = from->unit, .url = "",
                                         .what = from->formula + strspn(from->formula, " \t"), .parent = parent,
                                         .kind = HD_CUBE_POSTDERIVED, .expression = (char *)p.out.data,
                                         .preparation = "", .plus = "", .minus = "", .together = "" };
    }
    return n;
}

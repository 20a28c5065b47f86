#include "fail_rule.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "completeness.h"
#include "efficiency_rule.h"
#include "escape.h"
#include "markdown.h"
#include "memory.h"
#include "metric.h"
#include "message.h"
#include "metric_select.h"
#include "path_select.h"
#include "time_text.h"
#include "welch.h"

typedef struct rule_unit {
    const char *word, *of; /* as it is written; the unit of the metric */
    double      factor;
} rule_unit;

static const rule_unit units[] = {
    { "s", "sec", 1 },         { "ms", "sec", 1e-3 },        { "us", "sec", 1e-6 },          { "ns", "sec", 1e-9 },
    { "B", "bytes", 1 },       { "KiB", "bytes", 1024 },     { "MiB", "bytes", 1048576 },
    { "GiB", "bytes", 1073741824 }, { "TiB", "bytes", 1099511627776 },
};
#define N_UNITS (sizeof units / sizeof *units)

/* ---- what is written --------------------------------------------------------------------------------------------- */

static hd_status
bad_rule(const char *text, const char *what)
{
    hd_fail(HD_EUSAGE, "rule \"%.300s\" %s", text, what);
    hd_fail_detail("rules are", "METRIC [at CALLPATH] > LIMIT, or < LIMIT");
    hd_fail_detail("limits are", "+5%% of what A has, +0.1s more than it, 0.5s, 12%%time, +2%%time");
    hd_fail_detail("or", "FACTOR < 0.8, or < -5%%, of efficiencies");
    return HD_EUSAGE;
}

static const char *
skip_blanks(const char *text)
{
    while (*text != '\0' && isspace((unsigned char)*text))
        text++;
    return text;
}

/* A copy of text[0 .. n-1] without blanks at its ends. */
static char *
copy_trimmed(const char *text, size_t n)
{
    while (n > 0 && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    return hd_format("%.*s", (int)n, text);
}

static hd_status
parse_limit(hd_fail_rule *rule, const char *text)
{
    bool  has_sign = *text == '+' || *text == '-', is_percent;
    char *end;

    if (!isdigit((unsigned char)text[has_sign]) || tolower((unsigned char)text[has_sign + 1]) == 'x')
        return bad_rule(rule->text, "has no number as its limit");
    rule->limit = strtod(text, &end);
    if (!isfinite(rule->limit))
        return bad_rule(rule->text, "has a limit that is too large");
    text       = skip_blanks(end);
    is_percent = *text == '%';
    rule->unit = copy_trimmed(text + is_percent, strlen(text + is_percent));
    if (is_percent && strcmp(rule->unit, "time") == 0)
        rule->kind = has_sign ? HD_RULE_SHARE_CHANGE : HD_RULE_SHARE;
    else if (is_percent && *rule->unit != '\0')
        return bad_rule(rule->text, "has a limit in percent of something else than \"time\"");
    else if (is_percent && !has_sign)
        return bad_rule(rule->text, "does not say of what its percent are: +5% or -5% of what A has, or 5%time");
    else if (is_percent)
        rule->kind = HD_RULE_PERCENT;
    else
        rule->kind = has_sign ? HD_RULE_CHANGE : HD_RULE_VALUE;
    return HD_OK;
}

/* Names may have ">" and "<" in them, the limit has none: it is behind the last one. */
static hd_status
parse_rule(hd_fail_rule *rule)
{
    size_t op = strlen(rule->text), name;

    while (op > 0 && rule->text[op - 1] != '>' && rule->text[op - 1] != '<')
        op--;
    if (op == 0)
        return bad_rule(rule->text, "has neither \">\" nor \"<\"");
    op--;
    rule->is_below = rule->text[op] == '<';
    name           = strcspn(rule->text, " \t<>");
    name           = name < op ? name : op;
    rule->metric   = hd_format("%.*s", (int)name, rule->text);
    rule->path     = copy_trimmed(rule->text + name, op - name);
    if (*rule->metric == '\0')
        return bad_rule(rule->text, "has no metric");
    if (*rule->path == '\0') {
        free(rule->path);
        rule->path = NULL;
    } else if (strncmp(rule->path, "at", 2) != 0 || !isspace((unsigned char)rule->path[2]))
        return bad_rule(rule->text, "has something else than \"at CALLPATH\" after its metric");
    else {
        char *path = copy_trimmed(rule->path + 2, strlen(rule->path + 2));

        free(rule->path);
        rule->path = path;
    }
    return parse_limit(rule, skip_blanks(rule->text + op + 1));
}

static bool
is_of_efficiency(const hd_fail_rule *rule)
{
    return rule->kind == HD_RULE_EFFICIENCY || rule->kind == HD_RULE_EFFICIENCY_CHANGE;
}

static bool
is_about_efficiency(const char *text)
{
    size_t n    = strcspn(text, " \t<>");
    char  *name = hd_format("%.*s", (int)n, text);
    bool   is   = hd_efficiency_rule_is(text) && hd_metric_by_id(name) == HD_NONE;

    free(name);
    return is;
}

static hd_status
parse_efficiency(hd_fail_rule *rule)
{
    hd_efficiency_rule one;
    hd_status          status = hd_efficiency_rule_parse(rule->text, &one);

    if (status != HD_OK)
        return status;
    rule->factor   = one.factor;
    rule->is_whole = one.is_whole;
    rule->is_below = one.is_below;
    rule->limit    = one.limit;
    rule->kind     = one.is_change ? HD_RULE_EFFICIENCY_CHANGE : HD_RULE_EFFICIENCY;
    rule->metric   = hd_format("%s%s", rule->is_whole ? "whole:" : "", hd_factor_infos[rule->factor].id);
    rule->unit     = hd_strdup("");
    return HD_OK;
}

hd_status
hd_fail_rules_add(hd_fail_rules *rules, const char *text)
{
    hd_fail_rule rule = { .text = copy_trimmed(text, strlen(text)), .number = HD_NONE };

    HD_PUSH(rules->rules, rules->n, rules->capacity, rule);
    if (is_about_efficiency(rule.text))
        return parse_efficiency(&rules->rules[rules->n - 1]);
    return parse_rule(&rules->rules[rules->n - 1]);
}

static void
cut_comment(char *line)
{
    for (char *p = line; *p != '\0'; p++)
        if (*p == '#' && (p == line || isspace((unsigned char)p[-1]))) {
            *p = '\0';
            return;
        }
}

hd_status
hd_fail_rules_read(hd_fail_rules *rules, const char *path)
{
    FILE     *file   = fopen(path, "re");
    char     *line   = NULL;
    size_t    bytes  = 0;
    unsigned  number = 0;
    hd_status status = HD_OK;

    if (file == NULL)
        return hd_fail(HD_EOPEN, "cannot open file of rules \"%s\": %s", path, strerror(errno));
    while (status == HD_OK && getline(&line, &bytes, file) >= 0) {
        number++;
        cut_comment(line);
        if (*skip_blanks(line) == '\0')
            continue;
        status = hd_fail_rules_add(rules, line);
        if (status != HD_OK)
            hd_fail_detail("line", "%u of \"%s\"", number, path);
    }
    if (status == HD_OK && ferror(file))
        status = hd_fail(HD_EREAD, "cannot read file of rules \"%s\": %s", path, strerror(errno));
    fclose(file);
    free(line);
    return status;
}

void
hd_fail_rules_fini(hd_fail_rules *rules)
{
    for (size_t i = 0; i < rules->n; i++) {
        free(rules->rules[i].text);
        free(rules->rules[i].metric);
        free(rules->rules[i].path);
        free(rules->rules[i].unit);
    }
    free(rules->rules);
    free(rules->time_of_run);
    *rules = (hd_fail_rules){ 0 };
}

/* ---- what it means for these reports ----------------------------------------------------------------------------- */

static hd_status
unknown_metric(const hd_fail_rule *rule, const hd_cube *model)
{
    const char *closest    = hd_metric_closest(model, rule->metric);
    const char *efficiency = hd_efficiency_closest(rule->metric);

    for (uint32_t i = 0; i < model->n_left_out; i++)
        if (strcmp(model->left_out[i].id, rule->metric) == 0)
            return hd_fail(HD_EUSAGE, "rule \"%.300s\": metric \"%s\" cannot be compared: %s", rule->text, rule->metric,
                           model->left_out[i].why);
    hd_fail(HD_EUSAGE, "rule \"%.300s\": neither report has a metric \"%s\"", rule->text, rule->metric);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    if (efficiency != NULL)
        hd_fail_detail("closest efficiency", "%s", efficiency);
    hd_fail_detail("metrics", "by their names in heddle dump");
    return HD_EUSAGE;
}

/* The limit in the unit of the metric. */
static hd_status
convert_limit(hd_fail_rule *rule, const hd_cube_metric *metric)
{
    if (*rule->unit == '\0' || strcmp(rule->unit, metric->unit) == 0)
        return HD_OK;
    for (size_t i = 0; i < N_UNITS; i++)
        if (strcmp(rule->unit, units[i].word) == 0 && strcmp(metric->unit, units[i].of) == 0) {
            rule->limit *= units[i].factor;
            return HD_OK;
        }
    hd_fail(HD_EUSAGE, "rule \"%.300s\": the unit of metric \"%s\" is \"%s\", not \"%s\"", rule->text, metric->id,
            metric->unit, rule->unit);
    hd_fail_detail("units are", "s, ms, us, ns of times, B, KiB, MiB, GiB, TiB of bytes, none of counts");
    return HD_EUSAGE;
}

static hd_status
select_paths(const hd_fail_rule *rule, const hd_cube *model, bool **selected)
{
    char *closest;

    if (hd_paths_select(model, rule->path, selected) == HD_OK)
        return HD_OK;
    closest = hd_path_closest(model, rule->path);
    hd_fail(HD_EUSAGE, "rule \"%.300s\": no call path of the reports ends with \"%.200s\"", rule->text, rule->path);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    free(closest);
    hd_fail_detail("call path", "its last regions, outer ones first, without gaps, joined by \" > \", \";\" or \"/\"");
    return HD_EUSAGE;
}

/* Means of the runs of A and B, and each run. of_run: [n_cubes] out */
static hd_status
totals_of(hd_alignment *alignment, uint32_t number, const bool *selected, double *totals, double *of_run)
{
    hd_status status = HD_OK;

    for (uint32_t side = 0; side < 2 && status == HD_OK; side++) {
        hd_runs runs = hd_alignment_runs(alignment, side);
        double  sum  = 0;

        for (uint32_t c = runs.first; c < runs.first + runs.n && status == HD_OK; c++) {
            status = hd_alignment_total(alignment, c, number, selected, NULL, &of_run[c]);
            sum += of_run[c];
        }
        totals[side] = sum / runs.n;
    }
    return status;
}

static hd_status
find_time(hd_fail_rules *rules, const hd_fail_rule *rule, hd_alignment *alignment)
{
    uint32_t  time = hd_cube_metric_by_id(&alignment->model, "time");
    hd_status status;

    if (strcmp(alignment->model.metrics[rule->number].unit, "sec") != 0)
        return bad_rule(rule->text, "is about the share of the time, but its metric is no time");
    if (rules->time[0] > 0)
        return HD_OK;
    if (time == HD_NONE)
        return hd_fail(HD_EUSAGE, "rule \"%.300s\": the reports have no metric \"time\"", rule->text);
    if (rules->time_of_run == NULL)
        rules->time_of_run = HD_NEW_ARRAY(double, alignment->n_cubes);
    status = totals_of(alignment, time, NULL, rules->time, rules->time_of_run);
    for (uint32_t c = 0; c < alignment->n_cubes && status == HD_OK; c++)
        if (!(rules->time_of_run[c] > 0))
            status = hd_fail(HD_EUSAGE, "rule \"%.300s\": there is no time in one of the reports", rule->text);
    return status;
}

static double
percent_of(double change, double of)
{
    if (change == 0)
        return 0;
    return of == 0 ? copysign(INFINITY, change) : 100 * change / fabs(of);
}

static void
judge(hd_fail_rule *rule, const double *time)
{
    switch (rule->kind) {
    case HD_RULE_PERCENT: rule->found = percent_of(rule->b - rule->a, rule->a); break;
    case HD_RULE_CHANGE:
    case HD_RULE_EFFICIENCY_CHANGE: rule->found = rule->b - rule->a; break;
    case HD_RULE_VALUE:
    case HD_RULE_EFFICIENCY: rule->found = rule->b; break;
    case HD_RULE_SHARE: rule->found = 100 * rule->b / time[1]; break;
    case HD_RULE_SHARE_CHANGE: rule->found = 100 * rule->b / time[1] - 100 * rule->a / time[0]; break;
    }
    rule->is_met = rule->is_below ? rule->found < rule->limit : rule->found > rule->limit;
}

/* Whether a change is more than the noise between runs. of_run: [n_cubes] of the metric; those of shares become
 * shares */
static void
judge_noise(const hd_fail_rules *rules, hd_fail_rule *rule, const hd_alignment *alignment, double *of_run)
{
    hd_runs a = hd_alignment_runs(alignment, 0), b = hd_alignment_runs(alignment, 1);

    rule->p        = NAN;
    rule->is_noise = false;
    if (rule->kind == HD_RULE_VALUE || rule->kind == HD_RULE_SHARE || rule->kind == HD_RULE_EFFICIENCY)
        return;
    for (uint32_t c = 0; c < alignment->n_cubes && rule->kind == HD_RULE_SHARE_CHANGE; c++)
        of_run[c] /= rules->time_of_run[c];
    rule->p        = hd_welch_test(of_run + a.first, a.n, of_run + b.first, b.n).p;
    rule->is_noise = rule->is_met && rules->needs_significance && !hd_is_significant(rule->p);
    rule->is_met &= !rule->is_noise;
}

/* Means of the runs of A and B; NaN: one of them does not know it. */
static hd_status
check_efficiency(const hd_fail_rules *rules, hd_fail_rule *rule, const hd_alignment *alignment)
{
    double   *of_run = HD_NEW_ARRAY(double, alignment->n_cubes), factors[HD_N_FACTORS], *values[] = { &rule->a, &rule->b };
    hd_status status = HD_OK;

    for (uint32_t c = 0; c < alignment->n_cubes && status == HD_OK; c++) {
        hd_efficiency_list list;

        status    = hd_efficiency_list_read(alignment->cubes[c], &list);
        of_run[c] = NAN;
        if (status == HD_OK && list.n > 0) {
            hd_factors_of(rule->is_whole ? &list.entries[0] : hd_efficiency_main(&list), factors);
            of_run[c] = factors[rule->factor];
        }
        hd_efficiency_list_fini(&list);
    }
    for (uint32_t side = 0; side < 2; side++) {
        hd_runs runs = hd_alignment_runs(alignment, side);

        *values[side] = 0;
        for (uint32_t c = runs.first; c < runs.first + runs.n; c++)
            *values[side] += of_run[c] / runs.n;
    }
    judge(rule, (double[2]){ NAN, NAN }); /* a comparison with NaN does not hold */
    rule->p = NAN;
    if (!isnan(rule->found))
        judge_noise(rules, rule, alignment, of_run);
    free(of_run);
    return status;
}

static hd_status
check_rule(hd_fail_rules *rules, hd_fail_rule *rule, hd_alignment *alignment)
{
    const hd_cube *model    = &alignment->model;
    bool          *selected = NULL;
    double        *of_run   = HD_NEW_ARRAY(double, alignment->n_cubes);
    double         totals[2] = { 0 };
    hd_status      status = HD_OK;

    rule->number = hd_cube_metric_by_id(model, rule->metric);
    if (rule->number == HD_NONE)
        status = unknown_metric(rule, model);
    if (status == HD_OK && (rule->kind == HD_RULE_CHANGE || rule->kind == HD_RULE_VALUE))
        status = convert_limit(rule, &model->metrics[rule->number]);
    if (status == HD_OK && (rule->kind == HD_RULE_SHARE || rule->kind == HD_RULE_SHARE_CHANGE))
        status = find_time(rules, rule, alignment);
    if (status == HD_OK && rule->path != NULL)
        status = select_paths(rule, model, &selected);
    if (status == HD_OK)
        status = totals_of(alignment, rule->number, selected, totals, of_run);
    if (status == HD_OK) {
        rule->a = totals[0];
        rule->b = totals[1];
        judge(rule, rules->time);
        judge_noise(rules, rule, alignment, of_run);
    }
    free(selected);
    free(of_run);
    if (status == HD_OK && isnan(rule->found))
        return hd_fail(HD_EFORMAT, "rule \"%.300s\": the values of metric \"%s\" are no numbers that can be compared",
                       rule->text, rule->metric);
    return status;
}

/* A report that was made without a part of the analysis has nothing of what the other one has. No part of the time is
 * ever left out. */
static bool
seems_left_out(const hd_fail_rule *rule, const hd_alignment *alignment, uint32_t cube)
{
    const hd_cube_metric *metrics = alignment->model.metrics;
    uint32_t              root    = rule->number;
    bool                  is_a    = cube < alignment->n_of_a;

    if (is_of_efficiency(rule))
        return isnan(rule->found);
    while (metrics[root].parent != HD_NONE)
        root = metrics[root].parent;
    return hd_cube_attribute_get(alignment->cubes[cube], HD_LEFT_OUT_ATTRIBUTE) != NULL &&
           (is_a ? rule->a : rule->b) == 0 && (is_a ? rule->b : rule->a) != 0 && strcmp(metrics[root].id, "time") != 0;
}

/* What is missing in a report could be what the rule looks for. */
static bool
is_unsure(const hd_fail_rule *rule, const hd_alignment *alignment)
{
    for (uint32_t c = 0; c < alignment->n_cubes && !rule->is_met; c++)
        if (hd_is_incomplete(alignment->cubes[c]) || seems_left_out(rule, alignment, c))
            return true;
    return false;
}

hd_status
hd_fail_rules_check(hd_fail_rules *rules, hd_alignment *alignment, size_t *n_met)
{
    size_t    n      = 0;
    hd_status status = HD_OK;

    HD_ASSERT(alignment->n_of_a < alignment->n_cubes);
    rules->n_unsure = 0;
    for (size_t i = 0; i < rules->n && status == HD_OK; i++) {
        hd_fail_rule *rule = &rules->rules[i];

        status = is_of_efficiency(rule) ? check_efficiency(rules, rule, alignment) : check_rule(rules, rule, alignment);
        if (status != HD_OK)
            break;
        rule->is_unsure = is_unsure(rule, alignment);
        n += rule->is_met;
        rules->n_unsure += rule->is_unsure;
    }
    if (status == HD_OK)
        *n_met = n;
    return status;
}

/* ---- what came out ----------------------------------------------------------------------------------------------- */

enum { FOUND_BYTES = 64, VALUE_BYTES = 48 };

/* text: [VALUE_BYTES] */
static const char *
value_text(char *text, double value, const char *unit)
{
    if (isnan(value))
        snprintf(text, VALUE_BYTES, "not known");
    else if (strcmp(unit, "sec") == 0)
        snprintf(text, VALUE_BYTES, "%s", hd_time_text_of(value).text);
    else if (strcmp(unit, "%") == 0)
        snprintf(text, VALUE_BYTES, "%.1f %%", 100 * value);
    else
        snprintf(text, VALUE_BYTES, "%.5g %.20s", value, unit);
    return text;
}

static const char *
found_text(char *text, const hd_fail_rule *rule, const char *unit)
{
    char value[VALUE_BYTES];

    if (isnan(rule->found))
        return "not known";
    switch (rule->kind) {
    case HD_RULE_PERCENT:
        if (isinf(rule->found))
            return rule->found > 0 ? "A has none" : "A has none, B less";
        snprintf(text, FOUND_BYTES, "%+.4g %%", rule->found);
        break;
    case HD_RULE_CHANGE: snprintf(text, FOUND_BYTES, "%s%s", rule->found > 0 ? "+" : "",
                                  value_text(value, rule->found, unit)); break;
    case HD_RULE_VALUE:
    case HD_RULE_EFFICIENCY: value_text(text, rule->found, unit); break;
    case HD_RULE_EFFICIENCY_CHANGE: snprintf(text, FOUND_BYTES, "%+.1f pp", 100 * rule->found); break;
    case HD_RULE_SHARE: snprintf(text, FOUND_BYTES, "%.3g %% of the time", rule->found); break;
    case HD_RULE_SHARE_CHANGE: snprintf(text, FOUND_BYTES, "%+.3g pp of the time", rule->found); break;
    }
    return text;
}

static const char *
result_of(const hd_fail_rule *rule)
{
    return rule->is_met ? "violated" : rule->is_unsure ? "inconclusive" : "passed";
}

/* Behind the rule, so that both are a sentence. */
static const char *
verdict_of(const hd_fail_rule *rule)
{
    return rule->is_met ? "holds" : rule->is_noise ? "holds, but the difference is not more than noise" :
           "does not hold";
}

/* ", p = 0.012", or nothing */
static const char *
p_text(char *text, const hd_fail_rule *rule)
{
    if (isnan(rule->p))
        return "";
    snprintf(text, FOUND_BYTES, rule->p < 0.001 ? ", p < 0.001" : ", p = %.2g", rule->p);
    return text;
}

static void
print_line(const hd_fail_rule *rule, const char *unit, FILE *file)
{
    char found[FOUND_BYTES], a[VALUE_BYTES], b[VALUE_BYTES], p[FOUND_BYTES];

    fprintf(file, "  %-12s  ", result_of(rule)); /* inconclusive */
    hd_message_escaped(file, rule->text, false);
    fprintf(file, " %s: %s (A: %s, B: %s%s)\n", verdict_of(rule), found_text(found, rule, unit),
            value_text(a, rule->a, unit), value_text(b, rule->b, unit),
            p_text(p, rule));
}

static void
print_row(const hd_fail_rule *rule, const char *unit, FILE *file)
{
    char found[FOUND_BYTES], a[VALUE_BYTES], b[VALUE_BYTES], p[FOUND_BYTES];

    fprintf(file, rule->is_met || rule->is_unsure ? "| **%s** | " : "| %s | ", result_of(rule));
    hd_markdown_code(file, rule->text);
    fprintf(file, " %s | ", verdict_of(rule));
    hd_markdown_text(file, value_text(a, rule->a, unit));
    fputs(" | ", file);
    hd_markdown_text(file, value_text(b, rule->b, unit));
    fputs(" | ", file);
    hd_markdown_text(file, found_text(found, rule, unit));
    hd_markdown_text(file, p_text(p, rule));
    fputs(" |\n", file);
}

/* Which report lacks what. */
static void
print_why_unsure(const hd_alignment *alignment, FILE *file, bool is_markdown)
{
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        char *text = hd_completeness_text(alignment->cubes[c]);

        if (text == NULL)
            continue;
        fprintf(file, is_markdown ? "\nReport %c: " : "  report %c: ", c < alignment->n_of_a ? 'A' : 'B');
        if (is_markdown)
            hd_markdown_text(file, text);
        else
            hd_message_escaped(file, text, false);
        fputs(is_markdown ? ".\n" : "\n", file);
        free(text);
    }
}

void
hd_fail_rules_print(const hd_fail_rules *rules, const hd_alignment *alignment, size_t n_met, FILE *file,
                    bool is_markdown)
{
    char unsure[FOUND_BYTES] = "";

    if (rules->n_unsure > 0)
        snprintf(unsure, sizeof unsure, ", %zu inconclusive", rules->n_unsure);

    if (is_markdown)
        fprintf(file, "### Heddle: %zu of %zu rule%s violated%s\n\n| | rule | A | B | found |\n| :-- | :-- | --: | --: "
                "| :-- |\n", n_met, rules->n, rules->n == 1 ? "" : "s", unsure);
    else
        fprintf(file, "\nRules: %zu of %zu violated%s\n", n_met, rules->n, unsure);
    for (size_t i = 0; i < rules->n; i++) {
        const char *unit    = is_of_efficiency(&rules->rules[i]) ? "%" :
                              alignment->model.metrics[rules->rules[i].number].unit;
        char       *escaped = hd_escaped(unit);

        if (is_markdown)
            print_row(&rules->rules[i], unit, file);
        else
            print_line(&rules->rules[i], escaped, file);
        free(escaped);
    }
    if (rules->n_unsure > 0)
        print_why_unsure(alignment, file, is_markdown);
    if (is_markdown)
        fputc('\n', file);
}

void
hd_fail_rules_put(const hd_fail_rules *rules, const hd_alignment *alignment, hd_json *json, const char *key)
{
    static const char *const kinds[] =
        { [HD_RULE_PERCENT] = "percent", [HD_RULE_CHANGE] = "difference", [HD_RULE_VALUE] = "value",
          [HD_RULE_SHARE] = "percent_of_time", [HD_RULE_SHARE_CHANGE] = "percentage_points_of_time",
          [HD_RULE_EFFICIENCY] = "efficiency", [HD_RULE_EFFICIENCY_CHANGE] = "difference_of_efficiencies" };

    hd_json_array(json, key);
    for (size_t i = 0; i < rules->n; i++) {
        const hd_fail_rule *rule = &rules->rules[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "rule", rule->text);
        hd_json_text(json, "result", result_of(rule));
        hd_json_text(json, "metric", rule->metric);
        hd_json_text(json, "call_path", rule->path);
        hd_json_text(json, "unit", is_of_efficiency(rule) ? "" : alignment->model.metrics[rule->number].unit);
        hd_json_text(json, "compares", kinds[rule->kind]);
        hd_json_number(json, "a", rule->a);
        hd_json_number(json, "b", rule->b);
        hd_json_number(json, "found", rule->found);
        hd_json_number(json, "limit", rule->limit);
        hd_json_number(json, "p", rule->p);
        hd_json_end(json);
    }
    hd_json_end(json);
}

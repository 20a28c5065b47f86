/* src/report/efficiency/efficiency_rule.c: reads rules, and compares. */
#include "efficiency_rule.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "escape.h"
#include "memory.h"

enum { HIGH = 2 }; /* a limit above it lacks "%": even efficiencies that may exceed 1 are hardly that high */

static const char whole[] = "whole:";

static const char *
skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* The factor's name, without what is before and behind it. */
static char *
name_of(const char *text, bool *is_whole, const char **behind)
{
    size_t n;

    text      = skip_blanks(text);
    *is_whole = strncmp(text, whole, sizeof whole - 1) == 0;
    if (*is_whole)
        text += sizeof whole - 1;
    n = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    *behind = skip_blanks(text + n);
    return hd_format("%.*s", (int)n, text);
}

bool
hd_efficiency_rule_is(const char *text)
{
    bool        is_whole;
    const char *behind;
    char       *name = name_of(text, &is_whole, &behind);
    bool        is   = hd_factor_by_id(name) != HD_N_FACTORS;

    free(name);
    return is || is_whole;
}

const char *
hd_efficiency_closest(const char *word)
{
    static const char ending[] = "_efficiency";
    const char *ids[HD_N_FACTORS], *closest;
    size_t      n     = strlen(word);
    bool        ends  = n > strlen(ending) && strcmp(word + n - strlen(ending), ending) == 0;
    char       *plain = hd_format("%.*s", (int)(ends ? n - strlen(ending) : n), word);

    for (int f = 0; f < HD_N_FACTORS; f++)
        ids[f] = hd_factor_infos[f].id;
    closest = *plain != '\0' ? hd_closest(plain, ids, HD_N_FACTORS) : NULL;
    free(plain);
    return closest;
}

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

static hd_status
bad_rule(const char *text, const char *what)
{
    hd_fail(HD_EUSAGE, "rule \"%.300s\" %s", text, what);
    hd_fail_detail("rules are", "FACTOR < LIMIT, or >, like load_balance < 0.8 or load_balance < 80%%");
    hd_fail_detail("in diff", "also FACTOR < -LIMIT, of the change, like load_balance < -0.05 or < -5%%");
    return HD_EUSAGE;
}

static hd_status
unknown_factor(const char *text, const char *name)
{
    const char *closest = hd_efficiency_closest(name);

    if (*name == '\0')
        return bad_rule(text, "does not begin with the id of an efficiency");
    hd_fail(HD_EUSAGE, "rule \"%.300s\": there is no efficiency \"%.300s\"", text, name);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "parallel, load_balance, communication, serialisation, transfer; heddle help efficiency");
    return HD_EUSAGE;
}

/* behind: the factor there is neither "<" nor ">". */
static hd_status
no_operator(const char *text, const char *name, const char *behind)
{
    if (strncmp(behind, "at", 2) != 0 || !isspace((unsigned char)behind[2]))
        return bad_rule(text, "has neither \"<\" nor \">\" behind the efficiency");
    hd_fail(HD_EUSAGE, "rule \"%.300s\" has a call path, but efficiencies are those of the whole program", text);
    hd_fail_detail("write", "%s %.100s", name, behind + strcspn(behind, "<>"));
    hd_fail_detail("regions", "heddle efficiency REPORT --focus REGION prints theirs");
    return HD_EUSAGE;
}

static hd_status
too_high(const hd_efficiency_rule *rule, const char *text)
{
    hd_fail(HD_EUSAGE, "rule \"%.300s\" has a limit far above 1: efficiencies are parts of 1", text);
    if (fabs(rule->limit) <= 100)
        hd_fail_detail("write", "%s%s %c %s%g, or %s%g%%", rule->is_whole ? whole : "", hd_factor_infos[rule->factor].id,
                       rule->is_below ? '<' : '>', rule->is_change && rule->limit > 0 ? "+" : "", rule->limit / 100,
                       rule->is_change && rule->limit > 0 ? "+" : "", rule->limit);
    return HD_EUSAGE;
}

/* Of what is behind the number. */
static hd_status
bad_ending(const char *text, const char *ending)
{
    char     *what;
    hd_status status;

    if (strncmp(ending, "time", 4) == 0)
        return bad_rule(text, "has a share of the time as its limit, but efficiencies are no times");
    what   = hd_format("has \"%.100s\" behind its limit%s", ending,
                       *ending == ',' ? "; decimals are behind a point, as in 0.8" : "");
    status = bad_rule(text, what);
    free(what);
    return status;
}

/* ---- reads ------------------------------------------------------------------------------------------------------- */

static hd_status
parse_limit(const char *text, const char *at, hd_efficiency_rule *rule)
{
    bool  has_sign = *at == '+' || *at == '-', is_percent;
    char *end;

    if (*at == '=')
        return bad_rule(text, "has \"=\": only \"<\" and \">\" compare");
    if (!isdigit((unsigned char)at[has_sign + (at[has_sign] == '.')]))
        return bad_rule(text, "has no number as its limit");
    rule->is_change = has_sign;
    rule->limit     = strtod(at, &end);
    if (!isfinite(rule->limit))
        return bad_rule(text, "has no number as its limit");
    at         = skip_blanks(end);
    is_percent = *at == '%';
    if (is_percent)
        rule->limit /= 100;
    at = skip_blanks(at + is_percent);
    if (*at != '\0')
        return bad_ending(text, at);
    return !is_percent && fabs(rule->limit) > HIGH ? too_high(rule, text) : HD_OK;
}

hd_status
hd_efficiency_rule_parse(const char *text, hd_efficiency_rule *rule)
{
    const char *at;
    char       *name;
    hd_status   status;

    *rule          = (hd_efficiency_rule){ .value = NAN };
    name           = name_of(text, &rule->is_whole, &at);
    rule->factor   = hd_factor_by_id(name);
    rule->is_below = *at == '<';
    if (rule->factor == HD_N_FACTORS)
        status = unknown_factor(text, name);
    else if (*at != '<' && *at != '>')
        status = no_operator(text, name, at);
    else
        status = parse_limit(text, skip_blanks(at + 1), rule);
    free(name);
    return status;
}

hd_status
hd_efficiency_rules_add(hd_efficiency_rules *rules, const char *text)
{
    hd_efficiency_rule rule;
    hd_status          status = hd_efficiency_rule_parse(text, &rule);

    if (status == HD_OK && rule.is_change) {
        status = hd_fail(HD_EUSAGE, "rule \"%.300s\" is about a change, since its limit has a sign, but there is one run",
                         text);
        hd_fail_detail("write", "%s%s < 0.8, of the value itself", rule.is_whole ? whole : "",
                       hd_factor_infos[rule.factor].id);
        hd_fail_detail("or", "heddle diff A B --fail-if '%.100s'", text);
    }
    if (status == HD_OK) {
        rule.text = hd_strdup(text);
        HD_PUSH(rules->rules, rules->n, rules->capacity, rule);
    }
    return status;
}

void
hd_efficiency_rules_check(hd_efficiency_rules *rules, const hd_efficiency_list *list)
{
    rules->n_met = rules->n_unsure = 0;
    for (size_t i = 0; i < rules->n; i++) {
        hd_efficiency_rule        *rule  = &rules->rules[i];
        const hd_efficiency_entry *entry = hd_efficiency_main(list);
        double                     factors[HD_N_FACTORS];

        if (entry != NULL) {
            hd_factors_of(rule->is_whole ? &list->entries[0] : entry, factors);
            rule->value = factors[rule->factor];
        }
        rule->is_met = !isnan(rule->value) && (rule->is_below ? rule->value < rule->limit : rule->value > rule->limit);
        rules->n_met += rule->is_met;
        rules->n_unsure += isnan(rule->value) ? 1 : 0;
    }
}

void
hd_efficiency_rules_print(const hd_efficiency_rules *rules, FILE *file)
{
    for (size_t i = 0; i < rules->n; i++) {
        const hd_efficiency_rule *rule = &rules->rules[i];

        hd_write_escaped(file, rule->text);
        if (isnan(rule->value))
            fputs(" is inconclusive: the report does not know this efficiency\n", file);
        else
            fprintf(file, " %s: %.4f\n", rule->is_met ? "holds" : "does not hold", rule->value);
    }
    if (rules->n > 0)
        fprintf(file, "%zu of %zu rule%s hold%s\n", rules->n_met, rules->n, rules->n == 1 ? "" : "s",
                rules->n_met == 1 ? "s" : "");
}

void
hd_efficiency_rules_put(const hd_efficiency_rules *rules, hd_json *json, const char *key)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < rules->n; i++) {
        const hd_efficiency_rule *rule = &rules->rules[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "rule", rule->text);
        hd_json_text(json, "efficiency", hd_factor_infos[rule->factor].id);
        hd_json_bool(json, "whole", rule->is_whole);
        hd_json_number(json, "limit", rule->limit);
        hd_json_number(json, "value", rule->value);
        hd_json_bool(json, "holds", rule->is_met);
        hd_json_bool(json, "inconclusive", isnan(rule->value));
        hd_json_end(json);
    }
    hd_json_end(json);
}

void
hd_efficiency_rules_fini(hd_efficiency_rules *rules)
{
    for (size_t i = 0; i < rules->n; i++)
        free(rules->rules[i].text);
    free(rules->rules);
    *rules = (hd_efficiency_rules){ .n = 0 };
}

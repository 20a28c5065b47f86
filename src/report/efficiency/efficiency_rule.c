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
    bool        is   = hd_factor_by_id(name) != HD_N_FACTORS && (*behind == '<' || *behind == '>');

    free(name);
    return is || is_whole;
}

static hd_status
bad_rule(const char *text, const char *what)
{
    hd_fail(HD_EUSAGE, "rule \"%.300s\" %s", text, what);
    hd_fail_detail("rules are", "FACTOR < LIMIT, or >, like load_balance < 0.8");
    return HD_EUSAGE;
}

static hd_status
unknown_factor(const char *text, const char *name)
{
    const char *ids[HD_N_FACTORS], *closest;

    for (int f = 0; f < HD_N_FACTORS; f++)
        ids[f] = hd_factor_infos[f].id;
    closest = hd_closest(name, ids, HD_N_FACTORS);
    hd_fail(HD_EUSAGE, "rule \"%.300s\": there is no efficiency \"%.300s\"", text, name);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "parallel, load_balance, communication, serialisation, transfer; heddle help efficiency");
    return HD_EUSAGE;
}

hd_status
hd_efficiency_rules_add(hd_efficiency_rules *rules, const char *text)
{
    hd_efficiency_rule rule = { .value = NAN };
    const char        *at;
    char              *name = name_of(text, &rule.is_whole, &at), *end;
    hd_status          status = HD_OK;

    rule.factor   = hd_factor_by_id(name);
    rule.is_below = *at == '<';
    if (rule.factor == HD_N_FACTORS)
        status = unknown_factor(text, name);
    else if (*at != '<' && *at != '>')
        status = bad_rule(text, "has neither \"<\" nor \">\" behind the efficiency");
    if (status == HD_OK) {
        at         = skip_blanks(at + 1);
        rule.limit = isdigit((unsigned char)at[*at == '.']) ? strtod(at, &end) : NAN;
        if (isnan(rule.limit) || !isfinite(rule.limit))
            status = bad_rule(text, "has no number as its limit");
        else if (*(at = skip_blanks(end)) == '%') {
            rule.limit /= 100;
            at++;
        } else if (rule.limit > HIGH)
            status = bad_rule(text, "has a limit far above 1: efficiencies are parts of 1, as in 0.8 or 80%");
        if (status == HD_OK && *skip_blanks(at) != '\0')
            status = bad_rule(text, "has something behind its limit");
    }
    if (status == HD_OK) {
        rule.text = hd_strdup(text);
        HD_PUSH(rules->rules, rules->n, rules->capacity, rule);
    }
    free(name);
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

/* src/report/efficiency/efficiency_rule.h: rules that say when efficiencies are too low, or have become lower.
 *
 *     [whole:]FACTOR < LIMIT       or >; FACTOR: an id of HD_FACTORS; LIMIT: 0.8 or 80%
 *     [whole:]FACTOR < +LIMIT      or -LIMIT: of two runs, by how much the factor changes
 *
 * Of the main window, or with "whole:" of the whole run. A factor that is not known is unsure. Uses: efficiency_list,
 * json. MT: one thread. Ranks: local. Owner: the caller's; hd_efficiency_rules_fini(). */
#ifndef HD_EFFICIENCY_RULE_H
#define HD_EFFICIENCY_RULE_H

#include <stdio.h>

#include "efficiency_list.h"
#include "json.h"

typedef struct hd_efficiency_rule {
    char     *text; /* as it was given */
    hd_factor factor;
    bool      is_whole, is_below; /* "<" */
    bool      is_change;          /* the limit has a sign */
    double    limit;

    /* once it was checked */
    double    value; /* NAN: not known */
    bool      is_met;
} hd_efficiency_rule;

typedef struct hd_efficiency_rules {
    hd_efficiency_rule *rules; /* [n] */
    size_t              n, capacity;
    size_t              n_met, n_unsure; /* once they were checked */
} hd_efficiency_rules;

/* Whether a rule's text begins with a factor, and so is one of these. */
bool hd_efficiency_rule_is(const char *text);

/* rule: out, all but its text. Errors: HD_EUSAGE, with what is wrong. */
hd_status hd_efficiency_rule_parse(const char *text, hd_efficiency_rule *rule);

/* The factor whose id is nearest to a word; NULL: none is near. */
const char *hd_efficiency_closest(const char *word);

/* A rule of one run. Errors: HD_EUSAGE, with what is wrong: also that the rule is of a change. */
hd_status hd_efficiency_rules_add(hd_efficiency_rules *rules, const char *text);
void      hd_efficiency_rules_check(hd_efficiency_rules *rules, const hd_efficiency_list *list);

/* What came out of each, a line each. */
void hd_efficiency_rules_print(const hd_efficiency_rules *rules, FILE *file);
/* An array of objects. */
void hd_efficiency_rules_put(const hd_efficiency_rules *rules, hd_json *json, const char *key);
void hd_efficiency_rules_fini(hd_efficiency_rules *rules);

#endif

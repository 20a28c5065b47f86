/* replay/simulate/hypothesis.c: reads the text of a hypothesis. */
#include "hypothesis.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { FRACTION_DIGITS = 9, FACTOR_DIGITS = 15 };

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* at: in hypothesis->words, which are cut at the ends of words: what the user wrote there is in the text. */
static hd_status
fail_at(const hd_hypothesis *hypothesis, const char *at, const char *what)
{
    size_t place = (size_t)(at - hypothesis->words);

    hd_fail(HD_EUSAGE, "%s", what);
    hd_fail_detail("hypothesis", "%s", hypothesis->text);
    hd_fail_detail("here", "character %zu: \"%s\"", place + 1, hypothesis->text + place);
    return HD_EUSAGE;
}

static char *
trim(char *text)
{
    size_t n;

    text += strspn(text, " \t");
    for (n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--)
        text[n - 1] = '\0';
    return text;
}

/* Cuts the last word off, NULL: the text is one word. */
static char *
cut_last_word(char *text)
{
    char *blank = strrchr(text, ' ');

    if (blank == NULL)
        return NULL;
    *blank = '\0';
    trim(text);
    return blank + 1;
}

/* Cuts the text at the last occurrence of a keyword between blanks. Returns what follows it, NULL: it is not there. */
static char *
cut_keyword(char *text, const char *keyword)
{
    char *found = NULL;

    for (char *at = strstr(text, keyword); at != NULL; at = strstr(at + 1, keyword))
        found = at;
    if (found == NULL)
        return NULL;
    *found = '\0';
    trim(text);
    return trim(found + strlen(keyword));
}

/* ---- one change -------------------------------------------------------------------------------------------------- */

/* Digits as a number; false: there are none, or too many. */
static bool
read_digits(const char **at, uint32_t most, uint64_t *number, uint32_t *n)
{
    uint32_t count = 0;

    for (; **at >= '0' && **at <= '9'; (*at)++, count++) {
        if (count == most)
            return false;
        *number = *number * 10 + (uint64_t)(**at - '0');
    }
    *n = count;
    return true;
}

static bool
read_factor(const char *at, uint64_t *numerator, uint64_t *denominator)
{
    uint32_t n_whole = 0, n_fraction = 0;

    *numerator   = 0;
    *denominator = 1;
    if (!read_digits(&at, FACTOR_DIGITS - FRACTION_DIGITS, numerator, &n_whole))
        return false;
    if (*at == '/') {
        uint64_t below = 0;

        at++;
        if (n_whole == 0 || !read_digits(&at, FACTOR_DIGITS - FRACTION_DIGITS, &below, &n_fraction) || below == 0)
            return false;
        *denominator = below;
        return *at == '\0';
    }
    if (*at == '.') {
        at++;
        if (!read_digits(&at, FRACTION_DIGITS, numerator, &n_fraction))
            return false;
        for (uint32_t i = 0; i < n_fraction; i++)
            *denominator *= 10;
    }
    return n_whole + n_fraction > 0 && *at == '\0';
}

static hd_status
read_selection(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    bool found;

    do {
        const char **parts[]    = { &change->processes, &change->node, &change->threads };
        const char  *keywords[] = { " on process ", " on node ", " on thread " };
        size_t       last       = 3;
        const char  *latest     = NULL;

        for (size_t i = 0; i < 3; i++)
            for (const char *at = strstr(text, keywords[i]); at != NULL; at = strstr(at + 1, keywords[i]))
                if (latest == NULL || at > latest) {
                    latest = at;
                    last   = i;
                }
        found = last < 3;
        if (found && *parts[last] != NULL)
            return fail_at(hypothesis, latest + 1, "a selection has processes, node and threads once each");
        if (found)
            *parts[last] = cut_keyword(text, keywords[last]);
        if (found && **parts[last] == '\0')
            return fail_at(hypothesis, *parts[last], "something is missing after \"on\"");
    } while (found);
    change->pattern = trim(text);
    if (*change->pattern == '\0')
        return fail_at(hypothesis, change->pattern, "a selection is missing: a region, or a call path (main > solve)");
    return HD_OK;
}

/* "to", "over" and "per" at the end of a balance. */
static hd_status
read_balance(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    static const char *const goals[] = { "mean", "least", "median" };
    const char *per = cut_keyword(text, " per "), *over = cut_keyword(text, " over "), *to = cut_keyword(text, " to ");

    if (per != NULL)
        return fail_at(hypothesis, per, "not simulated yet: balance of each instance of a region");
    if (over != NULL && strcmp(over, "row") == 0)
        return fail_at(hypothesis, over, "not simulated yet: balance over rows");
    if (over != NULL && strcmp(over, "program") != 0 && strcmp(over, "node") != 0 && strcmp(over, "team") != 0)
        return fail_at(hypothesis, over, "a balance is over \"program\", \"node\" or \"team\"");
    change->is_over_node = over != NULL && strcmp(over, "node") == 0;
    change->is_over_team = over != NULL && strcmp(over, "team") == 0;
    for (size_t i = 0; to != NULL && i < 3; i++)
        if (strcmp(to, goals[i]) == 0) {
            change->goal = (hd_goal)i;
            to           = NULL;
        }
    if (to != NULL)
        return fail_at(hypothesis, to, "a balance is to \"mean\", \"least\" or \"median\"");
    return read_selection(hypothesis, text, change);
}

static hd_status
read_change(hd_hypothesis *hypothesis, char *text)
{
    static const char *const later[] = { "network", "eager", "overlap", "remove", "place", "interference" };
    hd_change                change  = { .denominator = 1 };
    char                    *verb    = trim(text), *rest = strchr(verb, ' '), *factor;
    hd_status                status;

    if (strcmp(verb, "none") == 0)
        return HD_OK;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strncmp(verb, later[i], strlen(later[i])) == 0 && strchr(" ", verb[strlen(later[i])]) != NULL)
            return fail_at(hypothesis, verb, "not simulated yet: this kind of change");
    if (rest == NULL)
        return fail_at(hypothesis, verb, "a change begins with \"scale\", \"balance\" or \"without\", or is \"none\"");
    *rest = '\0';
    rest  = trim(rest + 1);
    if (strcmp(verb, "without") == 0 && strncmp(rest, "messages ", 9) == 0)
        return fail_at(hypothesis, rest, "not simulated yet: a run without messages");
    if (strcmp(verb, "balance") == 0) {
        change.kind = HD_CHANGE_BALANCE;
        status      = read_balance(hypothesis, rest, &change);
    } else if (strcmp(verb, "without") == 0) {
        change.kind = HD_CHANGE_WITHOUT;
        status      = read_selection(hypothesis, rest, &change);
    } else if (strcmp(verb, "scale") == 0) {
        factor = cut_last_word(rest);
        if (factor == NULL)
            return fail_at(hypothesis, rest, "a factor is missing after the selection: 0.5 or 1/2");
        if (!read_factor(factor, &change.numerator, &change.denominator))
            return fail_at(hypothesis, factor, "a factor is a number from 0 to 999999, such as 0.5, or 1/2");
        status = read_selection(hypothesis, rest, &change);
    } else
        return fail_at(hypothesis, verb, "a change begins with \"scale\", \"balance\" or \"without\", or is \"none\"");
    if (status == HD_OK)
        HD_PUSH(hypothesis->changes, hypothesis->n_changes, hypothesis->capacity_changes, change);
    return status;
}

hd_status
hd_hypothesis_parse(const char *text, hd_hypothesis *hypothesis)
{
    hd_status status = HD_OK;
    char     *next;

    *hypothesis = (hd_hypothesis){ .text = hd_strdup(text), .words = hd_strdup(text) };
    for (char *at = hypothesis->words; at != NULL && status == HD_OK; at = next) {
        next = strstr(at, " + ");
        if (next != NULL) {
            *next = '\0';
            next += 3;
        }
        status = read_change(hypothesis, at);
    }
    if (status != HD_OK)
        hd_hypothesis_fini(hypothesis);
    return status;
}

void
hd_hypothesis_fini(hd_hypothesis *hypothesis)
{
    for (size_t i = 0; i < hypothesis->n_changes; i++) {
        free(hypothesis->changes[i].is_path);
        free(hypothesis->changes[i].is_process);
        free(hypothesis->changes[i].is_thread);
        free(hypothesis->changes[i].totals);
        free(hypothesis->changes[i].goals);
    }
    free(hypothesis->changes);
    free(hypothesis->text);
    free(hypothesis->words);
    *hypothesis = (hd_hypothesis){ 0 };
}

/* replay/simulate/hypothesis/hypothesis.c: reads the text of a hypothesis. A change begins with a verb. */
#include "hypothesis.h"

#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "memory.h"

/* at: in hypothesis->words. */
static hd_status
fail_at(const hd_hypothesis *hypothesis, const char *at, const char *what)
{
    return hd_words_fail(hypothesis->text, (size_t)(at - hypothesis->words), what);
}

void
hd_hypothesis_point_at(const hd_hypothesis *hypothesis, const char *at)
{
    hd_words_point_at(hypothesis->text, (size_t)(at - hypothesis->words));
}

enum { N_PARTS = 4 }; /* of a selection, behind its pattern */

/* ---- selections -------------------------------------------------------------------------------------------------- */

/* A number of an iteration; false: there is none. */
static bool
read_number(const char **text, uint32_t *number)
{
    uint64_t value = 0;
    size_t   n     = strspn(*text, "0123456789");

    for (size_t i = 0; i < n; i++)
        value = value < UINT32_MAX ? 10 * value + (uint64_t)((*text)[i] - '0') : value;
    *text += n;
    *number = (uint32_t)value;
    return n > 0 && value > 0 && value < UINT32_MAX;
}

/* "10-20,30-" */
static bool
read_ranges(const char *text, hd_change *change)
{
    size_t capacity = 0;

    for (;; text++) {
        hd_iteration_range range;

        if (!read_number(&text, &range.first))
            return false;
        range.last = range.first;
        if (*text == '-') {
            text++;
            range.last = UINT32_MAX;
            if (*text != '\0' && *text != ',' && !read_number(&text, &range.last))
                return false;
        }
        if (range.last < range.first)
            return false;
        HD_PUSH(change->ranges, change->n_ranges, capacity, range);
        if (*text != ',')
            return *text == '\0';
    }
}

/* What follows "in iteration", which is cut into numbers and a region. */
static hd_status
read_iterations(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    bool        is_balance = change->kind == HD_CHANGE_BALANCE;
    const char *of         = hd_words_cut_keyword(text, " of ");

    change->iterations = text;
    if (change->kind != HD_CHANGE_SCALE && change->kind != HD_CHANGE_DELAY && !is_balance)
        return fail_at(hypothesis, text, "iterations are for \"scale\", \"remove delay\" and \"balance\"");
    if (is_balance && change->per == NULL)
        return fail_at(hypothesis, text, "a balance in iterations ends with \"per\" and their region");
    if (is_balance && of != NULL)
        return fail_at(hypothesis, of, "the region of a balance follows \"per\"");
    if (of != NULL && *of == '\0')
        return fail_at(hypothesis, of, "a region is missing after \"of\"");
    if (!is_balance)
        change->per = of;
    if (!read_ranges(text, change))
        return fail_at(hypothesis, text, "iterations are numbers from 1 on, such as 3, 10-20, or 5,30-");
    return HD_OK;
}

static hd_status
read_selection(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    const char *iterations = NULL;
    bool        found;

    do {
        const char **parts[]    = { &change->processes, &change->node, &change->threads, &iterations };
        const char  *keywords[] = { " on process ", " on node ", " on thread ", " in iteration " };
        size_t       last       = N_PARTS;
        const char  *latest     = NULL;

        for (size_t i = 0; i < N_PARTS; i++)
            for (const char *at = strstr(text, keywords[i]); at != NULL; at = strstr(at + 1, keywords[i]))
                if (latest == NULL || at > latest) {
                    latest = at;
                    last   = i;
                }
        found = last < N_PARTS;
        if (found && *parts[last] != NULL)
            return fail_at(hypothesis, latest + 1, "a selection has processes, node, threads and iterations once each");
        if (found)
            *parts[last] = hd_words_cut_keyword(text, keywords[last]);
        if (found && **parts[last] == '\0')
            return fail_at(hypothesis, *parts[last], "something is missing after \"on\" or \"in iteration\"");
    } while (found);
    change->pattern = hd_words_trim(text);
    if (*change->pattern == '\0')
        return fail_at(hypothesis, change->pattern,
                       "a selection is missing: a region, or a call path (main > solve)");
    /* the words may be changed: they are the hypothesis' own */
    return iterations != NULL ? read_iterations(hypothesis, hypothesis->words + (iterations - hypothesis->words), change)
                              : HD_OK;
}

/* ---- changes: text is what follows the verb ---------------------------------------------------------------------- */

static hd_status
read_scale(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    char *factor = hd_words_cut_last(text);

    if (factor == NULL)
        return fail_at(hypothesis, text, "a factor is missing after the selection: 0.5 or 1/2");
    if (!hd_words_factor(factor, &change->factor))
        return fail_at(hypothesis, factor, "a factor is a number from 0 to 999999, such as 0.5, or 1/2");
    return read_selection(hypothesis, text, change);
}

/* The number of a word among n; false: it is none of them. */
static bool
find_word(const char *word, const char *const *words, uint32_t n, uint32_t *number)
{
    for (*number = 0; *number < n; (*number)++)
        if (strcmp(word, words[*number]) == 0)
            return true;
    return false;
}

static hd_status
read_balance(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    static const char *const goals[]   = { "mean", "least", "median" };
    static const char *const members[] = { "program", "node", "row", "team" };
    char       *per  = hd_words_cut_keyword(text, " per ");
    const char *over = hd_words_cut_keyword(text, " over ");
    const char *to   = hd_words_cut_keyword(text, " to ");
    uint32_t    i    = 0;

    if (per != NULL && *per == '\0')
        return fail_at(hypothesis, per, "a region is missing after \"per\"");
    change->per = per;
    if (over != NULL && !find_word(over, members, 4, &i))
        return fail_at(hypothesis, over, "a balance is over \"program\", \"node\", \"row\" or \"team\"");
    change->over = (hd_members)i;
    i            = 0;
    if (to != NULL && !find_word(to, goals, 3, &i))
        return fail_at(hypothesis, to, "a balance is to \"mean\", \"least\" or \"median\"");
    change->goal = (hd_goal)i;
    return read_selection(hypothesis, text, change);
}

/* "4096", "1K-64K", "1M-". */
static bool
read_sizes(const char *text, hd_change *change)
{
    if (!hd_words_bytes(&text, &change->least_bytes))
        return false;
    change->most_bytes = change->least_bytes;
    if (*text != '-')
        return *text == '\0';
    text++;
    change->most_bytes = UINT64_MAX;
    return *text == '\0' || (hd_words_bytes(&text, &change->most_bytes) && *text == '\0' &&
                             change->least_bytes <= change->most_bytes);
}

static bool
read_tag(const char *text, hd_change *change)
{
    uint64_t tag = 0;
    size_t   n   = strspn(text, "0123456789");

    if (n == 0 || n > 10 || text[n] != '\0')
        return false;
    for (size_t i = 0; i < n; i++)
        tag = 10 * tag + (uint64_t)(text[i] - '0');
    change->has_tag = true;
    change->tag     = (uint32_t)tag;
    return tag <= UINT32_MAX;
}

static hd_status
read_without(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    const char *tag, *bytes;

    if (strncmp(text, "messages ", 9) != 0)
        return read_selection(hypothesis, text, change);
    change->kind       = HD_CHANGE_MESSAGES;
    change->most_bytes = UINT64_MAX;
    text  = hd_words_trim(text + 9);
    tag   = hd_words_cut_keyword(text, " tag ");
    bytes = hd_words_cut_keyword(text, " bytes ");
    if (tag != NULL && !read_tag(tag, change))
        return fail_at(hypothesis, tag, "a tag is a number");
    if (bytes != NULL && !read_sizes(bytes, change))
        return fail_at(hypothesis, bytes, "sizes of messages are a number of bytes, or a range: 0-4K, 64K-");
    return read_selection(hypothesis, text, change);
}

static hd_status
read_eager(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    const char *end = text;

    if (!hd_words_bytes(&end, &change->eager_bytes) || *end != '\0')
        return fail_at(hypothesis, text, "a limit is a number of bytes: 4096, 64K, 1M");
    return HD_OK;
}

static hd_status
read_network(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    static const char wanted[] = "a network is \"ideal\", \"zero\", or has a \"latency\" and a \"bandwidth\"";
    char             *blank;

    change->factor = change->bandwidth = (hd_factor){ 1, 1 };
    if (strcmp(text, "ideal") == 0 || strcmp(text, "zero") == 0) {
        change->network = *text == 'i' ? HD_NETWORK_IDEAL : HD_NETWORK_ZERO;
        return HD_OK;
    }
    for (bool has[2] = { false, false }; text != NULL; text = blank) {
        size_t     n    = strcspn(text, " ");
        bool       is_b = n == 9 && memcmp(text, "bandwidth", n) == 0;
        hd_factor *factor = is_b ? &change->bandwidth : &change->factor;

        if ((!is_b && !(n == 7 && memcmp(text, "latency", n) == 0)) || has[is_b])
            return fail_at(hypothesis, text, wanted);
        has[is_b] = true;
        text += n + strspn(text + n, " ");
        blank = strchr(text, ' ');
        if (blank != NULL) {
            *blank = '\0';
            blank  = hd_words_trim(blank + 1);
        }
        if (!hd_words_factor(text, factor) || (is_b && factor->numerator == 0))
            return fail_at(hypothesis, text,
                           is_b ? "a bandwidth is a factor above 0: 2 for twice the recorded one, 1/2"
                                : "a latency is a factor: 0.5 or 1/2 of the recorded one");
    }
    return HD_OK;
}

static hd_status
read_interference(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    char *off = hd_words_cut_last(text);

    if (off == NULL || strcmp(off, "off") != 0)
        return fail_at(hypothesis, off != NULL ? off : text, "interference ends with \"off\", after a selection");
    return read_selection(hypothesis, text, change);
}

static hd_status
read_place(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    (void)hypothesis;
    change->file = text;
    return HD_OK;
}

static hd_status
read_remove(const hd_hypothesis *hypothesis, char *text, hd_change *change)
{
    if (strncmp(text, "delay", 5) != 0 || (text[5] != ' ' && text[5] != '\0'))
        return fail_at(hypothesis, text, "what can be removed is \"delay\", with a selection after it");
    return read_selection(hypothesis, hd_words_trim(text + 5), change);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

typedef struct sim_verb {
    const char    *word;
    hd_change_kind kind;
    hd_status    (*read)(const hd_hypothesis *hypothesis, char *text, hd_change *change);
} sim_verb;

static const sim_verb verbs[] = {
    { "scale", HD_CHANGE_SCALE, read_scale },       { "balance", HD_CHANGE_BALANCE, read_balance },
    { "without", HD_CHANGE_WITHOUT, read_without }, { "network", HD_CHANGE_NETWORK, read_network },
    { "eager", HD_CHANGE_EAGER, read_eager },       { "overlap", HD_CHANGE_OVERLAP, read_selection },
    { "remove", HD_CHANGE_DELAY, read_remove },     { "place", HD_CHANGE_PLACE, read_place },
    { "interference", HD_CHANGE_INTERFERENCE, read_interference },
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static hd_status
fail_verb(const hd_hypothesis *hypothesis, const char *verb)
{
    const char *words[N_VERBS], *closest;

    for (size_t i = 0; i < N_VERBS; i++)
        words[i] = verbs[i].word;
    closest = hd_closest(verb, words, N_VERBS);
    fail_at(hypothesis, verb, "a change begins with a verb, such as \"scale\", or is \"none\"");
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "heddle help simulate, which lists all changes");
    return HD_EUSAGE;
}

static hd_status
read_change(hd_hypothesis *hypothesis, char *text)
{
    hd_change change = { .factor = { 1, 1 } };
    char     *verb   = hd_words_trim(text), *rest = strchr(verb, ' ');
    hd_status status = HD_OK;
    size_t    i      = 0;

    if (strcmp(verb, "none") == 0)
        return HD_OK;
    if (rest != NULL)
        *rest++ = '\0';
    while (i < N_VERBS && strcmp(verb, verbs[i].word) != 0)
        i++;
    if (i == N_VERBS)
        return fail_verb(hypothesis, verb);
    if (rest == NULL)
        return fail_at(hypothesis, verb, "something is missing after the verb");
    change.kind = verbs[i].kind;
    status      = verbs[i].read(hypothesis, hd_words_trim(rest), &change);
    if (status != HD_OK)
        free(change.ranges);
    else
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
        free(hypothesis->changes[i].ranges);
        free(hypothesis->changes[i].is_path);
        free(hypothesis->changes[i].is_process);
        free(hypothesis->changes[i].is_thread);
        free(hypothesis->changes[i].group);
        free(hypothesis->changes[i].node_of);
        free(hypothesis->changes[i].is_comm_near);
        free(hypothesis->changes[i].totals);
        free(hypothesis->changes[i].goals);
        for (size_t k = 0; k < hypothesis->changes[i].n_pieces; k++)
            free(hypothesis->changes[i].pieces[k].rows);
        free(hypothesis->changes[i].pieces);
    }
    free(hypothesis->changes);
    free(hypothesis->text);
    free(hypothesis->words);
    *hypothesis = (hd_hypothesis){ 0 };
}

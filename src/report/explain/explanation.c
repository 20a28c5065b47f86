/* src/report/explain/explanation.c: finds sections in the text of docs/explanations.md, by their anchors. */
#define _GNU_SOURCE /* memmem */
#include "explanation.h"

#include <string.h>
#include <strings.h>

#include "memory.h"
#include "metric.h"

#define ANCHOR  "<a id=\""
#define HEADING "### "

extern const char hd_explanation_text[], hd_glossary_text[]; /* explanation_text.S */

static const char *
next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\n' ? line + 1 : line;
}

static bool
begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

bool
hd_explanation_next(hd_explanation *explanation)
{
    const char *line = explanation->body.text != NULL ? explanation->body.text + explanation->body.n :
                       hd_explanation_text;
    const char *anchors, *title, *body;

    while (*line != '\0' && !begins(line, ANCHOR))
        line = next_line(line);
    anchors = line;
    while (begins(line, ANCHOR))
        line = next_line(line);
    if (!begins(line, HEADING))
        return false;
    title = line + strlen(HEADING);
    body  = next_line(line);
    for (line = body; *line != '\0' && !begins(line, ANCHOR) && *line != '#';)
        line = next_line(line);
    *explanation = (hd_explanation){ .anchors = { anchors, (size_t)(title - strlen(HEADING) - anchors) },
                                     .title   = { title, strcspn(title, "\n") },
                                     .body    = { body, (size_t)(line - body) } };
    return true;
}

bool
hd_explanation_is_of(const hd_explanation *explanation, const char *id)
{
    char *anchor = hd_format(ANCHOR "%s\"", id);
    bool  is_of  = memmem(explanation->anchors.text, explanation->anchors.n, anchor, strlen(anchor)) != NULL;

    free(anchor);
    return is_of;
}

bool
hd_explanation_find(const char *id, hd_explanation *explanation)
{
    hd_explanation own = { 0 };

    while (hd_explanation_next(&own))
        if (hd_explanation_is_of(&own, id)) {
            *explanation = own;
            return true;
        }
    return false;
}

bool
hd_explanation_of_metric(uint32_t metric, hd_explanation *explanation)
{
    for (; metric != HD_NONE; metric = hd_metric_infos[metric].parent)
        if (hd_explanation_find(hd_metric_infos[metric].id, explanation))
            return true;
    return false;
}

bool
hd_explanation_source(hd_piece name, hd_piece *sentence)
{
    char       *row   = hd_format("\n| %.*s | ", (int)name.n, name.text);
    const char *found = strstr(hd_glossary_text, row);

    if (found != NULL) {
        found += strlen(row);
        *sentence = (hd_piece){ found, strcspn(found, "|\n") };
        while (sentence->n > 0 && found[sentence->n - 1] == ' ')
            sentence->n--;
    }
    free(row);
    return found != NULL;
}

/* Whether one of these names, as in "metric, metric tree" or "epoch (MPI)", is that one. */
static bool
is_named(hd_piece names, const char *name)
{
    size_t n = strlen(name);

    for (size_t at = 0; n > 0 && at + n <= names.n; at++) {
        const char *begin = names.text + at, *end = begin + n;
        size_t      left  = names.n - at - n;

        if ((at == 0 || (at >= 2 && memcmp(begin - 2, ", ", 2) == 0)) && strncasecmp(begin, name, n) == 0 &&
            (left == 0 || *end == ',' || (left > 1 && memcmp(end, " (", 2) == 0)))
            return true;
    }
    return false;
}

bool
hd_explanation_term(const char *name, hd_piece *term, hd_piece *meaning)
{
    const char *row = strstr(hd_glossary_text, "\n| --- "), *end = strstr(hd_glossary_text, "\n## Sources");

    while (row != NULL && (row = strstr(row + 1, "\n| ")) != NULL && row < end) {
        const char *names = row + strlen("\n| "), *behind = strstr(names, " | ");
        const char *last  = behind != NULL ? strstr(behind + strlen(" | "), " | ") : NULL;

        if (last == NULL)
            continue;
        *term    = (hd_piece){ names, (size_t)(behind - names) };
        *meaning = (hd_piece){ behind + strlen(" | "), (size_t)(last - behind) - strlen(" | ") };
        if (is_named(*term, name))
            return true;
    }
    return false;
}

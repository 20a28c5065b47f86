/* src/report/explain/explanation.c: finds sections in the text of docs/explanations.md, by their anchors. */
#define _GNU_SOURCE /* memmem */
#include "explanation.h"

#include <string.h>

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

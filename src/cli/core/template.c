#include "template.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define INCLUDE "INCLUDE "

const char *
hd_template_find(const char *name)
{
    for (size_t i = 0; i < hd_n_templates; i++)
        if (strcmp(hd_templates[i].name, name) == 0)
            return hd_templates[i].text;
    return NULL;
}

typedef struct rendering {
    const char              *file;
    const hd_template_value *values; /* [n] */
    size_t                   n;
    uint32_t                 line;
    FILE                    *out;
} rendering;

static const hd_template_value *
find_value(const rendering *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->n; i++)
        if (strlen(r->values[i].name) == length && strncmp(r->values[i].name, name, length) == 0)
            return &r->values[i];
    return NULL;
}

/* The next variable in a text: its name, and what is behind it; NULL: none. */
static const char *
next_variable(const char *text, const char *end, size_t *length, const char **behind)
{
    for (; text + 4 <= end; text++) {
        const char *close;

        if (text[0] != '{' || text[1] != '{')
            continue;
        for (close = text + 2; close + 2 <= end && (close[0] != '}' || close[1] != '}'); close++)
            ;
        if (close + 2 > end)
            return NULL;
        *length = (size_t)(close - text) - 2;
        *behind = close + 2;
        return text + 2;
    }
    return NULL;
}

static hd_status
include(const rendering *r, const char *name, size_t length)
{
    char       *file = hd_format("%.*s.inc", (int)length, name);
    const char *text = hd_template_find(file);
    hd_status   status;

    if (text == NULL)
        status = hd_fail(HD_EFORMAT, "template \"%s\", line %" PRIu32 ": there is no \"%s\" to include", r->file,
                         r->line, file);
    else
        status = hd_template_render(file, text, r->values, r->n, r->out);
    free(file);
    return status;
}

/* A line without its end. */
static hd_status
render_line(const rendering *r, const char *line, const char *end)
{
    const char *name, *behind;
    size_t      length;

    name = next_variable(line, end, &length, &behind);
    if (name != NULL && name == line + 2 && behind == end && length > strlen(INCLUDE) &&
        strncmp(name, INCLUDE, strlen(INCLUDE)) == 0)
        return include(r, name + strlen(INCLUDE), length - strlen(INCLUDE));
    for (; name != NULL; name = next_variable(behind, end, &length, &behind)) {
        const hd_template_value *value = find_value(r, name, length);

        if (value == NULL)
            return hd_fail(HD_EFORMAT, "template \"%s\", line %" PRIu32 ": there is no variable \"%.*s\"", r->file,
                           r->line, (int)length, name);
        if (value->value == NULL)
            return HD_OK;
    }
    while ((name = next_variable(line, end, &length, &behind)) != NULL) {
        fprintf(r->out, "%.*s%s", (int)(name - 2 - line), line, find_value(r, name, length)->value);
        line = behind;
    }
    fprintf(r->out, "%.*s\n", (int)(end - line), line);
    return HD_OK;
}

hd_status
hd_template_render(const char *file, const char *text, const hd_template_value *values, size_t n, FILE *out)
{
    rendering r      = { .file = file, .values = values, .n = n, .out = out };
    hd_status status = HD_OK;

    while (*text != '\0' && status == HD_OK) {
        const char *end = text + strcspn(text, "\n");

        r.line++;
        status = render_line(&r, text, end);
        text   = *end != '\0' ? end + 1 : end;
    }
    return status;
}

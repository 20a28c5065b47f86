/* src/cli/commands/analyze/what_if.c: reads hypotheses, and what else is to be simulated, from words and files. */
#include "what_if.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

hd_status
hd_what_if_add_curve(hd_what_if *what_if, const char *selection)
{
    HD_PUSH(what_if->curves, what_if->n_curves, what_if->capacity_curves, hd_strdup(selection));
    return HD_OK;
}

hd_status
hd_what_if_add(hd_what_if *what_if, const char *text)
{
    static const char curve[] = "curve ";
    hd_hypothesis     hypothesis;
    hd_status         status;

    if (strcmp(text, "advice") == 0)
        what_if->wants_advice = true;
    else if (strcmp(text, "curves") == 0)
        what_if->wants_curves = true;
    else if (strncmp(text, curve, sizeof curve - 1) == 0)
        return hd_what_if_add_curve(what_if, text + sizeof curve - 1);
    else {
        status = hd_hypothesis_parse(text, &hypothesis);
        if (status != HD_OK)
            return status;
        HD_PUSH(what_if->hypotheses, what_if->n, what_if->capacity, hypothesis);
    }
    return HD_OK;
}

hd_status
hd_what_if_read(hd_what_if *what_if, const char *path)
{
    FILE     *file     = fopen(path, "r");
    char     *line     = NULL;
    size_t    capacity = 0, number = 0;
    hd_status status   = HD_OK;
    ssize_t   n;

    if (file == NULL)
        return hd_fail(HD_EOPEN, "file of hypotheses \"%s\" cannot be opened: %s", path, strerror(errno));
    while (status == HD_OK && (n = getline(&line, &capacity, file)) >= 0) {
        number++;
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r' || line[n - 1] == ' ' || line[n - 1] == '\t'))
            line[--n] = '\0';
        if (n == 0 || line[strspn(line, " \t")] == '#')
            continue;
        status = hd_what_if_add(what_if, line);
        if (status != HD_OK)
            hd_fail_detail("file", "\"%s\", line %zu", path, number);
    }
    if (status == HD_OK && ferror(file))
        status = hd_fail(HD_EREAD, "file of hypotheses \"%s\" cannot be read: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return status;
}

hd_status
hd_what_if_add_or_read(hd_what_if *what_if, const char *text)
{
    hd_status status;

    if (access(text, F_OK) == 0)
        return hd_what_if_read(what_if, text);
    status = hd_what_if_add(what_if, text);
    if (status != HD_OK)
        hd_fail_detail("try", "a hypothesis as of heddle help simulate, or the name of a file of hypotheses");
    return status;
}

bool
hd_what_if_has_delays(const hd_what_if *what_if)
{
    for (size_t h = 0; h < what_if->n; h++)
        for (size_t c = 0; c < what_if->hypotheses[h].n_changes; c++)
            if (what_if->hypotheses[h].changes[c].kind == HD_CHANGE_DELAY)
                return true;
    return false;
}

void
hd_what_if_fini(hd_what_if *what_if)
{
    for (size_t i = 0; i < what_if->n; i++)
        hd_hypothesis_fini(&what_if->hypotheses[i]);
    for (size_t i = 0; i < what_if->n_curves; i++)
        free(what_if->curves[i]);
    free(what_if->hypotheses);
    free(what_if->curves);
    *what_if = (hd_what_if){ 0 };
}

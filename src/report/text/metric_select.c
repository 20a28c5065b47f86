/* src/report/text/metric_select.c: finds a metric by id or name, and the one that is most like a wrong name. */
#include "metric_select.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "closest.h"
#include "memory.h"
#include "metric.h"

enum { MAX_NAMED = 4 };

/* "MPI Late-Sender" and "mpi_late_sender" are alike: "mpilatesender". free() it. */
static char *
letters_of(const char *text)
{
    char *letters = hd_strdup(text), *to = letters;

    for (const char *from = text; *from != '\0'; from++)
        if (strchr(" _-", *from) == NULL)
            *to++ = (char)tolower((unsigned char)*from);
    *to = '\0';
    return letters;
}

const char *
hd_metric_closest(const hd_cube *cube, const char *text)
{
    char       **words = HD_NEW_ARRAY(char *, 2 * (size_t)cube->n_metrics + 1);
    char        *word  = letters_of(text);
    const char  *found = NULL, *id = NULL;

    for (uint32_t i = 0; i < cube->n_metrics; i++) {
        words[i]                   = letters_of(cube->metrics[i].name);
        words[cube->n_metrics + i] = letters_of(cube->metrics[i].id);
    }
    if (*word != '\0')
        found = hd_closest(word, (const char *const *)words, 2 * (size_t)cube->n_metrics);
    for (uint32_t i = 0; i < 2 * cube->n_metrics; i++) {
        if (words[i] == found)
            id = cube->metrics[i % cube->n_metrics].id;
        free(words[i]);
    }
    free(words);
    free(word);
    return id;
}

/* In the tree of the time: costs and counts often have the names of wait states, too. */
static bool
is_time(const hd_cube *cube, uint32_t metric)
{
    while (cube->metrics[metric].parent != HD_NONE)
        metric = cube->metrics[metric].parent;
    return strcmp(cube->metrics[metric].id, "time") == 0;
}

static hd_status
several(const hd_cube *cube, const char *text, uint32_t n)
{
    char    *ids   = hd_strdup("");
    uint32_t shown = 0;

    for (uint32_t i = 0; i < cube->n_metrics && shown < MAX_NAMED; i++)
        if (strcasecmp(cube->metrics[i].name, text) == 0) {
            char *longer = hd_format("%s%s%s", ids, shown++ > 0 ? ", " : "", cube->metrics[i].id);

            free(ids);
            ids = longer;
        }
    hd_fail(HD_EUSAGE, "report \"%s\" has %" PRIu32 " metrics with the name \"%s\"", cube->path, n, text);
    hd_fail_detail("their ids", n > shown ? "%s, ..." : "%s", ids);
    free(ids);
    return HD_EUSAGE;
}

hd_status
hd_metric_select(const hd_cube *cube, const char *text, uint32_t *metric)
{
    uint32_t    n = 0, n_times = 0, time = HD_NONE;
    const char *closest;
    uint32_t    titled = hd_metric_by_title(text);

    *metric = hd_cube_metric_by_id(cube, titled != HD_NONE ? hd_metric_infos[titled].id : text);
    if (*metric != HD_NONE)
        return HD_OK;
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (strcasecmp(cube->metrics[i].name, text) == 0) {
            *metric = i;
            n++;
            if (is_time(cube, i)) {
                time = i;
                n_times++;
            }
        }
    if (n == 1)
        return HD_OK;
    *metric = time;
    if (n_times == 1)
        return HD_OK;
    if (n > 1)
        return several(cube, text, n);
    closest = hd_metric_closest(cube, text);
    hd_fail(HD_EUSAGE, "report \"%s\" has no metric \"%s\"", cube->path, text);
    if (closest != NULL)
        hd_fail_detail("closest", "%s (%s)", closest, cube->metrics[hd_cube_metric_by_id(cube, closest)].name);
    hd_fail_detail("metrics", "by their ids or names, as heddle dump and heddle summary --verbose show them");
    return HD_EUSAGE;
}

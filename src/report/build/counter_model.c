#include "counter_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static char *
plain_id(const hd_defs *defs, uint32_t counter)
{
    char *id = hd_format("c_%s", hd_defs_text(defs, hd_defs_counters(defs)[counter].name));

    for (char *at = id + 2; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) || (unsigned char)*at > 127)
            *at = '_';
    return id;
}

char *
hd_counter_id(const hd_defs *defs, uint32_t counter)
{
    char    *id = plain_id(defs, counter);
    uint32_t n  = 1;

    for (uint32_t i = 0; i < counter; i++) {
        char *other = plain_id(defs, i);

        n += strcmp(id, other) == 0;
        free(other);
    }
    if (n > 1) {
        char *numbered = hd_format("%s__%" PRIu32, id, n);

        free(id);
        return numbered;
    }
    return id;
}

char **
hd_counter_ids(const hd_defs *defs)
{
    char **ids = HD_NEW_ARRAY(char *, (size_t)defs->n_counters + 1);

    for (uint32_t i = 0; i < defs->n_counters; i++)
        ids[i] = hd_counter_id(defs, i);
    return ids;
}

void
hd_counter_ids_free(char **ids, const hd_defs *defs)
{
    for (uint32_t i = 0; i < defs->n_counters; i++)
        free(ids[i]);
    free(ids);
}

/* What the recorder takes for a level grows and shrinks: its differences have signs. */
static const char *
type_of(const hd_counter_def *counter)
{
    if (counter->type == HD_COUNTER_DOUBLE)
        return "DOUBLE";
    return counter->type == HD_COUNTER_UINT64 && counter->mode != HD_COUNTER_LEVEL ? "UINT64" : "INT64";
}

void
hd_counter_metrics_fill(const hd_defs *defs, uint32_t first, char *const *ids, hd_cube_metric *metrics)
{
    if (defs->n_counters == 0)
        return;
    metrics[0] = (hd_cube_metric){ .id = HD_COUNTERS_ROOT, .name = "Counters", .unit = "", .url = "",
                                   .what = "What the counters of the archive counted; see below.", .parent = HD_NONE,
                                   .kind = HD_CUBE_POSTDERIVED, .expression = "0",
                                   .preparation = "cube::metric::set::" HD_COUNTERS_ROOT "(\"value\",\"VOID\");",
                                   .plus = "", .minus = "", .together = "" };
    for (uint32_t i = 0; i < defs->n_counters; i++) {
        const hd_counter_def *counter = &hd_defs_counters(defs)[i];

        metrics[1 + i] = (hd_cube_metric){ .id = ids[i], .name = hd_defs_text(defs, counter->name),
                                           .unit = hd_defs_text(defs, counter->unit), .url = "",
                                           .what = hd_defs_text(defs, counter->what), .type = type_of(counter),
                                           .parent = first, .kind = HD_CUBE_STORED,
                                           .is_integer = counter->type != HD_COUNTER_DOUBLE };
    }
}

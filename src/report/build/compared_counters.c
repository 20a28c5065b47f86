#include "compared_counters.h"

#include <string.h>

#include "closest.h"
#include "counter_patterns.h"
#include "memory.h"

/* What differences of it add up to is work, in whole numbers. */
static bool
is_comparable(const hd_counter_def *counter)
{
    return counter->type == HD_COUNTER_UINT64 ? counter->mode != HD_COUNTER_LEVEL :
           counter->type == HD_COUNTER_INT64 && counter->mode == HD_COUNTER_ACCUMULATED;
}

static const char *
name_of(const hd_defs *defs, uint32_t counter)
{
    return hd_defs_text(defs, hd_defs_counters(defs)[counter].name);
}

static bool
has(const hd_compared_counters *compared, uint32_t counter)
{
    for (uint32_t i = 0; i < compared->n; i++)
        if (compared->counters[i] == counter)
            return true;
    return false;
}

/* The first counter that the first pattern with any names; false: there is none. */
static bool
add_first(const hd_defs *defs, const char *patterns, hd_compared_counters *compared)
{
    while (*patterns != '\0') {
        size_t n = strcspn(patterns, "|");

        for (uint32_t i = 0; i < defs->n_counters; i++)
            if (is_comparable(&hd_defs_counters(defs)[i]) && hd_counter_name_is(name_of(defs, i), patterns, n)) {
                if (!has(compared, i))
                    compared->counters[compared->n++] = i;
                return true;
            }
        patterns += n + (patterns[n] == '|');
    }
    return false;
}

static hd_status
fail(const hd_defs *defs, const char *name, size_t n, const char *why)
{
    const char **names = HD_NEW_ARRAY(const char *, (size_t)defs->n_counters + 1), *near;
    char        *given = hd_format("%.*s", (int)n, name);
    uint32_t     n_names = 0;

    for (uint32_t i = 0; i < defs->n_counters; i++)
        if (is_comparable(&hd_defs_counters(defs)[i]))
            names[n_names++] = name_of(defs, i);
    near = hd_closest(given, names, n_names);
    hd_fail(HD_EUSAGE, why);
    hd_fail_detail("counter", "%s", given);
    if (near != NULL)
        hd_fail_detail("try", "--counters %s", near);
    free(given);
    free((void *)(uintptr_t)names);
    return HD_EUSAGE;
}

static hd_status
add_named(const hd_defs *defs, const char *name, size_t n, hd_compared_counters *compared)
{
    for (uint32_t i = 0; i < defs->n_counters; i++) {
        if (strlen(name_of(defs, i)) != n || memcmp(name_of(defs, i), name, n) != 0)
            continue;
        if (!is_comparable(&hd_defs_counters(defs)[i]))
            return fail(defs, name, n, "root causes are compared by sums of whole numbers; this counter is none");
        if (!has(compared, i) && compared->n == HD_COMPARED_MAX)
            return fail(defs, name, n, "root causes are compared by 8 counters at most");
        if (!has(compared, i))
            compared->counters[compared->n++] = i;
        return HD_OK;
    }
    return fail(defs, name, n, "the archive has no such counter that is recorded with enters and leaves");
}

hd_status
hd_compared_counters_choose(const hd_defs *defs, const char *names, hd_compared_counters *compared)
{
    hd_status status = HD_OK;

    *compared = (hd_compared_counters){ 0 };
    if (names == NULL) {
        add_first(defs, HD_COUNTER_INSTRUCTIONS, compared);
        add_first(defs, HD_COUNTER_CYCLES, compared);
        add_first(defs, HD_COUNTER_CPU_TIME, compared);
        if (!add_first(defs, HD_COUNTER_L3_MISSES, compared) && !add_first(defs, HD_COUNTER_L2_MISSES, compared))
            add_first(defs, HD_COUNTER_L1_MISSES, compared);
        return HD_OK;
    }
    while (*names != '\0' && status == HD_OK && strcmp(names, "none") != 0) {
        size_t n = strcspn(names, ",");

        status = add_named(defs, names, n, compared);
        names += n + (names[n] == ',');
    }
    return status;
}

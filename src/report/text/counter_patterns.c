#include "counter_patterns.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static char *
plain(const char *text, size_t n, bool is_pattern)
{
    char *copy = hd_format("%.*s", (int)n, text);

    for (char *at = copy; *at != '\0'; at++)
        if (isalnum((unsigned char)*at))
            *at = (char)tolower((unsigned char)*at);
        else if (!is_pattern || *at != '*')
            *at = '_';
    return copy;
}

bool
hd_counter_name_is(const char *name, const char *pattern, size_t n)
{
    char *a  = plain(pattern, n, true), *b = plain(name, strlen(name), false);
    bool  is = fnmatch(a, b, 0) == 0;

    free(a);
    free(b);
    return is;
}

uint32_t
hd_counter_find_name(char *const *names, uint32_t n, const char *patterns)
{
    while (*patterns != '\0') {
        size_t bytes = strcspn(patterns, "|");

        for (uint32_t i = 0; i < n; i++)
            if (hd_counter_name_is(names[i], patterns, bytes))
                return i;
        patterns += bytes + (patterns[bytes] == '|');
    }
    return HD_NONE;
}

uint32_t
hd_counter_find(const hd_cube *cube, const char *patterns)
{
    while (*patterns != '\0') {
        size_t n = strcspn(patterns, "|");

        for (uint32_t i = 0; i < cube->n_metrics; i++)
            if (strncmp(cube->metrics[i].id, "c_", 2) == 0 && hd_counter_name_is(cube->metrics[i].name, patterns, n))
                return i;
        patterns += n + (patterns[n] == '|');
    }
    return HD_NONE;
}

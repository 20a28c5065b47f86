/* Reads processes as a user names them. */
#include "rank_range.h"

#include <stdlib.h>

/* A number, digits only; *end: behind it. */
static bool
read_rank(const char *text, uint64_t *rank, const char **end)
{
    char *behind;

    if (*text < '0' || *text > '9')
        return false;
    *rank = strtoull(text, &behind, 10);
    *end  = behind;
    return true;
}

hd_status
hd_rank_range_read(const char *text, const char *command, uint64_t *first, uint64_t *last)
{
    const char *end;

    if (read_rank(text, first, &end)) {
        *last = *first;
        if (*end == '\0' || (*end == '-' && read_rank(end + 1, last, &end) && *end == '\0' && *first <= *last))
            return HD_OK;
    }
    hd_fail(HD_EUSAGE, "\"--process\" needs an MPI rank, or two as 0-7, not \"%s\"", text);
    hd_fail_detail("try", "heddle help %s", command);
    return HD_EUSAGE;
}

/* src/trace/read/local_definitions.h: what a location's own definitions change in its events: numbers and times.
 *
 * A mapping table has the numbers of all for numbers of the location; what is not in it stays as it is. Between two
 * clock offsets times are corrected by a line through them, before the first one and after the last one by the nearest
 * line; a single offset corrects nothing. Both as the OTF2 library does. Inside of read only. Uses: base. Owner: the
 * caller embeds it. MT: one thread at a time. Ranks: local. Memory: 8 bytes for each number up to the largest one of a
 * table, 16 bytes for those from HD_MAPPING_DENSE on.
 */
#ifndef HD_LOCAL_DEFINITIONS_H
#define HD_LOCAL_DEFINITIONS_H

#include <math.h>
#include <otf2/otf2.h>

#include "types.h"

enum { HD_MAPPING_DENSE = 1 << 20 };

typedef struct hd_number_pair {
    uint64_t from, to;
} hd_number_pair;

typedef struct hd_mapping {
    uint64_t       *to;      /* [n_to] for the numbers below n_to */
    uint64_t        n_to;
    hd_number_pair *pairs;   /* [n_pairs] ascending, of larger ones */
    size_t          n_pairs, capacity;
    bool            is_set;
} hd_mapping;

typedef struct hd_clock_interval { /* between two offsets */
    hd_time begin, end;
    hd_span offset; /* at begin */
    double  slope;
} hd_clock_interval;

typedef struct hd_local_definitions {
    hd_mapping         mappings[OTF2_MAPPING_MAX];
    hd_clock_interval *intervals; /* [n_intervals] in the order of time */
    size_t             n_intervals, capacity;
    hd_clock_interval  pending;   /* begins with the last offset, while has_pending */
    bool               has_pending;
    /* The interval of the last time, made ready. */
    size_t             current;
    hd_time            quick_end; /* for times up to here the four are enough */
    hd_time            begin;
    hd_span            offset;
    double             slope;
} hd_local_definitions;

/* None; what was there is freed. */
void hd_local_definitions_clear(hd_local_definitions *definitions);
/* In the order of the file. A second table for the same numbers, and an offset that is not later than the one before,
 * change nothing: the library reads no further there. */
void hd_local_definitions_map(hd_local_definitions *definitions, OTF2_MappingType type, const OTF2_IdMap *map);
void hd_local_definitions_offset(hd_local_definitions *definitions, hd_time time, hd_span offset);
/* Before the first time. is_raw: times stay as they were recorded. */
void hd_local_definitions_begin(hd_local_definitions *definitions, bool is_raw);

uint64_t hd_mapping_find(const hd_mapping *mapping, uint64_t number);
hd_time  hd_local_definitions_other_time(hd_local_definitions *definitions, hd_time time);

static inline __attribute__((always_inline)) uint64_t
hd_mapping_get(const hd_mapping *mapping, uint64_t number)
{
    if (HD_LIKELY(number < mapping->n_to))
        return mapping->to[number];
    return HD_LIKELY(mapping->n_pairs == 0) ? number : hd_mapping_find(mapping, number);
}

/* The corrected time. Times come in order: where one is earlier, it is of the interval of the last one. */
static inline hd_time
hd_local_definitions_time(hd_local_definitions *definitions, hd_time time)
{
    if (HD_UNLIKELY(time > definitions->quick_end))
        return hd_local_definitions_other_time(definitions, time);
    return time + (hd_time)definitions->offset +
           (hd_time)lrint(definitions->slope * (double)(int64_t)(time - definitions->begin));
}

#endif

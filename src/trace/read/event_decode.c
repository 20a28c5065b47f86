#include "event_decode.h"

#include "memory.h"

hd_decode_end
hd_event_decode_any(hd_event_chunk *chunk, uint64_t n_most, const hd_event_handlers *handlers, void *user)
{
    return chunk->is_big ? hd_event_decode(chunk, n_most, handlers, user, true)
                         : hd_event_decode(chunk, n_most, handlers, user, false);
}

/* Clocks go on: the line for this time is that for the events after it. */
hd_time
hd_event_take_time(hd_event_chunk *chunk, const uint8_t *at)
{
    hd_time time = hd_local_definitions_time(&chunk->definitions, hd_event_full(at, chunk->is_big));

    chunk->time = hd_local_definitions_time(&chunk->definitions, chunk->recorded);
    return time;
}

/* Where the byte order is a constant it is compiled into it. */
static inline __attribute__((always_inline)) bool
take_metrics(hd_event_chunk *chunk, const uint8_t **begin, const uint8_t *end, uint32_t n, bool is_big)
{
    const uint8_t *at       = *begin;
    bool           is_sound = true;

    for (uint32_t i = 0; i < n; i++) {
        if (HD_UNLIKELY(at >= end))
            return false;
        chunk->types[i]               = *at++;
        chunk->values[i].unsigned_int = hd_event_number(&at, 8, is_big, &is_sound);
    }
    *begin = at;
    return is_sound;
}

bool
hd_event_take_metrics(hd_event_chunk *chunk, const uint8_t **at, const uint8_t *end, uint32_t n)
{
    return chunk->is_big ? take_metrics(chunk, at, end, n, true) : take_metrics(chunk, at, end, n, false);
}

bool
hd_event_take_strings(hd_event_chunk *chunk, const uint8_t **at, const uint8_t *end, uint32_t n)
{
    bool is_sound = true;

    if (*at > end || n > (uint64_t)(end - *at))
        return false;
    if (n > chunk->capacity) {
        chunk->capacity = n;
        chunk->strings  = hd_realloc(chunk->strings, n, sizeof *chunk->strings);
    }
    for (uint32_t i = 0; i < n && is_sound; i++) {
        if (*at >= end)
            return false;
        chunk->strings[i] = (OTF2_StringRef)hd_mapping_get(&chunk->definitions.mappings[OTF2_MAPPING_STRING],
                                                           (uint32_t)hd_event_number(at, 4, chunk->is_big, &is_sound));
    }
    return is_sound;
}

/* Full numbers of fewer bytes. */
static uint64_t
take_bytes(const uint8_t **at, unsigned n, bool is_big)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < n; i++)
        number = number << 8 | (*at)[is_big ? i : n - 1 - i];
    *at += n;
    return number;
}

/* The bits of a value. References follow in the order of mapping tables; those of a later OTF2 are numbers, too. */
static uint64_t
take_value(hd_event_chunk *chunk, const uint8_t **at, OTF2_Type type, bool *is_sound)
{
    uint32_t table = type - OTF2_TYPE_STRING;

    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return take_bytes(at, 1, chunk->is_big);
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return take_bytes(at, 2, chunk->is_big);
    case OTF2_TYPE_FLOAT:
        return take_bytes(at, 4, chunk->is_big);
    case OTF2_TYPE_DOUBLE:
        return take_bytes(at, 8, chunk->is_big);
    case OTF2_TYPE_UINT32:
    case OTF2_TYPE_INT32:
        return (uint32_t)hd_event_number(at, 4, chunk->is_big, is_sound);
    case OTF2_TYPE_LOCATION:
        return hd_mapping_get(&chunk->definitions.mappings[OTF2_MAPPING_LOCATION],
                              hd_event_number(at, 8, chunk->is_big, is_sound));
    default:
        if (table >= OTF2_MAPPING_MAX)
            return hd_event_number(at, 8, chunk->is_big, is_sound);
        return (uint32_t)hd_mapping_get(&chunk->definitions.mappings[table],
                                        (uint32_t)hd_event_number(at, 4, chunk->is_big, is_sound));
    }
}

static OTF2_AttributeValue
value_of(OTF2_Type type, uint64_t bits)
{
    OTF2_AttributeValue value;

    value.uint64 = bits;
    if (type == OTF2_TYPE_UINT8 || type == OTF2_TYPE_INT8)
        value.uint8 = (uint8_t)bits;
    else if (type == OTF2_TYPE_UINT16 || type == OTF2_TYPE_INT16)
        value.uint16 = (uint16_t)bits;
    else if (type != OTF2_TYPE_UINT64 && type != OTF2_TYPE_INT64 && type != OTF2_TYPE_DOUBLE &&
             type != OTF2_TYPE_LOCATION && type < OTF2_TYPE_STRING + OTF2_MAPPING_MAX)
        value.uint32 = (uint32_t)bits;
    return value;
}

enum { ATTRIBUTE_BYTES_MAX = 15, LENGTH_BYTES_MAX = 5 }; /* no list is longer */

bool
hd_event_take_attributes(hd_event_chunk *chunk, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *begin    = at;
    bool           is_sound = true;
    uint64_t       n        = hd_event_number(&at, 4, chunk->is_big, &is_sound) & UINT32_MAX;

    if (!is_sound || (uint64_t)(end - begin) > n * ATTRIBUTE_BYTES_MAX + LENGTH_BYTES_MAX)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t  attribute;
        OTF2_Type type;
        uint64_t  bits;

        if (at >= end)
            return false;
        attribute = (uint32_t)hd_mapping_get(&chunk->definitions.mappings[OTF2_MAPPING_ATTRIBUTE],
                                             (uint32_t)hd_event_number(&at, 4, chunk->is_big, &is_sound));
        type      = *at++;
        bits      = take_value(chunk, &at, type, &is_sound);
        if (!is_sound || at > end)
            return false;
        if (chunk->attributes != NULL)
            OTF2_AttributeList_AddAttribute(chunk->attributes, attribute, type, value_of(type, bits));
    }
    return true;
}

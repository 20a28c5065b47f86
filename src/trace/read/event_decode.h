/* src/trace/read/event_decode.h: decodes the events of a chunk and hands them over. Inside of read only, but for
 * HD_EVENT_DECODER.
 *
 *   chunk    3, byte order ('B': little endian, '#': big endian), the numbers of its first and its last event (8 bytes
 *            each), items ..., 0 up to its end; after the last item of the file 2, 1
 *   item     5 and the time (8 bytes), for the events after it; 6 and attributes, of the event after it; an event
 *   event    its kind (a byte, event_records.h), and a single number; or the length of what follows (a byte; 255: in
 *            the eight bytes after it) and its fields. There may be more fields than are known
 *   field    by its type: a byte; a time, 8 bytes; else a number: how many bytes it has, 0 to 4 or 8 (255: none, all
 *            bits are set), and these
 *
 * No byte of the file is believed. An item begins at `end` or before. From there on it is read without further looks:
 * up to HD_ITEM_BYTES, and as many bytes, all zero, follow the chunk (event_stream.h). Then the item's end is compared
 * with that of its record, and of the chunk, before anything is handed over. What has any number of elements is read
 * with a look at each. An item that is not whole, or that says what cannot be, ends the file. Uses: local_definitions.
 * MT: one thread at a time. Cost: O(1) per event.
 */
#ifndef HD_EVENT_DECODE_H
#define HD_EVENT_DECODE_H

#include <endian.h>
#include <string.h>

#include "event_handlers.h"
#include "local_definitions.h"

enum {
    HD_ITEM_CHUNK_END = 0, HD_ITEM_FILE_END = 2, HD_ITEM_TIME = 5, HD_ITEM_ATTRIBUTES = 6,
    HD_UNKNOWN_ITEMS = 6, /* those up to here that are none of these cannot be */
    HD_EVENT_ENTER = 12, HD_EVENT_LEAVE = 13, HD_EVENT_METRIC = 31, HD_EVENT_PROGRAM_BEGIN = 83,
    HD_LONG_RECORD = 255, HD_NO_NUMBER = 255,
    HD_ITEM_BYTES = 96, /* a time, a kind, a length, and seven fields of nine bytes: 82 */
    HD_METRICS_MAX = 255,
};

typedef enum hd_decode_end {
    HD_DECODE_GOES_ON,     /* as many events as were asked for */
    HD_DECODE_CHUNK_END,
    HD_DECODE_FILE_END,
    HD_DECODE_CUT,         /* what follows is not whole */
    HD_DECODE_INTERRUPTED, /* by a handler */
} hd_decode_end;

typedef struct hd_event_chunk { /* what is known between events */
    const uint8_t       *at, *end;   /* the next item; HD_ITEM_BYTES zeros follow the end */
    bool                 is_big;     /* its byte order */
    uint64_t             n;          /* events of the file so far */
    hd_time              recorded;   /* the last time in the file */
    hd_time              time;       /* the same, corrected */
    OTF2_LocationRef     location;
    hd_local_definitions definitions;
    OTF2_AttributeList  *attributes; /* of the next event; NULL: they are looked at, but not taken */
    OTF2_Type            types[HD_METRICS_MAX]; /* of an event */
    OTF2_MetricValue     values[HD_METRICS_MAX];
    OTF2_StringRef      *strings;    /* [capacity] likewise */
    size_t               capacity;
} hd_event_chunk;

/* Decodes events until the file has n_most, or the chunk ends. */
typedef hd_decode_end hd_event_decoder(hd_event_chunk *chunk, uint64_t n_most, const hd_event_handlers *handlers,
                                       void *user);

hd_event_decoder hd_event_decode_any; /* whatever the byte order and the handlers */

/* The time of a field. */
hd_time hd_event_take_time(hd_event_chunk *chunk, const uint8_t *at);
/* The content of an item, from *at to end: false, it cannot be. */
bool hd_event_take_attributes(hd_event_chunk *chunk, const uint8_t *at, const uint8_t *end);
bool hd_event_take_metrics(hd_event_chunk *chunk, const uint8_t **at, const uint8_t *end, uint32_t n);
bool hd_event_take_strings(hd_event_chunk *chunk, const uint8_t **at, const uint8_t *end, uint32_t n);

static inline uint64_t
hd_event_full(const uint8_t *at, bool is_big)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    return is_big ? be64toh(bytes) : le64toh(bytes);
}

/* A number of up to n_max bytes. The eight bytes that are loaded begin with it, or end with it. */
static inline __attribute__((always_inline)) uint64_t
hd_event_number(const uint8_t **at, unsigned n_max, bool is_big, bool *is_sound)
{
    static const uint64_t masks[] = { 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff,
                                      0xffffffffffffff, UINT64_MAX };
    unsigned              n       = *(*at)++;
    uint64_t              number;

    if (HD_UNLIKELY(n > n_max)) {
        *is_sound &= n == HD_NO_NUMBER;
        return UINT64_MAX;
    }
    number = hd_event_full(is_big ? *at + n - sizeof number : *at, is_big) & masks[n];
    *at += n;
    return number;
}

/* The end of a record whose length is next; NULL: it is not in the chunk. */
static inline __attribute__((always_inline)) const uint8_t *
hd_event_end(const uint8_t **at, const uint8_t *end, bool is_big)
{
    uint64_t length = *(*at)++;

    if (HD_UNLIKELY(length == HD_LONG_RECORD)) {
        length = hd_event_full(*at, is_big);
        *at += sizeof length;
    }
    return *at <= end && length <= (uint64_t)(end - *at) ? *at + length : NULL;
}

/* How fields are taken, by their types. */
#define HD_TAKE_BYTE *at++
#define HD_TAKE_NUMBER(n_max) hd_event_number(&at, n_max, is_big, &is_sound)
#define HD_TAKE_MAPPED(table) \
    hd_mapping_get(&chunk->definitions.mappings[OTF2_MAPPING_##table], (uint32_t)HD_TAKE_NUMBER(4))
#define HD_TAKE_uint32_t HD_TAKE_NUMBER(4)
#define HD_TAKE_uint64_t HD_TAKE_NUMBER(8)
#define HD_TAKE_int64_t HD_TAKE_NUMBER(8)
#define HD_TAKE_OTF2_TimeStamp hd_event_take_time(chunk, (at += 8) - 8)
#define HD_TAKE_OTF2_MeasurementMode HD_TAKE_BYTE
#define HD_TAKE_OTF2_CollectiveOp HD_TAKE_BYTE
#define HD_TAKE_OTF2_LockType HD_TAKE_BYTE
#define HD_TAKE_OTF2_RmaSyncType HD_TAKE_BYTE
#define HD_TAKE_OTF2_RmaAtomicType HD_TAKE_BYTE
#define HD_TAKE_OTF2_Paradigm HD_TAKE_BYTE
#define HD_TAKE_OTF2_IoAccessMode HD_TAKE_BYTE
#define HD_TAKE_OTF2_IoSeekOption HD_TAKE_BYTE
#define HD_TAKE_OTF2_IoOperationMode HD_TAKE_BYTE
#define HD_TAKE_OTF2_IoParadigmRef HD_TAKE_BYTE
#define HD_TAKE_OTF2_RmaSyncLevel HD_TAKE_NUMBER(4)
#define HD_TAKE_OTF2_IoCreationFlag HD_TAKE_NUMBER(4)
#define HD_TAKE_OTF2_IoStatusFlag HD_TAKE_NUMBER(4)
#define HD_TAKE_OTF2_IoOperationFlag HD_TAKE_NUMBER(4)
#define HD_TAKE_OTF2_StringRef HD_TAKE_MAPPED(STRING)
#define HD_TAKE_OTF2_RegionRef HD_TAKE_MAPPED(REGION)
#define HD_TAKE_OTF2_GroupRef HD_TAKE_MAPPED(GROUP)
#define HD_TAKE_OTF2_MetricRef HD_TAKE_MAPPED(METRIC)
#define HD_TAKE_OTF2_CommRef HD_TAKE_MAPPED(COMM)
#define HD_TAKE_OTF2_ParameterRef HD_TAKE_MAPPED(PARAMETER)
#define HD_TAKE_OTF2_RmaWinRef HD_TAKE_MAPPED(RMA_WIN)
#define HD_TAKE_OTF2_CallingContextRef HD_TAKE_MAPPED(CALLING_CONTEXT)
#define HD_TAKE_OTF2_InterruptGeneratorRef HD_TAKE_MAPPED(INTERRUPT_GENERATOR)
#define HD_TAKE_OTF2_IoFileRef HD_TAKE_MAPPED(IO_FILE)
#define HD_TAKE_OTF2_IoHandleRef HD_TAKE_MAPPED(IO_HANDLE)
#define HD_EVENT_FIELD(type, name) type name = (type)HD_TAKE_##type;

/* Parts of hd_event_decode(). */
#define HD_EVENT_HAND_OVER(kind) \
    n++; \
    if (handlers->kind != NULL && handlers->kind(chunk->location, time, n, user, chunk->attributes \
                                                 HD_EVENT_##kind(HD_ARGUMENT)) != OTF2_CALLBACK_SUCCESS) { \
        why = HD_DECODE_INTERRUPTED; \
        goto end; \
    } \
    if (handlers->takes_attributes && chunk->attributes != NULL) \
        OTF2_AttributeList_RemoveAllAttributes(chunk->attributes);

/* As HD_EVENT_NUMBER of a region, with one branch where all is well. */
#define HD_EVENT_REGION(kind) \
    { \
        bool     is_sound = true; \
        uint32_t number   = (uint32_t)HD_TAKE_NUMBER(4); \
        OTF2_RegionRef region; \
\
        if (HD_UNLIKELY(!is_sound || at > end)) \
            goto end; \
        region = (OTF2_RegionRef)hd_mapping_get(&chunk->definitions.mappings[OTF2_MAPPING_REGION], number); \
        HD_EVENT_HAND_OVER(kind) \
    }

#define HD_EVENT_NUMBER(kind) \
    { \
        bool is_sound = true; \
        HD_EVENT_##kind(HD_EVENT_FIELD) \
        if (HD_UNLIKELY(!is_sound || at > end)) \
            goto end; \
        HD_EVENT_HAND_OVER(kind) \
    }

#define HD_EVENT_RECORD(kind, fields) \
    { \
        const uint8_t *record_end = hd_event_end(&at, end, is_big); \
        bool           is_sound   = record_end != NULL; \
        fields \
        if (HD_UNLIKELY(!is_sound || at > record_end)) \
            goto end; \
        at = record_end; \
        HD_EVENT_HAND_OVER(kind) \
    }

#define HD_EVENT_NUMBER_CASE(number, kind) \
    case number: HD_EVENT_NUMBER(kind) continue;
#define HD_EVENT_RECORD_CASE(number, kind) \
    case number: HD_EVENT_RECORD(kind, HD_EVENT_##kind(HD_EVENT_FIELD)) continue;

#define HD_EVENT_METRICS \
    HD_EVENT_FIELD(OTF2_MetricRef, metric) \
    uint8_t                 n_metrics = *at++; \
    const OTF2_Type        *types     = chunk->types; \
    const OTF2_MetricValue *values    = chunk->values; \
    const uint8_t          *list      = at; /* `at` itself stays in a register */ \
    is_sound = is_sound && hd_event_take_metrics(chunk, &list, record_end, n_metrics); \
    at       = list;
#define HD_EVENT_PROGRAM \
    HD_EVENT_FIELD(OTF2_StringRef, name) \
    HD_EVENT_FIELD(uint32_t, n_arguments) \
    const OTF2_StringRef *arguments; \
    const uint8_t        *list = at; \
    is_sound  = is_sound && hd_event_take_strings(chunk, &list, record_end, n_arguments); \
    at        = list; \
    arguments = chunk->strings;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
/* As hd_event_decoder. Where byte order and handlers are constants, they are compiled into it. */
static inline __attribute__((always_inline)) hd_decode_end
hd_event_decode(hd_event_chunk *chunk, uint64_t n_most, const hd_event_handlers *handlers, void *user, bool is_big)
{
    const uint8_t       *at = chunk->at;
    const uint8_t *const end = chunk->end;
    uint64_t             n   = chunk->n;
    hd_decode_end        why = HD_DECODE_CUT;

    for (;;) {
        hd_time time;
        uint8_t item;

        if (HD_UNLIKELY(n >= n_most)) {
            why = HD_DECODE_GOES_ON;
            goto end;
        }
        item = *at++;
        if (HD_LIKELY(item == HD_ITEM_TIME)) {
            chunk->recorded = hd_event_full(at, is_big);
            chunk->time     = hd_local_definitions_time(&chunk->definitions, chunk->recorded);
            item            = at[sizeof chunk->recorded];
            at += sizeof chunk->recorded + 1;
        }
        time = chunk->time;
        if (HD_LIKELY(item == HD_EVENT_ENTER)) {
            HD_EVENT_REGION(Enter)
            continue;
        }
        if (HD_LIKELY(item == HD_EVENT_LEAVE)) {
            HD_EVENT_REGION(Leave)
            continue;
        }
        switch (item) {
            HD_EVENT_NUMBERS(HD_EVENT_NUMBER_CASE)
            HD_EVENT_FIELDS(HD_EVENT_RECORD_CASE)
        case HD_EVENT_METRIC:
            HD_EVENT_RECORD(Metric, HD_EVENT_METRICS)
            continue;
        case HD_EVENT_PROGRAM_BEGIN:
            HD_EVENT_RECORD(ProgramBegin, HD_EVENT_PROGRAM)
            continue;
        case HD_ITEM_ATTRIBUTES: {
            const uint8_t *content_end = hd_event_end(&at, end, is_big);

            if (content_end == NULL || !hd_event_take_attributes(chunk, at, content_end))
                goto end;
            at = content_end;
            continue;
        }
        case HD_ITEM_CHUNK_END:
            if (at <= end) /* not one of the zeros behind it */
                why = HD_DECODE_CHUNK_END;
            goto end;
        case HD_ITEM_FILE_END:
            why = HD_DECODE_FILE_END;
            goto end;
        default:
            if (item <= HD_UNKNOWN_ITEMS)
                goto end;
            HD_EVENT_RECORD(Unknown, )
        }
    }
end:
    chunk->at = at;
    chunk->n  = n;
    return why;
}
#pragma GCC diagnostic pop

/* A function for handlers that are constants, in the file's own code: faster where there are many events. */
#define HD_EVENT_DECODER(name, constant_handlers) \
    static hd_decode_end \
    name(hd_event_chunk *chunk, uint64_t n_most, const hd_event_handlers *handlers, void *user) \
    { \
        return chunk->is_big ? hd_event_decode_any(chunk, n_most, handlers, user) \
                             : hd_event_decode(chunk, n_most, constant_handlers, user, false); \
    }

#endif

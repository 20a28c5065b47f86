#include "every_record.h"

static void
mix(record_sum *sum, uint64_t value)
{
    sum->hash = (sum->hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    sum->hash ^= sum->hash >> 29;
}

/* As many bits as the type of an attribute has. */
static uint64_t
bits_of(OTF2_Type type, OTF2_AttributeValue value)
{
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return value.uint8;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return value.uint16;
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64:
    case OTF2_TYPE_DOUBLE:
    case OTF2_TYPE_LOCATION:
        return value.uint64;
    default:
        return value.uint32;
    }
}

static void
mix_record(record_sum *sum, uint8_t number, OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
           const OTF2_AttributeList *attributes)
{
    uint32_t n = attributes != NULL ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;

    sum->n++;
    sum->kinds[number]++;
    sum->n_attributes += n;
    mix(sum, number);
    mix(sum, location);
    mix(sum, time);
    mix(sum, position);
    mix(sum, n);
    for (uint32_t i = 0; i < n; i++) {
        OTF2_AttributeRef   attribute = 0;
        OTF2_Type           type      = 0;
        OTF2_AttributeValue value     = { .uint64 = 0 };

        OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);
        mix(sum, attribute);
        mix(sum, type);
        mix(sum, bits_of(type, value));
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
#define MIX_FIELD(type, name) mix(sum, (uint64_t)name);
#define ON_RECORD(number, kind) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        record_sum *sum = user; \
\
        mix_record(sum, number, location, time, position, attributes); \
        HD_EVENT_##kind(MIX_FIELD) \
        return OTF2_CALLBACK_SUCCESS; \
    }
HD_EVENT_REGIONS(ON_RECORD)
HD_EVENT_NUMBERS(ON_RECORD)
HD_EVENT_FIELDS(ON_RECORD)
ON_RECORD(0, Unknown)

static OTF2_CallbackCode
on_Metric(HD_EVENT_PARAMETERS HD_EVENT_Metric(HD_PARAMETER))
{
    record_sum *sum = user;

    mix_record(sum, 31, location, time, position, attributes);
    mix(sum, metric);
    mix(sum, n_metrics);
    for (uint8_t i = 0; i < n_metrics; i++) {
        mix(sum, types[i]);
        mix(sum, values[i].unsigned_int);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_ProgramBegin(HD_EVENT_PARAMETERS HD_EVENT_ProgramBegin(HD_PARAMETER))
{
    record_sum *sum = user;

    mix_record(sum, 83, location, time, position, attributes);
    mix(sum, name);
    mix(sum, n_arguments);
    for (uint32_t i = 0; i < n_arguments; i++)
        mix(sum, arguments[i]);
    return OTF2_CALLBACK_SUCCESS;
}

#define HANDLER(number, kind) .kind = on_##kind,
const hd_event_handlers every_record = { HD_EVENT_KINDS(HANDLER) .Unknown = on_Unknown, .takes_attributes = true };
#pragma GCC diagnostic pop

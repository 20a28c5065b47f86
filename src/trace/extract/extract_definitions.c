#include "extract_definitions.h"

#include <stdlib.h>

#include "archive_property.h"
#include "definition_records.h"
#include "event_records.h"
#include "table.h"

typedef struct definitions {
    hd_extraction           *all;
    OTF2_GlobalDefWriter *writer;
    hd_table              location_of; /* number in the archive, hashed as it is -> index */
} definitions;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have call sites */
#define ON_DEFINITION(kind) \
    static OTF2_CallbackCode on_##kind(void *user HD_DEFINITION_##kind(HD_PARAMETER)) \
    { \
        definitions *to = user; \
\
        if (to->all->error == OTF2_SUCCESS) \
            to->all->error = OTF2_GlobalDefWriter_Write##kind(to->writer HD_DEFINITION_##kind(HD_ARGUMENT)); \
        return OTF2_CALLBACK_SUCCESS; \
    }
HD_DEFINITION_RECORDS(ON_DEFINITION)

/* A run with other times has another length. */
static OTF2_CallbackCode
on_clock(void *user HD_DEFINITION_ClockProperties(HD_PARAMETER))
{
    const definitions *to     = user;
    hd_span            longer = to->all->request->longer;

    trace_length = longer > -(hd_span)trace_length ? trace_length + (uint64_t)longer : 0;
    return on_ClockProperties(user HD_DEFINITION_ClockProperties(HD_ARGUMENT));
}

static OTF2_CallbackCode
on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    definitions *to    = user;
    uint32_t     index = hd_table_get(&to->location_of, self);

    n_events = index != HD_NONE ? to->all->n_events[index] : 0;
    if (to->all->error == OTF2_SUCCESS)
        to->all->error = OTF2_GlobalDefWriter_WriteLocation(to->writer, self, name, type, n_events, group);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *
new_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define SET_DEFINITION(kind) OTF2_GlobalDefReaderCallbacks_Set##kind##Callback(callbacks, on_##kind);
    HD_DEFINITION_RECORDS(SET_DEFINITION)
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    return callbacks;
}
#pragma GCC diagnostic pop

static void
copy_text(OTF2_Reader *reader, OTF2_ErrorCode (*get)(OTF2_Reader *reader, char **text), OTF2_Archive *archive,
          OTF2_ErrorCode (*set)(OTF2_Archive *archive, const char *text))
{
    char *text = NULL;

    if (get(reader, &text) == OTF2_SUCCESS && text != NULL)
        set(archive, text);
    free(text);
}

hd_status
hd_extract_definitions(hd_extraction *all, OTF2_Archive *archive)
{
    OTF2_Reader                   *reader    = OTF2_Reader_Open(all->request->anchor);
    OTF2_GlobalDefReaderCallbacks *callbacks = NULL;
    OTF2_GlobalDefReader          *from      = NULL;
    definitions                    to        = { .all = all };
    OTF2_ErrorCode                 error     = OTF2_ERROR_INVALID;
    uint64_t                       n;

    if (reader == NULL)
        return hd_fail(HD_EOPEN, "cannot open archive \"%s\" again", all->request->anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    copy_text(reader, OTF2_Reader_GetCreator, archive, OTF2_Archive_SetCreator);
    copy_text(reader, OTF2_Reader_GetMachineName, archive, OTF2_Archive_SetMachineName);
    copy_text(reader, OTF2_Reader_GetDescription, archive, OTF2_Archive_SetDescription);
    if (*hd_defs_text(all->request->defs, all->request->defs->shared_processors) != '\0')
        OTF2_Archive_SetProperty(archive, HD_SHARED_PROCESSORS_PROPERTY,
                                 hd_defs_text(all->request->defs, all->request->defs->shared_processors), false);
    hd_table_init(&to.location_of);
    for (uint32_t i = 0; i < all->request->defs->n_locations; i++)
        hd_table_add(&to.location_of, hd_defs_locations(all->request->defs)[i].ref, i);
    callbacks = new_callbacks();
    from      = OTF2_Reader_GetGlobalDefReader(reader);
    to.writer = OTF2_Archive_GetGlobalDefWriter(archive);
    if (from != NULL && to.writer != NULL)
        error = OTF2_Reader_RegisterGlobalDefCallbacks(reader, from, callbacks, &to);
    if (error == OTF2_SUCCESS)
        error = OTF2_Reader_ReadAllGlobalDefinitions(reader, from, &n);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_Reader_Close(reader);
    hd_table_fini(&to.location_of);
    return error == OTF2_SUCCESS ? HD_OK :
           hd_fail(HD_EREAD, "the definitions of the archive \"%s\" cannot be read", all->request->anchor);
}

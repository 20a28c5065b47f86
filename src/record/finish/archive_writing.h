/* src/record/finish/archive_writing.h: what the writers of definitions share: texts, groups, the first error.
 * Uses: run_model. MT: main thread only. Ranks: local.
 */
#ifndef HD_ARCHIVE_WRITING_H
#define HD_ARCHIVE_WRITING_H

#include <otf2/otf2.h>
#include <string.h>

#include "memory.h"
#include "run_model.h"
#include "text_hash.h"

typedef struct writing {
    const hd_recorded_run  *run;
    OTF2_GlobalDefWriter   *writer;
    OTF2_ErrorCode          error; /* the first */
    char                  **strings; /* [n_strings]: their indexes are their references */
    size_t                  n_strings, room_strings;
    hd_map                  by_hash; /* hash -> index */
    uint32_t                n_groups, n_topologies, n_dimensions;
} writing;

static inline void
note(writing *to, OTF2_ErrorCode error)
{
    if (to->error == OTF2_SUCCESS)
        to->error = error;
}

/* Its reference; defined at once when it is new. */
static inline uint32_t
string(writing *to, const char *text)
{
    uint64_t hash = hd_text_hash(HD_TEXT_HASH, text);
    bool     is_new;

    for (;; hash++) {
        uint64_t *index = hd_map_add(&to->by_hash, hash != HD_MAP_FREE ? hash : 0, &is_new);

        if (!is_new && strcmp(to->strings[*index], text) != 0)
            continue;
        if (is_new) {
            *index = to->n_strings;
            HD_PUSH(to->strings, to->n_strings, to->room_strings, hd_strdup(text));
            note(to, OTF2_GlobalDefWriter_WriteString(to->writer, (uint32_t)*index, text));
        }
        return (uint32_t)*index;
    }
}

/* "MPI Rank 3" */
static inline uint32_t
numbered(writing *to, const char *words, unsigned number)
{
    char    *text      = hd_format("%s %u", words, number);
    uint32_t reference = string(to, text);

    free(text);
    return reference;
}

static inline uint32_t
write_group(writing *to, OTF2_GroupType type, OTF2_Paradigm paradigm, const uint64_t *members, uint32_t n)
{
    note(to, OTF2_GlobalDefWriter_WriteGroup(to->writer, to->n_groups, string(to, ""), type, paradigm,
                                             OTF2_GROUP_FLAG_NONE, n, members));
    return to->n_groups++;
}

/* All locations as one group, and each one's index in it. */
static inline hd_map
write_locations_group(writing *to, OTF2_Paradigm paradigm)
{
    const hd_recorded_run *run      = to->run;
    uint64_t              *all;
    uint32_t               n        = 0;
    hd_map                 index_of = { 0 };
    bool                   is_new;

    for (uint32_t i = 0; i < run->n; i++)
        n += (uint32_t)run->processes[i].raw->n_locations;
    all = HD_NEW_ARRAY(uint64_t, (size_t)n + 1);
    n   = 0;
    for (uint32_t i = 0; i < run->n; i++)
        for (size_t j = 0; j < run->processes[i].raw->n_locations; j++) {
            uint64_t ref = run->processes[i].raw->locations[j].ref;

            *hd_map_add(&index_of, ref, &is_new) = n;
            all[n++]                             = ref;
        }
    write_group(to, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, all, n);
    free(all);
    return index_of;
}

/* A communicator of a group of locations. */
static inline void
write_threads(writing *to, OTF2_Paradigm paradigm, uint32_t number, const uint64_t *members, uint32_t n)
{
    uint32_t group = write_group(to, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, members, n);

    note(to, OTF2_GlobalDefWriter_WriteComm(to->writer, number, string(to, ""), group, OTF2_UNDEFINED_COMM,
                                            OTF2_COMM_FLAG_NONE));
}

#endif

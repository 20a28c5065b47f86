/* src/record/loaded_objects.h: the program and its libraries as they are loaded in this process.
 *
 * The system has a lock while it lists them, under which a program may call functions that are recorded. So no lock of
 * the recorder is held, and no memory is taken, while it does.
 * Uses: base. Owner: free(objects). MT: any thread. Ranks: local.
 */
#ifndef HD_LOADED_OBJECTS_H
#define HD_LOADED_OBJECTS_H

#include "types.h"

typedef struct hd_loaded_object {
    uint64_t words[4]; /* address it is loaded at, its first one, that behind its last one; object_identity.h */
    char     path[];
} hd_loaded_object;

typedef struct hd_loaded_objects {
    char  *objects; /* one behind the other, the program first; NULL: there is no memory */
    size_t bytes;
} hd_loaded_objects;

/* Those that have a path. */
hd_loaded_objects hd_loaded_objects_list(void);
/* The next one; NULL behind the last. object: NULL gives the first. */
const hd_loaded_object *hd_loaded_objects_next(const hd_loaded_objects *list, const hd_loaded_object *object);

/* A function or variable of a library that is loaded out of sight of the linker; begins: of names of libraries, ends
 * with NULL. NULL: no such library is loaded, or it does not have it. */
void *hd_loaded_objects_symbol(const char *const *begins, const char *name);

#endif

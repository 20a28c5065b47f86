/* src/base/module.h: libraries that are loaded when they are needed, and parts of the program that need such: of MPI
 * and cairo most runs need nothing.
 *
 * A part is a file that stands beside the program (as built) or in the folder of its parts (as installed).
 * MT: main thread only. Ranks: local.
 */
#ifndef HD_MODULE_H
#define HD_MODULE_H

/* Loads the file and returns what it exports as symbol. It stays loaded. NULL: it cannot be loaded, or it is of another
 * version; *why says so, free() it. */
void *hd_module_load(const char *file, const char *symbol, char **why);

/* A library of the system: by its name, else in the folder where the build found it. NULL: it cannot be loaded; *why
 * says so, free() it. */
void *hd_library_open(const char *file, const char *folder, char **why);
/* One of its symbols. Not there: NULL, *library becomes NULL, and *why says so, free() it. */
void *hd_library_symbol(void **library, const char *symbol, char **why);

#endif

/* src/base/module.h: parts of the program that are loaded when they are needed, because of the libraries that they
 * bring: MPI, cairo.
 *
 * A part is a file that stands beside the program (as built) or in the folder of its parts (as installed).
 * MT: main thread only. Ranks: local.
 */
#ifndef HD_MODULE_H
#define HD_MODULE_H

/* Loads the file and returns what it exports as symbol. It stays loaded. NULL: it cannot be loaded, or it is of another
 * version; *why says so, free() it. */
void *hd_module_load(const char *file, const char *symbol, char **why);

#endif

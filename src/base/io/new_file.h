/* src/base/io/new_file.h: a file that is written aside and gets its name when it is complete.
 *
 * Where the file system can make files without a name (O_TMPFILE: most local ones), it has none until then, and
 * vanishes with the program however that ends. Elsewhere it is called PATH.tmp-<process id> meanwhile, and is locked;
 * what is left of a program that was killed is not, and is removed by the next one that writes to the same path.
 * Nothing that is there is opened, followed or written to.
 *
 *     NONE ──hd_new_file_open──▶ OPEN ──hd_new_file_commit──▶ NONE, named        OPEN ──hd_new_file_drop──▶ NONE, gone
 *
 * Uses: base. Owner: the caller. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_NEW_FILE_H
#define HD_NEW_FILE_H

#include "types.h"

typedef struct hd_new_file { /* one of zeros is NONE */
    char *path;
    char *temporary; /* NULL: it has no name */
    int   fd;        /* read and write */
    bool  is_open;
} hd_new_file;

/* Makes an empty file beside path. Returns 0 or errno. has_name: it needs one, as others open it by that. */
int hd_new_file_open(hd_new_file *file, const char *path, bool has_name);

/* Closes the file and gives it its name. Without replace nothing that is there is replaced, as far as the file system
 * can tell, and EEXIST returned; with it only files are: EISDIR for a folder, EINVAL for a device or a pipe. In all
 * cases, 0 or errno, nothing else is left. */
int hd_new_file_commit(hd_new_file *file, bool replace);

void hd_new_file_drop(hd_new_file *file); /* fine if it is none, and in a signal handler before that ends the program */
void hd_new_file_fini(hd_new_file *file); /* drops it, and frees */

/* Whether a file could be made there, or replaced. Returns 0 or errno, as the others. */
int hd_new_file_probe(const char *path);

/* The words for what these functions return. */
const char *hd_new_file_why(int error);

/* Whether the name of a file ends in this, with its point (".svg"), in letters of any case. */
bool hd_file_has_ending(const char *path, const char *ending);

#endif

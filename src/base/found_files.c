/* src/base/found_files.c: searches a folder, and the folders in it, for files that an error names. */
#include "found_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "status.h"

enum { MAX_ENTRIES = 10000, MAX_SHOWN = 3 };

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);

    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* The file that an entry stands for, or leads to; NULL: none. free() it. */
static char *
file_of(const char *folder, const char *entry, const char *ending, const char *name)
{
    const char *slash = ends_with(folder, "/") ? "" : "/";
    char       *path;

    if (ends_with(entry, ending))
        return strcmp(folder, ".") == 0 ? hd_strdup(entry) : hd_format("%s%s%s", folder, slash, entry);
    if (entry[0] == '.')
        return NULL;
    path = strcmp(folder, ".") == 0 ? hd_format("%s/%s", entry, name)
                                    : hd_format("%s%s%s/%s", folder, slash, entry, name);
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

size_t
hd_fail_found(const char *folder, const char *ending, const char *name)
{
    struct dirent **entries = NULL;
    int             n       = scandir(folder, &entries, NULL, alphasort);
    char           *shown   = NULL;
    size_t          n_found = 0;

    for (int i = 0; i < n; i++) {
        char *path = n <= MAX_ENTRIES ? file_of(folder, entries[i]->d_name, ending, name) : NULL, *longer;

        if (path != NULL && n_found++ < MAX_SHOWN) {
            longer = hd_format("%s%s\"%s\"", shown != NULL ? shown : "", shown != NULL ? ", " : "", path);
            free(shown);
            shown = longer;
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (n_found > MAX_SHOWN)
        hd_fail_detail("found", "%s and %zu more", shown, n_found - MAX_SHOWN);
    else if (n_found > 0)
        hd_fail_detail("found", "%s", shown);
    free(shown);
    return n_found;
}

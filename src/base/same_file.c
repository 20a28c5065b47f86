#include "same_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"

bool
hd_is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;

    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool
hd_is_same_name(const char *a, const char *b)
{
    const char *a_slash = strrchr(a, '/'), *b_slash = strrchr(b, '/');
    char       *a_folder, *b_folder;
    bool        same;

    if (hd_is_same_file(a, b))
        return true;
    if (strcmp(a_slash != NULL ? a_slash + 1 : a, b_slash != NULL ? b_slash + 1 : b) != 0)
        return false;
    a_folder = hd_format("%.*s.", a_slash != NULL ? (int)(a_slash + 1 - a) : 0, a);
    b_folder = hd_format("%.*s.", b_slash != NULL ? (int)(b_slash + 1 - b) : 0, b);
    same     = hd_is_same_file(a_folder, b_folder);
    free(a_folder);
    free(b_folder);
    return same;
}

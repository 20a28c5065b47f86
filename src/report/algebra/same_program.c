/* src/report/algebra/same_program.c: compares the functions of programs, and their names. */
#include "same_program.h"

#include <inttypes.h>
#include <string.h>

#include "memory.h"

enum {
    FEW_PATHS     = 10, /* less than one of so many call paths in common is next to none */
    FEW_OF_NAMED  = 2,  /* of programs with different names, which may share a library of functions */
    FEW_FUNCTIONS = 5   /* so few may all have been renamed */
};

/* How many call paths that say which program it is the reports have. */
typedef struct path_counts {
    uint32_t common; /* that all reports have */
    uint32_t fewest; /* of the report with fewest */
} path_counts;

typedef bool is_counted(const hd_cube *cube, uint32_t path);

/* Roots correspond whatever they are called. */
static bool
is_no_root(const hd_cube *cube, uint32_t path)
{
    return cube->paths[path].parent != HD_NONE;
}

/* "main", "main(int, char**)", "int main(int, char**)", and that of Fortran. */
static bool
is_main(const char *name)
{
    return strcmp(name, "main") == 0 || strcmp(name, "MAIN__") == 0 || strncmp(name, "main(", strlen("main(")) == 0 ||
           strstr(name, " main(") != NULL;
}

static bool
is_function(const hd_cube *cube, uint32_t path)
{
    static const char *const own[] = { "compiler", "user", "sampling" };
    const hd_cube_region    *region = &cube->regions[cube->paths[path].region];
    bool                     is_own = false;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is_own |= strcmp(region->paradigm, own[i]) == 0;
    return is_own && is_no_root(cube, path) && !is_main(region->name);
}

static path_counts
count(const hd_alignment *alignment, is_counted *counts)
{
    path_counts n = { .fewest = UINT32_MAX };

    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        uint32_t n_own = 0;

        for (uint32_t path = 0; path < alignment->model.n_paths; path++)
            n_own += alignment->path_of[c][path] != HD_NONE &&
                     counts(alignment->cubes[c], alignment->path_of[c][path]);
        n.fewest = n_own < n.fewest ? n_own : n.fewest;
    }
    for (uint32_t path = 0; path < alignment->model.n_paths; path++) {
        bool is_common = counts(&alignment->model, path);

        for (uint32_t c = 0; c < alignment->n_cubes && is_common; c++)
            is_common = alignment->path_of[c][path] != HD_NONE;
        n.common += is_common;
    }
    return n;
}

/* The root of a report, where it has one only: the program. */
static const char *
program_of(const hd_cube *cube)
{
    const char *name = NULL;

    for (uint32_t path = 0; path < cube->n_paths; path++) {
        if (cube->paths[path].parent != HD_NONE)
            continue;
        if (name != NULL)
            return NULL;
        name = cube->paths[path].name;
    }
    return name;
}

/* Another program than the first one's; NULL: there is none, or one of them has no name. */
static const char *
other_program(const hd_alignment *alignment)
{
    const char *first = program_of(alignment->cubes[0]);
    size_t      n     = first != NULL ? strcspn(first, ".") : 0;

    for (uint32_t c = 1; c < alignment->n_cubes && first != NULL; c++) {
        const char *other = program_of(alignment->cubes[c]);

        if (other != NULL && (strcspn(other, ".") != n || strncmp(first, other, n) != 0))
            return other;
    }
    return NULL;
}

/* Whether the reports have less than one of `few` call paths in common. Of fewer than n_min nothing is known. */
static bool
is_next_to_none(path_counts n, uint32_t n_min, uint32_t few)
{
    return n.fewest >= n_min && (uint64_t)n.common * few < n.fewest;
}

char *
hd_same_program_why_not(const hd_alignment *alignment)
{
    path_counts functions = count(alignment, is_function), all = count(alignment, is_no_root);
    const char *other     = other_program(alignment);
    bool        by_name   = other != NULL && (functions.fewest == 0 ? all.common < all.fewest :
                                                                      is_next_to_none(functions, 1, FEW_OF_NAMED));
    char       *programs, *why;

    if (!by_name && !is_next_to_none(functions, FEW_FUNCTIONS, FEW_PATHS) && !is_next_to_none(all, FEW_PATHS, FEW_PATHS))
        return NULL;
    programs = other != NULL ? hd_format(", \"%s\" and \"%s\"", program_of(alignment->cubes[0]), other) : hd_strdup("");
    if (functions.fewest == 0)
        why = hd_format("They seem to be of different programs%s: %" PRIu32 " of %" PRIu32 " call paths are common to them",
                        programs, all.common, all.fewest);
    else
        why = hd_format("They seem to be of different programs%s: %" PRIu32 " of %" PRIu32 " call paths of functions are "
                        "common to them", programs, functions.common, functions.fewest);
    free(programs);
    return why;
}

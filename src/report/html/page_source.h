/* src/report/html/page_source.h: excerpts of the program's source for a page, from folders that the user names.
 *
 * A recorded file is searched by its name and folders, from the whole path to the name alone: of
 * "/home/a/app/src/solve.f90" in DIR "DIR/home/a/app/src/solve.f90", "DIR/a/app/src/solve.f90", ..., "DIR/solve.f90".
 * The first that is a file is taken. A path with ".." is not searched, so that nothing outside of the folders is read.
 * Uses: json, cube_model. MT: one thread. Ranks: local. Grows with: lines that are shown, at most HD_PAGE_EXCERPTS_MAX
 * excerpts.
 */
#ifndef HD_PAGE_SOURCE_H
#define HD_PAGE_SOURCE_H

#include "cube_model.h"
#include "json.h"

enum { HD_PAGE_EXCERPTS_MAX = 4096, HD_PAGE_EXCERPT_LINES = 5 /* before and after the line that is meant */ };

typedef struct hd_page_folders { /* where the program's source is searched */
    const char *const *paths; /* [n] */
    size_t             n;
} hd_page_folders;

typedef struct hd_page_sources {
    uint32_t n_files, n_found; /* that the report names; that are in the folders */
    uint32_t n_excerpts;       /* in the page */
} hd_page_sources;

/* A member "sources": an excerpt around the first line of each region, and around the line of each recorded call.
 * found: out. Files that are not there, or end before the line, have none. */
void hd_page_source_put(hd_json *json, const hd_cube *cube, const hd_page_folders *folders, hd_page_sources *found);

#endif

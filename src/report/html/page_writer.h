/* src/report/html/page_writer.h: a report as one page of HTML, which a browser shows without a network.
 *
 * The page is its program (src/report/html/app/dist/, part of this library) and the report as data; the format is that of
 * docs/formats.md#page. It is written aside, as PAGE.tmp-<process id>, and gets its name when it is complete: whatever goes wrong, nothing
 * half-written is left, and a page that was there stays. A page that would be larger than it may be has the values of its metrics in a
 * folder beside it, PAGE.data. Texts of reports are untrusted and cannot break out of where they stand.
 * Uses: cube_reader; zlib inside. MT: one thread. Ranks: local.
 * Grows with: call paths, locations, chunks that are not zero; rows are read once, 16 of them for each level of sums are held.
 */
#ifndef HD_PAGE_WRITER_H
#define HD_PAGE_WRITER_H

#include "cube_reader.h"
#include "page_difference.h"
#include "page_source.h"

#define HD_PAGE_MAX_BYTES ((uint64_t)64 << 20) /* what browsers open in a second or two: they read all of a page before they show it */

typedef struct hd_page_options {
    const char *title;                /* NULL: the name of the report's file */
    hd_page_difference difference;    /* of A and B: then values of A were subtracted from those of B, and may be negative */
    hd_cube    *reference;            /* a second report, whose values the page shows as percent; NULL: none. Lent */
    bool        with_startup;         /* MPI_Init and MPI_Finalize count (startup.h), as they do in a difference */
    bool        force;                /* a page that is there is replaced */
    uint64_t    max_bytes;            /* of the page, without what is beside it; 0: HD_PAGE_MAX_BYTES */
    hd_page_folders    sources; /* of the program, for excerpts; none: nothing of the source is in the page */
    const _Atomic int *stop; /* NULL, or: as soon as it is not 0 writing ends with HD_EWRITE */
} hd_page_options;

typedef struct hd_page_written {
    uint64_t page_bytes;
    uint64_t beside_bytes; /* of the files in PAGE.data; 0: all is in the page */
    hd_page_sources sources;
    uint32_t n_paths, n_common; /* with a second report: call paths of the report, and how many of them the second one has; else 0 */
} hd_page_written;

/* Tries whether a page can be made there, before work is put into it.
 * Errors: HD_EEXIST, one is there and force is not; HD_EWRITE, no file can be made there. */
hd_status hd_page_probe(const char *path, bool force);

/* Writes the page of a report. written: may be NULL. Cost: a pass over the values, most of it compressing them.
 * Errors: as hd_page_probe(); those of hd_cube_row() and hd_cube_misc(). */
hd_status hd_page_write(hd_cube *cube, const char *path, const hd_page_options *options, hd_page_written *written);

/* Writes a page that has nothing but a head: JSON in UTF-8. options->title is not NULL. Errors: as hd_page_probe(). */
hd_status hd_page_write_head(const char *head, size_t head_bytes, const char *path, const hd_page_options *options);

/* The page that belongs to a report: its path with .html for .cubex, or behind it; free() it. */
char *hd_page_path(const char *report);

/* The folder beside a page; free() it. */
char *hd_page_folder(const char *path);

#endif

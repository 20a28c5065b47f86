/* src/cli/result.h: commands that make something new of reports: opening what they are given, writing what comes out.
 *
 * A result is written aside and gets its name when it is complete; signals that end the program do so after what is unfinished was removed.
 * Uses: cube_reader, cube_out, page_writer, options. MT: main thread only. Ranks: local.
 */
#ifndef HD_RESULT_H
#define HD_RESULT_H

#include "alignment.h"
#include "cube_out.h"
#include "options.h"

typedef struct hd_reports {
    hd_cube **cubes; /* [n] */
    uint32_t  n;
} hd_reports;

/* Opens all; one that is given twice is opened twice. Owner: hd_reports_close(), also on error. Errors: those of hd_cube_open(). */
hd_status hd_reports_open(const hd_texts *paths, hd_reports *reports);
void      hd_reports_close(hd_reports *reports);

/* Tries whether a report can be made there, before work is put into it. path: NULL: none is wanted.
 * Errors: HD_EEXIST, one is there and force is not; HD_EWRITE, no file can be made there. */
hd_status hd_result_probe(const char *path, bool force);

/* Writes a report. Errors: those of hd_cube_out_write(); HD_EWRITE. Ends the program, with nothing left, when a signal wants that. */
hd_status hd_result_write(const hd_cube *cube, hd_cube_rows rows, void *context, const char *path);

/* Writes its page. is_difference: values of two reports were subtracted. The report is written beside the page for the time being.
 * Errors: likewise, and those of hd_page_write(). */
hd_status hd_result_write_page(const hd_cube *cube, hd_cube_rows rows, void *context, const char *path, bool is_difference, bool force);

/* Says on stderr what an alignment had to leave out, and that locations were summed up. */
void hd_result_warn(const hd_alignment *alignment);

#endif

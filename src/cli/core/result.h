/* src/cli/core/result.h: commands that make something new of reports: opening what they are given, writing what comes
 * out.
 *
 * A result is written aside and gets its name when it is complete; signals that end the program do so after what is
 * unfinished was removed.
 * Uses: cube_reader, cube_out, page_writer, options. MT: main thread only. Ranks: local.
 */
#ifndef HD_RESULT_H
#define HD_RESULT_H

#include "algebra.h"
#include "cube_out.h"
#include "options.h"
#include "page_difference.h"

typedef struct hd_reports {
    hd_cube **cubes; /* [n] */
    uint32_t  n;
} hd_reports;

/* Opens all; one that is given twice is opened twice. Owner: hd_reports_close(), also on error. Errors: those of
 * hd_cube_open(). */
hd_status hd_reports_open(const hd_texts *paths, hd_reports *reports);
void      hd_reports_close(hd_reports *reports);

typedef struct hd_result_place { /* where a result goes */
    const char *report; /* NULL: there is to be none */
    const char *page;   /* likewise */
    bool        force;  /* files that are there are replaced */
    hd_page_difference difference; /* what the page of a difference says of A and B; put NULL: it is none */
} hd_result_place;

/* Tries whether files can be made there, before work is put into it. inputs: the reports that the result is made of;
 * its own may replace one of them, its page may not.
 * Errors: HD_EUSAGE, both are the same file, or the page is one of the inputs; HD_EEXIST, one is there and force is
 * not; HD_EWRITE, no file can be made there. */
hd_status hd_result_probe(const hd_result_place *place, const hd_texts *inputs);

/* Whatever --force says, an input is not to be replaced by this. path: NULL: by nothing; what: "page". Errors:
 * HD_EUSAGE. */
hd_status hd_result_spare(const hd_texts *inputs, const char *path, const char *what);

/* Writes a result, its report and then its page, and says on standard output, if wanted, where they are. For a page
 * without a report there is one beside it for the time being.
 * Errors: those of hd_cube_out_write() and hd_page_write(); those of the page say that the report is complete, where
 * there is one. Ends the program, with nothing left, when a signal wants that. */
hd_status hd_result_write(const hd_cube *cube, hd_cube_rows rows, void *context, const hd_result_place *place,
                          bool tells);

/* The mean of reports, or what they have together: opens, computes, writes, and prints the summary of what came out.
 * quiet: nothing is printed but warnings. Errors: those of all that. */
hd_status hd_result_combine(const hd_texts *paths, hd_operation operation, const hd_result_place *place, bool quiet);

/* Says on stderr what an alignment had to leave out, which reports are incomplete, and, if wanted, that locations were
 * summed up. */
void hd_result_warn(const hd_alignment *alignment, bool tells_sums);

/* Warns on stderr if the reports seem to be of different programs (same_program.h). */
void hd_result_warn_of_strangers(const hd_alignment *alignment);

#endif

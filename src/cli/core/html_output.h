/* src/cli/core/html_output.h: the HTML page of a report, as a result of a command.
 * Uses: page_writer, message. MT: main thread only. Ranks: local.
 */
#ifndef HD_HTML_OUTPUT_H
#define HD_HTML_OUTPUT_H

#include <stdio.h>

#include "page_writer.h"

/* Opens a report and writes its page; tells: says on standard output where the page is.
 * Errors: those of hd_cube_open() and hd_page_write(). */
hd_status hd_html_write(const char *report, const char *path, const hd_page_options *options, bool tells);

/* The page as a file in TMPDIR that has no name any more, always in one piece; fclose() it. NULL after an error.
 * Errors: those of hd_html_write(); HD_EWRITE, TMPDIR cannot be written. */
hd_status hd_html_write_aside(const char *report, const hd_page_options *options, FILE **file);

/* The page on standard output, always in one piece: options->max_bytes does not count. It is written to a file in
 * TMPDIR first.
 * Errors: those of hd_html_write(); HD_EWRITE, standard output, or TMPDIR, cannot be written. */
hd_status hd_html_write_stdout(const char *report, const hd_page_options *options);

/* Says on standard output where a page is, and which folder belongs beside it. */
void hd_html_tell(const char *path, const hd_page_written *written);

#endif

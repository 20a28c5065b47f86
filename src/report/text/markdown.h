/* src/report/text/markdown.h: texts of reports in tables of Markdown, as merge requests show it: they stay what they
 * are, whatever is in them. Control characters come out as \xNN. Errors of writing stay with the stream. Uses:
 * findings_tsv. MT: any thread. Ranks: local.
 */
#ifndef HD_MARKDOWN_H
#define HD_MARKDOWN_H

#include <stdio.h>

void hd_markdown_text(FILE *file, const char *text);

/* As code, in which nothing is a name of a person or a number of an issue. */
void hd_markdown_code(FILE *file, const char *text);
void hd_markdown_code_escaped(FILE *file, const char *text); /* text: as hd_path_text() makes it, its control characters
                                                              * are \xNN already */

#endif

/* src/cli/core/template.h: job scripts from templates.
 *
 * A template is text with variables: {{NODES}} becomes the variable's value. A line with a variable that has no value
 * is left out; a value may be empty, so that {{IF_JOB}} in front of a line says when it is there. {{INCLUDE name}}
 * alone on a line is another template.
 * Uses: base. MT: one thread. Ranks: local.
 */
#ifndef HD_TEMPLATE_H
#define HD_TEMPLATE_H

#include <stdio.h>

#include "status.h"

typedef struct hd_template { /* one that the program has */
    const char *name;        /* of its file in jobscripts/ */
    const char *text;
} hd_template;

extern const hd_template hd_templates[]; /* [hd_n_templates] made from jobscripts/ by the build */
extern const size_t      hd_n_templates;

const char *hd_template_find(const char *name); /* its text; NULL: there is none */

typedef struct hd_template_value {
    const char *name;
    const char *value; /* NULL: none */
} hd_template_value;

/* file: the template's name, for errors. Errors: HD_EFORMAT, with the line: a variable that is not among values[n], an
 * unknown template to include. Errors of writing stay with the stream. */
hd_status hd_template_render(const char *file, const char *text, const hd_template_value *values, size_t n, FILE *out);

#endif

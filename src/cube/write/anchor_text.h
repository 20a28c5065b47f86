/* src/cube/write/anchor_text.h: the pieces that anchors are made of.
 *
 * Texts are untrusted: markup is escaped. What there are many of is not formatted, which takes 800 instructions.
 * Uses: out_file. MT: one thread at a time. Ranks: local. Errors stay with out.
 */
#ifndef HD_ANCHOR_TEXT_H
#define HD_ANCHOR_TEXT_H

#include "out_file.h"

void hd_anchor_put(hd_out_file *out, const char *text);                              /* as it is */
void hd_anchor_put_number(hd_out_file *out, uint32_t number);
void hd_anchor_put_element(hd_out_file *out, const char *element, const char *text);
void hd_anchor_put_lines(hd_out_file *out, const char *element, const char *text);   /* keeps line ends and tabs */
void hd_anchor_put_attribute(hd_out_file *out, const char *key, const char *value);  /* an element "attr" */
/* of an XML element: key="value" after a blank */
void hd_anchor_put_value(hd_out_file *out, const char *key, const char *value);
/* a line number; -1 where there is none */
void hd_anchor_put_line(hd_out_file *out, const char *key, int64_t line);
void hd_anchor_put_dimension(hd_out_file *out, const char *name, uint32_t size, bool is_periodic); /* name: "": none */
void hd_anchor_put_coordinate(hd_out_file *out, uint32_t location, const uint32_t *place, uint32_t n);

#endif

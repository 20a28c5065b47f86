/* src/cube/pl/pl_parser.h: an expression of CubePL while it is parsed: its words and signs, and the program that
 * becomes of them. Private to the component.
 *
 * After the first error (hd_pl_refuse()) nothing is left of the text, so that everything ends soon.
 * Uses: cube_pl, cube_pl_op. MT: one thread. Ranks: local.
 */
#ifndef HD_PL_PARSER_H
#define HD_PL_PARSER_H

#include "cube_pl.h"
#include "cube_pl_op.h"

#define HD_PL_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define HD_PL_ID_LETTERS HD_PL_LETTERS "0123456789_:=."
#define HD_PL_NAME_LETTERS HD_PL_LETTERS "0123456789_:-#"

/* What is known of a part of an expression. */
typedef enum hd_pl_nature { HD_PL_CONSTANT, HD_PL_LINEAR, HD_PL_OTHER } hd_pl_nature;

typedef struct hd_pl_parser {
    hd_pl_machine *machine;
    hd_pl_program *program;
    const char    *at;
    void (*block)(struct hd_pl_parser *parser); /* parses { statements }, which expressions may be */
    size_t         ops_capacity, references_capacity, texts_capacity, regexes_capacity, reads_capacity, sets_capacity;
    uint32_t       depth;
    size_t         n_stack;
    char          *why; /* [why_bytes] the first reason; "": none yet */
    size_t         why_bytes;
} hd_pl_parser;

/* The first time: keeps the reason, and skips the rest of the text. Returns HD_PL_OTHER. */
hd_pl_nature hd_pl_refuse(hd_pl_parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One level of nesting more; the caller takes it off depth. False: there are too many, which is refused. */
bool hd_pl_enter(hd_pl_parser *parser);

/* Words and signs; blanks after what is taken are skipped. */
void  hd_pl_skip_blanks(hd_pl_parser *parser);
bool  hd_pl_is_next(hd_pl_parser *parser, const char *token); /* a word counts only as a whole */
bool  hd_pl_takes(hd_pl_parser *parser, const char *token);   /* if it is next */
void  hd_pl_expect(hd_pl_parser *parser, const char *token);  /* anything else is refused */
char *hd_pl_take_name(hd_pl_parser *parser, const char *of, const char *what); /* free() it; "": it is none, and
                                                                                * refused */
char *hd_pl_take_quoted(hd_pl_parser *parser);        /* after the first quote; free() it */
char *hd_pl_take_variable_name(hd_pl_parser *parser); /* after the $: {name}; free() it */
bool  hd_pl_is_reserved(const char *name);            /* a variable that the report sets */

/* The program. pushes: by how much the stack grows. */
void     hd_pl_emit(hd_pl_parser *parser, hd_pl_code code, uint32_t operand, int pushes);
void     hd_pl_emit_number(hd_pl_parser *parser, double number);
uint32_t hd_pl_keep_text(hd_pl_parser *parser, char *text);         /* takes the text over; its index in texts */
uint32_t hd_pl_add_variable(hd_pl_parser *parser, char *name);      /* takes the name over; the variable, new or
                                                                     * known */
uint32_t hd_pl_note_read(hd_pl_parser *parser, uint32_t variable);  /* that it is read; returns it */
void     hd_pl_note_set(hd_pl_parser *parser, uint32_t variable);   /* that it is set */

#endif

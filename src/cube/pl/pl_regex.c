/* src/cube/pl/pl_regex.c: regular expressions of CubePL. */
#include "pl_regex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum {
    MAX_REGEX   = 16384, /* characters */
    MAX_GROUPS  = 50,    /* of a regular expression, inside of each other */
    MAX_REPEATS = 1000,  /* of a regular expression: the product of all upper bounds */
};

/* Extended ones, but for what asks for much time or memory, or means something else in other kinds of them. */
static bool
is_harmless(const char *regex)
{
    size_t groups = 0, repeats = 1;

    for (const char *at = regex; *at != '\0'; at++)
        if (*at == '\\') {
            if (*++at == '\0' || (isalnum((unsigned char)*at) && strchr("wWsSbB", *at) == NULL))
                return false;
        } else if (*at == '(' && ++groups > MAX_GROUPS)
            return false;
        else if (*at == ')' && groups > 0)
            groups--;
        else if (*at == '+' && at > regex && strchr(")+*?}", at[-1]) != NULL) { /* a repeated part is there twice */
            repeats *= 2;
            if (repeats > MAX_REPEATS)
                return false;
        } else if (*at == '{') {
            size_t largest = 1;

            for (const char *digit = at + 1; *digit != '}' && *digit != '\0'; digit++)
                if (isdigit((unsigned char)*digit)) {
                    size_t bound = strtoul(digit, NULL, 10);

                    largest = bound > largest ? bound : largest;
                    digit += strspn(digit, "0123456789") - 1;
                }
            repeats = largest < MAX_REPEATS ? repeats * largest : MAX_REPEATS + 1;
            if (repeats > MAX_REPEATS)
                return false;
        }
    return true;
}

void
hd_pl_parse_regex(hd_pl_parser *parser)
{
    hd_pl_program     *program = parser->program;
    struct hd_pl_regex new;
    char               text[MAX_REGEX + 1];
    size_t             n = 0;

    hd_pl_expect(parser, "/");
    for (; *parser->at != '/' && *parser->at != '\0'; parser->at++) {
        if (parser->at[0] == '\\' && parser->at[1] == '/')
            parser->at++;
        if (n == MAX_REGEX) {
            hd_pl_refuse(parser, "a regular expression is too long");
            return;
        }
        text[n++] = *parser->at;
    }
    text[n] = '\0';
    if (*parser->at != '/') {
        hd_pl_refuse(parser, "a regular expression does not end");
        return;
    }
    parser->at++;
    if (!is_harmless(text) || regcomp(&new.compiled, text, REG_EXTENDED | REG_NOSUB) != 0) {
        hd_pl_refuse(parser, "the regular expression \"%.40s\" is not understood", text);
        return;
    }
    HD_PUSH(program->regexes, program->n_regexes, parser->regexes_capacity, new);
    hd_pl_emit(parser, HD_PL_REGEX, (uint32_t)program->n_regexes - 1, 0);
}

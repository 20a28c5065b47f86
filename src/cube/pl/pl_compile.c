/* src/cube/pl/pl_compile.c: statements of CubePL, and whole programs. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pl_expression.h"

static void parse_block(hd_pl_parser *parser);

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void
parse_assignment(hd_pl_parser *parser)
{
    char    *name = hd_pl_take_variable_name(parser);
    uint32_t variable;

    if (hd_pl_is_reserved(name))
        hd_pl_refuse(parser, "it sets \"${%.60s}\"", name);
    variable = hd_pl_add_variable(parser, name);
    hd_pl_note_set(parser, variable);
    hd_pl_parse_index(parser);
    hd_pl_expect(parser, "=");
    hd_pl_parse_expression(parser);
    hd_pl_emit(parser, HD_PL_STORE, variable, -2);
}

/* global(name), local(name) */
static void
parse_declaration(hd_pl_parser *parser, bool is_global)
{
    char    *name;
    uint32_t variable;

    hd_pl_expect(parser, "(");
    name = hd_pl_take_name(parser, HD_PL_NAME_LETTERS, "a variable");
    if (hd_pl_is_reserved(name))
        hd_pl_refuse(parser, "it sets \"${%.60s}\"", name);
    hd_pl_expect(parser, ")");
    variable = hd_pl_add_variable(parser, name);
    hd_pl_note_set(parser, variable);
    if (*parser->why == '\0')
        parser->machine->variables[variable].is_global |= is_global;
}

static void
parse_void(hd_pl_parser *parser)
{
    char *id = hd_pl_take_name(parser, HD_PL_ID_LETTERS, "a metric");
    char *key, *value;

    (void)hd_pl_keep_text(parser, id);
    hd_pl_expect(parser, "(");
    hd_pl_expect(parser, "\"");
    key = hd_pl_take_quoted(parser);
    hd_pl_expect(parser, ",");
    hd_pl_expect(parser, "\"");
    value = hd_pl_take_quoted(parser);
    hd_pl_expect(parser, ")");
    if (strcmp(key, "value") != 0 || strcmp(value, "VOID") != 0)
        hd_pl_refuse(parser, "it sets properties of metrics");
    free(key);
    free(value);
    hd_pl_emit(parser, HD_PL_VOID, (uint32_t)parser->program->n_texts - 1, 0);
}

/* Returns where the jump is whose target is not known yet. */
static size_t
emit_jump(hd_pl_parser *parser, hd_pl_code code)
{
    hd_pl_emit(parser, code, 0, code == HD_PL_JUMP ? 0 : -1);
    return parser->program->n_ops - 1;
}

static void
land(hd_pl_parser *parser, size_t jump)
{
    if (*parser->why == '\0')
        parser->program->ops[jump].operand = (uint32_t)parser->program->n_ops;
}

static void
parse_enclosed_block(hd_pl_parser *parser)
{
    hd_pl_expect(parser, "{");
    parse_block(parser);
    hd_pl_expect(parser, "}");
}

static size_t
parse_condition(hd_pl_parser *parser)
{
    hd_pl_expect(parser, "(");
    hd_pl_parse_enclosed(parser, ")");
    return emit_jump(parser, HD_PL_JUMP_UNLESS);
}

static void
parse_if(hd_pl_parser *parser)
{
    size_t *ends = NULL;
    size_t  n = 0, capacity = 0;
    bool    is_more;

    do {
        size_t unless = parse_condition(parser);
        size_t end;

        parse_enclosed_block(parser);
        end = emit_jump(parser, HD_PL_JUMP);
        HD_PUSH(ends, n, capacity, end);
        land(parser, unless);
        is_more = hd_pl_takes(parser, "elseif");
    } while (is_more && *parser->why == '\0');
    if (hd_pl_takes(parser, "else"))
        parse_enclosed_block(parser);
    for (size_t i = 0; i < n; i++)
        land(parser, ends[i]);
    free(ends);
}

static void
parse_while(hd_pl_parser *parser)
{
    size_t begin = parser->program->n_ops;
    size_t unless;

    parser->program->has_loops = true;
    unless                     = parse_condition(parser);
    parse_enclosed_block(parser);
    hd_pl_emit(parser, HD_PL_JUMP, (uint32_t)begin, 0);
    land(parser, unless);
}

/* false: there is no further statement. */
static bool
parse_statement(hd_pl_parser *parser)
{
    if (hd_pl_takes(parser, ";"))
        return true;
    if (hd_pl_takes(parser, "if"))
        parse_if(parser);
    else if (hd_pl_takes(parser, "while"))
        parse_while(parser);
    else if (hd_pl_takes(parser, "$"))
        parse_assignment(parser);
    else if (hd_pl_is_next(parser, "global") || hd_pl_is_next(parser, "local")) {
        bool is_global = hd_pl_takes(parser, "global");

        (void)hd_pl_takes(parser, "local");
        parse_declaration(parser, is_global);
    } else if (hd_pl_takes(parser, "cube::metric::set::"))
        parse_void(parser);
    else if (strncmp(parser->at, "cube::", 6) == 0)
        hd_pl_refuse(parser, "it makes or changes metrics");
    else
        return false;
    return *parser->why == '\0';
}

static void
parse_block(hd_pl_parser *parser)
{
    if (!hd_pl_enter(parser))
        return;
    while (parse_statement(parser))
        continue;
    parser->depth--;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool
is_straight(const hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_ops; i++) {
        const struct hd_pl_op *op = &program->ops[i];

        if (op->code == HD_PL_STORE || op->code == HD_PL_JUMP || op->code == HD_PL_JUMP_UNLESS ||
            op->code == HD_PL_VOID || (op->code == HD_PL_FACT && op->operand == HD_PL_LOCATION))
            return false;
    }
    return true;
}

/* What it sets itself is not asked of others. */
static void
drop_own_reads(hd_pl_program *program)
{
    size_t n = 0;

    for (size_t i = 0; i < program->n_reads; i++) {
        bool is_own = false;

        for (size_t j = 0; j < program->n_sets && !is_own; j++)
            is_own = program->sets[j] == program->reads[i];
        if (!is_own)
            program->reads[n++] = program->reads[i];
    }
    program->n_reads = n;
}

bool
hd_pl_compile(hd_pl_machine *machine, const char *text, hd_pl_program *program, char *why, size_t why_bytes)
{
    hd_pl_parser parser = { .block = parse_block, .machine = machine, .program = program, .at = text, .why = why,
                            .why_bytes = why_bytes };

    *program = (hd_pl_program){ 0 };
    *why     = '\0';
    hd_pl_skip_blanks(&parser);
    if (*parser.at == '\0') {
        program->is_straight = true;
        return true;
    }
    program->is_linear = hd_pl_parse_expression(&parser) == HD_PL_LINEAR;
    hd_pl_skip_blanks(&parser);
    if (*parser.at != '\0')
        hd_pl_refuse(&parser, "\"%.20s\" is not understood", parser.at);
    drop_own_reads(program);
    program->is_straight = is_straight(program);
    return *why == '\0';
}

void
hd_pl_fini(hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_references; i++)
        free(program->references[i].id);
    for (size_t i = 0; i < program->n_texts; i++)
        free(program->texts[i]);
    for (size_t i = 0; i < program->n_regexes; i++)
        regfree(&program->regexes[i].compiled);
    free(program->references);
    free(program->texts);
    free(program->regexes);
    free(program->reads);
    free(program->sets);
    free(program->ops);
    *program = (hd_pl_program){ 0 };
}

char
hd_pl_formula(const hd_pl_program *program)
{
    static const struct {
        hd_pl_code code;
        char       formula;
        bool       any_order;
    } formulas[] = { { HD_PL_ADD, '+', true }, { HD_PL_SUBTRACT, '-', false }, { HD_PL_MAX, '>', true },
        { HD_PL_MIN, '<', true } };

    if (program->n_ops != 3)
        return '?';
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (program->ops[2].code == formulas[i].code)
            if ((program->ops[0].code == HD_PL_ARG1 && program->ops[1].code == HD_PL_ARG2) ||
                (formulas[i].any_order && program->ops[0].code == HD_PL_ARG2 && program->ops[1].code == HD_PL_ARG1))
                return formulas[i].formula;
    return '?';
}

/* src/record/launch/function_filter.c: reads a filter file of Score-P, and applies it to the functions of a program. */
#include "function_filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "demangle.h"
#include "memory.h"
#include "symbols.h"

typedef struct reading {
    hd_function_filter *filter;
    const char         *path;
    unsigned            line;
    bool                is_in_block, excludes, is_mangled, has_mode;
} reading;

static hd_status
wrong(const reading *at, const char *what, const char *word)
{
    hd_fail(HD_EFORMAT, "\"%s\" is no filter file: line %u: %s", at->path, at->line, what);
    hd_fail_detail("word", "\"%s\"", word);
    return HD_EFORMAT;
}

static hd_status
take_word(reading *at, const char *word)
{
    if (strcmp(word, "SCOREP_REGION_NAMES_BEGIN") == 0) {
        at->is_in_block = true;
        at->has_mode    = false;
    } else if (strcmp(word, "SCOREP_REGION_NAMES_END") == 0)
        at->is_in_block = false;
    else if (strncmp(word, "SCOREP_FILE_NAMES_", 18) == 0)
        return wrong(at, "functions cannot be filtered by their files", word);
    else if (!at->is_in_block)
        return wrong(at, "this stands outside of SCOREP_REGION_NAMES_BEGIN ... SCOREP_REGION_NAMES_END", word);
    else if (strcmp(word, "EXCLUDE") == 0 || strcmp(word, "INCLUDE") == 0) {
        at->excludes   = word[0] == 'E';
        at->is_mangled = false;
        at->has_mode   = true;
    } else if (!at->has_mode)
        return wrong(at, "EXCLUDE or INCLUDE has to stand before a name", word);
    else if (strcmp(word, "MANGLED") == 0)
        at->is_mangled = true;
    else
        HD_PUSH(at->filter->rules, at->filter->n, at->filter->room,
                ((hd_filter_rule){ .pattern    = hd_strdup(word),
                                   .excludes   = at->excludes,
                                   .is_mangled = at->is_mangled }));
    return HD_OK;
}

hd_status
hd_function_filter_read(const char *path, hd_function_filter *filter)
{
    reading   at     = { .filter = filter, .path = path };
    FILE     *file   = fopen(path, "re");
    char     *line   = NULL, *word, *rest;
    size_t    room   = 0;
    hd_status status = HD_OK;

    *filter = (hd_function_filter){ 0 };
    if (file == NULL)
        return hd_fail(HD_EOPEN, "cannot open the filter file \"%s\": %s", path, strerror(errno));
    while (status == HD_OK && getline(&line, &room, file) >= 0) {
        at.line++;
        line[strcspn(line, "#")] = '\0';
        for (word = strtok_r(line, " \t\r\n", &rest); word != NULL && status == HD_OK;
             word = strtok_r(NULL, " \t\r\n", &rest))
            status = take_word(&at, word);
    }
    if (status == HD_OK && ferror(file))
        status = hd_fail(HD_EREAD, "cannot read \"%s\": %s", path, strerror(errno));
    if (status == HD_OK && at.is_in_block)
        status = wrong(&at, "SCOREP_REGION_NAMES_END is missing", "end of file");
    free(line);
    fclose(file);
    return status;
}

void
hd_function_filter_fini(hd_function_filter *filter)
{
    for (size_t i = 0; i < filter->n; i++)
        free(filter->rules[i].pattern);
    free(filter->rules);
    *filter = (hd_function_filter){ 0 };
}

bool
hd_function_filter_excludes(const hd_function_filter *filter, const char *mangled, const char *readable)
{
    for (size_t i = filter->n; i > 0; i--) {
        const hd_filter_rule *rule = &filter->rules[i - 1];

        if (fnmatch(rule->pattern, rule->is_mangled ? mangled : readable, 0) == 0)
            return rule->excludes;
    }
    return false;
}

/* The symbols are in the order of their addresses, which is what the recorder searches by. */
static bool
write_all(const hd_function_filter *filter, const hd_symbols *symbols, const char *program, FILE *file)
{
    static const char zeros[8];
    size_t            n         = strlen(program);
    unsigned          n_endless = 0;
    bool              is_written = fwrite(program, 1, n, file) == n && fwrite(zeros, 1, 8 - n % 8, file) == 8 - n % 8;

    for (size_t i = 0; i < symbols->n && is_written; i++) {
        hd_symbol  *symbol   = &symbols->functions[i];
        const char *name     = hd_symbols_name(symbols, symbol);
        char       *readable = hd_demangle(name, "", &n_endless);

        if (hd_function_filter_excludes(filter, name, readable != NULL ? readable : name))
            is_written = fwrite(&symbol->from, sizeof symbol->from, 1, file) == 1;
        free(readable);
    }
    return is_written;
}

hd_status
hd_function_filter_write(const hd_function_filter *filter, const char *program, const char *path)
{
    hd_symbols *symbols    = hd_symbols_read(program, HD_SYMBOLS_DEBUG);
    FILE       *file       = fopen(path, "we");
    bool        is_written = file != NULL && write_all(filter, symbols, program, file);

    if (file != NULL && fclose(file) != 0)
        is_written = false;
    hd_symbols_free(symbols);
    return is_written ? HD_OK : hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, strerror(errno));
}

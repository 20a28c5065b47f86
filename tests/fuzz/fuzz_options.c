/* tests/fuzz/fuzz_options.c: a command line, an argument a line, with an option of each type: also numbers, sizes and
 * times. */
#include "fuzz.h"
#include "options.h"

typedef struct fields {
    bool        help;
    hd_texts    operands, texts;
    const char *text;
    bool        flag;
    uint32_t    count, small, choice;
    uint64_t    size;
    hd_duration time;
} fields;

static const hd_option table[] = {
    HD_OPTION_HELP,
    { "text", 'o', HD_TEXT, "(none)", "TEXT", "a text", offsetof(fields, text) },
    { "texts", 0, HD_TEXTS, NULL, "TEXT", "texts", offsetof(fields, texts) },
    { "flag", 'f', HD_FLAG, NULL, NULL, "a flag", offsetof(fields, flag) },
    { "count", 't', HD_COUNT, "3", "N", "a number", offsetof(fields, count) },
    { "small", 0, HD_SMALL_COUNT, NULL, "N", "a small number", offsetof(fields, small) },
    { "choice", 0, HD_CHOICE, "cyclic", "block|cyclic|node", "one of three", offsetof(fields, choice) },
    { "size", 0, HD_BYTES, NULL, "BYTES", "a size", offsetof(fields, size) },
    { "time", 0, HD_TIME, "0", "T", "a time", offsetof(fields, time) },
};

static const hd_command command = { .name = "weave", .operand = "A B...", .operand_offset = offsetof(fields, operands),
                                    .operands_min = 1,
    .operands_max = 9, .what = "weaves", .text = "Weaves.", .example = "", .options = table,
    .n_options = sizeof table / sizeof *table,
    .bytes = sizeof(fields) };

enum { MAX_ARGUMENTS = 40 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char  *text = fuzz_text(data, bytes), *arguments[MAX_ARGUMENTS];
    fields got;
    int    n = 0;

    for (char *next = text, *line; n < MAX_ARGUMENTS && (line = strsep(&next, "\n")) != NULL;)
        arguments[n++] = line;
    if (hd_options_parse(&command, n, arguments, &got) == HD_OK && !got.help) {
        if (got.count == 0 || got.choice > 2 || got.operands.n == 0 || got.operands.n > 9)
            abort(); /* it was promised */
        for (uint64_t resolution = 1; resolution < UINT64_MAX / 1000; resolution *= 999)
            hd_duration_ticks(got.time, resolution);
    }
    hd_options_fini(&command, &got);
    free(text);
    return 0;
}

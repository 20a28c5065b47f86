/* tests/cli/made_up_command.c: pages and completion of a command that has everything a table can have
 *   made_up_command man|bash|zsh|fish
 */
#include <string.h>

#include "completion.h"
#include "manual.h"

typedef struct fields {
    bool        help, quick;
    hd_texts    reports, rules;
    const char *page, *folder;
    uint32_t    colour, n;
} fields;

static const hd_option options[] = {
    { "rule", 'r', HD_TEXTS, NULL, "RULE", "when to fail, as 'x > [1]'; \\ and ` and ^ and ~ are characters too",
      offsetof(fields, rules) },
    { "page", 'p', HD_TEXT, "(.page beside A)", "FILE.html", ".page: the page. The second sentence: 50 % of it",
      offsetof(fields, page) },
    { "folder", 0, HD_TEXT, NULL, "DIR", "a folder", offsetof(fields, folder) },
    { "colour", 'c', HD_CHOICE, "red", "red|green|blue", "one of three", offsetof(fields, colour) },
    { "number", 'n', HD_COUNT, "7", "N", "a number", offsetof(fields, n) },
    { "quick", 'q', HD_FLAG, NULL, NULL, "be quick", offsetof(fields, quick) },
    HD_OPTION_HELP,
};

static const hd_command ply = {
    .name = "ply", .operand = "A B...", .operand_offset = offsetof(fields, reports), .operands_min = 2,
    .operands_max = 3, .parallel = true, .what = "ply reports: it's \"done\" with 'quotes'",
    .text = "Plies reports.\n\n.A paragraph that begins with a full stop, and 'quotes', is long enough that it does "
            "not stay on one line; it goes on.",
    .example = "heddle ply a.cubex b.cubex --rule 'x > 1'\tplies two\nheddle ply a.cubex b.cubex c.cubex",
    .exit_codes = "4\ta rule holds\n5\t.5 of one does", .options = options,
    .n_options = sizeof options / sizeof *options, .bytes = sizeof(fields),
};

int
main(int argc, char **argv)
{
    static const hd_command *const commands[] = { &ply };
    static const char *const       shells[]   = { "bash", "zsh", "fish" };

    if (argc == 2 && strcmp(argv[1], "man") == 0) {
        hd_manual_command(&ply, stdout);
        return 0;
    }
    for (size_t i = 0; argc == 2 && i < 3; i++)
        if (strcmp(argv[1], shells[i]) == 0) {
            hd_completion_print(commands, 1, (hd_shell)i, stdout);
            return 0;
        }
    return 2;
}

/* src/cli/core/terminal.c: looks at standard output for a terminal. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cube_reader.h"
#include "launcher.h"
#include "message.h"
#include "summary.h"

enum { WIDEST_TERMINAL = 160 };                   /* numbers still stand near their names */
enum { NARROWEST_HELP = 40, WIDEST_HELP = 96 };   /* lines that are good to read */

static bool
is_dumb(void)
{
    const char *type = getenv("TERM");

    return type != NULL && strcmp(type, "dumb") == 0;
}

bool
hd_terminal_moves(FILE *out)
{
    return isatty(fileno(out)) && hd_launched_as() == NULL && !is_dumb();
}

/* What the user set for programs whose output is piped, as shells do for themselves; 0: nothing that is a width. */
static uint32_t
width_of_environment(void)
{
    const char   *text = getenv("COLUMNS");
    char         *end;
    unsigned long width;

    if (text == NULL || *text < '0' || *text > '9')
        return 0;
    width = strtoul(text, &end, 10);
    return *end == '\0' && width <= UINT32_MAX ? (uint32_t)width : 0;
}

/* What the user set for a pipe that ends on a terminal, such as "less -R". */
static bool
is_colour_forced(void)
{
    const char *text = getenv("CLICOLOR_FORCE");

    return text != NULL && *text != '\0' && strcmp(text, "0") != 0;
}

hd_summary_options
hd_terminal_look(uint32_t width)
{
    hd_summary_options look = { .width = width > 0 ? width : width_of_environment() };
    struct winsize     size;

    look.has_colour = getenv("NO_COLOR") == NULL && is_colour_forced();
    if (isatty(STDOUT_FILENO) && hd_launched_as() == NULL) { /* launchers show terminals where there are none */
        look.has_colour = look.has_colour || (getenv("NO_COLOR") == NULL && !is_dumb());
        if (look.width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
            look.width = size.ws_col < WIDEST_TERMINAL ? size.ws_col : WIDEST_TERMINAL;
    }
    return look;
}

int
hd_terminal_help_width(void)
{
    uint32_t width = hd_terminal_look(0).width;

    if (width == 0 || width > WIDEST_HELP)
        return WIDEST_HELP;
    return width < NARROWEST_HELP ? NARROWEST_HELP : (int)width;
}

hd_status
hd_summary_show(const char *report, const hd_summary_options *options)
{
    hd_summary_options look = *options, terminal = hd_terminal_look(options->width);
    hd_cube           *cube = NULL;
    hd_status          status;

    look.width      = terminal.width;
    look.has_colour = terminal.has_colour;
    status          = hd_cube_open(report, &cube);
    if (status == HD_OK) {
        hd_message_left_out(stderr, cube);
        status = hd_summary_print(cube, stdout, &look);
    }
    hd_cube_close(cube);
    return status;
}

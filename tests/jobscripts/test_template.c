/* tests/jobscripts/test_template.c: variables, lines that are left out, templates that are included. */
#include "check.h"
#include "template.h"

static const hd_template_value values[] = { { "A", "one" }, { "B", "two" }, { "NONE", NULL }, { "EMPTY", "" },
                                            { "IF_JOB", "" }, { "IF_OWN_JOB", NULL }, { "IF_MPIRUN", NULL },
                                            { "SIGNAL", "TERM" } };

/* What comes out, or the error. */
static const char *
render(const char *text)
{
    static char out[4096];
    FILE       *stream = fmemopen(out, sizeof out, "w");
    hd_status   status;

    out[0] = '\0'; /* in case nothing is written */
    status = hd_template_render("t.sh", text, values, sizeof values / sizeof *values, stream);

    fclose(stream);
    return status == HD_OK ? out : hd_error_get()->text;
}

TEST(variables_become_their_values)
{
    CHECK_STR(render("x {{A}}{{B}} y\nz\n"), "x onetwo y\nz\n");
    CHECK_STR(render("{{A}}"), "one\n");
    CHECK_STR(render("{{EMPTY}}x\n\n"), "x\n\n");
    CHECK_STR(render(""), "");
}

TEST(a_line_without_a_value_is_left_out)
{
    CHECK_STR(render("a\n#X {{A}} {{NONE}}\nb\n"), "a\nb\n");
    CHECK_STR(render("{{IF_JOB}}#X\n{{IF_OWN_JOB}}#Y\n"), "#X\n");
}

TEST(what_is_no_variable_stays)
{
    CHECK_STR(render("{ {A}} ${A} {{A \n}}\n"), "{ {A}} ${A} {{A \n}}\n");
}

TEST(unknown_variables_are_an_error_with_the_line)
{
    CHECK_STR(render("a\n{{QUEUES}}\n"), "template \"t.sh\", line 2: there is no variable \"QUEUES\"");
    CHECK_STR(render("{{}}\n"), "template \"t.sh\", line 1: there is no variable \"\"");
    CHECK_STR(render("{{INCLUDE waits}}\n"), "template \"t.sh\", line 1: there is no \"waits.inc\" to include");
    CHECK_STR(render("x {{INCLUDE wait}}\n"), "template \"t.sh\", line 1: there is no variable \"INCLUDE wait\"");
}

TEST(templates_are_included)
{
    CHECK(strstr(render("a\n{{INCLUDE wait}}\nb\n"), "\nwait \"$heddle_pid\"") != NULL);
    CHECK(hd_template_find("slurm.sh") != NULL);
    CHECK(hd_template_find("slurm") == NULL);
}

TEST_MAIN

/* tests/replay/test_demangled_names.c: regions with names of the linker.
 *
 *   ticks       0                40       50   60
 *   process 0   [__solver_MOD_step]········[send]
 *   process 1   [recv··························]      waiting = 50 - 0
 *   process 2   [_ZN3net4pollEi·······]  [for]        of C++; the construct is in that function
 */
#include <stdio.h>

#include "check.h"
#include "demangle.h"
#include "situation.h"

static const tw_op mangled[] = {
    { .process = 0, .op = TW_USER, .region = "__solver_MOD_step", .enter = 0, .leave = 40 },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 60, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 0, .leave = 60, .peer = 0, .tag = 7 },
    { .process = 2, .op = TW_USER, .region = "_ZN3net4pollEi", .enter = 0, .leave = 42 },
    { .process = 2, .op = TW_USER, .region = "!$omp for @_ZN3net4pollEi", .enter = 50, .leave = 57 },
};

TEST(a_report_has_the_names_of_the_source)
{
    tw_report r = tw_analyze(mangled, TW_LEN(mangled));

    CHECK_SPAN_AT(r, "execution", "main;solver::step", process(0), 40);
    CHECK_SPAN_AT(r, "execution", "__solver_MOD_step", process(0), 0);
    if (*hd_demangle_library() == '\0')
        return;
    CHECK_SPAN_AT(r, "execution", "main;net::poll(int)", process(2), 42);
    CHECK_SPAN_AT(r, "execution", "main;!$omp for @net::poll(int)", process(2), 7);
    CHECK_SPAN(r, "mpi_latesender", process(1), 50);
}

TEST(it_keeps_those_that_were_recorded_where_that_is_asked_for)
{
    tw_report r = tw_analyze_with(mangled, TW_LEN(mangled), .arguments = "--no-demangle");

    CHECK_SPAN_AT(r, "execution", "main;__solver_MOD_step", process(0), 40);
    CHECK_SPAN_AT(r, "execution", "main;_ZN3net4pollEi", process(2), 42);
    CHECK_SPAN_AT(r, "execution", "main;!$omp for @_ZN3net4pollEi", process(2), 7);
}

TEST(numbers_of_another_analyser_go_with_the_names_that_it_has)
{
    tw_report r = tw_analyze_with(mangled, TW_LEN(mangled), .arguments = "--compat=scout26");

    CHECK_SPAN_AT(r, "execution", "main;__solver_MOD_step", process(0), 40);
}

TEST_MAIN

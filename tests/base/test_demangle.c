/* tests/base/test_demangle.c: names of the linker, and those of the source. */
#include "demangle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static char text[20 << 10];

/* "-": the name stays as it is. */
static const char *
of_file(const char *name, const char *file)
{
    unsigned n_endless = 0;
    char    *demangled = hd_demangle(name, file, &n_endless);

    snprintf(text, sizeof text, "%s", demangled != NULL ? demangled : "-");
    free(demangled);
    return text;
}

static const char *
of(const char *name)
{
    return of_file(name, "");
}

static bool
has_cxx(void)
{
    return *hd_demangle_library() != '\0';
}

TEST(names_of_cxx_get_their_types)
{
    CHECK_STR(of("_ZN3net4sendEi"), has_cxx() ? "net::send(int)" : "-");
    CHECK_STR(of("_ZN6vectorIdE6resizeEm"), has_cxx() ? "vector<double>::resize(unsigned long)" : "-");
    CHECK_STR(of("_Z3foov._omp_fn.0"), has_cxx() ? "foo() [clone ._omp_fn.0]" : "-");
    CHECK_STR(of_file("_Z4mainv", "a.cpp"), has_cxx() ? "main()" : "-");
}

TEST(procedures_of_fortran_get_their_module)
{
    CHECK_STR(of("__solver_MOD_step"), "solver::step");
    CHECK_STR(of("__clover_module_MOD_clover_exchange"), "clover_module::clover_exchange");
    CHECK_STR(of("__solver_MOD_step._omp_fn.0"), "solver::step [clone ._omp_fn.0]");
    CHECK_STR(of("_QMsolverPstep"), "solver::step");
    CHECK_STR(of("solver_mp_step_"), "solver::step");
    CHECK_STR(of("step$solver_"), "solver::step");
}

TEST(an_underscore_at_the_end_goes_in_files_of_fortran)
{
    CHECK_STR(of_file("step_", "src/solver.f90"), "step");
    CHECK_STR(of_file("step_", "solver.F"), "step");
    CHECK_STR(of_file("step_", "solver.c"), "-");
    CHECK_STR(of_file("step_", "f90"), "-");
    CHECK_STR(of("step_"), "-");
    CHECK_STR(of_file("MAIN__", "solver.f90"), "-");
    CHECK_STR(of_file("_", "solver.f90"), "-");
}

TEST(what_other_languages_may_mean_needs_a_file_of_fortran)
{
    CHECK_STR(of_file("solver_mp_step_", "solver.f90"), "solver::step");
    CHECK_STR(of_file("solver_mp_step_", "solver.c"), "-");
    CHECK_STR(of_file("step$solver_", "solver.c"), "-");
}

TEST(all_else_stays)
{
    static const char *const names[] =
        { "", "main", "MPI_Send", "net::send(int)", "_Z", "_Zx", "_ZN3netE4sendEi", "__MOD_a", "__a_MOD_", "__A_MOD_b",
          "__a_MOD_B", "_a_MOD_b", "_QM", "_QMaP", "_QMP", "_QMaPB", "_mp_a_", "a_mp_", "a_mp__", "a_mp_b", "$a_",
          "a$_", "a$b", "a$b$c_", "A$b_", "__", "_QMa", "a_mp_b__" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_STR(of(names[i]), "-");
}

/* Each pair is one of two of those before: the 34th is 2^34 words long. */
TEST(a_name_that_would_be_endless_stays)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char              name[512] = "_Z1fSt4pairIiiE";

    for (size_t i = 0; i < 34; i++) {
        CHECK(strcmp(of(name), "-") == 0 ? i > 5 || !has_cxx() : i < 20);
        snprintf(name + strlen(name), sizeof name - strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
    }
    CHECK_STR(of(name), "-");
}

/* GCC 12 reads this name for ever, which other versions need not do. */
TEST(a_name_that_is_read_for_ever_stays)
{
    static const char name[] = "_ZN1AILi3EXadL_Z1gvEEE1hIXsrU_1\xe1\xb7\xe5v\xa4\xd0";
    unsigned          n_endless = 0;

    for (int i = 0; i < 8; i++)
        CHECK(hd_demangle(name, "", &n_endless) == NULL);
    CHECK(n_endless == 0 || n_endless == 4);
    CHECK(n_endless < 4 || hd_demangle("_Z1fv", "", &n_endless) == NULL);
}

TEST_MAIN

/* tests/cube/pl/test_cube_pl.c: CubePL: what expressions give, what is refused, and that nothing gets out of hand. The
 * report that they ask has regions "main" (0) and "MPI_Send" (1, paradigm "mpi"), and three call paths: 0 main, 1
 * MPI_Send, 2 main. Metric "m" is 10, "n" 3, all else 1.
 */
#include <math.h>

#include "check.h"
#include "cube_pl.h"
#include "memory.h"

static char voided[100];

static hd_pl_value
fact(void *context, hd_pl_fact of, double index)
{
    static const char *const names[] = { "main", "MPI_Send" };
    static const char *const paradigms[] = { "user", "mpi" };

    (void)context;
    switch (of) {
    case HD_PL_N_PATHS: return (hd_pl_value){ .number = 3 };
    case HD_PL_PATH: return (hd_pl_value){ .number = 1 };
    case HD_PL_PATH_CALLEE: return (hd_pl_value){ .number = index == 1 };
    case HD_PL_PATH_PARENT: return (hd_pl_value){ .number = index - 1 };
    case HD_PL_REGION_NAME: return (hd_pl_value){ .text = names[index == 1] };
    case HD_PL_REGION_PARADIGM: return (hd_pl_value){ .text = paradigms[index == 1] };
    default: return (hd_pl_value){ .number = -7 };
    }
}

static double
called(void *context, const hd_pl_reference *reference, double path)
{
    (void)context;
    return reference->flavour == HD_PL_INCLUSIVE ? 100 + path : 200 + path;
}

static void
set_void(void *context, const char *id)
{
    (void)context;
    snprintf(voided, sizeof voided, "%s", id);
}

static hd_pl_machine
new_machine(size_t max_items)
{
    hd_pl_machine machine;

    hd_pl_machine_init(&machine, &(hd_pl_host){ .fact = fact, .called = called, .set_void = set_void }, max_items);
    return machine;
}

enum { MAX_STEPS = 10000 };

/* NaN: refused, or it takes too long. */
static double
run(hd_pl_machine *machine, const char *text)
{
    hd_pl_program program;
    char          why[200];
    double        values[20], result = NAN;

    if (!hd_pl_compile(machine, text, &program, why, sizeof why)) {
        hd_pl_fini(&program);
        return NAN;
    }
    for (size_t i = 0; i < program.n_references; i++)
        values[2 * i] = strcmp(program.references[i].id, "m") == 0 ? 10 : strcmp(program.references[i].id, "n") == 0 ?
                        3 : 1;
    if (!hd_pl_run(machine, &program, values, 2, MAX_STEPS, &result))
        result = NAN;
    hd_pl_fini(&program);
    return result;
}

static double
value(const char *text)
{
    hd_pl_machine machine = new_machine(1000);
    double        result  = run(&machine, text);

    hd_pl_machine_fini(&machine);
    return result;
}

#define CHECK_VALUE(text, expected)                                                                                    \
    do {                                                                                                               \
        double got = value(text);                                                                                      \
        if (got != (double)(expected))                                                                                 \
            printf("%s is %.17g\n", text, got);                                                                        \
        CHECK(got == (double)(expected));                                                                              \
    } while (0)

static void
check_refused(const char *text, const char *words)
{
    hd_pl_machine machine = new_machine(1000);
    hd_pl_program program;
    char          why[200];
    bool          is_understood = hd_pl_compile(&machine, text, &program, why, sizeof why);

    CHECK(!is_understood);
    if (!is_understood && strcmp(why, words) != 0)
        CHECK_STR(why, words);
    hd_pl_fini(&program);
    hd_pl_machine_fini(&machine);
}

TEST(arithmetic_has_the_usual_precedence_and_binds_from_the_left)
{
    CHECK_VALUE("1 + 2 * 3", 7);
    CHECK_VALUE("(1+2)*3", 9);
    CHECK_VALUE("10 - 4 - 3", 3);
    CHECK_VALUE("24 / 4 / 2", 3);
    CHECK_VALUE("2 ^ 3 ^ 2", 64);
    CHECK_VALUE("2 * 3 ^ 2", 18);
    CHECK_VALUE(".5 + 1.25", 1.75);
    CHECK_VALUE("", 0);
    CHECK_VALUE("  // nothing but this", 0);
    CHECK_VALUE("1 // one\n + 1", 2);
}

TEST(a_sign_binds_as_minus_does)
{
    CHECK_VALUE("-2 ^ 2", -4);
    CHECK_VALUE("-2 + 5", 3);
    CHECK_VALUE("- - 3", 3);
    CHECK_VALUE("2 * -3 + 10", 4);
    CHECK_VALUE("2 - -3", 5);
    CHECK_VALUE("2 ^ -1", 0.5);
    CHECK_VALUE("-1 == -1", 1);
}

TEST(what_is_divided_by_zero_is_no_number_but_zero_stays_zero)
{
    CHECK_VALUE("0 / 0", 0);
    CHECK(isnan(value("1 / 0")));
    CHECK(isnan(value("log(0)")));
    CHECK_VALUE("log(-1)", 0);
    CHECK_VALUE("sqrt(-4)", 0);
}

TEST(functions_are_those_of_mathematics)
{
    CHECK_VALUE("sqrt(16) + abs(-3) + |-4| + floor(2.9) + ceil(2.1)", 16);
    CHECK_VALUE("max(3, min(7, 5))", 5);
    CHECK_VALUE("sgn(-8) + sgn(0) + sgn(3)", 0);
    CHECK_VALUE("pos(-3) + pos(4)", 4);
    CHECK_VALUE("neg(-3) + neg(4)", -3);
    CHECK_VALUE("exp(0) + cos(0) + sin(0) + tan(0) + asin(0) + acos(1) + atan(0) + log(1)", 2);
}

TEST(comparisons_give_one_or_zero_and_bind_closer_than_and_and_or)
{
    CHECK_VALUE("1 < 2", 1);
    CHECK_VALUE("2 <= 1", 0);
    CHECK_VALUE("1 + 1 == 2 and 3 > 2", 1);
    CHECK_VALUE("1 != 1 or 2 >= 2", 1);
    CHECK_VALUE("(1 == 1) xor (2 == 2)", 0);
    CHECK_VALUE("not (1 == 2)", 1);
    CHECK_VALUE("not (1 == 1) or true", 1);
    CHECK_VALUE("true or true and false", 0); /* from the left */
    CHECK_VALUE("false", 0);
}

TEST(metrics_are_told_apart_by_scope_and_flavour)
{
    hd_pl_machine machine = new_machine(1000);
    hd_pl_program program;
    char          why[200];

    CHECK_VALUE("metric::m() / (metric::n() + metric::context::other())", 2.5);
    CHECK_VALUE("metric::call::m(1 + 1, i) + metric::call::m(0, e)", 302);
    CHECK(hd_pl_compile(&machine,
                        "metric::a() + metric::a(*) + metric::a(e) + metric::a(i) + metric::fixed::a() + "
                        "metric::fixed::a(i) + metric::a(i,e) + metric::x:y=0()",
                        &program, why, sizeof why));
    CHECK_EQ(program.n_references, 6);
    CHECK_EQ(program.references[0].flavour, HD_PL_SAME);
    CHECK_EQ(program.references[1].flavour, HD_PL_EXCLUSIVE);
    CHECK_EQ(program.references[2].flavour, HD_PL_INCLUSIVE);
    CHECK_EQ(program.references[3].scope, HD_PL_TOTAL);
    CHECK_EQ(program.references[4].scope, HD_PL_PATH_SUM);
    CHECK_STR(program.references[5].id, "x:y=0");
    hd_pl_fini(&program);
    hd_pl_machine_fini(&machine);
}

static bool
is_linear(const char *text)
{
    hd_pl_machine machine = new_machine(1000);
    hd_pl_program program;
    char          why[200];
    bool          is = hd_pl_compile(&machine, text, &program, why, sizeof why) && program.is_linear;

    hd_pl_fini(&program);
    hd_pl_machine_fini(&machine);
    return is;
}

TEST(sums_of_results_are_results_of_sums_where_the_expression_is_linear)
{
    CHECK(is_linear("metric::a() + 2 * metric::b() - metric::c() / 4"));
    CHECK(is_linear("-(metric::a() - metric::b())"));
    CHECK(!is_linear("metric::a() / metric::b()"));
    CHECK(!is_linear("metric::a() + 1"));
    CHECK(!is_linear("metric::a() * metric::b()"));
    CHECK(!is_linear("metric::a(i)"));
    CHECK(!is_linear("metric::fixed::a()"));
    CHECK(!is_linear("max(metric::a(), metric::b())"));
    CHECK(!is_linear("${x} * metric::a()"));
    CHECK(!is_linear("1 / metric::a()"));
}

TEST(statements_assign_decide_and_loop)
{
    CHECK_VALUE("{ ${a} = 3; ${b} = ${a} * 2; return ${a} + ${b}; }", 9);
    CHECK_VALUE("{ ${a} = 0; if (1 == 2) { ${a} = 1; } else { ${a} = 2; }; return ${a}; }", 2);
    CHECK_VALUE("{ ${a} = 0; if (1 == 2) { ${a} = 1; } elseif (2 == 2) { ${a} = 5; } elseif (3 == 3) { ${a} = 6; } "
                "else { ${a} = 2; }; return ${a}; }", 5);
    CHECK_VALUE("{ if (1 == 1) { ${a} = 4; } return ${a}; }", 4);
    CHECK_VALUE("{ ${i} = 0; ${s} = 0; while (${i} < 10) { ${i} = ${i} + 1; if (${i} == 5) { ${s} = ${s} + 100; }; "
                "${s} = ${s} + ${i}; }; return ${s}; }", 155);
    CHECK_VALUE("2 * { return 4; } + 1", 9);
    CHECK_VALUE("{ ${x}[3] = 7; ${x}[0] = 1; return ${x}[3] + ${x} + ${x}[1] + ${x}[99] + ${x}[-1] + sizeof(x) + "
                "defined(x) + defined(y); }", 13);
}

TEST(texts_are_compared_and_matched)
{
    CHECK_VALUE("\"abc\" eq \"abc\"", 1);
    CHECK_VALUE("\"abc\" eq \"ABC\"", 0);
    CHECK_VALUE("\"abc\" seq \"ABC\"", 1);
    CHECK_VALUE("\"say \\\"x\\\"\" eq \"say \\\"x\\\"\"", 1);
    CHECK_VALUE("${cube::region::name}[1] =~ /^MPI_(Send|Recv)$/", 1);
    CHECK_VALUE("${cube::region::name}[0] =~ /^MPI_/", 0);
    CHECK_VALUE("\"a/b\" =~ /a\\/b/", 1);
    CHECK_VALUE("\"MPI_Init\" =~ /^MPI_Init(_thread|ialized){0,1}$/", 1);
    CHECK_VALUE("\"3\" + 4", 7);
    CHECK_VALUE("2 eq \"2\"", 1);
}

TEST(global_variables_last_and_others_are_forgotten)
{
    hd_pl_machine machine = new_machine(1000);

    CHECK(run(&machine, "{ global(mask); ${i} = 0; while (${i} < ${cube::#callpaths}) { ${region} = "
              "${cube::callpath::calleeid}[${i}];"
                        " if (${cube::region::paradigm}[${region}] eq \"mpi\") { ${mask}[${i}] = 1; }; ${i} = ${i} + "
              "1; };"
                        " cube::metric::set::omp(\"value\", \"VOID\"); return 0; }") == 0);
    CHECK_STR(voided, "omp");
    CHECK(run(&machine, "${mask}[${calculation::callpath::id}] * metric::m()") == 10);
    CHECK(run(&machine, "${mask}[0] + ${mask}[2] + ${i} + ${region}") == 0);
    hd_pl_machine_fini(&machine);
}

TEST(loops_and_variables_without_end_are_stopped)
{
    CHECK(isnan(value("{ while (true) { ${a} = 1; }; return 1; }")));
    CHECK(isnan(value("{ ${a}[1000] = 1; return 1; }")));
    CHECK(isnan(value("{ ${i} = 0; while (${i} < 2000) { ${a}[${i}] = 1; ${i} = ${i} + 1; }; return 1; }")));
    CHECK(isnan(value("{ ${a}[-1] = 1; return 1; }")));
    CHECK(isnan(value("{ ${a}[log(0)] = 1; return 1; }")));
    CHECK_VALUE("{ ${a}[999] = 1; return ${a}[999]; }", 1);
}

TEST(a_machine_goes_on_behind_a_program_that_was_stopped)
{
    hd_pl_machine machine = new_machine(1000);

    CHECK(isnan(run(&machine, "{ ${a}[998] = 1; while (true) { ${a} = 1; }; return 1; }")));
    CHECK(run(&machine, "{ ${b}[998] = 4; return ${b}[998]; }") == 4);
    hd_pl_machine_fini(&machine);
}

TEST(what_is_not_understood_is_refused_with_a_reason)
{
    check_refused("random(2)", "it asks for random numbers");
    check_refused("env(\"HOME\")", "it asks for the environment");
    check_refused("lowercase(\"A\")", "\"lowercase(\"A\")\" is not understood");
    check_refused("metric::call::a(1, i, 2, i)", "it asks for values of other places");
    check_refused("cube::metric::get::a(\"uom\")", "\"cube::metric::get::a\" is not understood");
    check_refused("{ cube::metric::postderived::x <<1>>; return 1; }", "it makes or changes metrics");
    check_refused("{ cube::metric::set::x(\"uom\", \"s\"); return 1; }", "it sets properties of metrics");
    check_refused("${cube::callpath::weather}[1]", "\"${cube::callpath::weather}\" is not known");
    check_refused("{ ${cube::#metrics} = 1; return 1; }", "it sets \"${cube::#metrics}\"");
    check_refused("1 +", "it ends too early");
    check_refused("(1", "\")\" is missing");
    check_refused("1 2", "\"2\" is not understood");
    check_refused("1.2.3", "\"1.2.3\" is no number");
    check_refused("1e5", "\"e5\" is not understood");
    check_refused("{ return 1 }", "\";\" is missing before \"}\"");
    check_refused("metric::a", "\"(\" is missing");
    check_refused("metric::()", "a metric has no name");
    check_refused("\"text", "a text does not end");
    check_refused("1 =~ /a", "a regular expression does not end");
    check_refused("1 =~ /(a/", "the regular expression \"(a\" is not understood");
    check_refused("1 =~ /(a)\\1/", "the regular expression \"(a)\\1\" is not understood");
    check_refused("1 =~ /a++++++++++++++++++++/", "the regular expression \"a++++++++++++++++++++\" is not understood");
    check_refused("1 =~ /((a{100}){100}){100}/", "the regular expression \"((a{100}){100}){100}\" is not understood");
}

TEST(nesting_and_length_are_limited)
{
    enum { N = 200000 };

    static const char *const pieces[] = { "(", "-", "sqrt(", "{ ${a} = ", "not (", "1 + (", "{ if (1 == 1) ", "|",
                                          "${a}[", "1 ^ ", "1 + ", "metric::call::a(" };
    char *text = HD_NEW_ARRAY(char, N + 100);

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        hd_pl_machine machine = new_machine(1000);
        hd_pl_program program;
        char          why[200];
        size_t        n = 0;

        for (; n < N; n += strlen(pieces[i]))
            memcpy(text + n, pieces[i], strlen(pieces[i]));
        text[n] = '\0';
        CHECK(!hd_pl_compile(&machine, text, &program, why, sizeof why));
        CHECK(strcmp(why, "it is nested too deeply") == 0 || strcmp(why, "it is too long") == 0);
        hd_pl_fini(&program);
        hd_pl_machine_fini(&machine);
    }
    free(text);
}

TEST(all_places_at_once_give_what_each_gives_alone)
{
    static const char *const texts[] = {
        "metric::a()", "7", "", "metric::a() + 2 * metric::b() - metric::c() / 4", "2 ^ -metric::a()",
        "-(metric::a() - |metric::b()|)",
        "metric::a() / metric::b()", "max(metric::a(), min(metric::b(), 3)) + sqrt(metric::c())",
        "not (metric::a() > metric::b())",
        "(metric::a() > 2) and (metric::b() <= 2 or metric::c() != 0) xor (1 == 1)", "${x}[metric::a()] + 1",
        "\"1\" + metric::a()",
        "${cube::region::name}[1] eq \"MPI_Send\"", "metric::a() eq \"2\"", "metric::call::a(metric::b(), i)",
        "metric::call::a(1, i) * metric::a()",
        "{ return metric::a() * 2; } + 1", "{ ${q} = metric::a(); return ${q}; }",
        "${calculation::sysres::id} + metric::a()",
        "(\"MPI_Send\" =~ /Send/) * metric::a()", "metric::a() * metric::a() + metric::a()", "sizeof(x) + metric::a()",
    };
    enum { N_PLACES = 5 };
    static const double values[3 * N_PLACES] = { 0, 1, 2, 3, -4, 5, 2, 0, -1, 2.5, 1e9, 0, 3, -2, 1 };
    int                 n_rows = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hd_pl_machine machine = new_machine(1000);
        hd_pl_program program;
        char          why[200];
        double        row[N_PLACES];

        CHECK(hd_pl_compile(&machine, texts[i], &program, why, sizeof why));
        CHECK(program.n_references <= 3);
        if (hd_pl_run_row(&machine, &program, values, N_PLACES, row)) {
            n_rows++;
            for (size_t j = 0; j < N_PLACES; j++) {
                double one = 0;

                CHECK(hd_pl_run(&machine, &program, values + j, N_PLACES, MAX_STEPS, &one));
                CHECK(memcmp(&one, &row[j], sizeof one) == 0 || (isnan(one) && isnan(row[j])));
            }
        }
        hd_pl_fini(&program);
        hd_pl_machine_fini(&machine);
    }
    CHECK_EQ(n_rows, sizeof texts / sizeof *texts - 5);
}

/* Any result will do, but a crash: run with sanitizers. */
TEST(damaged_programs_are_survived)
{
    static const char text[] = "{ global(m); ${i} = 0; while (${i} < 3) { if (${cube::region::name}[${i}] =~ "
                               "/^M(P|I){0,1}_/ and not (\"a\" eq \"b\")) {"
                               " ${m}[${i}] = max(1, metric::a(i)) / 2; } else { ${m}[${i}] = -|3|^2; }; ${i} = ${i} + "
                               "1; }; return ${m}[1]; }";
    static const char odd[] = "{}()[]$\";/*-+^|=<>0.ai \\";
    uint32_t          seed  = 11;
    int               n_understood = 0;

    CHECK(!isnan(value(text)));
    for (size_t cut = 0; cut < sizeof text; cut++) {
        char part[sizeof text];

        memcpy(part, text, cut);
        part[cut] = '\0';
        n_understood += !isnan(value(part));
    }
    for (int i = 0; i < 20000; i++) {
        hd_pl_machine machine = new_machine(1000);
        hd_pl_program program;
        char          changed[sizeof text], why[50];
        double        values[40] = { 0 }, result, row[2];

        memcpy(changed, text, sizeof text);
        for (int j = 0; j < 1 + i % 4; j++) {
            seed = seed * 1664525 + 1013904223;
            changed[(seed >> 8) % (sizeof text - 1)] = odd[(seed >> 3) % (sizeof odd - 1)];
        }
        if (hd_pl_compile(&machine, changed, &program, why, sizeof why) && program.n_references <= 20) {
            n_understood += hd_pl_run(&machine, &program, values, 2, 500, &result);
            (void)hd_pl_run_row(&machine, &program, values, 2, row);
        }
        hd_pl_fini(&program);
        hd_pl_machine_fini(&machine);
    }
    CHECK(n_understood > 100);
}

TEST_MAIN

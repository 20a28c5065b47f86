/* tests/report/terminal/test_causes_page.c: tables of causes are written, read, and printed as asked for; damaged ones
 * are noticed. */
#define _GNU_SOURCE /* memmem */
#include <unistd.h>

#include "causes_page.h"
#include "cause_list.h"
#include "check.h"
#include "test_comm.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"

#define REPORT "test_causes_page.cubex"

static hd_analysis_comm *group;

/*   0 main ─┬─ 1 solve ─┬─ 3 MPI_Recv       the tree is not depth-first, so ids in the report are others
 *           ├─ 2 MPI_Recv
 *           └─ 4 MPI_Barrier
 */
static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "solve", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    { "MPI_Barrier", "MPI", HD_PARADIGM_MPI, HD_ROLE_BARRIER },
};
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 }, { 1, 2 }, { 0, 3 } };
static const hd_calltree tree    = { nodes, 5 };

/* In thousandths of a second. */
static hd_cause all_causes[] = {
    { 0, HD_DELAY_LATE_SENDER << HD_EFFECT_PATH_BITS | 3, 1000, 3000 },
    { 1, HD_DELAY_LATE_SENDER << HD_EFFECT_PATH_BITS | 2, 500, 0 },
    { 1, HD_DELAY_BARRIER << HD_EFFECT_PATH_BITS | 4, 7000, 1000 },
    { 1, HD_DELAY_OMP_IDLE << HD_EFFECT_PATH_BITS | HD_EFFECT_OTHERS, 250, 0 },
    { HD_NONE, HD_DELAY_BARRIER << HD_EFFECT_PATH_BITS | 4, 125, 0 },
};
static hd_cause all_pairs[] = { { 0, 1, 2000, 1000 }, { 1, 1, 4000, 0 }, { HD_NONE, HD_EFFECT_OTHERS, 50, 0 } };

static void
write_report(bool has_causes)
{
    hd_defs           *defs        = small_defs(regions, 4, 2, 1, false);
    const hd_severity  time        = { 0, HD_METRIC_time, 5 };
    hd_report_location locations[] = { { .location = 0, .entries = &time, .n = 1 }, { .location = 1 } };
    hd_causes          causes = { all_causes, 5 }, pairs = { all_pairs, 3 };

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(group, &(hd_report){ .defs = defs, .tree = &tree, .locations = locations, .n_locations = 2,
                                                .causes = has_causes ? &causes : NULL, .pairs = &pairs,
                                                .cause_fraction = 1000.0 / (double)defs->resolution }, REPORT), HD_OK);
    free(defs);
}

/* What is printed, "" after an error; free() it. */
static char *
print(const hd_causes_options *options)
{
    hd_cube  *cube = NULL;
    char     *text = NULL;
    size_t    bytes;
    FILE     *stream = open_memstream(&text, &bytes);
    hd_status status = hd_cube_open(REPORT, &cube);

    if (status == HD_OK)
        status = hd_causes_print(cube, stream, options);
    fclose(stream);
    hd_cube_close(cube);
    if (status != HD_OK)
        text[0] = '\0';
    return text;
}

static bool
prints(const hd_causes_options *options, const char *wanted)
{
    char *text  = print(options);
    bool  found = strstr(text, wanted) != NULL;

    if (!found)
        fputs(text, stdout);
    free(text);
    return found;
}

TEST(all_rows_come_out_as_they_were)
{
    char *text;

    write_report(true);
    text = print(&(hd_causes_options){ .is_tsv = true });
    CHECK_STR(text, "cause\twaiting at\twait state\tshort-term\tlong-term\n"
                    "main\tmain;solve;MPI_Recv\tlatesender\t1\t3\n"
                    "main;solve\tmain;MPI_Recv\tlatesender\t0.5\t0\n"
                    "main;solve\tmain;MPI_Barrier\tbarrier\t7\t1\n"
                    "main;solve\t\tompidle\t0.25\t0\n"
                    "\tmain;MPI_Barrier\tbarrier\t0.125\t0\n");
    free(text);
    text = print(&(hd_causes_options){ .is_tsv = true, .of_processes = true });
    CHECK_STR(text, "process\twaiting "
              "process\tshort-term\tlong-term\n0\t1\t2\t1\n1\t1\t4\t0\n\t\t0.050000000000000003\t0\n");
    free(text);
}

TEST(the_heaviest_cause_comes_first_with_its_effects)
{
    char       *text = print(&(hd_causes_options){ .look.width = 120 });
    const char *solve, *barrier, *of_main;

    solve   = strstr(text, "main > solve ..."); /* dots lead to the number */
    barrier = strstr(text, "main > MPI_Barrier (Wait at Barrier, 12 % long-term)");
    of_main = strstr(text, "main > solve > MPI_Recv (Late Sender, 75 % long-term)");
    CHECK(solve != NULL && barrier > solve && of_main > barrier);
    CHECK(strstr(text, "12.9 s   100.0 %") != NULL);
    CHECK(strstr(text, "(Idle threads)") != NULL);
    CHECK(strstr(text, "(unattributed)") != NULL);
    free(text);
}

TEST(call_paths_are_chosen_by_their_end)
{
    CHECK(prints(&(hd_causes_options){ .of = "MPI_Recv", .is_tsv = true }, "main;solve\tmain;MPI_Recv"));
    CHECK(prints(&(hd_causes_options){ .of = "solve;MPI_Recv" }, "Waiting time there"));
    CHECK(!prints(&(hd_causes_options){ .of = "solve > MPI_Recv", .is_tsv = true }, "main;MPI_Recv"));
    CHECK(prints(&(hd_causes_options){ .of = "solve > MPI_Recv", .is_tsv = true }, "main\tmain;solve;MPI_Recv"));
    CHECK(prints(&(hd_causes_options){ .of = "MPI_Barrier" }, "(unattributed)"));
    CHECK(prints(&(hd_causes_options){ .by = "main" }, "12.8 s   100.0 %")); /* with what it calls, without what is
                                                                              * unattributed */
    CHECK(!prints(&(hd_causes_options){ .by = "solve", .is_tsv = true }, "\tmain;solve;MPI_Recv"));
    CHECK(prints(&(hd_causes_options){ .by = "solve", .of = "MPI_Barrier" }, "8.00 s   100.0 %"));
    CHECK(prints(&(hd_causes_options){ .by = "MPI_Barrier" }, "no process or thread waited"));
}

TEST(a_call_path_that_is_not_there_is_a_usage_error)
{
    CHECK(!prints(&(hd_causes_options){ .of = "olve" }, "main"));
    CHECK_EQ(hd_error_get()->status, HD_EUSAGE);
    CHECK(!prints(&(hd_causes_options){ .by = "x;main;solve" }, "main"));
    CHECK(!prints(&(hd_causes_options){ .by = "main;" }, "main"));
}

TEST(pairs_of_processes_are_in_the_order_of_their_weight)
{
    char       *text = print(&(hd_causes_options){ .of_processes = true });
    const char *own = strstr(text, "process 1 delays its own threads"),
                      *other = strstr(text, "process 0 delays process 1");

    CHECK(own != NULL && other > own);
    CHECK(strstr(text, "(pairs not listed)") != NULL);
    free(text);
}

TEST(a_report_without_tables_says_so)
{
    write_report(false);
    CHECK(!prints(&(hd_causes_options){ 0 }, "main"));
    CHECK_EQ(hd_error_get()->status, HD_EFORMAT);
    write_report(true);
}

/* Overwrites the first place of `old` in the report. */
static void
damage(const char *old, const char *by)
{
    char   *bytes = HD_NEW_ARRAY(char, 1 << 20), *at = NULL;
    FILE   *file;
    size_t  n;

    write_report(true);
    file = fopen(REPORT, "r+b");
    REQUIRE(file != NULL);
    n    = fread(bytes, 1, 1 << 20, file);
    at   = memmem(bytes, n, old, strlen(old));
    CHECK(at != NULL);
    if (at != NULL) {
        fseek(file, at - bytes, SEEK_SET);
        fwrite(by, 1, strlen(by), file);
    }
    fclose(file);
    free(bytes);
}

static bool
is_refused(bool of_processes)
{
    bool refused = !prints(&(hd_causes_options){ .is_tsv = true, .of_processes = of_processes }, "\t");

    return refused && hd_error_get()->status == HD_EFORMAT;
}

TEST(damaged_tables_are_refused)
{
    damage("cause\teffect", "cauze\teffect");
    CHECK(is_refused(false));
    CHECK(prints(&(hd_causes_options){ .of_processes = true }, "process"));
    damage("latesender\t1\t3", "latesnder\t1\t33");
    CHECK(is_refused(false));
    damage("latesender\t1\t3", "latesender\t1 3");
    CHECK(is_refused(false));
    damage("latesender\t1\t3", "latesender\t1\tx");
    CHECK(is_refused(false));
    damage("latesender\t1\t3", "latesender\t-1");
    CHECK(is_refused(false));
    damage("0\t2\tlatesender", "9\t2\tlatesender"); /* no such call path */
    CHECK(is_refused(false));
    damage("1\t1\t4\t0", "1\t\t4\t0\t");
    CHECK(is_refused(true));
    damage("0\t1\t2\t1", "-\t1\t2\t1");
    CHECK(is_refused(true));
}

int
main(int argc, char **argv)
{
    int failed;

    group  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(group);
    unlink(REPORT);
    return failed;
}

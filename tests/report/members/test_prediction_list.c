/* tests/report/members/test_prediction_list.c: predictions in a report: what is written is read, shown, and checked. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "memory.h"
#include "prediction_list.h"
#include "prediction_page.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_prediction_list.cubex"

static hd_analysis_comm *analysis_comm;

static const small_region regions[]   = { { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION } };
static hd_call_path       nodes[]     = { { HD_NONE, 0 } };
static const hd_calltree  tree        = { nodes, 1 };
static const hd_severity  entries[]   = { { 0, HD_METRIC_time, 600 } };

#define T(text) ((char[]){ text })
static hd_prediction rows[] = {
    { .kind = HD_PREDICTION_ASKED, .text = T("scale \"a\tb\n\\x\" 0.1"), .run_time = 1.0 / 3, .promised = NAN },
    { .kind = HD_PREDICTION_BOUND, .text = T("balance ** to least"), .run_time = 4, .promised = 7, .waiting = 1,
      .waits_at = T("main > a;b") },
    { .kind = HD_PREDICTION_CANDIDATE, .text = T("balance solve"), .run_time = 6, .promised = 5.5, .waiting = 2,
      .waits_at = T("main > MPI_Recv") },
    { .kind = HD_PREDICTION_CANDIDATE, .text = T("without MPI_Barrier"), .run_time = 9.999, .promised = NAN },
    { .kind = HD_PREDICTION_STEP, .text = T("balance solve"), .run_time = 6, .promised = 5.5, .waiting = 2,
      .waits_at = T("main > MPI_Recv") },
};
static hd_curve curves[] = {
    { .text = T("solve"), .run_time = { 10, 9, 8, 7, 6, 6, 6, 6 }, .flat = 4, .next = T("update"), .next_share = 0.75 },
    { .text = T("=update"), .run_time = { 10, 10, 10, 10, 10, 10, 10, 9 }, .flat = HD_NONE },
};
static const hd_predictions all = { .recorded = 10, .n_locations = 1, .waiting = 4, .waits_at = T("main > MPI_Recv"),
                                    .rows = rows, .n = sizeof rows / sizeof *rows, .curves = curves, .n_curves = 2 };

/* hd_cube_close() it. */
static hd_cube *
report_of(const hd_predictions *predictions)
{
    hd_defs           *defs        = small_defs(regions, 1, 1, 1, false);
    hd_report_location locations[] = { { .location = 0, .entries = entries, .n = 1 } };
    hd_findings        findings    = { 0 };
    hd_cube           *cube        = NULL;
    hd_report          report      = { .defs = defs, .tree = &tree, .locations = locations, .n_locations = 1,
                                       .findings = &findings, .predictions = predictions };

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm, &report, REPORT), HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    free(defs);
    return cube;
}

static bool
is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

TEST(what_is_written_is_read)
{
    hd_cube       *cube = report_of(&all);
    hd_predictions read;
    bool           is_there;

    CHECK_EQ(hd_predictions_read(cube, &read, &is_there), HD_OK);
    CHECK(is_there && read.recorded == all.recorded && read.waiting == all.waiting &&
          is_same_text(read.waits_at, all.waits_at));
    CHECK_EQ(read.n_locations, 1);
    CHECK_EQ(read.n, all.n);
    for (size_t i = 0; i < all.n; i++) {
        const hd_prediction *a = &all.rows[i], *b = &read.rows[i];

        CHECK(a->kind == b->kind && is_same_text(a->text, b->text) && is_same_text(a->waits_at, b->waits_at));
        CHECK(a->run_time == b->run_time && a->waiting == b->waiting);
        CHECK(isnan(a->promised) ? isnan(b->promised) : a->promised == b->promised);
    }
    CHECK_EQ(read.n_curves, 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK(is_same_text(read.curves[i].text, curves[i].text) && is_same_text(read.curves[i].next, curves[i].next));
        CHECK(memcmp(read.curves[i].run_time, curves[i].run_time, sizeof curves[i].run_time) == 0);
        CHECK_EQ(read.curves[i].flat, curves[i].flat);
        CHECK(read.curves[i].next_share == curves[i].next_share);
    }
    hd_predictions_fini(&read);
    hd_cube_close(cube);
}

TEST(a_report_without_predictions_has_none)
{
    hd_cube       *cube = report_of(NULL);
    hd_predictions read;
    bool           is_there = true;

    CHECK_EQ(hd_predictions_read(cube, &read, &is_there), HD_OK);
    CHECK(!is_there && read.n == 0 && read.n_curves == 0);
    hd_cube_close(cube);
}

TEST(a_curve_is_flat_where_less_than_a_fiftieth_is_left_to_save)
{
    CHECK_EQ(hd_curve_flat((double[]){ 10, 9, 8, 7, 6, 5, 4, 3 }), HD_NONE);
    CHECK_EQ(hd_curve_flat((double[]){ 10, 9, 8, 7, 3.13, 3, 3, 3 }), 4);
    CHECK_EQ(hd_curve_flat((double[]){ 10, 9, 8, 7, 3.15, 3, 3, 3 }), 5);
    CHECK_EQ(hd_curve_flat((double[]){ 10, 10, 10, 10, 10, 10, 10, 10 }), 0);
    CHECK_EQ(hd_curve_flat((double[]){ 10, 10, 10, 10, 10, 9.997, 9.995, 9.991 }), 0);
}

static char *
text_of(const hd_predictions *predictions, bool with_asked)
{
    hd_name_cuts cuts = { 0 };
    char        *text = NULL;
    size_t       bytes;
    FILE        *stream = open_memstream(&text, &bytes);

    hd_predictions_print(stream, predictions, &(hd_summary_options){ .width = 100 }, &cuts, with_asked);
    fclose(stream);
    hd_name_cuts_fini(&cuts);
    return text;
}

TEST(advice_is_shown_step_by_step_and_each_alone)
{
    char *text = text_of(&all, true);

    CHECK(strstr(text, "scale \"a\\x09b\\x0a\\x5cx\" 0.1") != NULL);
    CHECK(strstr(text, "balance ** to least (bound)") != NULL);
    CHECK(strstr(text, " 6.00 s    4.00 s   40.0 %       5.50 s\n") != NULL);
    CHECK(strstr(text, "recorded: most waiting: 4.00 s (40.0 % of all time) in\n"
                       "    main > MPI_Recv\n") != NULL);
    CHECK(strstr(text, "then: most waiting: 2.00 s (33.3 % of all time) in\n") != NULL);
    CHECK(strstr(text, "(1 more, which save less: --json)\n") != NULL); /* 0.01 % */
    CHECK(strstr(text, "flat from 50 %; then update\n") != NULL);
    free(text);
    text = text_of(&all, false);
    CHECK(strstr(text, "Hypothesis") == NULL && strstr(text, "Advice") != NULL);
    free(text);
}

TEST(where_no_step_is_worth_it_a_line_says_so)
{
    hd_predictions none = { .recorded = 10, .n_locations = 1, .rows = &rows[3], .n = 1 };
    char          *text = text_of(&none, true);

    CHECK(strstr(text, "  none: no balanced region and no barrier left out saves 1 % of the run time\n") != NULL);
    CHECK(strstr(text, "  recorded: no process waits in calls\n") != NULL && strstr(text, "then:") == NULL);
    free(text);
}

/* The table in the file is overwritten at a place, in the same length. */
static hd_status
read_damaged(const char *from, const char *to)
{
    hd_cube       *cube = report_of(&all);
    FILE          *file = fopen(REPORT, "r+b");
    static char    data[1 << 20];
    size_t         n, length = strlen(from);
    hd_predictions read;
    bool           is_there;
    hd_status      status;

    hd_cube_close(cube);
    CHECK(strlen(to) == length);
    if (file == NULL)
        abort();
    n = fread(data, 1, sizeof data, file);
    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(data + i, from, length) == 0) {
            CHECK(fseek(file, (long)i, SEEK_SET) == 0 && fwrite(to, 1, length, file) == length);
            break;
        }
    CHECK_EQ(fclose(file), 0);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    status = hd_predictions_read(cube, &read, &is_there);
    CHECK(status == HD_OK || (read.n == 0 && read.rows == NULL && read.curves == NULL));
    hd_predictions_fini(&read);
    hd_cube_close(cube);
    return status;
}

TEST(a_damaged_table_is_refused)
{
    CHECK_EQ(read_damaged("candidate\t", "candidatX\t"), HD_EFORMAT);
    CHECK_EQ(read_damaged("without MPI_Barrier\t", "without MPI_Barrier "), HD_EFORMAT);
    CHECK_EQ(read_damaged("\t9.999", "\t-9.99"), HD_EFORMAT);
    CHECK_EQ(read_damaged("\\x09", "\\x0g"), HD_EFORMAT);
    CHECK_EQ(read_damaged("bound\t", "asked\t"), HD_OK);
    CHECK_EQ(read_damaged("solve\t10\t9\t8", "solve\t10\t9\t\t"), HD_EFORMAT);
    CHECK_EQ(read_damaged("recorded\t\t", "recorded\tx"), HD_EFORMAT);
    CHECK_EQ(read_damaged("update\t0.75", "update\tnan "), HD_EFORMAT);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed        = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}

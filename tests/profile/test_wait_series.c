/* tests/profile/test_wait_series.c: windows, and waits cut at their bounds. */
#include "wait_series.h"

#include "check.h"
#include "path_series.h"
#include "test_comm.h"

static hd_analysis_comm *analysis_comm;

TEST(windows_divide_the_interval_to_the_tick)
{
    for (uint32_t n = 1; n < 40; n++)
        for (hd_time length = n; length < 90; length++) {
            hd_windows windows = hd_windows_of(1000, 1000 + length, n);

            CHECK_EQ(windows.n, n);
            CHECK_EQ(hd_windows_begin(&windows, 1), 1000);
            CHECK_EQ(hd_windows_begin(&windows, n + 1), 1000 + length);
            for (hd_time time = 1000; time < 1000 + length; time++) {
                uint32_t slice = hd_windows_slice(&windows, time);

                if (slice < 1 || slice > n || hd_windows_begin(&windows, slice) > time ||
                    hd_windows_begin(&windows, slice + 1) <= time)
                    CHECK(!"a time is in the window that begins before it and ends behind it");
            }
        }
}

TEST(what_is_before_and_after_has_slices_of_its_own)
{
    hd_windows windows = hd_windows_of(100, 200, 10);

    CHECK_EQ(hd_windows_slice(&windows, 99), 0);
    CHECK_EQ(hd_windows_slice(&windows, 100), 1);
    CHECK_EQ(hd_windows_slice(&windows, 199), 10);
    CHECK_EQ(hd_windows_slice(&windows, 200), 11);
}

TEST(a_short_interval_has_a_window_for_each_tick_and_an_empty_one_none)
{
    CHECK_EQ(hd_windows_of(5, 8, 100).n, 3);
    CHECK_EQ(hd_windows_of(5, 5, 100).n, 0);
    CHECK_EQ(hd_windows_of(6, 5, 100).n, 0);
}

TEST(long_runs_do_not_overflow)
{
    hd_windows windows = hd_windows_of(0, UINT64_C(1) << 62, 1024);

    CHECK_EQ(hd_windows_begin(&windows, 1025), UINT64_C(1) << 62);
    CHECK_EQ(hd_windows_slice(&windows, (UINT64_C(1) << 62) - 1), 1024);
}

static void
add(hd_wait_series *series, hd_metric metric, hd_time from, hd_span wait)
{
    hd_wait_series_add(series, (hd_series_wait){ metric, 0, 0, from, wait });
}

static void
take(hd_series *all, hd_wait_series *series, uint32_t process, uint32_t n_processes)
{
    hd_wait_series_flush(series);
    hd_series_take(all, NULL, &(hd_series_request){ .rows = series->times, .process = process,
                                  .n_processes = n_processes });
    free(series->times);
}

TEST(a_wait_is_cut_at_the_bounds_of_windows)
{
    hd_windows     windows = hd_windows_of(100, 130, 3);
    hd_wait_series series  = { .windows = &windows };
    hd_series      all     = { .rows = NULL };

    add(&series, HD_METRIC_mpi_latesender, 95, 40); /* 5 before, 10 in each, 5 after */
    add(&series, HD_METRIC_mpi_latesender, 112, 3);
    add(&series, HD_METRIC_mpi_barrier_wait, 109, 6);
    hd_wait_series_take_back(&series, (hd_series_wait){ HD_METRIC_mpi_barrier_wait, 0, 0, 109, 6 });
    hd_wait_series_add_whole(&series, (hd_series_wait){ HD_METRIC_omp_ibarrier_wait, 0, 0, 119, 7 });
    take(&all, &series, 4, 9);
    hd_series_gather(&all, analysis_comm, 9);
    CHECK_EQ(all.n, 6);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_EQ(all.rows[i].slice, i);
        CHECK_EQ(all.rows[i].process, 4);
        CHECK_EQ(all.rows[i].n_processes, 1);
        CHECK_EQ(all.rows[i].ticks, i == 0 || i == 4 ? 5 : i == 2 ? 13 : 10);
    }
    CHECK_EQ(all.rows[5].metric, HD_METRIC_omp_ibarrier_wait);
    CHECK_EQ(all.rows[5].slice, 2);
    CHECK_EQ(all.rows[5].ticks, 7);
    free(all.rows);
}

/* More wait states than can be pending, and such as have the same place there; some are taken back. */
TEST(waits_of_many_kinds_take_turns)
{
    hd_windows     windows = hd_windows_of(0, 40, 4);
    hd_wait_series series  = { .windows = &windows };
    hd_series      all     = { .rows = NULL };
    int64_t        sum     = 0;

    for (uint32_t k = 0; k < 3 * HD_PENDING_WAITS; k++)
        for (uint32_t step = 1; step <= HD_PENDING_WAITS; step += HD_PENDING_WAITS - 1)
            for (hd_time at = 0; at < 40; at += 5)
                add(&series, (hd_metric)(1 + step * (k % 9)), at, 3);
    for (uint32_t k = 0; k < 9; k++)
        hd_wait_series_take_back(&series, (hd_series_wait){ (hd_metric)(1 + k), 0, 0, 12, 2 });
    take(&all, &series, 0, 1);
    hd_series_gather(&all, analysis_comm, 1);
    for (size_t i = 0; i < all.n; i++)
        sum += all.rows[i].ticks;
    CHECK_EQ(sum, 3 * HD_PENDING_WAITS * 2 * 8 * 3 - 9 * 2);
    for (size_t i = 0; i < all.n && all.rows[i].metric == 1; i++) /* k is 0, 9 or 18, with both steps */
        CHECK_EQ(all.rows[i].ticks, 3 * 2 * 2 * 3 - 2 * (all.rows[i].slice == 2));
    CHECK_EQ(all.rows[0].metric, 1);
    free(all.rows);
}

/* Waits of two windows take turns, so each is a row of its own at first. */
TEST(many_waits_take_no_more_room_than_their_sums)
{
    hd_windows     windows = hd_windows_of(0, 20, 2);
    hd_wait_series series  = { .windows = &windows };
    hd_series      all     = { .rows = NULL };

    for (int i = 0; i < 100000; i++)
        add(&series, HD_METRIC_mpi_latesender, i % 2 == 0 ? 1 : 11, 2);
    CHECK(hd_record_run_bytes(&series.times->run) <= 16384);
    take(&all, &series, 0, 1);
    hd_series_gather(&all, analysis_comm, 1);
    CHECK_EQ(all.n, 2);
    CHECK_EQ(all.rows[0].ticks, 100000);
    CHECK_EQ(all.rows[1].ticks, 100000);
    free(all.rows);
}

/* Numbers that do not fit into the word of a row: slices of many iterations, long waits, and what is taken back. */
TEST(rows_keep_any_slice_and_any_time)
{
    static const int64_t  ticks[]  = { 0, 1, INT64_C(1) << 34, (INT64_C(1) << 35) - 2, (INT64_C(1) << 35) - 1,
                                       INT64_C(1) << 35, INT64_MAX, -1, INT64_MIN };
    static const uint32_t slices[] = { 0, 1, 4095, 4096, (1U << HD_SERIES_SLICE_BITS) - 1 };
    static const uint32_t places[] = { 0, 1, 255 };
    hd_wait_rows          rows     = { .most = SIZE_MAX };
    hd_record_cursor      cursor;
    hd_severity           row;

    for (int round = 0; round < 20; round++)
        for (size_t t = 0; t < sizeof ticks / sizeof *ticks; t++)
            for (size_t s = 0; s < sizeof slices / sizeof *slices; s++)
                for (size_t p = 0; p < sizeof places / sizeof *places; p++)
                    hd_wait_rows_put(&rows, hd_wait_row_kind(HD_N_METRICS - 1 - (uint32_t)t, places[p]), slices[s],
                                     ticks[t]);
    cursor = hd_wait_rows_begin(&rows);
    for (int round = 0; round < 20; round++)
        for (size_t t = 0; t < sizeof ticks / sizeof *ticks; t++)
            for (size_t s = 0; s < sizeof slices / sizeof *slices; s++)
                for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
                    CHECK(hd_wait_rows_next(&cursor, &row));
                    CHECK_EQ(row.metric, HD_N_METRICS - 1 - t);
                    CHECK_EQ(hd_series_slice(&row), slices[s]);
                    CHECK_EQ(hd_series_place(&row), places[p]);
                    CHECK_EQ(row.value, ticks[t]);
                }
    CHECK(!hd_wait_rows_next(&cursor, &row));
    hd_wait_rows_fini(&rows);
    cursor = hd_wait_rows_begin(&rows);
    CHECK(!hd_wait_rows_next(&cursor, &row));
}

/* Times of states and of forks and joins have no call path. */
TEST(a_process_is_taken_by_process_and_by_call_path)
{
    hd_windows          windows = hd_windows_of(0, 40, 4);
    const uint8_t       place[] = { 3 }, *const places[] = { place };
    hd_wait_series      series  = { .windows = &windows, .places = places };
    hd_series           all     = { .rows = NULL };
    hd_path_series      paths;

    hd_path_series_init(&paths, 6);
    add(&series, HD_METRIC_mpi_latesender, 5, 10); /* 5 in window 1 and 2 */
    hd_wait_series_add(&series, (hd_series_wait){ HD_METRIC_omp_time, HD_NONE, 0, 12, 3 });
    hd_wait_series_sums(&series, false, 0)[4] = 7;
    hd_wait_series_sums(&series, false, 2)[2] = 4;
    hd_wait_series_flush(&series);
    hd_series_take(&all, &paths, &(hd_series_request){ series.times, series.sums->windows, 6, 1, 2 });
    CHECK(series.sums->windows[0] == NULL && series.sums->windows[1] == NULL);
    free(series.times);
    free(series.sums);
    hd_series_gather(&all, analysis_comm, 2);
    hd_path_series_gather(&paths, analysis_comm, 2);
    CHECK_EQ(all.n, 4);
    for (size_t i = 0; i < all.n; i++) {
        CHECK_EQ(all.rows[i].process, 1);
        CHECK_EQ(all.rows[i].slice, all.rows[i].metric == HD_METRIC_comp ? 4 :
                                    all.rows[i].metric == HD_METRIC_omp_time ? 2 : all.rows[i].slice);
        CHECK_EQ(all.rows[i].ticks, all.rows[i].metric == HD_METRIC_mpi_latesender ? 5 : 7);
    }
    CHECK_EQ(paths.n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(paths.rows[i].metric, HD_METRIC_mpi_latesender);
        CHECK_EQ(paths.rows[i].place, 3);
        CHECK_EQ(paths.rows[i].slice, i + 1);
        CHECK_EQ(paths.rows[i].sum, 5);
        CHECK_EQ(paths.rows[i].process, 1);
    }
    free(all.rows);
    hd_path_series_fini(&paths);
}

/* 3,000 iterations, four of which are a slice of rows. */
TEST(iterations_that_are_one_slice_are_joined_in_rows_and_not_in_totals)
{
    enum { N = 3000, SHIFT = 2 };
    hd_series all = { .n_iterations = N, .shift = SHIFT };
    uint64_t *totals;

    for (uint32_t process = 0; process < 2; process++) {
        for (uint32_t slice = 0; slice < N + 3; slice++)
            *hd_series_sum(&all, HD_METRIC_mpi_latesender, slice) += slice % 3;
        hd_series_end(&all, process, 2);
    }
    totals = hd_series_take_totals(&all, HD_METRIC_mpi_latesender);
    for (uint32_t slice = 0; slice < N + 3; slice++)
        CHECK_EQ(totals[slice], 2 * (slice % 3));
    free(totals);
    CHECK(hd_series_take_totals(&all, HD_METRIC_mpi_latesender) == NULL);
    hd_series_gather(&all, analysis_comm, 2);
    CHECK_EQ(all.n, 2 * (N / 4 + 2)); /* slice 0 has nothing; behind them and between them: 3001 and 3002 */
    for (uint32_t i = 0; i < N / 4; i++) {
        CHECK_EQ(all.rows[i].slice, i + 1);
        CHECK_EQ(all.rows[i].ticks, (4 * i + 1) % 3 + (4 * i + 2) % 3 + (4 * i + 3) % 3 + (4 * i + 4) % 3);
    }
    CHECK_EQ(all.rows[N / 4].ticks, 1);
    CHECK_EQ(all.rows[N / 4 + 1].ticks, 2);
    free(all.rows);
}

TEST(rows_of_a_metric_keep_long_times_of_far_processes)
{
    static const uint32_t processes[] = { 0, 1, 2, 3000000, 3000001, 7, 4000000000 };
    hd_series             all         = { .rows = NULL };
    uint32_t              n           = 0;

    for (uint32_t i = 0; i < 7; i++) {
        for (uint32_t slice = 0; slice < 40; slice++, n++)
            *hd_series_sum(&all, HD_METRIC_mpi_latesender, slice) = i % 2 == 0 ? (INT64_C(1) << 32) - 1 + slice :
                                                                                 slice + 1;
        hd_series_end(&all, processes[i], 4096);
    }
    hd_series_gather(&all, analysis_comm, 4096);
    CHECK_EQ(all.n, n);
    for (uint32_t slice = 0; slice < 40; slice++) {
        CHECK_EQ(all.rows[slice].process, 0);
        CHECK_EQ(all.rows[slice].ticks, (INT64_C(1) << 32) - 1 + slice);
        CHECK_EQ(all.rows[120 + slice].process, 7);
        CHECK_EQ(all.rows[120 + slice].ticks, slice + 1);
        CHECK_EQ(all.rows[200 + slice].process, 3000001);
        CHECK_EQ(all.rows[200 + slice].ticks, (INT64_C(1) << 32) - 1 + slice);
    }
    free(all.rows);
}

TEST(packed_rows_are_put_in_order_metric_by_metric)
{
    hd_series        all = { .n = 0 };
    hd_series_cursor cursor;
    uint32_t         n[2] = { 0 };

    for (uint32_t process = 100; process-- > 0;) /* backwards, and each row in two parts */
        for (int64_t part = 1; part <= 2; part++) {
            for (uint32_t slice = 0; slice < 3; slice++) {
                *hd_series_sum(&all, HD_METRIC_mpi_latesender, slice)   = part << 40;
                *hd_series_sum(&all, HD_METRIC_mpi_latereceiver, slice) = part;
            }
            hd_series_end(&all, process, 100);
        }
    hd_series_gather_packed(&all, analysis_comm, 100);
    CHECK_EQ(all.n, 600);
    for (cursor = hd_series_begin(&all); hd_series_next(&cursor);) {
        bool     is_sender = cursor.row.metric == HD_METRIC_mpi_latesender;
        uint32_t at        = n[is_sender]++;

        CHECK(is_sender || cursor.row.metric == HD_METRIC_mpi_latereceiver);
        CHECK_EQ(cursor.row.process, at / 3);
        CHECK_EQ(cursor.row.slice, at % 3);
        CHECK_EQ(cursor.row.ticks, is_sender ? INT64_C(3) << 40 : 3);
    }
    CHECK_EQ(n[0], 300);
    CHECK_EQ(n[1], 300);
    hd_series_fini(&all);
}

TEST(of_many_processes_neighbours_are_together)
{
    hd_windows windows = hd_windows_of(0, 10, 1);
    hd_series  all     = { .rows = NULL };

    for (uint32_t process = 9990; process < 10000; process++) {
        hd_wait_series series = { .windows = &windows };

        add(&series, HD_METRIC_mpi_latesender, 1, 2);
        take(&all, &series, process, 10000);
    }
    hd_series_gather(&all, analysis_comm, 10000);
    CHECK_EQ(all.n, 4); /* three together: 9990, 9993, 9996, and 9999 alone */
    CHECK_EQ(all.rows[0].process, 9990);
    CHECK_EQ(all.rows[0].n_processes, 3);
    CHECK_EQ(all.rows[0].ticks, 6);
    CHECK_EQ(all.rows[3].process, 9999);
    CHECK_EQ(all.rows[3].n_processes, 1);
    free(all.rows);
}

/* Rows of a process at places 0 and 1, slice 0. */
static void
add_paths(hd_path_series *all, int64_t first, int64_t second, uint32_t process, uint32_t n_processes)
{
    hd_severity entries[] = {
        { .call_path = 0, .metric = HD_METRIC_mpi_latesender, .value = first },
        { .call_path = 1U << HD_SERIES_SLICE_BITS, .metric = HD_METRIC_mpi_latesender, .value = second },
    };

    hd_path_series_add(all, entries, second > 0 ? 2 : 1, process, n_processes);
}

TEST(call_paths_have_the_sum_of_all_processes_and_the_most_of_one)
{
    hd_path_series all;

    hd_path_series_init(&all, 1);
    add_paths(&all, 5, 0, 0, 3);
    add_paths(&all, 9, 2, 1, 3);
    add_paths(&all, 9, 7, 2, 3);
    hd_path_series_gather(&all, analysis_comm, 3);
    CHECK_EQ(all.n, 2);
    CHECK_EQ(all.rows[0].sum, 23);
    CHECK_EQ(all.rows[0].most, 9);
    CHECK_EQ(all.rows[0].process, 1);
    CHECK_EQ(all.rows[1].place, 1);
    CHECK_EQ(all.rows[1].sum, 9);
    CHECK_EQ(all.rows[1].most, 7);
    CHECK_EQ(all.rows[1].process, 2);
    hd_path_series_fini(&all);
}

TEST(of_many_processes_the_most_is_of_neighbours)
{
    enum { N = 3 * HD_MAX_SERIES - 1 };
    hd_path_series all;

    hd_path_series_init(&all, 1);
    for (uint32_t process = 0; process < N; process++)
        add_paths(&all, process == 10 || process == 11 ? 6 : process == 20 ? 11 : 1, 1, process, N); /* 9-11: a row */
    hd_path_series_gather(&all, analysis_comm, N);
    CHECK_EQ(all.n, 2);
    CHECK_EQ(all.n_together, 3);
    CHECK_EQ(all.rows[0].sum, N - 3 + 12 + 11);
    CHECK_EQ(all.rows[0].most, 13);
    CHECK_EQ(all.rows[0].process, 9);
    CHECK_EQ(all.rows[1].most, 3);
    CHECK_EQ(all.rows[1].process, 0);
    hd_path_series_fini(&all);
}

TEST(neighbours_that_are_on_several_ranks_are_joined_at_the_end)
{
    enum { N = 3 * HD_MAX_SERIES };
    hd_path_series all;

    hd_path_series_init(&all, 1);
    add_paths(&all, 4, 0, 0, N); /* as if others were elsewhere, and came in between */
    add_paths(&all, 5, 0, 3, N);
    add_paths(&all, 4, 0, 1, N);
    hd_path_series_gather(&all, analysis_comm, N);
    CHECK_EQ(all.n, 1);
    CHECK_EQ(all.rows[0].sum, 13);
    CHECK_EQ(all.rows[0].most, 8);
    CHECK_EQ(all.rows[0].process, 0);
    hd_path_series_fini(&all);
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

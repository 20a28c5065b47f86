/* tests/profile/test_cause_table.c: rows of pairs are added up, and the largest of all ranks come out on rank 0. */
#include "cause_table.h"
#include "check.h"
#include "test_comm.h"

static hd_analysis_comm *analysis_comm;

static void
add(hd_cause_table *table, uint32_t cause, uint32_t effect, int64_t short_term, int64_t long_term)
{
    hd_cause *row = hd_cause_table_slot(table, cause, effect);

    row->short_term += short_term;
    row->long_term += long_term;
}

static bool
is_row(const hd_cause *row, uint32_t cause, uint32_t effect, int64_t short_term, int64_t long_term)
{
    return row->cause == cause && row->effect == effect && row->short_term == short_term && row->long_term == long_term;
}

TEST(an_effect_is_a_kind_and_a_call_path)
{
    uint32_t effect = hd_effect(HD_DELAY_NBC, 123456789);

    CHECK_EQ(hd_effect_delay(effect), HD_DELAY_NBC);
    CHECK_EQ(hd_effect_call_path(effect), 123456789);
    CHECK_EQ(hd_effect_call_path(hd_effect(HD_DELAY_NBC, HD_NONE)), HD_EFFECT_OTHERS);
    CHECK(hd_effect(HD_N_DELAYS - 1, HD_NONE) != HD_NONE);
}

/* Each rank adds the same rows, so all values come out as often as there are ranks. */
TEST(rows_of_all_ranks_are_added_up_and_sorted)
{
    const hd_cause_selection all   = { .most = 1000, .lump = hd_cause_lump_effects };
    hd_cause_table           table = { 0 };
    int64_t                  n     = hd_analysis_comm_size(analysis_comm);
    hd_causes                causes;

    add(&table, 7, 3, 1, 0);
    add(&table, 2, 9, 10, 20);
    add(&table, 7, 3, 4, 100);
    add(&table, HD_NONE, 3, 6, 0);
    add(&table, 2, 8, 5, -5);
    add(&table, 1, 1, 0, 0);
    causes = hd_cause_table_gather(&table, analysis_comm, &all);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        CHECK_EQ(causes.n, 0);
        return;
    }
    CHECK_EQ(causes.n, 4);
    CHECK(is_row(&causes.rows[0], 2, 8, 5 * n, -5 * n));
    CHECK(is_row(&causes.rows[1], 2, 9, 10 * n, 20 * n));
    CHECK(is_row(&causes.rows[2], 7, 3, 5 * n, 100 * n));
    CHECK(is_row(&causes.rows[3], HD_NONE, 3, 6 * n, 0));
    free(causes.rows);
}

/* One that is there, and one that is not. */
TEST(rows_that_are_not_looked_for_are_added_up_with_others)
{
    const hd_cause_selection all   = { .most = 1000, .lump = hd_cause_lump_effects };
    hd_cause_table           table = { 0 };
    int64_t                  n     = hd_analysis_comm_size(analysis_comm);
    hd_causes                causes;

    add(&table, 7, 3, 1, 5);
    hd_cause_table_append(&table, 2, 9, 10);
    hd_cause_table_append(&table, 7, 3, 4);
    causes = hd_cause_table_gather(&table, analysis_comm, &all);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        CHECK_EQ(causes.n, 0);
        return;
    }
    CHECK_EQ(causes.n, 2);
    CHECK(is_row(&causes.rows[0], 2, 9, 10 * n, 0));
    CHECK(is_row(&causes.rows[1], 7, 3, 5 * n, 5 * n));
    free(causes.rows);
}

TEST(many_pairs_keep_their_values)
{
    hd_cause_table table = { 0 }, other = { 0 };

    for (uint32_t i = 0; i < 20000; i++)
        add(&table, i % 200, i / 200, i, 1);
    for (uint32_t i = 0; i < 20000; i += 2)
        add(&other, i % 200, i / 200, 1, i);
    hd_cause_table_merge(&table, &other);
    CHECK_EQ(table.n, 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        const hd_cause *row = hd_cause_table_slot(&table, i % 200, i / 200);

        CHECK(is_row(row, i % 200, i / 200, i + (i % 2 == 0), 1 + (i % 2 == 0 ? i : 0)));
    }
    CHECK_EQ(table.n, 20000);
    hd_cause_table_fini(&table);
    hd_cause_table_fini(&other);
}

TEST(small_effects_of_a_cause_become_one_for_each_kind)
{
    const hd_cause_selection two   = { .most = 2, .lump = hd_cause_lump_effects };
    hd_cause_table           table = { 0 };
    int64_t                  n     = hd_analysis_comm_size(analysis_comm);
    hd_causes                causes;

    add(&table, 5, hd_effect(HD_DELAY_BARRIER, 1), 100, 0);
    add(&table, 5, hd_effect(HD_DELAY_BARRIER, 2), 2, 1);
    add(&table, 5, hd_effect(HD_DELAY_BARRIER, 3), 4, 0);
    add(&table, 5, hd_effect(HD_DELAY_N2N, 3), 1, 1);
    add(&table, 5, hd_effect(HD_DELAY_BARRIER, HD_NONE), 1000, 0); /* is lumped already, and none of the two */
    add(&table, 6, hd_effect(HD_DELAY_BARRIER, 2), 0, 50);
    causes = hd_cause_table_gather(&table, analysis_comm, &two);
    if (hd_analysis_comm_rank(analysis_comm).v != 0)
        return;
    CHECK_EQ(causes.n, 4);
    CHECK(is_row(&causes.rows[0], 5, hd_effect(HD_DELAY_BARRIER, 1), 100 * n, 0));
    CHECK(is_row(&causes.rows[1], 5, hd_effect(HD_DELAY_BARRIER, HD_NONE), 1006 * n, n));
    CHECK(is_row(&causes.rows[2], 5, hd_effect(HD_DELAY_N2N, HD_NONE), n, n));
    CHECK(is_row(&causes.rows[3], 6, hd_effect(HD_DELAY_BARRIER, 2), 0, 50 * n));
    free(causes.rows);
}

/* Process p makes p + 1 wait for 1000 - p, on the rank that hosts p. */
TEST(the_heaviest_pairs_of_processes_do_not_depend_on_who_hosts_them)
{
    const hd_cause_selection ten   = { .most = 10, .lump = hd_cause_lump_processes, .is_local = true };
    hd_cause_table           table = { 0 };
    int64_t                  rest  = 0;
    hd_causes                causes;

    for (uint32_t p = 0; p < 100; p++)
        if (p % hd_analysis_comm_size(analysis_comm) == hd_analysis_comm_rank(analysis_comm).v)
            add(&table, p, p + 1, 1000 - p, 3);
    causes = hd_cause_table_gather(&table, analysis_comm, &ten);
    if (hd_analysis_comm_rank(analysis_comm).v != 0)
        return;
    CHECK_EQ(causes.n, 11);
    for (uint32_t p = 0; p < 10; p++)
        CHECK(is_row(&causes.rows[p], p, p + 1, 1000 - p, 3));
    for (int64_t p = 10; p < 100; p++)
        rest += 1000 - p;
    CHECK(is_row(&causes.rows[10], HD_NONE, HD_EFFECT_OTHERS, rest, 90 * 3));
    free(causes.rows);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}

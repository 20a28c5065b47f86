/* tests/base/test_finding.c: equal findings are one row; rows are told apart by every part of their place. */
#include "check.h"
#include "finding.h"
#include "memory.h"
#include "random_numbers.h"

static const hd_finding plain = { .kind = HD_FINDING_UNMATCHED_SEND, .process = 1, .thread = 2, .call_path = 3,
                                  .peer = 4, .communicator = 5, .tag = 6, .time = 70, .count = 1 };

TEST(equal_findings_are_one_row_with_their_count)
{
    hd_findings findings = { 0 };
    hd_finding  other    = plain;

    hd_findings_add(&findings, plain);
    other.count = 10;
    hd_findings_add(&findings, other);
    CHECK_EQ(findings.n, 1);
    CHECK_EQ(findings.rows[0].count, 11);
    hd_findings_fini(&findings);
}

TEST(findings_that_differ_in_any_part_of_their_place_are_rows_of_their_own)
{
    hd_findings findings  = { 0 };
    hd_finding  others[8];

    for (int i = 0; i < 8; i++)
        others[i] = plain;
    others[1].kind = HD_FINDING_CUT_EVENTS;
    others[2].process++;
    others[3].thread++;
    others[4].call_path++;
    others[5].peer++;
    others[6].communicator++;
    others[7].tag++;
    for (int i = 0; i < 8; i++)
        hd_findings_add(&findings, others[i]);
    CHECK_EQ(findings.n, 8);
    hd_findings_fini(&findings);
}

TEST(the_first_time_is_kept)
{
    hd_findings findings = { 0 };
    hd_finding  other    = plain;

    hd_findings_add(&findings, plain);
    other.time = 50;
    hd_findings_add(&findings, other);
    other.time = 90;
    hd_findings_add(&findings, other);
    CHECK_EQ(findings.rows[0].time, 50);
    hd_findings_fini(&findings);
}

TEST(an_unknown_time_does_not_hide_a_known_one)
{
    for (int unknown_first = 0; unknown_first < 2; unknown_first++) {
        hd_findings findings = { 0 };
        hd_finding  other    = plain;

        other.time = 0;
        hd_findings_add(&findings, unknown_first ? other : plain);
        hd_findings_add(&findings, unknown_first ? plain : other);
        CHECK_EQ(findings.rows[0].time, 70);
        hd_findings_fini(&findings);
    }
}

/* More places than a table has slots, then all of them once more. Whether their hashes are equal or next to each other
 * or not, each has its row. */
TEST(many_places_each_have_their_row)
{
    hd_findings findings = { 0 };
    uint32_t    n = 0, wrong = 0;

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t process = 0; process < 20; process++)
            for (uint32_t peer = 0; peer < 20; peer++)
                for (uint32_t tag = 0; tag < 20; tag++) {
                    hd_findings_add(&findings, (hd_finding){ .process = process, .peer = peer, .tag = tag,
                                                             .count = 1 });
                    n += pass == 0;
                }
    CHECK_EQ(findings.n, n);
    for (size_t i = 0; i < findings.n; i++)
        wrong += findings.rows[i].count != 2;
    CHECK_EQ(wrong, 0);
    hd_findings_fini(&findings);
}

/* The hash of a place is not to be seen from here, but its slot is: a row is put where the next place belongs. */
TEST(a_place_whose_hash_is_taken_by_another_one_has_its_own_row)
{
    hd_findings findings = { 0 }, alone = { 0 };
    hd_finding  other    = plain;
    uint64_t    key      = 0;

    other.tag++;
    hd_findings_add(&alone, other);
    for (uint32_t i = 0; i <= alone.index.mask; i++)
        if (alone.index.slots[i].value == 0)
            key = alone.index.slots[i].key;
    HD_PUSH(findings.rows, findings.n, findings.capacity, plain); /* as if both had the same hash */
    hd_table_add(&findings.index, key, 0);
    hd_findings_add(&findings, other);
    hd_findings_add(&findings, other);
    CHECK_EQ(findings.n, 2);
    CHECK_EQ(findings.rows[0].count, 1);
    CHECK_EQ(findings.rows[1].count, 2);
    CHECK_EQ(findings.rows[1].tag, other.tag);
    hd_findings_fini(&findings);
    hd_findings_fini(&alone);
}

static bool
is_before(const hd_finding *a, const hd_finding *b)
{
    const uint32_t left[]  = { a->kind, a->process, a->thread, a->call_path, a->peer, a->communicator, a->tag };
    const uint32_t right[] = { b->kind, b->process, b->thread, b->call_path, b->peer, b->communicator, b->tag };

    for (int i = 0; i < 7; i++)
        if (left[i] != right[i])
            return left[i] < right[i];
    return false;
}

TEST(rows_are_sorted_by_kind_process_thread_call_path_peer_communicator_and_tag)
{
    hd_findings findings = { 0 };
    uint64_t    seed     = 9, count = 0;
    uint32_t    wrong    = 0;

    for (int i = 0; i < 3000; i++)
        hd_findings_add(&findings,
                        (hd_finding){ .kind = (hd_finding_kind)random_below(&seed, 2),
                                      .process = random_below(&seed, 3),
                                      .thread = random_below(&seed, 2), .call_path = random_below(&seed, 3),
                                      .peer = random_below(&seed, 2) ? HD_NONE : 1,
                                      .communicator = random_below(&seed, 2),
                                      .tag = random_below(&seed, 3), .count = 1 });
    hd_findings_sort(&findings);
    for (size_t i = 0; i < findings.n; i++) {
        count += findings.rows[i].count;
        wrong += i > 0 && !is_before(&findings.rows[i - 1], &findings.rows[i]);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(count, 3000);
    hd_findings_fini(&findings);
}

TEST(no_findings_can_be_sorted)
{
    hd_findings findings = { 0 };

    hd_findings_sort(&findings);
    CHECK_EQ(findings.n, 0);
    hd_findings_fini(&findings);
}

TEST(every_kind_has_an_id_of_its_own_and_words)
{
    for (int i = 0; i < HD_N_FINDINGS; i++) {
        CHECK(hd_finding_infos[i].id != NULL && hd_finding_infos[i].many != NULL && hd_finding_infos[i].one != NULL);
        for (int j = 0; j < i; j++)
            /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): checked above */
            CHECK(strcmp(hd_finding_infos[i].id, hd_finding_infos[j].id) != 0);
    }
}

TEST_MAIN

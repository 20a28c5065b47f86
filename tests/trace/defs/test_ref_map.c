/* tests/trace/defs/test_ref_map.c: numbers of the archive become indexes of the definitions. */
#include "check.h"
#include "ref_map.h"

TEST(dense_numbers_are_their_indexes_and_others_are_not_there)
{
    static const uint32_t numbers[] = { 0, 1, 2, HD_NONE, HD_NONE };
    hd_refs               refs;

    hd_refs_init(&refs, numbers, 5);
    CHECK_EQ(refs.n_dense, 3);
    CHECK_EQ(hd_refs_index(&refs, 2), 2);
    CHECK_EQ(hd_refs_index(&refs, 3), HD_NONE);
    CHECK_EQ(hd_refs_index(&refs, HD_NONE), HD_NONE);
    hd_refs_fini(&refs);
}

TEST(numbers_in_any_order_are_found)
{
    static const uint32_t numbers[] = { 7, 4000000000, 0, HD_NONE };
    hd_refs               refs;

    hd_refs_init(&refs, numbers, 4);
    CHECK_EQ(refs.n_dense, 0);
    CHECK_EQ(hd_refs_index(&refs, 7), 0);
    CHECK_EQ(hd_refs_index(&refs, 4000000000), 1);
    CHECK_EQ(hd_refs_index(&refs, 0), 2);
    CHECK_EQ(hd_refs_index(&refs, 1), HD_NONE);
    CHECK_EQ(hd_refs_index(&refs, HD_NONE), HD_NONE);
    hd_refs_fini(&refs);
}

TEST_MAIN

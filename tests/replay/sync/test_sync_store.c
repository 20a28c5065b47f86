/* tests/replay/sync/test_sync_store.c: blocks of points go from the end on, and those before them stay. */
#include "sync_store.h"

#include "check.h"

enum { N_BLOCKS = 4 };

/* Points of four blocks, as if they were built; the enter of each is its number. */
static hd_syncs *
built(hd_scratch *scratch)
{
    hd_syncs    *syncs = hd_syncs_new(scratch, 0);
    hd_sync_room room  = { .points = NULL };
    size_t       n_own, n_notified;

    for (uint32_t i = 0; i < N_BLOCKS * HD_SYNC_BLOCK; i++)
        hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_EDGE, .delay = HD_DELAY_NONE, .enter = i });
    CHECK(hd_syncs_decode(syncs, &room, &n_own, &n_notified) == NULL);
    hd_sync_room_fini(&room, scratch);
    syncs->points   = NULL;
    syncs->blocks   = hd_scratch_alloc(scratch, N_BLOCKS, sizeof *syncs->blocks);
    syncs->n_blocks = N_BLOCKS;
    for (uint32_t b = 0; b < N_BLOCKS; b++) {
        syncs->blocks[b] = hd_scratch_alloc(scratch, 1, sizeof(hd_sync_block) +
                                            HD_SYNC_BLOCK * sizeof(hd_packed_sync));
        for (uint32_t i = 0; i < HD_SYNC_BLOCK; i++)
            syncs->blocks[b]->points[i].enter = b * HD_SYNC_BLOCK + i;
    }
    return syncs;
}

TEST(blocks_behind_that_of_a_point_go)
{
    hd_syncs *syncs = built(NULL);

    hd_syncs_drop_behind(syncs, N_BLOCKS * HD_SYNC_BLOCK); /* the end: all are before it */
    CHECK_EQ(syncs->n_blocks, N_BLOCKS);
    hd_syncs_drop_behind(syncs, 2 * HD_SYNC_BLOCK); /* the first point of the third block */
    CHECK_EQ(syncs->n_blocks, 3);
    CHECK_EQ(hd_sync_enter_at(syncs, 3 * HD_SYNC_BLOCK - 1), 3 * HD_SYNC_BLOCK - 1);
    hd_syncs_drop_behind(syncs, 2 * HD_SYNC_BLOCK - 1); /* the last one of the second */
    CHECK_EQ(syncs->n_blocks, 2);
    hd_syncs_drop_behind(syncs, 3 * HD_SYNC_BLOCK); /* it is gone already */
    CHECK_EQ(syncs->n_blocks, 2);
    hd_syncs_drop_behind(syncs, 0);
    CHECK_EQ(syncs->n_blocks, 1);
    CHECK_EQ(hd_sync_enter_at(syncs, 5), 5);
    CHECK_EQ(syncs->n, N_BLOCKS * HD_SYNC_BLOCK);
    hd_syncs_free(syncs);
}

TEST_MAIN

/* tests/trace/decode/test_oplog_collectives.c: collective operations, blocking or not, and MPI_Init and MPI_Finalize in
 * the op log. */
#include "op_reading.h"

TEST(a_collective_has_its_begin_its_end_and_its_root)
{
    static const uint32_t roots[] = { 0, 2, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2 };
    hand_made             h       = begin();
    reading               r;

    begin_location(&h, 0);
    for (uint32_t i = 0; i < 5; i++) {
        enter(&h, 100 * i + 10, MPI_BARRIER);
        coll_begin(&h, 100 * i + 12);
        coll_end(&h, 100 * i + 40, BCAST, WORLD, roots[i], 10, 20);
        leave(&h, 100 * i + 45, MPI_BARRIER);
    }
    r = end(&h);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(hd_cursor_call(&r.cursor));
        hd_cursor_op(&r.cursor, &r.op);
        CHECK_EQ(r.op.kind, HD_OP_COLL);
        CHECK_EQ(r.op.operation, BCAST);
        CHECK_EQ(r.op.root, roots[i]);
        CHECK_EQ(r.op.begin, 100 * i + 12);
        CHECK_EQ(r.op.time, 100 * i + 40);
        CHECK_EQ(r.op.sent, 10);
        CHECK_EQ(r.op.received, 20);
    }
    CHECK_EQ(r.cursor.log->n_channels, 1);
    CHECK_EQ(r.cursor.log->channels[0].n, 5);
    hand_made_fini(&h);
}

/* Ours come behind those of OTF2: what an archive says cannot be one of these. */
TEST(a_collective_that_is_not_known_is_none_of_ours)
{
    static const uint32_t operations[] =
        { 23, HD_OPERATION_WIN_CREATE, HD_OPERATION_WIN_FENCE, HD_OPERATION_OTHER, 0x100, 0xFFFFFFFF };
    hand_made             h            = begin();
    reading               r;

    begin_location(&h, 0);
    for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        enter(&h, 10 * i, MPI_BARRIER);
        coll_end(&h, 10 * i + 4, operations[i], WORLD, HD_NONE, 0, 0);
        leave(&h, 10 * i + 5, MPI_BARRIER);
    }
    r = end(&h);
    for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        CHECK(hd_cursor_call(&r.cursor));
        hd_cursor_op(&r.cursor, &r.op);
        CHECK_EQ(r.op.operation, HD_OPERATION_OTHER);
    }
    hand_made_fini(&h);
}

TEST(a_collective_without_a_begin_record_begins_with_its_call)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 5, MPI_INIT);
    coll_begin(&h, 6); /* belongs to the making of a handle, which is not a collective to anybody who waits */
    coll_end(&h, 7, CREATE_HANDLE, WORLD, HD_NONE, 0, 0);
    leave(&h, 8, MPI_INIT);
    enter(&h, 10, MPI_BARRIER);
    coll_end(&h, 40, BARRIER, WORLD, HD_NONE, 0, 0);
    leave(&h, 45, MPI_BARRIER);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_INIT);
    CHECK_EQ(r.cursor.n_left, 0);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.begin, 10);
    hand_made_fini(&h);
}

TEST(init_and_finalize_are_records_of_their_first_call)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    for (hd_time at = 0; at < 200; at += 100) {
        enter(&h, at + 10, MPI_INIT);
        leave(&h, at + 20, MPI_INIT);
        enter(&h, at + 30, MPI_FINALIZE);
        leave(&h, at + 40, MPI_FINALIZE);
    }
    r = end(&h);
    CHECK(location_of(&h, 0)->has_init);
    CHECK_EQ(r.cursor.log->n_calls, 2);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_INIT);
    CHECK_EQ(r.op.begin, 10);
    CHECK_EQ(r.op.time, 20);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_FINALIZE);
    CHECK_EQ(r.op.begin, 30);
    hand_made_fini(&h);
}

TEST(non_blocking_collectives_are_numbered_in_the_order_of_their_starts)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    for (uint64_t i = 0; i < 3; i++) {
        enter(&h, 10 * i + 1, MPI_IBARRIER);
        nbc_request(&h, 10 * i + 2, 300 + i);
        leave(&h, 10 * i + 3, MPI_IBARRIER);
    }
    enter(&h, 100, MPI_WAITALL);
    nbc_complete(&h, 105, BARRIER, WORLD, 302);
    nbc_complete(&h, 106, BCAST, WORLD, 300);
    leave(&h, 110, MPI_WAITALL);
    enter(&h, 120, MPI_WAIT);
    nbc_complete(&h, 125, BARRIER, PAIR, 301);
    leave(&h, 130, MPI_WAIT);
    r = end(&h);
    for (int i = 0; i < 3; i++) {
        CHECK(hd_cursor_call(&r.cursor));
        hd_cursor_op(&r.cursor, &r.op);
        CHECK_EQ(r.op.kind, HD_OP_POST);
        CHECK_EQ(r.op.flags, HD_OP_COLLECTIVE);
    }
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_NBC);
    CHECK_EQ(r.op.operation, BARRIER);
    CHECK_EQ(r.op.number, 2);
    CHECK_EQ(r.op.begin, 21);
    CHECK_EQ(r.op.time, 110);
    CHECK_EQ(r.op.sent, 16);
    CHECK_EQ(r.op.received, 24);
    CHECK_EQ(r.cursor.log->rare->nbcs[2].number, 1); /* the second one of WORLD */
    CHECK_EQ(r.cursor.log->channels[r.op.channel].n, 2);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.number, 0);
    CHECK_EQ(r.cursor.log->rare->nbcs[0].number, 0);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.number, 1);
    CHECK_EQ(r.cursor.log->rare->nbcs[1].number, 0); /* the first one of PAIR */
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_non_blocking_collective_that_is_never_completed_is_a_finding)
{
    hand_made h = begin();

    begin_location(&h, 0);
    enter(&h, 1, MPI_IBARRIER);
    nbc_request(&h, 2, 300);
    leave(&h, 3, MPI_IBARRIER);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(location_of(&h, 0)->log.rare->nbcs[0].channel, HD_NONE);
    CHECK_EQ(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST), 1);
    hand_made_fini(&h);
}

TEST(a_handle_made_without_blocking_is_no_collective)
{
    hand_made h = begin();

    begin_location(&h, 0);
    enter(&h, 1, MPI_IBARRIER);
    nbc_request(&h, 2, 300);
    leave(&h, 3, MPI_IBARRIER);
    enter(&h, 4, MPI_WAIT);
    nbc_complete(&h, 5, CREATE_HANDLE, WORLD, 300);
    leave(&h, 6, MPI_WAIT);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(location_of(&h, 0)->log.n_ops, 1); /* the posting call */
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST_MAIN

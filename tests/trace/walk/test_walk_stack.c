/* Regions that tasks have open are told so that they nest. */
#include "walk_stack.h"

#include "check.h"

static char told[1024];

static void
tell(char what, hd_time time, uint32_t region, bool is_continued)
{
    size_t n = strlen(told);

    snprintf(told + n, sizeof told - n, " %c%u@%u%s", what, region, (unsigned)time, is_continued ? "+" : "");
}

static void
enter(void *user, hd_time time, uint32_t region, bool is_continued)
{
    (void)user;
    tell('(', time, region, is_continued);
}

static void
leave(void *user, hd_time time, uint32_t region, bool is_continued)
{
    (void)user;
    tell(')', time, region, is_continued);
}

static const hd_walk_sink sink = { .enter = enter, .leave = leave };

static hd_walk_stack
begin(bool tells)
{
    hd_walk_stack stack;

    told[0] = '\0';
    hd_walk_stack_init(&stack, &sink, NULL);
    if (tells)
        hd_walk_stack_begin(&stack, 0);
    return stack;
}

static void
enter_at(hd_walk_stack *stack, hd_time time, uint32_t region)
{
    stack->now = time;
    hd_walk_stack_enter(stack, region, HD_NONE);
}

static void
leave_at(hd_walk_stack *stack, hd_time time, uint32_t region)
{
    stack->now = time;
    hd_walk_stack_leave(stack, region);
}

static void
switch_at(hd_walk_stack *stack, hd_time time, uint32_t generation)
{
    stack->now = time;
    hd_walk_stack_switch(stack, (hd_walk_task_id){ 3, 0, generation });
}

TEST(what_is_entered_is_left_in_the_order_of_a_stack)
{
    hd_walk_stack stack = begin(true);

    enter_at(&stack, 1, 10);
    enter_at(&stack, 2, 11);
    leave_at(&stack, 3, 10); /* and with it 11, whose leave is missing */
    leave_at(&stack, 4, 12); /* was not entered */
    CHECK_STR(told, " (10@1 (11@2 )11@3 )10@3");
    CHECK_EQ(stack.n_misfits, 1);
    hd_walk_stack_fini(&stack);
}

TEST(what_is_open_at_a_border_is_entered_and_left_there)
{
    hd_walk_stack stack = begin(false);

    enter_at(&stack, 1, 10);
    enter_at(&stack, 2, 11);
    leave_at(&stack, 3, 11);
    hd_walk_stack_begin(&stack, 5);
    enter_at(&stack, 6, 12);
    hd_walk_stack_end(&stack, 7);
    leave_at(&stack, 8, 12);
    CHECK_STR(told, " (10@5+ (12@6 )12@7+ )10@7+");
    CHECK_EQ(stack.n_misfits, 0);
    hd_walk_stack_fini(&stack);
}

/* Task 1 waits in region 21 while task 2 runs, and goes on while task 2 is suspended in 22. */
TEST(a_task_that_is_suspended_is_left_and_entered_again)
{
    hd_walk_stack stack = begin(true);

    enter_at(&stack, 1, 10);
    switch_at(&stack, 2, 1);
    enter_at(&stack, 3, 20);
    enter_at(&stack, 4, 21);
    switch_at(&stack, 5, 2);
    enter_at(&stack, 6, 22);
    switch_at(&stack, 7, 1);
    leave_at(&stack, 8, 21);
    leave_at(&stack, 9, 20);
    stack.now = 9;
    hd_walk_stack_complete(&stack, (hd_walk_task_id){ 3, 0, 1 });
    switch_at(&stack, 10, 2);
    leave_at(&stack, 11, 22);
    switch_at(&stack, 12, 0);
    leave_at(&stack, 13, 10);
    CHECK_STR(told, " (10@1 (20@3 (21@4 )21@5+ )20@5+ (22@6 )22@7+ (20@7+ (21@7+ )21@8 )20@9 (22@10+ )22@11 )10@13");
    CHECK_EQ(stack.n_misfits, 0);
    hd_walk_stack_fini(&stack);
}

TEST(a_task_that_is_over_has_nothing_open)
{
    hd_walk_stack stack = begin(true);

    switch_at(&stack, 1, 1);
    enter_at(&stack, 2, 20);
    switch_at(&stack, 3, 2);
    stack.now = 4;
    hd_walk_stack_complete(&stack, (hd_walk_task_id){ 3, 0, 1 }); /* it ended on another thread */
    hd_walk_stack_complete(&stack, (hd_walk_task_id){ 3, 0, 2 });
    switch_at(&stack, 5, 1); /* a new one */
    CHECK(hd_walk_stack_top(&stack) == NULL);
    CHECK_STR(told, " (20@2 )20@3+");
    CHECK_EQ(stack.n_tasks, 3);
    hd_walk_stack_fini(&stack);
}

TEST_MAIN

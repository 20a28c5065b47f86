/* tests/openmp/test_lock_contention.c: "Lock Contention" of docs/metrics.md: waiting for a lock that another thread
 * of the process holds.
 *
 *   ticks      20      30         50 52   60
 *   thread 0   [critical ·········]              holds it until 50
 *   thread 1   ·········[critical···|····]       waiting = 50 - 30
 */
#include "check.h"
#include "situation.h"

static const tw_op critical[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .lock = 3, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 22, .leave = 49,
      .region = "!$omp critical sblock @program.c:4" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 60, .lock = 3, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 53, .leave = 59,
      .region = "!$omp critical sblock @program.c:4" },
};

TEST(a_thread_waits_until_the_critical_section_is_left)
{
    tw_report r = tw_analyze(critical, TW_LEN(critical));

    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    CHECK_THREAD(r, "omp_lock_contention_critical", 0, 0);
    CHECK_THREAD_AT(r, "omp_lock_contention_critical", "!$omp parallel @program.c:1;!$omp critical @program.c:4", 1,
                    20);
    CHECK_SPAN(r, "omp_lock_contention_api", process(0), 0);
}

TEST(who_held_the_lock_pays_for_what_it_did_more)
{
    tw_report r = tw_analyze(critical, TW_LEN(critical));

    /* since they entered the parallel region: thread 0 region 14, critical 3, inside of it 27; thread 1 region 23 */
    CHECK_THREAD_AT(r, "delay_omplock", "!$omp critical @program.c:4", 0, 2); /* 20 * 3 / 30 */
    CHECK_THREAD_AT(r, "delay_omplock", "!$omp critical sblock @program.c:4", 0, 18);
    CHECK_THREAD(r, "delay_omplock", 0, 20);
    CHECK_THREAD(r, "delay_omplock", 1, 0);
    CHECK_THREAD(r, "delay_omplock_longterm", 0, 0);
    CHECK_EQ(tw_cause(r, "!$omp critical sblock @program.c:4", "!$omp critical @program.c:4", "omplock", false), 18);
    CHECK_SPAN(r, "delay_omp", process(0), 20 + tw_value(r, "delay_ompbarrier_aggregate", NULL, process(0)) +
                                               tw_value(r, "delay_ompidle_aggregate", NULL, process(0)));
    CHECK_SPAN(r, "delay", process(0), tw_value(r, "delay_omp", NULL, process(0)));
}

TEST(with_scout_locks_have_no_causes)
{
    tw_report r = tw_analyze_with(critical, TW_LEN(critical), .arguments = "--compat=scout26");

    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    CHECK_THREAD(r, "delay_omplock", 0, 0);
}

static const tw_op two_sections[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .lock = 3, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .leave = 60, .lock = 4, .order = 1,
      .region = "!$omp critical (other) @program.c:8" },
};

TEST(critical_sections_of_different_names_do_not_hinder_each_other)
{
    tw_report r = tw_analyze(two_sections, TW_LEN(two_sections));

    CHECK_SPAN(r, "omp_lock_contention_critical", process(0), 0);
}

/*   ticks      10 12        30         50 52   60
 *   thread 0   [set]·················[unset]
 *   thread 1   ·············[set·········]
 *   thread 2   ································[set]      60 is after the release: no waiting
 */
static const tw_op lock_api[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_SET_LOCK, .enter = 10, .leave = 12, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_UNSET_LOCK, .enter = 50, .leave = 51, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_SET_LOCK, .enter = 30, .leave = 52, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_UNSET_LOCK, .enter = 54, .leave = 55, .order = 2 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 2, .op = TW_SET_LOCK, .enter = 60, .leave = 62, .order = 3, .region = "omp_test_lock" },
    { .process = 0, .thread = 2, .op = TW_UNSET_LOCK, .enter = 70, .leave = 71, .order = 3 },
};

TEST(setting_a_lock_waits_until_another_thread_unsets_it)
{
    tw_report r = tw_analyze(lock_api, TW_LEN(lock_api));

    CHECK_THREAD(r, "omp_lock_contention_api", 1, 20);
    CHECK_THREAD_AT(r, "omp_lock_contention_api", "!$omp parallel @program.c:1;omp_set_lock", 1, 20);
    CHECK_THREAD(r, "omp_lock_contention_api", 0, 0);
    CHECK_SPAN(r, "omp_lock_contention_critical", process(0), 0);
}

TEST(a_lock_that_is_free_is_not_waited_for)
{
    tw_report r = tw_analyze(lock_api, TW_LEN(lock_api));

    CHECK_THREAD(r, "omp_lock_contention_api", 2, 0);
}

/*   ticks      10  15       30   40   50 52
 *   thread 0   set set··········unset unset      one ownership; it ends with the second unset
 *   thread 1   ·············[set··········]      waiting = 50 - 30
 */
static const tw_op nested_lock[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_SET_LOCK, .enter = 10, .leave = 12, .order = 1,
      .region = "omp_set_nest_lock" },
    { .process = 0, .thread = 0, .op = TW_SET_LOCK, .enter = 15, .leave = 16, .order = 1,
      .region = "omp_set_nest_lock" },
    { .process = 0, .thread = 0, .op = TW_UNSET_LOCK, .enter = 40, .leave = 41, .order = 1,
      .region = "omp_unset_nest_lock" },
    { .process = 0, .thread = 0, .op = TW_UNSET_LOCK, .enter = 50, .leave = 51, .order = 1,
      .region = "omp_unset_nest_lock" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_SET_LOCK, .enter = 30, .leave = 52, .order = 2,
      .region = "omp_set_nest_lock" },
    { .process = 0, .thread = 1, .op = TW_SET_LOCK, .enter = 54, .leave = 55, .order = 2,
      .region = "omp_set_nest_lock" },
    { .process = 0, .thread = 1, .op = TW_UNSET_LOCK, .enter = 60, .leave = 61, .order = 2,
      .region = "omp_unset_nest_lock" },
    { .process = 0, .thread = 1, .op = TW_UNSET_LOCK, .enter = 70, .leave = 71, .order = 2,
      .region = "omp_unset_nest_lock" },
};

TEST(a_nested_lock_is_free_when_it_was_unset_as_often_as_set)
{
    tw_report r = tw_analyze(nested_lock, TW_LEN(nested_lock));

    CHECK_THREAD(r, "omp_lock_contention_api", 1, 20);
    CHECK_THREAD(r, "omp_lock_contention_api", 0, 0);
}

/*   ticks      20      30  35     50 52    70 71
 *   thread 0   [critical··········]
 *   thread 1   ·········[··········|·······]        50 - 30
 *   thread 2   ·············[··················|··  70 - 35: the owner before it is thread 1
 */
static const tw_op three[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 70, .order = 2 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 8, .leave = 86 },
    { .process = 0, .thread = 2, .op = TW_CRITICAL, .enter = 35, .record = 71, .leave = 80, .order = 3 },
};

TEST(each_contender_waits_for_the_owner_before_it)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_THREAD(r, "omp_lock_contention_critical", 0, 0);
    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    CHECK_THREAD(r, "omp_lock_contention_critical", 2, 35);
}

/*   ticks      20      30   38    50 52    70 71
 *   thread 0   [critical··········]                    30 in it
 *   thread 1   ·········[··········|·······]           waits 20, then 20 in it
 *   thread 2   ··············[·················|··     waits 32: 16 for what thread 1 did, 16 because it waited itself
 */
static const tw_op queue[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 70, .order = 2 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 8, .leave = 86 },
    { .process = 0, .thread = 2, .op = TW_CRITICAL, .enter = 38, .record = 71, .leave = 80, .order = 3 },
};

TEST(who_made_the_owner_before_wait_pays_too)
{
    tw_report r = tw_analyze(queue, TW_LEN(queue));

    CHECK_THREAD(r, "omp_lock_contention_critical", 2, 32);
    CHECK_THREAD_AT(r, "delay_omplock", "!$omp critical @program.c:4", 0, 20);
    CHECK_THREAD_AT(r, "delay_omplock", "!$omp critical @program.c:4", 1, 16);
    CHECK_THREAD_AT(r, "delay_omplock_longterm", "!$omp critical @program.c:4", 0, 16);
    CHECK_THREAD(r, "delay_omplock_longterm", 1, 0);
    CHECK_SPAN(r, "delay_unattributed_omplock", process(0), 0);
    CHECK_EQ(tw_cause(r, "!$omp critical @program.c:4", "!$omp critical @program.c:4", "omplock", true), 16);
}

static const tw_op missing[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 60, .order = 3 },
};

TEST(an_owner_that_was_not_recorded_is_not_waited_for)
{
    tw_report r = tw_analyze(missing, TW_LEN(missing));

    CHECK_SPAN(r, "omp_lock_contention_critical", process(0), 0);
}

/*   ticks      20 22 30      50    60 70
 *   thread 0   [critical·····]
 *   thread 1   [barr <task [critical|·]>··]     waiting = 50 - 30, of the task
 */
static const tw_op in_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 68, .leave = 70 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 20, .leave = 70 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 22, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 22, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 51, .leave = 60, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 62, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 62, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 62, .creator = 1, .task = 0 },
};

TEST(a_task_waits_for_a_lock_where_it_is_itself)
{
    tw_report r = tw_analyze(in_task, TW_LEN(in_task));

    CHECK_THREAD_AT(r, "omp_lock_contention_critical", "TASKS;!$omp task @program.c:7;!$omp critical @program.c:4", 1,
                    20);
    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 68 - 20 - 40);
}

/*   ticks      20           65      80 82
 *   thread 0   [lock]···············[unlock]
 *   thread 1   ·············[lock·······]         waiting = 80 - 65
 */
static const tw_op mutex[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 5, .leave = 8, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_LOCK, .enter = 20, .leave = 22, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_UNLOCK, .enter = 80, .leave = 81, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_THREAD_JOIN, .enter = 90, .leave = 99, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 11, .leave = 94 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 65, .leave = 82, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 84, .leave = 85, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 86, .leave = 87, .order = 3,
      .region = "pthread_mutex_trylock" },
    { .process = 0, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 88, .leave = 89, .order = 3 },
};

TEST(locking_a_mutex_waits_until_it_is_unlocked)
{
    tw_report r = tw_analyze(mutex, TW_LEN(mutex));

    CHECK_THREAD(r, "pthread_lock_contention_mutex_lock", 1, 15);
    CHECK_THREAD_AT(r, "pthread_lock_contention_mutex_lock", "program;THREADS;work;pthread_mutex_lock", 1, 15);
    CHECK_THREAD(r, "pthread_lock_contention_mutex_lock", 0, 0);
    CHECK_THREAD(r, "delay_pthreadlock", 0, 15); /* program without MPI and OpenMP: no critical path, but causes */
    CHECK_THREAD(r, "delay_pthreadlock", 1, 0);
    CHECK_SPAN(r, "omp_lock_contention_api", process(0), 0);
    CHECK_SPAN(r, "omp_lock_contention_critical", process(0), 0);
}

/*   ticks      10      20      30   38    50 52    70 71
 *   thread 1   [       lock···············]              20 more than thread 2
 *   thread 2   [               [lock·········|····]      waits 20; 12 more than thread 3 without that
 *   thread 3   [                    [lock···············  waits 32
 */
static const tw_op mutex_queue[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 1, .leave = 2, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 3, .leave = 4, .created = 2 },
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 5, .leave = 6, .created = 3 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 11, .leave = 94 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 20, .leave = 22, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 50, .leave = 51, .order = 1 },
    { .process = 0, .thread = 2, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 2 },
    { .process = 0, .thread = 2, .op = TW_USER, .enter = 11, .leave = 94 },
    { .process = 0, .thread = 2, .op = TW_MUTEX_LOCK, .enter = 30, .leave = 52, .order = 2 },
    { .process = 0, .thread = 2, .op = TW_MUTEX_UNLOCK, .enter = 70, .leave = 71, .order = 2 },
    { .process = 0, .thread = 3, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 3 },
    { .process = 0, .thread = 3, .op = TW_USER, .enter = 11, .leave = 94 },
    { .process = 0, .thread = 3, .op = TW_MUTEX_LOCK, .enter = 38, .leave = 72, .order = 3 },
    { .process = 0, .thread = 3, .op = TW_MUTEX_UNLOCK, .enter = 80, .leave = 81, .order = 3 },
};

TEST(who_made_the_owner_of_a_mutex_wait_pays_too)
{
    tw_report r = tw_analyze(mutex_queue, TW_LEN(mutex_queue));

    CHECK_THREAD(r, "delay_pthreadlock", 1, 20);
    CHECK_THREAD_AT(r, "delay_pthreadlock", "pthread_mutex_lock", 1, 2);
    CHECK_THREAD(r, "delay_pthreadlock", 2, 12);
    CHECK_THREAD(r, "delay_pthreadlock_longterm", 1, 20);
    CHECK_THREAD(r, "delay_pthreadlock_longterm", 2, 0);
    CHECK_SPAN(r, "delay_unattributed_pthreadlock", process(0), 0);
}

/* Thread 1 began late, so all that it did more than thread 2 is to lock the mutex: 2 of the 15 that thread 2 waits. */
static const tw_op late_owner[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 1, .leave = 2, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 3, .leave = 4, .created = 2 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 40, .leave = 95, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 41, .leave = 94 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 42, .leave = 44, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 60, .leave = 61, .order = 1 },
    { .process = 0, .thread = 2, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 2 },
    { .process = 0, .thread = 2, .op = TW_USER, .enter = 11, .leave = 94 },
    { .process = 0, .thread = 2, .op = TW_MUTEX_LOCK, .enter = 45, .leave = 62, .order = 2 },
    { .process = 0, .thread = 2, .op = TW_MUTEX_UNLOCK, .enter = 70, .leave = 71, .order = 2 },
};

TEST(an_owner_pays_for_what_it_did_more_and_not_for_when_it_did_it)
{
    tw_report r = tw_analyze(late_owner, TW_LEN(late_owner));

    CHECK_THREAD(r, "pthread_lock_contention_mutex_lock", 2, 15);
    CHECK_THREAD(r, "delay_pthreadlock", 1, 2);
    CHECK_THREAD(r, "delay_unattributed_pthreadlock", 2, 13);
    CHECK_THREAD(r, "delay_unattributed", 2, 13);
}

TEST(a_mutex_of_ones_own_is_not_waited_for)
{
    tw_report r = tw_analyze(mutex, TW_LEN(mutex));

    CHECK_THREAD_AT(r, "pthread_lock_contention_mutex_lock", "pthread_mutex_trylock", 1, 0);
}

/*   ticks      4 6  10                    70 71
 *   thread 0   lock [cond_wait·············|·]      waiting = 70 - 10
 *   thread 1   ···········[lock]····[unlock]
 */
static const tw_op condition[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 1, .leave = 2, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_LOCK, .enter = 4, .leave = 6, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_COND_WAIT, .enter = 10, .record = 71, .leave = 72, .order = 1,
      .next_order = 3 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_UNLOCK, .enter = 75, .leave = 76, .order = 3 },
    { .process = 0, .thread = 0, .op = TW_THREAD_JOIN, .enter = 90, .leave = 99, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 3, .leave = 95, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 4, .leave = 94 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 40, .leave = 42, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 70, .leave = 72, .order = 2 },
};

TEST(a_condition_is_waited_for_until_the_mutex_is_free)
{
    tw_report r = tw_analyze(condition, TW_LEN(condition));

    CHECK_THREAD(r, "pthread_lock_contention_conditional", 0, 60);
    CHECK_THREAD_AT(r, "pthread_lock_contention_conditional", "program;main;pthread_cond_wait", 0, 60);
    CHECK_THREAD(r, "delay_pthreadlock", 0, 0);
    CHECK_THREAD(r, "delay_pthreadlock", 1, 60);
    CHECK_SPAN(r, "pthread_lock_contention_mutex_lock", process(0), 0);
}

/* Numbers that cannot be: the ownership before is given back only after this one was there, and even after it ended. */
static const tw_op wrong_numbers[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 80, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 60, .order = 2 },
};

TEST(nobody_waits_longer_than_until_the_lock_is_there)
{
    tw_report r = tw_analyze(wrong_numbers, TW_LEN(wrong_numbers));

    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 52 - 30);
}

/* A lock of OpenMP and a mutex with one number, and the same on another process: four locks. */
static const tw_op same_number[] = {
    { .process = 0, .thread = 0, .op = TW_SET_LOCK, .enter = 20, .leave = 21, .lock = 7, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_UNSET_LOCK, .enter = 60, .leave = 61, .lock = 7, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 30, .leave = 70, .lock = 7, .order = 2 },
    { .process = 1, .thread = 0, .op = TW_SET_LOCK, .enter = 30, .leave = 70, .lock = 7, .order = 2 },
    { .process = 1, .thread = 1, .op = TW_THREAD, .enter = 10, .leave = 95, .created = 1 },
    { .process = 1, .thread = 1, .op = TW_MUTEX_LOCK, .enter = 20, .leave = 21, .lock = 7, .order = 1 },
    { .process = 1, .thread = 1, .op = TW_MUTEX_UNLOCK, .enter = 60, .leave = 61, .lock = 7, .order = 1 },
};

TEST(locks_are_known_by_process_paradigm_and_number)
{
    tw_report r = tw_analyze(same_number, TW_LEN(same_number));

    for (uint32_t i = 0; i < 2; i++) {
        CHECK_SPAN(r, "omp_lock_contention_api", process(i), 0);
        CHECK_SPAN(r, "pthread_lock_contention_mutex_lock", process(i), 0);
    }
}

TEST_MAIN

/* tests/scheduler/test_binding.c: which processors the threads get, on machines described in words.
 *
 *   big      2 packages of 2 NUMA domains of 8 cores of 2 hardware threads: core c has pu 2c and 2c+1, domain c/8
 *   laptop   1 domain of 4 cores of 2 hardware threads
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "binding.h"
#include "check.h"
#include "memory.h"

static const char big[]    = "package:2 numa:2 core:8 pu:2";
static const char laptop[] = "package:1 numa:1 core:4 pu:2";

enum { N_PUS = 64 };

static hd_binding *
plan(hd_binding_request request)
{
    hd_binding *binding = NULL;

    CHECK_EQ(hd_binding_plan(&request, &binding), HD_OK);
    return binding;
}

static void
check_texts(hd_binding_request request, const char *const *texts)
{
    hd_binding *binding = plan(request);

    for (uint32_t i = 0; i < request.n_threads; i++)
        CHECK_STR(hd_binding_text(binding, i), texts[i]);
    hd_binding_free(binding);
}

static void
check_pus(hd_binding_request request, const char *const *pus, bool oversubscribed)
{
    hd_binding *binding = plan(request);

    for (uint32_t i = 0; i < request.n_threads; i++)
        CHECK_STR(hd_binding_pus(binding, i), pus[i]);
    CHECK_EQ(hd_binding_oversubscribed(binding), oversubscribed);
    hd_binding_free(binding);
}

/* Counts in used[N_PUS] every processor of a list like "0-3,8". */
static void
count_pus(const char *list, unsigned *used)
{
    while (*list != '\0') {
        char         *end;
        unsigned long first = strtoul(list, &end, 10), last = first;

        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long pu = first; pu <= last && pu < N_PUS; pu++)
            used[pu]++;
        list = *end == ',' ? end + 1 : end;
    }
}

static unsigned
largest(const unsigned *used)
{
    unsigned result = 0;

    for (int pu = 0; pu < N_PUS; pu++)
        result = used[pu] > result ? used[pu] : result;
    return result;
}

TEST(threads_are_spread_over_the_numa_domains)
{
    static const char *const texts[] =
        { "core 0 (pu 0-1), numa 0", "core 8 (pu 16-17), numa 1", "core 16 (pu 32-33), numa 2",
          "core 24 (pu 48-49), numa 3" };

    for (uint32_t n = 1; n <= 4; n++)
        check_texts((hd_binding_request){ .synthetic = big, .n_threads = n, .node_size = 1 }, texts);
}

TEST(neighbouring_threads_share_a_domain)
{
    static const char *const pus[] = { "0-1", "2-3", "16-17", "18-19", "32-33", "34-35", "48-49", "50-51" };

    check_pus((hd_binding_request){ .synthetic = big, .n_threads = 8, .node_size = 1 }, pus, false);
}

TEST(a_small_domain_gets_no_more_threads_than_cores)
{
    /* One core of domain 0, the whole of domain 2. */
    static const char *const pus[] = { "0-1", "32-33", "34-35", "36-37", "38-39" };

    check_pus((hd_binding_request){ .synthetic = big, .cpuset = "0-1,32-47", .n_threads = 5, .node_size = 1 }, pus,
              false);
}

TEST(ranks_of_a_node_divide_its_cores)
{
    static const char *const rank_3[] = { "48-49", "50-51" };
    static const char *const half_0[] = { "0-1", "2-3", "16-17", "18-19" };
    static const char *const half_1[] = { "32-33", "34-35", "48-49", "50-51" };

    check_pus((hd_binding_request){ .synthetic = big, .n_threads = 2, .node_rank = 3, .node_size = 4 }, rank_3, false);
    check_pus((hd_binding_request){ .synthetic = big, .n_threads = 4, .node_rank = 0, .node_size = 2 }, half_0, false);
    check_pus((hd_binding_request){ .synthetic = big, .n_threads = 4, .node_rank = 1, .node_size = 2 }, half_1, false);
}

TEST(one_domain_is_enough)
{
    static const char *const cores[]  = { "core 0 (pu 0-1), numa 0", "core 1 (pu 2-3), numa 0" };
    static const char *const second[] = { "core 2 (pu 4-5), numa 0", "core 3 (pu 6-7), numa 0" };

    check_texts((hd_binding_request){ .synthetic = laptop, .n_threads = 2, .node_size = 1 }, cores);
    check_texts((hd_binding_request){ .synthetic = laptop, .n_threads = 2, .node_rank = 1, .node_size = 2 }, second);
}

TEST(only_processors_of_the_cpuset_are_used)
{
    static const char *const pus[]   = { "1", "3", "4-5" };
    static const char *const texts[] = { "core 0 (pu 1), numa 0" };

    check_pus((hd_binding_request){ .synthetic = laptop, .cpuset = "1,3,4-5", .n_threads = 3, .node_size = 1 }, pus,
              false);
    check_texts((hd_binding_request){ .synthetic = laptop, .cpuset = "1,99", .n_threads = 1 }, texts);
}

TEST(a_cpuset_no_larger_than_the_ranks_share_is_its_own)
{
    static const char *const pus[] = { "16-17", "18-19", "20-21", "22-23", "24-25", "26-27", "28-29", "30-31" };

    for (uint32_t rank = 0; rank < 4; rank++)
        check_pus((hd_binding_request){ .synthetic = big, .cpuset = "16-31", .n_threads = 8, .node_rank = rank,
                                        .node_size = 4 },
                  pus, false);
}

TEST(an_uneven_cpuset_near_the_share_is_the_ranks_own)
{
    /* Three ranks on 16 cores, bound to 6, 5 and 5 of them. */
    static const char        cores[] = "numa:1 core:16 pu:1";
    static const char *const pus[]   = { "0", "1", "2", "3", "4", "5" };

    check_pus((hd_binding_request){ .synthetic = cores, .cpuset = "0-5", .n_threads = 6, .node_size = 3 }, pus, false);
}

/* However the launcher deals ranks out to sockets (or domains), their threads must not meet. */
TEST(ranks_that_share_a_socket_divide_it_whichever_way_they_came_there)
{
    static const char *const sockets[] = { "0-31", "32-63" };
    static const char *const domains[] = { "0-15", "16-31", "32-47", "48-63" };

    for (uint32_t n_groups = 2; n_groups <= 4; n_groups += 2)
        for (uint32_t n_ranks = n_groups; n_ranks <= 32; n_ranks += n_groups)
            for (int dealt_out = 0; dealt_out < 2; dealt_out++) {
                unsigned used[N_PUS] = { 0 };
                uint32_t n_threads   = 32 / n_ranks;

                for (uint32_t rank = 0; rank < n_ranks; rank++) {
                    uint32_t    group   = dealt_out ? rank % n_groups : rank / (n_ranks / n_groups);
                    const char *cpuset  = n_groups == 2 ? sockets[group] : domains[group];
                    hd_binding *binding = plan((hd_binding_request){ .synthetic = big, .cpuset = cpuset,
                                                                     .n_threads = n_threads,
                                                                     .node_rank = rank, .node_size = n_ranks });

                    for (uint32_t i = 0; i < n_threads; i++)
                        count_pus(hd_binding_pus(binding, i), used);
                    CHECK(!hd_binding_oversubscribed(binding));
                    hd_binding_free(binding);
                }
                CHECK_EQ(largest(used), 1);
            }
}

TEST(more_threads_than_cores_go_round_and_round)
{
    static const char *const pus[] = { "0-1", "2-3", "4-5", "6-7", "0-1", "2-3", "4-5", "6-7", "0-1", "2-3" };

    check_pus((hd_binding_request){ .synthetic = laptop, .n_threads = 10, .node_size = 1 }, pus, true);
    check_pus((hd_binding_request){ .synthetic = laptop, .n_threads = 4, .node_size = 1 }, pus, false);
}

TEST(more_ranks_than_cores_share_them)
{
    static const char *const cores[] = { "0-1", "0-1", "2-3", "2-3", "4-5", "4-5", "6-7", "6-7" };

    for (uint32_t rank = 0; rank < 8; rank++)
        check_pus((hd_binding_request){ .synthetic = laptop, .n_threads = 1, .node_rank = rank, .node_size = 8 },
                  &cores[rank], true);
}

TEST(hardware_threads_are_used_after_all_cores)
{
    static const char *const pus[]   = { "0", "2", "4", "6", "1", "3", "5", "7", "0" };
    static const char *const texts[] = { "core 0 (pu 0), numa 0", "core 1 (pu 2), numa 0" };

    check_pus((hd_binding_request){ .synthetic = laptop, .policy = HD_BIND_PU, .n_threads = 9, .node_size = 1 }, pus,
              true);
    check_pus((hd_binding_request){ .synthetic = laptop, .policy = HD_BIND_PU, .n_threads = 8, .node_size = 1 }, pus,
              false);
    check_texts((hd_binding_request){ .synthetic = laptop, .policy = HD_BIND_PU, .n_threads = 2, .node_size = 1 },
                texts);
}

TEST(ranks_share_cores_by_hardware_threads)
{
    static const char *const pus[] = { "0", "1", "2", "3", "4", "5", "6", "7" };

    for (uint32_t rank = 0; rank < 8; rank++)
        check_pus((hd_binding_request){ .synthetic = laptop, .policy = HD_BIND_PU, .n_threads = 1, .node_rank = rank,
                                        .node_size = 8 },
                  &pus[rank], false);
}

TEST(whole_domains_are_what_the_numa_policy_binds_to)
{
    static const char *const texts[] =
        { "numa 0 (pu 0-15)", "numa 0 (pu 0-15)", "numa 1 (pu 16-31)", "numa 2 (pu 32-47)",
          "numa 3 (pu 48-63)" };
    static const char *const half[]  = { "numa 1 (pu 24-31)" }; /* of the fourth of eight ranks */

    check_texts((hd_binding_request){ .synthetic = big, .policy = HD_BIND_NUMA, .n_threads = 5, .node_size = 1 },
                texts);
    check_texts((hd_binding_request){ .synthetic = big, .policy = HD_BIND_NUMA, .n_threads = 1, .node_rank = 3,
                                      .node_size = 8 },
                half);
}

TEST(processor_numbers_may_alternate_between_packages)
{
    /* As many vendors number them: even ones in package 0, odd ones in package 1. */
    static const char        alternating[] = "package:2 numa:1 core:4 pu:1(indexes=0,2,4,6,1,3,5,7)";
    static const char *const pus[]         = { "0", "2", "1", "3" };

    check_pus((hd_binding_request){ .synthetic = alternating, .n_threads = 4, .node_size = 1 }, pus, false);
}

TEST(a_machine_that_tells_nothing_of_cores_has_processors)
{
    static const char *const texts[] = { "core 0 (pu 0), numa 0", "core 1 (pu 1), numa 0" };

    check_texts((hd_binding_request){ .synthetic = "numa:1 pu:4", .n_threads = 2, .node_size = 1 }, texts);
}

TEST(no_two_threads_of_a_node_meet_while_there_are_cores)
{
    for (int policy = HD_BIND_CORE; policy <= HD_BIND_PU; policy++)
        for (uint32_t n_ranks = 1; n_ranks <= 32; n_ranks++)
            for (uint32_t n_threads = 1; n_threads <= 32 / n_ranks; n_threads++) {
                unsigned used[N_PUS] = { 0 };

                for (uint32_t rank = 0; rank < n_ranks; rank++) {
                    hd_binding *binding = plan((hd_binding_request){ .synthetic = big, .policy = (hd_bind_policy)policy,
                                                                     .n_threads = n_threads, .node_rank = rank,
                                                                     .node_size = n_ranks });

                    for (uint32_t i = 0; i < n_threads; i++)
                        count_pus(hd_binding_pus(binding, i), used);
                    CHECK(!hd_binding_oversubscribed(binding));
                    hd_binding_free(binding);
                }
                CHECK_EQ(largest(used), 1);
            }
}

TEST(without_binding_only_the_number_of_threads_matters)
{
    hd_binding *few  = plan((hd_binding_request){ .policy = HD_BIND_NONE, .n_threads = 1, .node_size = 1 });
    hd_binding *many = plan((hd_binding_request){ .policy = HD_BIND_NONE, .n_threads = 5, .node_size = 1,
                                                  .cpuset = "0-3" });

    CHECK_STR(hd_binding_text(few, 0), "not bound");
    CHECK_STR(hd_binding_pus(few, 0), "");
    CHECK(!hd_binding_oversubscribed(few));
    CHECK(hd_binding_oversubscribed(many));
    CHECK(!hd_binding_apply(few, 0));
    hd_binding_free(few);
    hd_binding_free(many);
}

TEST(a_described_machine_is_never_bound_to)
{
    hd_binding *binding = plan((hd_binding_request){ .synthetic = laptop, .n_threads = 1, .node_size = 1 });

    CHECK(!hd_binding_apply(binding, 0));
    hd_binding_free(binding);
    hd_binding_free(NULL);
}

static void
check_error(hd_binding_request request, const char *words)
{
    hd_binding *binding = NULL;

    CHECK_EQ(hd_binding_plan(&request, &binding), HD_EFORMAT);
    CHECK(binding == NULL);
    CHECK_STR(hd_error_get()->text, words);
}

TEST(what_cannot_be_read_is_an_error)
{
    hd_binding_request request = { .synthetic = "chocolate", .n_threads = 1 };

    check_error(request, "\"chocolate\" is no description of a machine (hwloc)");
    request.synthetic = laptop;
    request.cpuset    = "abc";
    check_error(request, "\"abc\" is no list of processors");
    request.cpuset = "";
    check_error(request, "\"\" is no list of processors");
    request.cpuset = "1;2";
    check_error(request, "\"1;2\" is no list of processors");
    request.cpuset = "8-9";
    check_error(request, "this machine has none of the processors \"8-9\"");
    request.cpuset = "x";
    request.policy = HD_BIND_NONE;
    check_error(request, "\"x\" is no list of processors");
}

/* The tests below are on this machine, whatever it has. */

static bool
affinity(unsigned *used)
{
    cpu_set_t set;

    memset(used, 0, N_PUS * sizeof *used);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return false;
    for (int pu = 0; pu < N_PUS; pu++)
        used[pu] = CPU_ISSET(pu, &set) ? 1 : 0;
    return true;
}

typedef struct bound {
    const hd_binding *binding;
    uint32_t          thread;
    bool              done, is_known;
    unsigned          used[N_PUS];
} bound;

static void *
run_bound(void *argument)
{
    bound *self = argument;

    self->done = hd_binding_apply(self->binding, self->thread);
    self->is_known = affinity(self->used);
    return NULL;
}

TEST(a_bound_thread_runs_where_the_map_says)
{
    unsigned before[N_PUS], after[N_PUS];

    CHECK(affinity(before));
    for (int policy = HD_BIND_CORE; policy <= HD_BIND_NUMA; policy++) {
        hd_binding *binding = plan((hd_binding_request){ .policy = (hd_bind_policy)policy, .n_threads = 3,
                                                         .node_size = 1 });

        for (uint32_t i = 0; i < 3; i++) {
            bound     self            = { .binding = binding, .thread = i };
            unsigned  expected[N_PUS] = { 0 };
            pthread_t thread;

            CHECK_EQ(pthread_create(&thread, NULL, run_bound, &self), 0);
            pthread_join(thread, NULL);
            CHECK(self.is_known);
            count_pus(hd_binding_pus(binding, i), expected);
            if (self.done)
                CHECK(memcmp(self.used, expected, sizeof expected) == 0);
            else
                printf("     this system does not let threads be bound\n");
        }
        hd_binding_free(binding);
    }
    CHECK(affinity(after));
    CHECK(memcmp(before, after, sizeof before) == 0);
}

static void *
plan_on_one_processor(void *argument)
{
    cpu_set_t   set;
    int         pu = 0;
    char        text[16];
    hd_binding *binding;

    (void)argument;
    sched_getaffinity(0, sizeof set, &set);
    while (pu < CPU_SETSIZE - 1 && !CPU_ISSET(pu, &set))
        pu++;
    CPU_ZERO(&set);
    CPU_SET(pu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        return NULL;
    snprintf(text, sizeof text, "%d", pu);
    for (int policy = HD_BIND_CORE; policy <= HD_BIND_PU; policy++) {
        binding = plan((hd_binding_request){ .policy = (hd_bind_policy)policy, .n_threads = 2, .node_size = 1 });
        CHECK_STR(hd_binding_pus(binding, 0), text);
        CHECK_STR(hd_binding_pus(binding, 1), text);
        CHECK(hd_binding_oversubscribed(binding));
        hd_binding_free(binding);
    }
    binding = plan((hd_binding_request){ .policy = HD_BIND_NONE, .n_threads = 2, .node_size = 1 });
    CHECK(hd_binding_oversubscribed(binding));
    hd_binding_free(binding);
    return NULL;
}

TEST(the_launchers_cpuset_is_respected)
{
    pthread_t thread;

    REQUIRE(pthread_create(&thread, NULL, plan_on_one_processor, NULL) == 0); /* checks itself: nothing is counted here
                                                                               * until it is done */
    pthread_join(thread, NULL);
}

TEST_MAIN

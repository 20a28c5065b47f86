/* tests/report/build/test_region_metrics.c: where the time of a SHMEM call goes, by its name. */
#include "check.h"
#include "region_metrics.h"

static hd_region_metrics
metrics_of(const char *name, uint8_t paradigm, bool compat)
{
    hd_region region = { .paradigm = paradigm, .role = HD_ROLE_FUNCTION };

    return hd_region_metrics_of(&region, name, "SHMEM", compat);
}

static bool
has_time(const hd_region_metrics *metrics, uint32_t metric)
{
    for (uint32_t i = 0; i < metrics->n_time; i++)
        if (metrics->time[i] == metric)
            return true;
    return false;
}

/* The names, between blanks, are SHMEM, and of its parts exactly these (HD_NONE: nothing). */
static void
check_names(const char *names, uint32_t part, uint32_t part_of_it)
{
    while (*names != '\0') {
        size_t            length = strcspn(names, " ");
        char              name[80];
        hd_region_metrics metrics;
        uint32_t          n = 2 + (part != HD_NONE) + (part_of_it != HD_NONE);

        snprintf(name, sizeof name, "%.*s", (int)length, names);
        metrics = metrics_of(name, HD_PARADIGM_SHMEM, false);
        if (metrics.n_time != n || (part != HD_NONE && !has_time(&metrics, part)))
            printf("%s is %s\n", name, metrics.n_time > 2 ? hd_metric_infos[metrics.time[2]].id : "no part of SHMEM");
        CHECK_EQ(metrics.n_time, n);
        CHECK(has_time(&metrics, HD_METRIC_execution) && has_time(&metrics, HD_METRIC_shmem));
        CHECK(part == HD_NONE || has_time(&metrics, part));
        CHECK(part_of_it == HD_NONE || (has_time(&metrics, part_of_it) && hd_metric_infos[part_of_it].parent == part));
        CHECK_EQ(metrics.n_visits, 0);
        names += length + strspn(names + length, " ");
    }
}
#define M(id) HD_METRIC_##id

TEST(broadcasts_exchanges_and_reductions_are_collective_communication)
{
    check_names("shmem_broadcast shmem_broadcast32 shmem_broadcast64 shmem_broadcast4 shmem_broadcastmem "
                "shmem_int_broadcast "
                "shmem_collect32 shmem_fcollect32 shmem_fcollect64 shmem_collectmem shmem_fcollectmem "
                "shmem_double_fcollect "
                "shmem_alltoall32 shmem_alltoalls64 shmem_alltoallmem shmem_alltoallsmem shmem_int_alltoall "
                "shmem_team_alltoall "
                "shmem_team_alltoallv shmem_team_alltoallv_packed shmemx_alltoall_global_nb",
                M(shmem_collective), HD_NONE);
    check_names("shmem_int_sum_to_all shmem_short_and_to_all shmem_longlong_xor_to_all shmem_complexd_prod_to_all "
                "shmem_real8_min_to_all shmemx_int32_max_to_all shmem_int_sum_reduce shmem_uint64_and_reduce "
                "shmem_double_max_reduce "
                "shmem_int_sum_inscan shmem_int_sum_exscan",
                M(shmem_collective), HD_NONE);
}

TEST(puts_gets_and_atomic_updates_are_one_sided_communication)
{
    check_names("shmem_put shmem_put8 shmem_put64 shmem_put128_nbi shmem_putmem shmem_putmem_nbi shmem_int_put "
                "shmem_ctx_put "
                "shmem_ctx_double_put shmem_ctx_put32_nbi shmem_iput32 shmem_long_iput shmem_ibput64 shmem_int_p "
                "shmem_ctx_float_p "
                "shmem_p shmem_long_put_nb",
                M(shmem_rma_communication), HD_NONE);
    check_names("shmem_get shmem_get16 shmem_getmem shmem_getmem_nbi shmem_int_get shmem_int_get_nbi shmem_iget "
                "shmem_iget128 "
                "shmem_double_iget shmem_ctx_iget64 shmem_short_g shmem_ctx_int_g shmem_character_get pshmem_get64",
                M(shmem_rma_communication), HD_NONE);
    check_names("shmem_swap shmem_int_swap shmem_float_swap shmem_int_cswap shmem_short_mswap shmem_int_fadd "
                "shmem_long_add "
                "shmem_int_inc shmem_int_finc shmem_int_fetch shmem_double_set shmem_int_atomic_fetch_add "
                "shmem_int_atomic_set "
                "shmem_uint_atomic_xor shmem_ctx_long_atomic_compare_swap shmem_ctx_int_atomic_fetch_inc_nbi "
                "shmem_int_atomic_inc "
                "shmem_uint_atomic_fetch_and_nbi shmemx_int32_finc",
                M(shmem_rma_communication), HD_NONE);
}

TEST(a_put_with_a_signal_is_one_sided_and_waiting_for_it_is_not)
{
    check_names("shmem_put_signal shmem_put8_signal shmem_putmem_signal_nbi shmem_ctx_int_put_signal_nbi "
                "shmem_signal_add "
                "shmem_signal_set",
                M(shmem_rma_communication), HD_NONE);
    check_names("shmem_signal_wait_until", M(shmem_point2point_synchronization), M(shmem_wait_until));
    check_names("shmem_signal_fetch", M(shmem_point2point_synchronization), HD_NONE);
}

TEST(barriers_are_collective_synchronization)
{
    check_names("shmem_barrier shmem_barrier_all shmem_sync shmem_sync_all shmem_team_sync shmem_team_barrier barrier "
                "barrier_all", M(shmem_sync_collective), HD_NONE);
}

TEST(locks_are_told_from_what_else_is_set_and_tested)
{
    check_names("shmem_set_lock shmem_clear_lock shmem_test_lock", M(shmem_point2point_synchronization),
                M(shmem_lock_completion));
    check_names("shmem_int_test shmem_test_all shmem_long_test_any_vector shmem_set_event shmem_clear_event "
                "shmem_test_event", M(shmem_point2point_synchronization), HD_NONE);
    check_names("shmem_set_cache_inv shmem_set_cache_line_inv shmem_clear_cache_inv shmem_udcflush", HD_NONE, HD_NONE);
}

TEST(who_waits_for_a_variable_synchronizes_with_one_process)
{
    check_names("shmem_wait shmem_int_wait shmem_wait_until shmem_int_wait_until shmem_int4_wait_until "
                "shmem_int_wait_until_all "
                "shmem_long_wait_until_any_vector shmem_uint64_wait_until_some shmem_wait_event",
                M(shmem_point2point_synchronization), M(shmem_wait_until));
    check_names("shmem_fence shmem_quiet shmem_ctx_fence shmem_ctx_quiet shmem_pe_quiet shmem_poll",
                M(shmem_point2point_synchronization), HD_NONE);
}

TEST(start_end_and_memory_have_their_places)
{
    check_names("start_pes shmem_init shmem_init_thread shmem_finalize shmem_global_exit", M(shmem_init_exit), HD_NONE);
    check_names("shmalloc shrealloc shmemalign shfree shpalloc shpdeallc shpclmove shmem_malloc shmem_calloc "
                "shmem_realloc "
                "shmem_align shmem_free shmem_malloc_with_hints",
                M(shmem_memory_management), HD_NONE);
}

TEST(who_only_asks_or_makes_teams_is_in_no_part)
{
    check_names("shmem_my_pe shmem_n_pes _my_pe _num_pes my_pe num_pes shmem_pe_accessible shmem_addr_accessible "
                "shmem_ptr "
                "shmem_team_ptr shmem_query_thread shmem_info_get_name shmem_info_get_version shmem_team_get_config "
                "shmem_ctx_get_team shmem_team_my_pe shmem_team_translate_pe shmem_team_split_strided "
                "shmem_team_split_2d "
                "shmem_team_destroy shmem_team_free shmem_team_create_ctx shmem_ctx_create shmem_ctx_destroy "
                "shmem_pcontrol shmem_", HD_NONE, HD_NONE);
}

/* PARALLEL stands around a program whose own functions are not recorded. */
TEST(what_shmem_did_not_do_is_not_its_time)
{
    hd_region_metrics around = metrics_of("PARALLEL", HD_PARADIGM_SHMEM, false);
    hd_region_metrics user   = metrics_of("shmem_put64", HD_PARADIGM_COMPILER, false);

    CHECK(around.n_time == 1 && has_time(&around, HD_METRIC_execution));
    CHECK(user.n_time == 1 && has_time(&user, HD_METRIC_execution));
}

TEST(with_compat_shmem_is_not_told_from_computation)
{
    hd_region_metrics put = metrics_of("shmem_put64", HD_PARADIGM_SHMEM, true);

    CHECK(put.n_time == 1 && has_time(&put, HD_METRIC_execution));
}

TEST_MAIN

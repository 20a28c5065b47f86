/* tests/trace/defs/test_region_class.c: what a region is, from its names, role and paradigm. */
#include "check.h"
#include "region_class.h"

static hd_region
classify(const char *canonical, const char *file, hd_paradigm paradigm, hd_role role)
{
    hd_region region = { .paradigm = (uint8_t)paradigm, .role = (uint8_t)role };

    hd_region_classify(&region, canonical, file);
    return region;
}

static uint8_t
call_of(const char *canonical)
{
    return classify(canonical, "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT).call;
}

static uint8_t
role_of(const char *canonical, hd_role role)
{
    return classify(canonical, "MPI", HD_PARADIGM_MPI, role).role;
}

TEST(the_source_file_mpi_makes_an_mpi_region)
{
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT).region_class, HD_CLASS_MPI);
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_UNKNOWN, HD_ROLE_FUNCTION).region_class, HD_CLASS_MPI);
    CHECK_EQ(classify("MPI_Send", "mpi.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).region_class, HD_CLASS_USER);
}

TEST(a_name_of_mpi_with_its_paradigm_makes_an_mpi_region)
{
    CHECK_EQ(classify("MPI_Send", "", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT).region_class, HD_CLASS_MPI);
    CHECK_EQ(classify("exchange", "", HD_PARADIGM_MPI, HD_ROLE_FUNCTION).region_class, HD_CLASS_USER);
}

TEST(before_otf2_1_2_the_file_and_the_name_tell_paradigm_and_role)
{
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_UNKNOWN, HD_ROLE_UNKNOWN).paradigm, HD_PARADIGM_MPI);
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_UNKNOWN, HD_ROLE_UNKNOWN).role, HD_ROLE_POINT2POINT);
    CHECK_EQ(classify("MPI_Waitall", "MPI", HD_PARADIGM_UNKNOWN, HD_ROLE_UNKNOWN).role, HD_ROLE_FUNCTION);
    CHECK_EQ(classify("MPI_Bcast", "MPI", HD_PARADIGM_UNKNOWN, HD_ROLE_COLL_ONE2ALL).role, HD_ROLE_COLL_ONE2ALL);
    CHECK_EQ(classify("omp_set_lock", "OMP", HD_PARADIGM_UNKNOWN, HD_ROLE_UNKNOWN).paradigm, HD_PARADIGM_OPENMP);
    CHECK_EQ(classify("work", "work.c", HD_PARADIGM_UNKNOWN, HD_ROLE_UNKNOWN).paradigm, HD_PARADIGM_UNKNOWN);
}

TEST(the_measurement_system_is_internal_whatever_its_name)
{
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_MEASUREMENT, HD_ROLE_ARTIFICIAL).region_class, HD_CLASS_INTERNAL);
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_MEASUREMENT, HD_ROLE_ARTIFICIAL).call, HD_CALL_OTHER);
}

TEST(openmp_and_posix_threads_are_known_by_name_and_file)
{
    CHECK_EQ(classify("!$omp parallel @work.c:12", "work.c", HD_PARADIGM_OPENMP, HD_ROLE_PARALLEL).region_class,
             HD_CLASS_OMP);
    CHECK_EQ(classify("!$OMP for", "jacobi.c", HD_PARADIGM_OPENMP, HD_ROLE_LOOP).region_class, HD_CLASS_OMP);
    CHECK_EQ(classify("omp_set_lock", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_FUNCTION).region_class, HD_CLASS_OMP);
    CHECK_EQ(classify("pthread_create", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_THREAD_CREATE).region_class,
             HD_CLASS_PTHREAD);
    CHECK_EQ(classify("work", "work.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).region_class, HD_CLASS_USER);
}

TEST(calls_of_shmem_are_a_class_with_those_of_mpi_but_not_what_is_around_the_program)
{
    hd_region put = classify("shmem_put64", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_RMA);

    CHECK_EQ(put.region_class, HD_CLASS_MPI);
    CHECK_EQ(put.call, HD_CALL_OTHER);
    CHECK_EQ(put.role, HD_ROLE_RMA);
    CHECK_EQ(classify("shmem_wait", "", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION).call, HD_CALL_OTHER);
    CHECK_EQ(classify("my_pe", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION).region_class, HD_CLASS_MPI);
    CHECK_EQ(classify("PARALLEL", "", HD_PARADIGM_SHMEM, HD_ROLE_ARTIFICIAL).region_class, HD_CLASS_USER);
    CHECK_EQ(classify("shmem_put64", "put.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).region_class, HD_CLASS_USER);
    CHECK_EQ(classify("MPI_Send", "MPI", HD_PARADIGM_SHMEM, HD_ROLE_POINT2POINT).region_class, HD_CLASS_MPI);
}

TEST(the_root_of_tasks_belongs_to_the_measurement_system)
{
    hd_region region = classify("task_root", "", HD_PARADIGM_UNKNOWN, HD_ROLE_FUNCTION);

    CHECK_EQ(region.region_class, HD_CLASS_INTERNAL);
    CHECK_EQ(region.role, HD_ROLE_ARTIFICIAL);
    CHECK_EQ(region.paradigm, HD_PARADIGM_MEASUREMENT);
}

TEST(calls_that_wait_test_send_begin_and_end_are_told_apart)
{
    static const struct {
        const char *name;
        uint8_t     call;
    } calls[] = {
        { "MPI_Init", HD_CALL_INIT },           { "MPI_Init_thread", HD_CALL_INIT },
        { "MPI_Initialized", HD_CALL_OTHER },
        { "MPI_Finalize", HD_CALL_FINALIZE },   { "MPI_Finalized", HD_CALL_OTHER },
        { "MPI_Send", HD_CALL_BLOCK_SEND },
        { "MPI_Ssend", HD_CALL_BLOCK_SEND },    { "MPI_Bsend", HD_CALL_OTHER },        { "MPI_Rsend", HD_CALL_OTHER },
        { "MPI_Isend", HD_CALL_OTHER },         { "MPI_Send_init", HD_CALL_OTHER },
        { "MPI_Sendrecv", HD_CALL_OTHER },
        { "MPI_Test", HD_CALL_TEST },           { "MPI_Testany", HD_CALL_TEST },       { "MPI_Testall", HD_CALL_TEST },
        { "MPI_Testsome", HD_CALL_TEST },       { "MPI_Test_cancelled", HD_CALL_OTHER },
        { "MPI_Wait", HD_CALL_WAIT_SINGLE },
        { "MPI_Waitany", HD_CALL_WAIT_SINGLE }, { "MPI_Waitall", HD_CALL_WAIT_MULTI },
        { "MPI_Waitsome", HD_CALL_WAIT_MULTI },
        { "MPI_Start", HD_CALL_OTHER },         { "MPI_Recv", HD_CALL_OTHER },         { "MPI_Barrier", HD_CALL_OTHER },
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        CHECK_EQ(call_of(calls[i].name), calls[i].call);
}

TEST(names_are_compared_without_case)
{
    CHECK_EQ(call_of("mpi_waitall"), HD_CALL_WAIT_MULTI);
    CHECK_EQ(call_of("MPI_WAITALL"), HD_CALL_WAIT_MULTI);
}

TEST(names_of_the_profiling_interface_are_those_of_the_calls)
{
    CHECK_EQ(call_of("PMPI_Init"), HD_CALL_INIT);
    CHECK_EQ(call_of("PMPI_Finalize"), HD_CALL_FINALIZE);
    CHECK_EQ(call_of("pmpi_waitall"), HD_CALL_WAIT_MULTI);
    CHECK_EQ(role_of("PMPI_Put", HD_ROLE_FUNCTION), HD_ROLE_RMA);
    CHECK_EQ(classify("PMPI_Send", "", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT).region_class, HD_CLASS_MPI);
    CHECK_EQ(classify("PMPI_Send", "", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).region_class, HD_CLASS_USER);
}

TEST(only_mpi_regions_are_mpi_calls)
{
    CHECK_EQ(classify("wait", "wait.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).call, HD_CALL_OTHER);
}

TEST(roles_of_older_versions_are_repaired)
{
    static const char *const point2point[] =
        { "Bsend_init", "Iprobe", "Irecv", "Probe", "Recv_init", "Rsend_init", "Send_init",
          "Ssend_init" };
    char                     name[40];

    for (size_t i = 0; i < sizeof point2point / sizeof *point2point; i++) {
        snprintf(name, sizeof name, "MPI_%s", point2point[i]);
        CHECK_EQ(role_of(name, HD_ROLE_FUNCTION), HD_ROLE_POINT2POINT);
    }
    CHECK_EQ(role_of("MPI_Put", HD_ROLE_FUNCTION), HD_ROLE_RMA);
    CHECK_EQ(role_of("MPI_Get", HD_ROLE_FUNCTION), HD_ROLE_RMA);
    CHECK_EQ(role_of("MPI_Accumulate", HD_ROLE_FUNCTION), HD_ROLE_ATOMIC);
    CHECK_EQ(role_of("MPI_Alloc_mem", HD_ROLE_FUNCTION), HD_ROLE_ALLOCATE);
    CHECK_EQ(role_of("MPI_Free_mem", HD_ROLE_FUNCTION), HD_ROLE_DEALLOCATE);
    CHECK_EQ(role_of("MPI_Testall", HD_ROLE_POINT2POINT), HD_ROLE_FUNCTION);
    CHECK_EQ(role_of("MPI_Wait", HD_ROLE_POINT2POINT), HD_ROLE_FUNCTION);
}

TEST(roles_that_need_no_repair_stay)
{
    CHECK_EQ(role_of("MPI_Send", HD_ROLE_POINT2POINT), HD_ROLE_POINT2POINT);
    CHECK_EQ(role_of("MPI_Comm_rank", HD_ROLE_FUNCTION), HD_ROLE_FUNCTION);
    CHECK_EQ(role_of("MPI_Bcast", HD_ROLE_COLL_ONE2ALL), HD_ROLE_COLL_ONE2ALL);
    CHECK_EQ(classify("put", "put.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION).role, HD_ROLE_FUNCTION);
}

TEST(names_of_roles_and_paradigms_are_those_of_reports)
{
    CHECK_STR(hd_paradigm_name(HD_PARADIGM_MPI), "mpi");
    CHECK_STR(hd_paradigm_name(HD_PARADIGM_OPENCL), "opencl");
    CHECK_STR(hd_paradigm_name(HD_PARADIGM_SHMEM), "shmem");
    CHECK_STR(hd_paradigm_name(HD_PARADIGM_MEASUREMENT), "measurement");
    CHECK_STR(hd_paradigm_name(255), "unknown");
    CHECK_STR(hd_role_name(HD_ROLE_POINT2POINT), "point2point");
    CHECK_STR(hd_role_name(HD_ROLE_BARRIER), "barrier");
    CHECK_STR(hd_role_name(HD_ROLE_FILE_IO_METADATA), "file io metadata");
    CHECK_STR(hd_role_name(255), "unknown");
}

TEST_MAIN

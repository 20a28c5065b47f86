/* tests/report/series/test_derived_series.c: sums of classes of MPI calls by call path have one value in each slice,
 * also of what is not kept apart. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "derived_series.h"
#include "memory.h"

#define ENTRY(id, of_path, in, seconds, on) \
    { .metric = HD_METRIC_##id, .path = of_path, .slice = in, .process = on, .n_processes = 1, .value = seconds, \
      .most = seconds }

static const hd_path_entry parts[] = {
    ENTRY(mpi_latesender, 1, 1, 9, 0),        ENTRY(mpi_point2point, 1, 1, 3, 2),
    ENTRY(mpi_point2point, HD_NONE, 1, 4, 0),
    ENTRY(mpi_point2point, HD_NONE, 2, 5, 0), ENTRY(mpi_collective, 2, 1, 6, 1),
    ENTRY(mpi_collective, HD_NONE, 1, 7, 3),
};
enum { N_PARTS = sizeof parts / sizeof *parts };

static void
check_entry(const hd_path_entry *entry, uint32_t path, uint32_t slice, double value, uint32_t process)
{
    CHECK_EQ(entry->metric, HD_METRIC_mpi_communication);
    CHECK_EQ(entry->path, path);
    CHECK_EQ(entry->slice, slice);
    CHECK(entry->value == value);
    CHECK_EQ(entry->process, process);
    CHECK(process != HD_NONE ? entry->most == value : isnan(entry->most));
}

TEST(a_call_path_has_one_sum_in_each_slice)
{
    hd_path_series_list  list = { .entries = HD_NEW_UNSET(hd_path_entry, N_PARTS), .n = N_PARTS };
    const hd_path_entry *sums;

    memcpy(list.entries, parts, sizeof parts);
    hd_derived_series_add_paths(&list, HD_METRIC_mpi_communication);
    sums = &list.entries[N_PARTS];
    CHECK_EQ(list.n, N_PARTS + 4);
    check_entry(&sums[0], 1, 1, 3, 2);
    check_entry(&sums[1], 2, 1, 6, 1);
    check_entry(&sums[2], HD_NONE, 1, 11, HD_NONE);
    check_entry(&sums[3], HD_NONE, 2, 5, 0);
    hd_path_series_list_fini(&list);
}

TEST_MAIN

/* tests/fuzz/fuzz_fail_rule.c: a file of rules, held against two small reports. */
#include "fail_rule.h"
#include "fuzz.h"
#include "../report/small_cube.h"

static const small_metric metrics[] =
    { { "time", "sec", HD_NONE, SMALL_REAL }, { "bytes", "bytes", HD_NONE, SMALL_INTEGER } };
static const small_path   paths[]   = { { "main", HD_NONE }, { "solve<a>b>", 0 }, { "MPI_Recv", 1 } };
static const small_cube   made      =
    { .metrics = metrics, .paths = paths, .n_metrics = 2, .n_paths = 3, .n_processes = 2, .n_threads = 1 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static hd_cube      *cubes[2];
    static hd_alignment *alignment; /* of the process, as long as it runs */
    hd_fail_rules        rules = { 0 };
    size_t               n_met;

    if (alignment == NULL) {
        char *name = hd_format("/dev/shm/heddle-fuzz-%ld.cubex", (long)getpid());

        for (int i = 0; i < 2; i++) {
            cubes[i] = small_cube_open(&made, name);
            unlink(name);
        }
        alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
        free(name);
    }
    if (hd_fail_rules_read(&rules, fuzz_file(data, bytes)) == HD_OK && rules.n <= 20 &&
        hd_fail_rules_check(&rules, alignment, &n_met) == HD_OK) {
        FILE *nowhere = fuzz_nowhere();

        hd_fail_rules_print(&rules, alignment, n_met, nowhere, bytes % 2 == 0);
        fclose(nowhere);
    }
    hd_fail_rules_fini(&rules);
    return 0;
}

/* tests/fuzz/fuzz_expression.c: a CubePL expression, compiled and run in a report of three call paths. */
#include "cube_pl.h"
#include "fuzz.h"

enum { MAX_ITEMS = 1000, MAX_STEPS = 20000, MAX_REFERENCES = 64 };

static hd_pl_value
fact(void *context, hd_pl_fact of, double index)
{
    (void)context;
    switch (of) {
    case HD_PL_N_PATHS: return (hd_pl_value){ .number = 3 };
    case HD_PL_PATH: return (hd_pl_value){ .number = 1 };
    case HD_PL_PATH_PARENT: return (hd_pl_value){ .number = index - 1 };
    case HD_PL_REGION_NAME: return (hd_pl_value){ .text = index == 1 ? "MPI_Send" : "main" };
    default: return (hd_pl_value){ .number = 2 };
    }
}

static double
called(void *context, const hd_pl_reference *reference, double path)
{
    (void)context;
    return reference->flavour == HD_PL_INCLUSIVE ? 100 + path : 200 + path;
}

static void
set_void(void *context, const char *id)
{
    (void)context, (void)id;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char         *text = fuzz_text(data, bytes), why[100];
    double        values[MAX_REFERENCES], result;
    hd_pl_machine machine;
    hd_pl_program program;

    for (size_t i = 0; i < MAX_REFERENCES; i++)
        values[i] = (double)i;
    hd_pl_machine_init(&machine, &(hd_pl_host){ .fact = fact, .called = called, .set_void = set_void }, MAX_ITEMS);
    if (hd_pl_compile(&machine, text, &program, why, sizeof why) && program.n_references <= MAX_REFERENCES)
        hd_pl_run(&machine, &program, values, 1, MAX_STEPS, &result);
    hd_pl_fini(&program);
    hd_pl_machine_fini(&machine);
    free(text);
    return 0;
}

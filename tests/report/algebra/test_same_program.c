/* tests/report/algebra/test_same_program.c: reports of MPI calls alone, whose programs have different names. */
#include "same_program.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "small_cube.h"

static const small_metric metrics[] = { { "time", "sec", HD_NONE, SMALL_REAL } };

/* calls: [n] of MPI in main. Owner: free(). */
static char *
why_not(const char *a, const char *const *calls_a, uint32_t n_a, const char *b, const char *const *calls_b,
        uint32_t n_b)
{
    const char        *names[] = { a, b }, *const *calls[] = { calls_a, calls_b };
    static const char *files[] = { "same_a.cubex", "same_b.cubex" };
    uint32_t           n[]     = { n_a, n_b };
    small_path         paths[8];
    hd_cube           *cubes[2];
    hd_alignment      *alignment;
    char              *why;

    for (uint32_t c = 0; c < 2; c++) {
        paths[0] = (small_path){ names[c], HD_NONE };
        paths[1] = (small_path){ "main", 0 };
        for (uint32_t i = 0; i < n[c]; i++)
            paths[2 + i] = (small_path){ calls[c][i], 1 };
        cubes[c] = small_cube_open(&(small_cube){ metrics, paths, 1, 2 + n[c], 2, 1, .factor = 1 }, files[c]);
    }
    alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
    why       = hd_same_program_why_not(alignment);
    hd_alignment_free(alignment);
    hd_cube_close(cubes[0]);
    hd_cube_close(cubes[1]);
    return why;
}

static const char *const ring[] = { "MPI_Init", "MPI_Sendrecv", "MPI_Finalize", "MPI_Barrier" };
static const char *const tree[] = { "MPI_Init", "MPI_Reduce", "MPI_Finalize" };

TEST(versions_with_names_of_their_own_are_one_program)
{
    CHECK(why_not("ring_v1", ring, 3, "ring_v2", ring, 3) == NULL);
    CHECK(why_not("ring_v1", ring, 3, "ring_v2", ring, 4) == NULL);
    CHECK(why_not("ring.a", ring, 3, "ring.b", tree, 3) == NULL);
}

TEST(other_names_and_other_calls_are_another_program)
{
    char *why = why_not("ring", ring, 3, "tree", tree, 3);

    CHECK(why != NULL);
    CHECK(why != NULL && strstr(why, "\"ring\" and \"tree\": 3 of 4 call paths") != NULL);
    free(why);
}

TEST_MAIN

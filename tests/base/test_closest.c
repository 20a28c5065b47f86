/* tests/base/test_closest.c: the name that was meant by a word that is none. */
#include "closest.h"

#include "check.h"

static const char *const names[] = { "threads", "force", "placement", "MPI_Recv" };

static const char *
meant(const char *word)
{
    const char *found = hd_closest(word, names, sizeof names / sizeof *names);

    return found != NULL ? found : "none";
}

TEST(letters_are_wrong_missing_swapped_or_too_many)
{
    CHECK_STR(meant("forse"), "force");
    CHECK_STR(meant("froce"), "force");
    CHECK_STR(meant("forcce"), "force");
    CHECK_STR(meant("placment"), "placement");
}

TEST(a_beginning_is_enough)
{
    CHECK_STR(meant("thr"), "threads");
    CHECK_STR(meant("t"), "none");
}

TEST(capital_and_small_letters_are_alike)
{
    CHECK_STR(meant("mpi_recv"), "MPI_Recv");
    CHECK_STR(meant("FORCE"), "force");
}

TEST(other_words_mean_nothing)
{
    CHECK_STR(meant("xyzzy"), "none");
    CHECK_STR(meant(""), "none");
    CHECK_STR(meant("a word that is longer than forty letters, whatever it says"), "none");
}

TEST_MAIN

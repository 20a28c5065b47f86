/* tests/report/text/test_name_cut.c: names that are cut keep begin, end and what tells them apart. */
#include <string.h>

#include "check.h"
#include "name_cut.h"

TEST(a_name_that_fits_is_not_cut)
{
    hd_name_cuts cuts = { 0 };
    const char  *name = "main > MPI_Send";

    CHECK(hd_name_cut(&cuts, name, 15) == name);
    hd_name_cuts_fini(&cuts);
}

TEST(a_name_loses_its_middle)
{
    hd_name_cuts cuts = { 0 };

    CHECK_STR(hd_name_cut(&cuts, "main > solve > exchange > MPI_Waitall", 24), "main > ... > MPI_Waitall");
    hd_name_cuts_fini(&cuts);
}

TEST(the_same_name_is_cut_in_the_same_way)
{
    hd_name_cuts cuts  = { 0 };
    const char  *first = hd_name_cut(&cuts, "main > solve > exchange > MPI_Waitall", 20);

    CHECK(hd_name_cut(&cuts, "main > solve > exchange > MPI_Waitall", 20) == first);
    hd_name_cuts_fini(&cuts);
}

TEST(names_that_differ_in_the_middle_alone_do_not_look_alike)
{
    hd_name_cuts cuts = { 0 };
    const char  *a    = hd_name_cut(&cuts, "main > timestep > computeForce > kineticEnergy > addRealParallel > "
                                    "MPI_Allreduce", 40);
    const char  *b    = hd_name_cut(&cuts, "main > timestep > computeForce > potentialEnergy > addRealParallel > "
                                    "MPI_Allreduce", 40);

    CHECK(strcmp(a, b) != 0);
    CHECK_EQ(hd_text_columns(a), 40);
    CHECK_EQ(hd_text_columns(b), 40);
    CHECK(strstr(b, "potential") != NULL);
    hd_name_cuts_fini(&cuts);
}

TEST(names_that_no_cut_tells_apart_are_whole)
{
    static const char *const names[] =
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaXaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaYaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaYaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
    hd_name_cuts cuts = { 0 };
    const char  *shown[3];

    for (int i = 0; i < 3; i++)
        shown[i] = hd_name_cut(&cuts, names[i], 20);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(shown[i], shown[j]) != 0);
    CHECK(shown[2] == names[2]);
    hd_name_cuts_fini(&cuts);
}

TEST(characters_of_several_bytes_stay_whole)
{
    hd_name_cuts cuts = { 0 };
    const char  *cut  = hd_name_cut(&cuts,
                                    "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
                                    "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 12);

    CHECK_STR(cut, "\xC3\xA4...\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4");
    hd_name_cuts_fini(&cuts);
}

TEST_MAIN

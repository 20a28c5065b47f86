/* tests/topology/test_places.c: coordinates of ranks and hosts; six processes, two on each of three nodes. */
#include "places.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "nodes_of.h"

static const char *const three[] = { "n0", "n1.site", "n2" };

/* "x 4 periodic, y 2: 0,0 0,0 1,0 ...", or the error with its first detail. */
static const char *
read_places(const char *text)
{
    static char   result[1200];
    char          copy[1024];
    nodes_of      all       = nodes_of_names(6, 2, three);
    hd_cartesian *cartesian = NULL;
    hd_hosts      hosts;
    size_t        n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    hd_hosts_init(&hosts, &all.defs);
    if (hd_places_read(copy, "p", "file:p", &all.defs, &hosts, &cartesian) != HD_OK) {
        snprintf(result, sizeof result, "%.600s%.500s", hd_error_get()->text, hd_error_get()->details);
        CHECK(cartesian == NULL);
    } else {
        CHECK_STR(cartesian->name, "file:p");
        for (uint32_t i = 0; i < cartesian->n_dimensions; i++)
            n += (size_t)snprintf(result + n, sizeof result - n, "%s%s %" PRIu32 "%s", i > 0 ? ", " : "",
                                  cartesian->dimension_names[i],
                                  cartesian->sizes[i], cartesian->is_periodic[i] ? " periodic" : "");
        for (uint32_t i = 0; i < 6 * cartesian->n_dimensions; i++)
            n += (size_t)snprintf(result + n, sizeof result - n, "%s%" PRIu32,
                                  i == 0 ? ": " : i % cartesian->n_dimensions == 0 ? " " : ",",
                                  cartesian->places[i]);
    }
    hd_cartesian_free(cartesian);
    hd_hosts_fini(&hosts);
    return result;
}

TEST(ranks_have_places)
{
    CHECK_STR(read_places("# a grid\nrank x y\n0 0 0\n1 0 1\n2 1 0\n3 1 1\n5 2 1 # the last\n4 2 0\n"),
              "x 3, y 2: 0,0 0,1 1,0 1,1 2,0 2,1");
    CHECK_STR(read_places("Rank ring\nsize 8\nperiodic yes\n0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n"),
              "ring 8 periodic: 0 1 2 3 4 5");
    CHECK_STR(read_places("rank x y\nPERIODIC true 0\nsize 2 3\n0 0 0\n1 0 1\n2 0 2\n3 1 0\n4 1 1\n5 1 2\n"),
              "x 2 periodic, y 3: 0,0 0,1 0,2 1,0 1,1 1,2");
}

TEST(hosts_have_places_and_their_processes_with_them)
{
    CHECK_STR(read_places("host x y\nn0 0 0\nn1 1 0\nother 7 1\nn2.site 1 1\n"), "x 8, y 2: 0,0 0,0 1,0 1,0 1,1 1,1");
}

TEST(a_process_without_a_place_is_an_error)
{
    CHECK_STR(read_places("rank x\n0 0\n1 1\n3 3\n"),
              "\"p\" has no place for 3 of the 6 MPI processes  first:    rank 2\n");
    CHECK_STR(read_places("host x\nn0 0\nn2 1\n"),
              "\"p\" has no place for 2 of the 6 MPI processes  first:    rank 2, host n1.site\n");
}

TEST(what_cannot_be_right_is_an_error_with_its_line)
{
    CHECK_STR(read_places(""), "\"p\", line 1: the first line has to be of the form \"rank x y z\" or \"host x y z\"");
    CHECK_STR(read_places("\n0 0 0\n"),
              "\"p\", line 2: the first line has to be of the form \"rank x y z\" or \"host x y z\"");
    CHECK_STR(read_places("rank\n0\n"), "\"p\", line 1: there are no dimensions");
    CHECK_STR(read_places("rank x y\n0 0\n"), "\"p\", line 2: there are fewer than 2 numbers");
    CHECK_STR(read_places("rank x y\n0 0 0 0\n"), "\"p\", line 2: there are more than 2 numbers");
    CHECK_STR(read_places("rank x\nsize 0\n"), "\"p\", line 2: \"0\" is no size");
    CHECK_STR(read_places("rank x\nsize 99999999999\n"), "\"p\", line 2: \"99999999999\" is no size");
    CHECK_STR(read_places("rank x y\nsize 4\n"), "\"p\", line 2: there are fewer than 2 numbers");
    CHECK_STR(read_places("rank x\nperiodic maybe\n"), "\"p\", line 2: \"maybe\" is neither yes nor no");
    CHECK_STR(read_places("rank x\nsize 4\n0 4\n"), "\"p\", line 3: x is 4, its size is 4");
    CHECK_STR(read_places("rank x\n0 -1\n"), "\"p\", line 2: \"-1\" is no coordinate");
    CHECK_STR(read_places("rank x\n0 1\n6 1\n"), "\"p\", line 3: there is no rank 6: the program has 6 MPI processes");
    CHECK_STR(read_places("rank x\nn0 1\n"), "\"p\", line 2: \"n0\" is no rank");
    CHECK_STR(read_places("rank x\n0 1\n0 1\n"), "\"p\", line 3: rank 0 is in line 2 already");
    CHECK_STR(read_places("host x\nn1 1\nn1.site 1\n"), "\"p\", line 3: host n1.site is in line 2 already");
    CHECK_STR(read_places("rank x y z\nsize 9999 9999 9999\n0 1 1 1\n"),
              "\"p\": the topology has more than 67108864 places");
    CHECK_STR(read_places("rank x y\n0 67108863 67108863\n"), "\"p\": the topology has more than 67108864 places");
}

TEST(what_is_said_of_all_stands_once_and_before_the_rows)
{
    CHECK_STR(read_places("host x\nn0 0\nsize 4\n"), "\"p\", line 3: size has to stand before the first host");
    CHECK_STR(read_places("rank x\n0 0\nPeriodic yes\n"), "\"p\", line 3: periodic has to stand before the first rank");
    CHECK_STR(read_places("rank x\nsize 4\nsize 5\n"), "\"p\", line 3: size is given twice");
    CHECK_STR(read_places("rank x\nperiodic no\nsize 8\nperiodic yes\n"), "\"p\", line 4: periodic is given twice");
}

TEST(names_of_dimensions_can_be_used_in_options)
{
    CHECK_STR(read_places("rank x y X\n"), "\"p\", line 1: there are two dimensions \"X\"");
    CHECK_STR(read_places("rank 0 1\n"), "\"p\", line 1: \"0\" is a number, not the name of a dimension");
    CHECK_STR(read_places("rank x,y\n"), "\"p\", line 1: \"x,y\" is no name of a dimension: it has one of + = ,");
    CHECK_STR(read_places("rank a=b\n"), "\"p\", line 1: \"a=b\" is no name of a dimension: it has one of + = ,");
    CHECK_STR(read_places("rank x+\n"), "\"p\", line 1: \"x+\" is no name of a dimension: it has one of + = ,");
}

TEST(a_byte_order_mark_is_skipped)
{
    CHECK_STR(read_places("\xEF\xBB\xBFrank ring\n0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n"), "ring 6: 0 1 2 3 4 5");
}

TEST_MAIN

/* tests/topology/test_slurm.c: switches of a file; process i stands at node i. */
#include "slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "nodes_of.h"

static const char *const four[] = { "tux0", "tux1", "tux2", "tux3" };

/* "switch of node 0, 1, ...; parent of switch 0, 1, ...", or the error with its first detail. */
static const char *
read_switches(const char *text)
{
    static char  result[1200];
    char         copy[1024];
    nodes_of     all      = nodes_of_names(4, 1, four);
    hd_switches *switches = NULL;
    hd_hosts     hosts;
    size_t       n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    hd_hosts_init(&hosts, &all.defs);
    if (hd_slurm_read(copy, "x", &all.defs, &hosts, &switches) != HD_OK) {
        snprintf(result, sizeof result, "%.600s%.500s", hd_error_get()->text, hd_error_get()->details);
        CHECK(switches == NULL);
    } else {
        for (int i = 0; i < 4; i++)
            n += (size_t)snprintf(result + n, sizeof result - n, "%d ", (int)switches->of_node[i]);
        for (uint32_t i = 0; i < switches->n; i++)
            n += (size_t)snprintf(result + n, sizeof result - n, "%s%d", i == 0 ? ";" : "", (int)switches->parents[i]);
    }
    hd_switches_free(switches);
    hd_hosts_fini(&hosts);
    return result;
}

TEST(nodes_are_at_switches_and_switches_below_others)
{
    /* in the order of the file, parents before their children: spine, leaf0, leaf1 */
    CHECK_STR(read_switches("# a site\nSwitchName=leaf0 Nodes=tux[0-1],login LinkSpeed=10\nswitchname=leaf1 "
                            "NODES=tux[2-9]\nSwitchName=spine Switches=leaf[0-1]\n"),
              "1 1 2 2 ;-100");
    CHECK_STR(read_switches("SwitchName=s \\\n Nodes=tux[0-3]\n"), "0 0 0 0 ;-1");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux0\nSwitchName=b Nodes=tux[1-3]\n"), "0 1 1 1 ;-1-1");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux[0-2] Switches=b\nSwitchName=b Nodes=tux3\n"), "0 0 0 1 ;-10");
}

/*   u   v      w, x      s0: node 0, s1: node 1, s2: node 2, s3: node 3
 *   |\\ /|     / \
 *   s0  s1   s2  s3       all below top */
TEST(switches_above_one_and_the_same_count_as_one)
{
    CHECK_STR(read_switches("SwitchName=s0 Nodes=tux0\nSwitchName=s1 Nodes=tux1\nSwitchName=s2 "
                            "Nodes=tux2\nSwitchName=s3 Nodes=tux3\n"
                            "SwitchName=u Switches=s[0-1]\nSwitchName=v Switches=s[0-1]\nSwitchName=w Switches=s[2-3]\n"
                            "SwitchName=x Switches=s[2-3]\nSwitchName=top Switches=u,v,w,x\n"),
              "2 3 5 6 ;-1011044"); /* top; u and v; s0, s1; w and x; s2, s3 */
    /* each pair shares one: all three are one layer */
    CHECK_STR(read_switches("SwitchName=s0 Nodes=tux0\nSwitchName=s1 Nodes=tux1\nSwitchName=s2 Nodes=tux[2-3]\n"
                            "SwitchName=u Switches=s[0-1]\nSwitchName=v Switches=s[1-2]\nSwitchName=w "
                            "Switches=s[0,2]\n"),
              "1 2 3 3 ;-1000");
    /* s0 is below a directly, and below b, which is below a */
    CHECK_STR(read_switches("SwitchName=s0 Nodes=tux[0-3]\nSwitchName=a Switches=s0,b\nSwitchName=b Switches=s0\n"),
              "1 1 1 1 ;-10");
    CHECK_STR(read_switches("SwitchName=s0 Nodes=tux[0-3]\nSwitchName=b Switches=s0\nSwitchName=a "
                            "Switches=s0,b\nSwitchName=top Switches=a\n"),
              "2 2 2 2 ;-101");
    CHECK_STR(read_switches("SwitchName=top Switches=a\nSwitchName=a Switches=b,s0\nSwitchName=b "
                            "Switches=s0\nSwitchName=s0 Nodes=tux[0-3]\n"),
              "2 2 2 2 ;-101");
}

TEST(blanks_and_quotes_do_not_matter)
{
    CHECK_STR(read_switches("SwitchName = a\tNodes= \"tux[0-1]\" LinkSpeed =1\n  SwitchName=\"b\"Nodes =tux[2-3]\n"),
              "0 0 1 1 ;-1-1");
    CHECK_STR(read_switches("\xEF\xBB\xBFSwitchName=a Nodes=tux[0-3]\n"), "0 0 0 0 ;-1");
}

/* Nobody of the archive is below deep: it is there, and the others are where they were. */
TEST(switches_without_hosts_are_passed_over)
{
    CHECK_STR(read_switches("SwitchName=s0 Nodes=tux[0-1]\nSwitchName=s1 Nodes=tux[2-3]\nSwitchName=far "
                            "Nodes=other[0-9]\n"
                            "SwitchName=deep Switches=far\nSwitchName=top Switches=s[0-1],deep\n"),
              "1 1 2 2 ;-10003");
}

/* The number of switches of a row of n, each above the next and the next but one; from the top or from the bottom. */
static uint32_t
n_of_row(int n, bool from_top)
{
    nodes_of     all      = nodes_of_names(4, 1, four);
    hd_switches *switches = NULL;
    hd_hosts     hosts;
    char        *text  = NULL;
    size_t       bytes = 0;
    uint32_t     n_left = 0;
    FILE        *file  = open_memstream(&text, &bytes);

    CHECK(file != NULL);
    for (int k = 0; k < n; k++) {
        int i = from_top ? n - 1 - k : k;

        fprintf(file, "SwitchName=a%d ", i);
        if (i < 2)
            fputs(i == 0 ? "Nodes=tux[0-3]\n" : "Switches=a0\n", file);
        else
            fprintf(file, "Switches=a%d,a%d\n", i - 1, i - 2);
    }
    fclose(file);
    hd_hosts_init(&hosts, &all.defs);
    if (hd_slurm_read(text, "x", &all.defs, &hosts, &switches) == HD_OK)
        n_left = switches->n;
    hd_switches_free(switches);
    hd_hosts_fini(&hosts);
    free(text);
    return n_left;
}

/* a1 and a2 are above a0, a2 and a3 above a1, ...: all but a0 are one. */
TEST(the_order_of_lines_does_not_matter_nor_how_many_there_are)
{
    CHECK_EQ(n_of_row(20000, false), 2);
    CHECK_EQ(n_of_row(20000, true), 2);
}

TEST(what_contradicts_itself_is_an_error)
{
    CHECK_STR(read_switches("SwitchName=a Nodes=tux[0-3]\nSwitchName=b Nodes=tux3\n"),
              "\"x\", line 2: host \"tux3\" is at switch \"a\" already");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux[0-3],TUX2\n"),
              "\"x\", line 1: host \"TUX2\" is at switch \"a\" already");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux0\n\nSwitchName=a Nodes=tux1\n"),
              "\"x\", line 3: switch \"a\" is in line 1 already");
    CHECK_STR(read_switches("SwitchName=a Switches=a\n"), "\"x\", line 1: switch \"a\" is below itself");
    CHECK_STR(read_switches("SwitchName=c Nodes=tux[0-3]\nSwitchName=a Switches=b,c\nSwitchName=b Switches=a\n"),
              "\"x\", line 2: switch \"a\" is below itself");
    CHECK_STR(read_switches("SwitchName=c Nodes=tux[0-3]\nSwitchName=a Switches=b,c\nSwitchName=b Switches=a,c\n"),
              "\"x\", line 2: switch \"a\" is below itself");
    CHECK_STR(read_switches("SwitchName=a Switches=b\n"), "\"x\", line 1: there is no switch \"b\"");
}

TEST(hosts_without_a_switch_are_an_error)
{
    CHECK_STR(read_switches("SwitchName=a Nodes=tux[0,3]\n"),
              "\"x\" has no switch for 2 of the archive's 4 hosts  first:    tux1\n");
    CHECK_STR(read_switches(""), "\"x\" has no switch for 4 of the archive's 4 hosts  first:    tux0\n");
}

TEST(lines_that_are_none_are_errors)
{
    CHECK_STR(read_switches("tux0 0 0\n"), "\"x\", line 1: \"tux0\" is not of the form KEY=VALUE");
    CHECK_STR(read_switches("SwitchName= Nodes=tux0\n"), "\"x\", line 1: SwitchName has no value");
    CHECK_STR(read_switches("SwitchName=a Nodes=\n"), "\"x\", line 1: Nodes has no value");
    CHECK_STR(read_switches("SwitchName=a Nodes=\"\"\n"), "\"x\", line 1: Nodes has no value");
    CHECK_STR(read_switches("SwitchName=a Nodes=\"tux0\n"), "\"x\", line 1: Nodes: a \" is missing");
    CHECK_STR(read_switches("=a Nodes=tux0\n"), "\"x\", line 1: \"=\" is not of the form KEY=VALUE");
    CHECK_STR(read_switches("SwitchName a\n"), "\"x\", line 1: \"SwitchName\" is not of the form KEY=VALUE");
    CHECK_STR(read_switches("SwitchName=a\n"), "\"x\", line 1: switch \"a\" has neither Nodes nor Switches");
    CHECK_STR(read_switches("Nodes=tux0\n"), "\"x\", line 1: there is no SwitchName");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux0 Nodes=tux1\n"), "\"x\", line 1: Nodes is given twice");
    CHECK_STR(read_switches("BlockName=a Nodes=tux0\n"),
              "\"x\", line 1: \"BlockName\" is not known; there are SwitchName, Nodes, Switches and LinkSpeed");
    CHECK_STR(read_switches("SwitchName=a Nodes=tux[0-\n"),
              "\"x\", line 1: \"tux[0-\" is no list of names: a \"]\" is missing");
    CHECK(strstr(read_switches("SwitchName=a Nodes=n[0-9999]m[0-9999]\n"), "too many names") != NULL);
}

TEST_MAIN

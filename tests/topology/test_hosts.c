/* tests/topology/test_hosts.c: hosts by name, and lists of them. */
#include "hosts.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "nodes_of.h"

TEST(hosts_are_found_by_name)
{
    static const char *const names[] = { "node1", "NODE2.example.org", "a.one", "a.two", "node1" };
    nodes_of                 all     = nodes_of_names(10, 2, names);
    hd_hosts                 hosts;

    hd_hosts_init(&hosts, &all.defs);
    CHECK_EQ(hosts.n, 4);
    CHECK_EQ(hosts.of_process[9], 0); /* two nodes of one name */
    CHECK_EQ(hd_hosts_find(&hosts, "node1"), 0);
    CHECK_EQ(hd_hosts_find(&hosts, "Node1.example.org"), 0);
    CHECK_EQ(hd_hosts_find(&hosts, "node2"), 1);
    CHECK_EQ(hd_hosts_find(&hosts, "node2.elsewhere.org"), HD_NONE);
    CHECK_EQ(hd_hosts_find(&hosts, "a.two"), 3);
    CHECK_EQ(hd_hosts_find(&hosts, "node"), HD_NONE);
    CHECK_EQ(hd_hosts_find(&hosts, ""), HD_NONE);
    hd_hosts_fini(&hosts);
}

TEST(addresses_have_no_domain)
{
    static const char *const names[] = { "10.0.0.1", "10.0.0.2", "10" };
    nodes_of                 all     = nodes_of_names(6, 2, names);
    hd_hosts                 hosts;

    hd_hosts_init(&hosts, &all.defs);
    CHECK_EQ(hd_hosts_find(&hosts, "10.0.0.1"), 0);
    CHECK_EQ(hd_hosts_find(&hosts, "10.0.0.2"), 1);
    CHECK_EQ(hd_hosts_find(&hosts, "10.0.0.3"), HD_NONE);
    CHECK_EQ(hd_hosts_find(&hosts, "10"), 2);
    hd_hosts_fini(&hosts);
}

typedef struct written {
    char   text[512];
    size_t n;
} written;

static hd_status
write_name(void *context, const char *name)
{
    written *w = context;

    w->n += (size_t)snprintf(w->text + w->n, sizeof w->text - w->n, "%s%s", w->n > 0 ? " " : "", name);
    return HD_OK;
}

static const char *
names_of(const char *list, uint64_t most)
{
    static written w;
    hd_lines       lines = { .path = "x", .number = 3 };

    w = (written){ .n = 0 };
    return hd_hosts_expand(&lines, list, &most, write_name, &w) == HD_OK ? w.text : hd_error_get()->text;
}

TEST(lists_are_expanded_in_order)
{
    CHECK_STR(names_of("a", 9), "a");
    CHECK_STR(names_of("tux[0-2,7],b", 9), "tux0 tux1 tux2 tux7 b");
    CHECK_STR(names_of("n[08-11]", 9), "n08 n09 n10 n11");
    CHECK_STR(names_of("r[0-1]n[1,3]-ib", 9), "r0n1-ib r0n3-ib r1n1-ib r1n3-ib");
    CHECK_STR(names_of("[1-2]", 9), "1 2");
}

TEST(what_is_no_list_is_an_error)
{
    CHECK_STR(names_of("a,,b", 9), "\"x\", line 3: \"a,,b\" is no list of names: a name is missing");
    CHECK_STR(names_of("", 9), "\"x\", line 3: \"\" is no list of names: a name is missing");
    CHECK_STR(names_of("a[1-", 9), "\"x\", line 3: \"a[1-\" is no list of names: a \"]\" is missing");
    CHECK_STR(names_of("a[]", 9), "\"x\", line 3: \"a[]\" is no list of names: what is between brackets is not of the "
              "form 0-15,17");
    CHECK_STR(names_of("a[3-1]", 9),
              "\"x\", line 3: \"a[3-1]\" is no list of names: what is between brackets is not of the form 0-15,17");
    CHECK_STR(names_of("a[1,]", 9),
              "\"x\", line 3: \"a[1,]\" is no list of names: what is between brackets is not of the form 0-15,17");
    CHECK_STR(names_of("a[1-2-3]", 9),
              "\"x\", line 3: \"a[1-2-3]\" is no list of names: what is between brackets is not of the form 0-15,17");
    CHECK_STR(names_of("a[0000000001]", 9),
              "\"x\", line 3: \"a[0000000001]\" is no list of names: what is between brackets is not of the form "
              "0-15,17");
    CHECK_STR(names_of("a[0-999999999]", 9),
              "\"x\", line 3: \"a[0-999999999]\" is no list of names: there are too many names in this file");
    CHECK_STR(names_of("[1][1][1][1][1][1][1][1][1]", 9),
              "\"x\", line 3: \"[1][1][1][1][1][1][1][1][1]\" is no list of names: it has too many brackets");
}

TEST(a_name_that_is_too_long_is_an_error)
{
    char list[400];

    memset(list, 'a', sizeof list);
    memcpy(list + 250, "[00000001-00000002]", 20);
    CHECK(strstr(names_of(list, 9), "a name is too long") != NULL);
    memset(list, 'a', sizeof list);
    list[sizeof list - 1] = '\0';
    CHECK(strstr(names_of(list, 9), "a name is too long") != NULL);
}

TEST_MAIN

/* tests/topology/test_tables.c: heddle topology --by node, coordinate and distance, and what heddle summary says, of a
 * whole run.
 *
 *   16 processes, 2 in each NUMA domain, 4 on each of 4 nodes, a 4 x 4 grid: x is the node. Processes of node 2 wait
 *   100 each for one of their NUMA domain; those of the others 1 each; process 0 waits 2 for process 12.
 */
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

static const tw_options options = { .archive =
    { .n_processes = 16, .processes_per_node = 4, .processes_per_numa = 2 } };
static char            *folder;

/* later: behind all that, process 0 works that long. */
static void
write_archive(const char *name, hd_time later)
{
    static tw_op ops[64];
    size_t       n = 0;
    char        *archive = hd_format("%s/%s", folder, name);

    for (uint32_t p = 0; p < 16; p += 2) { /* even ones receive from the odd one after them, then the other way round */
        hd_time wait = p / 4 == 2 ? 100 : 1;

        ops[n++] = (tw_op){ .process = p, .op = TW_RECV, .enter = 1000, .leave = 1001 + wait, .peer = p + 1, .tag = 1 };
        ops[n++] = (tw_op){ .process = p + 1, .op = TW_SEND, .enter = 1000 + wait, .leave = 1001 + wait, .peer = p,
                            .tag = 1, .bytes = 10 };
        ops[n++] = (tw_op){ .process = p + 1, .op = TW_RECV, .enter = 2000, .leave = 2001 + wait, .peer = p, .tag = 1 };
        ops[n++] = (tw_op){ .process = p, .op = TW_SEND, .enter = 2000 + wait, .leave = 2001 + wait, .peer = p + 1,
                            .tag = 1, .bytes = 10 };
    }
    ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = 2500, .leave = 2503, .peer = 12, .tag = 1 };
    ops[n++] = (tw_op){ .process = 12, .op = TW_SEND, .enter = 2502, .leave = 2503, .peer = 0, .tag = 1,
                        .bytes = 1000 };
    if (later > 0)
        ops[n++] = (tw_op){ .process = 0, .op = TW_USER, .region = "work", .enter = 3000, .leave = 3000 + later };
    tw_write(ops, n, &options, archive);
    free(archive);
}

/* What a command prints; arguments behind "heddle". */
static const char *
output_of(const char *arguments)
{
    static char text[65536];
    char       *command = hd_format("%s %s 2>&1", getenv("HEDDLE") != NULL ? getenv("HEDDLE") : "./heddle", arguments);
    FILE       *pipe    = popen(command, "r");
    size_t      n       = pipe != NULL ? fread(text, 1, sizeof text - 1, pipe) : 0;

    text[n] = '\0';
    if (pipe != NULL)
        pclose(pipe);
    free(command);
    return text;
}

static const char *
of_report(const char *command, const char *more)
{
    char       *arguments = hd_format("%s %s/r.cubex %s", command, folder, more);
    const char *text      = output_of(arguments);

    free(arguments);
    return text;
}

static void
analyze(void)
{
    char *arguments;

    if (folder != NULL)
        return;
    folder = hd_strdup("/tmp/heddle-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    write_archive("trace", 0);
    arguments = hd_format("analyze %s/trace/traces.otf2 -o %s/r.cubex --quiet --no-summary --topology=grid:4x4 "
                          "--threads=1", folder, folder);
    CHECK_STR(output_of(arguments), "");
    free(arguments);
}

#define TSV_HEAD "division\tpart\tprocesses\tcomputation\twaiting\tmpi_latesender\tmpi_latereceiver\tmessages\tbytes"

static bool
has(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        return true;
    printf("     \"%s\" is not in:\n%s", part, text);
    return false;
}

TEST(nodes_that_wait_most_come_first)
{
    const char *text;

    analyze();
    text = of_report("topology", "--by node --tsv --metric mpi_latesender");
    CHECK(has(text, TSV_HEAD "\tmpi_latesender\nnode\tnode0002\t4\t"));
    text = of_report("topology", "--by node");
    CHECK(has(text, "Nodes by waiting time"));
    CHECK(has(text, "\nnode0002          4"));
    CHECK(has(text, "  96.6 %")); /* 400 of 414 */
    CHECK(has(text, "late sender: concentrated on the node node0002: 97 % of the total on 25 % of the processes"));
}

TEST(coordinates_are_told_with_the_border)
{
    const char *text;

    analyze();
    text = of_report("topology", "--by coordinate");
    CHECK(has(text, "Coordinates of topology \"grid:4x4\""));
    CHECK(has(text, "late sender: concentrated on the line x = 2: 97 % of the total on 25 % of the processes"));
    CHECK(has(text, "\ninterior"));
    text = of_report("topology", "--by coordinate --tsv");
    CHECK(has(text, "x\t2\t4\t"));
    CHECK(has(text, "border\tcorners\t4\t"));
}

/* 16 messages of 10 bytes within NUMA domains, one of 1000 to another one. */
TEST(distances_are_a_table)
{
    analyze();
    CHECK(has(of_report("topology", "--by distance --tsv"),
              "kind\tdistance\tmessages\tbytes\tmpi_latesender\tmpi_latereceiver\nmachine\tnuma\t16\t160\t0.00041"));
    CHECK(has(of_report("topology", "--by distance --tsv"), "\nmachine\tremote\t1\t1000\t"));
    CHECK(has(of_report("topology", "--by distance --tsv"), "\nhops\th1\t16\t160\t0.00041"));
    CHECK(has(of_report("topology", "--by distance --tsv"), "\nhops\th4\t1\t1000\t"));
    CHECK(has(of_report("topology", "--by distance"), "\n\nMessages by hops on the topology \"grid:4x4\"\n"));
    CHECK(has(of_report("topology", "--by distance"), "Remote                                 1   5.9 %"));
    CHECK(has(of_report("topology", "--by distance --call-path MPI_Send --tsv"), "machine\tnuma\t16\t160\t0\t0\n"));
    CHECK(strstr(of_report("topology", "--by distance"), "(not known)") == NULL);
}

/* Process 1 sends 7 bytes that nobody receives. */
TEST(what_has_no_distance_is_in_a_row_of_its_own)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_SEND, .enter = 0, .leave = 1, .peer = 4, .tag = 1, .bytes = 10 },
        { .process = 4, .op = TW_RECV, .enter = 2, .leave = 3, .peer = 0, .tag = 1 },
        { .process = 1, .op = TW_SEND, .enter = 0, .leave = 1, .peer = 4, .tag = 1, .bytes = 7 },
    };
    char *archive   = hd_format("%s/lost", folder);
    char *arguments = hd_format("analyze %s/traces.otf2 -o %s.cubex --quiet --no-summary --topology=grid:4x4 "
                                "--threads=1", archive, archive);
    char *table     = hd_format("topology %s.cubex --by distance", archive);
    char *tsv       = hd_format("%s --tsv", table);

    tw_write(ops, sizeof ops / sizeof *ops, &options, archive);
    output_of(arguments);
    CHECK(has(output_of(table), "\n(not known)                            1  50.0 %       7 bytes  41.2 %"));
    CHECK(has(output_of(tsv), "\nmachine\t(not known)\t1\t7\t0\t0\n"));
    CHECK(has(output_of(tsv), "\nhops\t(not known)\t1\t7\t0\t0\n"));
    free(archive);
    free(arguments);
    free(table);
    free(tsv);
}

TEST(of_little_waiting_nothing_is_said_unless_it_was_asked_for)
{
    char       *arguments = hd_format("analyze %s/long/traces.otf2 -o %s/long.cubex --quiet --no-summary "
                                      "--topology=grid:4x4 --threads=1", folder, folder);
    char       *table     = hd_format("topology %s/long.cubex --by node", folder);
    char       *asked     = hd_format("%s --metric mpi_latesender", table);
    const char *text;

    write_archive("long", 1000000);
    CHECK_STR(output_of(arguments), "");
    text = output_of(table);
    CHECK(has(text, "\nnode0002          4"));
    CHECK(strstr(text, "concentrated") == NULL);
    CHECK(has(output_of(asked), "\nmpi_latesender: concentrated on the node node0002: 97 % of the total"));
    free(arguments);
    free(table);
    free(asked);
}

TEST(the_summary_says_it_in_a_sentence)
{
    const char *text;

    analyze();
    text = of_report("summary", "");
    CHECK(has(text, "Wait states by topology coordinate\n  on \"grid:4x4\"\n    Late Sender: concentrated on the line "
              "x = 2: 97 % of the total on 25 %"));
    CHECK(has(text, "\n  Late Sender: concentrated on the node node0002: 97 % of the total on 25 %"));
    CHECK(has(text, "Wait states by node\n  node0002, 4 processes"));
}

TEST(options_that_do_not_go_together_are_errors)
{
    analyze();
    CHECK(has(of_report("topology", "--by node --fold x,y"), "--fold and this --by exclude each other"));
    CHECK(has(of_report("topology", "--by coordinate --picture a.png"), "--picture and this --by exclude each other"));
    CHECK(has(of_report("topology", "--by distance --metric time"), "--metric and this --by exclude each other"));
    CHECK(has(of_report("topology", "--by node --name nodes"), "--name and this --by exclude each other"));
    CHECK(has(of_report("topology", "--by node --metric tim"), "has no metric \"tim\""));
    tw_remove(folder);
}

TEST_MAIN

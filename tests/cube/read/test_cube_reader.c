/* tests/cube/read/test_cube_reader.c: reports as other tools write them, and damaged ones. The files are put together
 * here.
 *
 *   0 main ─┬─ 1 a ─── 2 c        rows of exclusive metrics: 0 1 2 3 4
 *           └─ 3 b ─── 4 d        rows of inclusive metrics: 0 main, 1 a, 2 b, 3 c, 4 d
 *
 * Own values are 1, 2, 4, 8, 16 at the first location and ten times that at the second.
 */
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bytes.h"
#include "check.h"
#include "cube_reader.h"
#include "dump.h"
#include "memory.h"
#include "summary.h"

static const char path[] = "test_cube_reader.cubex";

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n<attr key=\"Creator\" value=\"a "    \
    "test\"/>\n"
#define METRIC(id, type, dtype, name)                                                                                  \
    "<metric id=\"" #id "\" type=\"" type "\">\n<disp_name>" name "</disp_name>\n<uniq_name>" name "</uniq_name>\n"    \
    "<dtype>" dtype "</dtype>\n<uom>sec</uom>\n<url></url>\n<descr></descr>\n"
#define REGION(id, name)                                                                                               \
    "<region id=\"" #id "\" mod=\"\" begin=\"-1\" "                                                                    \
        "end=\"-1\"><name>" name "</name><mangled_name>" name "</mangled_name>"                                        \
    "<paradigm>user</paradigm><role>function</role><url></url><descr></descr></region>\n"
#define PROGRAM                                                                                                        \
    "<program>\n" REGION(0, "main") REGION(1, "a") REGION(2, "b") REGION(3, "c") REGION(4, "d")                        \
    "<cnode id=\"0\" calleeId=\"0\"><cnode id=\"1\" calleeId=\"1\"><cnode id=\"4\" calleeId=\"3\">"                    \
    "<parameter partype=\"numeric\" parkey=\"n\" parvalue=\"7\"/></cnode></cnode>"                                     \
    "<cnode id=\"2\" calleeId=\"2\"><cnode id=\"3\" calleeId=\"4\"></cnode></cnode></cnode>\n</program>\n"
#define SYSTEM                                                                                                         \
    "<system><systemtreenode Id=\"0\"><name>m</name><class>machine</class><locationgroup "                             \
        "Id=\"0\"><name>p</name><rank>0</rank>"                                                                        \
    "<type>process</type><location Id=\"0\"><name>t</name><rank>0</rank><type>thread</type></location>"                \
    "<location Id=\"1\"><name>u</name><rank>1</rank><type>thread</type></location></locationgroup></systemtreenode>"   \
    "</system>\n"
#define ANCHOR(metrics) HEAD "<metrics>" metrics "</metrics>\n" PROGRAM SYSTEM "</cube>\n"

static const char plain_anchor[] =
    ANCHOR(METRIC(0, "EXCLUSIVE", "DOUBLE", "time") METRIC(7, "EXCLUSIVE", "DOUBLE", "child") "</metric></metric>");

/* ---- putting files together ---- */

static hd_bytes archive;

static void
add_member(const char *name, const void *data, size_t n, size_t claimed)
{
    char     block[512] = { 0 };
    unsigned sum        = 0;

    snprintf(block, 100, "%s", name);
    snprintf(block + 124, 12, "%011zo", claimed);
    memcpy(block + 257, "ustar", 6);
    memset(block + 148, ' ', 7); /* a sum over seven blanks, as some writers have it */
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    snprintf(block + 148, 8, "%06o", sum);
    hd_bytes_put(&archive, block, 512);
    hd_bytes_put(&archive, data, n);
    memset(block, 0, sizeof block);
    hd_bytes_put(&archive, block, (512 - n % 512) % 512);
}

static void
put_number(hd_bytes *bytes, uint64_t value, int n, bool big)
{
    for (int i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)(value >> 8 * (big ? n - 1 - i : i));

        hd_bytes_put(bytes, &byte, 1);
    }
}

static void
put_double(hd_bytes *bytes, double value, bool big)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_number(bytes, bits, 8, big);
}

/* n rows, numbers[i] with values[i] at the first location, ten times that at the second; dense where numbers is
 * NULL. */
static void
add_rows(int metric, const uint32_t *numbers, const double *values, uint32_t n, bool big, bool packed)
{
    hd_bytes index = { 0 }, data = { 0 }, list = { 0 }, rows = { 0 };
    char     name[32];

    hd_bytes_put(&index, "CUBEX.INDEX", 11);
    put_number(&index, 1, 4, big);
    put_number(&index, 0, 2, big);
    put_number(&index, numbers != NULL ? 1 : 3, 1, big);
    if (numbers != NULL) {
        put_number(&index, n, 4, big);
        for (uint32_t i = 0; i < n; i++)
            put_number(&index, numbers[i], 4, big);
    }
    for (uint32_t i = 0; i < n; i++) {
        hd_bytes row = { 0 };
        uint8_t  small[100];
        uLongf   n_small = sizeof small;

        put_double(&row, values[i], big);
        put_double(&row, values[i] * 10, big);
        if (!packed)
            hd_bytes_put(&rows, row.data, row.n);
        else if (compress(small, &n_small, row.data, row.n) == Z_OK) {
            put_number(&list, i * 16, 8, big);
            put_number(&list, rows.n, 8, big);
            put_number(&list, n_small, 8, big);
            hd_bytes_put(&rows, small, n_small);
        }
        free(row.data);
    }
    hd_bytes_put(&data, packed ? "ZCUBEX.DATA" : "CUBEX.DATA", packed ? 11 : 10);
    if (packed)
        put_number(&data, n, 8, big);
    hd_bytes_put(&data, list.data, list.n);
    hd_bytes_put(&data, rows.data, rows.n);
    snprintf(name, sizeof name, "%d.data", metric);
    add_member(name, data.data, data.n, packed ? 10 + n * 16 : data.n);
    snprintf(name, sizeof name, "%d.index", metric);
    add_member(name, index.data, index.n, index.n);
    free(index.data);
    free(data.data);
    free(list.data);
    free(rows.data);
}

static void
write_file(const void *data, size_t n)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fwrite(data, 1, n, file) != n || fclose(file) != 0)
        abort();
}

static void
finish(const char *anchor, size_t n)
{
    static const char end[1024];

    add_member("anchor.xml", anchor, n, n);
    hd_bytes_put(&archive, end, sizeof end);
    write_file(archive.data, archive.n);
    archive.n = 0;
}

static char *
dump_file(void)
{
    hd_cube *cube  = NULL;
    char    *text  = NULL;
    size_t   bytes = 0;
    FILE    *stream;

    if (hd_cube_open(path, &cube) != HD_OK)
        return NULL;
    stream = open_memstream(&text, &bytes);
    if (hd_dump(cube, NULL, stream) != HD_OK || hd_summary_print(cube, stream, &(hd_summary_options){ 0 }) != HD_OK)
        fputs("error\n", stream);
    fclose(stream);
    hd_cube_close(cube);
    return text;
}

static void
check_dump(const char *expected)
{
    char *text = dump_file();

    CHECK(text != NULL);
    if (text != NULL && strncmp(text, expected, strlen(expected)) != 0)
        CHECK_STR(text, expected);
    free(text);
}

static const char all_values[] = "time\tmain\t0\t0\t1\ntime\tmain\t0\t1\t10\ntime\tmain;a\t0\t0\t2\ntime\tmain;a\t0\t"
                                 "1\t20\n"
                                 "time\tmain;a;c{n=7}\t0\t0\t4\ntime\tmain;a;c{n=7}\t0\t1\t40\ntime\tmain;b\t0\t0\t8\n"
                                 "time\tmain;b\t0\t1\t80\ntime\tmain;b;d\t0\t0\t16\ntime\tmain;b;d\t0\t1\t160\nReport";
static const double   own[]      = { 1, 2, 4, 8, 16 };
static const uint32_t all_rows[] = { 0, 1, 2, 3, 4 };

/* ---- tests ---- */

TEST(rows_of_exclusive_metrics_are_in_depth_first_order_whatever_the_ids)
{
    add_rows(0, all_rows, own, 5, false, false);
    finish(plain_anchor, strlen(plain_anchor));
    check_dump(all_values);
}

TEST(inclusive_metrics_come_out_exclusive)
{
    static const char   anchor[]    = ANCHOR(METRIC(0, "INCLUSIVE", "DOUBLE", "time") "</metric>");
    static const double inclusive[] = { 31, 6, 24, 4, 16 }; /* main, a, b, c, d */

    add_rows(0, all_rows, inclusive, 5, false, false);
    finish(anchor, strlen(anchor));
    check_dump(all_values);
}

TEST(the_other_byte_order_is_read)
{
    add_rows(0, all_rows, own, 5, true, false);
    finish(plain_anchor, strlen(plain_anchor));
    check_dump(all_values);
}

TEST(a_dense_index_is_read)
{
    add_rows(0, NULL, own, 5, false, false);
    finish(plain_anchor, strlen(plain_anchor));
    check_dump(all_values);
}

TEST(compressed_rows_are_read_although_their_header_gives_another_size)
{
    for (int big = 0; big < 2; big++) {
        add_rows(0, all_rows, own, 5, big != 0, true);
        finish(plain_anchor, strlen(plain_anchor));
        check_dump(all_values);
    }
}

TEST(a_compressed_anchor_is_read)
{
    uint8_t  packed[8192];
    z_stream zlib = { .next_in = (uint8_t *)(uintptr_t)plain_anchor, .avail_in = sizeof plain_anchor - 1,
                      .next_out = packed, .avail_out = sizeof packed };

    CHECK_EQ(deflateInit2(&zlib, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    CHECK_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    add_rows(0, all_rows, own, 5, false, false);
    finish((const char *)packed, zlib.total_out);
    deflateEnd(&zlib);
    check_dump(all_values);
}

TEST(metrics_without_rows_or_members_are_zero)
{
    add_rows(7, all_rows, own, 0, false, false);
    finish(plain_anchor, strlen(plain_anchor));
    check_dump("Report");
}

TEST(metrics_that_cannot_be_computed_and_hidden_ones_are_left_out_but_not_what_is_below_them)
{
    static const char anchor[] = ANCHOR(METRIC(3, "POSTDERIVED", "DOUBLE", "sum")
                                        "<cubepl>random(1)</cubepl>" METRIC(0, "EXCLUSIVE", "DOUBLE", "time")
                                        "</metric></metric><metric id=\"4\" type=\"EXCLUSIVE\" viztype=\"GHOST\">"
                                        "<uniq_name>ghost</uniq_name><dtype>DOUBLE</dtype></metric>");
    hd_cube *cube = NULL;

    add_rows(4, all_rows, own, 5, false, false);
    add_rows(0, all_rows, own, 5, false, false);
    finish(anchor, strlen(anchor));
    check_dump(all_values);
    CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
    CHECK_EQ(cube->n_metrics, 1);
    CHECK_EQ(cube->metrics[0].parent, HD_NONE);
    CHECK_EQ(cube->n_left_out, 1);
    CHECK_STR(cube->left_out[0].id, "sum");
    CHECK_STR(cube->left_out[0].why, "its expression is not understood: it asks for random numbers");
    CHECK_EQ(cube->n_attributes, 1);
    CHECK_STR(cube->attributes[0].value, "a test");
    hd_cube_close(cube);
}

#define CART(inner) "<cube><system><systemtreenode Id=\"0\"><name>node a</name><systemtreenode><locationgroup>"        \
                    "<location Id=\"0\"/><location Id=\"1\"/></locationgroup></systemtreenode></systemtreenode>"       \
                    "<topologies>" inner "</topologies></system></cube>"

TEST(topologies_have_the_coordinates_that_can_be_right)
{
    static const char anchor[] =
        CART("<cart name=\"grid\" ndims=\"2\"><dim name=\"row\" size=\"2\" periodic=\"true\"/><dim size=\"3\" "
             "periodic=\"false\"/>"
             "<coord locId=\"1\">1 2</coord><coord locId=\"2\">0 0</coord><coord locId=\"0\">0 3</coord>"
             "<coord locId=\"0\"> 0\n1 </coord><coord locId=\"0\">1 1</coord></cart>"
             "<cart name=\"nothing\"/><cart><dim size=\"4\"/></cart>");
    static const uint32_t   rows[] = { 1, 1, 2, 0, 0, 1, 0, 1, 1 };
    hd_cube                *cube   = NULL;
    const hd_cube_topology *grid;

    finish(anchor, strlen(anchor));
    CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
    CHECK_EQ(cube->n_topologies, 2); /* one has no dimensions */
    grid = &cube->topologies[0];
    CHECK_STR(grid->name, "grid");
    CHECK_EQ(grid->n_dimensions, 2);
    CHECK_STR(grid->dimensions[0].name, "row");
    CHECK(grid->dimensions[0].is_periodic && !grid->dimensions[1].is_periodic);
    CHECK_STR(grid->dimensions[1].name, "");
    CHECK_EQ(grid->dimensions[1].size, 3);
    CHECK_EQ(grid->n_rows, 3);
    CHECK(memcmp(grid->rows, rows, sizeof rows) == 0);
    CHECK_EQ(cube->topologies[1].n_rows, 0);
    CHECK_EQ(cube->n_nodes, 2);
    CHECK_STR(cube->nodes[0].name, "node a");
    CHECK_EQ(cube->locations[1].node, 1);
    hd_cube_close(cube);
}

TEST(topologies_that_cannot_be_right_are_left_out_and_so_are_their_coordinates)
{
    static const char anchor[] =
        CART("<cart><dim size=\"0\"/></cart><cart name=\"a\"><dim size=\"2\"/><coord locId=\"0\">0 1</coord><coord "
             "locId=\"0\"></coord>"
             "<coord locId=\"0\">x</coord><coord lgId=\"0\">0</coord><coord>0</coord><coord locId=\"-1\">0</coord>"
             "<coord locId=\"1\">1</coord></cart>"
             "<cart><dim size=\"2\"/><coord locId=\"0\">1</coord><dim size=\"2\"/></cart><cart><dim/></cart><cart><dim "
             "size=\"x\"/></cart>"
             "<cart name=\"b\"><dim size=\"1\"/></cart><cart/>");
    hd_cube *cube = NULL;

    finish(anchor, strlen(anchor));
    CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
    CHECK_EQ(cube->n_topologies, 2);
    CHECK_STR(cube->topologies[0].name, "a");
    CHECK_EQ(cube->topologies[0].n_rows, 1);
    CHECK_EQ(cube->topologies[0].rows[0], 1);
    CHECK_STR(cube->topologies[1].name, "b");
    hd_cube_close(cube);
}

static void
check_refused(const char *anchor, const char *words)
{
    add_rows(0, all_rows, own, 5, false, false);
    finish(anchor, strlen(anchor));
    CHECK(dump_file() == NULL);
    CHECK(strstr(hd_error_get()->text, words) != NULL);
}

TEST(anchors_that_cannot_be_right_are_refused_with_a_reason)
{
    check_refused("<cube><metrics><metric id=\"0\"><cubepl rowwise=\"false></cubepl></metric></metrics></cube>",
                  "line 1");
    check_refused("<!DOCTYPE cube [<!ENTITY a \"b\">]><cube></cube>", "document type");
    check_refused("<html></html>", "no cube");
    check_refused(HEAD, "no element found");
    check_refused("<cube><program><cnode id=\"0\" calleeId=\"3\"></cnode></program></cube>", "undefined region");
    check_refused("<cube><metrics><metric id=\"x\"></metric></metrics></cube>", "no number");
    check_refused("<cube><system><systemtreenode><locationgroup><location Id=\"1\"/></locationgroup></systemtreenode>"
                  "</system></cube>",
                  "numbered");
}

TEST(rows_that_cannot_be_right_are_an_error)
{
    static const uint32_t far_rows[] = { 0, 1, 99 };
    char                 *text;

    add_rows(0, far_rows, own, 3, false, false);
    finish(plain_anchor, strlen(plain_anchor));
    text = dump_file();
    CHECK(text != NULL && strstr(text, "error") != NULL);
    free(text);
    CHECK(strstr(hd_error_get()->text, "undefined call path") != NULL);
}

TEST(other_files_are_no_reports)
{
    write_file("hello", 5);
    CHECK(dump_file() == NULL);
    write_file("", 0);
    CHECK(dump_file() == NULL);
    unlink(path);
    CHECK(dump_file() == NULL);
    CHECK_EQ(mkfifo(path, 0600), 0);
    CHECK(dump_file() == NULL);
    CHECK(strstr(hd_error_get()->text, "no regular file") != NULL);
    unlink(path);
}

TEST(system_trees_of_the_first_versions_are_read)
{
    static const char anchor[] =
        "<cube version=\"4.0\"><system><machine Id=\"0\"><name>m</name><descr>big</descr><node Id=\"0\"><name>n0</name>"
        "<process Id=\"0\"><name>p</name><rank>3</rank><thread Id=\"0\"><name>t</name><rank>0</rank></thread>"
        "<thread Id=\"1\"><name>u</name><rank>1</rank></thread></process></node></machine>"
        "<topologies><cart ndims=\"1\"><dim size=\"2\" periodic=\"false\"/><coord "
        "thrdId=\"1\">1</coord></cart></topologies></system></cube>";
    hd_cube *cube = NULL;

    finish(anchor, strlen(anchor));
    CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
    CHECK_EQ(cube->n_nodes, 2);
    CHECK_STR(cube->nodes[0].class_name, "machine");
    CHECK_STR(cube->nodes[0].what, "big");
    CHECK_STR(cube->nodes[1].class_name, "node");
    CHECK_EQ(cube->n_groups, 1);
    CHECK_EQ(cube->groups[0].rank, 3);
    CHECK_STR(cube->groups[0].type, "process");
    CHECK_EQ(cube->n_locations, 2);
    CHECK_STR(cube->locations[1].name, "u");
    CHECK_STR(cube->locations[1].type, "thread");
    CHECK_EQ(cube->locations[1].node, 1);
    CHECK_EQ(cube->topologies[0].n_rows, 1);
    CHECK_EQ(cube->topologies[0].rows[0], 1);
    hd_cube_close(cube);
}

TEST(reports_of_cube_3_are_told_how_to_be_converted)
{
    static const char *const reports[] =
        { "<?xml version=\"1.0\"?>\n<cube version=\"3.0\">", "<cube version=\"3.0\">", "\x1F\x8B\x08 packed" };
    static const char        as_tar[]  = "<?xml version=\"1.0\"?>\n<cube version=\"3.0\"></cube>";

    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        write_file(reports[i], strlen(reports[i]));
        CHECK(dump_file() == NULL);
        CHECK(strstr(hd_error_get()->text, "as reports of Cube 3 are") != NULL);
        CHECK(strstr(hd_error_get()->details, "cube3to4") != NULL);
    }
    finish(as_tar, strlen(as_tar));
    CHECK(dump_file() == NULL);
    CHECK(strstr(hd_error_get()->text, "version 3.0 of the format") != NULL);
}

/* Unlike XML has it, CubeLib writes some attributes without quotes. */
TEST(derived_metrics_of_other_writers_are_read)
{
    static const char anchor[] = ANCHOR(METRIC(0, "EXCLUSIVE", "DOUBLE", "time") "</metric>"
        "<metric id=\"7\" type=\"PREDERIVED_EXCLUSIVE\">\n<disp_name>m</disp_name><uniq_name>m</uniq_name><dtype>"
                                        "FLOAT</dtype><uom></uom>"
        "<cubepl rowwise=false>${mask}[${calculation::callpath::id}] * metric::time() * (1 &lt; 2)</cubepl>"
        "<cubeplinit>{\n // ids are those of the file, 4 is below 1\n global(mask); ${mask}[4] = 2; return 0; "
                                        "}</cubeplinit>"
        "<cubeplaggr cubeplaggrtype=plus>max(arg1, arg2)</cubeplaggr><cubeplaggr cubeplaggrtype=plus>arg1 - "
                                        "arg2</cubeplaggr></metric>"
        "<metric id=\"8\" type=\"EXCLUSIVE\"><uniq_name>atoms</uniq_name><dtype>TAU_ATOMIC</dtype></metric>"
        "<metric id=\"9\" type=\"POSTDERIVED\"><uniq_name>twice</uniq_name><dtype>DOUBLE</dtype><cubepl>2 * "
                                        "metric::atoms()</cubepl></metric>"
        "<metric id=\"10\" type=\"PREDERIVED_EXCLUSIVE\"><uniq_name>odd</uniq_name><cubepl>1</cubepl><cubeplaggr "
                                        "cubeplaggrtype=\"times\">1</cubeplaggr></metric>");
    hd_cube *cube = NULL;
    double   row[2];
    bool     any;

    add_rows(0, all_rows, own, 5, false, false);
    finish(anchor, strlen(anchor));
    CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
    CHECK_EQ(cube->n_metrics, 2);
    CHECK_STR(cube->metrics[1].plus, "max(arg1, arg2)");
    CHECK_STR(cube->metrics[1].minus, "arg1 - arg2");
    CHECK(cube->metrics[1].is_extreme);
    CHECK_EQ(hd_cube_row(cube, 1, 2, row, &any), HD_OK);
    CHECK(any && row[0] == 8 && row[1] == 80);
    CHECK_EQ(hd_cube_row(cube, 1, 4, row, &any), HD_OK);
    CHECK(!any);
    CHECK_EQ(cube->n_left_out, 3);
    CHECK_STR(cube->left_out[0].why, "its values are of type \"TAU_ATOMIC\"");
    CHECK_STR(cube->left_out[1].why, "its values are put together in an unknown way");
    CHECK_STR(cube->left_out[2].why,
              "it is computed from \"atoms\", which is omitted: its values are of type \"TAU_ATOMIC\"");
    hd_cube_close(cube);
}

/* Any result will do, but a crash: run with sanitizers. */
static void
try_damaged(uint8_t *data, size_t n)
{
    write_file(data, n);
    free(dump_file());
}

static void
damage(bool big, bool packed)
{
    static const uint8_t odd[] = { 0, 1, 0x7F, 0x80, 0xFF, '"', '<', '7' };
    uint32_t             seed  = 7;
    uint8_t             *data;
    size_t               n;

    add_rows(0, all_rows, own, 5, big, packed);
    add_rows(7, all_rows, own, 3, big, packed);
    add_member("anchor.xml", plain_anchor, sizeof plain_anchor - 1, sizeof plain_anchor - 1);
    n    = archive.n;
    data = memcpy(HD_NEW_ARRAY(uint8_t, n), archive.data, n);
    archive.n = 0;
    for (size_t cut = 0; cut < n; cut += 61)
        try_damaged(data, cut);
    for (int i = 0; i < 1500; i++) {
        size_t  at;
        uint8_t before;

        seed     = seed * 1664525 + 1013904223;
        at       = (seed >> 8) % n;
        before   = data[at];
        data[at] = odd[(seed >> 4) % sizeof odd];
        try_damaged(data, n);
        data[at] = before;
    }
    free(data);
}

TEST(damaged_files_are_survived)
{
    damage(false, false);
    damage(true, false);
    damage(false, true);
    unlink(path);
    CHECK(true);
}

/* With HEDDLE_CUBES=folder: reports of other tools, whole and cut. */
TEST(reports_of_other_tools_are_read)
{
    static const char *const names[] = { "blast-p64", "bt-mz-checksum-bug", "call-tree-test", "kripke-p8",
                                         "scorep84-profile-compressed", "scorep84-profile-pat-mpi",
                                         "scout-final-npb-lu-S-4",
                                         "scout-raw-npb-lu-S-4", "scout-raw-pat-hyb-2x3", "time-p4" };
    const char *folder = getenv("HEDDLE_CUBES");

    for (size_t i = 0; folder != NULL && i < sizeof names / sizeof *names; i++) {
        char    *name = hd_format("%s/%s.cubex", folder, names[i]);
        FILE    *file = fopen(name, "r");
        uint8_t *data = HD_NEW_ARRAY(uint8_t, 1 << 20);
        size_t   n    = file != NULL ? fread(data, 1, 1 << 20, file) : 0;
        char    *text;

        CHECK(n > 0);
        write_file(data, n);
        text = dump_file();
        CHECK(text != NULL && strstr(text, "error\n") == NULL);
        free(text);
        for (size_t cut = 512; cut < n; cut += n / 40)
            try_damaged(data, cut);
        if (file != NULL)
            fclose(file);
        free(name);
        free(data);
    }
    unlink(path);
    if (folder == NULL)
        printf("skipped: HEDDLE_CUBES does not name a folder with reports\n");
    CHECK(true);
}

int
main(int argc, char **argv)
{
    int failed = check_run_all(argc > 1 ? argv[1] : NULL);

    free(archive.data);
    return failed;
}

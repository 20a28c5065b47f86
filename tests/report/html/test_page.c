/* tests/report/html/test_page.c: pages of reports that are put together here, read back as docs/formats.md says.
 *
 *   main ─┬─ path 1 ─┬─ path 2       300 call paths: every third one is below the one before it. Three levels of sums.
 *         └─ ...     └─ path 3
 *
 *   metric 0 "all"    has a value everywhere, 0.1 and such, which are not exact
 *   metric 1 "few"    is below it, an integer, at call paths 17 and 290 at location 1 only
 *   metric 2 "none"   has no values
 *   metric 3 "least"  is a minimum: of paths 3, 20 and 21
 */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bytes.h"
#include "check.h"
#include "cube_out.h"
#include "memory.h"
#include "page_values.h"
#include "page_writer.h"

enum { N_PATHS = 300, N_LOCATIONS = 5 };

static const char report_path[] = "test_page.cubex", page_path[] = "test_page.html",
                                  folder_path[] = "test_page.html.data";
static const char evil[] = "</script><script>alert(\"1\")</script><!-- \\ \x01 \xFF &amp;";

/* ---- the report -------------------------------------------------------------------------------------------------- */

static double
value_of(uint32_t metric, uint32_t path, uint32_t location)
{
    switch (metric) {
    case 0: return 0.1 * (path + 1) + 0.01 * location;
    case 1: return (path == 17 || path == 290) && location == 1 ? path : 0;
    case 3: return path == 3 || path == 20 || path == 21 ? (location == 4 ? 0 : 1.5 + path - location) : 0;
    default: return 0;
    }
}

static hd_status
rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    (void)context;
    *any = false;
    for (uint32_t i = 0; i < N_LOCATIONS; i++) {
        double value = value_of(metric, path, i);

        if (metric == 1)
            cells[i].integer = (int64_t)value;
        else
            cells[i].real = value;
        *any |= value != 0;
    }
    return HD_OK;
}

static void
make_report(void)
{
#define TEXTLESS .expression = "", .what = "", .url = ""
    hd_cube_metric metrics[] = {
        { .id = "all", .name = "All", .unit = "sec", .type = "DOUBLE", .parent = HD_NONE, TEXTLESS,
          .is_additive = true },
        { .id = "few", .name = evil, .unit = "sec", .type = "INT64", .parent = 0, TEXTLESS, .is_integer = true,
          .is_additive = true },
        { .id = "none", .name = "None", .unit = "occ", .type = "DOUBLE", .parent = HD_NONE, TEXTLESS,
          .is_additive = true },
        { .id = "least", .name = "Least", .unit = "sec", .type = "MINDOUBLE", .parent = HD_NONE, TEXTLESS,
          .is_extreme = true,
            .is_minimum = true },
    };
#undef TEXTLESS
    hd_cube_region   region   = { .name = evil, .mangled_name = "", .file = "a.c", .paradigm = "user",
                                  .role = "function", .url = "", .what = "",
                                  .begin_line = -1, .end_line = -1 };
    hd_cube_node     node     = { .name = "n", .class_name = "machine", .what = "", .parent = HD_NONE };
    hd_cube_group    group    = { .name = "p", .type = "process" };
    hd_cube_path     paths[N_PATHS];
    hd_cube_location locations[N_LOCATIONS];
    hd_cube cube = { .metrics = metrics, .regions = &region, .paths = paths, .nodes = &node, .groups = &group,
                     .locations = locations,
                     .n_metrics = 4, .n_regions = 1, .n_paths = N_PATHS, .n_nodes = 1, .n_groups = 1,
                     .n_locations = N_LOCATIONS };

    for (uint32_t i = 0; i < N_PATHS; i++)
        paths[i] = (hd_cube_path){ .name = evil, .call_file = "", .call_line = -1,
                                   .parent = i == 0 ? HD_NONE : i % 3 == 0 ? i - 1 : 0 };
    for (uint32_t i = 0; i < N_LOCATIONS; i++)
        locations[i] = (hd_cube_location){ .name = "t", .type = "thread", .process_name = "p", .thread = i };
    if (hd_cube_out_write(&(hd_cube_out){ .cube = &cube, .rows = rows }, report_path) != HD_OK)
        abort();
}

static hd_status
write_page(const hd_page_options *options, hd_page_written *written)
{
    hd_cube  *cube = NULL;
    hd_status status;

    make_report();
    if (hd_cube_open(report_path, &cube) != HD_OK)
        abort();
    status = hd_page_write(cube, page_path, options, written);
    hd_cube_close(cube);
    return status;
}

/* ---- reading a page ---------------------------------------------------------------------------------------------- */

/* NUL behind it; NULL: there is no such file. free() it */
static char *
read_all(const char *path)
{
    FILE    *file = fopen(path, "r");
    hd_bytes all  = { 0 };
    char     part[4096];

    if (file == NULL)
        return NULL;
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        hd_bytes_put(&all, part, n);
    fclose(file);
    hd_bytes_put(&all, "", 1);
    return (char *)all.data;
}

static unsigned
digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *at       = c != '\0' ? strchr(digits, c) : NULL;

    CHECK(at != NULL || c == '=');
    return at != NULL ? (unsigned)(at - digits) : 0;
}

/* What a stream holds. NUL behind it; free() it */
static uint8_t *
inflated(const char *text, size_t n, size_t *bytes)
{
    uint8_t *packed = malloc(n + 3), *data = malloc(1 << 20);
    uLongf   n_data = (1 << 20) - 1;
    size_t   n_packed = 0;

    REQUIRE(packed != NULL && data != NULL);
    for (size_t i = 0; i + 4 <= n; i += 4) {
        unsigned group = digit(text[i]) << 18 | digit(text[i + 1]) << 12 | digit(text[i + 2]) << 6 | digit(text[i + 3]);

        for (int shift = 16; shift >= 0; shift -= 8)
            packed[n_packed++] = (uint8_t)(group >> shift);
    }
    CHECK_EQ(n % 4, 0);
    if (uncompress(data, &n_data, packed, n_packed) != Z_OK)
        n_data = 0;
    free(packed);
    data[n_data] = 0;
    *bytes       = n_data;
    return data;
}

static char *
head_of(const char *page)
{
    static const char element[] = "<script type=\"text/plain\" id=\"heddle-head\">";
    const char       *at        = page != NULL ? strstr(page, element) : NULL;
    size_t            bytes;

    CHECK(at != NULL);
    if (at == NULL)
        return hd_strdup("");
    at += strlen(element);
    return (char *)inflated(at, strcspn(at, "<"), &bytes);
}

/* The text of a metric in a page; free() it */
static char *
metric_in(const char *page, int metric)
{
    char        element[80];
    const char *at;

    snprintf(element, sizeof element, "<script type=\"text/plain\" id=\"heddle-metric-%d\">", metric);
    at = strstr(page, element);
    CHECK(at != NULL);
    return at == NULL ? hd_strdup("") :
           hd_format("%.*s", (int)strcspn(at + strlen(element), "<"), at + strlen(element));
}

/* The text of a metric in the folder beside it; free() it */
static char *
metric_beside(int metric)
{
    char *path   = hd_format("%s/metric-%d.js", folder_path, metric);
    char *call   = hd_format("heddleMetric(%d,()=>{/*", metric);
    char *script = read_all(path), *text = NULL;

    CHECK(script != NULL);
    if (script != NULL) {
        CHECK(strncmp(script, call, strlen(call)) == 0);
        text = hd_format("%.*s", (int)strcspn(script + strlen(call), "*"), script + strlen(call));
        CHECK_STR(script + strlen(call) + strlen(text), "*/})\n");
    }
    free(path);
    free(call);
    free(script);
    return text != NULL ? text : hd_strdup("");
}

/* n numbers of a stream that has skip bytes in front of them. */
static void
numbers_at(const char *text, uint64_t at, uint64_t n_text, size_t skip, double *numbers, size_t n, uint32_t *mask)
{
    size_t   bytes;
    uint8_t *data = inflated(text + at, n_text, &bytes);

    if (mask != NULL)
        *mask = bytes >= 4 ? (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                (uint32_t)data[3] << 24 : 0;
    if (mask != NULL)
        n = (size_t)__builtin_popcount(*mask) * N_LOCATIONS;
    CHECK_EQ(bytes, skip + n * sizeof *numbers);
    for (size_t i = 0; i < n && bytes == skip + n * sizeof *numbers; i++) {
        uint64_t bits = 0;

        for (size_t b = 0; b < 8; b++)
            bits |= (uint64_t)data[skip + b * n + i] << 8 * b;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    free(data);
}

static bool
is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

/* What the values of a row of a level are: of call paths first and those behind it. NaN: nothing is known. */
static double
sum_of(uint32_t metric, uint32_t first, uint32_t n, uint32_t location)
{
    bool   is_least = metric == 3;
    double sum      = is_least ? NAN : 0;

    for (uint32_t path = first; path < first + n && path < N_PATHS; path++) {
        double value = value_of(metric, path, location);

        if (!is_least)
            sum += value;
        else if (value != 0)
            sum = fmin(sum, value);
    }
    return sum;
}

/* Walks "blocks":[[level,chunk,at,n],...] of a metric's head, and its list of sums. Returns the number of
 * blocks. */
static int
check_metric(const char *head, const char *id, uint32_t metric, const char *text)
{
    char       *key = hd_format("{\"id\":\"%s\"", id);
    const char *at  = strstr(head, key);
    int         n_blocks = 0, length;
    uint32_t    level, chunk, mask;
    uint64_t    place, n;
    double      cells[HD_PAGE_CHUNK * N_LOCATIONS] = { 0 }, of_location[N_LOCATIONS] = { 0 };

    free(key);
    CHECK(at != NULL);
    if (at == NULL)
        return -1;
    at = strstr(at, "\"blocks\":[") + strlen("\"blocks\":[");
    for (; sscanf(at, "%*[,[]%" SCNu32 ",%" SCNu32 ",%" SCNu64 ",%" SCNu64 "]%n", &level, &chunk, &place, &n,
                  &length) == 4; at += length) {
        uint32_t width = (uint32_t)1 << 4 * level, i_there = 0;

        n_blocks++;
        CHECK(place + n <= strlen(text));
        numbers_at(text, place, n, 4, cells, 0, &mask);
        CHECK(mask != 0);
        for (uint32_t i = 0; i < HD_PAGE_CHUNK; i++) {
            uint32_t first   = (chunk * HD_PAGE_CHUNK + i) * width;
            bool     is_any  = false;

            for (uint32_t location = 0; location < N_LOCATIONS; location++) {
                double expected = sum_of(metric, first, width, location);

                is_any |= expected != 0 && !isnan(expected);
                if ((mask >> i & 1) != 0)
                    CHECK(is_same(cells[i_there * N_LOCATIONS + location], expected));
            }
            CHECK_EQ(mask >> i & 1, is_any);
            i_there += mask >> i & 1;
        }
    }
    if (n_blocks == 0)
        return 0;
    at = strstr(at, "\"locations\":[");
    if (at != NULL && sscanf(at, "\"locations\":[%" SCNu64 ",%" SCNu64, &place, &n) == 2) {
        numbers_at(text, place, n, 0, of_location, N_LOCATIONS, NULL);
        for (uint32_t i = 0; i < N_LOCATIONS; i++)
            CHECK(is_same(of_location[i], sum_of(metric, 0, N_PATHS, i)));
    } else
        CHECK(false);
    return n_blocks;
}

/* The sums of the call paths in a page. */
static void
check_paths(const char *page, uint32_t metric)
{
    char       *element = hd_format("<script type=\"text/plain\" id=\"heddle-paths-%" PRIu32 "\">", metric);
    const char *at      = strstr(page, element);
    double      of_path[N_PATHS] = { 0 };

    CHECK(at != NULL);
    if (at != NULL) {
        at += strlen(element);
        numbers_at(at, 0, strcspn(at, "<"), 0, of_path, N_PATHS, NULL);
    }
    for (uint32_t path = 0; path < N_PATHS && at != NULL; path++) {
        double sum = metric == 3 ? NAN : 0;

        for (uint32_t i = 0; i < N_LOCATIONS; i++)
            sum = metric == 3 ? fmin(sum, sum_of(metric, path, 1, i)) : sum + sum_of(metric, path, 1, i);
        CHECK(is_same(of_path[path], sum));
    }
    free(element);
}

/* ---- files around it --------------------------------------------------------------------------------------------- */

static void
clean(void)
{
    CHECK_EQ(system("rm -rf test_page.html*"), 0);
}

/* Nothing but these is there. */
static void
check_files(const char *expected)
{
    FILE *list = popen("ls -d test_page.html* 2>/dev/null | tr '\\n' ' '", "r");
    char  line[400] = "";

    CHECK(list != NULL);
    if (list == NULL)
        return;
    CHECK(fgets(line, sizeof line, list) != NULL || *expected == '\0');
    pclose(list);
    CHECK_STR(line, expected);
}

static void
put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

TEST(every_value_and_sum_is_in_the_page)
{
    hd_page_written written;
    char           *page, *head, *text;

    clean();
    CHECK_EQ(write_page(&(hd_page_options){ 0 }, &written), HD_OK);
    page = read_all(page_path);
    head = head_of(page);
    CHECK_EQ(written.page_bytes, strlen(page));
    CHECK_EQ(written.beside_bytes, 0);
    text = metric_in(page, 0);
    CHECK_EQ(check_metric(head, "all", 0, text), 19 + 2 + 1);
    free(text);
    text = metric_in(page, 1);
    CHECK_EQ(check_metric(head, "few", 1, text), 2 + 2 + 1); /* what is zero is not stored */
    free(text);
    text = metric_in(page, 2);
    CHECK_EQ(check_metric(head, "none", 2, text), 0);
    CHECK_STR(text, "");
    free(text);
    text = metric_in(page, 3);
    CHECK_EQ(check_metric(head, "least", 3, text), 2 + 1 + 1);
    free(text);
    check_paths(page, 0);
    check_paths(page, 1);
    check_paths(page, 3);
    CHECK(strstr(page, "heddle-paths-2") == NULL);
    CHECK(strstr(head, "\"wait\":false,\"integer\":true,\"extreme\":false,\"total\":307,") != NULL);
    CHECK(strstr(head, "\"wait\":false,\"integer\":false,\"extreme\":true,\"total\":1.5,") != NULL);
    CHECK(strstr(head, "\"title\": \"test_page.cubex\"") != NULL);
    CHECK(strstr(head, "\"beside\": null") != NULL);
    free(head);
    free(page);
    check_files("test_page.html ");
}

TEST(texts_of_a_report_do_not_break_out)
{
    char *page, *head;

    clean();
    CHECK_EQ(write_page(&(hd_page_options){ .title = evil }, NULL), HD_OK);
    page = read_all(page_path);
    head = head_of(page);
    CHECK(strstr(page, "alert(\"1\")") == NULL);
    CHECK(strstr(page, "<title>&lt;/script&gt;") != NULL);
    CHECK(strstr(head, "</script><script>alert(\\\"1\\\")</script><!-- \\\\ \\u0001 \\ufffd &amp;\"") != NULL);
    free(head);
    free(page);
}

TEST(a_page_asks_nothing_of_a_network)
{
    char *page;

    clean();
    CHECK_EQ(write_page(&(hd_page_options){ 0 }, NULL), HD_OK);
    page = read_all(page_path);
    CHECK(strstr(page, "content=\"default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src "
                 "'unsafe-inline'\"") != NULL);
    CHECK(strstr(page, "<link") == NULL);
    CHECK(strstr(page, " src=\"http") == NULL);
    free(page);
}

TEST(what_is_too_large_is_beside_it)
{
    hd_page_written written, alone;
    char           *page, *head, *text;

    clean();
    CHECK_EQ(write_page(&(hd_page_options){ 0 }, &alone), HD_OK);
    CHECK_EQ(write_page(&(hd_page_options){ .force = true, .max_bytes = alone.page_bytes }, &written), HD_OK);
    CHECK_EQ(written.beside_bytes, 0);
    check_files("test_page.html ");

    CHECK_EQ(write_page(&(hd_page_options){ .force = true, .max_bytes = alone.page_bytes - 1 }, &written), HD_OK);
    CHECK(written.beside_bytes > 0);
    CHECK(written.page_bytes < alone.page_bytes);
    check_files("test_page.html test_page.html.data ");
    page = read_all(page_path);
    head = head_of(page);
    CHECK(strstr(page, "heddle-metric-0\"") == NULL);
    CHECK(strstr(page, "script-src 'unsafe-inline' 'self' file:\"") != NULL);
    CHECK(strstr(head, "\"beside\": \"test_page.html.data\"") != NULL);
    text = metric_beside(0);
    CHECK_EQ(check_metric(head, "all", 0, text), 22);
    free(text);
    text = metric_beside(3);
    CHECK_EQ(check_metric(head, "least", 3, text), 4);
    free(text);
    free(head);
    free(page);

    /* from the first metric on; and a page in one file takes the folder away that it does not need */
    CHECK_EQ(write_page(&(hd_page_options){ .force = true, .max_bytes = 1 }, &written), HD_OK);
    check_files("test_page.html test_page.html.data ");
    CHECK_EQ(write_page(&(hd_page_options){ .force = true }, &written), HD_OK);
    check_files("test_page.html ");
}

TEST(what_is_there_is_replaced_by_force_only)
{
    char *text;

    clean();
    put_file(page_path, "mine");
    CHECK_EQ(hd_page_probe(page_path, false), HD_EEXIST);
    CHECK_EQ(write_page(&(hd_page_options){ 0 }, NULL), HD_EEXIST);
    text = read_all(page_path);
    CHECK_STR(text, "mine");
    free(text);
    CHECK_EQ(hd_page_probe(page_path, true), HD_OK);
    text = read_all(page_path);
    CHECK_STR(text, "mine");
    free(text);
    CHECK_EQ(write_page(&(hd_page_options){ .force = true }, NULL), HD_OK);
    check_files("test_page.html ");
}

TEST(a_link_to_a_folder_and_what_is_in_that_stay)
{
    clean();
    CHECK_EQ(system("rm -rf test_page_linked"), 0);
    CHECK_EQ(mkdir("test_page_linked", 0777), 0);
    put_file("test_page_linked/metric-0.js", "mine");
    CHECK_EQ(symlink("test_page_linked", folder_path), 0);
    CHECK_EQ(write_page(&(hd_page_options){ .force = true }, NULL), HD_OK);
    CHECK_EQ(write_page(&(hd_page_options){ .force = true, .max_bytes = 1 }, NULL), HD_EEXIST);
    check_files("test_page.html test_page.html.data ");
    CHECK_EQ(access("test_page_linked/metric-0.js", F_OK), 0);
    clean();
    CHECK_EQ(system("rm -rf test_page_linked"), 0);
}

TEST(a_folder_with_files_of_others_stays)
{
    char *text;

    clean();
    CHECK_EQ(mkdir(folder_path, 0777), 0);
    put_file("test_page.html.data/thesis.txt", "mine");
    CHECK_EQ(write_page(&(hd_page_options){ .force = true, .max_bytes = 1 }, NULL), HD_EEXIST);
    check_files("test_page.html.data ");
    CHECK_EQ(write_page(&(hd_page_options){ .force = true }, NULL), HD_OK);
    text = read_all("test_page.html.data/thesis.txt");
    CHECK_STR(text, "mine");
    free(text);
}

TEST(a_page_that_cannot_be_made_leaves_nothing)
{
    static const _Atomic int stop = 1;

    clean();
    CHECK_EQ(write_page(&(hd_page_options){ .stop = &stop }, NULL), HD_EWRITE);
    check_files("");
    CHECK_EQ(write_page(&(hd_page_options){ .stop = &stop, .max_bytes = 1 }, NULL), HD_EWRITE);
    check_files("");
    CHECK_EQ(hd_page_probe("there/is/no/such/folder.html", false), HD_EWRITE);
    CHECK_EQ(hd_page_probe(".", true), HD_EWRITE);
}

TEST(a_page_does_not_replace_its_report)
{
    hd_cube *cube = NULL;

    make_report();
    CHECK_EQ(hd_cube_open(report_path, &cube), HD_OK);
    CHECK_EQ(hd_page_write(cube, "./test_page.cubex", &(hd_page_options){ .force = true }, NULL), HD_EUSAGE);
    hd_cube_close(cube);
    CHECK_EQ(hd_cube_open(report_path, &cube), HD_OK);
    hd_cube_close(cube);
}

TEST(a_head_by_itself_makes_a_page)
{
    static const char json[] = "{\"format\":1,\"kind\":\"scaling\"}";
    char             *page, *head;

    clean();
    CHECK_EQ(hd_page_write_head(json, strlen(json), page_path, &(hd_page_options){ .title = "runs" }), HD_OK);
    page = read_all(page_path);
    head = head_of(page);
    CHECK_STR(head, json);
    free(head);
    free(page);
}

TEST(the_name_of_a_page_follows_from_the_report)
{
    char *a = hd_page_path("x/heddle.cubex"), *b = hd_page_path("x.cubex/report"), *c = hd_page_path(".cubex");

    CHECK_STR(a, "x/heddle.html");
    CHECK_STR(b, "x.cubex/report.html");
    CHECK_STR(c, ".cubex.html");
    free(a);
    free(b);
    free(c);
}

TEST_MAIN

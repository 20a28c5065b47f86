/* tests/report/html/test_page_source.c: excerpts come from the folders that were named, by the ends of recorded paths,
 * and from nowhere else. */
#include <sys/stat.h>

#include "check.h"
#include "memory.h"
#include "page_source.h"

#define FOLDER "test_page_source.d"

static const char *const folders[] = { FOLDER "/one", FOLDER "/two" };

/* n lines: "NAME 1", "NAME 2", ... */
static void
write_file(const char *path, const char *name, int n)
{
    FILE *file = fopen(path, "w");

    REQUIRE(file != NULL);
    for (int i = 1; i <= n; i++)
        fprintf(file, "%s %d%s\n", name, i, i == 2 ? "\r" : "");
    fclose(file);
}

static void
make_folders(void)
{
    const char *const names[] = { FOLDER, FOLDER "/one", FOLDER "/two", FOLDER "/two/src" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        mkdir(names[i], 0777);
    write_file(FOLDER "/one/solve.c", "short", 40);
    write_file(FOLDER "/two/src/solve.c", "long", 40);
    write_file(FOLDER "/two/end.c", "end", 7);
    write_file(FOLDER "/secret.c", "secret", 40);
}

/* The member "sources" of a report with one region there; free() it. */
static char *
sources_of(const char *path, int32_t line, hd_page_sources *found)
{
    hd_cube_region region = { .name = "solve", .file = path, .begin_line = line };
    /* the same place: once */
    hd_cube_path   call   = { .name = "solve", .parent = HD_NONE, .call_file = path, .call_line = line };
    hd_cube        cube   = { .regions = &region, .n_regions = 1, .paths = &call, .n_paths = 1 };
    char          *text   = NULL;
    size_t         bytes  = 0;
    FILE          *file   = open_memstream(&text, &bytes);
    hd_json        json;

    make_folders();
    hd_json_init(&json, file, 0);
    hd_json_object(&json, NULL);
    hd_page_source_put(&json, &cube, &(hd_page_folders){ folders, 2 }, found);
    hd_json_end(&json);
    fclose(file);
    return text;
}

static bool
has(const char *path, int32_t line, const char *words)
{
    hd_page_sources found;
    char           *text = sources_of(path, line, &found);
    bool            is   = strstr(text, words) != NULL;

    if (!is)
        printf("%s:%d: %s\n", path, (int)line, text);
    free(text);
    return is;
}

TEST(the_longest_end_of_a_path_is_taken)
{
    CHECK(has("/home/a/src/solve.c", 10, "\"long 10\""));
    CHECK(has("/home/a/lib/solve.c", 10, "\"short 10\""));
    CHECK(has("solve.c", 10, "\"short 10\""));
}

TEST(five_lines_before_and_after_are_shown)
{
    CHECK(has("solve.c", 10, "\"line\":10,\"first\":5,\"lines\":[\"short 5\","));
    CHECK(has("solve.c", 10, "\"short 15\"]"));
    CHECK(has("solve.c", 1, "\"short 1\""));
    CHECK(has("end.c", 7, "\"end 7\"]"));
    CHECK(has("solve.c", 2, "\"short 2\"")); /* without its carriage return */
}

TEST(a_place_is_shown_once)
{
    hd_page_sources found;
    char           *text = sources_of("solve.c", 10, &found);

    CHECK_EQ(found.n_files, 1);
    CHECK_EQ(found.n_found, 1);
    CHECK_EQ(found.n_excerpts, 1);
    free(text);
}

TEST(a_file_that_ends_before_the_line_has_no_excerpt)
{
    hd_page_sources found;
    char           *text = sources_of("end.c", 8, &found);

    CHECK_EQ(found.n_found, 1);
    CHECK_EQ(found.n_excerpts, 0);
    free(text);
}

TEST(nothing_outside_of_the_folders_is_read)
{
    const char *const paths[] = { "../secret.c", "src/../../secret.c", "/..", "..", "no/such/file.c", "src", "/" };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        hd_page_sources found;
        char           *text = sources_of(paths[i], 10, &found);

        CHECK_EQ(found.n_found, 0);
        CHECK(strstr(text, "secret 10") == NULL);
        free(text);
    }
    CHECK(has("..solve/solve.c", 10, "\"short 10\"")); /* a name that begins with dots is one */
}

TEST_MAIN

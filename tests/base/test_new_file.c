/* tests/base/test_new_file.c: files get their names when they are complete, and replace files only. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "new_file.h"

static char folder[] = "/tmp/test_new_file-XXXXXX";

static char *
place(const char *name)
{
    static bool is_made;

    if (!is_made)
        CHECK(mkdtemp(folder) != NULL);
    is_made = true;
    return hd_format("%s/%s", folder, name);
}

static mode_t
kind_of(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0 ? info.st_mode & S_IFMT : 0;
}

static int
write_there(const char *path, bool has_name, bool replace)
{
    hd_new_file file;
    int         error;

    CHECK_EQ(hd_new_file_open(&file, path, has_name), 0);
    CHECK_EQ(write(file.fd, "text", 4), 4);
    error = hd_new_file_commit(&file, replace);
    hd_new_file_fini(&file);
    return error;
}

TEST(a_file_has_its_name_when_it_is_complete)
{
    for (int has_name = 0; has_name < 2; has_name++) {
        char       *path = place(has_name ? "named" : "nameless");
        hd_new_file file;

        CHECK_EQ(hd_new_file_open(&file, path, has_name), 0);
        CHECK_EQ(kind_of(path), 0);
        CHECK_EQ(hd_new_file_commit(&file, false), 0);
        CHECK_EQ(kind_of(path), S_IFREG);
        hd_new_file_fini(&file);
        unlink(path);
        free(path);
    }
}

TEST(a_file_is_replaced_if_that_is_wanted)
{
    for (int has_name = 0; has_name < 2; has_name++) {
        char *path = place("there");

        CHECK_EQ(write_there(path, has_name, false), 0);
        CHECK_EQ(write_there(path, has_name, false), EEXIST);
        CHECK_EQ(write_there(path, has_name, true), 0);
        unlink(path);
        free(path);
    }
}

TEST(what_is_no_file_stays)
{
    for (int has_name = 0; has_name < 2; has_name++) {
        char *pipe = place("pipe"), *inner = place("folder"), *link = place("link");

        CHECK_EQ(mkfifo(pipe, 0600), 0);
        CHECK_EQ(mkdir(inner, 0700), 0);
        CHECK_EQ(symlink(pipe, link), 0);
        CHECK_EQ(write_there(pipe, has_name, true), EINVAL);
        CHECK_EQ(write_there(link, has_name, true), EINVAL);
        CHECK_EQ(hd_new_file_probe(link), EINVAL);
        CHECK_EQ(write_there(inner, has_name, true), EISDIR);
        CHECK_EQ(kind_of(pipe), S_IFIFO);
        CHECK_EQ(kind_of(inner), S_IFDIR);
        CHECK_EQ(kind_of(link), S_IFLNK);
        CHECK_EQ(unlink(link), 0);
        CHECK_EQ(unlink(pipe), 0);
        CHECK_EQ(rmdir(inner), 0);
        free(pipe);
        free(inner);
        free(link);
    }
    CHECK_EQ(rmdir(folder), 0); /* nothing else is left */
}

TEST_MAIN

/* tests/trace/read/test_event_readers.c: Heddle and the OTF2 library read the same, record by record. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "every_kind_archive.h"
#include "memory.h"
#include "status.h"
#include "reader_pair.h"

static const char *
work_folder(void)
{
    static char folder[] = "/tmp/test_event_readers.XXXXXX";
    static bool is_made;

    if (!is_made && mkdtemp(folder) == NULL)
        hd_fatal("cannot make the folder \"%s\"", folder);
    is_made = true;
    return folder;
}

static uint64_t
n_of_kinds(const record_sum *sum)
{
    uint64_t n = 0;

    for (int i = 1; i < 256; i++)
        n += sum->kinds[i] > 0;
    return n;
}

TEST(real_archives_are_read_alike)
{
    DIR     *folder     = opendir(DATA_FOLDER);
    uint64_t n_archives = 0, n_records = 0;

    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char       *anchor = hd_format(DATA_FOLDER "/%s/traces.otf2", entry->d_name);
        reader_pair pair;

        if (access(anchor, F_OK) == 0 && reader_pair_compare(anchor, &pair)) {
            CHECK_EQ(pair.n_differ, 0);
            CHECK_EQ(pair.n_cut, 0);
            n_archives++;
            n_records += pair.n_records;
        }
        free(anchor);
    }
    if (folder != NULL)
        closedir(folder);
    CHECK(n_archives >= 18);
    CHECK(n_records > 30000);
}

/* 79 kinds, files of several chunks. */
TEST(records_of_all_kinds_are_read_alike)
{
    enum { N = 40000 };
    char       *folder = hd_format("%s/all", work_folder()), *anchor = hd_format("%s/traces.otf2", folder);
    char       *path   = hd_format("%s/traces/0.evt", folder);
    struct stat status;
    reader_pair pair;

    every_kind_write(folder, N, 1);
    CHECK(reader_pair_compare(anchor, &pair));
    CHECK_EQ(pair.n_differ, 0);
    CHECK_EQ(pair.n_cut, 0);
    CHECK_EQ(pair.n_records, 3 * N);
    CHECK_EQ(n_of_kinds(&pair.sum), 79);
    CHECK(pair.sum.n_attributes > N / 4);
    CHECK(stat(path, &status) == 0 && status.st_size > 2 * 256 * 1024);
    free(path);
    free(anchor);
    free(folder);
}

typedef struct bytes {
    uint8_t *data;
    size_t   n;
} bytes;

static bytes
read_bytes(const char *path)
{
    bytes       b    = { 0 };
    int         file = open(path, O_RDONLY);
    struct stat status;

    CHECK(file >= 0 && fstat(file, &status) == 0);
    b.n    = (size_t)status.st_size;
    b.data = HD_NEW_UNSET(uint8_t, b.n);
    CHECK(read(file, b.data, b.n) == (ssize_t)b.n);
    close(file);
    return b;
}

static void
write_bytes(const char *path, const uint8_t *data, size_t n)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    CHECK(file >= 0 && write(file, data, n) == (ssize_t)n);
    close(file);
}

/* A file of two chunks and a half, cut off: the library would read the rest of the chunk before again. */
TEST(files_that_are_cut_off_are_read_alike_up_to_there)
{
    enum { N = 25000, STEPS = 12 };
    char       *folder = hd_format("%s/cut", work_folder()), *anchor = hd_format("%s/traces.otf2", folder);
    char       *path   = hd_format("%s/traces/0.evt", folder);
    uint64_t    last   = 0;
    bytes       whole;
    reader_pair pair;

    every_kind_write(folder, N, 2);
    whole = read_bytes(path);
    for (size_t i = 0; i < STEPS; i++) {
        write_bytes(path, whole.data, whole.n * i / STEPS);
        CHECK(reader_pair_compare(anchor, &pair));
        CHECK_EQ(pair.n_differ, 0);
        CHECK_EQ(pair.n_cut, 1);
        CHECK(pair.n_records >= last && pair.n_records < 3 * N);
        last = pair.n_records;
    }
    free(whole.data);
    free(path);
    free(anchor);
    free(folder);
}

/* Any byte is another one. What the library refuses is refused, or passed over; all else is read alike. */
TEST(damaged_files_are_read_alike)
{
    enum { N = 400, STEPS = 80 };
    char       *folder = hd_format("%s/damaged", work_folder()), *anchor = hd_format("%s/traces.otf2", folder);
    char       *path   = hd_format("%s/traces/0.evt", folder);
    uint64_t    n_cut  = 0, random = 1;
    bytes       whole;
    reader_pair pair;

    every_kind_write(folder, N, 3);
    whole = read_bytes(path);
    for (size_t i = 0; i < STEPS; i++) {
        size_t  at;
        uint8_t before;

        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        at     = (size_t)(random >> 20) % whole.n;
        before = whole.data[at];
        whole.data[at] = i % 2 == 0 ? (uint8_t)(random >> 56) : (uint8_t)(before ^ 1u << (random >> 61));
        write_bytes(path, whole.data, whole.n);
        CHECK(reader_pair_compare(anchor, &pair));
        CHECK_EQ(pair.n_differ, 0);
        n_cut += pair.n_cut;
        whole.data[at] = before;
    }
    CHECK(n_cut > STEPS / 10 && n_cut < STEPS);
    free(whole.data);
    free(path);
    free(anchor);
    free(folder);
}

static void
remove_work_folder(void)
{
    char *command = hd_format("rm -rf %s", work_folder());

    if (system(command) != 0)
        fprintf(stderr, "cannot remove \"%s\"\n", work_folder());
    free(command);
}

TEST(the_files_of_this_test_are_removed)
{
    remove_work_folder();
    CHECK(access(work_folder(), F_OK) != 0);
}

TEST_MAIN

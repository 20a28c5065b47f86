/* tests/writer/random/test_random_program.c: what tw_random writes are legal MPI programs (legal_archive.h), and one
 * seed gives one archive. */
#define _GNU_SOURCE /* nftw */

#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "legal_archive.h"
#include "memory.h"

enum { N_SEEDS = 40 };

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

/* kind: NULL for a plain program */
static void
random_write(const char *directory, uint32_t seed, const char *kind)
{
    const char *given   = getenv("TW_RANDOM");
    const char *program = given == NULL ? "./tw_random" : given;
    char        number[16];
    pid_t       child;
    int         status = -1;

    snprintf(number, sizeof number, "%" PRIu32, seed);
    child = fork();
    if (child == 0) {
        execl(program, program, number, directory, kind, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
}

/* How many of the programs have an error. */
static uint32_t
seeds_check(uint32_t n_seeds, const char *kind)
{
    char     folder[] = "/tmp/heddle-random-XXXXXX";
    uint32_t n_wrong = 0;

    CHECK(mkdtemp(folder) != NULL);
    for (uint32_t seed = 1; seed <= n_seeds; seed++) {
        char    *directory = hd_format("%s/%" PRIu32, folder, seed);
        char    *anchor    = hd_format("%s/traces.otf2", directory);
        int      before    = check_failures;
        uint32_t n_errors;

        random_write(directory, seed, kind);
        CHECK_EQ(legal_archive_check(anchor, &n_errors), 0);
        CHECK(n_errors <= 1);
        n_wrong += n_errors;
        if (check_failures != before)
            printf("    seed %" PRIu32 "\n", seed);
        free(anchor);
        free(directory);
    }
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return n_wrong;
}

TEST(random_programs_are_legal)
{
    CHECK_EQ(seeds_check(N_SEEDS, NULL), 0);
}

TEST(random_programs_with_windows_are_legal_but_for_few_errors)
{
    uint32_t n_wrong = seeds_check(2 * N_SEEDS, "rma");

    CHECK(n_wrong >= 1 && n_wrong <= N_SEEDS / 2);
}

static char *
file_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    char *text = HD_NEW_ARRAY(char, 1 << 20);

    CHECK(file != NULL);
    *n = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static void
seed_is_one_archive(const char *kind)
{
    char   folder[] = "/tmp/heddle-random-XXXXXX";
    char  *one, *other;
    size_t n, m;

    CHECK(mkdtemp(folder) != NULL);
    for (int i = 0; i < 2; i++) {
        char *directory = hd_format("%s/%d", folder, i);

        random_write(directory, 17, kind);
        free(directory);
    }
    for (int i = 0; i < 2; i++) {
        char *path_one   = hd_format("%s/0/traces/%d.evt", folder, i);
        char *path_other = hd_format("%s/1/traces/%d.evt", folder, i);

        one   = file_read(path_one, &n);
        other = file_read(path_other, &m);
        CHECK(n > 100);
        CHECK_EQ(n, m);
        CHECK(memcmp(one, other, n) == 0);
        free(one);
        free(other);
        free(path_one);
        free(path_other);
    }
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TEST(one_seed_gives_one_archive)
{
    seed_is_one_archive(NULL);
    seed_is_one_archive("rma");
}

TEST_MAIN

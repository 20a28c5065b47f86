/* tests/base/test_file_claim.c: one of several that are to write the same file. */
#include "file_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static char path[64], lock_path[80];

static bool
is_there(const char *name)
{
    return access(name, F_OK) == 0;
}

TEST(claim_is_taken_once)
{
    hd_file_claim one, other;
    char         *who = NULL, expected[32];

    CHECK(hd_file_claim_take(&one, path, &who));
    CHECK(is_there(lock_path) && !is_there(path));
    CHECK(!hd_file_claim_take(&other, path, &who));
    snprintf(expected, sizeof expected, "process %d on ", (int)getpid());
    CHECK(who != NULL && strncmp(who, expected, strlen(expected)) == 0);
    free(who);
    hd_file_claim_fini(&other);
    CHECK(is_there(lock_path));
    hd_file_claim_fini(&one);
    CHECK(!is_there(lock_path));
    CHECK(hd_file_claim_take(&other, path, &who));
    hd_file_claim_fini(&other);
}

TEST(claim_of_a_killed_process_is_taken_over)
{
    hd_file_claim claim;
    char         *who   = NULL;
    pid_t         child = fork();
    int           status;

    if (child == 0) {
        hd_file_claim_take(&claim, path, &who);
        _Exit(7);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(WEXITSTATUS(status), 7);
    CHECK(is_there(lock_path));
    CHECK(hd_file_claim_take(&claim, path, &who));
    hd_file_claim_drop(&claim);
    hd_file_claim_drop(&claim);
    CHECK(!is_there(lock_path));
    hd_file_claim_fini(&claim);
}

TEST(claim_of_another_rank_is_removed_only_with_its_job)
{
    hd_file_claim held, shared;
    char         *who = NULL;

    CHECK(hd_file_claim_take(&held, path, &who));
    hd_file_claim_share(&shared, path);
    hd_file_claim_drop(&shared);
    hd_file_claim_fini(&shared);
    CHECK(is_there(lock_path));
    hd_file_claim_share(&shared, path);
    hd_file_claim_abandon(&shared);
    CHECK(!is_there(lock_path));
    hd_file_claim_fini(&shared);
    hd_file_claim_fini(&held);
}

TEST(claim_where_nothing_can_be_written_is_no_obstacle)
{
    hd_file_claim claim;
    char         *who = NULL;

    CHECK(hd_file_claim_take(&claim, "/no/such/folder/file", &who));
    CHECK(!claim.is_held);
    hd_file_claim_fini(&claim);
}

int
main(int argc, char **argv)
{
    char folder[] = "/tmp/heddle-claim-XXXXXX";
    int  failed;

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/report", folder);
    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    rmdir(folder);
    return failed;
}

/* A claim is of one process of a job on the node, and ends with it or when it is closed. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "job_claim.h"

/* Whether another process gets the claim, which ends with that. */
static int
is_free(const hd_recording_job *job, const char *text)
{
    int   result = -1;
    pid_t other  = fork();

    REQUIRE(other >= 0);
    if (other == 0)
        _exit(hd_job_claim(job, text));
    REQUIRE(waitpid(other, &result, 0) == other && WIFEXITED(result));
    return WEXITSTATUS(result);
}

TEST(one_process_at_a_time_has_a_claim)
{
    char             identity[64];
    hd_recording_job job = { .identity = identity };
    int              handle;

    snprintf(identity, sizeof identity, "test-%d", (int)getpid());
    CHECK(is_free(&job, "a"));
    REQUIRE(hd_job_claim_take(&job, "a", &handle) && handle >= 0);
    CHECK(!is_free(&job, "a"));
    CHECK(is_free(&job, "b"));
    identity[0] = 'T';
    CHECK(is_free(&job, "a"));
    identity[0] = 't';
    close(handle);
    CHECK(is_free(&job, "a"));
}

TEST_MAIN

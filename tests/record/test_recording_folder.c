/* Processes of two nodes that make one folder at the same time, and have the same process number: threads here. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "recording_folder.h"

enum { N_ROUNDS = 200 };

static char              place[] = "/tmp/heddle-folder-XXXXXX";
static pthread_barrier_t both;

static void
name_round(char path[64], int round)
{
    snprintf(path, 64, "%s/%d", place, round);
}

/* Returns how often it has not got the folder. */
static void *
make_all(void *rank)
{
    char             identity[] = "a job", time[] = "20261124-031502-1234", path[64];
    hd_recording_job job        = { .identity = identity, .time = time, .rank = *(uint32_t *)rank, .size = 2 };
    intptr_t         n_failed   = 0;

    for (int i = 0; i < N_ROUNDS; i++) {
        char *absolute = NULL;

        name_round(path, i);
        pthread_barrier_wait(&both);
        n_failed += hd_recording_folder_make(path, &job, &absolute) != HD_OK;
        free(absolute);
    }
    return (void *)n_failed;
}

TEST(processes_with_one_number_on_two_nodes_make_one_folder)
{
    uint32_t  ranks[] = { 0, 1 };
    pthread_t other;
    void     *n_failed;
    char      path[64], within[96];

    REQUIRE(mkdtemp(place) != NULL && pthread_barrier_init(&both, NULL, 2) == 0);
    REQUIRE(pthread_create(&other, NULL, make_all, &ranks[1]) == 0);
    CHECK(make_all(&ranks[0]) == NULL);
    REQUIRE(pthread_join(other, &n_failed) == 0);
    CHECK(n_failed == NULL);
    for (int i = 0; i < N_ROUNDS; i++) {
        name_round(path, i);
        snprintf(within, sizeof within, "%s/raw/job", path);
        CHECK(unlink(within) == 0);
        snprintf(within, sizeof within, "%s/raw", path);
        CHECK(rmdir(within) == 0 && rmdir(path) == 0);
    }
    CHECK(rmdir(place) == 0); /* nothing is left aside */
}

TEST_MAIN

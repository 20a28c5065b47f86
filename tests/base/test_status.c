/* tests/base/test_status.c: the words of an error, one set for each thread. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "status.h"

TEST(a_failure_keeps_its_words_and_returns_its_status)
{
    CHECK_EQ(hd_fail(HD_EREAD, "file %d is short", 7), HD_EREAD);
    CHECK_EQ(hd_error_get()->status, HD_EREAD);
    CHECK_STR(hd_error_get()->text, "file 7 is short");
    CHECK_STR(hd_error_get()->details, "");
}

TEST(details_are_lines_below_the_fact)
{
    hd_fail(HD_EOPEN, "no");
    hd_fail_detail("archive", "\"%s\"", "a/b");
    hd_fail_detail("try", "again");
    CHECK_STR(hd_error_get()->details, "  archive:  \"a/b\"\n  try:      again\n");
}

TEST(a_new_failure_has_no_details_of_the_one_before)
{
    hd_fail(HD_EOPEN, "one");
    hd_fail_detail("try", "again");
    hd_fail(HD_EOPEN, "two");
    CHECK_STR(hd_error_get()->details, "");
}

TEST(a_long_key_is_not_glued_to_its_text)
{
    hd_fail(HD_EOPEN, "no");
    hd_fail_detail("environment", "x");
    CHECK_STR(hd_error_get()->details, "  environment: x\n");
}

TEST(words_that_are_too_long_are_cut)
{
    hd_fail(HD_EOPEN, "%5000d", 1);
    CHECK_EQ(strlen(hd_error_get()->text), sizeof hd_error_get()->text - 1);
}

TEST(details_that_are_too_long_are_cut_and_end_with_their_line)
{
    for (int length = 2000; length < 2100; length++) {
        const hd_error *error = hd_error_get();
        size_t          used;

        hd_fail(HD_EOPEN, "no");
        hd_fail_detail("first", "%*d", length, 1);
        hd_fail_detail("second", "more");
        used = strlen(error->details);
        CHECK(used < sizeof error->details);
        CHECK(used > 1900);
        CHECK_EQ(error->details[used - 1], '\n');
    }
}

static void *
fail_elsewhere(void *copy)
{
    hd_fail(HD_EFORMAT, "the other thread");
    *(hd_error *)copy = *hd_error_get();
    return NULL;
}

TEST(a_thread_does_not_see_the_error_of_another_one)
{
    pthread_t thread;
    hd_error  copy;

    hd_fail(HD_EOPEN, "this thread");
    CHECK_EQ(pthread_create(&thread, NULL, fail_elsewhere, &copy), 0);
    pthread_join(thread, NULL);
    CHECK_STR(hd_error_get()->text, "this thread");
    hd_error_set(&copy);
    CHECK_STR(hd_error_get()->text, "the other thread");
    CHECK_EQ(hd_error_get()->status, HD_EFORMAT);
}

static void
end_with_7(void *context)
{
    _exit(*(int *)context);
}

static int
exit_status_of_fatal(void (*handler)(void *context), void *context, char *words, size_t words_bytes)
{
    int     ends[2], status = 0;
    pid_t   child;
    ssize_t n;

    CHECK_EQ(pipe(ends), 0);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        hd_fatal_handler_set(handler, context);
        HD_ASSERT(1 + 1 == 2);
        hd_fatal("%d ranks are gone", 3);
    }
    close(ends[1]);
    waitpid(child, &status, 0);
    n = read(ends[0], words, words_bytes - 1);
    words[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(the_end_of_the_run_says_why_and_exits_with_1)
{
    char words[200];

    CHECK_EQ(exit_status_of_fatal(NULL, NULL, words, sizeof words), 1);
    CHECK_STR(words, "heddle: error: 3 ranks are gone\n");
}

TEST(the_handler_of_the_end_of_the_run_is_called)
{
    char words[200];
    int  seven = 7;

    CHECK_EQ(exit_status_of_fatal(end_with_7, &seven, words, sizeof words), 7);
    CHECK_STR(words, "heddle: error: 3 ranks are gone\n");
}

TEST_MAIN

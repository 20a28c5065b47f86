/* tests/check.h: the smallest thing that runs tests. One file of tests is one program; its exit status says whether all
 * held.
 *
 *     TEST(receive_posted_before_the_send_waits_for_it) { CHECK(wait == 30); CHECK_EQ(wait, 30); }
 *     TEST_MAIN
 */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_test {
    const char        *name;
    void (*run)(void);
    struct check_test *next;
} check_test;

static check_test *check_first, **check_last = &check_first;
static int         check_failures, check_n;

#define TEST(test_name)                                                                                                \
    static void                             test_name(void);                                                           \
    static check_test                       test_name##_entry = { #test_name, test_name, NULL };                       \
    __attribute__((constructor)) static void test_name##_register(void)                                                \
    {                                                                                                                  \
        *check_last = &test_name##_entry;                                                                              \
        check_last  = &test_name##_entry.next;                                                                         \
    }                                                                                                                  \
    static void test_name(void)

#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, expected) check_equal((int64_t)(got), (int64_t)(expected), #got, __FILE__, __LINE__)
#define CHECK_STR(got, expected) check_string((got), (expected), #got, __FILE__, __LINE__)
/* without it the program cannot go on */
#define REQUIRE(condition) ((condition) ? (void)0 : check_end(#condition, __FILE__, __LINE__))

static inline void
check_that(int holds, const char *words, const char *file, int line)
{
    check_n++;
    if (!holds) {
        check_failures++;
        printf("%s:%d: does not hold: %s\n", file, line, words);
    }
}

static inline void
check_equal(int64_t got, int64_t expected, const char *words, const char *file, int line)
{
    check_n++;
    if (got != expected) {
        check_failures++;
        printf("%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n", file, line, words, got, expected);
    }
}

static inline void
check_string(const char *got, const char *expected, const char *words, const char *file, int line)
{
    check_n++;
    if (got == NULL || strcmp(got, expected) != 0) {
        check_failures++;
        printf("%s:%d: %s is \"%s\", expected \"%s\"\n", file, line, words, got == NULL ? "(null)" : got, expected);
    }
}

_Noreturn static inline void
check_end(const char *words, const char *file, int line)
{
    printf("%s:%d: does not hold: %s; the other tests are not run\n", file, line, words);
    exit(1);
}

static inline int
check_run_all(const char *only)
{
    int n = 0;

    for (check_test *test = check_first; test != NULL; test = test->next) {
        int before = check_failures;

        if (only != NULL && strcmp(only, test->name) != 0)
            continue;
        test->run();
        printf("%s %s\n", check_failures == before ? "ok  " : "FAIL", test->name);
        n++;
    }
    printf("%d tests, %d checks, %d failed\n", n, check_n, check_failures);
    return check_failures != 0 || check_n == 0;
}

#define TEST_MAIN                                                                                                      \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        return check_run_all(argc > 1 ? argv[1] : NULL);                                                               \
    }

#endif

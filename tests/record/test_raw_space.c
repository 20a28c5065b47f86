/* Writing to a raw file, with what the system may answer: its function is replaced here. */
#include "raw_space.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const ssize_t *answers; /* bytes; below 0: errno */
static char           written[16];

ssize_t
pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    ssize_t answer = *answers++;

    CHECK_EQ(fd, 7);
    REQUIRE((size_t)offset + n <= sizeof written && answer <= (ssize_t)n);
    if (answer < 0) {
        errno = (int)-answer;
        return -1;
    }
    memcpy(written + offset, bytes, (size_t)answer);
    return answer;
}

static const char *
write_with(const ssize_t *given)
{
    answers = given;
    errno   = 0;
    memset(written, 0, sizeof written);
    return hd_raw_space_write(7, "abcdefgh", 8, 2);
}

TEST(what_is_written_in_parts_and_after_a_signal_is_all_there)
{
    CHECK(write_with((const ssize_t[]){ 3, -EINTR, 1, 4 }) == NULL);
    CHECK_STR(written + 2, "abcdefgh");
}

TEST(an_error_says_what_it_is)
{
    CHECK_STR(write_with((const ssize_t[]){ 3, -ENOSPC }), "the disk is full");
    CHECK_STR(write_with((const ssize_t[]){ -EIO }), "a raw file cannot be made longer");
}

TEST(a_system_that_writes_nothing_is_not_asked_for_ever)
{
    CHECK_STR(write_with((const ssize_t[]){ 3, 0 }), "a raw file cannot be made longer");
}

TEST_MAIN

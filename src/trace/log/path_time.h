/* src/trace/log/path_time.h: time in a call path, as a few bytes in a run of them.
 *
 *   highest bits   bytes   call path   time
 *   0                  4      9 bits   22 bits
 *   10                 6     18 bits   28 bits
 *   11                12     30 bits   64 bits: of either sign, or those of a double
 *
 * In most archives nearly all are of the first form, which is read in a few instructions. In the byte order of the
 * machine: not for files. Uses: base. MT: any thread.
 */
#ifndef HD_PATH_TIME_H
#define HD_PATH_TIME_H

#include <string.h>

#include "types.h"

#define HD_PATH_TIME_BYTES_MAX 12
#define HD_PATH_TIME_SHORT_PATHS (UINT32_C(1) << 9) /* of the first form, with */
#define HD_PATH_TIME_SHORT_TIMES (UINT64_C(1) << 22)
#define HD_PATH_TIME_LONG (UINT32_C(1) << 31)
#define HD_PATH_TIME_WHOLE (UINT32_C(1) << 30)

/* With all bits of the time. Returns the end. */
static inline uint8_t *
hd_path_time_write_whole(uint8_t *at, uint32_t call_path, uint64_t time)
{
    uint32_t word = call_path | HD_PATH_TIME_LONG | HD_PATH_TIME_WHOLE;

    HD_ASSERT(call_path < UINT32_C(1) << 30);
    memcpy(at, &word, sizeof word);
    memcpy(at + sizeof word, &time, sizeof time);
    return at + sizeof word + sizeof time;
}

/* In the first form. Returns the end. */
static inline uint8_t *
hd_path_time_write_short(uint8_t *at, uint32_t call_path, uint64_t time)
{
    uint32_t word = call_path | (uint32_t)time << 9;

    memcpy(at, &word, sizeof word);
    return at + sizeof word;
}

/* Returns the end. */
static inline uint8_t *
hd_path_time_write(uint8_t *at, uint32_t call_path, hd_span span)
{
    uint64_t time = (uint64_t)span;
    uint32_t word;
    uint16_t rest = (uint16_t)(time >> 12);

    if (HD_LIKELY(call_path < HD_PATH_TIME_SHORT_PATHS && time < HD_PATH_TIME_SHORT_TIMES))
        return hd_path_time_write_short(at, call_path, time);
    if (call_path >= UINT32_C(1) << 18 || time >= UINT64_C(1) << 28)
        return hd_path_time_write_whole(at, call_path, time);
    word = HD_PATH_TIME_LONG | call_path | ((uint32_t)time & 0xFFF) << 18;
    memcpy(at, &word, sizeof word);
    memcpy(at + sizeof word, &rest, sizeof rest);
    return at + sizeof word + sizeof rest;
}

/* Moves on to the next one. *time: as it was written. */
static inline void
hd_path_time_read(const uint8_t **at, uint32_t *call_path, uint64_t *time)
{
    uint32_t word;
    uint16_t rest;

    memcpy(&word, *at, sizeof word);
    if (HD_LIKELY((word & HD_PATH_TIME_LONG) == 0)) {
        *at += sizeof word;
        *call_path = word & 0x1FF;
        *time      = word >> 9;
        return;
    }
    if ((word & HD_PATH_TIME_WHOLE) != 0) {
        *call_path = word & (HD_PATH_TIME_WHOLE - 1);
        memcpy(time, *at + sizeof word, sizeof *time);
        *at += sizeof word + sizeof *time;
        return;
    }
    memcpy(&rest, *at + sizeof word, sizeof rest);
    *at += sizeof word + sizeof rest;
    *call_path = word & 0x3FFFF;
    *time      = (uint64_t)rest << 12 | (word >> 18 & 0xFFF);
}

#define HD_PATH_TIMES 4

/* Up to where HD_PATH_TIMES can be read at once. */
static inline const uint8_t *
hd_path_times_end(const uint8_t *begin, const uint8_t *end)
{
    return begin + ((size_t)(end - begin) & ~(HD_PATH_TIMES * sizeof(uint32_t) - 1));
}

/* The next HD_PATH_TIMES, if all are of the first form; false: read them one by one. */
static inline bool
hd_path_times_read(const uint8_t *at, uint32_t words[HD_PATH_TIMES])
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < HD_PATH_TIMES; i++) /* into registers */
        memcpy(&words[i], at + i * sizeof *words, sizeof *words);
    return HD_LIKELY(((words[0] | words[1] | words[2] | words[3]) & HD_PATH_TIME_LONG) == 0);
}

static inline uint32_t
hd_path_time_short_path(uint32_t word)
{
    return word & 0x1FF;
}

static inline uint64_t
hd_path_time_short_time(uint32_t word)
{
    return word >> 9;
}

#endif

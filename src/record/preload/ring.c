/* src/record/preload/ring.c: windows of a log by age, and the state of those that have been given back. */
#define _GNU_SOURCE /* fallocate */
#include "ring.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "raw_state.h"

enum { WINDOW_BYTES = HD_RAW_LAST_WINDOW_BYTES, N_WORDS = WINDOW_BYTES / (int)sizeof(uint64_t) };

typedef struct kept { /* a window */
    uint64_t end_ns; /* CLOCK_MONOTONIC: its last record is not later */
    uint32_t place;  /* in the file */
    bool     has_space;
} kept;

struct hd_ring {
    kept        *full, *unused; /* [n_full] the oldest first; [n_unused] */
    uint32_t     n_full, n_unused, room, n_places; /* places: with the first, which is the window that is written */
    hd_raw_state state;         /* of the windows before those that are full */
    uint64_t     last;          /* [ticks] of their last record */
};

static bool
make_room(hd_ring *ring)
{
    enum { SPARE = 64 }; /* for windows of samples until the next record */
    uint32_t room = ring->n_places + 1 + SPARE > ring->room ? 2 * ring->room + 2 * SPARE : ring->room;
    kept    *full, *unused;

    if (room == ring->room)
        return true;
    full = realloc(ring->full, room * sizeof *full);
    if (full == NULL)
        return false;
    ring->full = full;
    unused     = realloc(ring->unused, room * sizeof *unused);
    if (unused == NULL)
        return false;
    ring->unused = unused;
    ring->room   = room;
    return true;
}

hd_ring *
hd_ring_new(void)
{
    hd_ring *ring = calloc(1, sizeof *ring);

    if (ring != NULL)
        ring->n_places = 1;
    if (ring != NULL && !make_room(ring)) {
        free(ring);
        ring = NULL;
    }
    return ring;
}

/* ---- giving a window back ---------------------------------------------------------------------------------------- */

/* Its records into the state. */
static const char *
read_window(hd_ring *ring, int fd, uint32_t place)
{
    uint64_t   *words = mmap(NULL, WINDOW_BYTES, PROT_READ, MAP_SHARED, fd, (off_t)place * WINDOW_BYTES);
    const char *wrong = NULL;

    if (words == MAP_FAILED)
        return "a raw file cannot be mapped";
    for (size_t at = 0; at + 2 <= N_WORDS && words[at + 1] != 0 && wrong == NULL;
         at += 2 + (words[at + 1] >> 8 & 0xff)) {
        ring->last = words[at];
        if (!hd_raw_state_take(&ring->state, words + at))
            wrong = "there is no memory";
    }
    munmap(words, WINDOW_BYTES);
    return wrong;
}

/* number: of the window behind those that are full. */
static const char *
write_state(const hd_ring *ring, uint32_t log, uint32_t number)
{
    const hd_raw_state *state  = &ring->state;
    size_t              n_open = hd_raw_state_n_open(state), n = HD_RAW_BEGIN_WORDS;
    size_t              room = n + state->n_words + 2 + HD_MAX_COUNTERS + 2 + 3 * (size_t)state->counts.n;
    uint64_t           *words = malloc(room * sizeof *words);
    bool                is_written;

    if (words == NULL)
        return "there is no memory";
    words[HD_RAW_BEGIN_WINDOW] = number - ring->n_full;
    words[HD_RAW_BEGIN_TIME]   = ring->last;
    words[HD_RAW_BEGIN_COUNTS] = state->counts.n;
    hd_recorder_read_clocks(words + HD_RAW_BEGIN_CLOCKS);
    for (size_t i = 0; i < n_open; i++) {
        const uint64_t *record = hd_raw_state_open(state, i);
        size_t          length = 2 + (size_t)(record[1] >> 8 & 0xff);

        memcpy(words + n, record, length * sizeof *words);
        n += length;
    }
    words[HD_RAW_BEGIN_RECORDS] = n - HD_RAW_BEGIN_WORDS;
    for (uint32_t i = 0; i < state->counts.size; i++)
        if (state->counts.counts[i].n > 0) {
            memcpy(words + n, &state->counts.counts[i], sizeof state->counts.counts[i]);
            n += 3;
        }
    is_written = hd_recorder_write_begin(log, words, n);
    free(words);
    return is_written ? NULL : "the begin of a log cannot be written";
}

/* The oldest one; its place is the last of those that are not used. */
static const char *
drop(hd_ring *ring, int fd)
{
    const char *wrong = read_window(ring, fd, ring->full[0].place);

    if (wrong == NULL) {
        ring->unused[ring->n_unused++] = ring->full[0];
        memmove(ring->full, ring->full + 1, --ring->n_full * sizeof *ring->full);
    }
    return wrong;
}

/* All that are not used but the last, where the file system can. */
static void
give_back_space(hd_ring *ring, int fd, int64_t *grows)
{
    for (uint32_t i = 0; i + 1 < ring->n_unused; i++) {
        kept *given = &ring->unused[i];

        if (given->has_space && fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                          (off_t)given->place * WINDOW_BYTES, WINDOW_BYTES) == 0) {
            given->has_space = false;
            *grows -= WINDOW_BYTES;
        }
    }
}

/* ---- a place for a window ---------------------------------------------------------------------------------------- */

/* Two at most, so a window after a pause of the program does not take long. */
static const char *
drop_old(hd_ring *ring, int fd, uint32_t log, uint32_t number, bool is_full, uint64_t now)
{
    enum { MOST = 2 };
    const char *wrong = NULL;
    uint32_t    n     = 0;

    while (wrong == NULL && n < MOST && ring->n_full > 0 &&
           (now - ring->full[0].end_ns > hd_the_recorder.last_ns || (is_full && ring->n_unused == 0))) {
        wrong = drop(ring, fd);
        n++;
    }
    return wrong == NULL && n > 0 ? write_state(ring, log, number) : wrong;
}

/* Returns the [bytes] by which the file takes more space. */
static int64_t
take_place(hd_ring *ring, uint64_t now)
{
    kept taken = ring->n_unused > 0 ? ring->unused[--ring->n_unused] : (kept){ .place = ring->n_places++ };

    ring->full[ring->n_full++] = (kept){ .end_ns = now, .place = taken.place, .has_space = true };
    return taken.has_space ? 0 : WINDOW_BYTES;
}

const char *
hd_ring_turn(hd_ring *ring, int fd, uint32_t log, uint32_t number, bool is_full, uint64_t *offset, int64_t *grows)
{
    uint64_t    clocks[3];
    const char *wrong;

    *grows = 0;
    if (!make_room(ring))
        return "there is no memory";
    hd_recorder_read_clocks(clocks);
    wrong = drop_old(ring, fd, log, number, is_full, clocks[1]);
    if (wrong != NULL)
        return wrong;
    give_back_space(ring, fd, grows);
    *offset = hd_ring_next_place(ring);
    *grows += take_place(ring, clocks[1]);
    return NULL;
}

bool
hd_ring_has_room(const hd_ring *ring)
{
    return ring->n_places + 1 <= ring->room;
}

uint64_t
hd_ring_next_place(const hd_ring *ring)
{
    return (uint64_t)(ring->n_unused > 0 ? ring->unused[ring->n_unused - 1].place : ring->n_places) * WINDOW_BYTES;
}

void
hd_ring_turn_briefly(hd_ring *ring, int64_t *grows)
{
    uint64_t clocks[3];

    hd_recorder_read_clocks(clocks);
    *grows = take_place(ring, clocks[1]);
}

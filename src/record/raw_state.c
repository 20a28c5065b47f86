/* src/record/raw_state.c: a list of what is open, and a table of counts. */
#include "raw_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static hd_raw_count *
place_of(const hd_raw_counts *all, uint64_t channel, uint64_t peer_tag)
{
    uint64_t hash = (channel * 0x9E3779B97F4A7C15U ^ peer_tag) * 0xD6E8FEB86659FD93U;
    uint32_t at   = (uint32_t)(hash >> 32) & (all->size - 1);

    while (all->counts[at].n != 0 && (all->counts[at].channel != channel || all->counts[at].peer_tag != peer_tag))
        at = (at + 1) & (all->size - 1);
    return &all->counts[at];
}

static bool
make_room(hd_raw_counts *all)
{
    hd_raw_counts larger = { .size = all->size > 0 ? 2 * all->size : 64, .n = all->n };

    if (2 * (all->n + 1) <= all->size)
        return true;
    larger.counts = calloc(larger.size, sizeof *larger.counts);
    if (larger.counts == NULL)
        return false;
    for (uint32_t i = 0; i < all->size; i++)
        if (all->counts[i].n > 0)
            *place_of(&larger, all->counts[i].channel, all->counts[i].peer_tag) = all->counts[i];
    free(all->counts);
    *all = larger;
    return true;
}

bool
hd_raw_counts_add(hd_raw_counts *counts, uint64_t channel, uint64_t peer_tag, uint64_t n)
{
    hd_raw_count *at;

    if (n == 0)
        return true;
    if (!make_room(counts))
        return false;
    at = place_of(counts, channel, peer_tag);
    counts->n += at->n == 0;
    *at = (hd_raw_count){ channel, peer_tag, at->n + n };
    return true;
}

uint64_t
hd_raw_count_channel(hd_raw_kind kind, uint32_t id, const uint64_t *words, uint64_t *peer_tag)
{
    hd_raw_channel channel = hd_raw_channel_of(kind);

    *peer_tag = channel == HD_RAW_SENDS || channel == HD_RAW_RECEIVES ? words[0] : 0;
    return channel != HD_RAW_NO_CHANNEL && id != HD_NONE ? (uint64_t)channel | (uint64_t)id << 32 : 0;
}

/* ---- what is open ------------------------------------------------------------------------------------------------ */

static hd_raw_kind
kind_of(const uint64_t *record)
{
    return (hd_raw_kind)(record[1] & 0xff);
}

static uint32_t
id_of(const uint64_t *record)
{
    return (uint32_t)(record[1] >> 32);
}

static size_t
length_of(const uint64_t *record)
{
    return 2 + (size_t)(record[1] >> 8 & 0xff);
}

static bool
push(hd_raw_state *state, const uint64_t *record)
{
    size_t    length = length_of(record);
    uint64_t *words  = state->words;
    size_t   *starts = state->starts;

    if (state->n_words + length > state->room_words) {
        words = realloc(words, (2 * state->room_words + 256) * sizeof *words);
        if (words == NULL)
            return false;
        state->words      = words;
        state->room_words = 2 * state->room_words + 256;
    }
    if (state->n == state->room) {
        starts = realloc(starts, (2 * state->room + 64) * sizeof *starts);
        if (starts == NULL)
            return false;
        state->starts = starts;
        state->room   = 2 * state->room + 64;
    }
    memcpy(words + state->n_words, record, length * sizeof *words);
    starts[state->n++] = state->n_words;
    state->n_words += length;
    return true;
}

/* Only the first n stay. */
static void
cut_to(hd_raw_state *state, size_t n)
{
    if (n < state->n) {
        state->n_words = state->starts[n];
        state->n       = n;
    }
}

/* Ends the last one of that kind and id with all that began in it. One that is not there is passed over. */
static void
end(hd_raw_state *state, hd_raw_kind kind, uint32_t id)
{
    for (size_t i = state->n; i > 0; i--) {
        const uint64_t *record = state->words + state->starts[i - 1];

        if (kind_of(record) == kind && id_of(record) == id) {
            cut_to(state, i - 1);
            return;
        }
    }
}

/* The task of a record; 0: the thread's own. */
static uint64_t
task_of(const uint64_t *record)
{
    return length_of(record) > 2 ? record[2] : 0;
}

/* A task that waits for others stays open below them, as what it is in does. */
static bool
switch_task(hd_raw_state *state, const uint64_t *record)
{
    uint64_t last = 0;
    bool     has_team = false;

    if (state->n > 0 && kind_of(state->words + state->starts[state->n - 1]) == HD_RAW_TASK_SWITCH)
        cut_to(state, state->n - 1);
    for (size_t i = state->n; i > 0 && last == 0 && !has_team; i--) {
        const uint64_t *open = state->words + state->starts[i - 1];

        last     = kind_of(open) == HD_RAW_TASK_SWITCH ? task_of(open) : 0;
        has_team = kind_of(open) == HD_RAW_TEAM_BEGIN;
    }
    return last == task_of(record) || push(state, record);
}

static bool
take_open(hd_raw_state *state, const uint64_t *record)
{
    switch (kind_of(record)) {
    case HD_RAW_ENTER:
    case HD_RAW_COLLECTIVE_BEGIN:
    case HD_RAW_WINDOW_BEGIN:
    case HD_RAW_THREAD_FORK:
    case HD_RAW_TEAM_BEGIN:
    case HD_RAW_THREAD_BEGIN:
        return push(state, record);
    case HD_RAW_LEAVE:
        end(state, HD_RAW_ENTER, id_of(record));
        return true;
    case HD_RAW_COLLECTIVE_END:
        end(state, HD_RAW_COLLECTIVE_BEGIN, 0);
        return true;
    case HD_RAW_WINDOW_END:
        end(state, HD_RAW_WINDOW_BEGIN, 0);
        return true;
    case HD_RAW_THREAD_JOIN:
        end(state, HD_RAW_THREAD_FORK, id_of(record));
        return true;
    case HD_RAW_TEAM_END:
        end(state, HD_RAW_TEAM_BEGIN, id_of(record));
        return true;
    case HD_RAW_THREAD_END:
        cut_to(state, 0);
        return true;
    case HD_RAW_TASK_SWITCH:
        return switch_task(state, record);
    default:
        return true;
    }
}

static void
keep(uint64_t *place, size_t room, const uint64_t *record)
{
    if (length_of(record) <= room)
        memcpy(place, record, length_of(record) * sizeof *place);
}

bool
hd_raw_state_take(hd_raw_state *state, const uint64_t *record)
{
    hd_raw_kind kind    = kind_of(record);
    uint64_t    peer_tag = 0, channel = 0;

    if (hd_raw_channel_of(kind) != HD_RAW_NO_CHANNEL && length_of(record) > 2)
        channel = hd_raw_count_channel(kind, id_of(record), record + 2, &peer_tag);
    if (channel != 0 && !hd_raw_counts_add(&state->counts, channel, peer_tag, 1))
        return false;
    if (kind == HD_RAW_METRIC)
        keep(state->metric, sizeof state->metric / sizeof *state->metric, record);
    else if (kind == HD_RAW_PAUSE)
        keep(state->pause, sizeof state->pause / sizeof *state->pause, record);
    else if (kind == HD_RAW_RESUME)
        state->pause[1] = 0;
    return take_open(state, record);
}

size_t
hd_raw_state_n_open(const hd_raw_state *state)
{
    return (state->metric[1] != 0) + state->n + (state->pause[1] != 0);
}

const uint64_t *
hd_raw_state_open(const hd_raw_state *state, size_t i)
{
    if (state->metric[1] != 0 && i-- == 0)
        return state->metric;
    return i < state->n ? state->words + state->starts[i] : state->pause;
}

void
hd_raw_state_fini(hd_raw_state *state)
{
    free(state->words);
    free(state->starts);
    free(state->counts.counts);
    *state = (hd_raw_state){ 0 };
}

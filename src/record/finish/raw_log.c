/* src/record/finish/raw_log.c: records out of mapped windows. */
#include "raw_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

/* [n] words of a file, mapped; NULL: it is not there, or has none. */
static hd_status
map_file(const char *path, const uint64_t **words, size_t *n)
{
    int         fd     = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file   = { 0 };
    hd_status   status = HD_OK;

    *words = NULL;
    *n     = 0;
    if ((fd < 0 && errno != ENOENT) || (fd >= 0 && fstat(fd, &file) != 0))
        status = hd_fail(HD_EOPEN, "cannot open \"%s\": %s", path, strerror(errno));
    else if (fd >= 0 && file.st_size >= (off_t)sizeof(uint64_t)) {
        void *mapped = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

        if (mapped == MAP_FAILED)
            status = hd_fail(HD_EREAD, "cannot map \"%s\": %s", path, strerror(errno));
        else {
            madvise(mapped, (size_t)file.st_size, MADV_SEQUENTIAL);
            *words = mapped;
            *n     = (size_t)file.st_size / sizeof(uint64_t);
        }
    }
    if (fd >= 0)
        close(fd);
    return status;
}

static void
unmap(const uint64_t *words, size_t n)
{
    if (words != NULL)
        munmap((void *)(uintptr_t)words, n * sizeof(uint64_t));
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static void
take(hd_raw_state *state, const uint64_t *record)
{
    if (!hd_raw_state_take(state, record))
        hd_fatal("there is no memory");
}

/* What is left of windows that were given back. Returns the number of the first that was not. */
static uint64_t
read_begin(hd_raw_log *log, const uint64_t *words, size_t n)
{
    size_t end, at = HD_RAW_BEGIN_WORDS, length;

    if (n < HD_RAW_BEGIN_WORDS || words[HD_RAW_BEGIN_RECORDS] > n - HD_RAW_BEGIN_WORDS)
        return 0;
    end = at + words[HD_RAW_BEGIN_RECORDS];
    while ((length = hd_raw_log_length(words + at, end - at)) > 0) {
        take(&log->state, words + at);
        at += length;
    }
    for (uint64_t i = 0; i < words[HD_RAW_BEGIN_COUNTS] && end + 3 <= n; i++, end += 3)
        if (!hd_raw_counts_add(&log->state.counts, words[end], words[end + 1], words[end + 2]))
            hd_fatal("there is no memory");
    log->given_back = words[HD_RAW_BEGIN_TIME];
    log->clock      = (hd_raw_clock){ words[HD_RAW_BEGIN_CLOCKS], words[HD_RAW_BEGIN_CLOCKS + 1],
                                      words[HD_RAW_BEGIN_CLOCKS + 2] };
    return words[HD_RAW_BEGIN_WINDOW];
}

typedef struct numbered { /* a window */
    uint32_t number, place;
} numbered;

static int
by_number(const void *a, const void *b)
{
    const numbered *first = a, *second = b;

    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return first->place < second->place ? -1 : first->place > second->place;
}

/* first: those before it do not count. */
static void
sort_windows(hd_raw_log *log, uint64_t first)
{
    size_t    n = (log->n + log->window_words - 1) / log->window_words;
    numbered *all = HD_NEW_ARRAY(numbered, n + 1);

    log->windows = HD_NEW_ARRAY(uint32_t, n + 1);
    n            = 0;
    for (size_t at = 0; at < log->n; at += log->window_words) {
        uint64_t head = log->n - at >= 2 ? log->words[at + 1] : 0;

        if ((head & 0xff) == HD_RAW_TURN && head >> 32 >= first)
            all[n++] = (numbered){ (uint32_t)(head >> 32), (uint32_t)(at / log->window_words) };
    }
    qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || all[i].number != all[i - 1].number)
            log->windows[log->n_windows++] = all[i].place;
    free(all);
}

static hd_status
read_order(hd_raw_log *log, const char *log_path)
{
    char           *path = hd_format("%.*s.begin", (int)(strlen(log_path) - strlen(".log")), log_path);
    const uint64_t *words;
    size_t          n;
    hd_status       status = map_file(path, &words, &n);

    if (status == HD_OK)
        sort_windows(log, read_begin(log, words, n));
    unmap(words, n);
    free(path);
    return status;
}

static void
pass_over(hd_raw_log *log)
{
    hd_raw_log    before = *log;
    hd_raw_record record;

    while (hd_raw_log_next(log, &record) && record.time < log->cut) {
        take(&log->state, record.words - 2);
        before        = *log;
    }
    log->at     = before.at;
    log->end    = before.end;
    log->window = before.window;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

hd_status
hd_raw_log_open(const hd_raw_files *files, const hd_raw_process *process, const hd_raw_location *location, uint64_t cut,
                hd_raw_log *log)
{
    char     *path = hd_format("%s/%s.%u.log", files->folder, process->name, location->number);
    hd_status status;

    *log   = (hd_raw_log){ .cut = cut };
    status = map_file(path, &log->words, &log->n);
    log->window_words = (process->last_ns > 0 ? HD_RAW_LAST_WINDOW_BYTES : HD_RAW_WINDOW_BYTES) / sizeof *log->words;
    if (status == HD_OK && process->last_ns > 0)
        status = read_order(log, path);
    else if (status == HD_OK)
        sort_windows(log, 0);
    log->opened = SIZE_MAX;
    if (status == HD_OK && cut > 0)
        pass_over(log);
    log->opened = cut > 0 ? 0 : SIZE_MAX;
    free(path);
    return status;
}

static bool
next_window(hd_raw_log *log)
{
    if (log->window >= log->n_windows)
        return false;
    log->at  = (size_t)log->windows[log->window++] * log->window_words;
    log->end = log->at + log->window_words < log->n ? log->at + log->window_words : log->n;
    return log->at < log->n;
}

bool
hd_raw_log_next_elsewhere(hd_raw_log *log, hd_raw_record *record)
{
    size_t length;

    if (log->opened < hd_raw_state_n_open(&log->state)) {
        *record = hd_raw_log_record(hd_raw_state_open(&log->state, log->opened++), log->cut);
        return true;
    }
    log->opened = SIZE_MAX;
    for (;;) {
        length = hd_raw_log_length(log->words + log->at, log->end - log->at);
        if (length == 0) {
            if (!next_window(log))
                return false;
            continue;
        }
        *record = hd_raw_log_record(log->words + log->at, log->words[log->at]);
        log->at += length;
        if (record->kind != HD_RAW_TURN)
            return true;
    }
}

uint64_t
hd_raw_log_last_time(const hd_raw_log *log)
{
    hd_raw_log    copy = *log;
    hd_raw_record record;
    uint64_t      last = 0;

    if (copy.n_windows > 1 && copy.window == 0)
        copy.window = copy.n_windows - 1;
    if (copy.window > 0) /* it begins with that of the last one before it */
        last = copy.words[(size_t)copy.windows[copy.window] * copy.window_words];
    while (hd_raw_log_next(&copy, &record))
        last = record.time > last ? record.time : last;
    return last;
}

void
hd_raw_log_close(hd_raw_log *log)
{
    unmap(log->words, log->n);
    hd_raw_state_fini(&log->state);
    free(log->windows);
    *log = (hd_raw_log){ 0 };
}

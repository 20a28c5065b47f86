#include "record_run.h"

/* With its head and that of the heap a small one has 256 bytes. */
enum { LEAST_BYTES = 232, MOST_BYTES = 1 << 20 };

static void
add_chunk(hd_record_run *run, size_t least)
{
    size_t           wanted, capacity;
    hd_record_chunk *chunk;

    if (run->last != NULL) {
        run->last->end = run->at;
        run->n += (size_t)(run->at - run->last->data);
    }
    wanted   = run->n / 8 > LEAST_BYTES ? run->n / 8 : LEAST_BYTES;
    capacity = wanted < MOST_BYTES ? wanted : MOST_BYTES;
    capacity = capacity > least ? capacity : least;
    chunk    = hd_scratch_realloc(run->scratch, NULL, sizeof *chunk + capacity, 1);
    *chunk   = (hd_record_chunk){ .next = NULL };
    if (run->last != NULL)
        run->last->next = chunk;
    else
        run->first = chunk;
    run->last = chunk;
    run->at   = chunk->data;
    run->end  = chunk->data + capacity;
}

void
hd_record_run_make_room(hd_record_run *run, size_t n)
{
    if ((size_t)(run->end - run->at) < n)
        add_chunk(run, n);
}

void
hd_record_run_put_slow(hd_record_run *run, const uint8_t *record, size_t n)
{
    hd_record_run_make_room(run, n);
    memcpy(run->at, record, n);
    run->at += n;
}

void
hd_record_run_drop_last(hd_record_run *run)
{
    hd_record_chunk *last = run->last, *before = run->first;

    if (last == run->first) {
        hd_record_run_fini(run);
        return;
    }
    while (before->next != last)
        before = before->next;
    hd_scratch_free(run->scratch, last);
    before->next = NULL;
    run->last    = before;
    run->at = run->end = before->end; /* what room it had is not known */
    run->n -= (size_t)(run->at - before->data);
}

hd_record_cursor
hd_record_run_begin(hd_record_run *run)
{
    if (run->first == NULL)
        return (hd_record_cursor){ .chunk = NULL };
    run->last->end = run->at;
    return (hd_record_cursor){ .at = run->first->data, .end = run->first->end, .chunk = run->first };
}

void
hd_record_run_fini(hd_record_run *run)
{
    for (hd_record_chunk *chunk = run->first, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        hd_scratch_free(run->scratch, chunk);
    }
    *run = (hd_record_run){ .scratch = run->scratch };
}

#include "task_stub.h"

void
hd_decoder_book_task(hd_decoder *decoder, uint32_t node, hd_span span)
{
    if (decoder->compat)
        decoder->out->nodes[node].time += span;
    else
        hd_decoder_book(decoder, node, span);
}

/* As scout 2.6 has it, the time of an explicit task stands in the tree twice: for the call path at which the implicit
 * task left off, from where it goes to the stub at the end, and for the task's own call paths, which take it out of the
 * program's. */
static void
book_twice(hd_decoder *decoder, hd_span span)
{
    uint32_t program = hd_decoder_program_node(decoder);

    if (decoder->implicit.stack.depth > 0)
        hd_decoder_book_task(decoder, decoder->implicit.stack.current, span);
    if (decoder->stack.depth > 0 && program != HD_NONE)
        hd_decoder_book_task(decoder, program, -span);
}

static hd_task_level *
last_level(hd_decoder *decoder)
{
    return &decoder->join->fragments.levels[decoder->join->fragments.n_levels - 1];
}

/* Time that the running task spent: books it for its regions or its stub, or keeps it until the task has a stub. */
static void
book_in_task(hd_decoder *decoder, hd_span span)
{
    hd_task *task = decoder->task;

    if (decoder->stack.depth > 0)
        task->in_regions[decoder->side] += span;
    if (decoder->compat) {
        if (decoder->stack.depth == 0) /* nothing is booked that would do it */
            hd_decoder_switch_settle(decoder);
        book_twice(decoder, span);
    } else if (decoder->stack.depth > 0)
        return;
    else if (task->moved != HD_NONE)
        hd_decoder_book_task(decoder, hd_decoder_here(decoder, last_level(decoder)->place), span);
    else if (task->stub != HD_NONE)
        hd_decoder_book_task(decoder, hd_decoder_here(decoder, task->stub), span);
    else
        task->unplaced[decoder->side] += span;
}

void
hd_decoder_book_in_task(hd_decoder *decoder, hd_time time)
{
    hd_span span = hd_span_between(decoder->booked_until, time);

    if (decoder->stack.depth > 0)
        hd_decoder_book(decoder, decoder->stack.current, span);
    book_in_task(decoder, span);
    decoder->booked_until = time;
}

static void
begin_level(hd_decoder *decoder)
{
    hd_task_fragments *fragments = &decoder->join->fragments;
    uint32_t           place     = hd_decoder_place(decoder, HD_NONE);

    decoder->stack.current = hd_decoder_here(decoder, place);
    HD_SCRATCH_PUSH(decoder->join->scratch, fragments->levels, fragments->n_levels, fragments->capacity_levels,
                    ((hd_task_level){ .place = place, .stub = decoder->task->stub, .region = HD_NONE }));
    fragments->fragments[decoder->task->fragment].n_levels++;
}

static void
end_level(hd_decoder *decoder, uint32_t region)
{
    last_level(decoder)->region = region;
    last_level(decoder)->end    = decoder->now;
}

void
hd_decoder_begin_fragment(hd_decoder *decoder)
{
    hd_task_fragments *fragments = &decoder->join->fragments;
    hd_task           *task      = decoder->task;

    task->fragment          = fragments->n_fragments;
    memset(task->in_regions, 0, sizeof task->in_regions);
    HD_SCRATCH_PUSH(decoder->join->scratch, fragments->fragments, fragments->n_fragments, fragments->capacity_fragments,
                    ((hd_task_fragment){ .task = task->moved, .stub = task->stub, .first_region = HD_NONE,
                                 .begin = decoder->now,
                             .first_level = fragments->n_levels, .first_open = fragments->n_open }));
    begin_level(decoder);
    decoder->needs_stub = true;
}

void
hd_decoder_end_fragment(hd_decoder *decoder)
{
    hd_task_fragments *fragments = &decoder->join->fragments;
    hd_task_fragment  *fragment  = &fragments->fragments[decoder->task->fragment];

    end_level(decoder, HD_NONE);
    fragment->end    = decoder->now;
    fragment->n_open = decoder->stack.depth;
    memcpy(fragment->in_regions, decoder->task->in_regions, sizeof fragment->in_regions);
    for (size_t i = 0; i < decoder->stack.depth; i++)
        HD_SCRATCH_PUSH(decoder->join->scratch, fragments->open, fragments->n_open, fragments->capacity_open,
                ((hd_open_region){ .node = decoder->stack.frames[i].node, .enter = decoder->stack.frames[i].enter }));
}

void
hd_decoder_task_leave(hd_decoder *decoder, uint32_t region)
{
    end_level(decoder, region);
    begin_level(decoder);
}

void
hd_decoder_book_unplaced(hd_decoder *decoder, hd_task *task, uint32_t node)
{
    for (uint32_t side = 0; side < HD_N_SIDES; side++)
        if (side == 0 || task->unplaced[side] != 0)
            hd_decoder_book_task(decoder, hd_decoder_on_side(decoder, node, side), task->unplaced[side]);
    memset(task->unplaced, 0, sizeof task->unplaced);
}

void
hd_decoder_task_stub(hd_decoder *decoder, uint32_t region)
{
    hd_task *task          = decoder->task;
    uint8_t  role          = decoder->regions[region].role;
    bool     is_artificial = role == HD_ROLE_ARTIFICIAL;

    if (task->moved != HD_NONE) {
        if (!is_artificial)
            decoder->join->fragments.fragments[task->fragment].first_region = region;
        decoder->needs_stub = is_artificial;
        return;
    }
    if (!is_artificial) {
        task->stub          = hd_decoder_inner(decoder,
                                               hd_decoder_child(decoder, hd_decoder_here(decoder, task->from), region));
        task->begun         = role == HD_ROLE_TASK || role == HD_ROLE_TASK_UNTIED;
        decoder->needs_stub = false;
    }
    if (decoder->stack.depth == 0)
        decoder->stack.current = hd_decoder_child(decoder, hd_decoder_program_node(decoder),
                                                  decoder->defs->tasks_region);
    if (task->stub != HD_NONE)
        hd_decoder_book_unplaced(decoder, task, task->stub);
}

/* What was before, such as a call, or a time in no region, ends; calls that communicate have boundaries of their own,
 * at their enters. */
void
hd_decoder_book_and_cut(hd_decoder *decoder, hd_time time)
{
    bool is_outside = decoder->in_mpi.depth == 0;
    bool computes   = is_outside && decoder->stack.depth > 0 &&
                      decoder->stack.frames[decoder->stack.depth - 1].state == HD_STATE_USEFUL;
    bool is_idle    = decoder->stack.depth == 0 && decoder->out->intervals.n_intervals > 0;

    if (is_outside && decoder->touched_end > decoder->touched)
        hd_decoder_boundary(decoder, decoder->booked_until);
    if (decoder->stack.depth > 0)
        hd_decoder_book(decoder, decoder->stack.current, hd_span_between(decoder->booked_until, time));
    decoder->booked_until = time;
    if (computes || is_idle)
        hd_decoder_boundary(decoder, time);
}

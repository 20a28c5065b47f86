#include "decoder.h"

/* The number of a task on its location. Generation 0 is the implicit task of whoever runs it. */
static bool
is_implicit(uint64_t number)
{
    return (uint32_t)number == 0;
}

/* As scout 2.6 has it, the time of an explicit task stands in the tree twice: for the call path at which the implicit task left
 * off, from where it goes to the stub at the end, and for the task's own call paths, which take it out of the program's. */
static void
charge_twice(hd_decoder *decoder, hd_span span)
{
    uint32_t program = hd_decoder_program_node(decoder);

    if (decoder->implicit.depth > 0)
        decoder->out->nodes[decoder->implicit.current].time += span;
    if (decoder->depth > 0 && program != HD_NONE)
        decoder->out->nodes[program].time -= span;
}

/* Time of an explicit task in its own regions is theirs; the rest, between a switch and the next region, is the stub's. */
void
hd_decoder_charge_task(hd_decoder *decoder, hd_span span)
{
    hd_task *task = decoder->task;

    if (decoder->depth > 0)
        task->in_regions += span;
    if (decoder->compat)
        charge_twice(decoder, span);
    else if (decoder->depth > 0)
        return;
    else if (task->stub != HD_NONE)
        decoder->out->nodes[task->stub].time += span;
    else
        task->unplaced += span;
}

static void
save(hd_decoder *decoder, hd_task *task)
{
    task->frames          = decoder->frames;
    task->depth           = decoder->depth;
    task->capacity_frames = decoder->capacity_frames;
    task->current         = decoder->current;
    task->left            = decoder->now;
    task->away            = decoder->away;
}

static void
restore(hd_decoder *decoder, hd_task *task)
{
    decoder->frames          = task->frames;
    decoder->depth           = task->depth;
    decoder->capacity_frames = task->capacity_frames;
    decoder->current         = task->current;
    decoder->away            = task->away + (task->left > 0 ? hd_span_between(task->left, decoder->now) : 0);
    task->frames             = NULL;
}

/* The running task leaves off. */
static void
suspend(hd_decoder *decoder)
{
    hd_decoder_charge(decoder, decoder->now);
    if (decoder->task == NULL) {
        save(decoder, &decoder->implicit);
        return;
    }
    decoder->task->executed += hd_span_between(decoder->task->resumed, decoder->now);
    save(decoder, decoder->task);
    decoder->task = NULL;
}

static void
resume_implicit(hd_decoder *decoder)
{
    restore(decoder, &decoder->implicit);
    decoder->implicit.depth = 0;
    decoder->needs_stub     = false;
}

void
hd_decoder_task_switch(hd_decoder *decoder, uint64_t number)
{
    bool      is_new;
    uint64_t *place;
    hd_task  *task;

    if (is_implicit(number)) {
        if (decoder->task != NULL) {
            suspend(decoder);
            resume_implicit(decoder);
        }
        return;
    }
    suspend(decoder);
    place = hd_map_add(&decoder->tasks, number, &is_new);
    if (is_new) {
        task          = HD_NEW(hd_task);
        task->current = HD_NONE;
        task->stub    = HD_NONE;
        task->from    = decoder->implicit.current;
        *place        = (uint64_t)(uintptr_t)task;
    }
    task = (hd_task *)(uintptr_t)*place;
    restore(decoder, task);
    task->resumed       = decoder->now;
    decoder->task       = task;
    decoder->needs_stub = task->stub == HD_NONE;
}

/* The task enters its first region: the stub stands for it where the implicit task left off, its own call paths are below
 * TASKS. */
void
hd_decoder_task_stub(hd_decoder *decoder, uint32_t region)
{
    if (decoder->regions[region].role != HD_ROLE_ARTIFICIAL) {
        decoder->task->stub = hd_decoder_child(decoder, decoder->task->from, region);
        decoder->needs_stub = false;
    }
    if (decoder->depth == 0)
        decoder->current = hd_decoder_child(decoder, hd_decoder_program_node(decoder), decoder->defs->tasks_region);
    if (decoder->task->stub != HD_NONE) {
        decoder->out->nodes[decoder->task->stub].time += decoder->task->unplaced;
        decoder->task->unplaced = 0;
    }
}

void
hd_decoder_task_complete(hd_decoder *decoder, uint64_t number)
{
    const uint64_t *place = hd_map_get(&decoder->tasks, number);
    hd_task        *task  = place != NULL ? (hd_task *)(uintptr_t)*place : NULL;

    if (task == NULL)
        return;
    if (decoder->task == task) {
        suspend(decoder);
        resume_implicit(decoder);
    }
    if (task->stub != HD_NONE) {
        decoder->out->nodes[task->stub].visits++;
        if (decoder->compat) {
            decoder->out->nodes[task->stub].time += task->executed;
            if (task->from != HD_NONE)
                decoder->out->nodes[task->from].time -= task->executed;
        }
        hd_thread_log_put(&decoder->out->threads, &(hd_thread_op){ .kind = HD_THREAD_TASK, .call_path = task->stub,
                                                                   .task_time = task->executed, .region_time = task->in_regions });
    } else if (task->from != HD_NONE)
        decoder->out->nodes[task->from].time += task->unplaced;
    if (decoder->task == NULL && decoder->depth > 0)
        decoder->frames[decoder->depth - 1].task_time += task->executed;
    hd_map_remove(&decoder->tasks, number);
    free(task->frames);
    free(task);
}

void
hd_decoder_tasks_finish(hd_decoder *decoder)
{
    if (decoder->task != NULL) { /* cut off inside of a task */
        suspend(decoder);
        resume_implicit(decoder);
        hd_decoder_close_all(decoder);
    }
    for (uint32_t i = 0; decoder->tasks.slots != NULL && i <= decoder->tasks.mask; i++)
        if (decoder->tasks.slots[i].key != HD_MAP_FREE) {
            hd_task *task = (hd_task *)(uintptr_t)decoder->tasks.slots[i].value;

            if (task->stub != HD_NONE)
                hd_thread_log_put(&decoder->out->threads,
                                  &(hd_thread_op){ .kind = HD_THREAD_TASK, .is_cut = true, .call_path = task->stub,
                                                   .task_time = task->executed, .region_time = task->in_regions });
            else if (task->from != HD_NONE)
                decoder->out->nodes[task->from].time += task->unplaced;
            free(task->frames);
            free(task);
        }
    hd_map_fini(&decoder->tasks);
}

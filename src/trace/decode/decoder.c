#include "decoder.h"

#include "open_wait.h"
#include "thread_state.h"

enum { MAX_RESERVED = 500000 };

/* Of programs with many calls of MPI the logs take about so much per event: they are not copied as they grow. What is
 * too much takes no memory, as nothing is written there, and goes back at the end; but it would take space in files. */
static void
reserve_logs(hd_decoder *decoder)
{
    hd_loaded_location *out      = decoder->out;
    uint64_t            n_events = hd_defs_locations(decoder->defs)[out->location].n_events;
    size_t              n        = n_events < MAX_RESERVED ? (size_t)n_events : MAX_RESERVED;

    if (out->log.calls.scratch != NULL)
        return;
    decoder->capacity_heads = n / 2;
    out->log.heads          = HD_NEW_UNSET(uint16_t, decoder->capacity_heads + 1);
    hd_bytes_reserve(&out->log.calls, 3 * n);
    hd_bytes_reserve(&out->intervals.bytes, 3 * n);
    hd_bytes_reserve(&out->intervals.boundaries, n);
    hd_bytes_reserve(&out->states.bytes, decoder->keeps_states ? 2 * n : 0);
}

static void
take_room(hd_decoder *decoder)
{
    hd_decoder_room *room = decoder->room;

    if (room == NULL) {
        hd_table_init(&decoder->children);
        return;
    }
    decoder->children         = room->children;
    decoder->beside           = room->beside;
    decoder->capacity_beside  = room->capacity_beside;
    decoder->out->nodes       = room->nodes;
    decoder->capacity_nodes   = room->capacity_nodes;
    decoder->stack.frames     = room->frames;
    decoder->stack.capacity   = room->capacity_frames;
    decoder->touched          = room->touched;
    decoder->touched_end      = room->touched;
    decoder->capacity_touched = room->capacity_touched;
    *room                     = (hd_decoder_room){ .beside = NULL };
    hd_table_clear(&decoder->children);
}

enum {
    MOST_SLOTS = 16,  /* of a table that is kept, for each call path: to clear it costs as much as that */
    MOST_NODES = 1024 /* of those that are copied, and their room kept */
};

static void
pack_nodes(hd_decoder *decoder)
{
    hd_loaded_location *out   = decoder->out;
    hd_path_node       *nodes = out->nodes;

    if (decoder->room == NULL || out->n_nodes > MOST_NODES) {
        out->nodes = hd_pack(nodes, out->n_nodes, sizeof *nodes);
        return;
    }
    out->nodes = HD_NEW_UNSET(hd_path_node, out->n_nodes);
    if (out->n_nodes > 0)
        memcpy(out->nodes, nodes, out->n_nodes * sizeof *nodes);
    decoder->room->nodes          = nodes;
    decoder->room->capacity_nodes = decoder->capacity_nodes;
}

static void
give_room_back(hd_decoder *decoder)
{
    hd_decoder_room own = { .beside = NULL }, *room = decoder->room != NULL ? decoder->room : &own;

    room->children         = decoder->children;
    room->beside           = decoder->beside;
    room->capacity_beside  = decoder->capacity_beside;
    room->frames           = decoder->stack.frames;
    room->capacity_frames  = decoder->stack.capacity;
    room->touched          = decoder->touched;
    room->capacity_touched = decoder->capacity_touched;
    if (room == &own || room->children.mask / MOST_SLOTS > decoder->out->n_nodes)
        hd_decoder_room_fini(room);
}

void
hd_decoder_room_fini(hd_decoder_room *room)
{
    hd_table_fini(&room->children);
    free(room->beside);
    free(room->nodes);
    free(room->frames);
    free(room->touched);
    *room = (hd_decoder_room){ .beside = NULL };
}

void
hd_decoder_init(hd_decoder *decoder)
{
    hd_location_more_put_in(&decoder->more, decoder->out->log.own.scratch);
    reserve_logs(decoder);
    decoder->stack.current = HD_NONE;
    decoder->plausible     = hd_plausible_times(decoder->defs);
    hd_decoder_borders_init(decoder);
    decoder->short_gap   = (hd_span)(decoder->defs->resolution / 1000);
    decoder->cut.cluster = decoder->cut.anchor = HD_NONE;
    decoder->generation  = 1;
    decoder->plain       = HD_NOT_PLAIN;
    decoder->is_state_new = decoder->keeps_states;
    decoder->usual        = (hd_region_kind){ .region_class = HD_CLASS_USER, .call = HD_CALL_OTHER, .is_plain = true };
    take_room(decoder);
    hd_table_init(&decoder->files.uses);
    hd_table_init(&decoder->levels_of);
    hd_channel_table_init(&decoder->channels, decoder->defs, decoder->process);
}

static void
trim(hd_loaded_location *out)
{
    hd_oplog *log = &out->log;

    log->heads = hd_scratch_pack(log->calls.scratch, log->heads, log->n_calls, sizeof *log->heads);
    hd_bytes_pack(&log->own);
    hd_bytes_pack(&log->calls);
    hd_bytes_pack(&log->others);
    log->completions = hd_scratch_pack(log->calls.scratch, log->completions, log->n_sends, sizeof *log->completions);
    hd_oplog_pack_rare(log);
    hd_bytes_pack(&out->intervals.bytes);
    hd_bytes_pack(&out->intervals.boundaries);
    out->counts     = hd_pack(out->counts, out->n_counts, sizeof *out->counts);
    out->open_calls = hd_pack(out->open_calls, out->n_open_calls, sizeof *out->open_calls);
}

static void
pack_send_calls(hd_decoder *decoder)
{
    hd_oplog *log = &decoder->out->log;

    log->send_calls = hd_send_calls_pack(log->calls.scratch, decoder->send_calls, log->n_send_calls);
    hd_scratch_free(log->calls.scratch, decoder->send_calls);
    decoder->send_calls = NULL;
}

static int
compare_open_calls(const void *left, const void *right)
{
    const hd_open_call *a = left, *b = right;

    return a->enter < b->enter ? -1 : a->enter > b->enter;
}

/* Workers of early versions of the OMPT interface: their call paths begin with OpenMP. */
static void
look_for_teams(hd_decoder *decoder)
{
    const hd_path_node *nodes = decoder->out->nodes;

    if (decoder->thread == 0 || decoder->team_instances.n > 0)
        return;
    for (uint32_t i = 0; i < decoder->out->n_nodes && !decoder->out->is_team_unknown; i++)
        decoder->out->is_team_unknown = nodes[i].parent == HD_NONE && nodes[i].region != HD_NONE &&
                                        decoder->regions[nodes[i].region].paradigm == HD_PARADIGM_OPENMP;
    if (decoder->out->is_team_unknown)
        hd_decoder_plain_finding(decoder, HD_FINDING_TEAM_UNKNOWN);
}

/* From the last call of the op log to the end, or from the begin where there is none. */
static void
note_rest(hd_decoder *decoder)
{
    hd_time from = decoder->out->log.n_calls > 0 ? decoder->last_leave : decoder->out->intervals.begin;
    hd_span mpi  = decoder->in_mpi.before - decoder->in_mpi.at_last_leave;

    decoder->out->log.rest_outside = hd_span_between(from, decoder->now) - mpi;
}

void
hd_decoder_finish(hd_decoder *decoder)
{
    if (decoder->has_flush) {
        hd_decoder_pass_borders(decoder, hd_time_max(decoder->flush.stop, decoder->now));
        hd_decoder_flush_due(decoder, hd_time_max(decoder->flush.stop + 1, decoder->now), false);
    }
    hd_decoder_note_end(decoder);
    hd_decoder_close_all(decoder);
    hd_decoder_tasks_finish(decoder);
    look_for_teams(decoder);
    hd_decoder_boundaries_finish(decoder);
    hd_decoder_counters_finish(decoder);
    note_rest(decoder);
    hd_decoder_state_end(decoder);
    if (decoder->out->n_open_calls > 1)
        qsort(decoder->out->open_calls, decoder->out->n_open_calls, sizeof(hd_open_call), compare_open_calls);
    hd_team_starts_complete(&decoder->join->team_starts);
    decoder->out->log.channels = hd_channel_table_take(&decoder->channels, &decoder->out->log.n_channels);
    trim(decoder->out);
    pack_send_calls(decoder);
    hd_bytes_pack(&decoder->more.counting.bytes);
    hd_bytes_pack(&decoder->more.threads.bytes);
    hd_loaded_location_take_more(decoder->out, &decoder->more);
    pack_nodes(decoder);
    free(decoder->team_places);
    free(decoder->forks);
    free(decoder->open_marks);
    free(decoder->task_suspensions);
    free(decoder->suspensions);
    free(decoder->stack.records.pending.data);
    free(decoder->stack.records.completed);
    hd_context_stack_free(decoder->stack.contexts);
    free(decoder->way);
    free(decoder->open_counts);
    give_room_back(decoder);
    hd_channel_table_fini(&decoder->channels);
    hd_near_map_settle(&decoder->requests, &decoder->join->requests);
    hd_map_fini(&decoder->posts);
    free(decoder->next_posts);
    hd_map_fini(&decoder->team_instances);
    hd_map_fini(&decoder->rma.members);
    free(decoder->rma.epochs);
    hd_map_fini(&decoder->rma.locks);
    hd_near_map_fini(&decoder->rma.open);
    hd_table_fini(&decoder->files.uses);
    hd_map_fini(&decoder->files.open);
    free(decoder->files.ops);
    free(decoder->counters.last);
    free(decoder->counters.is_known);
    hd_table_fini(&decoder->levels_of);
    free(decoder->rma.channels);
}

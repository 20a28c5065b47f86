#include "rma_call.h"

#include "comm_group.h"

static uint32_t
window_of(const hd_decoder *decoder, uint32_t ref)
{
    return hd_ref_maps_window(decoder->refs, decoder->defs, ref);
}

/* A finding, of a record that is not in a call. */
static __attribute__((noinline)) hd_frame *
outside_call(hd_decoder *decoder, uint32_t window_ref)
{
    uint32_t window = window_of(decoder, window_ref);

    if (window != HD_NONE && hd_defs_comms(decoder->defs)[window].group_a != HD_NONE)
        hd_decoder_finding(decoder, HD_FINDING_OUTSIDE_CALL, HD_NONE, window, HD_NONE);
    return NULL;
}

static __attribute__((noinline)) uint32_t
other_home(hd_decoder *decoder, uint32_t window_ref)
{
    hd_rma_calls *rma = &decoder->rma;

    rma->home     = hd_decoder_channel(decoder, HD_CHANNEL_COLL, window_of(decoder, window_ref), 0, 0);
    rma->home_ref = window_ref;
    rma->has_home = rma->home != HD_NONE; /* each record of an unknown window is a finding */
    return rma->home;
}

/* The call of a record of MPI; NULL: of another interface, whose records are left out but for the collectives of SHMEM,
 * or (a finding) not inside of a call. */
static inline hd_frame *
mpi_call_of(hd_decoder *decoder, uint32_t window_ref)
{
    hd_frame *frame = decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;

    if (decoder->compat)
        return NULL;
    if (HD_LIKELY(frame != NULL && frame->region_class == HD_CLASS_MPI))
        return decoder->regions[frame->region].paradigm != HD_PARADIGM_SHMEM ? frame : NULL;
    return outside_call(decoder, window_ref);
}

/* The channel of what happens at a window itself. */
static inline uint32_t
home_of(hd_decoder *decoder, uint32_t window_ref)
{
    return HD_LIKELY(decoder->rma.has_home && decoder->rma.home_ref == window_ref) ? decoder->rma.home :
           other_home(decoder, window_ref);
}

/* False (a finding): the window has no such process. */
static inline bool
has_target(hd_decoder *decoder, uint32_t home, uint32_t target)
{
    const hd_comm *window = &hd_defs_comms(decoder->defs)[decoder->channels.list[home].comm];

    if (HD_LIKELY(target < hd_defs_groups(decoder->defs)[window->group_a].n))
        return true;
    hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, decoder->channels.list[home].comm, HD_NONE);
    return false;
}

/* fields: of the operation, but the channel. */
static inline __attribute__((always_inline)) void
put(hd_decoder *decoder, hd_frame *frame, hd_rma what, uint32_t channel, hd_op fields)
{
    fields.kind      = HD_OP_RMA;
    fields.operation = what;
    fields.channel   = channel;
    fields.time      = decoder->now;
    hd_decoder_put_op(decoder, frame, &fields);
}

static uint32_t
operation_of(const hd_frame *frame)
{
    static const uint32_t operations[] = {
        [HD_CALL_WIN_CREATE] = HD_OPERATION_WIN_CREATE,       [HD_CALL_WIN_FREE] = HD_OPERATION_WIN_FREE,
        [HD_CALL_WIN_FENCE] = HD_OPERATION_WIN_FENCE,         [HD_CALL_SHMEM_BARRIER] = HD_OPERATION_SHMEM_BARRIER,
        [HD_CALL_SHMEM_BROADCAST] = HD_OPERATION_SHMEM_BROADCAST,
        [HD_CALL_SHMEM_EXCHANGE] = HD_OPERATION_SHMEM_EXCHANGE,
    };

    return frame->call < sizeof operations / sizeof *operations && operations[frame->call] != 0 ?
           operations[frame->call] :
               HD_OPERATION_OTHER;
}

void
hd_decoder_rma_collective(hd_decoder *decoder, const hd_collective_record *record)
{
    hd_frame *frame   = decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;
    hd_time   begin   = decoder->has_coll_begin ? decoder->coll_begin : 0;
    uint32_t  channel;

    decoder->has_coll_begin = false;
    if (decoder->compat || frame == NULL || frame->region_class != HD_CLASS_MPI)
        return;
    channel = home_of(decoder, record->comm_ref);
    if (channel == HD_NONE)
        return;
    begin = mpi_call_of(decoder, record->comm_ref) != NULL ? hd_time_max(begin, frame->enter) : frame->enter;
    hd_decoder_put_collective(decoder, frame, channel, operation_of(frame), begin, record);
}

/* The channels of the notifications of a group's processes; looked for once. HD_NONE where one is not at the window. */
static const uint32_t *
channels_of(hd_decoder *decoder, uint32_t home, uint32_t group, uint32_t tag, hd_channel_kind kind)
{
    uint32_t             window = decoder->channels.list[home].comm;
    const hd_defs       *defs = decoder->defs;
    const hd_comm_group *g = &hd_defs_groups(defs)[group],
                             *all = &hd_defs_groups(defs)[hd_defs_comms(defs)[window].group_a];
    hd_rma_calls        *rma = &decoder->rma;
    bool                 is_new;
    uint64_t            *place = hd_map_add(&rma->members,
                                            (uint64_t)window << 34 | (uint64_t)group << 2 | tag << 1 |
                                            (kind == HD_CHANNEL_RECV), &is_new);

    if (is_new) {
        *place = rma->n_channels;
        for (uint32_t i = 0; i < g->n; i++) {
            uint32_t process = g->self ? decoder->process : hd_comm_group_member(defs, g, i);
            uint32_t rank    = all->self ? 0 : process != HD_NONE ? hd_comm_group_rank(defs, all, process) : HD_NONE;
            uint32_t channel = rank != HD_NONE ? hd_decoder_channel(decoder, kind, window, rank, tag) : HD_NONE;

            if (channel != HD_NONE)
                decoder->channels.list[channel].home = home;
            HD_PUSH(rma->channels, rma->n_channels, rma->capacity_channels, channel);
        }
    }
    return &rma->channels[*place];
}

static void
put_notifications(hd_decoder *decoder, hd_frame *frame, hd_rma what, const uint32_t *channels, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (channels[i] != HD_NONE) {
            decoder->channels.list[channels[i]].n++;
            put(decoder, frame, what, channels[i], (hd_op){ .number = 0 });
        }
}

/* For a call that is open at the end of the recording. */
static void
note_ended(hd_decoder *decoder, const hd_frame *frame, uint32_t home, uint32_t group)
{
    decoder->rma.ended_home  = home;
    decoder->rma.ended_group = group;
    decoder->rma.ended_in    = frame->enter;
}

/* Notifications of an access epoch at its end, or of one that has none. */
static void
end_access(hd_decoder *decoder, hd_frame *frame, uint32_t home, uint32_t group, bool is_ended)
{
    uint32_t n = hd_defs_groups(decoder->defs)[group].n;

    put_notifications(decoder, frame, is_ended ? HD_RMA_NOTIFY : HD_RMA_NO_NOTIFY,
                      channels_of(decoder, home, group, HD_TAG_COMPLETE, HD_CHANNEL_SEND), n);
    put_notifications(decoder, frame, is_ended ? HD_RMA_RECEIVE : HD_RMA_NO_RECEIVE,
                      channels_of(decoder, home, group, HD_TAG_POST, HD_CHANNEL_RECV), n);
    note_ended(decoder, frame, home, group);
}

static void
end_exposure(hd_decoder *decoder, hd_frame *frame, uint32_t home, uint32_t group, bool is_ended)
{
    put_notifications(decoder, frame, is_ended ? HD_RMA_RECEIVE : HD_RMA_NO_RECEIVE,
                      channels_of(decoder, home, group, HD_TAG_COMPLETE, HD_CHANNEL_RECV),
                      hd_defs_groups(decoder->defs)[group].n);
    note_ended(decoder, frame, home, group);
}

static hd_open_epochs *
open_at(hd_decoder *decoder, uint32_t home)
{
    hd_rma_calls *rma = &decoder->rma;

    while (HD_UNLIKELY(home >= rma->n_epochs))
        HD_PUSH(rma->epochs, rma->n_epochs, rma->capacity_epochs, ((hd_open_epochs){ HD_NONE, HD_NONE }));
    return &rma->epochs[home];
}

/* The group that an epoch began with is the one that it ends with. What ends an epoch that was not begun has no
 * notifications. */
static void
put_sync(hd_decoder *decoder, hd_frame *frame, uint32_t home, uint32_t group)
{
    hd_open_epochs *open     = open_at(decoder, home);
    hd_op           of_group = { .number = hd_defs_groups(decoder->defs)[group].n };

    switch (frame->call) {
    case HD_CALL_WIN_POST:
        if (open->exposure != HD_NONE)
            end_exposure(decoder, frame, home, open->exposure, false);
        open->exposure = group;
        put_notifications(decoder, frame, HD_RMA_NOTIFY,
                          channels_of(decoder, home, group, HD_TAG_POST, HD_CHANNEL_SEND), of_group.number);
        put(decoder, frame, HD_RMA_POST, home, of_group);
        break;
    case HD_CALL_WIN_START:
        if (open->access != HD_NONE)
            end_access(decoder, frame, home, open->access, false);
        open->access = group;
        put(decoder, frame, HD_RMA_START, home, of_group);
        break;
    case HD_CALL_WIN_COMPLETE:
        if (open->access != HD_NONE)
            end_access(decoder, frame, home, open->access, true);
        open->access = HD_NONE;
        put(decoder, frame, HD_RMA_COMPLETE, home, of_group);
        break;
    default:
        if (open->exposure != HD_NONE)
            end_exposure(decoder, frame, home, open->exposure, true);
        open->exposure = HD_NONE;
        put(decoder, frame, frame->call == HD_CALL_WIN_WAIT ? HD_RMA_WAIT : HD_RMA_TEST, home, of_group);
        break;
    }
}

void
hd_decoder_rma_group(hd_decoder *decoder, uint32_t window_ref, uint32_t group_ref, bool is_done)
{
    hd_frame *frame = mpi_call_of(decoder, window_ref);
    uint32_t  group = hd_refs_index(&decoder->refs->groups, group_ref), home;

    if (frame == NULL || frame->call < HD_CALL_WIN_POST || frame->call > HD_CALL_WIN_TEST ||
        (frame->call == HD_CALL_WIN_TEST && !is_done))
        return;
    home = home_of(decoder, window_ref);
    if (home == HD_NONE)
        return;
    if (group == HD_NONE)
        hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, window_of(decoder, window_ref), HD_NONE);
    else
        put_sync(decoder, frame, home, group);
}

void
hd_decoder_rma_access(hd_decoder *decoder, const hd_access_record *record)
{
    hd_frame *frame = mpi_call_of(decoder, record->window_ref);
    uint32_t  home  = frame != NULL ? home_of(decoder, record->window_ref) : HD_NONE;
    uint64_t *counts;

    if (home == HD_NONE || !has_target(decoder, home, record->target))
        return;
    counts = hd_decoder_counts_of(decoder, frame);
    counts[HD_COUNT_PUT_BYTES] += record->put;
    counts[HD_COUNT_GOT_BYTES] += record->got;
    hd_decoder_count(decoder, HD_COUNTED_ACCESS, frame->node, frame->enter, record->put, record->got);
    put(decoder, frame, HD_RMA_ACCESS, home, (hd_op){ .root = record->target });
    if (decoder->rma.locks.n > 0 && record->matching != HD_MAP_FREE)
        hd_near_map_put(&decoder->rma.open, record->matching, (uint64_t)home << 32 | record->target);
}

/* Which calls complete operations at which targets matters in lock epochs only. An operation is complete at the target
 * with the last of its records, but for some that have none of that kind. */
void
hd_decoder_rma_complete(hd_decoder *decoder, uint32_t window_ref, uint64_t matching, bool is_remote)
{
    hd_rma_calls *rma   = &decoder->rma;
    hd_frame     *frame = hd_near_map_is_empty(&rma->open) ? NULL : mpi_call_of(decoder, window_ref);
    uint64_t      found;
    uint32_t      home, target;

    if (frame == NULL || !hd_near_map_take(&rma->open, matching, &found))
        return;
    home   = (uint32_t)(found >> 32);
    target = (uint32_t)found;
    if (!is_remote && frame->call != HD_CALL_WIN_UNLOCK && frame->call != HD_CALL_WIN_FLUSH)
        hd_near_map_put(&rma->open, matching, found);
    if (frame->call != HD_CALL_WIN_UNLOCK && frame->call != HD_CALL_WIN_FLUSH && frame->call != HD_CALL_WIN_FLUSH_LOCAL)
        return;
    if (frame->n_records > 0 && rma->last_enter == frame->enter && rma->last_channel == home &&
        rma->last_target == target)
        return;
    rma->last_enter   = frame->enter;
    rma->last_channel = home;
    rma->last_target  = target;
    put(decoder, frame, HD_RMA_COMPLETION, home, (hd_op){ .root = target });
}

void
hd_decoder_rma_lock(hd_decoder *decoder, uint32_t window_ref, uint32_t target, bool is_exclusive)
{
    hd_frame *frame = mpi_call_of(decoder, window_ref);
    uint32_t  home  = frame != NULL ? home_of(decoder, window_ref) : HD_NONE;
    bool      is_new;

    if (home == HD_NONE || (target != HD_NONE && !has_target(decoder, home, target)))
        return;
    hd_map_add(&decoder->rma.locks, (uint64_t)home << 32 | target, &is_new);
    decoder->channels.list[home].exclusive |= is_exclusive && target != HD_NONE;
    put(decoder, frame, HD_RMA_LOCK, home, (hd_op){ .root = target, .number = is_exclusive });
}

void
hd_decoder_rma_unlock(hd_decoder *decoder, uint32_t window_ref, uint32_t target)
{
    hd_frame *frame = mpi_call_of(decoder, window_ref);
    uint32_t  home  = frame != NULL ? home_of(decoder, window_ref) : HD_NONE;

    if (home == HD_NONE || (target != HD_NONE && !has_target(decoder, home, target)))
        return;
    hd_map_remove(&decoder->rma.locks, (uint64_t)home << 32 | target);
    if (decoder->rma.locks.n == 0 && !hd_near_map_is_empty(&decoder->rma.open))
        hd_near_map_fini(&decoder->rma.open);
    put(decoder, frame, HD_RMA_UNLOCK, home, (hd_op){ .root = target });
}

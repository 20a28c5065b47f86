/* replay/forward/ideal_clock.c: ideal clocks of locations, and what they wait for in collective operations. */
#include "ideal_clock.h"

typedef struct ideal_nbc { /* a non-blocking operation on one worker */
    hd_reduction_instance head;
    hd_ideal_value        value;
    bool                  is_decided;
    uint32_t              n_waiting, n_completed; /* members of this worker */
    hd_vproc             *waiting[];              /* [head.comm->tree.n_members] */
} ideal_nbc;

_Static_assert(sizeof(hd_ideal_value) % 8 == 0, "items are whole words");

/* ---- who waits for whom ------------------------------------------------------------------------------------------ */

/* Whether a member may wait for others. Of operations of SHMEM and on files it is not known whether data of a slower
 * member is needed, so there it does not. */
static bool
waits(hd_coll_class c, hd_coll_role role)
{
    switch (c) {
    case HD_COLL_BARRIER:
    case HD_COLL_CREATE:
    case HD_COLL_FREE:
    case HD_COLL_FENCE:
        return true;
    case HD_COLL_NXN:
    case HD_COLL_EXCHANGE:
    case HD_COLL_SCAN:
        return role.receives;
    case HD_COLL_1TON:
        return role.receives && !role.is_root;
    case HD_COLL_NTO1:
        return role.receives && role.is_root;
    default:
        return false;
    }
}

/* Until when a member waits that may; of prefix reductions: see below. 0: it does not. */
static hd_time
wait_until(const hd_ideal_value *value, hd_coll_class c, uint32_t side, bool is_inter)
{
    uint32_t other = is_inter ? 1 - side : 0;

    switch (c) {
    case HD_COLL_NXN:
    case HD_COLL_NTO1:
        return value->latest_sender[other];
    case HD_COLL_EXCHANGE: /* who sends to whom is known where all do */
        return value->n_not_exchanging > 0 ? 0 : value->latest_sender[other];
    case HD_COLL_1TON:
        return value->root;
    case HD_COLL_SCAN:
        return 0;
    default:
        return value->latest[other];
    }
}

/* ---- blocking operations -----------------------------------------------------------------------------------------
 * */

void
hd_ideal_may_wait(const hd_replay *replay, hd_vproc *vproc, hd_coll_class c, hd_coll_role role)
{
    vproc->ideal.waits = replay->has_ideal && waits(c, role);
}

bool
hd_ideal_wait(hd_replay_worker *rh, hd_vproc *vproc)
{
    if (!vproc->ideal.waits)
        return true;
    if (!rh->replay->has_ideal) {
        vproc->ideal.waits = false;
        return true;
    }
    vproc->ideal.is_blocked = true;
    return false;
}

static void
go_on(hd_worker *worker, hd_vproc *vproc, hd_time until)
{
    hd_ideal_receive(vproc, until);
    vproc->ideal.waits = false;
    if (!vproc->ideal.is_blocked)
        return;
    vproc->ideal.is_blocked = false;
    vproc->ideal.is_resumed = true;
    hd_worker_wake(worker, vproc->number);
}

/* Prefix reductions: the latest sender of the ranks up to the member's. */
static hd_time
latest_below(const hd_coll_instance *instance, uint32_t rank)
{
    uint32_t low = 0, high = instance->n_ideal_steps;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (instance->ideal_steps[middle].rank <= rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? instance->ideal_steps[low - 1].begin : 0;
}

void
hd_ideal_decided(hd_worker *worker, hd_coll_instance *instance, bool mixed)
{
    hd_coll_class c        = hd_coll_instance_class(instance);
    bool          is_inter = instance->head.comm->is_inter;
    hd_time       until[2] = { 0 };

    for (uint32_t side = 0; side < 2 && !mixed; side++)
        until[side] = wait_until(&instance->value.ideal, c, side, is_inter);
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const hd_member *member = &instance->members[i];

        if (!member->vproc->ideal.waits || member->vproc->order != member->order || member->is_absent ||
            member->nbc_call != NULL)
            continue;
        go_on(worker, member->vproc,
              c == HD_COLL_SCAN && !mixed ? latest_below(instance, member->rank) : until[member->side]);
    }
}

/* ---- non-blocking operations -------------------------------------------------------------------------------------
 * */

static void
begin(hd_reduction_instance *head)
{
    ideal_nbc *nbc = (ideal_nbc *)head;

    nbc->value       = (hd_ideal_value){ .root = 0 };
    nbc->is_decided  = false;
    nbc->n_waiting   = 0;
    nbc->n_completed = 0;
}

static void
free_nothing(hd_reduction_instance *head)
{
    (void)head;
}

static hd_reduction_payload
payload(const hd_reduction_instance *head, uint32_t round)
{
    (void)round;
    return (hd_reduction_payload){ .value = &((const ideal_nbc *)head)->value };
}

static void
combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    (void)round;
    hd_ideal_value_merge(&((ideal_nbc *)head)->value, from->value);
}

static void
replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    (void)round;
    memcpy(&((ideal_nbc *)head)->value, from->value, sizeof(hd_ideal_value));
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    (void)context, (void)head, (void)round;
    return HD_COLL_DECIDED;
}

static hd_coll_class
class_of_nbc(const hd_nbc *nbc)
{
    return hd_coll_class_of(nbc->shape & HD_NBC_OPERATION);
}

static hd_coll_role
role_of_nbc(const hd_vproc *vproc, const hd_nbc *nbc)
{
    const hd_channel *channel = &vproc->location->log.channels[nbc->channel];

    return (hd_coll_role){ .side = channel->peer & 1, .sends = (nbc->shape & HD_NBC_SENDS) != 0,
                           .receives = (nbc->shape & HD_NBC_RECEIVES) != 0,
                           .is_root = (nbc->shape & HD_NBC_IS_ROOT) != 0 };
}

static hd_time
until_of_nbc(const ideal_nbc *instance, const hd_vproc *vproc)
{
    const hd_nbc *nbc  = &vproc->location->log.rare->nbcs[vproc->op.number];
    hd_coll_role  role = role_of_nbc(vproc, nbc);

    return waits(class_of_nbc(nbc), role) ?
           wait_until(&instance->value, class_of_nbc(nbc), role.side, instance->head.comm->is_inter) : 0;
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    const hd_replay_worker *rh  = context;
    ideal_nbc              *nbc = (ideal_nbc *)head;

    (void)round;
    nbc->is_decided = true;
    for (uint32_t i = 0; i < nbc->n_waiting && rh->replay->has_ideal; i++)
        go_on(worker, nbc->waiting[i], until_of_nbc(nbc, nbc->waiting[i]));
    if (nbc->n_completed == head->comm->tree.n_members)
        hd_reduction_end(&rh->coll->ideal, head);
}

static const hd_reduction_kind reduction_kind = {
    .item_up        = HD_ITEM_IDEAL_UP,
    .item_down      = HD_ITEM_IDEAL_DOWN,
    .instance_bytes = sizeof(ideal_nbc),
    .member_bytes   = sizeof(hd_vproc *),
    .value_bytes    = sizeof(hd_ideal_value),
    .step_bytes     = 8,
    .begin          = begin,
    .free           = free_nothing,
    .payload        = payload,
    .combine        = combine,
    .replace        = replace,
    .finish         = finish,
    .settle         = settle,
};

/* NULL: nobody waits in it. */
static ideal_nbc *
instance_of(hd_replay_worker *rh, const hd_vproc *vproc, const hd_nbc *nbc)
{
    const hd_defs    *defs    = rh->replay->defs;
    const hd_channel *channel = &vproc->location->log.channels[nbc->channel];
    const hd_comm    *comm    = &hd_defs_comms(defs)[channel->comm];

    if (hd_defs_groups(defs)[comm->group_a].self || class_of_nbc(nbc) == HD_COLL_NONE)
        return NULL;
    return (ideal_nbc *)hd_reduction_instance_of(&rh->coll->ideal,
                                                 hd_reduction_comm_of(&rh->coll->ideal, channel->comm, true),
                                                 nbc->number);
}

static void
contribute(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, const hd_nbc *nbc)
{
    ideal_nbc *instance = instance_of(rh, vproc, nbc);

    if (instance == NULL)
        return;
    hd_ideal_value_add(&instance->value, vproc->ideal.enter, class_of_nbc(nbc), role_of_nbc(vproc, nbc));
    hd_reduction_contribute(&rh->coll->ideal, worker, &instance->head, 0);
}

void
hd_ideal_start_nbc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_oplog *log = &vproc->location->log;
    const hd_nbc   *nbc;

    while (vproc->ideal.i_nbc < log->rare->n_nbcs && (log->rare->nbcs[vproc->ideal.i_nbc].shape & HD_NBC_POSTED) == 0)
        vproc->ideal.i_nbc++;
    if (vproc->ideal.i_nbc == log->rare->n_nbcs)
        return;
    nbc = &log->rare->nbcs[vproc->ideal.i_nbc++];
    if (rh->replay->has_ideal && nbc->channel < HD_NONE - 1)
        contribute(rh, worker, vproc, nbc);
}

bool
hd_ideal_complete_nbc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_nbc *nbc = &vproc->location->log.rare->nbcs[vproc->op.number];
    ideal_nbc    *instance;

    if (!rh->replay->has_ideal)
        return true;
    if ((nbc->shape & HD_NBC_POSTED) == 0) /* another thread started it: it counts where it is completed */
        contribute(rh, worker, vproc, nbc);
    instance = instance_of(rh, vproc, nbc);
    if (instance == NULL)
        return true;
    instance->n_completed++;
    if (instance->is_decided) {
        hd_ideal_receive(vproc, until_of_nbc(instance, vproc));
        if (instance->n_completed == instance->head.comm->tree.n_members)
            hd_reduction_end(&rh->coll->ideal, &instance->head);
        return true;
    }
    if (!waits(class_of_nbc(nbc), role_of_nbc(vproc, nbc)) ||
        instance->n_waiting == instance->head.comm->tree.n_members)
        return true;
    instance->waiting[instance->n_waiting++] = vproc;
    vproc->ideal.waits                       = true;
    return hd_ideal_wait(rh, vproc);
}

void
hd_ideal_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    hd_reduction_deliver(&rh->coll->ideal, worker, kind, data);
}

/* ---- a location --------------------------------------------------------------------------------------------------
 * */

/* Calls that begin before then are in the interval, as is the call before. */
static hd_time
plain_until(const hd_ideal_clock *ideal)
{
    return ideal->last_leave < ideal->from ? 0 : ideal->to;
}

void
hd_ideal_start(hd_vproc *vproc, const hd_windows *interval)
{
    const hd_loaded_location *location = vproc->location;

    vproc->ideal = (hd_ideal_clock){ .others = location->log.others.data, .from = interval->n > 0 ? interval->from : 0,
                                     .to = interval->n > 0 ? interval->to : UINT64_MAX };
    vproc->ideal.others_end  = location->log.others.data + location->log.others.n;
    vproc->ideal.next_others = UINT64_MAX;
    vproc->ideal.plain_until = plain_until(&vproc->ideal);
    if (location->log.n_calls == 0)
        vproc->ideal.now = location->intervals.begin;
    if (vproc->ideal.others < vproc->ideal.others_end)
        vproc->ideal.next_others = hd_bytes_get_number(&vproc->ideal.others);
}

/* From `from` to `to`, without MPI. */
static hd_span
outside_of(const hd_vproc *vproc, hd_time from, hd_time to)
{
    hd_span         outside = hd_span_between(from, to);
    hd_state_cursor cursor;

    hd_state_cursor_init(&cursor, &vproc->location->states);
    while (hd_state_cursor_next(&cursor) && cursor.from < to) {
        hd_time begin = hd_time_max(cursor.from, from), end = hd_time_min(cursor.until, to);

        if (hd_state_cursor_state(&cursor) == HD_STATE_MPI && begin < end)
            outside -= hd_span_between(begin, end);
    }
    return outside;
}

hd_time
hd_ideal_at_end(const hd_vproc *vproc, hd_time end)
{
    const hd_ideal_clock *ideal = &vproc->ideal;

    if (ideal->at_end > 0)
        return ideal->at_end;
    if (ideal->last_leave > end)
        return hd_time_max(ideal->enter, ideal->from);
    if (ideal->last_leave < ideal->from)
        return ideal->from + (hd_time)outside_of(vproc, ideal->from, end);
    return ideal->now + (hd_time)outside_of(vproc, ideal->last_leave, end);
}

/* The interval has not begun when the call before ends: as recorded, and not after its begin where this call holds
 * it. */
static void
follow(hd_vproc *vproc)
{
    hd_ideal_clock *ideal = &vproc->ideal;
    const hd_call  *call  = &vproc->cursor.call;

    ideal->enter = call->enter < ideal->from ? call->enter :
                   ideal->from + (hd_time)outside_of(vproc, ideal->from, call->enter);
    ideal->now   = call->enter < ideal->from ? hd_time_min(call->leave, ideal->from) : ideal->enter;
}

void
hd_ideal_enter_any(hd_vproc *vproc)
{
    hd_ideal_clock *ideal = &vproc->ideal;
    const hd_call  *call  = &vproc->cursor.call;
    bool            is_before = ideal->last_leave < ideal->from;

    if (call->enter >= ideal->to) {
        ideal->at_end = hd_ideal_at_end(vproc, ideal->to);
        ideal->to     = UINT64_MAX;
    }
    ideal->now += call->enter - ideal->last_leave; /* may be negative, of nested calls, until the others are off */
    ideal->last_leave = call->leave;
    if (vproc->n_calls == ideal->next_others) {
        ideal->now -= (hd_time)hd_unzigzag(hd_bytes_get_number(&ideal->others));
        ideal->next_others = ideal->others < ideal->others_end ?
                             vproc->n_calls + hd_bytes_get_number(&ideal->others) : UINT64_MAX;
    }
    ideal->enter = ideal->now;
    if (is_before)
        follow(vproc);
    ideal->plain_until = plain_until(ideal);
}

/* ---- a worker, a rank --------------------------------------------------------------------------------------------
 * */

void
hd_ideal_init(hd_replay_worker *rh, hd_worker *worker)
{
    rh->coll->ideal = (hd_reduction){ .kind = &reduction_kind, .context = rh, .defs = rh->replay->defs,
                                      .placement = rh->replay->request->placement, .scratch = &rh->scratch,
                                      .worker = hd_worker_number(worker) };
    hd_reduction_init(&rh->coll->ideal);
}

void
hd_ideal_fini(hd_replay_worker *rh)
{
    hd_reduction_fini(&rh->coll->ideal);
}

static void
wake(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    (void)rh;
    if (vproc->ideal.is_blocked)
        go_on(worker, vproc, 0);
}

static void
wake_all(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, wake);
}

bool
hd_ideal_give_up(hd_replay *replay, hd_engine *engine)
{
    uint64_t n = 0;

    if (!replay->has_ideal)
        return false;
    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        n += replay->vprocs[i].ideal.is_blocked;
    hd_analysis_comm_reduce(replay->request->analysis_comm, &n, 1, HD_SUM);
    if (n == 0)
        return false;
    replay->has_ideal = false;
    hd_engine_each_worker(engine, wake_all, replay);
    return true;
}

/* replay/forward/rma_messages.c: lock epochs and progress requests on their way, packed as differences of numbers: a
 * lock epoch stays with its target until the end of the forward replay, and there can be millions. */
#include "rma_messages.h"

enum { EPOCH_NUMBERS = 11, REQUEST_NUMBERS = 6 };

static void
put_epoch(hd_rma_left *left, const hd_lock_epoch *epoch)
{
    uint8_t *at = hd_bytes_room(&left->epochs, EPOCH_NUMBERS * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, epoch->window);
    at = hd_bytes_write_difference(at, epoch->release, left->last_release);
    at = hd_bytes_write_difference(at, epoch->release, epoch->enter);
    at = hd_bytes_write_number(at, epoch->origin);
    at = hd_bytes_write_number(at, (uint64_t)epoch->thread << 1 | epoch->is_exclusive);
    at = hd_bytes_write_number(at, epoch->lock_order);
    at = hd_bytes_write_difference(at, epoch->order, epoch->lock_order);
    at = hd_bytes_write_number(at, (uint32_t)(epoch->rank + 1));
    at = hd_bytes_write_number(at, epoch->call_path);
    at = hd_bytes_write_difference(at, epoch->release, epoch->unlock);
    at = hd_bytes_write_difference(at, epoch->leave, epoch->release);
    left->epochs.n     = (size_t)(at - left->epochs.data);
    left->last_release = epoch->release;
    left->n_epochs++;
}

void
hd_lock_epoch_get(const uint8_t **at, hd_time last_release, hd_lock_epoch *epoch)
{
    uint64_t thread;

    epoch->window       = (uint32_t)hd_bytes_get_number(at);
    epoch->release      = hd_bytes_get_difference(at, last_release);
    epoch->enter        = epoch->release - (uint64_t)hd_unzigzag(hd_bytes_get_number(at));
    epoch->origin       = (uint32_t)hd_bytes_get_number(at);
    thread              = hd_bytes_get_number(at);
    epoch->thread       = (uint32_t)(thread >> 1);
    epoch->is_exclusive = thread & 1;
    epoch->lock_order   = (uint32_t)hd_bytes_get_number(at);
    epoch->order        = (uint32_t)hd_bytes_get_difference(at, epoch->lock_order);
    epoch->rank         = (uint32_t)hd_bytes_get_number(at) - 1;
    epoch->call_path    = (uint32_t)hd_bytes_get_number(at);
    epoch->unlock       = epoch->release - (uint64_t)hd_unzigzag(hd_bytes_get_number(at));
    epoch->leave        = hd_bytes_get_difference(at, epoch->release);
}

hd_lock_epoch
hd_lock_epoch_of(const uint8_t *at, hd_time release)
{
    const uint8_t *number = at;
    hd_lock_epoch  epoch  = { 0 };
    uint64_t       difference;

    hd_bytes_get_number(&number);
    difference = (uint64_t)hd_unzigzag(hd_bytes_get_number(&number));
    hd_lock_epoch_get(&at, release - difference, &epoch);
    return epoch;
}

/* A request is mostly of the same origin as the one before, and takes 8 bytes, from the lowest bit on:
 *
 *   call - call before, 5 bits · is_access, 1 · call path, 8 · enter - enter before, 26 · leave - enter, 24
 *
 * Else it is a byte, WHOLE_REQUEST, and numbers. */
enum { CALL_BITS = 5, PATH_AT = CALL_BITS + 1, PATH_BITS = 8, ENTER_AT = PATH_AT + PATH_BITS, ENTER_BITS = 26,
       LENGTH_AT = ENTER_AT + ENTER_BITS, WHOLE_REQUEST = (1 << CALL_BITS) - 1 };

static void
put_whole_request(hd_rma_left *left, const hd_progress_request *request)
{
    const hd_progress_request *last = &left->last_request;
    uint8_t                   *at   = hd_bytes_room(&left->requests,
                                                    1 + REQUEST_NUMBERS * HD_NUMBER_BYTES_MAX + sizeof(uint64_t));

    *at++ = WHOLE_REQUEST;
    at = hd_bytes_write_number(at, request->origin);
    at = hd_bytes_write_number(at, (uint64_t)request->thread << 1 | request->is_access);
    at = hd_bytes_write_difference(at, request->call, last->call);
    at = hd_bytes_write_number(at, request->call_path);
    at = hd_bytes_write_difference(at, request->enter, last->enter);
    at = hd_bytes_write_number(at, request->leave - request->enter);
    left->requests.n = (size_t)(at - left->requests.data);
}

static inline void
put_request(hd_rma_left *left, const hd_progress_request *request)
{
    hd_progress_request *last  = &left->last_request;
    uint64_t             enter = request->enter - last->enter, length = request->leave - request->enter;
    uint32_t             call  = request->call - last->call;

    if (HD_LIKELY(request->origin == last->origin && request->thread == last->thread && call < WHOLE_REQUEST &&
                  (request->call_path >> PATH_BITS | enter >> ENTER_BITS | length >> (64 - LENGTH_AT)) == 0)) {
        hd_bytes_write_fixed(hd_bytes_room(&left->requests, 2 * sizeof(uint64_t)),
                             call | (uint64_t)request->is_access << CALL_BITS |
                             (uint64_t)request->call_path << PATH_AT | enter << ENTER_AT | length << LENGTH_AT);
        left->requests.n += sizeof(uint64_t);
    } else {
        put_whole_request(left, request);
        last->origin = request->origin;
        last->thread = request->thread;
    }
    last->call  = request->call;
    last->enter = request->enter;
    left->n_requests++;
}

static __attribute__((noinline)) void
get_whole_request(const uint8_t **at, hd_progress_request *request)
{
    uint64_t thread;

    ++*at;
    request->origin    = (uint32_t)hd_bytes_get_number(at);
    thread             = hd_bytes_get_number(at);
    request->thread    = (uint32_t)(thread >> 1);
    request->is_access = thread & 1;
    request->call      = (uint32_t)hd_bytes_get_difference(at, request->call);
    request->call_path = (uint32_t)hd_bytes_get_number(at);
    request->enter     = hd_bytes_get_difference(at, request->enter);
    request->leave     = request->enter + hd_bytes_get_number(at);
}

void
hd_progress_request_next(const uint8_t **at, hd_progress_request *request)
{
    uint64_t word = hd_bytes_read_fixed(*at);
    uint32_t call = word & WHOLE_REQUEST;

    if (HD_UNLIKELY(call == WHOLE_REQUEST)) {
        get_whole_request(at, request);
        return;
    }
    *at += sizeof word;
    request->call += call;
    request->is_access = word >> CALL_BITS & 1;
    request->call_path = word >> PATH_AT & ((1U << PATH_BITS) - 1);
    request->enter += word >> ENTER_AT & ((1U << ENTER_BITS) - 1);
    request->leave = request->enter + (word >> LENGTH_AT);
}

static hd_rma_left *
left_at(const hd_replay *replay, hd_rma_left **place)
{
    if (*place == NULL) {
        *place                   = HD_NEW(hd_rma_left);
        (*place)->epochs.scratch = (*place)->requests.scratch = replay->scratch;
    }
    return *place;
}

void
hd_rma_left_drop(hd_rma_left **place)
{
    if (*place == NULL)
        return;
    hd_bytes_fini(&(*place)->epochs);
    hd_bytes_fini(&(*place)->requests);
    free(*place);
    *place = NULL;
}

void
hd_rma_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    hd_scratch *scratch = rh->replay->scratch;

    (void)worker;
    switch (kind) {
    case HD_ITEM_LOCK_EPOCH: {
        const hd_lock_epoch *epoch = data;

        put_epoch(left_at(rh->replay, epoch->target == HD_NONE ? &rh->rma_left :
                          &hd_replay_vproc(rh->replay, epoch->target, 0)->rma->left),
                  epoch);
        break;
    }
    case HD_ITEM_PROGRESS_REQUEST: {
        const hd_progress_request *request = data;

        put_request(left_at(rh->replay, &hd_replay_vproc(rh->replay, request->target, 0)->rma->left), request);
        break;
    }
    case HD_ITEM_LOCK_OWNER: {
        const hd_lock_owner *owner = data;
        hd_vproc            *vproc = hd_replay_vproc(rh->replay, owner->origin, owner->thread);

        HD_SCRATCH_PUSH(scratch, vproc->rma->owners, vproc->rma->n_owners, vproc->rma->capacity_owners, *owner);
        break;
    }
    default: {
        const hd_progress_request *reply = data;
        hd_vproc                  *vproc = hd_replay_vproc(rh->replay, reply->origin, reply->thread);

        HD_SCRATCH_PUSH(scratch, vproc->rma->replies, vproc->rma->n_replies, vproc->rma->capacity_replies, *reply);
        break;
    }
    }
}

void
hd_rma_leave_epoch(hd_replay_worker *rh, hd_worker *worker, const hd_rma_target *target, const hd_lock_epoch *epoch)
{
    if (HD_LIKELY(target->inbox != NULL))
        put_epoch(left_at(rh->replay, target->inbox), epoch);
    else
        hd_worker_send(worker, hd_placement_worker(rh->replay->request->placement, (hd_process){ epoch->target }),
                       HD_ITEM_LOCK_EPOCH, epoch, sizeof *epoch, NULL, 0);
}

void
hd_rma_leave_request(hd_replay_worker *rh, hd_worker *worker, const hd_rma_target *target,
                     const hd_progress_request *request)
{
    if (HD_LIKELY(target->inbox != NULL))
        put_request(left_at(rh->replay, target->inbox), request);
    else
        hd_worker_send(worker, hd_placement_worker(rh->replay->request->placement, (hd_process){ request->target }),
                       HD_ITEM_PROGRESS_REQUEST, request, sizeof *request, NULL, 0);
}

_Static_assert(sizeof(hd_lock_epoch) % 8 == 0 && sizeof(hd_progress_request) % 8 == 0 && sizeof(hd_lock_owner) % 8 == 0,
               "items are whole words");

/* tests/writer/random/legal_windows.c: checks the records of windows. Epochs are opened and closed in turn, operations
 * lie in them and are completed, and a wait ends after the completes that it is for have been entered. Few programs
 * have one error.
 */
#include "legal_archive.h"

#include <string.h>

static bool
is_in_call(const reading *all, const char *name)
{
    return all->depth > 0 && strcmp(all->strings[all->name_of_region[all->regions[all->depth - 1]]], name) == 0;
}

static OTF2_CallbackCode
on_rma_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, uint32_t root,
           uint64_t sent, uint64_t received)
{
    EVENT;
    (void)sync;
    (void)root;
    (void)sent;
    (void)received;
    legal_stream_put(all, (stream){ .kind = WINDOW_COLLECTIVES, .comm = window, .from = (uint32_t)location }, 0,
                     operation);
    all->epochs[window].is_fenced = is_in_call(all, "MPI_Win_fence");
    return OTF2_CALLBACK_SUCCESS;
}

static void
access_open(reading *all, uint32_t window, uint32_t group)
{
    all->epochs[window].is_started = true;
    for (uint32_t i = 0; i < all->n_members[group]; i++)
        all->epochs[window].targets[all->members[group][i]] = true;
}

static OTF2_CallbackCode
on_group_sync(EVENT_START, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    EVENT;
    epochs *e = &all->epochs[window];

    if (is_in_call(all, "MPI_Win_start")) {
        LEGAL(!e->is_started && sync == OTF2_RMA_SYNC_LEVEL_PROCESS);
        access_open(all, window, group);
    } else if (is_in_call(all, "MPI_Win_complete")) {
        LEGAL(e->is_started);
        e->is_started = false;
        legal_group_put(all, location, true, window, group, all->entered[all->depth - 1]);
        memset(e->targets, 0, sizeof e->targets);
    } else if (is_in_call(all, "MPI_Win_post")) {
        LEGAL(!e->is_posted && sync == OTF2_RMA_SYNC_LEVEL_PROCESS);
        e->is_posted = true;
    } else {
        LEGAL(e->is_posted);
        LEGAL(is_in_call(all, "MPI_Win_test") || (is_in_call(all, "MPI_Win_wait") && sync != OTF2_RMA_SYNC_LEVEL_NONE));
        e->is_posted = sync == OTF2_RMA_SYNC_LEVEL_NONE;
        if (!e->is_posted) {
            all->waited_window = window;
            all->waited_group  = group;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_request_lock(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
    EVENT;
    epochs *e    = &all->epochs[window];
    bool   *held = remote == UINT32_MAX ? &e->holds_all : &e->holds[remote];

    LEGAL(remote == UINT32_MAX || remote < all->n_members[all->group_of_comm[all->comm_of_window[window]]]);
    LEGAL(lock == 0);
    LEGAL(type == OTF2_LOCK_SHARED || remote != UINT32_MAX);
    LEGAL(!e->holds_all && !*held);
    *held = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_release_lock(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    EVENT;
    epochs *e    = &all->epochs[window];
    bool   *held = remote == UINT32_MAX ? &e->holds_all : &e->holds[remote];

    LEGAL(lock == 0);
    if (!*held)
        all->n_errors++;
    *held = false;
    return OTF2_CALLBACK_SUCCESS;
}

static void
operation_put(reading *all, uint64_t self, uint32_t window, uint32_t remote, uint64_t matching)
{
    epochs  *e     = &all->epochs[window];
    uint32_t other = legal_world_rank(all, all->comm_of_window[window], self, remote);

    LEGAL((e->is_started && e->targets[other]) || e->holds_all || e->holds[remote] || e->is_fenced);
    LEGAL(matching < 256);
    e->is_open[matching] = true;
}

static OTF2_CallbackCode
on_transfer(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    EVENT;
    LEGAL(bytes > 0);
    operation_put(all, location, window, remote, matching);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_atomic(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,
          uint64_t received, uint64_t matching)
{
    EVENT;
    (void)received;
    LEGAL(sent > 0 && (type == OTF2_RMA_ATOMIC_TYPE_ACCUMULATE || type == OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE));
    operation_put(all, location, window, remote, matching);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_complete(EVENT_START, OTF2_RmaWinRef window, uint64_t matching)
{
    EVENT;
    LEGAL(matching < 256 && all->epochs[window].is_open[matching]);
    all->epochs[window].is_open[matching] = false;
    return OTF2_CALLBACK_SUCCESS;
}

void
legal_windows_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_end);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_release_lock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_complete);
}

void
legal_windows_end(reading *all)
{
    static const epochs none;

    for (uint32_t i = 0; i < MAX_WINDOWS; i++) {
        epochs e = all->epochs[i];

        e.is_fenced = false;
        LEGAL(memcmp(&e, &none, sizeof e) == 0);
    }
}

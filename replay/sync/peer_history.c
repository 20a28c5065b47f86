/* replay/sync/peer_history.c: common points with single processes in an array, those of whole communicators in a list.
 * A collective of a large communicator is one entry, not one per member; entries that later ones cover are dropped now
 * and then, so the list stays short. */
#include "peer_history.h"

#include "comm_members.h"

void
hd_peer_history_fini(hd_peer_history *history)
{
    free(history->groups);
}

static inline hd_pair_sync *
pair_of(const hd_peer_history *history, uint32_t process)
{
    return &history->pairs[process < history->n_pairs ? process : history->n_pairs];
}

/* 0: there is none. */
static inline uint32_t
latest_of_pair(const hd_peer_history *history, const hd_pair_sync *pair)
{
    return pair->location == history->location ? pair->sync : 0;
}

void
hd_peer_history_add(hd_peer_history *history, uint32_t process, uint32_t sync)
{
    *pair_of(history, process) = (hd_pair_sync){ .location = history->location, .sync = sync };
}

static void
drop_covered(hd_peer_history *history)
{
    size_t n = 0;

    for (size_t i = 0; i < history->n; i++)
        if (history->groups[i].sync != 0) {
            history->groups[n] = history->groups[i];
            if (history->groups[n].comm != HD_NONE && history->groups[n].list == HD_NONE)
                history->comms[history->groups[n].comm].place = (uint32_t)n;
            n++;
        }
    history->n         = n;
    history->n_covered = 0;
}

/* Not so if one with all came after it. */
static inline bool
has_group(const hd_peer_history *history, uint32_t place, uint32_t comm)
{
    return place < history->n && history->groups[place].comm == comm && history->groups[place].list == HD_NONE;
}

void
hd_peer_history_add_group(hd_peer_history *history, hd_common_sync common)
{
    hd_comm_sync *latest;

    if (common.comm == HD_NONE) /* with all: it covers everything */
        history->n = history->n_covered = 0;
    else if (common.list == HD_NONE) {
        latest = &history->comms[common.comm];
        if (latest->location == history->location && has_group(history, latest->place, common.comm)) {
            history->groups[latest->place].sync = 0;
            history->n_covered++;
        }
        *latest = (hd_comm_sync){ .location = history->location, .place = (uint32_t)history->n };
    }
    HD_PUSH(history->groups, history->n, history->capacity, common);
    if (history->n_covered > 16 && history->n_covered > history->n / 2)
        drop_covered(history);
}

static bool
list_has(const hd_process_list *list, uint32_t process)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->processes[i] == process)
            return true;
    return false;
}

static inline bool
is_common(const hd_peer_history *history, const hd_common_sync *common, uint32_t process)
{
    return common->list == HD_NONE ? hd_comm_has(history->rh, common->comm, process) :
                                     list_has(history->rh->lists[common->list], process);
}

/* latest: in common with this one alone. n: of the groups, the others are known not to be */
static __attribute__((noinline)) uint32_t
find_latest(const hd_peer_history *history, uint32_t process, uint32_t latest, size_t n)
{
    for (const hd_common_sync *common = history->groups + n; common > history->groups;) {
        common--;
        if (common->sync == 0)
            continue;
        if (common->sync <= latest)
            break;
        if (is_common(history, common, process))
            return common->sync;
    }
    return latest;
}

/* The same: mostly the last group says it. */
static inline uint32_t
latest_of(const hd_peer_history *history, uint32_t process, uint32_t latest)
{
    const hd_common_sync *last;

    if (HD_UNLIKELY(history->n == 0))
        return latest;
    last = &history->groups[history->n - 1];
    if (HD_UNLIKELY(last->sync <= latest || last->list != HD_NONE))
        return find_latest(history, process, latest, history->n);
    if (HD_LIKELY(hd_comm_has(history->rh, last->comm, process)))
        return last->sync;
    return find_latest(history, process, latest, history->n - 1);
}

uint32_t
hd_peer_history_latest(const hd_peer_history *history, uint32_t process)
{
    return latest_of(history, process, latest_of_pair(history, pair_of(history, process)));
}

uint32_t
hd_peer_history_replace(hd_peer_history *history, uint32_t process, uint32_t sync)
{
    hd_pair_sync *pair   = pair_of(history, process);
    uint32_t      latest = latest_of(history, process, latest_of_pair(history, pair));

    *pair = (hd_pair_sync){ .location = history->location, .sync = sync };
    return latest;
}

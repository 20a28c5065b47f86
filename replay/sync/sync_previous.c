/* replay/sync/sync_previous.c: finds previous common points while the points of a location are passed in order. A
 * point with one process is a lookup in the history; the delayer of a collective searches backwards, as members found
 * early end the search. */
#include "sync_previous.h"

#include "comm_members.h"
#include "peer_history.h"
#include "team_syncs.h"

struct hd_sync_marks {
    uint32_t     *of;      /* [n_processes] */
    uint32_t      last;    /* mark of the members of a collective that are not found yet */
    uint32_t     *members; /* [capacity] of the communicator that is looked at */
    size_t        capacity;
    hd_pair_sync *pairs;   /* [n_processes + 1] of hd_peer_history */
    hd_comm_sync *latest;  /* [n_comms] of it */
    hd_map        comms;   /* communicator -> number of the search that passed it last */
    uint64_t      search;  /* number of the last one, from 1 */
    hd_team_syncs teams;
};

void
hd_sync_previous_begin(hd_replay_worker *rh)
{
    rh->marks     = HD_NEW(struct hd_sync_marks);
    rh->marks->of = HD_NEW_ARRAY(uint32_t, rh->replay->defs->n_processes);
    rh->marks->pairs  = HD_NEW_ARRAY(hd_pair_sync, (size_t)rh->replay->defs->n_processes + 1);
    rh->marks->latest = HD_NEW_ARRAY(hd_comm_sync, rh->replay->defs->n_comms);
}

void
hd_sync_previous_end(hd_replay_worker *rh)
{
    free(rh->marks->of);
    free(rh->marks->pairs);
    free(rh->marks->latest);
    free(rh->marks->teams.rows);
    hd_map_fini(&rh->marks->comms);
    free(rh->marks->members);
    free(rh->marks);
    rh->marks = NULL;
}

static int
compare_waiters(const void *left, const void *right)
{
    const hd_sync_waiter *a = left, *b = right;

    if (a->comm != b->comm)
        return a->comm < b->comm ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

void
hd_sync_waiters_sort(hd_syncs *syncs)
{
    if (syncs->rare->n_waiters > 1)
        qsort(syncs->rare->waiters, syncs->rare->n_waiters, sizeof *syncs->rare->waiters, compare_waiters);
}

const hd_sync_waiter *
hd_sync_waiters(const hd_vproc *vproc, const hd_sync *sync, size_t *n)
{
    const hd_syncs *syncs  = (vproc - vproc->thread)->syncs;
    uint32_t        number = hd_sync_group_of(vproc->syncs, sync)->number;
    size_t          low = 0, high = syncs->rare->n_waiters, end;

    while (low < high) {
        size_t                   middle = (low + high) / 2;
        const hd_sync_waiter *waiter = &syncs->rare->waiters[middle];

        if (waiter->comm < sync->peer || (waiter->comm == sync->peer && waiter->number < number))
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < syncs->rare->n_waiters; end++)
        if (syncs->rare->waiters[end].comm != sync->peer || syncs->rare->waiters[end].number != number)
            break;
    *n = end - low;
    return &syncs->rare->waiters[low];
}

/* ---- common synchronization points of a collective's delayer with its members ------------------------------------ */

/* Searches backwards from a collective over the points of its delayer until each member has a common point. */
typedef struct member_search {
    hd_replay_worker *rh;
    hd_vproc         *vproc;
    uint32_t          comm, from; /* from: index of the collective's point */
    uint32_t          n_left;
    uint32_t          n_found;
    uint32_t          mark; /* of members not found yet; 0: they are not marked yet */
} member_search;

/* Until the next call; HD_NONE: one that the archive does not have. */
static const uint32_t *
members_of(hd_replay_worker *rh, uint32_t comm)
{
    struct hd_sync_marks *marks = rh->marks;
    uint32_t              n     = hd_comm_size(rh, comm);

    if (n > marks->capacity) {
        free(marks->members);
        marks->members  = HD_NEW_UNSET(uint32_t, n);
        marks->capacity = n;
    }
    hd_comm_read(rh, comm, marks->members);
    return marks->members;
}

static void
mark_members(member_search *search)
{
    hd_replay_worker *rh      = search->rh;
    uint32_t          n       = hd_comm_size(rh, search->comm);
    const uint32_t   *members = members_of(rh, search->comm);

    if (++rh->marks->last == 0) { /* the old marks would be valid again */
        memset(rh->marks->of, 0, rh->replay->defs->n_processes * sizeof *rh->marks->of);
        rh->marks->last = 1;
    }
    search->mark = rh->marks->last;
    for (uint32_t i = 0; i < n; i++)
        if (members[i] == HD_NONE)
            search->n_left--;
        else
            rh->marks->of[members[i]] = search->mark;
    rh->marks->of[search->vproc->process_id] = 0;
}

static void
add_intermediate(hd_syncs *syncs, hd_sync_intermediate found)
{
    hd_syncs_rare *rare = hd_syncs_rare_of(syncs);

    HD_SCRATCH_PUSH(syncs->scratch, rare->intermediates, rare->n_intermediates, rare->capacity_intermediates, found);
}

/* Those of them that are not found yet. */
static void
found_with_all(member_search *search, const uint32_t *processes, uint32_t n, uint32_t at)
{
    for (uint32_t i = 0; i < n && search->n_left > 0; i++) {
        if (processes[i] == HD_NONE)
            continue;
        if (search->mark == 0)
            mark_members(search);
        if (search->rh->marks->of[processes[i]] != search->mark)
            continue;
        search->rh->marks->of[processes[i]] = 0;
        search->n_left--;
        search->n_found++;
        add_intermediate(search->vproc->syncs, (hd_sync_intermediate){ .sync = search->from, .process = processes[i],
                                                                       .previous = at });
    }
}

static void
found_with(member_search *search, uint32_t process, uint32_t at)
{
    found_with_all(search, &process, 1, at);
}

static void
found_with_comm(member_search *search, uint32_t comm, uint32_t at)
{
    struct hd_sync_marks *marks = search->rh->marks;
    bool                  is_new;
    uint64_t             *passed = hd_map_add(&marks->comms, comm, &is_new);

    if (*passed == marks->search)
        return;
    *passed = marks->search;
    if (search->mark == 0)
        mark_members(search); /* which members_of() is used for, too */
    found_with_all(search, members_of(search->rh, comm), hd_comm_size(search->rh, comm), at);
}

static void
found_with_collective(member_search *search, const hd_sync *sync, uint32_t at)
{
    const hd_sync_group   *group = hd_sync_group_of(search->vproc->syncs, sync);
    const hd_process_list *list  = group->list != HD_NONE ? search->rh->lists[group->list] : NULL;
    const hd_sync_waiter  *waiters;
    size_t                 n;

    if (sync->delay == HD_DELAY_12N && group->delayer == search->vproc->process_id) {
        waiters = hd_sync_waiters(search->vproc, sync, &n);
        for (size_t i = 0; i < n; i++)
            found_with(search, waiters[i].process, at);
    } else if (sync->delay == HD_DELAY_12N || sync->delay == HD_DELAY_N21)
        found_with(search, group->delayer == search->vproc->process_id ? group->root : group->delayer, at);
    else if (list != NULL)
        found_with_all(search, list->processes, list->n, at);
    else if (sync->peer == search->comm)
        search->n_left = 0;
    else
        found_with_comm(search, sync->peer, at);
}

static int
compare_intermediates(const void *left, const void *right)
{
    const hd_sync_intermediate *a = left, *b = right;

    if (a->previous != b->previous)
        return a->previous < b->previous ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* A member whose common point is that with all members is no intermediate one. */
static void
end_search(member_search *search, uint32_t all_found)
{
    hd_syncs             *syncs = search->vproc->syncs;
    hd_syncs_rare        *rare;
    hd_sync_intermediate *found;
    size_t                n = 0;

    syncs->points[search->from].previous = all_found;
    if (search->n_found == 0)
        return;
    rare  = hd_syncs_rare_of(syncs);
    found = rare->intermediates + (rare->n_intermediates - search->n_found);
    for (uint32_t i = 0; i < search->n_found; i++)
        if (found[i].previous != all_found)
            found[n++] = found[i];
    rare->n_intermediates -= search->n_found - n;
    if (n > 1)
        qsort(found, n, sizeof *found, compare_intermediates);
}

static void
search_members(hd_replay_worker *rh, hd_vproc *vproc, uint32_t from)
{
    const hd_sync *points = vproc->syncs->points;
    member_search  search = { .rh = rh, .vproc = vproc, .comm = points[from].peer, .from = from };
    uint32_t       at     = from;

    rh->marks->search++;
    search.n_left = hd_comm_size(rh, search.comm) - 1;
    while (at > 0 && search.n_left > 0) {
        at--;
        switch (points[at].kind) {
        case HD_SYNC_BEGIN:
        case HD_SYNC_INIT:
        case HD_SYNC_FINALIZE:
            search.n_left = 0;
            break;
        case HD_SYNC_RECV:
        case HD_SYNC_SEND:
        case HD_SYNC_SENT:
        case HD_SYNC_REQUEST:
            found_with(&search, points[at].peer, at);
            break;
        case HD_SYNC_COLL:
            found_with_collective(&search, &points[at], at);
            break;
        default:
            break;
        }
    }
    end_search(&search, at);
}

/* The latest common point with each of these processes, of which there are few. */
typedef struct few_search {
    member_search          search;
    const hd_peer_history *history;
    uint32_t               all_found;
} few_search;

static few_search
begin_few(hd_vproc *vproc, const hd_peer_history *history, uint32_t from)
{
    return (few_search){ { .vproc = vproc, .from = from }, history, HD_NONE };
}

static void
find_one(few_search *few, uint32_t process)
{
    hd_sync_intermediate found = { .sync = few->search.from, .process = process,
                                   .previous = hd_peer_history_latest(few->history, process) };

    few->all_found = found.previous < few->all_found ? found.previous : few->all_found;
    add_intermediate(few->search.vproc->syncs, found);
    few->search.n_found++;
}

static void
end_few(few_search *few)
{
    end_search(&few->search, few->all_found == HD_NONE ? 0 : few->all_found);
}

/* Where only some of the members wait for the delayer, only those matter. */
static void
search_waiters(hd_vproc *vproc, const hd_peer_history *history, uint32_t from, const hd_sync_waiter *waiters, size_t n)
{
    few_search few = begin_few(vproc, history, from);

    for (size_t i = 0; i < n; i++)
        find_one(&few, waiters[i].process);
    end_few(&few);
}

enum { FEW_MEMBERS = 8 };

/* Each member of a small communicator by itself, which is less than to mark all of them. */
static void
search_small(hd_replay_worker *rh, hd_vproc *vproc, const hd_peer_history *history, uint32_t from)
{
    uint32_t   comm = vproc->syncs->points[from].peer, n = hd_comm_size(rh, comm), n_there = 0;
    uint32_t   members[FEW_MEMBERS];
    few_search few = begin_few(vproc, history, from);

    if (n <= FEW_MEMBERS)
        hd_comm_read(rh, comm, members);
    for (uint32_t i = 0; i < n && n <= FEW_MEMBERS; i++)
        n_there += members[i] != HD_NONE;
    if (n_there < n || n < 2) {
        search_members(rh, vproc, from);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (members[i] != vproc->process_id)
            find_one(&few, members[i]);
    end_few(&few);
}

static void
find_collective(hd_replay_worker *rh, hd_vproc *vproc, hd_peer_history *history, uint32_t at)
{
    hd_sync              *sync  = &vproc->syncs->points[at];
    const hd_sync_group  *group = hd_sync_group_of(vproc->syncs, sync);
    bool                  is_z  = group->delayer == vproc->process_id;
    bool                     pairs = sync->delay == HD_DELAY_12N || sync->delay == HD_DELAY_N21;
    const hd_sync_waiter *waiters;
    hd_sync_waiter        root;
    size_t                   n = 1;

    if (is_z && sync->delay == HD_DELAY_12N)
        waiters = hd_sync_waiters(vproc, sync, &n);
    else {
        root    = (hd_sync_waiter){ .process = is_z ? group->root : group->delayer };
        waiters = &root;
    }
    if (!is_z)
        sync->previous = hd_peer_history_latest(history, group->delayer);
    else if (pairs && !rh->replay->compat)
        search_waiters(vproc, history, at, waiters, n);
    else
        search_small(rh, vproc, history, at);
    for (size_t i = 0; i < n && pairs; i++)
        hd_peer_history_add(history, waiters[i].process, at);
    if (!pairs)
        hd_peer_history_add_group(history, (hd_common_sync){ .sync = at, .comm = sync->peer, .list = group->list });
}

/* ---- the previous common point with the peers of each point, by kind of point ------------------------------------ */

typedef struct finder {
    hd_replay_worker *rh;
    hd_vproc         *vproc;
    hd_peer_history   history;      /* of the points passed so far */
    uint32_t          last_join;    /* point of the last join of threads */
    uint32_t          last_of_team; /* point of the last parallel region or barrier, the begin for locks */
} finder;

/* With all processes. */
static void
find_with_all(finder *f, hd_sync *sync, uint32_t at)
{
    (void)sync;
    hd_peer_history_add_group(&f->history, (hd_common_sync){ .sync = at, .comm = HD_NONE, .list = HD_NONE });
}

static void
find_pair(finder *f, hd_sync *sync, uint32_t at)
{
    sync->previous = hd_peer_history_replace(&f->history, sync->peer, at);
}

static void
find_of_collective(finder *f, hd_sync *sync, uint32_t at)
{
    (void)sync;
    find_collective(f->rh, f->vproc, &f->history, at);
}

static void
find_awaited(finder *f, hd_sync *sync, uint32_t at)
{
    const hd_sync_waiter *waiters;
    size_t                n;

    if (hd_sync_is_lock(sync->kind, sync->delay)) {
        sync->previous = f->last_of_team;
        return;
    }
    waiters = hd_sync_waiters(f->vproc, sync, &n);
    search_waiters(f->vproc, &f->history, at, waiters, n);
}

static void
find_waited(finder *f, hd_sync *sync, uint32_t at)
{
    (void)at;
    sync->previous = hd_sync_is_lock(sync->kind, sync->delay) ? f->last_of_team :
                         hd_peer_history_latest(&f->history, hd_sync_group_of(f->vproc->syncs, sync)->delayer);
}

static void
find_join(finder *f, hd_sync *sync, uint32_t at)
{
    (void)sync;
    f->last_join = at;
}

static void
find_idle(finder *f, hd_sync *sync, uint32_t at)
{
    (void)at;
    sync->previous = f->last_join;
}

static void
find_of_team(finder *f, hd_sync *sync, uint32_t at)
{
    uint32_t *last = hd_team_syncs_place(&f->rh->marks->teams, f->vproc->number + 1, sync->peer);

    sync->previous = *last;
    *last          = f->last_of_team = at;
}

/* By hd_sync_kind; NULL: such a point has no peer. */
static void (*const finders[HD_SYNC_END + 1])(finder *f, hd_sync *sync, uint32_t at) = {
    [HD_SYNC_BEGIN]    = find_with_all,
    [HD_SYNC_INIT]     = find_with_all,
    [HD_SYNC_FINALIZE] = find_with_all,
    [HD_SYNC_RECV]     = find_pair,
    [HD_SYNC_SEND]     = find_pair,
    [HD_SYNC_SENT]     = find_pair,
    [HD_SYNC_REQUEST]  = find_pair,
    [HD_SYNC_COLL]     = find_of_collective,
    [HD_SYNC_AWAITED]  = find_awaited,
    [HD_SYNC_WAITED]   = find_waited,
    [HD_SYNC_JOIN]     = find_join,
    [HD_SYNC_IDLE]     = find_idle,
    [HD_SYNC_PARALLEL] = find_of_team,
    [HD_SYNC_BARRIER]  = find_of_team,
};

void
hd_sync_find_previous(hd_replay_worker *rh, hd_vproc *vproc)
{
    finder f = { .rh = rh, .vproc = vproc,
                 .history = { .rh = rh, .pairs = rh->marks->pairs, .n_pairs = rh->replay->defs->n_processes,
                              .comms = rh->marks->latest, .location = vproc->number + 1 } };

    for (uint32_t i = 0; i < vproc->syncs->n; i++) {
        hd_sync *sync = &vproc->syncs->points[i];

        if (finders[sync->kind] != NULL)
            finders[sync->kind](&f, sync, i);
    }
    hd_peer_history_fini(&f.history);
}

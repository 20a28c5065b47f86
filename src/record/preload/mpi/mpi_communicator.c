/* src/record/preload/mpi/mpi_communicator.c: a table from handles to communicators, and their definitions. */
#include "mpi_communicator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "text_hash.h"

enum { N_BUCKETS = 1 << 12 };

typedef struct node { /* of a communicator that is in use, or was */
    hd_comm      comm;
    struct node *next; /* in the bucket of its handle */
} node;

typedef struct counter { /* how many communicators were made of one origin */
    uint64_t        key[2];
    uint64_t        n;
    struct counter *next;
} counter;

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node           *buckets[N_BUCKETS];
static counter        *counters[N_BUCKETS];
static MPI_Group       world_group;

static atomic_uint n_comms; /* changed under the lock */
static atomic_bool has_world;
static atomic_bool is_initialized; /* MPI_Init has been called, and MPI_Finalize not */

/* The last communicators that a thread asked for are asked for again, mostly: one for each slot of a handle's hash. */
static atomic_uint generation = 1; /* another one: handles have changed their meaning */
enum { RECENT_BITS = 4 };
static HD_THREAD_LOCAL struct {
    const hd_comm *comm; /* NULL: none */
    unsigned       generation;
} recent[1 << RECENT_BITS];

static uint64_t
mix(uint64_t a, uint64_t b)
{
    a ^= b + 0x9E3779B97F4A7C15U + (a << 6) + (a >> 2);
    a *= 0xff51afd7ed558ccdU;
    return a ^ a >> 33;
}

static void
mix_key(uint64_t key[2], uint64_t value)
{
    key[0] = mix(key[0], value);
    key[1] = mix(key[1] + 0x5851f42d4c957f2dU, ~value);
}

static uint32_t
bucket_of(uint64_t value)
{
    return (uint32_t)(value * 0x9E3779B97F4A7C15U >> 52) % N_BUCKETS;
}

/* One that a callback of MPI made, or a function that has no wrapper. */
static void
tell_unknown(MPI_Comm comm)
{
    static atomic_bool is_told;

    if (has_world && comm != MPI_COMM_NULL && !atomic_exchange(&is_told, true))
        hd_recorder_define(HD_RAW_UNKNOWN_COMM, NULL, 0, NULL, NULL);
}

const hd_comm *
hd_comm_get(MPI_Comm comm)
{
    uint64_t handle = HD_HANDLE(comm);
    unsigned now    = atomic_load_explicit(&generation, memory_order_acquire);
    uint64_t slot   = handle * 0x9E3779B97F4A7C15U >> (64 - RECENT_BITS);
    node    *found;

    if (HD_LIKELY(recent[slot].comm != NULL && recent[slot].generation == now &&
                  recent[slot].comm->handle == handle))
        return recent[slot].comm;
    pthread_mutex_lock(&lock);
    for (found = buckets[bucket_of(handle)]; found != NULL && found->comm.handle != handle; found = found->next)
        ;
    pthread_mutex_unlock(&lock);
    if (found == NULL) {
        tell_unknown(comm);
        return NULL;
    }
    recent[slot].comm       = &found->comm;
    recent[slot].generation = now;
    return &found->comm;
}

/* Under the lock; counts from 1. 0: no memory. */
static uint64_t
count(const uint64_t key[2])
{
    counter **bucket = &counters[bucket_of(key[0])], *found;

    for (found = *bucket; found != NULL && memcmp(found->key, key, sizeof found->key) != 0; found = found->next)
        ;
    if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
        memcpy(found->key, key, sizeof found->key);
        found->next = *bucket;
        *bucket     = found;
    }
    return found != NULL ? ++found->n : 0;
}

static void
take_number(hd_comm_origin *origin)
{
    uint64_t number;

    pthread_mutex_lock(&lock);
    number = count(origin->key);
    pthread_mutex_unlock(&lock);
    mix_key(origin->key, number);
}

hd_comm_origin
hd_comm_origin_of(MPI_Comm parent)
{
    const hd_comm *of     = hd_comm_get(parent);
    hd_comm_origin origin = { .parent = HD_NONE };

    if (of != NULL) {
        origin = (hd_comm_origin){ .key        = { of->key[0], of->key[1] },
                                   .parent     = of->number,
                                   .is_foreign = of->is_foreign };
        take_number(&origin);
    }
    return origin;
}

int
hd_comm_world_ranks(MPI_Group group, int **ranks)
{
    int  n = 0, *own;

    hd_the_mpi.group_size(group, &n);
    *ranks = NULL;
    if (n <= 0)
        return 0;
    own    = calloc((size_t)n, sizeof *own);
    *ranks = calloc((size_t)n, sizeof **ranks);
    if (own == NULL || *ranks == NULL) {
        free(own);
        free(*ranks);
        *ranks = NULL;
        return 0;
    }
    for (int i = 0; i < n; i++)
        own[i] = i;
    hd_the_mpi.group_translate_ranks(group, n, own, world_group, *ranks);
    free(own);
    return n;
}

/* A hash of all members, in their order. */
static uint64_t
hash_of(MPI_Group group)
{
    int     *ranks = NULL, n = hd_comm_world_ranks(group, &ranks);
    uint64_t hash = 17;

    for (int i = 0; i < n && ranks != NULL; i++)
        hash = mix(hash, (uint64_t)(int64_t)ranks[i]);
    free(ranks);
    return hash;
}

static hd_comm_origin
origin_of(const hd_comm *parent, MPI_Comm made, uint64_t tag)
{
    hd_comm_origin origin = { .parent     = parent != NULL ? parent->number : HD_NONE,
                              .is_foreign = parent != NULL && parent->is_foreign };
    MPI_Group      group;
    uint64_t       own, other = 0;
    int            is_inter = 0;

    if (!has_world || made == MPI_COMM_NULL)
        return origin;
    hd_the_mpi.comm_test_inter(made, &is_inter);
    hd_the_mpi.comm_group(made, &group);
    own = hash_of(group);
    hd_the_mpi.group_free(&group);
    if (is_inter) {
        hd_the_mpi.comm_remote_group(made, &group);
        other = hash_of(group);
        hd_the_mpi.group_free(&group);
    }
    mix_key(origin.key, own < other ? own : other); /* both sides of an inter-communicator get the same */
    mix_key(origin.key, own < other ? other : own);
    mix_key(origin.key, tag);
    take_number(&origin);
    return origin;
}

hd_comm_origin
hd_comm_origin_of_some(MPI_Comm parent, MPI_Comm made, int tag)
{
    return origin_of(hd_comm_get(parent), made, (uint64_t)(int64_t)tag);
}

hd_comm_origin
hd_comm_origin_of_groups(MPI_Comm made, const char *name)
{
    return origin_of(NULL, made, hd_text_hash(HD_TEXT_HASH, name != NULL ? name : ""));
}

/* What is asked of MPI about a new communicator. */
typedef struct facts {
    int  is_inter, size, remote_size, rank;
    int  root, remote_root; /* world ranks of the ranks 0 */
    int *members; /* [n_members] world ranks: of the own group, of rank 0 only */
    int  n_members;
    bool is_foreign;
} facts;

/* may_be_foreign: members of the own group are looked at in each process; only communicators that are made of one with
 * members of other worlds, or inter-communicators, have such. */
static facts
ask(MPI_Comm comm, bool may_be_foreign)
{
    facts     known = { .root = MPI_UNDEFINED };
    MPI_Group group;
    int       zero = 0, *ranks = NULL, n;

    hd_the_mpi.comm_test_inter(comm, &known.is_inter);
    hd_the_mpi.comm_size(comm, &known.size);
    hd_the_mpi.comm_rank(comm, &known.rank);
    if (known.is_inter) {
        hd_the_mpi.comm_remote_size(comm, &known.remote_size);
        hd_the_mpi.comm_remote_group(comm, &group);
        n = hd_comm_world_ranks(group, &ranks);
        known.remote_root = ranks != NULL && n > 0 ? ranks[0] : MPI_UNDEFINED;
        for (int i = 0; i < n && ranks != NULL; i++)
            known.is_foreign |= ranks[i] == MPI_UNDEFINED;
        free(ranks);
        ranks = NULL;
        hd_the_mpi.group_free(&group);
    }
    hd_the_mpi.comm_group(comm, &group);
    if (known.rank == 0 || may_be_foreign) {
        n          = hd_comm_world_ranks(group, &ranks);
        known.root = ranks != NULL && n > 0 ? ranks[0] : MPI_UNDEFINED;
        for (int i = 0; i < n && ranks != NULL; i++)
            known.is_foreign |= ranks[i] == MPI_UNDEFINED;
        if (known.rank == 0) {
            known.members   = ranks;
            known.n_members = n;
        } else
            free(ranks);
    } else
        hd_the_mpi.group_translate_ranks(group, 1, &zero, world_group, &known.root);
    known.is_foreign |= known.root == MPI_UNDEFINED;
    hd_the_mpi.group_free(&group);
    return known;
}

static void
define(const hd_comm *comm, const facts *known, uint32_t parent)
{
    enum { N_FIXED = 8 };
    size_t    n     = N_FIXED + (size_t)known->n_members;
    uint64_t *words = calloc(n, sizeof *words);

    if (words == NULL) {
        hd_recorder_stop("there is no memory");
        return;
    }
    words[0] = comm->number;
    words[1] = comm->key[0];
    words[2] = comm->key[1];
    words[3] = (uint64_t)known->size;
    words[4] = (uint64_t)known->rank;
    words[5] = (uint64_t)(int64_t)known->root;
    words[6] = (comm->is_inter ? HD_RAW_COMM_INTER : 0U) | (comm->is_foreign ? HD_RAW_COMM_FOREIGN : 0U) |
               (comm->is_set ? HD_RAW_COMM_SET : 0U);
    words[7] = parent;
    for (int i = 0; i < known->n_members; i++)
        words[N_FIXED + i] = (uint64_t)(int64_t)known->members[i];
    hd_recorder_define(HD_RAW_COMMUNICATOR, words, (uint32_t)n, NULL, NULL);
    free(words);
}

/* The grid of a communicator that has one, and the place of this process in it. */
static void
define_grid(MPI_Comm comm, uint32_t number)
{
    int       topology = MPI_UNDEFINED, n = 0, *grid;
    uint64_t *words;

    if (hd_the_mpi.topo_test(comm, &topology) != MPI_SUCCESS || topology != MPI_CART ||
        hd_the_mpi.cartdim_get(comm, &n) != MPI_SUCCESS || n <= 0 || n > UINT8_MAX)
        return;
    grid = calloc((size_t)n * 3, sizeof *grid);
    words = calloc((size_t)n * 2 + 1, sizeof *words);
    if (grid != NULL && words != NULL && hd_the_mpi.cart_get(comm, n, grid, grid + n, grid + 2 * n) == MPI_SUCCESS) {
        words[0] = number;
        for (int i = 0; i < n; i++) {
            words[1 + i]     = (uint64_t)grid[i] | (uint64_t)(grid[n + i] != 0) << 32;
            words[1 + n + i] = (uint64_t)grid[2 * n + i];
        }
        hd_recorder_define(HD_RAW_GRID, words, (uint32_t)n * 2 + 1, NULL, NULL);
    }
    free(grid);
    free(words);
}

/* number: HD_NONE, the next one. */
static const hd_comm *
add(MPI_Comm made, hd_comm_origin origin, uint32_t number)
{
    node *added;
    facts known;

    if (!has_world || made == MPI_COMM_NULL || (added = calloc(1, sizeof *added)) == NULL)
        return NULL;
    known = ask(made, origin.is_foreign);
    added->comm = (hd_comm){ .handle     = HD_HANDLE(made),
                             .key        = { origin.key[0], origin.key[1] },
                             .size       = known.is_inter ? known.remote_size : known.size,
                             .rank       = known.rank,
                             .is_inter   = known.is_inter != 0,
                             .is_foreign = known.is_foreign };
    if (known.is_inter) { /* both sides get the same */
        mix_key(added->comm.key, (uint64_t)(int64_t)(known.root < known.remote_root ? known.root : known.remote_root));
        mix_key(added->comm.key, (uint64_t)(int64_t)(known.root < known.remote_root ? known.remote_root : known.root));
    } else
        mix_key(added->comm.key, (uint64_t)(int64_t)known.root);
    pthread_mutex_lock(&lock);
    added->comm.number = number != HD_NONE ? number : n_comms++;
    added->next        = buckets[bucket_of(added->comm.handle)];
    buckets[bucket_of(added->comm.handle)] = added; /* before others of the same handle, which were freed */
    if (number == HD_NONE)
        define(&added->comm, &known, origin.parent); /* in the order of the numbers */
    pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
    if (!known.is_inter)
        define_grid(made, added->comm.number);
    free(known.members);
    return &added->comm;
}

const hd_comm *
hd_comm_add(MPI_Comm made, hd_comm_origin origin)
{
    return add(made, origin, HD_NONE);
}

/* It stays in memory, as others may hold it, but is found no more. */
void
hd_comm_remove(uint64_t handle)
{
    pthread_mutex_lock(&lock);
    for (node **at = &buckets[bucket_of(handle)]; *at != NULL; at = &(*at)->next)
        if ((*at)->comm.handle == handle) {
            *at = (*at)->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

static const hd_comm_origin of_world = { .key = { 11, 11 }, .parent = HD_NONE, .is_foreign = false };
static const hd_comm_origin of_self  = { .key = { 12, 12 }, .parent = HD_NONE, .is_foreign = false };

/* MPI_Init after MPI_Session_init: the process sets have got their communicators. */
static void
begin_after_session(void)
{
    add(MPI_COMM_WORLD, of_world, 0);
    add(MPI_COMM_SELF, of_self, 1);
    hd_comm_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    hd_comm_name(MPI_COMM_SELF, "MPI_COMM_SELF");
}

void
hd_comm_begin(void)
{
    int rank = 0, size = 0, level = 0;

    is_initialized = true;
    if (n_comms > 0) {
        if (!has_world)
            hd_the_mpi.comm_group(MPI_COMM_WORLD, &world_group);
        has_world = true;
        begin_after_session();
        return;
    }

    hd_the_mpi.comm_rank(MPI_COMM_WORLD, &rank);
    hd_the_mpi.comm_size(MPI_COMM_WORLD, &size);
    hd_the_mpi.query_thread(&level);
    hd_the_mpi.comm_group(MPI_COMM_WORLD, &world_group);
    has_world = true;
    hd_recorder_define(HD_RAW_WORLD, (const uint64_t[]){ (uint64_t)rank, (uint64_t)size, (uint64_t)level }, 3, NULL,
                       NULL);
    hd_comm_add(MPI_COMM_WORLD, of_world);
    hd_comm_add(MPI_COMM_SELF, of_self);
}

#ifdef HD_HAS_MPI_4

static pthread_mutex_t sessions = PTHREAD_MUTEX_INITIALIZER;
static MPI_Session     own_session; /* under it, as are those that follow */
static bool            has_session;
static uint32_t        n_sessions; /* of the program */

/* A process set in place of MPI_COMM_WORLD (number 0) or MPI_COMM_SELF. */
static void
define_set(uint32_t number, hd_comm_origin origin, int rank, int size)
{
    int  first = number == 0 ? 0 : rank;
    facts known = { .size = number == 0 ? size : 1, .rank = number == 0 ? rank : 0, .root = first };
    hd_comm set = { .key = { origin.key[0], origin.key[1] }, .number = number, .is_set = true };

    if (known.rank == 0 && (known.members = calloc((size_t)known.size, sizeof *known.members)) != NULL) {
        known.n_members = known.size;
        for (int i = 0; i < known.size; i++)
            known.members[i] = first + i;
    }
    define(&set, &known, HD_NONE);
    free(known.members);
}

/* The world of the session, in place of that of MPI_Init, which may end before. */
static void
open_own_session(void)
{
    MPI_Group group;
    int       rank = 0, size = 0;

    if (hd_the_mpi.session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &own_session) != MPI_SUCCESS)
        return;
    if (hd_the_mpi.group_from_session_pset(own_session, "mpi://WORLD", &group) != MPI_SUCCESS) {
        hd_the_mpi.session_finalize(&own_session);
        return;
    }
    if (has_world)
        hd_the_mpi.group_free(&world_group);
    world_group = group;
    has_world = has_session = true;
    if (n_comms > 0)
        return;
    hd_the_mpi.group_rank(group, &rank);
    hd_the_mpi.group_size(group, &size);
    hd_recorder_define(HD_RAW_WORLD, (const uint64_t[]){ (uint64_t)rank, (uint64_t)size, 0 }, 3, NULL, NULL);
    define_set(0, of_world, rank, size);
    define_set(1, of_self, rank, size);
    n_comms = 2;
}

bool
hd_comm_begin_session(void)
{
    bool is_first;

    pthread_mutex_lock(&sessions);
    is_first = n_sessions++ == 0;
    if (!has_session)
        open_own_session();
    pthread_mutex_unlock(&sessions);
    return is_first;
}

bool
hd_comm_end_session(void)
{
    bool is_last;

    pthread_mutex_lock(&sessions);
    n_sessions -= n_sessions > 0;
    is_last = n_sessions == 0 && has_session;
    if (is_last) {
        hd_the_mpi.group_free(&world_group);
        hd_the_mpi.session_finalize(&own_session);
        has_session = false;
        has_world   = is_initialized;
        if (is_initialized)
            hd_the_mpi.comm_group(MPI_COMM_WORLD, &world_group);
    }
    pthread_mutex_unlock(&sessions);
    return is_last && !is_initialized;
}

#else
static const bool has_session;
#endif

void
hd_comm_free_handles(void)
{
    is_initialized = false;
    if (has_session)
        return; /* the world is that of the session */
    if (has_world)
        hd_the_mpi.group_free(&world_group);
    has_world = false;
}

void
hd_comm_name(MPI_Comm comm, const char *name)
{
    const hd_comm *named = hd_comm_get(comm);

    if (named != NULL)
        hd_recorder_define(HD_RAW_NAME, (const uint64_t[]){ named->number }, 1, name, NULL);
}

static uint32_t
count_up(uint32_t *counted)
{
    uint32_t before;

    pthread_mutex_lock(&lock);
    before = (*counted)++;
    pthread_mutex_unlock(&lock);
    return before;
}

uint32_t
hd_comm_count_window(const hd_comm *comm)
{
    return count_up(&((hd_comm *)(uintptr_t)comm)->n_windows);
}

uint32_t
hd_comm_count_file(const hd_comm *comm)
{
    return count_up(&((hd_comm *)(uintptr_t)comm)->n_files);
}

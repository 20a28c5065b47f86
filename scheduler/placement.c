/* scheduler/placement.c: cuts the sequence of processes into runs of nearly equal weight. Runs keep neighbours
 * together, and processes of one node on analysis ranks of one node. The lightest possible maximum is found by
 * bisection over the weight. */
#include "placement.h"

#include "memory.h"
#include "table.h"

struct hd_placement {
    uint32_t  n_processes, n_ranks, n_threads;
    uint32_t *workers;    /* [n_processes] */
    uint32_t *processes;  /* [n_processes] by rank, ascending within a rank */
    uint32_t *rank_begin; /* [n_ranks + 1] into processes */
};

/* Units in a fixed order that are cut into contiguous parts: processes, or whole nodes of the application. */
typedef struct sequence {
    const uint64_t *weights; /* [n] none 0; their sum fits in 64 bits */
    const uint32_t *sizes;   /* [n] processes in each unit; NULL: one */
    size_t          n;
    uint64_t        most; /* processes per part; each unit alone has at most as many */
} sequence;

static uint32_t
size_of(const sequence *units, size_t i)
{
    return units->sizes == NULL ? 1 : units->sizes[i];
}

/* The fewest parts that none is heavier than limit, which no unit is. Taking as much as fits is the best one can do. */
static size_t
parts_needed(const sequence *units, uint64_t limit)
{
    size_t   n_parts = 0;
    uint64_t weight = 0, size = 0;

    for (size_t i = 0; i < units->n; i++) {
        uint32_t more = size_of(units, i);

        if (n_parts == 0 || units->weights[i] > limit - weight || size + more > units->most) {
            n_parts++;
            weight = 0;
            size   = 0;
        }
        weight += units->weights[i];
        size += more;
    }
    return n_parts;
}

static void
weigh(const sequence *units, uint64_t *heaviest, uint64_t *total)
{
    *heaviest = *total = 0;
    for (size_t i = 0; i < units->n; i++) {
        *total += units->weights[i];
        if (units->weights[i] > *heaviest)
            *heaviest = units->weights[i];
    }
}

/* The lightest heaviest part that n_parts parts can have; the caller knows that n_parts do for the number of
 * processes. */
static uint64_t
lightest_limit(const sequence *units, size_t n_parts)
{
    uint64_t low, high, total;

    weigh(units, &low, &total);
    high = total;
    if (total / n_parts < total - low) {
        /* Parts that end above the mean are fewer than n_parts: where the number of processes does not matter, that
         * much is enough, and the search is short. */
        uint64_t enough = total / n_parts + low;

        if (parts_needed(units, enough) <= n_parts)
            high = enough;
    }
    if (total / n_parts > low)
        low = total / n_parts;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (parts_needed(units, middle) <= n_parts)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* For each part the earliest end that leaves no more after it than the later parts can take. */
static void
earliest_ends(const sequence *units, size_t n_parts, uint64_t limit, uint32_t *ends)
{
    size_t begin = units->n;

    for (size_t part = n_parts; part > 0; part--) {
        uint64_t weight = 0, size = 0;

        ends[part - 1] = (uint32_t)begin;
        while (begin > 0 && units->weights[begin - 1] <= limit - weight &&
               size + size_of(units, begin - 1) <= units->most) {
            begin--;
            weight += units->weights[begin];
            size += size_of(units, begin);
        }
    }
    HD_ASSERT(begin == 0);
}

/* Cuts the units into exactly n_parts parts, none empty: ends[part] is the first unit after it. No part is heavier than
 * needed, and each comes as close as it may to its share of what is left, so that those that could be light are even.
 * Needs: 0 < n_parts <= n, and so many parts do for the number of processes. */
static void
cut(const sequence *units, size_t n_parts, uint32_t *ends)
{
    uint64_t limit = lightest_limit(units, n_parts);
    uint64_t heaviest, left;
    size_t   i = 0;

    weigh(units, &heaviest, &left);
    earliest_ends(units, n_parts, limit, ends);
    for (size_t part = 0; part < n_parts; part++) {
        size_t   others = n_parts - part - 1, first = i;
        uint64_t share = left / (others + 1), weight = 0, size = 0;

        while (i < units->n - others) {
            uint64_t more    = units->weights[i];
            bool     allowed = more <= limit - weight && size + size_of(units, i) <= units->most;
            bool     closer  = weight < share && (weight + more <= share || weight + more - share <= share - weight);

            if (i > first && (!allowed || (i >= ends[part] && !closer)))
                break;
            weight += more;
            size += size_of(units, i++);
        }
        HD_ASSERT(i > first && i >= ends[part]);
        ends[part] = (uint32_t)i;
        left -= weight;
    }
}

/* Weights as they are used: none 0, and so small that sums fit for any archive. */
static uint64_t
weight_of(const hd_placement_request *request, uint32_t process)
{
    const uint64_t largest = UINT64_MAX / request->n_processes;
    uint64_t       weight  = request->weights[process];

    return weight == 0 ? 1 : weight > largest ? largest : weight;
}

static uint64_t
max_per_rank(const hd_placement_request *request)
{
    return request->traces_per_rank > 0 ? request->traces_per_rank : UINT32_MAX;
}

/* Processes in an order that is cut into one part per rank. */
typedef struct node_order {
    uint32_t *processes; /* [n_processes] node by node, in the order of the nodes' first processes */
    uint64_t *weights;   /* [n_processes] in that order */
    uint32_t  n_nodes;
    uint32_t *node_begin; /* [n_nodes + 1] */
} node_order;

static void
node_order_fini(node_order *order)
{
    free(order->processes);
    free(order->weights);
    free(order->node_begin);
}

/* Sorts process numbers by key, which is below n_keys, stably: begin[n_keys + 1] into sorted. */
static void
sort_by_key(const uint32_t *keys, uint32_t n, uint32_t n_keys, uint32_t *begin, uint32_t *sorted)
{
    for (uint32_t p = 0; p < n; p++)
        begin[keys[p] + 1]++;
    for (uint32_t key = 0; key < n_keys; key++)
        begin[key + 1] += begin[key];
    for (uint32_t p = 0; p < n; p++)
        sorted[begin[keys[p]]++] = p;
    for (uint32_t key = n_keys; key > 0; key--)
        begin[key] = begin[key - 1];
    begin[0] = 0;
}

static void
node_order_init(const hd_placement_request *request, node_order *order)
{
    uint32_t  n       = request->n_processes;
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, n); /* of each process' node, in the order of first processes */
    bool      by_node = request->policy == HD_PLACE_NODE && request->nodes != NULL;
    hd_table  known;

    *order = (node_order){ .processes = HD_NEW_ARRAY(uint32_t, n), .weights = HD_NEW_ARRAY(uint64_t, n) };
    hd_table_init(&known);
    for (uint32_t p = 0; p < n; p++) {
        uint32_t node = by_node ? request->nodes[p] : 0;

        numbers[p] = hd_table_get(&known, node);
        if (numbers[p] == HD_NONE) {
            numbers[p] = order->n_nodes++;
            hd_table_add(&known, node, numbers[p]);
        }
    }
    hd_table_fini(&known);
    order->node_begin = HD_NEW_ARRAY(uint32_t, (size_t)order->n_nodes + 1);
    sort_by_key(numbers, n, order->n_nodes, order->node_begin, order->processes);
    for (uint32_t i = 0; i < n; i++)
        order->weights[i] = weight_of(request, order->processes[i]);
    free(numbers);
}

static sequence
processes_of_node(const hd_placement_request *request, const node_order *order, uint32_t node)
{
    uint32_t begin = order->node_begin[node], end = order->node_begin[node + 1];

    return (sequence){ .weights = order->weights + begin, .n = end - begin, .most = max_per_rank(request) };
}

/* At least as many nodes as ranks: cuts between nodes only. False: then some rank would have to worker too many. */
static bool
cut_between_nodes(const hd_placement_request *request, const node_order *order, uint32_t n_parts, uint32_t *ends)
{
    uint64_t *weights = HD_NEW_ARRAY(uint64_t, order->n_nodes);
    uint32_t *sizes   = HD_NEW_ARRAY(uint32_t, order->n_nodes);
    sequence  nodes   = { .weights = weights, .sizes = sizes, .n = order->n_nodes, .most = max_per_rank(request) };
    bool      fits    = true;

    for (uint32_t node = 0; node < order->n_nodes; node++) {
        sizes[node] = order->node_begin[node + 1] - order->node_begin[node];
        for (uint32_t i = order->node_begin[node]; i < order->node_begin[node + 1]; i++)
            weights[node] += order->weights[i];
        fits = fits && sizes[node] <= nodes.most;
    }
    fits = fits && parts_needed(&nodes, UINT64_MAX) <= n_parts;
    if (fits) {
        cut(&nodes, n_parts, ends);
        for (uint32_t part = 0; part < n_parts; part++)
            ends[part] = order->node_begin[ends[part]];
    }
    free(sizes);
    free(weights);
    return fits;
}

/* Parts that the nodes need altogether, each node at least one, when no part is heavier than limit (which no process
 * is). */
static uint64_t
parts_of_nodes(const hd_placement_request *request, const node_order *order, uint64_t limit)
{
    uint64_t n_parts = 0;

    for (uint32_t node = 0; node < order->n_nodes; node++) {
        sequence units = processes_of_node(request, order, node);

        n_parts += parts_needed(&units, limit);
    }
    return n_parts;
}

/* Ranks of a node when each is to have at most about `share` of its weight: from needed to one per process. */
static uint32_t
ranks_for_share(uint64_t weight, uint64_t share, uint32_t needed, uint32_t n_processes)
{
    uint64_t n = weight / share + (weight % share != 0);

    return n < needed ? needed : n > n_processes ? n_processes : (uint32_t)n;
}

static uint64_t
ranks_for_all(const node_order *order, const uint64_t *weights, uint64_t share, const uint32_t *needed)
{
    uint64_t n = 0;

    for (uint32_t node = 0; node < order->n_nodes; node++)
        n += ranks_for_share(weights[node], share, needed[node], order->node_begin[node + 1] - order->node_begin[node]);
    return n;
}

/* Hands out n_parts ranks to the nodes, each getting at least what n_ranks says already, so that the ranks of the
 * heaviest nodes have as little as possible on average. */
static void
spread_ranks(const node_order *order, const uint64_t *weights, uint32_t n_parts, uint32_t *n_ranks)
{
    uint64_t low = 1, high = UINT64_MAX, left = n_parts;

    while (low < high) {
        uint64_t share = low + (high - low) / 2;

        if (ranks_for_all(order, weights, share, n_ranks) <= n_parts)
            high = share;
        else
            low = share + 1;
    }
    for (uint32_t node = 0; node < order->n_nodes; node++) {
        uint32_t n_processes = order->node_begin[node + 1] - order->node_begin[node];

        n_ranks[node] = ranks_for_share(weights[node], high, n_ranks[node], n_processes);
        left -= n_ranks[node];
    }
    /* What is left are ties: with a share of one less it would not have been enough. */
    while (left > 0)
        for (uint32_t node = 0; node < order->n_nodes && left > 0; node++) {
            uint32_t n_processes = order->node_begin[node + 1] - order->node_begin[node];

            if (ranks_for_share(weights[node], high - 1, n_ranks[node], n_processes) > n_ranks[node]) {
                n_ranks[node]++;
                left--;
            }
        }
}

/* Fewer nodes than ranks: each rank gets a part of one node. False: then some rank would have to worker too many. */
static bool
cut_within_nodes(const hd_placement_request *request, const node_order *order, uint32_t n_parts, uint32_t *ends)
{
    sequence  all     = { .weights = order->weights, .n = request->n_processes, .most = max_per_rank(request) };
    uint64_t *weights = HD_NEW_ARRAY(uint64_t, order->n_nodes);
    uint32_t *n_ranks = HD_NEW_ARRAY(uint32_t, order->n_nodes); /* of each node */
    uint64_t  low, high, heaviest;
    uint32_t *next = ends;
    bool      fits;

    weigh(&all, &low, &high);
    fits = parts_of_nodes(request, order, high) <= n_parts;
    if (!fits)
        goto out;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (parts_of_nodes(request, order, middle) <= n_parts)
            high = middle;
        else
            low = middle + 1;
    }

    for (uint32_t node = 0; node < order->n_nodes; node++) {
        sequence units = processes_of_node(request, order, node);

        weigh(&units, &heaviest, &weights[node]);
        n_ranks[node] = (uint32_t)parts_needed(&units, high);
    }
    spread_ranks(order, weights, n_parts, n_ranks);
    for (uint32_t node = 0; node < order->n_nodes; node++) {
        sequence units = processes_of_node(request, order, node);

        cut(&units, n_ranks[node], next);
        for (uint32_t i = 0; i < n_ranks[node]; i++)
            *next++ += order->node_begin[node];
    }
out:
    free(n_ranks);
    free(weights);
    return fits;
}

/* Contiguous parts of the processes, node by node where nodes matter; the last ranks get none where there are too
 * many. */
static void
place_blocks(const hd_placement_request *request, uint32_t *ranks)
{
    uint32_t   n_parts = request->n_ranks < request->n_processes ? request->n_ranks : request->n_processes;
    uint32_t  *ends    = HD_NEW_ARRAY(uint32_t, n_parts);
    uint32_t   i       = 0;
    bool       done    = false;
    node_order order;

    node_order_init(request, &order);
    if (request->policy == HD_PLACE_NODE)
        done = order.n_nodes >= n_parts ? cut_between_nodes(request, &order, n_parts, ends)
                                        : cut_within_nodes(request, &order, n_parts, ends);
    if (!done) {
        sequence all = { .weights = order.weights, .n = request->n_processes, .most = max_per_rank(request) };

        cut(&all, n_parts, ends);
    }
    for (uint32_t part = 0; part < n_parts; part++)
        for (; i < ends[part]; i++)
            ranks[order.processes[i]] = part;
    node_order_fini(&order);
    free(ends);
}

/* The threads of one rank share its processes by the same policy. */
static void
place_on_threads(const hd_placement_request *request, hd_placement *placement, uint32_t rank, uint64_t *weights,
                 uint32_t *ends)
{
    const uint32_t *processes = placement->processes + placement->rank_begin[rank];
    uint32_t        n         = placement->rank_begin[rank + 1] - placement->rank_begin[rank];
    uint32_t        n_parts   = n < placement->n_threads ? n : placement->n_threads, part = 0;
    sequence        units     = { .weights = weights, .n = n, .most = UINT32_MAX };

    if (n == 0)
        return;
    if (request->policy != HD_PLACE_CYCLIC) {
        for (uint32_t i = 0; i < n; i++)
            weights[i] = weight_of(request, processes[i]);
        cut(&units, n_parts, ends);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (request->policy == HD_PLACE_CYCLIC)
            part = i % n_parts;
        else if (i >= ends[part])
            part++;
        placement->workers[processes[i]] = rank * placement->n_threads + part;
    }
}

static uint32_t
round_up(uint32_t n, uint32_t divisor)
{
    return n / divisor + (n % divisor != 0);
}

static hd_status
check_request(const hd_placement_request *request)
{
    uint64_t room = (uint64_t)request->n_ranks * request->traces_per_rank;
    uint32_t n    = request->n_processes;

    HD_ASSERT(request->n_ranks > 0);
    HD_ASSERT(request->n_threads > 0);
    HD_ASSERT(request->weights != NULL || n == 0);
    if ((uint64_t)request->n_ranks * request->n_threads > UINT32_MAX)
        return hd_fail(HD_ESIZE, "%" PRIu32 " analysis ranks with %" PRIu32 " threads each are too many to number",
                       request->n_ranks, request->n_threads);
    if (request->traces_per_rank == 0 || room >= n)
        return HD_OK;
    hd_fail(HD_ESIZE,
            "%" PRIu32 " analysis rank%s with at most %" PRIu32 " trace%s%s %" PRIu64 " process%s; the archive has %"
            PRIu32, request->n_ranks, request->n_ranks == 1 ? "" : "s", request->traces_per_rank,
            request->traces_per_rank == 1 ? "" : "s", request->n_ranks == 1 ? " holds" : " each hold", room,
            room == 1 ? "" : "es", n);
    hd_fail_detail("try", "mpirun -n %" PRIu32 " heddle analyze ...   or   --traces-per-rank %" PRIu32,
                   round_up(n, request->traces_per_rank), round_up(n, request->n_ranks));
    return HD_ESIZE;
}

hd_status
hd_placement_new(const hd_placement_request *request, hd_placement **placement_out)
{
    uint32_t      n         = request->n_processes, most = 0;
    hd_placement *placement = NULL;
    uint64_t     *weights;
    uint32_t     *ends;
    hd_status     status = check_request(request);

    if (status != HD_OK)
        return status;
    placement              = hd_alloc_apart(1, sizeof *placement);
    placement->n_processes = n;
    placement->n_ranks     = request->n_ranks;
    placement->n_threads   = request->n_threads;
    placement->workers     = hd_alloc_apart(n, sizeof *placement->workers);
    placement->processes   = HD_NEW_ARRAY(uint32_t, n);
    placement->rank_begin  = HD_NEW_ARRAY(uint32_t, (size_t)request->n_ranks + 1);

    /* First workers[] are ranks, which sort the processes; then each rank's processes are given to its threads. */
    if (request->policy == HD_PLACE_CYCLIC)
        for (uint32_t p = 0; p < n; p++)
            placement->workers[p] = p % request->n_ranks;
    else if (n > 0)
        place_blocks(request, placement->workers);
    sort_by_key(placement->workers, n, request->n_ranks, placement->rank_begin, placement->processes);

    for (uint32_t rank = 0; rank < request->n_ranks; rank++)
        if (placement->rank_begin[rank + 1] - placement->rank_begin[rank] > most)
            most = placement->rank_begin[rank + 1] - placement->rank_begin[rank];
    weights = HD_NEW_ARRAY(uint64_t, most);
    ends    = HD_NEW_ARRAY(uint32_t, most);
    for (uint32_t rank = 0; rank < request->n_ranks; rank++)
        place_on_threads(request, placement, rank, weights, ends);
    free(ends);
    free(weights);
    *placement_out = placement;
    return HD_OK;
}

void
hd_placement_free(hd_placement *placement)
{
    if (placement == NULL)
        return;
    free(placement->workers);
    free(placement->processes);
    free(placement->rank_begin);
    free(placement);
}

uint32_t
hd_placement_worker(const hd_placement *placement, hd_process process)
{
    HD_ASSERT(process.v < placement->n_processes);
    return placement->workers[process.v];
}

uint32_t
hd_placement_n_threads(const hd_placement *placement)
{
    return placement->n_threads;
}

uint32_t
hd_placement_n_workers(const hd_placement *placement)
{
    return placement->n_ranks * placement->n_threads;
}

const uint32_t *
hd_placement_of_rank(const hd_placement *placement, hd_arank rank, uint32_t *n)
{
    HD_ASSERT(rank.v < placement->n_ranks);
    *n = placement->rank_begin[rank.v + 1] - placement->rank_begin[rank.v];
    return placement->processes + placement->rank_begin[rank.v];
}

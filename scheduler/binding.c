/* scheduler/binding.c: binding of replay threads. All decisions are made on the cpuset and a copy of the topology, so
 * tests run them on machines that they describe in text; only hd_binding_apply() changes a thread. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "binding.h"

#include <hwloc.h>
#include <sched.h>
#include <unistd.h>
#ifdef __linux__
#include <hwloc/glibc-sched.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#endif

#include "memory.h"
#include "node_topology.h"

typedef struct bound_thread {
    hwloc_bitmap_t pus; /* NULL: not bound */
    char          *pus_text;
    char          *text;
} bound_thread;

/* The topology is gone when the plan is made: only what the threads need is kept. */
struct hd_binding {
    bound_thread *threads; /* [n_threads] */
    uint32_t      n_threads;
    bool          may_bind;
    bool          oversubscribed;
};

/* What is given to one thread after the other: cores, or hardware threads where there are more ranks than cores. */
typedef struct core_unit {
    hwloc_bitmap_t pus; /* those in the launcher's cpuset */
    unsigned       core; /* logical number, as lstopo shows it */
    unsigned       numa; /* number in the operating system, as numactl takes it */
} core_unit;

typedef struct core_list {
    core_unit *rows; /* units of one NUMA domain are neighbours */
    size_t     n, capacity;
} core_list;

/* Ranks that have one and the same cpuset, and the place of this rank among them. */
typedef struct cpuset_sharing {
    uint32_t n, place;
} cpuset_sharing;

static void
core_list_fini(core_list *units)
{
    for (size_t i = 0; i < units->n; i++)
        hwloc_bitmap_free(units->rows[i].pus);
    free(units->rows);
}

static hwloc_bitmap_t
new_bitmap(void)
{
    hwloc_bitmap_t bitmap = hwloc_bitmap_alloc();

    if (bitmap == NULL)
        hd_fatal("out of memory: a set of processors could not be allocated");
    return bitmap;
}

static size_t
n_in(hwloc_const_bitmap_t bitmap)
{
    int n = hwloc_bitmap_weight(bitmap);

    return n > 0 ? (size_t)n : 0;
}

static hd_status
read_cpuset(const char *text, hwloc_bitmap_t cpuset)
{
    bool numbers_only = text[0] >= '0' && text[0] <= '9' && text[strspn(text, "0123456789,-")] == '\0';

    /* hwloc takes what is no number for 0. */
    if (!numbers_only || hwloc_bitmap_list_sscanf(cpuset, text) != 0)
        return hd_fail(HD_EFORMAT, "\"%s\" is no list of processors", text);
    return HD_OK;
}

static uint32_t
greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A rank that has one of n_groups equal parts of the machine (a socket, say) cannot see which other ranks have the same
 * one. There are as many of them as an even distribution gives. Launchers fill group after group, or deal out round
 * robin; the place is chosen so that either way those with one group get different places: r mod n does it for groups
 * that are filled, and for those dealt out as long as n_groups and n have no common divisor d; else the same d places
 * of n would come again after lcm(n_groups, n) ranks, and are moved on by one.
 *
 *     8 ranks, 2 groups     rank   0 1 2 3 4 5 6 7
 *                           place  0 1 2 3 1 2 3 0      filled: 0 1 2 3 | 1 2 3 0     dealt out: 0 2 1 3 | 1 3 2 0
 */
static cpuset_sharing
find_sharing(const hd_binding_request *request, size_t n_mine, size_t n_usable)
{
    uint32_t node_size = request->node_size > 1 ? request->node_size : 1;
    uint64_t wanted    = (uint64_t)n_mine * node_size;
    uint64_t n_groups, n, round;

    if (n_mine == 0 || wanted <= n_usable)
        return (cpuset_sharing){ .n = 1 };
    n_groups = (n_usable + n_mine / 2) / n_mine;
    if (n_groups == 0)
        n_groups = 1;
    /* A cpuset that does not divide the machine is part of an uneven distribution, and most likely the rank's own if
     * near its share: 6, 5 and 5 of 16. */
    n = n_usable % n_mine == 0 ? (wanted + n_usable - 1) / n_usable : (wanted + n_usable / 2) / n_usable;
    if (n > node_size)
        n = node_size;
    round = n_groups / greatest_common_divisor((uint32_t)n_groups, (uint32_t)n) * n;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): round is at least n, and n at least 1 */
    return (cpuset_sharing){ .n = (uint32_t)n,
                             .place = (uint32_t)((request->node_rank + request->node_rank / round) % n) };
}

static void
add_unit(core_list *units, hwloc_const_bitmap_t pus, unsigned core, unsigned numa)
{
    core_unit row = { .pus = new_bitmap(), .core = core, .numa = numa };

    hwloc_bitmap_copy(row.pus, pus);
    HD_PUSH(units->rows, units->n, units->capacity, row);
}

/* The cores of one NUMA domain among the processors that are still left, which become fewer. */
static void
add_cores(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t domain, unsigned numa,
          hwloc_bitmap_t left, core_list *units)
{
    hwloc_bitmap_t pus = new_bitmap();

    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(topology, type, core)) != NULL;) {
        hwloc_bitmap_and(pus, core->cpuset, left);
        if (hwloc_bitmap_iszero(pus) || !hwloc_bitmap_intersects(pus, domain))
            continue;
        add_unit(units, pus, core->logical_index, numa);
        hwloc_bitmap_andnot(left, left, pus);
    }
    hwloc_bitmap_free(pus);
}

/* All cores of cpuset, domain by domain. Of domains with the same cores (fast memory beside large memory) the first
 * counts. */
static void
find_cores(hwloc_topology_t topology, hwloc_const_bitmap_t cpuset, core_list *units)
{
    /* Some virtual machines do not say what a core is. */
    bool             has_cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
    hwloc_obj_type_t type      = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    hwloc_bitmap_t   left      = new_bitmap();

    hwloc_bitmap_copy(left, cpuset);
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL;)
        if (hwloc_bitmap_intersects(node->cpuset, left))
            add_cores(topology, type, node->cpuset, node->os_index, left, units);
    if (!hwloc_bitmap_iszero(left))
        add_cores(topology, type, cpuset, 0, left, units);
    if (!hwloc_bitmap_iszero(left))
        add_cores(topology, HWLOC_OBJ_PU, cpuset, 0, left, units);
    hwloc_bitmap_free(left);
}

static void
split_into_pus(core_list *cores)
{
    core_list      split = { 0 };
    hwloc_bitmap_t one   = new_bitmap();

    for (size_t i = 0; i < cores->n; i++)
        for (int pu = hwloc_bitmap_first(cores->rows[i].pus); pu >= 0; pu = hwloc_bitmap_next(cores->rows[i].pus, pu)) {
            hwloc_bitmap_only(one, (unsigned)pu);
            add_unit(&split, one, cores->rows[i].core, cores->rows[i].numa);
        }
    hwloc_bitmap_free(one);
    core_list_fini(cores);
    *cores = split;
}

static void
describe_thread(bound_thread *thread, hd_bind_policy policy, const core_unit *unit)
{
    if (hwloc_bitmap_list_asprintf(&thread->pus_text, thread->pus) < 0)
        hd_fatal("out of memory: a list of processors could not be written");
    if (policy == HD_BIND_NUMA)
        thread->text = hd_format("numa %u (pu %s)", unit->numa, thread->pus_text);
    else
        thread->text = hd_format("core %u (pu %s), numa %u", unit->core, thread->pus_text, unit->numa);
}

/* Thread number i of those on n units, all of one domain: cores first, their second hardware threads later. */
static void
place_thread(bound_thread *thread, hd_bind_policy policy, const core_unit *rows, size_t n, size_t i)
{
    const core_unit *unit = &rows[i % n];

    thread->pus = new_bitmap();
    if (policy == HD_BIND_NUMA) {
        for (size_t k = 0; k < n; k++)
            hwloc_bitmap_or(thread->pus, thread->pus, rows[k].pus);
    } else if (policy == HD_BIND_PU) {
        int pu = hwloc_bitmap_first(unit->pus);

        for (size_t level = i / n % n_in(unit->pus); level > 0; level--)
            pu = hwloc_bitmap_next(unit->pus, pu);
        hwloc_bitmap_only(thread->pus, (unsigned)pu);
    } else
        hwloc_bitmap_copy(thread->pus, unit->pus);
    describe_thread(thread, policy, unit);
}

/* Each thread goes to the domain that is least in use, so all domains are used before any has two threads; their
 * numbers are such that neighbours are in one domain. */
static void
place_threads(hd_binding *binding, hd_bind_policy policy, const core_unit *rows, size_t n)
{
    size_t  *begin     = HD_NEW_ARRAY(size_t, n + 1); /* of each domain in rows */
    size_t  *n_threads = HD_NEW_ARRAY(size_t, n);     /* of each domain */
    size_t   n_domains = 0;
    uint32_t thread    = 0;

    for (size_t i = 0; i < n; i++)
        if (i == 0 || rows[i].numa != rows[i - 1].numa)
            begin[n_domains++] = i;
    begin[n_domains] = n;
    for (uint32_t i = 0; i < binding->n_threads; i++) {
        size_t best = 0;

        for (size_t domain = 1; domain < n_domains; domain++)
            if (n_threads[domain] * (begin[best + 1] - begin[best]) <
                n_threads[best] * (begin[domain + 1] - begin[domain]))
                best = domain;
        n_threads[best]++;
    }
    for (size_t domain = 0; domain < n_domains; domain++)
        for (size_t i = 0; i < n_threads[domain]; i++)
            place_thread(&binding->threads[thread++], policy, rows + begin[domain], begin[domain + 1] - begin[domain],
                         i);
    free(n_threads);
    free(begin);
}

static hd_status
load_topology(const char *synthetic, hwloc_topology_t *topology_out)
{
    hwloc_topology_t topology;

    if (!hd_node_topology_init(0, &topology))
        return hd_fail(HD_EFORMAT, "the processors of this machine cannot be listed (hwloc)");
    if ((synthetic != NULL && hwloc_topology_set_synthetic(topology, synthetic) != 0) ||
        hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        if (synthetic != NULL)
            return hd_fail(HD_EFORMAT, "\"%s\" is no description of a machine (hwloc)", synthetic);
        return hd_fail(HD_EFORMAT, "the processors of this machine cannot be listed (hwloc)");
    }
    *topology_out = topology;
    return HD_OK;
}

/* What the launcher gave this rank, of what the machine has. */
static hd_status
find_cpuset(const hd_binding_request *request, hwloc_topology_t topology, hwloc_bitmap_t cpuset)
{
    hwloc_const_bitmap_t usable = hwloc_topology_get_topology_cpuset(topology);

    if (request->cpuset != NULL) {
        hd_status status = read_cpuset(request->cpuset, cpuset);

        if (status != HD_OK)
            return status;
        hwloc_bitmap_and(cpuset, cpuset, usable);
        if (hwloc_bitmap_iszero(cpuset))
            return hd_fail(HD_EFORMAT, "this machine has none of the processors \"%s\"", request->cpuset);
        return HD_OK;
    }
    if (!hwloc_topology_is_thissystem(topology) || hwloc_get_cpubind(topology, cpuset, HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_copy(cpuset, usable);
    hwloc_bitmap_and(cpuset, cpuset, usable);
    if (hwloc_bitmap_iszero(cpuset))
        hwloc_bitmap_copy(cpuset, usable);
    return HD_OK;
}

static void
plan_threads(const hd_binding_request *request, hd_binding *binding, core_list *cores, cpuset_sharing sharing)
{
    size_t first, end;

    binding->oversubscribed = (uint64_t)sharing.n * request->n_threads > cores->n;
    if (request->policy == HD_BIND_PU) {
        size_t n_pus = 0;

        for (size_t i = 0; i < cores->n; i++)
            n_pus += n_in(cores->rows[i].pus);
        binding->oversubscribed = (uint64_t)sharing.n * request->n_threads > n_pus;
        if (cores->n < sharing.n)
            split_into_pus(cores);
    }
    first = (size_t)((uint64_t)cores->n * sharing.place / sharing.n);
    end   = (size_t)((uint64_t)cores->n * (sharing.place + 1) / sharing.n);
    place_threads(binding, request->policy, cores->rows + first, end > first ? end - first : 1);
}

static hd_status
plan_bound(const hd_binding_request *request, hd_binding *binding)
{
    hwloc_topology_t topology = NULL;
    hwloc_bitmap_t   cpuset   = new_bitmap();
    core_list        cores    = { 0 };
    hd_status        status;

    status = load_topology(request->synthetic, &topology);
    if (status != HD_OK)
        goto out;
    status = find_cpuset(request, topology, cpuset);
    if (status != HD_OK)
        goto out;
    find_cores(topology, cpuset, &cores);
    HD_ASSERT(cores.n > 0);
    plan_threads(request, binding, &cores,
                 find_sharing(request, n_in(cpuset), n_in(hwloc_topology_get_topology_cpuset(topology))));
    binding->may_bind = request->synthetic == NULL && hwloc_topology_is_thissystem(topology);
out:
    core_list_fini(&cores);
    hwloc_bitmap_free(cpuset);
    if (topology != NULL)
        hwloc_topology_destroy(topology);
    return status;
}

/* Processors that the calling thread may run on; n_otherwise where the system does not say. */
static size_t
n_in_affinity(size_t n_otherwise)
{
#ifdef __linux__
    for (size_t n_cpus = 1024; n_cpus <= 1024 * 1024; n_cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(n_cpus);
        int        n   = -1;

        if (set != NULL && sched_getaffinity(0, CPU_ALLOC_SIZE(n_cpus), set) == 0)
            n = CPU_COUNT_S(CPU_ALLOC_SIZE(n_cpus), set);
        CPU_FREE(set);
        if (n > 0)
            return (size_t)n;
    }
#endif
    return n_otherwise;
}

/* No topology: processors are counted, without regard to shared cores. */
static hd_status
plan_unbound(const hd_binding_request *request, hd_binding *binding)
{
    long   online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t usable = online > 0 ? (size_t)online : 1, mine = n_in_affinity(usable);

    if (request->cpuset != NULL) {
        hwloc_bitmap_t cpuset = new_bitmap();
        hd_status      status = read_cpuset(request->cpuset, cpuset);

        mine = n_in(cpuset);
        hwloc_bitmap_free(cpuset);
        if (status != HD_OK)
            return status;
    }
    if (usable < mine)
        usable = mine;
    binding->oversubscribed = (uint64_t)find_sharing(request, mine, usable).n * request->n_threads > mine;
    return HD_OK;
}

hd_status
hd_binding_plan(const hd_binding_request *request, hd_binding **binding_out)
{
    hd_binding *binding = HD_NEW(hd_binding);
    hd_status   status;

    HD_ASSERT(request->n_threads > 0);
    HD_ASSERT(request->node_size == 0 || request->node_rank < request->node_size);
    binding->n_threads = request->n_threads;
    binding->threads   = HD_NEW_ARRAY(bound_thread, request->n_threads);
    status             = request->policy == HD_BIND_NONE ? plan_unbound(request, binding) :
                         plan_bound(request, binding);
    if (status != HD_OK) {
        hd_binding_free(binding);
        return status;
    }
    *binding_out = binding;
    return HD_OK;
}

void
hd_binding_free(hd_binding *binding)
{
    if (binding == NULL)
        return;
    for (uint32_t i = 0; i < binding->n_threads; i++) {
        hwloc_bitmap_free(binding->threads[i].pus);
        free(binding->threads[i].pus_text);
        free(binding->threads[i].text);
    }
    free(binding->threads);
    free(binding);
}

bool
hd_binding_apply(const hd_binding *binding, uint32_t thread)
{
    bool done = false;

    HD_ASSERT(thread < binding->n_threads);
    if (!binding->may_bind)
        return false;
#ifdef __linux__
    size_t     n_cpus = (size_t)hwloc_bitmap_last(binding->threads[thread].pus) + 1;
    size_t     bytes  = CPU_ALLOC_SIZE(n_cpus);
    cpu_set_t *set    = CPU_ALLOC(n_cpus);

    if (set == NULL)
        return false;
    hwloc_cpuset_to_glibc_sched_affinity(NULL, binding->threads[thread].pus, set, bytes);
    done = sched_setaffinity(0, bytes, set) == 0;
    CPU_FREE(set);
    /* First touch, which is what hwloc would ask for too, but without a topology. Where a container forbids it, the
     * memory is where the system likes. */
    if (done)
        (void)!syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL);
#endif
    return done;
}

const char *
hd_binding_text(const hd_binding *binding, uint32_t thread)
{
    HD_ASSERT(thread < binding->n_threads);
    return binding->threads[thread].text != NULL ? binding->threads[thread].text : "not bound";
}

const char *
hd_binding_pus(const hd_binding *binding, uint32_t thread)
{
    HD_ASSERT(thread < binding->n_threads);
    return binding->threads[thread].pus_text != NULL ? binding->threads[thread].pus_text : "";
}

bool
hd_binding_oversubscribed(const hd_binding *binding)
{
    return binding->oversubscribed;
}

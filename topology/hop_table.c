/* topology/hop_table.c: sums by hops for topologies without metrics of their own. A location has its own sums and adds
 * them to those of the rank when it is finished, so a message needs no atomic operation. */
#include "hop_table.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "distance.h"
#include "memory.h"

enum { COMMS, BYTES, LATE_SENDER, LATE_RECEIVER };

typedef struct hop_sums {
    int64_t of[HD_DISTANCE_CLASSES][HD_HOP_COLUMNS];
} hop_sums;

struct hd_hop_tables {
    hd_cartesian    *topologies[HD_HOP_TABLES_MAX];
    uint32_t         n;
    _Atomic int64_t (*sums)[HD_DISTANCE_CLASSES][HD_HOP_COLUMNS]; /* [n] of this rank */
    hop_sums        *all; /* [n] of all, on every rank */
};

static bool
has_all(const hd_defs *defs, const hd_cartesian *cartesian)
{
    for (uint32_t p = 0; p < defs->n_mpi_processes; p++)
        if (cartesian->places[(size_t)p * cartesian->n_dimensions] == HD_NONE)
            return false;
    return true;
}

static bool
is_known(const hd_hop_tables *tables, const hd_cartesian *chosen, const char *name)
{
    bool known = chosen != NULL && strcmp(chosen->name, name) == 0;

    for (uint32_t i = 0; i < tables->n; i++)
        known |= strcmp(tables->topologies[i]->name, name) == 0;
    return known;
}

hd_hop_tables *
hd_hop_tables_new(const hd_defs *defs, const hd_cartesian *chosen)
{
    hd_hop_tables *tables = HD_NEW(hd_hop_tables);

    for (uint32_t i = 0; i < defs->n_topologies && tables->n < HD_HOP_TABLES_MAX; i++) {
        const char   *name      = hd_defs_text(defs, hd_defs_topologies(defs)[i].name);
        hd_cartesian *cartesian = NULL;

        if (hd_defs_topologies(defs)[i].n_coordinates < defs->n_mpi_processes || strcmp(name, HD_PROCESS_GRID) == 0 ||
            is_known(tables, chosen, name) || hd_cartesian_choose(defs, name, &cartesian) != HD_OK ||
            cartesian == NULL)
            continue;
        if (cartesian->is_recorded && has_all(defs, cartesian))
            tables->topologies[tables->n++] = cartesian;
        else
            hd_cartesian_free(cartesian);
    }
    if (tables->n == 0) {
        free(tables);
        return NULL;
    }
    tables->sums = hd_alloc(tables->n, sizeof *tables->sums);
    tables->all  = HD_NEW_ARRAY(hop_sums, tables->n);
    return tables;
}

void
hd_hop_tables_free(hd_hop_tables *tables)
{
    if (tables == NULL)
        return;
    for (uint32_t i = 0; i < tables->n; i++)
        hd_cartesian_free(tables->topologies[i]);
    free(tables->sums);
    free(tables->all);
    free(tables);
}

static int64_t *
sums_of(const hd_hop_tables *tables, hop_sums *sums, uint32_t i, const hd_message_event *event)
{
    uint64_t hops = 0;

    hd_cartesian_distance(tables->topologies[i], event->process, event->peer, &hops);
    return sums[i].of[hd_distance_class(hops)];
}

static void
message(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    const hd_hop_tables *tables = context;

    (void)severities;
    for (uint32_t i = 0; i < tables->n && !event->is_outside && (event->is_send || event->wait > 0); i++) {
        int64_t *sums = sums_of(tables, state, i, event);

        if (event->is_send) {
            sums[COMMS]++;
            sums[BYTES] += (int64_t)event->bytes;
        } else
            sums[LATE_SENDER] += event->wait;
    }
}

static void
late_receiver(void *context, void *state, hd_severities *severities, const hd_message_event *event)
{
    const hd_hop_tables *tables = context;

    (void)severities;
    for (uint32_t i = 0; i < tables->n && !event->is_outside; i++)
        sums_of(tables, state, i, event)[LATE_RECEIVER] += event->wait;
}

static void
finish(void *context, void *state, hd_severities *severities)
{
    hd_hop_tables  *tables = context;
    const hop_sums *sums   = state;

    (void)severities;
    for (uint32_t i = 0; i < tables->n; i++)
        for (uint32_t class = 0; class < HD_DISTANCE_CLASSES; class++)
            for (uint32_t c = 0; c < HD_HOP_COLUMNS; c++)
                /* read when all are done */
                atomic_fetch_add_explicit(&tables->sums[i][class][c], sums[i].of[class][c], memory_order_relaxed);
}

hd_message_patterns
hd_hop_tables_patterns(hd_hop_tables *tables)
{
    return (hd_message_patterns){ .context = tables, .state_bytes = tables->n * sizeof(hop_sums), .message = message,
                                  .late_receiver = late_receiver, .finish = finish };
}

void
hd_hop_tables_add_up(hd_hop_tables *tables, hd_analysis_comm *analysis_comm)
{
    size_t n = sizeof(hop_sums) / sizeof(int64_t);

    for (uint32_t i = 0; i < tables->n; i++) {
        uint64_t sums[sizeof(hop_sums) / sizeof(int64_t)];

        for (uint32_t class = 0; class < HD_DISTANCE_CLASSES; class++)
            for (uint32_t c = 0; c < HD_HOP_COLUMNS; c++)
                sums[class * HD_HOP_COLUMNS + c] =
                    (uint64_t)atomic_load_explicit(&tables->sums[i][class][c], memory_order_relaxed);
        hd_analysis_comm_reduce(analysis_comm, sums, n, HD_SUM);
        memcpy(&tables->all[i], sums, sizeof sums);
    }
}

uint32_t
hd_hop_tables_n(const hd_hop_tables *tables)
{
    return tables != NULL ? tables->n : 0;
}

char *
hd_hop_tables_text(const hd_hop_tables *tables, uint32_t i, uint64_t resolution)
{
    char *text = hd_strdup(""), *whole;

    for (uint32_t class = 0; class < HD_DISTANCE_CLASSES; class++) {
        const int64_t *sums = tables->all[i].of[class];
        char          *more;

        if (sums[COMMS] == 0 && sums[LATE_SENDER] == 0 && sums[LATE_RECEIVER] == 0)
            continue;
        more = hd_format("%s%" PRIu32 " %" PRId64 " %" PRId64 " %.17g %.17g;", text, class, sums[COMMS], sums[BYTES],
                         (double)sums[LATE_SENDER] / (double)resolution,
                         (double)sums[LATE_RECEIVER] / (double)resolution);
        free(text);
        text = more;
    }
    whole = hd_format("%s|%s", text, tables->topologies[i]->name);
    free(text);
    return whole;
}

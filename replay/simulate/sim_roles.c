/* replay/simulate/sim_roles.c: messages and the calls that they have a role in. */
#include "sim_roles.h"

#include <stdlib.h>

typedef struct hd_sim_role {
    uint32_t call, message; /* message: in the location's messages */
    bool     is_record;
} hd_sim_role;

struct hd_sim_roles { /* of a location */
    hd_sim_message *messages; /* [n_messages] */
    hd_sim_role    *roles;    /* [n_roles] by call, once they are sorted */
    uint8_t        *idle;     /* [n_calls] lanes of the pass */
    size_t          n_messages, capacity_messages, n_roles, capacity_roles;
};

bool
hd_sim_roles_are_wanted(const hd_sim *sim)
{
    for (size_t h = 0; h < sim->request->n_hypotheses; h++)
        for (size_t c = 0; c < sim->request->hypotheses[h].n_changes; c++)
            if (sim->request->hypotheses[h].changes[c].kind == HD_CHANGE_MESSAGES)
                return true;
    return false;
}

uint32_t
hd_sim_role_add(hd_sim_location *location, uint32_t call, const hd_sim_message *message, bool is_record)
{
    struct hd_sim_roles *roles = location->roles;

    if (roles == NULL)
        roles = location->roles = HD_NEW_ARRAY(struct hd_sim_roles, 1);
    HD_PUSH(roles->roles, roles->n_roles, roles->capacity_roles,
            ((hd_sim_role){ call, (uint32_t)roles->n_messages, is_record }));
    HD_PUSH(roles->messages, roles->n_messages, roles->capacity_messages, *message);
    return (uint32_t)roles->n_messages;
}

static int
compare_roles(const void *a_, const void *b_)
{
    const hd_sim_role *a = a_, *b = b_;

    return a->call < b->call ? -1 : a->call > b->call;
}

void
hd_sim_roles_sort(hd_sim_location *location)
{
    if (location->roles != NULL)
        qsort(location->roles->roles, location->roles->n_roles, sizeof(hd_sim_role), compare_roles);
}

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

static bool
is_selected(const hd_change *change, const hd_sim_message *message)
{
    return change->kind == HD_CHANGE_MESSAGES && change->is_path[message->path] &&
           change->is_process[message->process] &&
           (change->is_thread == NULL ||
            (message->thread < change->n_is_thread && change->is_thread[message->thread])) &&
           message->bytes >= change->least_bytes && message->bytes <= change->most_bytes &&
           (!change->has_tag || message->tag == change->tag);
}

uint64_t
hd_sim_roles_count(const hd_sim_location *location, const hd_change *change)
{
    uint64_t n = 0;

    for (size_t i = 0; location->roles != NULL && i < location->roles->n_messages; i++)
        n += is_selected(change, &location->roles->messages[i]);
    return n;
}

static uint32_t
lanes_of(const hd_sim *sim, const hd_sim_message *message)
{
    uint32_t lanes = 0;

    for (uint32_t k = 0; k < sim->n_lanes; k++)
        for (size_t c = 0; c < sim->hypotheses[k].n_changes; c++)
            lanes |= (uint32_t)is_selected(&sim->hypotheses[k].changes[c], message) << k;
    return lanes;
}

void
hd_sim_roles_select(const hd_sim *sim, hd_sim_location *location)
{
    struct hd_sim_roles *roles = location->roles;

    if (roles == NULL)
        return;
    for (size_t i = 0; i < roles->n_messages; i++)
        roles->messages[i].lanes = lanes_of(sim, &roles->messages[i]);
    if (roles->idle == NULL)
        roles->idle = HD_NEW_ARRAY(uint8_t, location->n_calls);
    for (size_t i = 0, end; i < roles->n_roles; i = end) {
        uint32_t call = roles->roles[i].call, n_records = 0, lanes = UINT8_MAX;

        for (end = i; end < roles->n_roles && roles->roles[end].call == call; end++) {
            n_records += roles->roles[end].is_record;
            lanes &= roles->messages[roles->roles[end].message].lanes;
        }
        roles->idle[call] = n_records == location->n_message_records[call] ? (uint8_t)lanes : 0;
    }
}

uint8_t
hd_sim_role_lanes(const hd_sim_location *location, uint32_t number)
{
    return location->roles != NULL && number > 0 ? (uint8_t)location->roles->messages[number - 1].lanes : 0;
}

uint8_t
hd_sim_idle_lanes(const hd_sim_location *location, size_t call)
{
    return location->roles != NULL ? location->roles->idle[call] : 0;
}

void
hd_sim_roles_free(hd_sim_location *location)
{
    if (location->roles != NULL) {
        free(location->roles->messages);
        free(location->roles->roles);
        free(location->roles->idle);
    }
    free(location->roles);
    free(location->n_message_records);
    location->roles             = NULL;
    location->n_message_records = NULL;
}

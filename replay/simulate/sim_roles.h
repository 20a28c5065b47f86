/* replay/simulate/sim_roles.h: which calls have to do with which messages, for hypotheses without some of them.
 *
 *   sender     [Isend]·······[Wait]       a message has a role in the call that starts the send and the one that
 *   receiver   [Irecv]·······[Wait]       completes it, in the one that posts the receive and the one that completes it
 *
 * A call all of whose roles are those of messages that are left out takes no time, if it has no other records. Nobody
 * waits for such messages (sim_terms.h). A message is selected by the call that sends it.
 *
 * Each location with a role has its own copy of the message. Made only where a hypothesis wants it.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local. Memory: up to 160 bytes per message, 4 per call.
 */
#ifndef HD_SIM_ROLES_H
#define HD_SIM_ROLES_H

#include "sim_state.h"

typedef struct hd_sim_message {
    uint64_t bytes;
    uint32_t path;            /* unified call path of the call that sends it */
    uint32_t tag;
    uint32_t process, thread; /* the sender */
    uint32_t lanes, unused;   /* lanes: of the pass, in which it is selected */
} hd_sim_message;

/* Whether any hypothesis leaves messages out. */
bool hd_sim_roles_are_wanted(const hd_sim *sim);

/* The role of a message in a call of the location; is_record: a record of the call is the message's. Returns the
 * number of the message there, above 0. */
uint32_t hd_sim_role_add(hd_sim_location *location, uint32_t call, const hd_sim_message *message, bool is_record);
/* Once all are there. */
void hd_sim_roles_sort(hd_sim_location *location);

/* How many of the location's copies of messages a change selects. */
uint64_t hd_sim_roles_count(const hd_sim_location *location, const hd_change *change);

/* For the hypotheses of the pass. */
void hd_sim_roles_select(const hd_sim *sim, hd_sim_location *location);
/* Lanes in which a message of the location is selected; number 0: none. */
uint8_t hd_sim_role_lanes(const hd_sim_location *location, uint32_t number);
/* Lanes in which the call has to do with selected messages only. */
uint8_t hd_sim_idle_lanes(const hd_sim_location *location, size_t call);

void hd_sim_roles_free(hd_sim_location *location);

#endif

/* replay/simulate/sim_protocol.c: from evidence to what sends of each class wait for. */
#include "sim_protocol.h"

enum { LEAST_LEFT = 2, LEAST_FREE = 4, LEAST_WAITED = 8 };

/* "The receiver became ready within the call" proves nothing, so a rendezvous is where nothing speaks against it. */
static hd_sim_waiting
judge(const uint64_t n[HD_SIM_N_EVIDENCE])
{
    if (n[3] >= LEAST_LEFT && 10 * n[3] >= n[2])
        return HD_SIM_EAGER;
    if (n[1] >= LEAST_LEFT && 20 * n[1] >= n[0])
        return n[2] >= LEAST_FREE ? HD_SIM_WAITS_FOR_PROGRESS : HD_SIM_EAGER;
    return n[0] >= LEAST_WAITED ? HD_SIM_WAITS_FOR_POST : HD_SIM_UNKNOWN;
}

static hd_sim_waiting
nearest(const uint8_t known[HD_SIM_SIZES], int size)
{
    for (int distance = 0; distance < HD_SIM_SIZES; distance++) {
        if (size - distance >= 0 && known[size - distance] != HD_SIM_UNKNOWN)
            return (hd_sim_waiting)known[size - distance];
        if (size + distance < HD_SIM_SIZES && known[size + distance] != HD_SIM_UNKNOWN)
            return (hd_sim_waiting)known[size + distance];
    }
    return HD_SIM_EAGER;
}

void
hd_sim_protocol_learn(hd_sim_protocol *protocol, hd_analysis_comm *analysis_comm, const hd_sim_evidence *evidence)
{
    protocol->evidence = *evidence;
    hd_analysis_comm_reduce(analysis_comm, &protocol->evidence.n[0][0][0], sizeof *evidence / sizeof(uint64_t), HD_SUM);
    for (int same = 0; same < 2; same++) {
        for (int size = 0; size < HD_SIM_SIZES; size++)
            protocol->known[same][size] = (uint8_t)judge(protocol->evidence.n[same][size]);
        for (int size = 0; size < HD_SIM_SIZES; size++)
            protocol->waiting[same][size] = (uint8_t)nearest(protocol->known[same], size);
    }
}

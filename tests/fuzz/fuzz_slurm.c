/* tests/fuzz/fuzz_slurm.c: a site's topology.conf. */
#include "slurm.h"

#include "fuzz.h"
#include "../topology/nodes_of.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const names[] = { "tux0", "tux1", "tux2.example.org", "node0003" };
    char                    *text    = fuzz_text(data, bytes);
    nodes_of                 all     = nodes_of_names(8, 2, names);
    hd_hosts                 hosts;
    hd_switches             *switches = NULL;

    hd_hosts_init(&hosts, &all.defs);
    hd_slurm_read(text, "x", &all.defs, &hosts, &switches);
    hd_switches_free(switches);
    hd_hosts_fini(&hosts);
    free(text);
    return 0;
}

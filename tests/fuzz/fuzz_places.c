/* tests/fuzz/fuzz_places.c: a file of places on a topology; its first line also as a topology that is named
 * ("grid:4x2"). */
#include "places.h"

#include "fuzz.h"
#include "../topology/nodes_of.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const names[] = { "tux0", "tux1", "tux2.example.org", "node0003" };
    char                    *text    = fuzz_text(data, bytes);
    nodes_of                 all     = nodes_of_names(8, 2, names);
    hd_hosts                 hosts;
    hd_cartesian            *cartesian = NULL;
    char                    *name = fuzz_text(data, bytes);

    hd_hosts_init(&hosts, &all.defs);
    hd_places_read(text, "x", "x", &all.defs, &hosts, &cartesian);
    hd_cartesian_free(cartesian);
    cartesian = NULL;
    name[strcspn(name, "\n")] = '\0';
    hd_cartesian_choose(&all.defs, name, &cartesian);
    hd_cartesian_free(cartesian);
    free(name);
    hd_hosts_fini(&hosts);
    free(text);
    return 0;
}

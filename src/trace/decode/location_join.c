#include "location_join.h"

void
hd_location_join_init(hd_location_join *join, hd_scratch *scratch)
{
    *join = (hd_location_join){ .scratch = scratch, .team_starts.scratch = scratch };
}

void
hd_location_join_fini(hd_location_join *join)
{
    hd_map_fini(&join->requests);
    hd_scratch_free(join->scratch, join->orphans);
    free(join->nested);
    hd_team_starts_fini(&join->team_starts);
    hd_scratch_free(join->scratch, join->strays);
    hd_scratch_free(join->scratch, join->turns.turns);
    hd_scratch_free(join->scratch, join->turns.levels);
    hd_scratch_free(join->scratch, join->turns.open);
    hd_findings_fini(&join->findings);
}

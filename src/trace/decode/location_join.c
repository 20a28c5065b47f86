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
    hd_scratch_free(join->scratch, join->candidates);
    hd_scratch_free(join->scratch, join->fragments.fragments);
    hd_scratch_free(join->scratch, join->fragments.levels);
    hd_scratch_free(join->scratch, join->fragments.open);
    hd_findings_fini(&join->findings);
}

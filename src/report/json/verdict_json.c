/* src/report/json/verdict_json.c: what a wait state is over iterations, as JSON. */
#include "verdict_json.h"

#include <math.h>

void
hd_json_verdict(hd_json *json, const hd_verdict_entry *verdict)
{
    bool is_known = verdict->spread != HD_SPREAD_UNKNOWN;

    hd_json_text(json, "words", is_known ? verdict->words : NULL);
    hd_json_text(json, "spread", is_known ? hd_verdict_spread_id(verdict->spread) : NULL);
    hd_json_count(json, "with", verdict->n_with);
    hd_json_index(json, "first", verdict->first > 0 ? verdict->first : HD_NONE);
    hd_json_index(json, "worst", verdict->worst > 0 ? verdict->worst : HD_NONE);
    hd_json_index(json, "every", verdict->every > 0 ? verdict->every : HD_NONE);
    hd_json_index(json, "period", verdict->period > 0 ? verdict->period : HD_NONE);
    hd_json_number(json, "share", is_known ? verdict->share : NAN);
    hd_json_number(json, "correlation", is_known ? verdict->correlation : NAN);
    hd_json_number(json, "change", is_known ? verdict->change : NAN);
}

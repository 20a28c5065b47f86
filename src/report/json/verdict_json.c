/* src/report/json/verdict_json.c: what a wait state is over iterations, and which of these are alike, as JSON. */
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

void
hd_json_clusters(hd_json *json, const hd_cluster_list *clusters)
{
    hd_json_array(json, "clusters");
    for (uint32_t k = 0; k < clusters->n; k++) {
        const hd_cluster_entry *row = &clusters->rows[k];

        hd_json_object(json, NULL);
        hd_json_count(json, "calls", row->calls);
        hd_json_count(json, "iterations", row->n);
        hd_json_count(json, "first", row->first);
        hd_json_count(json, "typical", row->typical);
        hd_json_number(json, "duration", row->duration);
        hd_json_number(json, "waiting", row->waiting);
        hd_json_text(json, "which", row->which);
        hd_json_end(json);
    }
    hd_json_end(json);
}

/* src/report/json/lag_json.c: histograms of lags and pairs of slices as JSON. */
#include "lag_json.h"

#include "metric.h"

static double
sum_of(const hd_lag_list *lags, uint32_t delay)
{
    double sum = 0;

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].delay == delay && !lags->entries[i].is_pair)
            sum += lags->entries[i].value;
    return sum;
}

static void
put_entries(hd_json *json, const hd_lag_list *lags, uint32_t delay, bool is_pair)
{
    hd_json_array(json, is_pair ? "pairs" : "lags");
    for (size_t i = 0; i < lags->n; i++) {
        const hd_lag_entry *entry = &lags->entries[i];

        if (entry->delay != delay || entry->is_pair != is_pair)
            continue;
        hd_json_object(json, NULL);
        hd_json_integer(json, is_pair ? "delay" : "from", entry->from);
        hd_json_integer(json, is_pair ? "wait" : "to", entry->to);
        hd_json_number(json, "value", entry->value);
        hd_json_end(json);
    }
    hd_json_end(json);
}

void
hd_json_lags(hd_json *json, const char *key, const hd_lag_list *lags)
{
    if (!lags->is_there) {
        hd_json_null(json, key);
        return;
    }
    hd_json_object(json, key);
    hd_json_text(json, "by", lags->by_iterations ? "iterations" : "windows");
    hd_json_array(json, "kinds");
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++) {
        double sum = sum_of(lags, delay);

        if (sum <= 0)
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "wait_state", hd_delay_infos[delay].id);
        hd_json_text(json, "name", hd_metric_infos[hd_delay_infos[delay].unattributed].name);
        hd_json_number(json, "value", sum);
        put_entries(json, lags, delay, false);
        put_entries(json, lags, delay, true);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

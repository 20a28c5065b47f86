/* src/report/json/lag_json.c: histograms of lags and pairs of slices as JSON. */
#include "lag_json.h"

#include "metric.h"

static double
sum_of(const hd_lag_list *lags, uint32_t delay)
{
    double sum = 0;

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].delay == delay && lags->entries[i].what == HD_LAG_BIN)
            sum += lags->entries[i].value;
    return sum;
}

/* How each kind of entry is called, and its numbers; of slices there is one. */
static const struct {
    const char *key, *from, *to;
} keys[HD_N_LAG_WHATS] = { [HD_LAG_BIN] = { "lags", "from", "to" }, [HD_LAG_PAIR] = { "pairs", "delay", "wait" },
                           [HD_LAG_DELAYS] = { "delays", "slice", NULL }, [HD_LAG_WAITS] = { "waits", "slice", NULL } };

static void
put_entries(hd_json *json, const hd_lag_list *lags, uint32_t delay, hd_lag_what what)
{
    hd_json_array(json, keys[what].key);
    for (size_t i = 0; i < lags->n; i++) {
        const hd_lag_entry *entry = &lags->entries[i];

        if (entry->delay != delay || entry->what != what)
            continue;
        hd_json_object(json, NULL);
        hd_json_integer(json, keys[what].from, entry->from);
        if (keys[what].to != NULL)
            hd_json_integer(json, keys[what].to, entry->to);
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
        for (hd_lag_what what = HD_LAG_BIN; what < HD_N_LAG_WHATS; what++)
            put_entries(json, lags, delay, what);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

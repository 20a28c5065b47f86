/* src/report/json/instance_json.c: instances and their statistics as members and rows of documents. */
#include "instance_json.h"

void
hd_json_instance(hd_json *json, const hd_cube *cube, const hd_instance_entry *instance)
{
    hd_json_object(json, NULL);
    hd_json_count(json, "instance", instance->number);
    hd_json_text(json, "metric", hd_metric_infos[instance->metric].id);
    hd_json_call_path(json, cube, instance->path);
    hd_json_count(json, "process", instance->process);
    hd_json_count(json, "thread", instance->thread);
    hd_json_index(json, "peer", instance->peer);
    hd_json_number(json, "enter", instance->enter);
    hd_json_number(json, "leave", instance->leave);
    hd_json_number(json, "waiting", instance->waiting);
    hd_json_end(json);
}

void
hd_json_statistic(hd_json *json, const hd_statistic_entry *statistic)
{
    hd_json_metric(json, hd_metric_infos[statistic->metric].id, hd_metric_infos[statistic->metric].name);
    hd_json_text(json, "interface", hd_metric_interface(statistic->metric));
    hd_json_count(json, "count", statistic->count);
    hd_json_number(json, "sum", statistic->sum);
    hd_json_number(json, "mean", statistic->mean);
    hd_json_number(json, "median", statistic->median);
    hd_json_number(json, "minimum", statistic->minimum);
    hd_json_number(json, "maximum", statistic->maximum);
    hd_json_number(json, "lower_quartile", statistic->lower_quartile);
    hd_json_number(json, "upper_quartile", statistic->upper_quartile);
    hd_json_number(json, "variance", statistic->variance);
}

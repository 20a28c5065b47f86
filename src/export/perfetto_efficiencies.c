/* Writes tracks with the efficiencies of the time windows of the report, in percent. */
#include "perfetto_format.h"

#include <math.h>

static const hd_factor shown[] = { HD_FACTOR_parallel, HD_FACTOR_load_balance, HD_FACTOR_communication };
enum { N_SHOWN = sizeof shown / sizeof *shown };

static void
put_value(hd_perfetto *perfetto, hd_time time, hd_factor factor, double value)
{
    const hd_defs *defs = perfetto->export->defs;

    hd_perfetto_begin_event(perfetto, "C", time, HD_PERFETTO_PROCESS(defs->n_processes),
                            HD_PERFETTO_THREAD(defs->n_locations));
    fprintf(perfetto->out, ",\"name\":\"%s [%%]\",\"args\":{\"value\":%.9g}}", hd_factor_infos[factor].name,
            100 * value);
}

static void
put_window(hd_perfetto *perfetto, const hd_efficiency_entry *window, hd_time begin)
{
    double factors[HD_N_FACTORS];

    hd_factors_of(window, factors);
    for (size_t i = 0; i < N_SHOWN; i++)
        if (!isnan(factors[shown[i]]))
            put_value(perfetto, begin, shown[i], factors[shown[i]]);
}

void
hd_perfetto_put_efficiencies(hd_perfetto *perfetto)
{
    const hd_export          *export = perfetto->export;
    const hd_efficiency_list *list   = export->efficiencies;
    hd_time                   until  = 0;

    for (size_t i = 0; i < list->n; i++) {
        const hd_efficiency_entry *entry = &list->entries[i];
        hd_time begin = hd_time_max(export->origin + entry->from, export->interval.from);
        hd_time end   = hd_time_min(export->origin + entry->to, export->interval.to);

        if (entry->kind != HD_SLICE_WINDOW || begin >= end)
            continue;
        if (until == 0)
            hd_perfetto_put_name(perfetto, true, HD_PERFETTO_PROCESS(export->defs->n_processes),
                                 HD_PERFETTO_THREAD(export->defs->n_locations), "Efficiencies of the report",
                                 export->defs->n_processes);
        put_window(perfetto, entry, begin);
        until = end;
    }
    for (size_t i = 0; i < N_SHOWN && until > 0; i++)
        put_value(perfetto, until, shown[i], 0); /* the windows are over */
}

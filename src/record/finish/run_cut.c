/* src/record/finish/run_cut.c: the begin of the last part of a run. */
#include "run_cut.h"

#include "memory.h"
#include "run_clock.h"

/* given_back: out, [ticks] the last record that is not there in any log of the process, 0: all are. */
static hd_status
find_ends(const hd_recorded_run *run, hd_run_process *process, uint64_t *given_back)
{
    hd_raw_process *raw    = process->raw;
    hd_status       status = HD_OK;

    *given_back    = 0;
    process->first = raw->clocks[0].ticks;
    process->last  = hd_time_max(process->first, raw->end);
    for (size_t i = 0; i < raw->n_locations && status == HD_OK; i++) {
        hd_raw_log log;

        status        = hd_raw_log_open(&run->files, raw, &raw->locations[i], 0, &log);
        process->last = hd_time_max(process->last, hd_time_max(hd_raw_log_last_time(&log), log.given_back));
        *given_back   = hd_time_max(*given_back, log.given_back);
        if (log.clock.ticks > raw->clocks[raw->n_clocks - 1].ticks)
            HD_PUSH(raw->clocks, raw->n_clocks, raw->room_clocks, log.clock);
        hd_raw_log_close(&log);
    }
    return status;
}

hd_status
hd_run_cut_set(hd_recorded_run *run)
{
    uint64_t *given_back = HD_NEW_ARRAY(uint64_t, run->n + 1), last_ns = 0, cut;
    hd_status status     = HD_OK;

    for (uint32_t i = 0; i < run->n && status == HD_OK; i++) {
        last_ns = hd_time_max(last_ns, run->processes[i].raw->last_ns);
        status  = find_ends(run, &run->processes[i], &given_back[i]);
    }
    if (status == HD_OK) {
        long double wanted = (long double)last_ns * 1e-9L;

        hd_run_clocks_set(run);
        wanted *= (long double)run->resolution;
        cut = wanted < (long double)(run->last - run->first) ? run->last - (uint64_t)wanted : 0;
        for (uint32_t i = 0; i < run->n; i++)
            if (given_back[i] > 0)
                cut = hd_time_max(cut, hd_run_clock_time(&run->processes[i].clock, given_back[i]) + 1);
        for (uint32_t i = 0; i < run->n && cut > 0; i++)
            run->processes[i].cut = hd_run_clock_ticks(&run->processes[i].clock, cut);
        run->kept_ticks = cut > 0 && run->last > cut ? run->last - cut : 0;
        run->has_pauses |= cut > 0;
    }
    free(given_back);
    return status;
}

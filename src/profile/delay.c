#include "delay.h"

const hd_delay_info hd_delay_infos[HD_N_DELAYS] = {
#define INFO(id) { #id, HD_METRIC_delay_##id, HD_METRIC_delay_##id##_longterm, HD_METRIC_delay_unattributed_##id }
    [HD_DELAY_LATE_SENDER]   = INFO(latesender),
    [HD_DELAY_LATE_RECEIVER] = INFO(latereceiver),
    [HD_DELAY_BARRIER]       = INFO(barrier),
    [HD_DELAY_N2N]           = INFO(n2n),
    [HD_DELAY_12N]           = INFO(12n),
    [HD_DELAY_N21]           = INFO(n21),
    [HD_DELAY_OMP_BARRIER]   = INFO(ompbarrier),
    [HD_DELAY_OMP_IDLE]      = INFO(ompidle),
    [HD_DELAY_SCAN]          = INFO(scan),
    [HD_DELAY_NBC]           = INFO(nbc),
    [HD_DELAY_OMP_LOCK]      = INFO(omplock),
    [HD_DELAY_RMA]           = INFO(rma),
    [HD_DELAY_FILE_IO]       = INFO(fileio),
    [HD_DELAY_PTHREAD_LOCK]  = INFO(pthreadlock),
#undef INFO
};

/* src/profile/delay.h: the kinds of wait states that have causes, and the metrics of each. Definitions:
 * docs/metrics.md#delay-costs.
 * Uses: metric. MT: read only, any thread.
 */
#ifndef HD_DELAY_H
#define HD_DELAY_H

#include "metric.h"

typedef enum hd_delay {
    HD_DELAY_LATE_SENDER, HD_DELAY_LATE_RECEIVER, HD_DELAY_BARRIER, HD_DELAY_N2N, HD_DELAY_12N, HD_DELAY_N21,
    HD_DELAY_OMP_BARRIER, HD_DELAY_OMP_IDLE,
    /* extensions */
    HD_DELAY_SCAN, HD_DELAY_NBC, HD_DELAY_OMP_LOCK, HD_DELAY_PTHREAD_LOCK, HD_DELAY_RMA, HD_DELAY_FILE_IO,
    HD_N_DELAYS,
    HD_DELAY_NONE = HD_N_DELAYS
} hd_delay;

typedef struct hd_delay_info {
    const char *id;                            /* "latesender", in ids of metrics and in tables */
    hd_metric   short_term, long_term;         /* costs of delays */
    hd_metric   unattributed;                  /* waiting time that is no delay's; has the name of the wait state */
} hd_delay_info;

extern const hd_delay_info hd_delay_infos[HD_N_DELAYS];

#endif

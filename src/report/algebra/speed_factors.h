/* src/report/algebra/speed_factors.h: of what factors the time of a call path is (work_or_speed.h).
 * Uses: work_list. MT: any thread. Ranks: local.
 */
#ifndef HD_SPEED_FACTORS_H
#define HD_SPEED_FACTORS_H

#include "work_list.h"

typedef enum hd_speed_factor {
    HD_FACTOR_INSTRUCTIONS, /* work */
    HD_FACTOR_CYCLES,       /* cycles per instruction; without instructions: cycles */
    HD_FACTOR_CLOCK,        /* CPU time per cycle; without cycles: CPU time per instruction, or CPU time */
    HD_FACTOR_OFF_CPU,      /* time per CPU time */
    HD_FACTOR_REST,         /* without CPU time: time per cycle, per instruction */
    HD_N_SPEED_FACTORS
} hd_speed_factor;

typedef struct hd_speed_roles { /* numbers of counters; HD_NONE: there is none */
    uint32_t    instructions, cycles, cpu_time, misses;
    const char *level;          /* of misses: "L2" */
} hd_speed_roles;

typedef struct hd_speed_counters {
    hd_speed_roles in_list, in_report; /* in the list; metrics of the report */
    hd_work_list   list;
    uint32_t       time, idle;         /* metrics; HD_NONE: the report does not have it */
    bool           is_there;           /* else there is nothing to tell work from speed by */
} hd_speed_counters;

typedef struct hd_work_or_speed {
    bool     is_known;             /* there are counters, and others to compare with */
    uint32_t n_culprits, n_others; /* processes; in a report of one process threads; n_others 0: those that waited */
    uint64_t waits;                /* that are compared; 0: all that the report counts is */
    uint32_t first;                /* the culprit with the most delay costs */
    double   time;                 /* of a culprit by that of one of the others, on average; > 0 */
    double   ratio[HD_N_SPEED_FACTORS];  /* their product is time; 0: not known */
    double   misses;               /* ratio; 0: not known */
    double   counted[HD_COMPARED_MAX]; /* ratios of the counters of the list; 0: not known */
    double   seconds, cpu_seconds; /* of a culprit, for one wait where they are compared; cpu_seconds < 0: not known */
} hd_work_or_speed;

#endif

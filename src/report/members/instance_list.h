/* src/report/members/instance_list.h: statistics of wait states, their worst instances, and the timeline excerpts of
 * these, as tables of a report.
 *
 * docs/formats.md#statistics, #instances: heddle.statistics.tsv, heddle.instances.tsv, heddle.moments.tsv,
 * heddle.windows.tsv and heddle.messages.tsv in the report, and the file REPORT.stat beside it. Read tables are taken
 * for damaged until checked.
 * Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_INSTANCE_LIST_H
#define HD_INSTANCE_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "defs.h"
#include "excerpt.h"

#define HD_STATISTICS_MEMBER "heddle.statistics.tsv"
#define HD_INSTANCES_MEMBER  "heddle.instances.tsv"
#define HD_WINDOWS_MEMBER    "heddle.windows.tsv"
#define HD_EXCERPTS_MEMBER   "heddle.moments.tsv"
#define HD_MESSAGES_MEMBER   "heddle.messages.tsv"

/* numbers: [n of the unified tree] ids of call paths in the anchor. Errors of writing stay with the stream. */
void hd_statistics_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs,
                         const uint32_t *numbers);
void hd_instances_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs, const uint32_t *numbers);
void hd_excerpts_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs, const uint32_t *numbers);
void hd_excerpt_windows_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs);
void hd_excerpt_messages_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs);
/* REPORT.stat: the statistics as time-line browsers read them. */
void hd_stat_file_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs, const uint32_t *numbers);

typedef struct hd_statistic_entry { /* times in seconds */
    uint32_t metric; /* hd_metric */
    uint32_t path;   /* in cube->paths; HD_NONE: all */
    uint64_t count;
    double   mean, median, minimum, maximum, sum, variance, lower_quartile, upper_quartile;
} hd_statistic_entry;

typedef struct hd_instance_entry { /* times in seconds */
    uint32_t number;          /* from 1 on */
    uint32_t metric;          /* hd_metric */
    uint32_t path;            /* in cube->paths */
    uint32_t process, thread; /* process: MPI rank */
    uint32_t peer;            /* HD_NONE: not known, or none */
    double   enter, leave, waiting;
} hd_instance_entry;

typedef struct hd_instance_list {
    bool                is_there;   /* the report has such tables */
    hd_statistic_entry *statistics; /* [n_statistics] as in the report, without metrics of other versions */
    hd_instance_entry  *instances;  /* [n_instances] likewise */
    size_t              n_statistics, n_instances;
} hd_instance_list;

/* hd_instance_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong; the list is empty
 * then. */
hd_status hd_instance_list_read(hd_cube *cube, hd_instance_list *list);
void      hd_instance_list_fini(hd_instance_list *list);

typedef struct hd_excerpt_entry { /* times in seconds */
    uint32_t instance;        /* its number */
    uint32_t process, thread;
    uint32_t path;            /* in cube->paths */
    double   begin, end;
    bool     is_wait;         /* it lies over the calls */
} hd_excerpt_entry;

typedef struct hd_excerpt_list {
    hd_excerpt_entry *excerpts; /* [n] as in the report */
    size_t            n;
} hd_excerpt_list;

/* hd_excerpt_list_fini() it. Errors: as hd_instance_list_read(). */
hd_status hd_excerpt_list_read(hd_cube *cube, hd_excerpt_list *list);
void      hd_excerpt_list_fini(hd_excerpt_list *list);

/* The statistics of a wait state (hd_metric) at all call paths together; NULL: it has no instances. Lent by the
 * list. */
const hd_statistic_entry *hd_instance_list_statistic(const hd_instance_list *list, uint32_t metric);

#endif

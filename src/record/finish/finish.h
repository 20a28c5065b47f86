/* src/record/finish/finish.h: makes the OTF2 archive of what a run has recorded.
 *
 * The archive is written to DIR/.traces.tmp-PID, and its files get their places when it is complete, the anchor last:
 * an archive is there whole or not at all. One raw folder gives the same archive each time, to the last byte. Uses:
 * base, OTF2. MT: main thread only; locations are written in parallel. Ranks: local. Memory: a chunk of 1 MiB for each
 * location that is being written.
 */
#ifndef HD_FINISH_H
#define HD_FINISH_H

#include "status.h"

#define HD_PROFILE_NAME "profile.cubex" /* in DIR */

struct hd_recorded_run;

typedef struct hd_finish_result {
    uint32_t n_processes, n_incomplete, n_locations;
    uint32_t world_size;    /* of MPI, 0: no MPI */
    uint32_t n_left_out;    /* processes of other programs or runs, which are not in the archive */
    uint64_t n_events, n_dropped; /* records on communicators whose members are not known */
    uint32_t first_incomplete; /* its rank, if there is one */
    uint32_t n_uncounted;      /* processes whose counters could not be read to the end */
    uint64_t n_samples, n_lost_samples; /* that the archive has, and not */
    uint64_t sample_ns; /* of processor time between them, as it was; 0: samples were not wanted */
    uint32_t n_unsampled; /* processes with threads that have none */
    uint32_t n_unsteady;  /* processes whose clocks did not go at one rate */
    bool     has_brief_mutexes; /* calls that did not wait were not recorded to the end */
    double   last_s;   /* [s] the archive is the last part of the run, so long; 0: it is the whole */
    bool     is_profile;          /* there is DIR/profile.cubex, and no archive */
    uint32_t n_paths;             /* call paths of the profile */
    uint64_t n_visits, n_lost_visits; /* of them; visits of paths that had no room */
    bool     is_empty; /* nothing of the part that was wanted */
    char    *stopped;       /* why a process stopped recording, NULL: none did; free() it */
    char    *calls_only;    /* of what the run has used, what is recorded as calls only: "transfers of windows, bytes of
                             * files"; NULL: nothing; free() it */
    char    *short_functions; /* that were dropped while the program ran: "min, max and 3 more"; NULL: none;
                               * free() it */
    char    *changed;    /* programs and libraries that are not in their files any more; as above */
    char    *stripped;   /* programs without a symbol table, whose functions have addresses as names; as above */
    char    *crowded;    /* hd_run_system_crowded() */
    char    *topologies; /* what is wrong with those that the program defines, a line each, ended by a newline; NULL:
                          * nothing; free() it */
} hd_finish_result;

typedef enum hd_finish_outcome {
    HD_FINISHED,
    HD_FINISHED_BEFORE, /* there is an archive already; the result is empty */
    HD_FINISH_NOTHING,  /* no process has recorded anything, and there is no archive */
} hd_finish_outcome;

/* Writes the report of a run that was recorded as a profile to path, which is new. anchor: of an archive of its
 * definitions, without events. */
typedef hd_status hd_profile_writer(const struct hd_recorded_run *run, const char *anchor, const char *path,
                                    hd_finish_result *result);

/* directory: DIR, which holds raw/. Waits while another process finishes it. Errors: HD_EOPEN, HD_EREAD, HD_EFORMAT,
 * HD_EWRITE, those of write_profile. */
hd_status hd_finish(const char *directory, hd_profile_writer *write_profile, hd_finish_outcome *outcome,
                    hd_finish_result *result);

/* The next hd_finish() has a thread for each processor that this process may use, whatever the OpenMP variables say,
 * which are the program's; without it they count. */
void hd_finish_use_all_processors(void);

/* Removes DIR/raw and what it holds: nothing else. */
hd_status hd_finish_remove_raw(const char *directory);

#endif

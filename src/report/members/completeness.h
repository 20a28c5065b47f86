/* src/report/members/completeness.h: what a report says of how complete it is, in attributes that are handed on to
 * whatever is made of it. Texts are untrusted. Uses: cube_reader. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_COMPLETENESS_H
#define HD_COMPLETENESS_H

#include <stdio.h>

#include "cube_reader.h"

#define HD_COVERAGE_ATTRIBUTE "Heddle::Coverage" /* of a report of a trace that is not whole: what it covers */
#define HD_STOPPED_ATTRIBUTE "Heddle::Stopped"   /* a signal ended the analysis: by which, while doing what */
#define HD_REGION_ATTRIBUTE "Heddle::Region"     /* of a report that is restricted to regions of interest: each of
                                                  * them */
#define HD_REGION_SHARE_ATTRIBUTE "Heddle::RegionShare" /* what they are of the run */
#define HD_CLOCK_TICK_ATTRIBUTE "Heddle::ClockTick"   /* [s] step of the archive's clock */
#define HD_CLOCK_ERROR_ATTRIBUTE "Heddle::ClockError" /* [s] largest violation of the clock condition; not there: none */
#define HD_FROM_ATTRIBUTE "Heddle::From" /* of a report that is restricted to an interval: "12.5" [s] */
#define HD_TO_ATTRIBUTE "Heddle::To"     /* likewise, or "END" */
#define HD_WINDOW_FROM_ATTRIBUTE "Heddle::WindowFrom" /* first enter of a region of interest [s] */
#define HD_WINDOW_TO_ATTRIBUTE "Heddle::WindowTo"     /* last leave */
#define HD_LEFT_OUT_ATTRIBUTE "Heddle::LeftOut"  /* parts of the analysis that were not made: for want of time or
                                                  * memory, or as nobody wanted them */
#define HD_PROFILE_ATTRIBUTE "Heddle::Profile" /* of a profile that heddle record made, without waits: [s] of the run */
#define HD_PROFILE_ITERATIONS_ATTRIBUTE "Heddle::ProfileIterations" /* likewise: "50 of step", of a process */
#define HD_SHARED_PROCESSORS_ATTRIBUTE "Heddle::SharedProcessors" /* what archive_property.h says of the recording, and
                                                                   * what it means: a sentence without its end */
#define HD_SIMULATION_ATTRIBUTE "Heddle::Simulation" /* of a report of a simulated run: the hypothesis */

/* The trace was not whole, or the analysis was stopped: values may be too small. What was left out on purpose is not
 * incomplete. */
bool hd_is_incomplete(const hd_cube *cube);

/* "trace coverage 87 % of recorded events (13 of 16 locations complete); stopped by SIGTERM during backward replay;
 * without delay costs, critical path".
 * NULL: it says none of that. free() it. */
char *hd_completeness_text(const hd_cube *cube);

/* What a report that is made of several has as one of the attributes: "TEXT in \"a.cubex\" (1 of 3 reports)"; the text
 * alone, where all have the same; NULL: none has it. free() it. */
char *hd_completeness_join(hd_cube *const *cubes, uint32_t n, const char *key);

/* A line for each of stopped and covered, above what a report says. Nothing if it is complete. Errors of writing stay
 * with the stream. */
void hd_completeness_print(const hd_cube *cube, FILE *file);
void hd_completeness_print_stopped(const hd_cube *cube, FILE *file); /* the first of them alone */

#endif

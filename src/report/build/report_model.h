/* src/report/build/report_model.h: the description of a report of an analysis: metrics, call paths, system and topologies, without values.
 *
 * Rank 0 makes it when values are written, and the writer of anchors (anchor_writer.h) takes it.
 * Uses: cube_model, profile, trace. Owner: hd_report_model_fini(); texts of the definitions are lent, and must live as long.
 * MT: main thread. Ranks: local (rank 0). Grows with: call paths, locations and nodes, some 60 bytes each; coordinates.
 */
#ifndef HD_REPORT_MODEL_H
#define HD_REPORT_MODEL_H

#include "cube_model.h"
#include "derive.h"
#include "report.h"

typedef struct hd_report_model {
    hd_cube cube;   /* for writing only: what a reader adds is not there */
    char  **texts;  /* [n_texts] made here */
    size_t  n_texts, texts_capacity;
} hd_report_model;

/* The number of a metric in the anchor and in the names of members: its place among those that the report has.
 *   numbers   [HD_N_METRICS] out; HD_NONE: not in the report
 * Returns how many the report has. */
uint32_t hd_report_number_metrics(const hd_derivation *derivation, uint32_t *numbers);

void hd_report_model_init(hd_report_model *model, const hd_report *report, const hd_derivation *derivation);
void hd_report_model_fini(hd_report_model *model);

#endif

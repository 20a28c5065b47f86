/* src/report/build/column_block.h: what some locations, columns of the report, collected, by call path.
 *
 * Uses: derive, location_cursor. Grows with: what they collected, 28 bytes for each pair of location and call path. MT:
 * one thread at a time. Ranks: local.
 */
#ifndef HD_COLUMN_BLOCK_H
#define HD_COLUMN_BLOCK_H

#include "derive.h"
#include "report.h"

typedef struct hd_column_block {
    const hd_report_location *locations; /* [n_columns] the report's */
    uint32_t                  n_columns, n_paths;
    hd_collected             *collected; /* [start[n_paths]] by call path, by column in it */
    uint32_t                 *columns;   /* of each, in the block */
    size_t                   *start;     /* [n_paths + 1] */
} hd_column_block;

/* Without columns. hd_column_block_fini() it. */
void hd_column_block_init(hd_column_block *block, uint32_t n_paths);
void hd_column_block_fini(hd_column_block *block);
/* Takes these locations in place of those that it has. Cost: linear in what they collected. */
void hd_column_block_take(hd_column_block *block, const hd_report_location *locations, uint32_t n);

#endif

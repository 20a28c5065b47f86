/* src/report/text/csv.h: cells of comma-separated values, for spreadsheets and scripts.
 *
 * Names are as in all tables (hd_write_cell(), docs/formats.md#names-in-tables), and in quotes where they have a comma
 * or a quote. No cell has a line end. Errors of writing stay with the stream. Uses: escape, path_text. MT: any thread.
 * Ranks: local.
 */
#ifndef HD_CSV_H
#define HD_CSV_H

#include <stdio.h>

#include "cube_model.h"

/* A stream for lines with tabs between cells, which come out at out with commas. Owner: fclose(); out stays open. An error
 * of out is one of the stream, as soon as it is flushed. */
FILE *hd_csv_of_tsv(FILE *out);

void hd_csv_text(FILE *file, const char *text);

/* The names of a call path, joined by ";". */
void hd_csv_path(FILE *file, const hd_cube *cube, uint32_t path);

/* The same of a text that hd_path_text() made with ";". */
void hd_csv_escaped(FILE *file, const char *text);

#endif

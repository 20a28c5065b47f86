/* src/report/members/track_list.h: metrics recorded over time, by window, as a table that a report carries.
 *
 *   heddle.tracks.tsv   track · counter · unit · scope · kind · slice · values · sum · least · mean · most
 *
 * A head line names the columns; track: a number from 1 on, of the same counter of the same thing; scope and kind as in
 * level_list.h; slices are those of heddle.slices.tsv. Definition:
 * docs/metrics.md#counters-over-time. Read tables are taken for damaged until checked. Uses: cube_reader, profile. MT:
 * one thread. Ranks: local.
 */
#ifndef HD_TRACK_LIST_H
#define HD_TRACK_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "track_table.h"

#define HD_TRACKS_MEMBER "heddle.tracks.tsv"

/* Errors of writing stay with the stream. */
void hd_tracks_write(FILE *file, const hd_track_table *table, const hd_defs *defs);

typedef struct hd_track_slice {
    uint32_t slice;
    uint64_t n;                      /* values */
    double   sum, least, mean, most; /* as in hd_track_row */
} hd_track_slice;

typedef struct hd_track {
    char           *counter, *unit, *scope; /* untrusted */
    bool            is_level;
    hd_track_slice *slices;  /* [n] ascending; where nothing is known there is none */
    size_t          n, capacity;
} hd_track;

typedef struct hd_track_list {
    hd_track *tracks; /* [n] as in the report */
    size_t    n;
    bool      is_there; /* the report has such a table */
} hd_track_list;

/* n_slices: of the report's windows. hd_track_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is
 * wrong. list is empty then. */
hd_status hd_track_list_read(hd_cube *cube, uint32_t n_slices, hd_track_list *list);
void      hd_track_list_fini(hd_track_list *list);

#endif

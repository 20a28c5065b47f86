/* src/cube/read/cube_file.h: a report as a file: what the files of the reader share; not for others.
 *
 * cube_file.c finds the members and reads bytes, cube_anchor.c reads the anchor, cube_rows.c stored values.
 * Uses: cube_model. MT and Ranks: as cube_reader.h.
 */
#ifndef HD_CUBE_FILE_H
#define HD_CUBE_FILE_H

#include "cube_model.h"

enum {
    HD_CUBE_WINDOW_BYTES = 256 * 1024, /* read at a time when rows follow each other */
    HD_CUBE_INDEXES      = 8,          /* metrics whose rows can be read in turns without looking for them anew */
};

/* How a value is stored. HD_FORMAT_NONE: nothing that we can read. */
typedef enum hd_value_format {
    HD_FORMAT_NONE, HD_FORMAT_DOUBLE, HD_FORMAT_U64, HD_FORMAT_I64, HD_FORMAT_U32, HD_FORMAT_I32, HD_FORMAT_U16,
    HD_FORMAT_I16, HD_FORMAT_U8, HD_FORMAT_I8
} hd_value_format;

typedef struct hd_tar_member {
    char     name[101];
    uint64_t data, bytes; /* place in the file; bytes are inside of it */
} hd_tar_member;

/* A part of the file that was read. */
typedef struct hd_cube_window {
    uint8_t *bytes; /* [HD_CUBE_WINDOW_BYTES] NULL: nothing yet */
    uint64_t at;
    size_t   n;
} hd_cube_window;

/* The rows of one metric. */
typedef struct hd_row_index {
    uint32_t  metric;   /* HD_NONE: none yet */
    uint64_t  asked_at; /* when it was asked for last */
    bool      is_empty; /* no rows at all */
    bool      swaps;    /* the file has the other byte order */
    uint32_t *position; /* [n_paths] by path: which of the stored rows, HD_NONE: zeros */
    uint64_t  rows, rows_end; /* where they begin and end in the file */
    uint64_t *packed;   /* [n_packed][2] compressed: where a row begins, and its bytes; NULL: plain rows */
    uint64_t  n_packed;
    hd_cube_window window; /* rows */
} hd_row_index;

typedef struct hd_cube_file {
    int                fd;
    uint64_t           bytes;
    hd_tar_member     *members;
    size_t             n_members, members_capacity;
    char             **texts; /* all strings of the report */
    size_t             n_texts, texts_capacity;
    uint32_t          *first_child, *next_sibling; /* [n_paths] of paths */
    uint32_t          *end;                        /* [n_paths] after the last path below */
    uint32_t          *path_of_wide_row;           /* [n_paths] NULL: not asked for yet */
    hd_row_index       indexes[HD_CUBE_INDEXES];   /* those asked for last */
    hd_row_index      *index;                      /* the one in use */
    uint64_t           n_asked;
    struct hd_derived *derived;       /* cube_derived.c's own; NULL: no metric is derived */
    hd_cube_window     window;        /* headers */
    uint8_t           *row;           /* [n_locations * 8] as stored */
    hd_cube_cell      *child, *cells; /* [n_locations] */
    uint8_t           *packed;        /* [packed_capacity] */
    size_t             packed_capacity;
} hd_cube_file;

/* Errors: HD_EREAD, also where the file ends before. near: for what lies close together, window keeps more of it. */
hd_status hd_cube_read_at(const hd_cube *cube, void *to, uint64_t bytes, uint64_t at);
hd_status hd_cube_read_near(const hd_cube *cube, hd_cube_window *window, void *to, uint64_t bytes, uint64_t at);

/* A number of n bytes; swaps: most significant byte first. */
uint64_t hd_cube_number(const uint8_t *bytes, size_t n, bool swaps);

/* Fills file->members. Errors: HD_EREAD, HD_EFORMAT. */
hd_status hd_cube_find_members(hd_cube *cube);
/* The last one of that name, NULL if there is none; lent. */
const hd_tar_member *hd_cube_find_member(const hd_cube *cube, const char *name);

/* A copy of a text that lives as long as the report. */
const char *hd_cube_keep(hd_cube *cube, const char *text);

/* A row as the file has it, not a derived metric's. values: [n_locations] inclusive if the metric is stored so, else
 * exclusive. Errors: as hd_cube_cells() */
hd_status hd_cube_stored_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

/* The same, exclusive along the call tree. */
hd_status hd_cube_exclusive_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

/* Fills file->first_child, next_sibling and end, once the anchor is read. */
void hd_cube_link_paths(hd_cube *cube);

/* Fills all but file->first_child and what follows it there, and misc. Errors: HD_EREAD, HD_EFORMAT. */
hd_status hd_cube_read_anchor(hd_cube *cube);

#endif

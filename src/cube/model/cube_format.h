/* src/cube/model/cube_format.h: where what stands in the members of a report: <metric>.data and <metric>.index.
 *
 *   <metric>.index   magic "CUBEX.INDEX" | byte order u32 = 1 | version u16 | kind u8 | number of rows u32 | row
 *                    numbers u32 ...
 *   <metric>.data    magic "CUBEX.DATA" | rows of n_locations cells
 *   compressed       magic "ZCUBEX.DATA" | number of rows u64 | a list of (?, start u64, bytes u64) | rows, compressed
 *                    by zlib
 *
 * Numbers are in the byte order of the machine that wrote them; the first byte of the byte order tells which that is.
 */
#ifndef HD_CUBE_FORMAT_H
#define HD_CUBE_FORMAT_H

#define HD_CUBE_INDEX_MAGIC  "CUBEX.INDEX"
#define HD_CUBE_DATA_MAGIC   "CUBEX.DATA"
#define HD_CUBE_PACKED_MAGIC "ZCUBEX.DATA"

enum { /* bytes of <metric>.index, from its begin */
    HD_CUBE_INDEX_BYTE_ORDER = 11,
    HD_CUBE_INDEX_VERSION    = 15,
    HD_CUBE_INDEX_KIND       = 17,
    HD_CUBE_INDEX_N_ROWS     = 18, /* absent in an index that is not sparse */
    HD_CUBE_INDEX_ROWS       = 22,
    HD_CUBE_ROW_NUMBER_BYTES = 4
};

enum hd_cube_index_kind { HD_CUBE_INDEX_EMPTY = 0, HD_CUBE_INDEX_SPARSE = 1, HD_CUBE_INDEX_DENSE = 3 };

enum { /* bytes of <metric>.data */
    HD_CUBE_DATA_ROWS      = 10,
    HD_CUBE_PACKED_N_ROWS  = 11,
    HD_CUBE_PACKED_LIST    = 19,
    HD_CUBE_PACKED_ENTRY   = 24, /* bytes of an entry of the list, in which: */
    HD_CUBE_PACKED_START   = 8,  /* of the row, after the list */
    HD_CUBE_PACKED_N_BYTES = 16
};

#endif

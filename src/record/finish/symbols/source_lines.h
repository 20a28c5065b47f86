/* src/record/finish/symbols/source_lines.h: file and line of addresses of an ELF file, from its line table
 * (.debug_line of DWARF 2 to 5), which compilers write with -g.
 *
 * One that is compressed is read if zlib has done that (-gz), up to 2^30 bytes; others up to 2^32; a damaged one as far
 * as it makes sense.
 * Uses: base; zlib inside. Owner: hd_source_lines_free(). MT: one thread. Ranks: local. Grows with: parts of the code
 * that are contiguous, and 512 rows of the table, 56 bytes each; what is compressed is in memory as a whole. A look-up
 * reads up to 512 rows, and those of one more address.
 */
#ifndef HD_SOURCE_LINES_H
#define HD_SOURCE_LINES_H

#include "types.h"

typedef struct hd_source_lines hd_source_lines;

typedef struct hd_source_line {
    const char *file; /* with its folder, if the table has it; of the lines; NULL: not known */
    uint32_t    line; /* from 1 on; 0: not known */
} hd_source_line;

/* file: [n] mapped, which has to stay. NULL: it has no line table. */
hd_source_lines *hd_source_lines_read(const char *file, size_t n);
void             hd_source_lines_free(hd_source_lines *lines);

/* address: in the file's own space, of an instruction or in it. The first instruction of a function has the line of its
 * name or, of GCC, its brace. */
hd_source_line hd_source_lines_find(hd_source_lines *lines, uint64_t address);

#endif

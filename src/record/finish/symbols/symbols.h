/* src/record/finish/symbols/symbols.h: names of functions at addresses of an ELF file: a program or a library.
 *
 * From its symbol table, else from that of its file of debug symbols, else from the one for dynamic linking, which
 * knows exported functions only. Then other functions of a program have its name and their address as name,
 * "lu+0x4a10": those that are in its table of frames. A library's have none.
 * Uses: base. Owner: hd_symbols_free(). MT: one thread. Ranks: local. Grows with: functions of the file.
 */
#ifndef HD_SYMBOLS_H
#define HD_SYMBOLS_H

#include "map.h"
#include "source_lines.h"

typedef struct hd_symbol {
    uint64_t    from, bytes; /* address in the file's own space; 0 bytes: up to the next one */
    const char *given;       /* as it stands in the mapped file; NULL: it has no name there */
    char       *name;        /* NULL until hd_symbols_name() makes it, or hd_symbols_find() has found the function */
    uint32_t    region;      /* the caller's, HD_NONE at first */
    bool        is_nameless; /* the name is made of its address */
} hd_symbol;

typedef struct hd_mapped_file {
    const char *bytes; /* [n] NULL: none */
    size_t      n;
} hd_mapped_file;

typedef struct hd_symbols {
    char          *path;
    char          *debug_path; /* where the file of debug symbols is, if there is one; NULL: the file has no build id */
    hd_mapped_file file, debug; /* which have the names; debug: of debug symbols */
    hd_symbol     *functions;   /* [n] by address */
    size_t         n;
    hd_source_lines *lines; /* NULL: none were asked for, or there are none */
    bool            has_looked_for_lines;
    hd_map          asked;  /* address whose line was asked for -> index in places */
    hd_source_line *places; /* [n_places] */
    size_t          n_places, room_places;
    hd_map     calls;               /* the caller's: address of a call that it has seen -> what it knows of it */
    uint64_t   identity;            /* object_identity.h; 0: no such file */
    bool       has_given_addresses; /* a nameless function was asked for */
    bool       has_changed;         /* functions were asked for of what was loaded, which was another build */
} hd_symbols;

#define HD_SYMBOLS_DEBUG "/usr/lib/debug/.build-id" /* where packages of distributions put files of debug symbols */

/* debug: folder of files of debug symbols, by build id: 12/3456.debug. A file that is not there, or no ELF file of 64
 * bits, has no functions. Damaged ones are read as far as they make sense. */
hd_symbols *hd_symbols_read(const char *path, const char *debug);
void        hd_symbols_free(hd_symbols *symbols);

/* Without what compilers add: "main" for "main._omp_fn.0". Few of the functions of a large file are asked for. */
const char *hd_symbols_name(const hd_symbols *symbols, hd_symbol *symbol);

/* "lu+0x4a10", of a file's path and an address in its own space; free() it. */
char *hd_symbols_address_name(const char *path, uint64_t address);

/* address: in the file's own space. NULL: not in a function that is known. What is found has its name. */
hd_symbol *hd_symbols_find(const hd_symbols *symbols, uint64_t address);

/* Where in the source an instruction is, or a function: what compilers take out of one is at the same place as it.
 * From the file itself, else from its file of debug symbols. */
hd_source_line hd_symbols_line_at(hd_symbols *symbols, uint64_t address);
hd_source_line hd_symbols_line_of(hd_symbols *symbols, const hd_symbol *symbol);

#endif

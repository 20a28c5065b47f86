/* src/record/finish/symbols.h: names of functions at addresses of an ELF file: a program or a library.
 *
 * From its symbol table, else from the one for dynamic linking, which knows exported functions only.
 * Uses: base. Owner: hd_symbols_free(). MT: one thread. Ranks: local. Grows with: functions of the file.
 */
#ifndef HD_SYMBOLS_H
#define HD_SYMBOLS_H

#include "types.h"

typedef struct hd_symbol {
    uint64_t from, bytes; /* address in the file's own space; 0 bytes: up to the next one */
    char    *name;        /* without what compilers add: "main" for "main._omp_fn.0" */
    uint32_t region;      /* the caller's, HD_NONE at first */
} hd_symbol;

typedef struct hd_symbols {
    char      *path;
    uint64_t   base;    /* the lowest address that is loaded, as the file has it */
    uint64_t   end;     /* behind the highest */
    hd_symbol *functions; /* [n] by address */
    size_t     n;
} hd_symbols;

/* A file that is not there, or no ELF file of 64 bits, has none. Damaged ones are read as far as they make sense. */
hd_symbols *hd_symbols_read(const char *path);
void        hd_symbols_free(hd_symbols *symbols);

/* address: in the file's own space. NULL: not in a function that is known. */
hd_symbol *hd_symbols_find(const hd_symbols *symbols, uint64_t address);

#endif

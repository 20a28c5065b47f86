/* src/report/html/page_stream.h: data of a page: compressed by zlib, as base64, one stream behind the other.
 * Private to the component. Uses: out_file; zlib inside. MT: one thread. Ranks: local. Grows with: the largest stream.
 */
#ifndef HD_PAGE_STREAM_H
#define HD_PAGE_STREAM_H

#include "out_file.h"

typedef struct hd_page_packer hd_page_packer;

hd_page_packer *hd_page_packer_new(void);
void            hd_page_packer_free(hd_page_packer *packer);

/* Writes a stream to out. Returns its characters, whole groups of four. */
uint64_t hd_page_pack(hd_page_packer *packer, const void *data, size_t bytes, hd_out_file *out);

/* The same for numbers by significance, behind the four bytes of mask if that is not NULL. */
uint64_t hd_page_pack_numbers(hd_page_packer *packer, const uint32_t *mask, const double *numbers, size_t n,
                              hd_out_file *out);

#endif

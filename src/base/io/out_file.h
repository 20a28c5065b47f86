/* src/base/io/out_file.h: writing into an open file from a given place on, through a buffer.
 *
 * The first error is kept and everything after it ignored, so that a writer of many small pieces asks once, at the end.
 * Uses: base. Owner: the file descriptor stays the caller's. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_OUT_FILE_H
#define HD_OUT_FILE_H

#include "status.h"
#include "types.h"

enum {
    HD_OUT_FILE_BYTES = 256 * 1024,
    HD_OUT_FILE_LARGE = 16 * 1024
};

typedef struct hd_out_file {
    char    *buffer; /* [HD_OUT_FILE_BYTES] */
    size_t   n;      /* in the buffer */
    uint64_t at;     /* where the buffer belongs in the file */
    int      fd;
    int      error;  /* errno of the first failure, 0: none */
} hd_out_file;

void hd_out_file_init(hd_out_file *out, int fd, uint64_t at);
void hd_out_file_fini(hd_out_file *out); /* what is buffered is lost */
void hd_out_file_put(hd_out_file *out, const void *data, size_t bytes);
/* The same, without a copy of HD_OUT_FILE_LARGE bytes and more. */
void hd_out_file_put_large(hd_out_file *out, const void *data, size_t bytes);
void hd_out_file_format(hd_out_file *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hd_out_file_fill(hd_out_file *out, int byte, size_t n);
void hd_out_file_flush(hd_out_file *out);

/* Text of an archive for XML, in element or attribute: markup escaped; control characters and what is not UTF-8 become
 * '?'. */
void hd_out_file_put_xml(hd_out_file *out, const char *text);
void hd_out_file_put_xml_lines(hd_out_file *out, const char *text); /* keeps line ends and tabs */

/* The place in the file that comes next. */
static inline uint64_t
hd_out_file_place(const hd_out_file *out)
{
    return out->at + out->n;
}

/* Writes all of it, in several calls if necessary. Returns 0 or errno. */
int hd_write_at(int fd, const void *data, size_t bytes, uint64_t at);

#endif

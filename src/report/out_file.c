#define _GNU_SOURCE /* renameat2 */
#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "memory.h"

int
hd_name_file(const char *temporary, const char *name, bool replace)
{
    if (!replace) {
        if (renameat2(AT_FDCWD, temporary, AT_FDCWD, name, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno == EEXIST)
            return EEXIST;
    }
    return rename(temporary, name) == 0 ? 0 : errno;
}

int
hd_write_at(int fd, const void *data, size_t bytes, uint64_t at)
{
    const char *from = data;

    while (bytes > 0) {
        ssize_t written = pwrite(fd, from, bytes, (off_t)at);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        from += written;
        at += (uint64_t)written;
        bytes -= (size_t)written;
    }
    return 0;
}

void
hd_out_file_init(hd_out_file *out, int fd, uint64_t at)
{
    *out = (hd_out_file){ .buffer = hd_realloc(NULL, HD_OUT_FILE_BYTES, 1), .fd = fd, .at = at };
}

void
hd_out_file_fini(hd_out_file *out)
{
    free(out->buffer);
    *out = (hd_out_file){ .fd = -1 };
}

void
hd_out_file_flush(hd_out_file *out)
{
    if (out->error == 0)
        out->error = hd_write_at(out->fd, out->buffer, out->n, out->at);
    out->at += out->n;
    out->n = 0;
}

void
hd_out_file_put(hd_out_file *out, const void *data, size_t bytes)
{
    const char *from = data;

    while (bytes > 0) {
        size_t room = HD_OUT_FILE_BYTES - out->n;
        size_t part = bytes < room ? bytes : room;

        memcpy(out->buffer + out->n, from, part);
        out->n += part;
        from += part;
        bytes -= part;
        if (out->n == HD_OUT_FILE_BYTES)
            hd_out_file_flush(out);
    }
}

void
hd_out_file_format(hd_out_file *out, const char *format, ...)
{
    char    text[512];
    va_list arguments;
    int     length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    HD_ASSERT(length >= 0 && (size_t)length < sizeof text);
    hd_out_file_put(out, text, (size_t)length);
}

void
hd_out_file_fill(hd_out_file *out, int byte, size_t n)
{
    char c = (char)byte;

    while (n-- > 0)
        hd_out_file_put(out, &c, 1);
}

/* The length of the UTF-8 sequence at text if it is a character that XML may contain, else 0. */
static size_t
character_length(const unsigned char *text)
{
    uint32_t code;
    size_t   n = text[0] < 0x80 ? 1 : text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;

    if (n == 1)
        return text[0] >= 0x20 && text[0] != 0x7F ? 1 : 0;
    if (text[0] < 0xC2 || text[0] > 0xF4)
        return 0;
    code = text[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3F);
    }
    if (code < (n == 2 ? 0xA0u : n == 3 ? 0x800u : 0x10000u) || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ||
        (code & 0xFFFE) == 0xFFFE)
        return 0;
    return n;
}

static void
put_xml(hd_out_file *out, const char *text, bool keeps_lines)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at != '\0') {
        size_t n = character_length(at);

        switch (*at) {
        case '<': hd_out_file_put(out, "&lt;", 4); break;
        case '>': hd_out_file_put(out, "&gt;", 4); break;
        case '&': hd_out_file_put(out, "&amp;", 5); break;
        case '"': hd_out_file_put(out, "&quot;", 6); break;
        case '\'': hd_out_file_put(out, "&apos;", 6); break;
        case '\n':
        case '\t': hd_out_file_put(out, keeps_lines ? (const char *)at : "?", 1); break;
        default: hd_out_file_put(out, n > 0 ? (const char *)at : "?", n > 0 ? n : 1); break;
        }
        at += n > 0 ? n : 1;
    }
}

void
hd_out_file_put_xml(hd_out_file *out, const char *text)
{
    put_xml(out, text, false);
}

void
hd_out_file_put_xml_lines(hd_out_file *out, const char *text)
{
    put_xml(out, text, true);
}

#include "out_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

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
hd_out_file_put_large(hd_out_file *out, const void *data, size_t bytes)
{
    if (bytes < HD_OUT_FILE_LARGE) {
        hd_out_file_put(out, data, bytes);
        return;
    }
    hd_out_file_flush(out);
    if (out->error == 0)
        out->error = hd_write_at(out->fd, data, bytes, out->at);
    out->at += bytes;
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
    while (n > 0) {
        size_t room = HD_OUT_FILE_BYTES - out->n;
        size_t part = n < room ? n : room;

        memset(out->buffer + out->n, byte, part);
        out->n += part;
        n -= part;
        if (out->n == HD_OUT_FILE_BYTES)
            hd_out_file_flush(out);
    }
}

/* The length of the UTF-8 sequence at text if it is a character that XML may contain, and that does no harm, else 0. */
static size_t
character_length(const unsigned char *text)
{
    return hd_text_unsafe(text) > 0 ? 0 : hd_text_character(text);
}

/* Bytes at text that XML has as they are; ASCII only. */
static size_t
plain_length(const unsigned char *text)
{
    size_t n = 0;

    while (text[n] >= ' ' && text[n] < 0x7F && text[n] != '<' && text[n] != '>' && text[n] != '&' && text[n] != '"' &&
           text[n] != '\'')
        n++;
    return n;
}

static void
put_xml(hd_out_file *out, const char *text, bool keeps_lines)
{
    const unsigned char *at = (const unsigned char *)text;

    for (;;) {
        size_t n = plain_length(at);

        hd_out_file_put(out, at, n);
        at += n;
        if (*at == '\0')
            return;
        n = character_length(at);
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

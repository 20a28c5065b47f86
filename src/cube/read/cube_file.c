#include "cube_file.h"

#include <errno.h>
#include <unistd.h>

#include "memory.h"

enum { BLOCK_BYTES = 512 };

hd_status
hd_cube_read_at(const hd_cube *cube, void *to, uint64_t bytes, uint64_t at)
{
    char *into = to;

    while (bytes > 0) {
        ssize_t n = pread(cube->file->fd, into, bytes < (1u << 30) ? (size_t)bytes : 1u << 30, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return hd_fail(HD_EREAD, "cannot read report \"%s\": %s", cube->path, strerror(errno));
        if (n == 0)
            return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
        into += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return HD_OK;
}

/* Like hd_cube_read_at() for what lies close together. */
hd_status
hd_cube_read_near(const hd_cube *cube, hd_cube_window *window, void *to, uint64_t bytes, uint64_t at)
{
    hd_status status;

    if (bytes > HD_CUBE_WINDOW_BYTES)
        return hd_cube_read_at(cube, to, bytes, at);
    if (at < window->at || at + bytes > window->at + window->n) {
        uint64_t rest = at < cube->file->bytes ? cube->file->bytes - at : 0;

        window->n = 0;
        if (bytes > rest)
            return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
        if (window->bytes == NULL)
            window->bytes = HD_NEW_UNSET(uint8_t, HD_CUBE_WINDOW_BYTES);
        rest   = rest < HD_CUBE_WINDOW_BYTES ? rest : HD_CUBE_WINDOW_BYTES;
        status = hd_cube_read_at(cube, window->bytes, rest, at);
        if (status != HD_OK)
            return status;
        window->at = at;
        window->n  = (size_t)rest;
    }
    memcpy(to, window->bytes + (at - window->at), (size_t)bytes);
    return HD_OK;
}

static hd_status
read_near(const hd_cube *cube, void *to, uint64_t bytes, uint64_t at)
{
    return hd_cube_read_near(cube, &cube->file->window, to, bytes, at);
}

static bool
parse_octal(const uint8_t *field, size_t n, uint64_t *value)
{
    size_t i = 0;

    *value = 0;
    while (i < n && field[i] == ' ')
        i++;
    for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
        *value = *value << 3 | (uint64_t)(field[i] - '0');
    return i == n || field[i] == '\0' || field[i] == ' ';
}

/* Checksums are not held against the block: several releases of Cube write wrong ones. */
static bool
is_header(const uint8_t *block)
{
    uint64_t size;

    return memcmp(block + 257, "ustar", 5) == 0 && block[0] != '\0' && parse_octal(block + 124, 12, &size);
}

uint64_t
hd_cube_number(const uint8_t *bytes, size_t n, bool swaps)
{
    uint64_t value = 0;

    for (size_t i = 0; i < n; i++)
        value |= (uint64_t)bytes[swaps ? n - 1 - i : i] << 8 * i;
    return value;
}

/* The end of a compressed member, whose header may give the size that it has uncompressed. 0: it is no such member. */
static uint64_t
packed_bytes(const hd_cube *cube, uint64_t data)
{
    const hd_cube_file *file = cube->file;
    uint8_t          head[19] = { 0 }, entry[24] = { 0 };

    if (file->bytes - data < sizeof head || read_near(cube, head, sizeof head, data) != HD_OK ||
        memcmp(head, "ZCUBEX.DATA", 11) != 0)
        return 0;
    for (int swaps = 0; swaps < 2; swaps++) { /* the byte order is said in the index only; the right one fits into the
                                               * file */
        uint64_t rest   = file->bytes - data - sizeof head;
        uint64_t n_rows = hd_cube_number(head + 11, 8, swaps != 0);
        uint64_t end    = 0;
        bool     fits   = n_rows <= rest / sizeof entry;

        for (uint64_t i = 0; i < n_rows && fits; i++) {
            uint64_t start, bytes;

            if (read_near(cube, entry, sizeof entry, data + sizeof head + i * sizeof entry) != HD_OK)
                return 0;
            start = hd_cube_number(entry + 8, 8, swaps != 0);
            bytes = hd_cube_number(entry + 16, 8, swaps != 0);
            fits  = start <= rest && bytes <= rest - start && start + bytes <= rest - n_rows * sizeof entry;
            if (fits && start + bytes > end)
                end = start + bytes;
        }
        if (fits)
            return sizeof head + n_rows * sizeof entry + end;
    }
    return 0;
}

/* The next header at or after a place; the end of the file if there is none. */
static uint64_t
find_header(const hd_cube *cube, uint64_t at)
{
    const hd_cube_file *file = cube->file;
    uint8_t          block[BLOCK_BYTES] = { 0 };

    for (; at <= file->bytes && file->bytes - at >= BLOCK_BYTES; at += BLOCK_BYTES)
        if (read_near(cube, block, sizeof block, at) != HD_OK)
            break;
        else if (is_header(block))
            return at;
    return file->bytes;
}

static bool
is_header_at(const hd_cube *cube, uint64_t at)
{
    uint8_t block[BLOCK_BYTES] = { 0 };

    return at <= cube->file->bytes && cube->file->bytes - at >= BLOCK_BYTES &&
           read_near(cube, block, sizeof block, at) == HD_OK && is_header(block);
}

/* Cube's writers put an empty block after members that fill their last block; tar programs do not. Where neither place
 * has a header, the size was wrong, and the next one is searched for. */
static uint64_t
next_header(const hd_cube *cube, uint64_t data, uint64_t bytes)
{
    uint64_t cubes_way = data + (bytes / BLOCK_BYTES + (bytes > 0)) * BLOCK_BYTES;
    uint64_t tars_way  = data + (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;

    if (is_header_at(cube, cubes_way))
        return cubes_way;
    if (is_header_at(cube, tars_way))
        return tars_way;
    return find_header(cube, data);
}

static uint64_t
pax_size(const hd_cube *cube, uint64_t data, uint64_t bytes)
{
    char        text[BLOCK_BYTES + 1] = { 0 };
    const char *at;

    if (read_near(cube, text, bytes < BLOCK_BYTES ? bytes : BLOCK_BYTES, data) != HD_OK)
        return 0;
    at = strstr(text, " size=");
    return at == NULL ? 0 : strtoull(at + 6, NULL, 10);
}

/* Reports before version 4 were one XML text each, or a compressed one. */
static hd_status
no_archive(const hd_cube *cube)
{
    uint8_t   head[6] = { 0 };
    uint64_t  n       = cube->file->bytes < sizeof head ? cube->file->bytes : sizeof head;
    hd_status status;

    if (hd_cube_read_at(cube, head, n, 0) != HD_OK)
        return HD_EREAD;
    if (memcmp(head, "<?xml", 5) != 0 && memcmp(head, "<cube", 5) != 0 && memcmp(head, "\x1F\x8B", 2) != 0)
        return hd_fail(HD_EFORMAT, "\"%s\" is no Cube report: it does not begin like a tar archive", cube->path);
    status = hd_fail(HD_EFORMAT, "\"%s\" is no Cube4 report, but a %s file, as reports of Cube 3 are", cube->path,
                     head[0] == '<' ? "XML" : "gzip'ed");
    hd_fail_detail("try", "make a .cubex file of it with cube3to4, which comes with CubeLib");
    return status;
}

hd_status
hd_cube_find_members(hd_cube *cube)
{
    hd_cube_file *file   = cube->file;
    uint64_t   forced = 0; /* size that a header before this one gave */
    uint64_t   at     = 0;

    if (!is_header_at(cube, 0))
        return no_archive(cube);
    while (file->bytes - at >= BLOCK_BYTES) {
        uint8_t    block[BLOCK_BYTES] = { 0 };
        hd_tar_member member = { .data = at + BLOCK_BYTES };
        uint64_t   rest   = file->bytes - member.data;
        uint64_t   packed;

        if (read_near(cube, block, sizeof block, at) != HD_OK)
            return HD_EREAD;
        parse_octal(block + 124, 12, &member.bytes);
        memcpy(member.name, block, 100);
        if (block[156] == 'x') {
            if (member.bytes > rest)
                return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
            forced = pax_size(cube, member.data, member.bytes);
            at     = next_header(cube, member.data, member.bytes);
            continue;
        }
        if (forced > 0)
            member.bytes = forced;
        forced = 0;
        packed = packed_bytes(cube, member.data);
        if (packed > 0)
            member.bytes = packed;
        if (member.bytes > rest)
            member.bytes = rest; /* its reader finds it too short */
        HD_PUSH(file->members, file->n_members, file->members_capacity, member);
        at = next_header(cube, member.data, member.bytes);
    }
    return HD_OK;
}

const hd_tar_member *
hd_cube_find_member(const hd_cube *cube, const char *name)
{
    for (size_t i = cube->file->n_members; i-- > 0;)
        if (strcmp(cube->file->members[i].name, name) == 0)
            return &cube->file->members[i];
    return NULL;
}

const char *
hd_cube_keep(hd_cube *cube, const char *text)
{
    char *copy;

    if (*text == '\0')
        return "";
    copy = hd_strdup(text);
    HD_PUSH(cube->file->texts, cube->file->n_texts, cube->file->texts_capacity, copy);
    return copy;
}

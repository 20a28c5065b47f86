/* src/record/finish/symbols/source_lines.c: reads line tables (DWARF 5, 6.2; earlier versions have another head). */
#include "source_lines.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>

#include "memory.h"

typedef struct text { /* bytes of the file */
    const char *at, *end;
    bool        is_over; /* it was read beyond its end */
} text;

typedef struct row { /* of the table; the program that makes it goes on from there */
    uint64_t address, file;
    int64_t  line;
    bool     is_end; /* of the sequence: behind its last instruction */
} row;

typedef struct piece { /* of a sequence, which is of instructions without a gap */
    uint64_t from, end;
    uint32_t unit, program; /* where in the section the head of its table is, and its own part of it */
    row      before;        /* the state in which that part begins */
} piece;

enum { PIECE_ROWS = 512 }; /* or more, if those behind have the same address: a look-up reads them from the first on */

enum { N_SECTIONS = 3 };

struct hd_source_lines {
    text   section, line_strings, strings;
    char  *inflated[N_SECTIONS]; /* of those that are compressed; else NULL */
    piece *pieces; /* [n] by address */
    size_t n, room;
    char **files; /* [n_files] that were asked for */
    size_t n_files, room_files;
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static uint64_t
fixed(text *from, size_t bytes)
{
    uint64_t value = 0;

    if (bytes > sizeof value || (size_t)(from->end - from->at) < bytes) {
        from->is_over = true;
        from->at      = from->end;
        return 0;
    }
    memcpy(&value, from->at, bytes); /* ELF files of this machine: little-endian, as the recorder is for */
    from->at += bytes;
    return value;
}

static uint64_t
leb(text *from, bool has_sign)
{
    uint64_t value = 0;
    uint32_t shift = 0, byte;

    do {
        byte = (uint32_t)fixed(from, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && !from->is_over);
    if (has_sign && shift < 64 && (byte & 0x40) != 0)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static uint64_t
unsigned_leb(text *from)
{
    return leb(from, false);
}

static int64_t
signed_leb(text *from)
{
    return (int64_t)leb(from, true);
}

/* "" beyond the end. */
static const char *
string(text *from)
{
    const char *begin = from->at, *end = memchr(begin, '\0', (size_t)(from->end - begin));

    if (end == NULL) {
        from->is_over = true;
        from->at      = from->end;
        return "";
    }
    from->at = end + 1;
    return begin;
}

static const char *
string_at(const text *strings, uint64_t offset)
{
    text from = *strings;

    if (offset >= (size_t)(from.end - from.at))
        return "";
    from.at += offset;
    return string(&from);
}

static void
skip(text *from, uint64_t bytes)
{
    if (bytes > (size_t)(from->end - from->at)) {
        from->is_over = true;
        from->at      = from->end;
    } else
        from->at += bytes;
}

/* ---- head of a table --------------------------------------------------------------------------------------------- */

typedef struct unit {
    text     program, names; /* names: of folders and files */
    uint32_t version, line_range, opcode_base, shortest;
    int32_t  line_base;
    bool     is_64; /* offsets have 8 bytes */
    uint8_t  operands[256];
} unit;

/* At the begin of a unit; leaves the text behind it. False: there is none that is known. */
static bool
read_unit(text *from, unit *head)
{
    uint64_t bytes = fixed(from, 4);
    text     own;

    head->is_64 = bytes == UINT32_MAX;
    if (head->is_64)
        bytes = fixed(from, 8);
    own = *from;
    skip(from, bytes);
    if (from->is_over)
        return false;
    own.end       = from->at;
    head->version = (uint32_t)fixed(&own, 2);
    if (head->version < 2 || head->version > 5)
        return false;
    if (head->version == 5)
        skip(&own, 2); /* sizes of an address and of a segment */
    bytes         = fixed(&own, head->is_64 ? 8 : 4);
    head->program = own;
    skip(&head->program, bytes);
    head->shortest = (uint32_t)fixed(&own, 1);
    if (head->version >= 4)
        skip(&own, 1); /* operations of an instruction: of machines with long ones */
    skip(&own, 1);
    head->line_base   = ((int32_t)fixed(&own, 1) ^ 0x80) - 0x80; /* has a sign */
    head->line_range  = (uint32_t)fixed(&own, 1);
    head->opcode_base = (uint32_t)fixed(&own, 1);
    for (uint32_t i = 1; i < head->opcode_base; i++)
        head->operands[i] = (uint8_t)fixed(&own, 1);
    head->names = own;
    return !own.is_over && !head->program.is_over && head->line_range > 0 && head->opcode_base > 0;
}

enum { FORM_DATA2 = 5, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 0x0b, FORM_STRP = 0x0e,
       FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f };
enum { CONTENT_PATH = 1, CONTENT_FOLDER };

/* Of a number the value, of a text the text; another form ends the table. */
static uint64_t
value_of_form(const hd_source_lines *lines, const unit *head, text *from, uint64_t form, const char **path)
{
    switch (form) {
    case FORM_STRING:
        *path = string(from);
        return 0;
    case FORM_LINE_STRP:
        *path = string_at(&lines->line_strings, fixed(from, head->is_64 ? 8 : 4));
        return 0;
    case FORM_STRP:
        *path = string_at(&lines->strings, fixed(from, head->is_64 ? 8 : 4));
        return 0;
    case FORM_DATA1:
        return fixed(from, 1);
    case FORM_DATA2:
        return fixed(from, 2);
    case FORM_DATA4:
        return fixed(from, 4);
    case FORM_DATA8:
        return fixed(from, 8);
    case FORM_UDATA:
        return unsigned_leb(from);
    case FORM_DATA16:
        skip(from, 16);
        return 0;
    case FORM_BLOCK:
        skip(from, unsigned_leb(from));
        return 0;
    default:
        from->is_over = true;
        from->at      = from->end;
        return 0;
    }
}

/* Reads a list of version 5, of folders or of files; its entry `wanted`: path and number of the folder. */
static void
read_entries(const hd_source_lines *lines, const unit *head, text *from, uint64_t wanted, const char **path,
             uint64_t *folder)
{
    uint8_t  n_forms = (uint8_t)fixed(from, 1);
    uint64_t forms[256][2], n;

    for (uint32_t i = 0; i < n_forms; i++) {
        forms[i][0] = unsigned_leb(from);
        forms[i][1] = unsigned_leb(from);
    }
    n = unsigned_leb(from);
    for (uint64_t i = 0; i < n && n_forms > 0 && !from->is_over; i++)
        for (uint32_t k = 0; k < n_forms; k++) {
            const char *own_path = "";
            uint64_t    value    = value_of_form(lines, head, from, forms[k][1], &own_path);

            if (i == wanted && forms[k][0] == CONTENT_PATH)
                *path = own_path;
            else if (i == wanted && forms[k][0] == CONTENT_FOLDER)
                *folder = value;
        }
}

/* Versions 2 to 4: files and folders have numbers from 1 on. */
static void
read_old_names(text from, uint64_t number, const char **path, const char **folder)
{
    text        folders = from;
    const char *name;
    uint64_t    wanted = 0;

    while (*string(&from) != '\0')
        ;
    for (uint64_t i = 1; *(name = string(&from)) != '\0'; i++) {
        uint64_t own = unsigned_leb(&from);

        unsigned_leb(&from); /* time */
        unsigned_leb(&from); /* bytes */
        if (i == number) {
            *path  = name;
            wanted = own;
            break;
        }
    }
    for (uint64_t i = 1; wanted > 0 && *(name = string(&folders)) != '\0'; i++)
        if (i == wanted)
            *folder = name;
}

/* NULL: it has no name. */
static const char *
file_of(hd_source_lines *lines, const unit *head, uint64_t number)
{
    const char *path = "", *folder = "", *no_path = "";
    uint64_t    of_folder = UINT64_MAX, none = 0;
    text        from = head->names, folders = head->names;
    char       *name;

    if (head->version < 5)
        read_old_names(from, number, &path, &folder);
    else {
        read_entries(lines, head, &from, UINT64_MAX, &no_path, &none);
        read_entries(lines, head, &from, number, &path, &of_folder);
        read_entries(lines, head, &folders, of_folder, &folder, &none);
    }
    if (*path == '\0')
        return NULL;
    name = *path == '/' || *folder == '\0' ? hd_strdup(path) : hd_format("%s/%s", folder, path);
    for (size_t i = 0; i < lines->n_files; i++)
        if (strcmp(lines->files[i], name) == 0) {
            free(name);
            return lines->files[i];
        }
    HD_PUSH(lines->files, lines->n_files, lines->room_files, name);
    return name;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE, SET_BLOCK, CONST_ADD_PC, FIXED_ADVANCE_PC };
enum { EXTENDED_END = 1, EXTENDED_ADDRESS };

/* True: it makes a row. */
static bool
run_extended(text *program, row *state)
{
    uint64_t bytes = unsigned_leb(program);
    text     own   = *program;
    uint64_t code;

    skip(program, bytes);
    own.end = program->at;
    code    = fixed(&own, 1);
    if (code == EXTENDED_ADDRESS)
        state->address = fixed(&own, (size_t)(own.end - own.at));
    state->is_end = code == EXTENDED_END;
    return state->is_end;
}

static bool
run_standard(const unit *head, text *program, uint32_t code, row *state)
{
    switch (code) {
    case COPY:
        return true;
    case ADVANCE_PC:
        state->address += unsigned_leb(program) * head->shortest;
        return false;
    case ADVANCE_LINE:
        state->line = (int64_t)((uint64_t)state->line + (uint64_t)signed_leb(program));
        return false;
    case SET_FILE:
        state->file = unsigned_leb(program);
        return false;
    case CONST_ADD_PC:
        state->address += (uint64_t)((255 - head->opcode_base) / head->line_range) * head->shortest;
        return false;
    case FIXED_ADVANCE_PC:
        state->address += fixed(program, 2);
        return false;
    default:
        for (uint32_t i = 0; i < head->operands[code]; i++)
            unsigned_leb(program);
        return false;
    }
}

/* To the next row; false: the program is over. */
static bool
next_row(const unit *head, text *program, row *state)
{
    while (program->at < program->end && !program->is_over) {
        uint32_t code = (uint32_t)fixed(program, 1);

        if (code >= head->opcode_base) {
            code -= head->opcode_base;
            state->address += (uint64_t)(code / head->line_range) * head->shortest;
            state->line = (int64_t)((uint64_t)state->line +
                                    (uint64_t)(int64_t)(head->line_base + (int32_t)(code % head->line_range)));
            return true;
        }
        if (code == 0 ? run_extended(program, state) : run_standard(head, program, code, state))
            return true;
    }
    return false;
}

static const row first_row = { .file = 1, .line = 1 };

/* What a linker has left out stands at address 0. */
static void
read_pieces(hd_source_lines *lines, const unit *head, uint32_t at)
{
    const piece start = { .from = UINT64_MAX, .unit = at, .before = first_row };
    text        program = head->program;
    row         state   = first_row;
    piece       own = start, next = start; /* next: that would begin with the row that is read */
    size_t      n = 0, n_whole = lines->n;
    bool        is_left_out = false;

    own.program = next.program = (uint32_t)(program.at - lines->section.at);
    while (next_row(head, &program, &state)) {
        if (state.is_end || (n >= PIECE_ROWS && state.address > next.before.address)) {
            own.end = state.address;
            if (own.from < own.end)
                HD_PUSH(lines->pieces, lines->n, lines->room, own);
            own = next;
            n   = 0;
        }
        if (state.is_end) {
            n_whole = lines->n = is_left_out ? n_whole : lines->n;
            is_left_out        = false;
            state              = first_row;
        } else {
            own.from = state.address < own.from ? state.address : own.from;
            is_left_out |= state.address == 0;
            n++;
        }
        next.before  = state;
        next.program = (uint32_t)(program.at - lines->section.at);
        own          = n > 0 ? own : next;
    }
    lines->n = n_whole;
}

static int
by_address(const void *a_, const void *b_)
{
    const piece *a = a_, *b = b_;

    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->program > b->program) - (a->program < b->program);
}

static const piece *
find_piece(const hd_source_lines *lines, uint64_t address)
{
    size_t low = 0, high = lines->n;

    while (low < high) { /* the first one behind the address */
        size_t middle = low + (high - low) / 2;

        if (lines->pieces[middle].from <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < lines->pieces[low - 1].end ? &lines->pieces[low - 1] : NULL;
}

hd_source_line
hd_source_lines_find(hd_source_lines *lines, uint64_t address)
{
    const piece *part = find_piece(lines, address);
    text         from = lines->section;
    row          state, found = { 0 };
    unit         head;

    if (part == NULL)
        return (hd_source_line){ 0 };
    from.at += part->unit;
    if (!read_unit(&from, &head))
        return (hd_source_line){ 0 };
    from    = head.program;
    from.at = lines->section.at + part->program;
    state   = part->before;
    while (found.address != address && next_row(&head, &from, &state) && !state.is_end && state.address <= address)
        found = state;
    if (found.line < 1 || found.line > INT32_MAX)
        return (hd_source_line){ 0 };
    return (hd_source_line){ .file = file_of(lines, &head, found.file), .line = (uint32_t)found.line };
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static const void *
part_of(const char *file, size_t n, uint64_t offset, uint64_t bytes)
{
    return offset > n || bytes > n - offset ? NULL : file + offset;
}

enum { MAX_INFLATED = 1 << 30, MAX_RATIO = 1032 }; /* what zlib makes of a byte at most */

/* A section that is compressed; free() it. NULL: it is damaged, too large, or compressed in another way. */
static char *
inflated(const char *bytes, uint64_t n, uint64_t *n_inflated)
{
    Elf64_Chdr head;
    uLongf     size;
    char      *to;

    if (n < sizeof head)
        return NULL;
    memcpy(&head, bytes, sizeof head);
    n -= sizeof head;
    if (head.ch_type != ELFCOMPRESS_ZLIB || head.ch_size == 0 || head.ch_size > MAX_INFLATED ||
        head.ch_size / MAX_RATIO > n)
        return NULL;
    *n_inflated = size = head.ch_size;
    to          = HD_NEW_UNSET(char, head.ch_size + 1);
    if (uncompress((Bytef *)to, &size, (const Bytef *)bytes + sizeof head, n) == Z_OK && size == head.ch_size)
        return to;
    free(to);
    return NULL;
}

static void
take_section(hd_source_lines *lines, const char *name, const char *bytes, uint64_t n, bool is_compressed)
{
    static const char *const names[N_SECTIONS] = { ".debug_line", ".debug_line_str", ".debug_str" };
    text                    *to[N_SECTIONS]    = { &lines->section, &lines->line_strings, &lines->strings };
    uint32_t                 i                 = 0;

    while (i < N_SECTIONS && strcmp(name, names[i]) != 0)
        i++;
    if (i == N_SECTIONS || to[i]->at != to[i]->end || lines->inflated[i] != NULL)
        return;
    if (is_compressed)
        bytes = lines->inflated[i] = inflated(bytes, n, &n);
    if (bytes != NULL)
        *to[i] = (text){ .at = bytes, .end = bytes + n };
}

static void
find_sections(hd_source_lines *lines, const char *file, size_t n)
{
    const Elf64_Ehdr *head = (const void *)file;
    const Elf64_Shdr *sections, *names;
    text              texts;

    if (n < sizeof *head || head->e_shoff % 8 != 0)
        return;
    sections = part_of(file, n, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
    if (sections == NULL || head->e_shstrndx >= head->e_shnum)
        return;
    names    = &sections[head->e_shstrndx];
    texts.at = part_of(file, n, names->sh_offset, names->sh_size);
    if (texts.at == NULL)
        return;
    texts = (text){ .at = texts.at, .end = texts.at + names->sh_size };
    for (uint32_t i = 0; i < head->e_shnum; i++) {
        const char *name  = string_at(&texts, sections[i].sh_name);
        const char *bytes = part_of(file, n, sections[i].sh_offset, sections[i].sh_size);

        if (bytes != NULL && sections[i].sh_type != SHT_NOBITS)
            take_section(lines, name, bytes, sections[i].sh_size, (sections[i].sh_flags & SHF_COMPRESSED) != 0);
    }
}

hd_source_lines *
hd_source_lines_read(const char *file, size_t n)
{
    hd_source_lines *lines = HD_NEW(hd_source_lines);
    text             from;

    lines->section = lines->line_strings = lines->strings = (text){ .at = file, .end = file };
    find_sections(lines, file, n);
    from = lines->section;
    if (from.at == from.end || (size_t)(from.end - from.at) > UINT32_MAX) {
        hd_source_lines_free(lines);
        return NULL;
    }
    while (from.at < from.end && !from.is_over) {
        uint32_t at = (uint32_t)(from.at - lines->section.at);
        unit     head;

        if (read_unit(&from, &head))
            read_pieces(lines, &head, at);
    }
    if (lines->n > 0)
        qsort(lines->pieces, lines->n, sizeof *lines->pieces, by_address);
    return lines;
}

void
hd_source_lines_free(hd_source_lines *lines)
{
    if (lines == NULL)
        return;
    for (size_t i = 0; i < lines->n_files; i++)
        free(lines->files[i]);
    for (uint32_t i = 0; i < N_SECTIONS; i++)
        free(lines->inflated[i]);
    free(lines->files);
    free(lines->pieces);
    free(lines);
}

/* src/record/finish/symbols/symbols.c: reads the functions of an ELF file. */
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "object_identity.h"

typedef hd_mapped_file image;

/* [count] elements of `size` bytes at `offset`; NULL: they are not in the file, or not aligned. */
static const void *
part(const image *file, uint64_t offset, uint64_t count, size_t size)
{
    if (offset > file->n || offset % 8 != 0 || count > (file->n - offset) / size)
        return NULL;
    return file->bytes + offset;
}

/* What compilers take out of a function belongs to it. Readers of archives read mangled names themselves. */
static size_t
plain_length(const char *name)
{
    size_t length = strcspn(name, ".");

    return length > 0 ? length : strlen(name);
}

const char *
hd_symbols_name(const hd_symbols *symbols, hd_symbol *symbol)
{
    if (symbol->name == NULL && symbol->given != NULL)
        symbol->name = hd_format("%.*s", (int)plain_length(symbol->given), symbol->given);
    else if (symbol->name == NULL)
        symbol->name = hd_symbols_address_name(symbols->path, symbol->from);
    return symbol->name;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Of one address: the longest first. */
static int
by_length(const void *a_, const void *b_)
{
    const hd_symbol *a = a_, *b = b_;
    const char      *first = a->given != NULL ? a->given : "", *second = b->given != NULL ? b->given : "";
    size_t           n = plain_length(first), m = plain_length(second);
    int              order;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    order = memcmp(first, second, n < m ? n : m);
    return order != 0 ? order : n < m ? -1 : n > m;
}

/* By one byte of the address, keeping the order of those that have the same. False: all have. */
static bool
sort_by_byte(const hd_symbol *from, hd_symbol *to, size_t n, uint32_t shift)
{
    size_t begins[257] = { 0 };

    for (size_t i = 0; i < n; i++)
        begins[1 + (from[i].from >> shift & 0xff)]++;
    if (n == 0 || begins[1 + (from[0].from >> shift & 0xff)] == n)
        return false;
    for (size_t i = 1; i < 257; i++)
        begins[i] += begins[i - 1];
    for (size_t i = 0; i < n; i++)
        to[begins[from[i].from >> shift & 0xff]++] = from[i];
    return true;
}

/* Large files have 10^5 functions: no comparison but of those at one address. */
static void
sort(hd_symbols *symbols)
{
    hd_symbol *other = HD_NEW_ARRAY(hd_symbol, symbols->n + 1), *sorted = symbols->functions;

    for (uint32_t shift = 0; shift < 64; shift += 8)
        if (sort_by_byte(sorted, other, symbols->n, shift)) {
            hd_symbol *was = sorted;

            sorted = other;
            other  = was;
        }
    free(other);
    symbols->functions = sorted;
    for (size_t i = 0, end; i < symbols->n; i = end) {
        for (end = i + 1; end < symbols->n && sorted[end].from == sorted[i].from; end++)
            ;
        if (end > i + 1)
            qsort(sorted + i, end - i, sizeof *sorted, by_length);
    }
}

static hd_symbol *
find(const hd_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->n;

    while (low < high) { /* the first one behind the address */
        size_t middle = low + (high - low) / 2;

        if (symbols->functions[middle].from <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0) { /* several names of one address: the first of them */
        hd_symbol *found = &symbols->functions[low - 1];

        if (low > 1 && symbols->functions[low - 2].from == found->from) {
            low--;
            continue;
        }
        return found->bytes == 0 || address - found->from < found->bytes ? found : NULL;
    }
    return NULL;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void
read_table(hd_symbols *symbols, const image *file, const Elf64_Shdr *table, const Elf64_Shdr *names)
{
    const Elf64_Sym *entries = part(file, table->sh_offset, table->sh_size / sizeof *entries, sizeof *entries);
    size_t           n       = table->sh_size / sizeof *entries, room = symbols->n;
    const char      *texts, *end;

    if (entries == NULL || names->sh_offset > file->n || names->sh_size > file->n - names->sh_offset)
        return;
    texts = file->bytes + names->sh_offset;
    end   = texts + names->sh_size;
    while (end > texts && end[-1] != '\0') /* a name that ends is before the last end */
        end--;
    for (size_t i = 0; i < n; i++)
        if (ELF64_ST_TYPE(entries[i].st_info) == STT_FUNC && entries[i].st_shndx != SHN_UNDEF &&
            entries[i].st_name < (size_t)(end - texts) && texts[entries[i].st_name] != '\0')
            HD_PUSH(symbols->functions, symbols->n, room,
                    ((hd_symbol){ .from   = entries[i].st_value,
                                  .bytes  = entries[i].st_size,
                                  .given  = texts + entries[i].st_name,
                                  .region = HD_NONE }));
}

/* Of machine code, at this address; NULL: there is none. */
static const Elf64_Shdr *
code_at(const image *file, const Elf64_Ehdr *head, uint64_t address)
{
    const Elf64_Shdr *sections = part(file, head->e_shoff, head->e_shnum, sizeof *sections);

    for (uint32_t i = 0; sections != NULL && i < head->e_shnum; i++)
        if ((sections[i].sh_flags & SHF_EXECINSTR) != 0 && address >= sections[i].sh_addr &&
            address - sections[i].sh_addr < sections[i].sh_size)
            return &sections[i];
    return NULL;
}

/* Functions without a size end with their section: behind _init() are stubs for functions of libraries (.plt). */
static void
end_at_sections(hd_symbols *symbols, const image *file, const Elf64_Ehdr *head)
{
    for (size_t i = 0; i < symbols->n; i++) {
        hd_symbol        *function = &symbols->functions[i];
        const Elf64_Shdr *code     = function->bytes == 0 ? code_at(file, head, function->from) : NULL;

        if (code != NULL)
            function->bytes = code->sh_addr + code->sh_size - function->from;
    }
}

static bool
read_sections(hd_symbols *symbols, const image *file, const Elf64_Ehdr *head, uint32_t kind)
{
    const Elf64_Shdr *sections = part(file, head->e_shoff, head->e_shnum, sizeof *sections);

    for (uint32_t i = 0; sections != NULL && i < head->e_shnum; i++)
        if (sections[i].sh_type == kind && sections[i].sh_link < head->e_shnum)
            read_table(symbols, file, &sections[i], &sections[sections[i].sh_link]);
    return symbols->n > 0;
}

/* The next segment of this kind behind another one, NULL: the first. NULL: there is none. */
static const Elf64_Phdr *
segment(const image *file, const Elf64_Ehdr *head, uint32_t kind, const Elf64_Phdr *behind)
{
    const Elf64_Phdr *segments = part(file, head->e_phoff, head->e_phnum, sizeof *segments);

    for (ptrdiff_t at = behind != NULL ? behind - segments + 1 : 0; segments != NULL && at < head->e_phnum; at++)
        if (segments[at].p_type == kind)
            return &segments[at];
    return NULL;
}

static image
map_file(const char *path)
{
    int         fd   = open(path, O_RDONLY | O_CLOEXEC);
    image       file = { 0 };
    struct stat status;
    void       *mapped;

    if (fd < 0)
        return file;
    if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(Elf64_Ehdr)) {
        mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (mapped != MAP_FAILED)
            file = (image){ .bytes = mapped, .n = (size_t)status.st_size };
    }
    close(fd);
    return file;
}

static void
unmap_file(const image *file)
{
    if (file->bytes != NULL)
        munmap((void *)(uintptr_t)file->bytes, file->n);
}

/* NULL: it is no ELF file of 64 bits. */
static const Elf64_Ehdr *
head_of(const image *file)
{
    const Elf64_Ehdr *head = (const void *)file->bytes;

    return head != NULL && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 ? head :
                                                                                                                  NULL;
}

/* ---- a file of debug symbols of its own -------------------------------------------------------------------------- */

enum { MAX_NOTES = 256 }; /* that are looked at: programs have some, damaged ones up to 10^10 */

/* Of the note with the build id; free() it. NULL: there is none. */
static char *
debug_path(const char *folder, const image *file, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *notes = NULL;
    uint32_t          n     = 0;

    while ((notes = segment(file, head, PT_NOTE, notes)) != NULL) {
        uint64_t at = notes->p_offset, end = notes->p_offset + notes->p_filesz;

        if (at > file->n || notes->p_filesz > file->n - at)
            continue;
        while (end - at >= sizeof(Elf64_Nhdr) && n++ < MAX_NOTES) {
            Elf64_Nhdr           note;
            const unsigned char *id;
            uint64_t             bytes;
            char                 digits[2 * 64 + 1];

            memcpy(&note, file->bytes + at, sizeof note);
            bytes = sizeof note + (((uint64_t)note.n_namesz + 3) & ~3ULL) + (((uint64_t)note.n_descsz + 3) & ~3ULL);
            if (bytes > end - at)
                break;
            id = (const unsigned char *)file->bytes + at + sizeof note + 4;
            at += bytes;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz < 2 || note.n_descsz > 64 ||
                memcmp(id - 4, "GNU", 4) != 0)
                continue;
            for (uint32_t k = 0; k < note.n_descsz; k++)
                snprintf(digits + (size_t)2 * k, 3, "%02x", id[k]);
            return hd_format("%s/%.2s/%s.debug", folder, digits, digits + 2);
        }
    }
    return NULL;
}

/* From the file, else from its file of debug symbols. */
static bool
read_symbols(hd_symbols *symbols, const char *folder, const image *file, const Elf64_Ehdr *head)
{
    const Elf64_Ehdr *own;

    symbols->debug_path = debug_path(folder, file, head);
    if (read_sections(symbols, file, head, SHT_SYMTAB)) /* the other file is looked for if lines are asked for */
        return true;
    symbols->debug = symbols->debug_path != NULL ? map_file(symbols->debug_path) : (image){ 0 };
    own            = head_of(&symbols->debug);
    return own != NULL && read_sections(symbols, &symbols->debug, own, SHT_SYMTAB);
}

char *
hd_symbols_address_name(const char *path, uint64_t address)
{
    const char *slash = strrchr(path, '/');

    return hd_format("%s+0x%" PRIx64, slash != NULL ? slash + 1 : path, address);
}

/* ---- functions without a name ------------------------------------------------------------------------------------ */

enum { FRAMES_VERSION = 1, FRAMES_PCREL_4 = 0x1b, FRAMES_UDATA_4 = 0x03, FRAMES_DATAREL_4 = 0x3b, FRAMES_HEAD = 12 };

/* Begins of functions: from the table by which exceptions find their frames, as linkers write it (.eh_frame_hdr). Where
 * the symbols have a function, and of stubs, which are of one size each, there is nothing to add. */
static void
read_frames(hd_symbols *symbols, const image *file, const Elf64_Ehdr *head)
{
    static const unsigned char encodings[] = { FRAMES_VERSION, FRAMES_PCREL_4, FRAMES_UDATA_4, FRAMES_DATAREL_4 };
    const Elf64_Phdr          *frames      = segment(file, head, PT_GNU_EH_FRAME, NULL);
    const char                *bytes;
    const hd_symbols           known       = *symbols;
    const Elf64_Shdr          *code        = NULL;
    hd_symbol                 *added       = NULL;
    size_t                     n_added = 0, room = 0;
    uint32_t                   n;

    if (frames == NULL || frames->p_offset > file->n || frames->p_filesz > file->n - frames->p_offset ||
        frames->p_filesz < FRAMES_HEAD)
        return;
    bytes = file->bytes + frames->p_offset;
    memcpy(&n, bytes + 8, sizeof n);
    if (memcmp(bytes, encodings, sizeof encodings) != 0 || n > (frames->p_filesz - FRAMES_HEAD) / 8)
        return;
    for (uint32_t i = 0; i < n; i++) {
        int32_t          from;
        uint64_t         address;
        const hd_symbol *at;
        bool             is_start;

        memcpy(&from, bytes + FRAMES_HEAD + (size_t)8 * i, sizeof from);
        address  = frames->p_vaddr + (uint64_t)(int64_t)from;
        at       = find(&known, address);
        is_start = address == head->e_entry;
        if (code == NULL || address < code->sh_addr || address - code->sh_addr >= code->sh_size)
            code = code_at(file, head, address);
        if (code != NULL && code->sh_entsize == 0 && (at == NULL || (at->bytes == 0 && at->from != address)))
            HD_PUSH(added, n_added, room,
                    ((hd_symbol){ .from        = address,
                                  .given       = is_start ? "_start" : NULL,
                                  .region      = HD_NONE,
                                  .is_nameless = !is_start }));
    }
    room = symbols->n;
    for (size_t i = 0; i < n_added; i++)
        HD_PUSH(symbols->functions, symbols->n, room, added[i]);
    free(added);
}

static uint64_t
identity_of(const image *file, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segments = part(file, head->e_phoff, head->e_phnum, sizeof *segments);
    uint64_t          identity = 0;

    for (uint32_t i = 0; segments != NULL && i < head->e_phnum && i < HD_OBJECT_MAX_SEGMENTS; i++) {
        bool is_there = segments[i].p_offset <= file->n && segments[i].p_filesz <= file->n - segments[i].p_offset;

        identity = hd_object_identity_add(identity, &segments[i],
                                          is_there && hd_object_identity_has_bytes(&segments[i]) ?
                                              (const unsigned char *)file->bytes + segments[i].p_offset :
                                              NULL);
    }
    return identity;
}

hd_symbols *
hd_symbols_read(const char *path, const char *debug)
{
    hd_symbols       *symbols = HD_NEW(hd_symbols);
    image             file    = map_file(path);
    const Elf64_Ehdr *head    = head_of(&file);

    symbols->path = hd_strdup(path);
    symbols->file = file;
    if (head != NULL) {
        if (!read_symbols(symbols, debug, &file, head)) {
            read_sections(symbols, &file, head, SHT_DYNSYM);
            sort(symbols);
            if (segment(&file, head, PT_INTERP, NULL) != NULL)
                read_frames(symbols, &file, head);
        }
        end_at_sections(symbols, &file, head);
        symbols->identity = identity_of(&file, head);
    }
    sort(symbols);
    return symbols;
}

void
hd_symbols_free(hd_symbols *symbols)
{
    if (symbols == NULL)
        return;
    for (size_t i = 0; i < symbols->n; i++)
        free(symbols->functions[i].name);
    free(symbols->functions);
    hd_source_lines_free(symbols->lines);
    hd_map_fini(&symbols->asked);
    hd_map_fini(&symbols->calls);
    free(symbols->places);
    unmap_file(&symbols->file);
    unmap_file(&symbols->debug);
    free(symbols->path);
    free(symbols->debug_path);
    free(symbols);
}

hd_symbol *
hd_symbols_find(const hd_symbols *symbols, uint64_t address)
{
    hd_symbol *found = find(symbols, address);

    if (found != NULL)
        hd_symbols_name(symbols, found);
    return found;
}

/* ---- places in the source ---------------------------------------------------------------------------------------- */

static hd_source_line
find_line(hd_symbols *symbols, uint64_t address)
{
    if (!symbols->has_looked_for_lines) {
        symbols->has_looked_for_lines = true;
        symbols->lines                = hd_source_lines_read(symbols->file.bytes, symbols->file.n);
        if (symbols->lines == NULL && symbols->debug.bytes == NULL && symbols->debug_path != NULL)
            symbols->debug = map_file(symbols->debug_path);
        if (symbols->lines == NULL)
            symbols->lines = hd_source_lines_read(symbols->debug.bytes, symbols->debug.n);
    }
    return symbols->lines != NULL ? hd_source_lines_find(symbols->lines, address) : (hd_source_line){ 0 };
}

/* All processes of a run ask for the same addresses. */
hd_source_line
hd_symbols_line_at(hd_symbols *symbols, uint64_t address)
{
    bool      is_new = false;
    uint64_t *index;

    if (address == HD_MAP_FREE)
        return (hd_source_line){ 0 };
    index = hd_map_add(&symbols->asked, address, &is_new);
    if (is_new) {
        *index = symbols->n_places;
        HD_PUSH(symbols->places, symbols->n_places, symbols->room_places, find_line(symbols, address));
    }
    return symbols->places[*index];
}

static bool
is_whole(const hd_symbol *symbol)
{
    return symbol->given == NULL || symbol->given[plain_length(symbol->given)] == '\0';
}

/* A part of a function ("step.part.0") is at the place of the function, if that is there, else at the first one of its
 * parts in that file. */
hd_source_line
hd_symbols_line_of(hd_symbols *symbols, const hd_symbol *symbol)
{
    hd_source_line found = hd_symbols_line_at(symbols, symbol->from);
    size_t         length;

    if (is_whole(symbol) || found.file == NULL)
        return found;
    length = plain_length(symbol->given);
    for (size_t i = 0; i < symbols->n; i++) {
        const hd_symbol *other = &symbols->functions[i];
        hd_source_line   own;

        if (other->given == NULL || strncmp(other->given, symbol->given, length) != 0 ||
            plain_length(other->given) != length)
            continue;
        own = hd_symbols_line_at(symbols, other->from);
        if (own.file == NULL || strcmp(own.file, found.file) != 0)
            continue;
        if (is_whole(other))
            return own;
        found.line = own.line < found.line ? own.line : found.line;
    }
    return found;
}

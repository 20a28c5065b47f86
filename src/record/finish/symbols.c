/* src/record/finish/symbols.c: reads the functions of an ELF file. */
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

typedef struct image { /* a mapped file */
    const char *bytes;
    size_t      n;
} image;

/* [count] elements of `size` bytes at `offset`; NULL: they are not in the file, or not aligned. */
static const void *
part(const image *file, uint64_t offset, uint64_t count, size_t size)
{
    if (offset > file->n || offset % 8 != 0 || count > (file->n - offset) / size)
        return NULL;
    return file->bytes + offset;
}

static int
by_address(const void *a_, const void *b_)
{
    const hd_symbol *a = a_, *b = b_;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* "main" of "main._omp_fn.0": what compilers take out of a function belongs to it. Readers of archives read mangled
 * names themselves. */
static char *
plain_name(const char *name, size_t n)
{
    const char *dot = memchr(name, '.', n);

    return hd_format("%.*s", (int)(dot != NULL && dot > name ? dot - name : (ptrdiff_t)n), name);
}

static void
read_table(hd_symbols *symbols, const image *file, const Elf64_Shdr *table, const Elf64_Shdr *names)
{
    const Elf64_Sym *entries = part(file, table->sh_offset, table->sh_size / sizeof *entries, sizeof *entries);
    size_t           n       = table->sh_size / sizeof *entries, room = symbols->n;

    if (entries == NULL || names->sh_offset > file->n || names->sh_size > file->n - names->sh_offset)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *name = file->bytes + names->sh_offset + entries[i].st_name, *end;

        if (ELF64_ST_TYPE(entries[i].st_info) != STT_FUNC || entries[i].st_shndx == SHN_UNDEF ||
            entries[i].st_name >= names->sh_size)
            continue;
        end = memchr(name, 0, names->sh_size - entries[i].st_name);
        if (end == NULL || end == name)
            continue;
        HD_PUSH(symbols->functions, symbols->n, room,
                ((hd_symbol){ .from   = entries[i].st_value,
                              .bytes  = entries[i].st_size,
                              .name   = plain_name(name, (size_t)(end - name)),
                              .region = HD_NONE }));
    }
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

static bool
read_debug_file(hd_symbols *symbols, const char *folder, const image *file, const Elf64_Ehdr *head)
{
    char             *path  = debug_path(folder, file, head);
    image             debug = path != NULL ? map_file(path) : (image){ 0 };
    const Elf64_Ehdr *own   = head_of(&debug);
    bool              found = own != NULL && read_sections(symbols, &debug, own, SHT_SYMTAB);

    unmap_file(&debug);
    free(path);
    return found;
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
    size_t                     n_known = symbols->n, room = symbols->n;
    uint32_t                   n;

    if (frames == NULL || frames->p_offset > file->n || frames->p_filesz > file->n - frames->p_offset ||
        frames->p_filesz < FRAMES_HEAD)
        return;
    bytes = file->bytes + frames->p_offset;
    memcpy(&n, bytes + 8, sizeof n);
    if (memcmp(bytes, encodings, sizeof encodings) != 0 || n > (frames->p_filesz - FRAMES_HEAD) / 8)
        return;
    for (uint32_t i = 0; i < n; i++) {
        int32_t           from;
        uint64_t          address;
        hd_symbols        known = { .functions = symbols->functions, .n = n_known };
        const hd_symbol  *at;
        const Elf64_Shdr *code;
        bool              is_start;

        memcpy(&from, bytes + FRAMES_HEAD + (size_t)8 * i, sizeof from);
        address  = frames->p_vaddr + (uint64_t)(int64_t)from;
        at       = hd_symbols_find(&known, address);
        code     = code_at(file, head, address);
        is_start = address == head->e_entry;
        if (code != NULL && code->sh_entsize == 0 && (at == NULL || (at->bytes == 0 && at->from != address)))
            HD_PUSH(symbols->functions, symbols->n, room,
                    ((hd_symbol){ .from        = address,
                                  .name        = is_start ? hd_strdup("_start") :
                                                            hd_symbols_address_name(symbols->path, address),
                                  .region      = HD_NONE,
                                  .is_nameless = !is_start }));
    }
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
    if (head != NULL) {
        if (!read_sections(symbols, &file, head, SHT_SYMTAB) && !read_debug_file(symbols, debug, &file, head)) {
            read_sections(symbols, &file, head, SHT_DYNSYM);
            if (symbols->n > 0)
                qsort(symbols->functions, symbols->n, sizeof *symbols->functions, by_address);
            if (segment(&file, head, PT_INTERP, NULL) != NULL)
                read_frames(symbols, &file, head);
        }
        end_at_sections(symbols, &file, head);
        symbols->identity = identity_of(&file, head);
    }
    if (symbols->n > 0)
        qsort(symbols->functions, symbols->n, sizeof *symbols->functions, by_address);
    unmap_file(&file);
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
    free(symbols->path);
    free(symbols);
}

hd_symbol *
hd_symbols_find(const hd_symbols *symbols, uint64_t address)
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

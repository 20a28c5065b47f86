/* src/record/finish/symbols.c: reads the functions of an ELF file. */
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

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
    size_t           n       = table->sh_size / sizeof *entries, room = 0;

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

/* Functions without a size end with their section: behind _init() are stubs for functions of libraries (.plt). */
static void
end_at_sections(hd_symbols *symbols, const Elf64_Shdr *sections, uint32_t n)
{
    for (size_t f = 0; f < symbols->n; f++) {
        hd_symbol *function = &symbols->functions[f];

        for (uint32_t i = 0; i < n && function->bytes == 0; i++)
            if ((sections[i].sh_flags & SHF_EXECINSTR) != 0 && function->from >= sections[i].sh_addr &&
                function->from - sections[i].sh_addr < sections[i].sh_size)
                function->bytes = sections[i].sh_addr + sections[i].sh_size - function->from;
    }
}

/* The table of all symbols has more than that for the linker. */
static void
read_sections(hd_symbols *symbols, const image *file, const Elf64_Ehdr *head)
{
    static const uint32_t kinds[] = { SHT_SYMTAB, SHT_DYNSYM };
    const Elf64_Shdr     *sections = part(file, head->e_shoff, head->e_shnum, sizeof *sections);

    for (size_t k = 0; sections != NULL && k < 2 && symbols->n == 0; k++)
        for (uint32_t i = 0; i < head->e_shnum; i++)
            if (sections[i].sh_type == kinds[k] && sections[i].sh_link < head->e_shnum)
                read_table(symbols, file, &sections[i], &sections[sections[i].sh_link]);
    if (sections != NULL && symbols->n > 0) {
        qsort(symbols->functions, symbols->n, sizeof *symbols->functions, by_address);
        end_at_sections(symbols, sections, head->e_shnum);
    }
}

static void
read_segments(hd_symbols *symbols, const image *file, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segments = part(file, head->e_phoff, head->e_phnum, sizeof *segments);

    symbols->base = UINT64_MAX;
    for (uint32_t i = 0; segments != NULL && i < head->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD) {
            uint64_t end = segments[i].p_vaddr + segments[i].p_memsz;

            symbols->base = segments[i].p_vaddr < symbols->base ? segments[i].p_vaddr : symbols->base;
            symbols->end  = end > symbols->end ? end : symbols->end;
        }
}

hd_symbols *
hd_symbols_read(const char *path)
{
    hd_symbols       *symbols = HD_NEW(hd_symbols);
    int               fd      = open(path, O_RDONLY | O_CLOEXEC);
    struct stat       status;
    image             file = { 0 };
    void             *mapped;
    const Elf64_Ehdr *head;

    symbols->path = hd_strdup(path);
    if (fd < 0)
        return symbols;
    if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof *head) {
        mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (mapped != MAP_FAILED)
            file = (image){ .bytes = mapped, .n = (size_t)status.st_size };
    }
    close(fd);
    head = (const void *)file.bytes;
    if (head != NULL && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64) {
        read_segments(symbols, &file, head);
        read_sections(symbols, &file, head);
    }
    if (file.bytes != NULL)
        munmap((void *)(uintptr_t)file.bytes, file.n);
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

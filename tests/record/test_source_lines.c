/* File and line of addresses of this program, which is built with one version of DWARF per test; of a long line table,
 * of compressed and of damaged ones. */
#include <elf.h>
#include <limits.h>
#include <stdint.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "memory.h"
#include "source_lines.h"

extern char __executable_start[];

typedef struct image {
    char  *bytes;
    size_t n;
} image;

__attribute__((noinline, noipa)) static uint64_t
calling_instruction(void) /* in this program's own space */
{
    return (uint64_t)(uintptr_t)__builtin_return_address(0) - 1 - (uint64_t)(uintptr_t)__executable_start;
}

enum { INLINED_LINE = __LINE__ + 5 };

__attribute__((always_inline)) static inline uint64_t
inlined(void)
{
    uint64_t at = calling_instruction();

    return at + (at == 0);
}

enum { NAME_LINE = __LINE__ + 3 };

__attribute__((noinline, noipa)) static uint64_t
a_function(int is_inlined)
{
    uint64_t at = is_inlined ? inlined() : 0;

    return at;
}

static uint64_t
own_space(uint64_t (*function)(int))
{
    return (uint64_t)(uintptr_t)function - (uint64_t)(uintptr_t)__executable_start;
}

static image
own_file(void)
{
    enum { MAX_BYTES = 1 << 22 };
    FILE *file = fopen("/proc/self/exe", "rb");
    image own  = { .bytes = malloc(MAX_BYTES) };

    REQUIRE(file != NULL && own.bytes != NULL);
    own.n = fread(own.bytes, 1, MAX_BYTES, file);
    fclose(file);
    REQUIRE(own.n > 1024 && own.n < MAX_BYTES);
    return own;
}

static const Elf64_Shdr *
section(const image *file, const char *wanted)
{
    const Elf64_Ehdr *head     = (const void *)file->bytes;
    const Elf64_Shdr *sections = (const void *)(file->bytes + head->e_shoff);

    for (uint32_t i = 0; i < head->e_shnum; i++)
        if (strcmp(file->bytes + sections[head->e_shstrndx].sh_offset + sections[i].sh_name, wanted) == 0)
            return &sections[i];
    return NULL;
}

/* The section has these bytes, behind the file, in place of its own. */
static void
replace(image *file, const char *name, const void *bytes, size_t n, bool is_compressed)
{
    Elf64_Shdr *part;

    file->bytes = realloc(file->bytes, file->n + n);
    REQUIRE(file->bytes != NULL);
    memcpy(file->bytes + file->n, bytes, n);
    part = (Elf64_Shdr *)(uintptr_t)section(file, name);
    REQUIRE(part != NULL);
    part->sh_offset = file->n;
    part->sh_size   = n;
    part->sh_flags |= is_compressed ? SHF_COMPRESSED : 0;
    file->n += n;
}

static void
check_line(const hd_source_line *found, uint32_t line)
{
    REQUIRE(found->file != NULL);
    CHECK_STR(strrchr(found->file, '/') + 1, "test_source_lines.c");
    CHECK_EQ(found->line, line);
}

TEST(the_table_has_the_version_that_was_asked_for)
{
    image             own  = own_file();
    const Elf64_Shdr *part = section(&own, ".debug_line");
    const uint8_t    *bytes;
    bool              is_there = false;

    REQUIRE(part != NULL);
    bytes = (const uint8_t *)own.bytes + part->sh_offset;
    for (uint64_t at = 0; at + 8 < part->sh_size;) {
        uint32_t n;

        memcpy(&n, bytes + at, sizeof n);
        is_there |= bytes[at + 4] == DWARF_VERSION;
        at += 4 + (uint64_t)n;
    }
    CHECK(is_there);
    free(own.bytes);
}

TEST(an_instruction_of_an_inlined_function_has_the_line_of_that)
{
    image            own   = own_file();
    hd_source_lines *lines = hd_source_lines_read(own.bytes, own.n);
    hd_source_line   found;

    REQUIRE(lines != NULL);
    found = hd_source_lines_find(lines, a_function(1));
    check_line(&found, INLINED_LINE);
    hd_source_lines_free(lines);
    free(own.bytes);
}

/* GCC: at its brace. */
TEST(a_function_begins_at_its_name_or_brace)
{
    image            own   = own_file();
    hd_source_lines *lines = hd_source_lines_read(own.bytes, own.n);
    uint64_t         at    = own_space(a_function);
    hd_source_line   found;

    REQUIRE(lines != NULL);
    found = hd_source_lines_find(lines, at);
    check_line(&found, found.line == NAME_LINE ? NAME_LINE : NAME_LINE + 1);
    CHECK(hd_source_lines_find(lines, at).file == found.file);
    hd_source_lines_free(lines);
    free(own.bytes);
}

TEST(an_address_without_code_has_none)
{
    image            own   = own_file();
    hd_source_lines *lines = hd_source_lines_read(own.bytes, own.n);

    REQUIRE(lines != NULL);
    CHECK_EQ(hd_source_lines_find(lines, 0).line, 0);
    CHECK_EQ(hd_source_lines_find(lines, UINT64_MAX).line, 0);
    CHECK(hd_source_lines_find(lines, UINT64_MAX).file == NULL);
    hd_source_lines_free(lines);
    free(own.bytes);
}

TEST(a_file_without_a_line_table_has_no_lines)
{
    image own = own_file();

    CHECK(hd_source_lines_read(NULL, 0) == NULL);
    CHECK(hd_source_lines_read(own.bytes, 100) == NULL);
    ((Elf64_Shdr *)(uintptr_t)section(&own, ".debug_line"))->sh_flags |= SHF_COMPRESSED;
    CHECK(hd_source_lines_read(own.bytes, own.n) == NULL);
    free(own.bytes);
}

/* left_out: last bytes of it that are missing. */
static void
compress_section(image *file, const char *name, uint32_t type, uint64_t size, size_t left_out)
{
    const Elf64_Shdr *part = section(file, name);
    Elf64_Chdr        head = { .ch_type = type, .ch_addralign = 1 };
    uLongf            n;
    char             *bytes;

    if (part == NULL)
        return; /* there is no .debug_line_str before version 5 */
    head.ch_size = size != 0 ? size : part->sh_size;
    n            = compressBound(part->sh_size);
    bytes        = malloc(sizeof head + n);
    REQUIRE(bytes != NULL);
    memcpy(bytes, &head, sizeof head);
    REQUIRE(compress((Bytef *)bytes + sizeof head, &n, (const Bytef *)file->bytes + part->sh_offset, part->sh_size) ==
            Z_OK);
    replace(file, name, bytes, sizeof head + n - left_out, true);
    free(bytes);
}

TEST(a_compressed_table_has_the_same_lines)
{
    image            own = own_file();
    hd_source_lines *lines;
    hd_source_line   found;

    compress_section(&own, ".debug_line", ELFCOMPRESS_ZLIB, 0, 0);
    compress_section(&own, ".debug_line_str", ELFCOMPRESS_ZLIB, 0, 0);
    compress_section(&own, ".debug_str", ELFCOMPRESS_ZLIB, 0, 0);
    lines = hd_source_lines_read(own.bytes, own.n);
    REQUIRE(lines != NULL);
    found = hd_source_lines_find(lines, a_function(1));
    check_line(&found, INLINED_LINE);
    hd_source_lines_free(lines);
    free(own.bytes);
}

TEST(a_compressed_table_that_is_damaged_or_of_another_method_is_none)
{
    static const struct {
        uint32_t type;
        uint64_t size; /* 0: the right one */
        size_t   left_out;
    } variants[] = { { 2, 0, 0 }, { ELFCOMPRESS_ZLIB, 100, 0 }, { ELFCOMPRESS_ZLIB, UINT64_MAX, 0 },
                     { ELFCOMPRESS_ZLIB, 1 << 30, 0 }, { ELFCOMPRESS_ZLIB, 0, 20 } };

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        image own = own_file();

        compress_section(&own, ".debug_line", variants[i].type, variants[i].size, variants[i].left_out);
        CHECK(hd_source_lines_read(own.bytes, own.n) == NULL);
        free(own.bytes);
    }
}

enum { N_ROWS = 5000, FILE_ROW = 3000 /* from which on it is the second file */ };

/* A table of version 4 with two sequences of N_ROWS rows: from `from` on, and one that a linker has left out. rows:
 * [N_ROWS] out, addresses of the first one. Returns its bytes. */
static size_t
long_table(uint8_t *table, uint64_t from, uint64_t *rows)
{
    static const uint8_t head[] = { 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 1, 1, 0, 4, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1,
                                    0, 'a', '.', 'c', 0, 0, 0, 0, 'b', '.', 'c', 0, 0, 0, 0, 0 };
    size_t               n = sizeof head;
    uint32_t             length;

    memcpy(table, head, sizeof head);
    table[6] = sizeof head - 10;
    for (int k = 0; k < 2; k++) {
        uint64_t address = k == 0 ? from : 0;

        memcpy(table + n, (const uint8_t[]){ 0, 9, 2 }, 3);
        memcpy(table + n + 3, &address, sizeof address);
        n += 3 + sizeof address;
        for (uint32_t i = 0; i < N_ROWS; i++) {
            uint32_t advance = i % 600 > 500 || i % 3 == 0 ? 0 : 2;

            if (i == FILE_ROW) {
                table[n++] = 4; /* set file */
                table[n++] = 2;
            }
            table[n++] = (uint8_t)(10 + 4 * advance + 1); /* the next line */
            address += advance;
            if (k == 0)
                rows[i] = address;
        }
        memcpy(table + n, (const uint8_t[]){ 2, 4, 0, 1, 1 }, 5); /* advance by 4, end */
        n += 5;
    }
    length = (uint32_t)n - 4;
    memcpy(table, &length, sizeof length);
    return n;
}

TEST(each_address_of_a_long_table_has_the_line_of_the_first_row_there_or_the_last_one_before)
{
    enum { FROM = 0x100000 };
    static uint64_t  rows[N_ROWS];
    static uint8_t   table[4 * N_ROWS];
    image            own = own_file();
    size_t           n   = long_table(table, FROM, rows);
    hd_source_lines *lines;

    REQUIRE(n < sizeof table);
    replace(&own, ".debug_line", table, n, false);
    lines = hd_source_lines_read(own.bytes, own.n);
    REQUIRE(lines != NULL);
    for (uint64_t address = FROM - 2, row = 0; address < rows[N_ROWS - 1] + 6; address++) {
        hd_source_line found = hd_source_lines_find(lines, address);
        bool           is_in = address >= FROM && address < rows[N_ROWS - 1] + 4;

        while (row + 1 < N_ROWS && rows[row + 1] <= address && rows[row] != address)
            row++;
        CHECK_EQ(found.line, is_in ? row + 2 : 0);
        if (is_in)
            CHECK_STR(found.file, row < FILE_ROW ? "a.c" : "b.c");
    }
    for (uint64_t address = 0; address < rows[N_ROWS - 1] - FROM; address += 7)
        CHECK_EQ(hd_source_lines_find(lines, address).line, 0);
    hd_source_lines_free(lines);
    free(own.bytes);
}

/* Lines may be others, and files; what is read stays within the file. */
TEST(damaged_tables_are_read_as_far_as_they_make_sense)
{
    enum { N_VARIANTS = 2000, N_CHANGES = 4 };
    static const char *const parts[] = { ".debug_line", ".debug_line_str", ".shstrtab" };
    image    own = own_file(), damaged = { .bytes = malloc(own.n), .n = own.n };
    uint64_t at     = a_function(1), begin = own_space(a_function);
    uint32_t random = 11, n_read = 0;

    REQUIRE(damaged.bytes != NULL);
    for (uint32_t i = 0; i < N_VARIANTS; i++) {
        const Elf64_Shdr *part = section(&own, parts[i % 8 == 0 ? 1 : i % 9 == 0 ? 2 : 0]);
        hd_source_lines  *lines;

        if (part == NULL)
            continue;
        memcpy(damaged.bytes, own.bytes, own.n);
        for (uint32_t k = 0; k < N_CHANGES; k++) {
            random = random * 1664525 + 1013904223;
            damaged.bytes[part->sh_offset + (random >> 8) % (k % 2 == 0 ? part->sh_size : part->sh_size / 8 + 1)] =
                (char)(random >> 4);
        }
        lines = hd_source_lines_read(damaged.bytes, damaged.n);
        if (lines == NULL)
            continue;
        n_read++;
        CHECK(hd_source_lines_find(lines, at).line <= INT32_MAX);
        CHECK(hd_source_lines_find(lines, begin).line <= INT32_MAX);
        hd_source_lines_free(lines);
    }
    CHECK(n_read > N_VARIANTS / 2);
    free(damaged.bytes);
    free(own.bytes);
}

TEST_MAIN

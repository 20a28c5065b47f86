/* Names of functions: of this program as it is, stripped, stripped with a file of debug symbols, and damaged; of a
 * library without a symbol table. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "symbols.h"

#define PREPARE                                                                                                        \
    "rm -rf symbols.work && mkdir -p symbols.work && cp \"$HD_SELF\" symbols.work/own && cd symbols.work && "          \
    "strip -o stripped own && id=$(readelf -n own | sed -n 's/.*Build ID: *//p') && "                                  \
    "rest=${id#??} && mkdir -p debug/${id%$rest} && objcopy --only-keep-debug own debug/${id%$rest}/$rest.debug"

__attribute__((noinline, noipa)) static int
asked_for(int n)
{
    return n > 1 ? n * 3 : 7;
}

static uint64_t own_address;

static int
first_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    *(uint64_t *)data = info->dlpi_addr;
    return 1;
}

static void
prepare(void)
{
    static bool is_done;
    char        self[4096];
    ssize_t     n = readlink("/proc/self/exe", self, sizeof self - 1);
    uint64_t    base = 0;

    if (is_done)
        return;
    REQUIRE(n > 0);
    self[n] = '\0';
    setenv("HD_SELF", self, 1);
    REQUIRE(system(PREPARE) == 0);
    dl_iterate_phdr(first_object, &base);
    own_address = (uint64_t)(uintptr_t)asked_for - base + (asked_for(1) == 7);
    is_done     = true;
}

static void
check_name(const char *file, const char *debug, const char *name, bool is_nameless)
{
    hd_symbols *symbols = hd_symbols_read(file, debug);
    hd_symbol  *symbol  = hd_symbols_find(symbols, own_address);

    REQUIRE(symbol != NULL);
    CHECK_STR(symbol->name, name);
    CHECK_EQ(symbol->is_nameless, is_nameless);
    CHECK_EQ(symbol->from, own_address - 1);
    hd_symbols_free(symbols);
}

TEST(a_function_has_its_name)
{
    prepare();
    check_name("symbols.work/own", "none", "asked_for", false);
}

TEST(of_a_stripped_program_it_has_its_address)
{
    char *name;

    prepare();
    name = hd_format("stripped+0x%" PRIx64, own_address - 1);
    check_name("symbols.work/stripped", "none", name, true);
    free(name);
}

TEST(a_file_of_debug_symbols_has_the_names_of_a_stripped_program)
{
    prepare();
    check_name("symbols.work/stripped", "symbols.work/debug", "asked_for", false);
}

TEST(the_begin_of_a_stripped_program_has_its_name)
{
    hd_symbols *symbols;
    size_t      n = 0;

    prepare();
    symbols = hd_symbols_read("symbols.work/stripped", "none");
    for (size_t i = 0; i < symbols->n; i++)
        n += strcmp(hd_symbols_name(symbols, &symbols->functions[i]), "_start") == 0;
    CHECK_EQ(n, 1);
    hd_symbols_free(symbols);
}

/* The first address of a section of this program, 0: there is none. */
static uint64_t
section(const char *wanted)
{
    FILE      *file = fopen("/proc/self/exe", "rb");
    Elf64_Ehdr head;
    Elf64_Shdr names, one;
    uint64_t   found = 0;
    char       name[16];

    REQUIRE(file != NULL && fread(&head, sizeof head, 1, file) == 1);
    fseek(file, (long)(head.e_shoff + head.e_shstrndx * sizeof names), SEEK_SET);
    REQUIRE(fread(&names, sizeof names, 1, file) == 1);
    for (unsigned i = 0; i < head.e_shnum; i++) {
        fseek(file, (long)(head.e_shoff + i * sizeof one), SEEK_SET);
        REQUIRE(fread(&one, sizeof one, 1, file) == 1);
        fseek(file, (long)(names.sh_offset + one.sh_name), SEEK_SET);
        if (fgets(name, sizeof name, file) != NULL && strcmp(name, wanted) == 0)
            found = one.sh_addr;
    }
    fclose(file);
    return found;
}

TEST(a_stub_of_the_linker_is_in_no_function)
{
    hd_symbols *symbols, *stripped;
    hd_symbol  *init;

    prepare();
    symbols  = hd_symbols_read("symbols.work/own", "none");
    stripped = hd_symbols_read("symbols.work/stripped", "none");
    init     = hd_symbols_find(symbols, section(".init"));
    CHECK(init != NULL && strcmp(init->name, "_init") == 0);
    REQUIRE(section(".plt") != 0);
    CHECK(hd_symbols_find(symbols, section(".plt") + 4) == NULL);
    CHECK(hd_symbols_find(stripped, section(".plt") + 4) == NULL);
    hd_symbols_free(symbols);
    hd_symbols_free(stripped);
}

TEST(functions_of_a_library_have_names_or_none)
{
    Dl_info     info;
    void       *library = dlopen("libm.so.6", RTLD_NOW);
    void       *function = library != NULL ? dlsym(library, "lgamma") : NULL;
    hd_symbols *symbols;

    REQUIRE(function != NULL && dladdr(function, &info) != 0);
    symbols = hd_symbols_read(info.dli_fname, "none");
    CHECK(symbols->n > 100);
    for (size_t i = 0; i < symbols->n; i++)
        CHECK(!symbols->functions[i].is_nameless);
    hd_symbols_free(symbols);
    dlclose(library);
}

TEST(what_is_not_there_or_no_program_has_no_functions)
{
    hd_symbols *symbols = hd_symbols_read("symbols.work/nothing", "none");

    CHECK_EQ(symbols->n, 0);
    hd_symbols_free(symbols);
    symbols = hd_symbols_read("/etc/passwd", "none");
    CHECK_EQ(symbols->n, 0);
    CHECK(hd_symbols_find(symbols, 0) == NULL);
    hd_symbols_free(symbols);
}

static void
write_file(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    REQUIRE(file != NULL && fwrite(bytes, 1, n, file) == n);
    fclose(file);
}

/* Heads of the file, of segments and sections, notes and the table of frames: each byte becomes another one. */
TEST(damaged_programs_are_read_as_far_as_they_make_sense)
{
    enum { MAX_BYTES = 1 << 22, N_VARIANTS = 1500 };
    char    *bytes = malloc(MAX_BYTES), *damaged = malloc(MAX_BYTES);
    FILE    *file;
    size_t   n, n_read = 0;
    uint32_t random = 7;

    prepare();
    file = fopen("symbols.work/stripped", "rb");
    REQUIRE(file != NULL);
    n = fread(bytes, 1, MAX_BYTES, file);
    fclose(file);
    REQUIRE(n > 1024 && n < MAX_BYTES);
    for (uint32_t i = 0; i < N_VARIANTS; i++) {
        hd_symbols *symbols;
        size_t      kept = n;

        memcpy(damaged, bytes, n);
        for (uint32_t k = 0; k < 3; k++) {
            size_t at;

            random = random * 1664525 + 1013904223;
            at     = (random >> 8) % (i % 2 == 0 ? 1024 : n);
            damaged[at] = (char)(random >> 3);
        }
        if (i % 5 == 0)
            kept = (random >> 4) % n;
        write_file("symbols.work/damaged", damaged, kept);
        symbols = hd_symbols_read("symbols.work/damaged", "symbols.work/debug");
        n_read += hd_symbols_find(symbols, own_address) != NULL;
        hd_symbols_free(symbols);
    }
    CHECK(n_read > 0 && n_read < N_VARIANTS);
    free(damaged);
    free(bytes);
}

/* Each segment has all of them. */
TEST(very_many_notes_are_not_all_looked_at)
{
    enum { N_SEGMENTS = 65535, N_NOTES = 200000 };
    size_t      first = sizeof(Elf64_Ehdr) + N_SEGMENTS * sizeof(Elf64_Phdr), n = first + N_NOTES * sizeof(Elf64_Nhdr);
    char       *bytes = calloc(1, n);
    Elf64_Ehdr  head  = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 },
                          .e_phoff = sizeof head,
                          .e_phnum = N_SEGMENTS };
    Elf64_Phdr  notes = { .p_type = PT_NOTE, .p_offset = first, .p_filesz = n - first };
    hd_symbols *symbols;

    REQUIRE(bytes != NULL);
    prepare();
    memcpy(bytes, &head, sizeof head);
    for (size_t i = 0; i < N_SEGMENTS; i++)
        memcpy(bytes + sizeof head + i * sizeof notes, &notes, sizeof notes);
    write_file("symbols.work/notes", bytes, n);
    symbols = hd_symbols_read("symbols.work/notes", "symbols.work/debug");
    CHECK_EQ(symbols->n, 0);
    hd_symbols_free(symbols);
    free(bytes);
}

TEST_MAIN

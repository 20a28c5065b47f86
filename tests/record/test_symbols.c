/* tests/record/test_symbols.c: functions at addresses of this program. */
#include "symbols.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

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
    hd_symbols *symbols = hd_symbols_read("/proc/self/exe");
    hd_symbol  *init    = hd_symbols_find(symbols, section(".init"));

    CHECK(init != NULL && strcmp(init->name, "_init") == 0);
    CHECK(section(".plt") != 0 && hd_symbols_find(symbols, section(".plt") + 4) == NULL);
    hd_symbols_free(symbols);
}

TEST_MAIN

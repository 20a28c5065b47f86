/* src/record/preload/mpi/mpi_entry.h: MPI_name, where a tool may stand between the program and MPI.
 *
 * A tool is a library that has functions MPI_name of its own, which call PMPI_name: a profiler that the program is
 * linked with, or that is preloaded. The recorder is loaded before it, so MPI_name is the recorder's, and has to go on
 * to the tool's. Without a tool MPI_name is hd_own_name, which is exported as PMPI_name, too. That needs a few
 * instructions of the processor, as arguments stay where they are: x86-64 and aarch64 have them, elsewhere tools see no
 * call. Uses: mpi_library, mpi_fortran. MT: any thread. Ranks: local.
 */
#ifndef HD_MPI_ENTRY_H
#define HD_MPI_ENTRY_H

#include "mpi_library.h"

typedef struct hd_mpi_entry {
    void    *tool; /* NULL: there is none; HD_MPI_UNKNOWN: that is not known yet */
    void    *own;  /* hd_own_name */
    uint32_t id;
} hd_mpi_entry;

#define HD_MPI_UNKNOWN ((void *)1)

/* A caller that is noted and was not taken: the tool did not go on to PMPI_name. */
#ifdef __x86_64__
#define HD_MPI_ENTRY_CODE(name)                                                                                        \
    " leaq hd_mpi_entry_" #name "(%rip), %rax\n movq (%rax), %r11\n testq %r11, %r11\n jne hd_mpi_by_tool\n"           \
    " movq hd_fortran_caller@gottpoff(%rip), %r10\n cmpq $0, %fs:(%r10)\n jne hd_mpi_without_tool\n"                 \
    " jmp hd_own_" #name "\n"
#elif defined __aarch64__
#define HD_MPI_ENTRY_CODE(name)                                                                                        \
    " adrp x9, hd_mpi_entry_" #name "\n add x9, x9, :lo12:hd_mpi_entry_" #name "\n ldr x16, [x9]\n"                    \
    " cbnz x16, 1f\n"                                                                                                  \
    " adrp x10, :gottprel:hd_fortran_caller\n ldr x10, [x10, #:gottprel_lo12:hd_fortran_caller]\n"                    \
    " mrs x11, tpidr_el0\n ldr x12, [x11, x10]\n cbnz x12, 2f\n"                                                      \
    " b hd_own_" #name "\n1: b hd_mpi_by_tool\n2: b hd_mpi_without_tool\n"
#endif

#ifdef HD_MPI_ENTRY_CODE
#define HD_MPI_ENTRY(name, parameters)                                                                                 \
    hd_mpi_entry hd_mpi_entry_##name __attribute__((used)) = { HD_MPI_UNKNOWN, (void *)hd_own_##name,               \
                                                               HD_MPI_##name };                                        \
    __asm__(".text\n .globl MPI_" #name "\n .type MPI_" #name ", %function\nMPI_" #name ":\n" HD_MPI_ENTRY_CODE(      \
        name) " .size MPI_" #name ", .-MPI_" #name "\n");

/* "PMPI_name": the function MPI_name of the tool; NULL: it has none. */
void *hd_mpi_tool(const char *name);

/* MPI_Pcontrol has arguments that only a tool knows, in any registers. Takes the level; where to go on with them. */
void *hd_mpi_pcontrol(int level) __attribute__((visibility("hidden")));
#else
#define HD_MPI_ENTRY(name, parameters)                                                                                 \
    HD_EXPORT int MPI_##name parameters __attribute__((alias("hd_own_" #name)));
#endif

#endif

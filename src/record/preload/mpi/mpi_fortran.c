/* src/record/preload/mpi/mpi_fortran.c: the Fortran names of MPI functions, which note who called them. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "mpi_fortran.h"

#include <link.h>

#include "fortran_names.h"

HD_THREAD_LOCAL const void *hd_fortran_caller;

#if defined __x86_64__ || defined __aarch64__

/* use mpi and the older include file; use mpi_f08, whose names with buffers differ in MPICH. X: a name. */
#ifdef OPEN_MPI
#define SPELLINGS(X, name) X("mpi_" #name "_") X("mpi_" #name "_f08_")
static const char *const layers[][2] = { { "libmpi_mpifh.so", NULL }, { "libmpi_usempif08.so", NULL } };
#else
#define SPELLINGS(X, name)                                                                                             \
    X("mpi_" #name "_")                                                                                                \
    X("mpi_" #name "_f08_")                                                                                            \
    X("mpi_" #name "_f08ts_") X("mpi_" #name "_f08_large_") X("mpi_" #name "_f08ts_large_") /* to 4.0 */               \
    X("mpi_" #name "_c_f08_") X("mpi_" #name "_c_f08ts_")
static const char *const layers[][2] = { { "libmpichfort.so", NULL }, { "libmpifort.so", NULL } };
#endif

#define TEXT(text) text,
#define TEXTS(name) SPELLINGS(TEXT, name)
static const char *const names[] = { HD_FORTRAN_NAMES(TEXTS) };

/* Both are used by the instructions below. Several threads may write the same into one. */
void *hd_fortran_functions[sizeof names / sizeof *names] __attribute__((used, visibility("hidden")));
void *hd_fortran_find(uint32_t i) __attribute__((used, visibility("hidden")));

_Atomic uintptr_t hd_fortran_layer[2] __attribute__((visibility("hidden")));

static int
note_layer(struct dl_phdr_info *info, size_t size, void *function)
{
    uintptr_t first = UINTPTR_MAX, end = 0, at = (uintptr_t)function;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, to = from + info->dlpi_phdr[i].p_memsz;

            first = from < first ? from : first;
            end   = to > end ? to : end;
        }
    if (at < first || at >= end)
        return 0;
    atomic_store(&hd_fortran_layer[0], first);
    atomic_store(&hd_fortran_layer[1], end);
    return 1;
}

void *
hd_fortran_find(uint32_t i)
{
    void *found = NULL;

    for (size_t j = 0; j < sizeof layers / sizeof *layers && found == NULL; j++)
        found = hd_recorder_real(names[i], layers[j]);
    if (found == NULL)
        hd_recorder_refuse("a Fortran function of MPI that the program calls is not in its MPI library",
                           "heddle record --mpi=none -- PROGRAM, which leaves MPI out");
    if (atomic_load(&hd_fortran_layer[1]) == 0) {
        hd_thread_depth++; /* the system's lock is the recorder's */
        dl_iterate_phdr(note_layer, found);
        hd_thread_depth--;
    }
    __atomic_store_n(&hd_fortran_functions[i], found, __ATOMIC_RELEASE);
    return found;
}

/* Its number, and on to the common part. Numbers are counted by the assembler, in the order of the names. */
#ifdef __x86_64__
#define LOAD_NUMBER "movl $hd_fortran_number, %eax\n jmp hd_fortran_common\n"
#define COMMON                                                                                                         \
    "hd_fortran_common:\n"                                                                                             \
    " movq (%rsp), %r11\n"                                                                                             \
    " movq hd_fortran_caller@gottpoff(%rip), %r10\n"                                                                   \
    " movq %r11, %fs:(%r10)\n"                                                                                         \
    " leaq hd_fortran_functions(%rip), %r11\n"                                                                         \
    " movq (%r11,%rax,8), %r11\n"                                                                                      \
    " testq %r11, %r11\n"                                                                                              \
    " je 1f\n"                                                                                                         \
    " jmp *%r11\n"                                                                                                     \
    "1: pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n subq $8, %rsp\n"                   \
    " movl %eax, %edi\n"                                                                                               \
    " call hd_fortran_find\n"                                                                                          \
    " movq %rax, %r11\n"                                                                                               \
    " addq $8, %rsp\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"                           \
    " jmp *%r11\n"
#else
#define LOAD_NUMBER "mov w9, #hd_fortran_number\n b hd_fortran_common\n"
#define COMMON                                                                                                         \
    "hd_fortran_common:\n"                                                                                             \
    " adrp x10, :gottprel:hd_fortran_caller\n"                                                                         \
    " ldr x10, [x10, #:gottprel_lo12:hd_fortran_caller]\n"                                                             \
    " mrs x11, tpidr_el0\n"                                                                                            \
    " str x30, [x11, x10]\n"                                                                                           \
    " adrp x10, hd_fortran_functions\n"                                                                                \
    " add x10, x10, :lo12:hd_fortran_functions\n"                                                                      \
    " ldr x16, [x10, x9, lsl #3]\n"                                                                                    \
    " cbz x16, 1f\n"                                                                                                   \
    " br x16\n"                                                                                                        \
    "1: stp x29, x30, [sp, #-96]!\n stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n"           \
    " stp x6, x7, [sp, #64]\n str x8, [sp, #80]\n"                                                                     \
    " mov w0, w9\n"                                                                                                    \
    " bl hd_fortran_find\n"                                                                                            \
    " mov x16, x0\n"                                                                                                   \
    " ldr x8, [sp, #80]\n ldp x6, x7, [sp, #64]\n ldp x4, x5, [sp, #48]\n ldp x2, x3, [sp, #32]\n"                     \
    " ldp x0, x1, [sp, #16]\n ldp x29, x30, [sp], #96\n"                                                               \
    " br x16\n"
#endif

#define STUB(text)                                                                                                     \
    ".globl " text "\n .type " text ", %function\n" text ":\n " LOAD_NUMBER ".size " text ", .-" text "\n"             \
    ".set hd_fortran_number, hd_fortran_number + 1\n"
#define STUBS(name) SPELLINGS(STUB, name)

__asm__(".text\n .set hd_fortran_number, 0\n" COMMON HD_FORTRAN_NAMES(STUBS));

#endif

/* src/record/preload/mpi/mpi_entry.c: finds the tool's functions, and goes on to them. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr1 */
#include "mpi_entry.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "mpi_fortran.h"

#ifdef HD_MPI_ENTRY_CODE

static const char *const names[HD_N_MPI_FUNCTIONS] = {
#define HD_MPI_NAME(name, role) "PMPI_" #name,
    HD_MPI_NAMES
#undef HD_MPI_NAME
};

void hd_mpi_entry_find(hd_mpi_entry *entry) __attribute__((used, visibility("hidden")));

/* Of the library that has the function: it has PMPI_name as well, so it is no tool. name: "PMPI_..." */
static bool
is_of_mpi(void *function, const char *name)
{
    static _Atomic(void *) known; /* where the MPI library is, once it is known */
    Dl_info                of, of_other;
    void                  *library, *other = NULL;

    if (dladdr(function, &of) == 0)
        return true;
    if (of.dli_fbase == atomic_load(&known))
        return true;
    hd_thread_depth++; /* the locks in it are the recorder's */
    library = dlopen(of.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
        other = dlsym(library, name); /* its own comes before those of the libraries that it needs */
        dlclose(library);
    }
    hd_thread_depth--;
    if (other == NULL || dladdr(other, &of_other) == 0 || of.dli_fbase != of_other.dli_fbase)
        return false;
    atomic_store(&known, of.dli_fbase);
    return true;
}

/* Whether the library of a function calls PMPI_... by the linker, which leads to the recorder. One that looks for what
 * is behind it (RTLD_NEXT) would go past the recorder. */
static bool
calls_recorder(void *function)
{
    const Elf64_Sym *symbols = NULL;
    const uint32_t  *hash    = NULL; /* of its own symbols, which those that it needs stand before: DT_GNU_HASH */
    const char      *texts   = NULL;
    struct link_map *library = NULL;
    Dl_info          of;

    if (dladdr1(function, &of, (void **)&library, RTLD_DL_LINKMAP) == 0 || library == NULL)
        return false;
    for (const ElfW(Dyn) *at = library->l_ld; at->d_tag != DT_NULL; at++) {
        const void *there = (const void *)at->d_un.d_ptr;

        symbols = at->d_tag == DT_SYMTAB ? there : symbols;
        hash    = at->d_tag == DT_GNU_HASH ? there : hash;
        texts   = at->d_tag == DT_STRTAB ? there : texts;
    }
    for (uint32_t i = 1; symbols != NULL && hash != NULL && texts != NULL && i < hash[1]; i++)
        if (symbols[i].st_shndx == SHN_UNDEF && strncmp(texts + symbols[i].st_name, "PMPI_", 5) == 0)
            return true;
    return false;
}

void *
hd_mpi_tool(const char *name)
{
    void *next;

    hd_mpi_find();
    next = dlsym(RTLD_NEXT, name + 1);
    return next != NULL && !is_of_mpi(next, name) && calls_recorder(next) ? next : NULL;
}

/* Several threads may find the same. */
void
hd_mpi_entry_find(hd_mpi_entry *entry)
{
    __atomic_store_n(&entry->tool, hd_mpi_tool(names[entry->id]), __ATOMIC_RELEASE);
}

/* Notes who called, as PMPI_name is called by the tool, and goes on; without a tool the caller of another call is
 * forgotten. In MPI's layer of Fortran that of the call is noted before. */
#ifdef __x86_64__
__asm__(".text\n .globl hd_mpi_by_tool\n .hidden hd_mpi_by_tool\n"
        ".globl hd_mpi_without_tool\n .hidden hd_mpi_without_tool\n"
        "hd_mpi_by_tool:\n"
        " cmpq $1, %r11\n"
        " jne 1f\n"
        " pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n pushq %rax\n"
        " movq %rax, %rdi\n"
        " call hd_mpi_entry_find\n"
        " popq %rax\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"
        " movq (%rax), %r11\n"
        " testq %r11, %r11\n"
        " je hd_mpi_without_tool\n"
        "1: movq (%rsp), %rax\n"
        "2: movq (%rsp), %r10\n"
        " cmpq hd_fortran_layer(%rip), %r10\n"
        " jb 3f\n"
        " cmpq 8+hd_fortran_layer(%rip), %r10\n"
        " jb 4f\n"
        "3: movq hd_fortran_caller@gottpoff(%rip), %r10\n"
        " movq %rax, %fs:(%r10)\n"
        "4: jmp *%r11\n"
        "hd_mpi_without_tool:\n"
        " movq 8(%rax), %r11\n"
        " xorl %eax, %eax\n"
        " jmp 2b\n");
#else
__asm__(".text\n .globl hd_mpi_by_tool\n .hidden hd_mpi_by_tool\n"
        ".globl hd_mpi_without_tool\n .hidden hd_mpi_without_tool\n"
        "hd_mpi_by_tool:\n"
        " cmp x16, #1\n"
        " b.ne 1f\n"
        " stp x29, x30, [sp, #-96]!\n stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n"
        " stp x6, x7, [sp, #64]\n stp x8, x9, [sp, #80]\n"
        " mov x0, x9\n"
        " bl hd_mpi_entry_find\n"
        " ldp x8, x9, [sp, #80]\n ldp x6, x7, [sp, #64]\n ldp x4, x5, [sp, #48]\n ldp x2, x3, [sp, #32]\n"
        " ldp x0, x1, [sp, #16]\n ldp x29, x30, [sp], #96\n"
        " ldr x16, [x9]\n"
        " cbz x16, hd_mpi_without_tool\n"
        "1: mov x12, x30\n"
        "2: adrp x10, hd_fortran_layer\n"
        " add x10, x10, :lo12:hd_fortran_layer\n"
        " ldp x10, x11, [x10]\n"
        " cmp x30, x10\n"
        " b.lo 3f\n"
        " cmp x30, x11\n"
        " b.lo 4f\n"
        "3: adrp x10, :gottprel:hd_fortran_caller\n"
        " ldr x10, [x10, #:gottprel_lo12:hd_fortran_caller]\n"
        " mrs x11, tpidr_el0\n"
        " str x12, [x11, x10]\n"
        "4: br x16\n"
        "hd_mpi_without_tool:\n"
        " ldr x16, [x9, #8]\n"
        " mov x12, #0\n"
        " b 2b\n");
#endif

/* Floating-point numbers among the arguments, too. */
#ifdef __x86_64__
__asm__(".text\n .globl MPI_Pcontrol\n .type MPI_Pcontrol, %function\n"
        "MPI_Pcontrol:\n .cfi_startproc\n"
        " pushq %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
        " movq %rsp, %rbp\n .cfi_def_cfa_register %rbp\n subq $192, %rsp\n"
        " movq %rdi, (%rsp)\n movq %rsi, 8(%rsp)\n movq %rdx, 16(%rsp)\n movq %rcx, 24(%rsp)\n"
        " movq %r8, 32(%rsp)\n movq %r9, 40(%rsp)\n movq %rax, 48(%rsp)\n"
        " movaps %xmm0, 64(%rsp)\n movaps %xmm1, 80(%rsp)\n movaps %xmm2, 96(%rsp)\n movaps %xmm3, 112(%rsp)\n"
        " movaps %xmm4, 128(%rsp)\n movaps %xmm5, 144(%rsp)\n movaps %xmm6, 160(%rsp)\n movaps %xmm7, 176(%rsp)\n"
        " call hd_mpi_pcontrol\n"
        " movq %rax, %r11\n"
        " movaps 64(%rsp), %xmm0\n movaps 80(%rsp), %xmm1\n movaps 96(%rsp), %xmm2\n movaps 112(%rsp), %xmm3\n"
        " movaps 128(%rsp), %xmm4\n movaps 144(%rsp), %xmm5\n movaps 160(%rsp), %xmm6\n movaps 176(%rsp), %xmm7\n"
        " movq (%rsp), %rdi\n movq 8(%rsp), %rsi\n movq 16(%rsp), %rdx\n movq 24(%rsp), %rcx\n"
        " movq 32(%rsp), %r8\n movq 40(%rsp), %r9\n movq 48(%rsp), %rax\n"
        " leave\n .cfi_def_cfa %rsp, 8\n"
        " jmp *%r11\n .cfi_endproc\n .size MPI_Pcontrol, .-MPI_Pcontrol\n");
#else
__asm__(".text\n .globl MPI_Pcontrol\n .type MPI_Pcontrol, %function\n"
        "MPI_Pcontrol:\n .cfi_startproc\n"
        " stp x29, x30, [sp, #-208]!\n .cfi_def_cfa_offset 208\n .cfi_offset x29, -208\n .cfi_offset x30, -200\n"
        " mov x29, sp\n"
        " stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n"
        " stp q0, q1, [sp, #80]\n stp q2, q3, [sp, #112]\n stp q4, q5, [sp, #144]\n stp q6, q7, [sp, #176]\n"
        " bl hd_mpi_pcontrol\n"
        " mov x16, x0\n"
        " ldp q6, q7, [sp, #176]\n ldp q4, q5, [sp, #144]\n ldp q2, q3, [sp, #112]\n ldp q0, q1, [sp, #80]\n"
        " ldp x6, x7, [sp, #64]\n ldp x4, x5, [sp, #48]\n ldp x2, x3, [sp, #32]\n ldp x0, x1, [sp, #16]\n"
        " ldp x29, x30, [sp], #208\n .cfi_def_cfa_offset 0\n .cfi_restore x29\n .cfi_restore x30\n"
        " br x16\n .cfi_endproc\n .size MPI_Pcontrol, .-MPI_Pcontrol\n");
#endif

#endif

/* Walks from each instruction of functions of the program, the C library and the dynamic linker, as backtrace() sees
 * them. */
#define _GNU_SOURCE /* REG_EFL */
#include <errno.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "stack_walk.h"

enum { MOST = 100, INNER = 8 };

static hd_stack_walk     walk;
static hd_stack_range    own;
static volatile int      n_same, n_other;
static volatile sig_atomic_t is_over;

static void
compare(int number, siginfo_t *info, void *context_)
{
    ucontext_t *context = context_;
    uint64_t    walked[MOST];
    void       *expected[MOST + INNER];
    int         n = (int)hd_stack_walk_take(&walk, context, own, walked, MOST), at = 0;
    int         m = backtrace(expected, MOST + INNER);
    bool        is_same;

    (void)number;
    (void)info;
    while (at < m && (uint64_t)(uintptr_t)expected[at] != walked[0])
        at++;
    is_same = n == m - at;
    for (int i = 0; i < n && is_same; i++)
        is_same = walked[i] == (uint64_t)(uintptr_t)expected[at + i];
    if (is_same)
        n_same++;
    else
        n_other++;
#ifdef __x86_64__
    if (is_over)
        context->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
    else
        context->uc_mcontext.gregs[REG_EFL] |= 0x100; /* stops at the next instruction, too */
#endif
}

static void
on_user(int number)
{
    char text[64];

    snprintf(text, sizeof text, "%d %g", number, 1.5 * number);
}

static __attribute__((noinline)) void
do_things(int n)
{
    char *text = malloc((size_t)n);
    int   numbers[] = { 3, 1, 2 };

    memset(text, 'x', (size_t)n);
    text[n - 1] = '\0';
    numbers[0] = (int)strtol("12", NULL, 10) + (int)strlen(text);
    raise(SIGUSR1);
    free(text);
    is_over = numbers[0] > 0;
}

/* known: the walk knows where the thread's stack is, and need not ask the system. */
static void
compare_all(bool known)
{
    struct sigaction action = { .sa_sigaction = compare, .sa_flags = SA_SIGINFO };
    void            *none;

    backtrace(&none, 1); /* loads what it needs */
    CHECK(hd_stack_walk_prepare());
    own     = known ? hd_stack_range_find() : (hd_stack_range){ 0, 0 };
    is_over = n_same = n_other = 0;
    signal(SIGUSR1, on_user);
    sigaction(SIGTRAP, &action, NULL);
    raise(SIGTRAP);
    do_things(50);
    signal(SIGTRAP, SIG_DFL);
    CHECK_EQ(n_other, 0);
#ifdef __x86_64__
    CHECK(n_same > 300);
#else
    CHECK(n_same > 0);
#endif
}

TEST(each_instruction_has_the_callers_that_backtrace_finds)
{
    compare_all(true);
    compare_all(false);
}

TEST(what_a_frame_says_of_memory_that_is_not_there_ends_the_walk)
{
    ucontext_t context;
    uint64_t   walked[MOST];

    CHECK(hd_stack_walk_prepare());
    memset(&context, 0, sizeof context);
#if defined(__x86_64__)
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)&do_things;
    context.uc_mcontext.gregs[REG_RSP] = 0x123456789ab8;
#elif defined(__aarch64__)
    context.uc_mcontext.pc       = (uintptr_t)&do_things;
    context.uc_mcontext.regs[30] = 0x123456789ab8;
#endif
    CHECK_EQ(hd_stack_walk_take(&walk, &context, own, walked, MOST), 1);
}

/* Their tables say that the frame's address is in a register: rbx, x19. */
void framed(void);
#if defined(__x86_64__)
__asm__(".text\n.globl framed\n.type framed, @function\nframed:\n.cfi_startproc\n.cfi_def_cfa rbx, 0\n"
        "nop\nnop\nret\n.cfi_endproc\n.size framed, . - framed\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl framed\n.type framed, %function\nframed:\n.cfi_startproc\n.cfi_def_cfa x19, 0\n"
        ".cfi_offset 30, -8\nnop\nnop\nret\n.cfi_endproc\n.size framed, . - framed\n");
#else
void
framed(void)
{
}
#endif

static uint32_t
walk_framed(uint64_t frame)
{
    ucontext_t context;
    uint64_t   walked[MOST];
    int        on_stack = 0;

    memset(&context, 0, sizeof context);
#if defined(__x86_64__)
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)&framed;
    context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)&on_stack;
    context.uc_mcontext.gregs[REG_RBX] = (greg_t)frame;
#elif defined(__aarch64__)
    context.uc_mcontext.pc       = (uintptr_t)&framed;
    context.uc_mcontext.sp       = (uintptr_t)&on_stack;
    context.uc_mcontext.regs[19] = frame;
#endif
    return hd_stack_walk_take(&walk, &context, hd_stack_range_find(), walked, MOST);
}

TEST(a_frame_at_the_end_of_all_addresses_ends_the_walk)
{
    CHECK(hd_stack_walk_prepare());
    for (uint64_t frame = 0; frame <= 16; frame++)
        CHECK_EQ(walk_framed(frame), 1);
}

/* Containers may do so. */
TEST(walks_end_where_the_system_lets_nobody_read_memory)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { sizeof steps / sizeof *steps, steps };
    int               status = 0;
    pid_t             child  = fork();

    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
            _exit(0); /* it cannot be tried here */
        compare_all(true);
        compare_all(false);
        _exit(walk_framed(8) == 1 && walk_framed(0) == 1 && walk_framed(0x123456789ab8) == 1 ? 0 : 1);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

TEST_MAIN

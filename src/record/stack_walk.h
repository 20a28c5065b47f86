/* src/record/stack_walk.h: the calls that are open where a signal has interrupted a thread.
 *
 * Tables of programs and libraries (.eh_frame) say where each function has its return address. Not all are right: some
 * of hand-written code, and that of the dynamic linker of aarch64, lead to any address. So what is not on the thread's
 * own stack is read by a system call, which fails where there is no memory, a page at a time; where that call is not
 * allowed, as in some containers, another one tells of each word whether it is there. What a walk needs is not on the
 * stack, which may be small.
 * Takes no lock where the tables are found without (glibc 2.35), and no memory.
 * Uses: nothing. MT: each walk belongs to one thread at a time; its signal handlers may use it. Ranks: local.
 */
#ifndef HD_STACK_WALK_H
#define HD_STACK_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)
enum { HD_WALK_REGISTERS = 17, HD_WALK_STACK = 7, HD_WALK_RETURN = 16 }; /* as the tables number them */
#else
enum { HD_WALK_REGISTERS = 32, HD_WALK_STACK = 31, HD_WALK_RETURN = 30 };
#endif
enum { HD_WALK_PAGE_BYTES = 4096, HD_WALK_KEPT = 4 };

/* Where the caller's registers are. */
typedef struct hd_walk_rules {
    uint8_t        how[HD_WALK_REGISTERS];   /* kinds of stack_walk.c */
    int64_t        value[HD_WALK_REGISTERS]; /* bytes from the frame's address, a register, or an expression */
    const uint8_t *expression; /* of the frame's address; NULL: that is a register and an offset */
    uint64_t       base;
    int64_t        offset;
    bool           is_signed; /* the return address, by its processor */
} hd_walk_rules;

typedef struct hd_stack_range { /* of the thread's own stack, [begin, end); both 0: it is not known */
    uint64_t begin, end;
} hd_stack_range;

typedef struct hd_stack_walk {
    uint64_t      registers[HD_WALK_REGISTERS], callers[HD_WALK_REGISTERS];
    hd_walk_rules now, first, kept[HD_WALK_KEPT];
    uint64_t      low, high; /* what can be read as it is, of the thread's own stack */
    uint64_t      page; /* address of what `bytes` is a copy of, 1: of nothing */
    uint8_t       bytes[HD_WALK_PAGE_BYTES];
} hd_stack_walk;

/* Before the first walk of the process, outside of signal handlers. False: there is nothing that finds tables. */
bool hd_stack_walk_prepare(void);

/* Of the calling thread, outside of signal handlers. */
hd_stack_range hd_stack_range_find(void);

/* addresses: out, [most]. The first is that of the instruction that comes next, others are return addresses. Returns
 * how many there are, `most` if there are more; 1 where tables lead astray. */
uint32_t hd_stack_walk_take(hd_stack_walk *walk, const ucontext_t *context, hd_stack_range own, uint64_t *addresses,
                            uint32_t most);

#endif

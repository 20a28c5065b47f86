/* src/record/stack_walk.c: reads the tables of frames (DWARF 5, 6.4, as .eh_frame has them). */
#define _GNU_SOURCE /* REG_RIP, pthread_getattr_np */
#include "stack_walk.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SAME, UNDEFINED, AT_OFFSET, IS_OFFSET, IN_REGISTER, AT_EXPRESSION, IS_EXPRESSION };

typedef struct table { /* what there is to know of a function */
    const uint8_t *common, *common_end; /* instructions */
    const uint8_t *own, *own_end;
    uint64_t       begin; /* of the function */
    uint64_t       code_factor;
    int64_t        data_factor;
    bool           is_signal; /* the function is what a signal handler returns to */
} table;

/* Of libgcc: the entry of the function that has an address, NULL: none. bases: out, the third is its begin. */
static const uint8_t *(*find_entry)(void *address, void *bases[3]);
static bool reads_directly; /* the system does not offer the call */

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Whether a word can be read, where the call below is not offered: the system reads a set of signals before it finds
 * that there is no such way to block them. Only with none, at 0, all is well. */
static bool
is_there(uint64_t address)
{
    return syscall(SYS_rt_sigprocmask, -1L, (const void *)(uintptr_t)address, NULL, sizeof(uint64_t)) != 0 &&
           errno != EFAULT;
}

static bool
read_word(hd_stack_walk *walk, uint64_t address, uint64_t *word)
{
    uint64_t     page = address & ~(uint64_t)(HD_WALK_PAGE_BYTES - 1);
    struct iovec to   = { walk->bytes, HD_WALK_PAGE_BYTES }, from = { (void *)(uintptr_t)page, HD_WALK_PAGE_BYTES };
    bool         is_own = address >= walk->low && address < walk->high && walk->high - address >= sizeof *word;

    if (is_own || reads_directly) {
        if (!is_own && !is_there(address))
            return false;
        memcpy(word, (const void *)(uintptr_t)address, sizeof *word);
        return true;
    }
    if (address - page > HD_WALK_PAGE_BYTES - sizeof *word)
        return false;
    if (page != walk->page) {
        walk->page = 1;
        if (syscall(SYS_process_vm_readv, getpid(), &to, 1UL, &from, 1UL, 0UL) != HD_WALK_PAGE_BYTES)
            return false;
        walk->page = page;
    }
    memcpy(word, walk->bytes + (address - page), sizeof *word);
    return true;
}

bool
hd_stack_walk_prepare(void)
{
    void    *bases[3] = { NULL }, *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
    uint64_t from = 1, to = 0;
    struct iovec in = { &from, sizeof from }, out = { &to, sizeof to };

    reads_directly = syscall(SYS_process_vm_readv, getpid(), &out, 1UL, &in, 1UL, 0UL) != (long)sizeof to;
    if (library != NULL)
        *(void **)&find_entry = dlsym(library, "_Unwind_Find_FDE");
    if (find_entry != NULL)
        find_entry((void *)&hd_stack_walk_prepare, bases); /* binds what it calls */
    return find_entry != NULL;
}

hd_stack_range
hd_stack_range_find(void)
{
    hd_stack_range range = { 0, 0 };
    pthread_attr_t attributes;
    void          *begin;
    size_t         bytes;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return range;
    if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0) {
        range.begin = (uint64_t)(uintptr_t)begin;
        range.end   = range.begin + bytes;
    }
    pthread_attr_destroy(&attributes);
    return range;
}

/* ---- numbers of the tables --------------------------------------------------------------------------------------- */

static uint64_t
take_fixed(const uint8_t **at, unsigned n_bytes)
{
    uint64_t value = 0;

    memcpy(&value, *at, n_bytes);
    *at += n_bytes;
    return value;
}

static int64_t
take_fixed_signed(const uint8_t **at, unsigned n_bytes)
{
    unsigned shift = 64 - 8 * n_bytes;

    return (int64_t)(take_fixed(at, n_bytes) << shift) >> shift;
}

static uint64_t
take_leb(const uint8_t **at, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t  byte;

    do {
        byte = *(*at)++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7F) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0);
    if (is_signed && shift < 64 && (byte & 0x40) != 0)
        value |= ~UINT64_C(0) << shift;
    return value;
}

#define TAKE_U(at) take_leb(at, false)
#define TAKE_S(at) (int64_t)take_leb(at, true)

/* Of an address with this encoding; 0: not known. */
static unsigned
bytes_of(unsigned encoding)
{
    static const uint8_t bytes[16] = { 8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8 };

    return encoding == 0xFF || (encoding & 0x70) == 0x50 ? 0 : bytes[encoding & 15];
}

/* What stands behind the head of the common entry. address_bytes: out, of the function's begin, and of its length.
 * has_more: out, own entries have a part whose length they say. */
static bool
read_common(const uint8_t *at, table *of, unsigned *address_bytes, bool *has_more)
{
    uint32_t       length  = (uint32_t)take_fixed(&at, 4);
    const uint8_t *end     = at + length, *more_end = NULL;
    unsigned       version = (at += 4, *at++);
    const char    *letters = (const char *)at;

    at += strlen(letters) + 1;
    of->code_factor = TAKE_U(&at);
    of->data_factor = TAKE_S(&at);
    if ((version == 1 ? *at++ : TAKE_U(&at)) != HD_WALK_RETURN || length == 0xFFFFFFFF)
        return false;
    *address_bytes = 8;
    *has_more      = *letters == 'z';
    of->is_signal  = false;
    if (*has_more) {
        uint64_t bytes = TAKE_U(&at);

        more_end = at + bytes;
    } else if (*letters != '\0')
        return false;
    for (letters += *has_more; *letters != '\0'; letters++)
        switch (*letters) {
        case 'R':
            *address_bytes = bytes_of(*at++);
            break;
        case 'P':
            version = bytes_of(*at++);
            if (version == 0)
                return false;
            at += version;
            break;
        case 'L':
            at++;
            break;
        case 'S':
            of->is_signal = true;
            break;
        case 'B': /* the other key signs return addresses */
        case 'G':
            break;
        default:
            return false;
        }
    of->common     = more_end != NULL ? more_end : at;
    of->common_end = end;
    return *address_bytes != 0;
}

/* False: there is none. address: in the function. */
static bool
find_table(uint64_t address, table *found)
{
    void          *bases[3] = { NULL };
    const uint8_t *at       = find_entry((void *)(uintptr_t)address, bases);
    unsigned       address_bytes;
    bool           has_more;
    uint32_t       length;

    if (at == NULL)
        return false;
    length         = (uint32_t)take_fixed(&at, 4);
    found->own_end = at + length;
    if (length == 0xFFFFFFFF || !read_common(at - (int32_t)take_fixed_signed(&(const uint8_t *){ at }, 4), found,
                                             &address_bytes, &has_more))
        return false;
    at += 4 + 2 * (size_t)address_bytes;
    if (has_more) {
        uint64_t bytes = TAKE_U(&at);

        at += bytes;
    }
    found->own   = at;
    found->begin = (uint64_t)(uintptr_t)bases[2];
    return true;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

enum { MAX_STACK = 16 };

/* The operation with two values; false: it is none of those. */
static bool
combine(uint8_t operation, uint64_t left, uint64_t right, uint64_t *result)
{
    int64_t a = (int64_t)left, b = (int64_t)right;

    switch (operation) {
    case 0x1A: *result = left & right; break;
    case 0x1C: *result = left - right; break;
    case 0x1E: *result = left * right; break;
    case 0x21: *result = left | right; break;
    case 0x22: *result = left + right; break;
    case 0x24: *result = right < 64 ? left << right : 0; break;
    case 0x25: *result = right < 64 ? left >> right : 0; break;
    case 0x27: *result = left ^ right; break;
    case 0x29: *result = a == b; break;
    case 0x2A: *result = a >= b; break;
    case 0x2B: *result = a > b; break;
    case 0x2C: *result = a <= b; break;
    case 0x2D: *result = a < b; break;
    case 0x2E: *result = a != b; break;
    default: return false;
    }
    return true;
}

/* The constant that an operation pushes; false: it pushes none. */
static bool
take_constant(uint8_t operation, const uint8_t **at, uint64_t *value)
{
    if (operation >= 0x30 && operation < 0x50) /* DW_OP_lit0 ... */
        *value = operation - 0x30U;
    else if (operation >= 0x08 && operation < 0x10) /* DW_OP_const1u, 1s, 2u ... 8s */
        *value = operation % 2 == 0 ? take_fixed(at, 1U << (operation - 0x08) / 2) :
                                      (uint64_t)take_fixed_signed(at, 1U << (operation - 0x08) / 2);
    else if (operation == 0x10 || operation == 0x11)
        *value = take_leb(at, operation == 0x11);
    else if (operation == 0x03) /* DW_OP_addr */
        *value = take_fixed(at, 8);
    else
        return false;
    return true;
}

/* The expression begins with its length. first: is on the stack; NULL: nothing is. False: it cannot be computed. */
static bool
evaluate(hd_stack_walk *walk, const uint8_t *at, const uint64_t *first, uint64_t *result)
{
    uint64_t       stack[MAX_STACK], value, bytes = TAKE_U(&at);
    const uint8_t *end = at + bytes;
    uint32_t       n   = 0;

    if (first != NULL)
        stack[n++] = *first;
    while (at < end) {
        uint8_t operation = *at++;

        if (n == MAX_STACK)
            return false;
        if (take_constant(operation, &at, &value))
            stack[n++] = value;
        else if (operation >= 0x70 && operation < 0x70 + HD_WALK_REGISTERS) { /* DW_OP_breg0 ... */
            value      = walk->registers[operation - 0x70U];
            stack[n++] = value + (uint64_t)TAKE_S(&at);
        } else if (n > 0 && operation == 0x06) { /* DW_OP_deref */
            if (!read_word(walk, stack[n - 1], &stack[n - 1]))
                return false;
        } else if (n > 0 && operation == 0x23) /* DW_OP_plus_uconst */
            stack[n - 1] += TAKE_U(&at);
        else if (n > 0 && operation == 0x12) { /* DW_OP_dup */
            stack[n] = stack[n - 1];
            n++;
        } else if (n > 1 && combine(operation, stack[n - 2], stack[n - 1], &value))
            stack[--n - 1] = value;
        else if (operation != 0x96) /* DW_OP_nop */
            return false;
    }
    if (n > 0)
        *result = stack[n - 1];
    return n > 0;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void
set_rule(hd_walk_rules *rules, uint64_t number, uint8_t how, int64_t value)
{
    if (number < HD_WALK_REGISTERS) {
        rules->how[number]   = how;
        rules->value[number] = value;
    }
}

static const uint8_t *
skip_expression(const uint8_t **at)
{
    const uint8_t *expression = *at;
    uint64_t       bytes      = TAKE_U(at);

    *at += bytes;
    return expression;
}

static void
restore(hd_stack_walk *walk, uint64_t number)
{
    if (number < HD_WALK_REGISTERS)
        set_rule(&walk->now, number, walk->first.how[number], walk->first.value[number]);
}

/* An instruction with a register first. False: it is none of those. */
static bool
run_of_register(hd_stack_walk *walk, const table *of, uint8_t code, const uint8_t **at)
{
    hd_walk_rules *now    = &walk->now;
    const uint8_t *begin  = *at;
    uint64_t       number = TAKE_U(at);

    switch (code) {
    case 0x05: set_rule(now, number, AT_OFFSET, (int64_t)TAKE_U(at) * of->data_factor); break;
    case 0x06: restore(walk, number); break;
    case 0x07: set_rule(now, number, UNDEFINED, 0); break;
    case 0x08: set_rule(now, number, SAME, 0); break;
    case 0x09: set_rule(now, number, IN_REGISTER, (int64_t)TAKE_U(at)); break;
    case 0x0C: /* DW_CFA_def_cfa */
        now->offset = (int64_t)TAKE_U(at);
        now->base = number, now->expression = NULL;
        break;
    case 0x0D: now->base = number, now->expression = NULL; break;
    case 0x10: set_rule(now, number, AT_EXPRESSION, (int64_t)(uintptr_t)skip_expression(at)); break;
    case 0x11: set_rule(now, number, AT_OFFSET, TAKE_S(at) * of->data_factor); break;
    case 0x12: /* DW_CFA_def_cfa_sf */
        now->offset = TAKE_S(at) * of->data_factor;
        now->base = number, now->expression = NULL;
        break;
    case 0x14: set_rule(now, number, IS_OFFSET, (int64_t)TAKE_U(at) * of->data_factor); break;
    case 0x15: set_rule(now, number, IS_OFFSET, TAKE_S(at) * of->data_factor); break;
    case 0x16: set_rule(now, number, IS_EXPRESSION, (int64_t)(uintptr_t)skip_expression(at)); break;
    default: *at = begin; return false;
    }
    return true;
}

/* The rules at an address. False: there is an instruction that is not known. */
static bool
run(hd_stack_walk *walk, const table *of, const uint8_t *at, const uint8_t *end, uint64_t target)
{
    uint64_t address = of->begin;
    uint32_t n_kept  = 0;

    while (at < end && address <= target) {
        uint8_t code = *at++, low = code & 0x3F;

        if (code >> 6 == 1) /* DW_CFA_advance_loc */
            address += low * of->code_factor;
        else if (code >> 6 == 2) /* DW_CFA_offset */
            set_rule(&walk->now, low, AT_OFFSET, (int64_t)TAKE_U(&at) * of->data_factor);
        else if (code >> 6 == 3) /* DW_CFA_restore */
            restore(walk, low);
        else if (code >= 0x02 && code <= 0x04) /* DW_CFA_advance_loc1, 2, 4 */
            address += take_fixed(&at, 1U << (code - 0x02)) * of->code_factor;
        else if (code == 0x0A || code == 0x0B) { /* DW_CFA_remember_state, _restore_state */
            if (code == 0x0A ? n_kept == HD_WALK_KEPT : n_kept == 0)
                return false;
            if (code == 0x0A)
                walk->kept[n_kept++] = walk->now;
            else
                walk->now = walk->kept[--n_kept];
        } else if (code == 0x0E) /* DW_CFA_def_cfa_offset */
            walk->now.offset = (int64_t)TAKE_U(&at);
        else if (code == 0x13)
            walk->now.offset = TAKE_S(&at) * of->data_factor;
        else if (code == 0x0F) /* DW_CFA_def_cfa_expression */
            walk->now.expression = skip_expression(&at);
        else if (code == 0x2D) /* DW_CFA_AARCH64_negate_ra_state */
            walk->now.is_signed = !walk->now.is_signed;
        else if (code == 0x2E) /* DW_CFA_GNU_args_size */
            TAKE_U(&at);
        else if (code != 0 && !run_of_register(walk, of, code, &at))
            return false;
    }
    return true;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static bool
find_register(hd_stack_walk *walk, uint32_t number, uint64_t frame, uint64_t *value)
{
    uint64_t address = frame + (uint64_t)walk->now.value[number];

    switch (walk->now.how[number]) {
    case SAME: *value = number == HD_WALK_STACK ? frame : walk->registers[number]; return true;
    case AT_OFFSET: return read_word(walk, address, value);
    case IS_OFFSET: *value = address; return true;
    case IN_REGISTER:
        address = (uint64_t)walk->now.value[number];
        *value  = address < HD_WALK_REGISTERS ? walk->registers[address] : 0;
        return true;
    case AT_EXPRESSION:
    case IS_EXPRESSION:
        return evaluate(walk, (const uint8_t *)(uintptr_t)walk->now.value[number], &frame, &address) &&
               (walk->now.how[number] == AT_EXPRESSION ? read_word(walk, address, value) : (*value = address, true));
    default: *value = 0; return true;
    }
}

/* The address without its signature. */
static uint64_t
plain(uint64_t address)
{
#if defined(__aarch64__)
    register uint64_t x30 __asm__("x30") = address;

    __asm__("hint 7" : "+r"(x30)); /* xpaclri; nothing on processors that sign none */
    address = x30;
#endif
    return address;
}

/* Puts the caller's registers in place. False: tables lead astray. */
static bool
to_caller(hd_stack_walk *walk, const table *of, uint64_t target)
{
    uint64_t frame;

    memset(&walk->now, 0, sizeof walk->now);
    if (!run(walk, of, of->common, of->common_end, UINT64_MAX))
        return false;
    walk->first = walk->now;
    if (!run(walk, of, of->own, of->own_end, target))
        return false;
    if (walk->now.expression != NULL) {
        if (!evaluate(walk, walk->now.expression, NULL, &frame))
            return false;
    } else if (walk->now.base < HD_WALK_REGISTERS)
        frame = walk->registers[walk->now.base] + (uint64_t)walk->now.offset;
    else
        return false;
    for (uint32_t i = 0; i < HD_WALK_REGISTERS; i++)
        if (!find_register(walk, i, frame, &walk->callers[i]))
            return false;
    memcpy(walk->registers, walk->callers, sizeof walk->registers);
    if (walk->now.is_signed)
        walk->registers[HD_WALK_RETURN] = plain(walk->registers[HD_WALK_RETURN]);
    return true;
}

#if defined(__aarch64__)

/* What a handler returns to has no table there: it is known by its instructions, and the registers that it restores
 * stand behind the signal's information. address: in, there; out, the interrupted instruction. */
static bool
to_interrupted(hd_stack_walk *walk, uint64_t *address)
{
    const uint64_t code = 0xD4000001D2801168; /* mov x8, 139; svc 0 */
    uint64_t       at   = walk->registers[HD_WALK_STACK] + sizeof(siginfo_t), word;

    if (!read_word(walk, *address, &word) || word != code)
        return false;
    at += offsetof(ucontext_t, uc_mcontext.regs);
    for (uint32_t i = 0; i < HD_WALK_REGISTERS; i++) /* the stack's stands behind the others */
        if (!read_word(walk, at + i * sizeof word, &walk->callers[i]))
            return false;
    memcpy(walk->registers, walk->callers, sizeof walk->registers);
    return read_word(walk, at + HD_WALK_REGISTERS * sizeof word, address);
}

#else

static bool
to_interrupted(hd_stack_walk *walk, uint64_t *address)
{
    (void)walk;
    (void)address;
    return false;
}

#endif

/* Returns the instruction that comes next. */
static uint64_t
begin(hd_stack_walk *walk, const ucontext_t *context)
{
#if defined(__x86_64__)
    static const uint8_t places[HD_WALK_REGISTERS] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    };

    for (uint32_t i = 0; i < HD_WALK_REGISTERS; i++)
        walk->registers[i] = (uint64_t)context->uc_mcontext.gregs[places[i]];
    return walk->registers[HD_WALK_RETURN];
#elif defined(__aarch64__)
    memcpy(walk->registers, context->uc_mcontext.regs, HD_WALK_STACK * sizeof *walk->registers);
    walk->registers[HD_WALK_STACK] = context->uc_mcontext.sp;
    return context->uc_mcontext.pc;
#else
    (void)walk;
    (void)context;
    return 0;
#endif
}

uint32_t
hd_stack_walk_take(hd_stack_walk *walk, const ucontext_t *context, hd_stack_range own, uint64_t *addresses,
                   uint32_t most)
{
    uint64_t address  = begin(walk, context), stack = walk->registers[HD_WALK_STACK], word;
    bool     is_exact = true; /* it is an interrupted instruction, and not one behind a call */
    uint32_t n        = 0;
    table    of;

    walk->page = 1;
    walk->low = walk->high = 0;
    if (stack >= own.begin && stack < own.end) { /* the signal's frame is below, so all above is there */
        walk->low  = stack;
        walk->high = own.end;
    }
    while (address != 0 && n < most) {
        addresses[n++] = address;
        if (find_entry != NULL && find_table(address - !is_exact, &of)) {
            if (!to_caller(walk, &of, address - !is_exact))
                return 1;
            address  = walk->now.how[HD_WALK_RETURN] == UNDEFINED ? 0 : walk->registers[HD_WALK_RETURN];
            is_exact = of.is_signal;
        } else if (to_interrupted(walk, &address))
            is_exact = true;
        else
            return n == 1 || read_word(walk, address & ~(uint64_t)7, &word) ? n : 1; /* in one page */
    }
    return n;
}

/* tests/writer/random/random_locks.c: critical sections and locks of a random program. */
#include "random_scene.h"

enum { N_CRITICALS = 2, A_LOCK = 2, A_NEST_LOCK = 4 };

/* Takes the lock as soon as it is free, not before now. Some ownerships are not recorded. */
hd_time
lock_take(program *p, uint32_t process, bool is_posix, uint32_t lock)
{
    lock_state *state = &p->locks[process][is_posix][lock];

    state->order += chance(p, 4) ? 2 : 1;
    return hd_time_max(lane_of(p, process)->now + below(p, 2), state->free + below(p, 3));
}

void
lock_give(program *p, uint32_t process, bool is_posix, uint32_t lock, hd_time time)
{
    p->locks[process][is_posix][lock].free = time;
}

void
critical(program *p, uint32_t process)
{
    static const char *const names[] = { "!$omp critical @program.c:4", "!$omp critical @program.c:44" };
    static const char *const inner[] = { "!$omp critical sblock @program.c:4", "!$omp critical sblock @program.c:44" };
    uint32_t lock   = below(p, N_CRITICALS);
    size_t   number = op_begin(p, (tw_op){ .process = process, .op = TW_CRITICAL, .region = names[lock],
                                           .lock = lock }), block;
    lane    *l      = lane_of(p, process);

    p->ops[number].record = l->now = lock_take(p, process, false, lock);
    p->ops[number].order  = chance(p, 2) ? 0 : p->locks[process][false][lock].order;
    block                 = op_begin(p, (tw_op){ .process = process, .op = TW_USER, .region = inner[lock] });
    pass_time(p, process);
    if (chance(p, 30))
        plain_call(p, process, "work");
    op_end(p, block);
    op_end(p, number);
    lock_give(p, process, false, lock, p->ops[number].leave);
}

void
lock_call(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock)
{
    bool   is_posix = kind == TW_MUTEX_LOCK || kind == TW_MUTEX_UNLOCK;
    size_t number   = op_begin(p, (tw_op){ .process = process, .op = kind, .region = region, .lock = lock });

    if (chance(p, 50))
        p->ops[number].record = lane_of(p, process)->now;
    op_end(p, number);
    p->ops[number].order = p->locks[process][is_posix][lock].order;
    if (kind == TW_UNSET_LOCK || kind == TW_MUTEX_UNLOCK)
        lock_give(p, process, is_posix, lock,
                  p->ops[number].record != 0 ? p->ops[number].record : p->ops[number].enter);
}

/* Waits for the lock and takes it. */
void
lock_set(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock)
{
    bool   is_posix = kind == TW_MUTEX_LOCK;
    size_t number   = op_begin(p, (tw_op){ .process = process, .op = kind, .region = region, .lock = lock });

    lane_of(p, process)->now = lock_take(p, process, is_posix, lock);
    p->ops[number].order     = p->locks[process][is_posix][lock].order;
    if (chance(p, 50) && lane_of(p, process)->now > 0)
        p->ops[number].record = lane_of(p, process)->now;
    op_end(p, number);
}

static void
lock_api(program *p, uint32_t process)
{
    uint32_t lock = below(p, 2), depth;

    if (chance(p, 20)) {
        plain_call(p, process, "omp_test_lock"); /* in vain */
        return;
    }
    if (chance(p, 50)) {
        lock_set(p, process, TW_SET_LOCK, chance(p, 20) ? "omp_test_lock" : NULL, A_LOCK + lock);
        wander_some(p, process);
        lock_call(p, process, TW_UNSET_LOCK, NULL, A_LOCK + lock);
        return;
    }
    depth = 1 + below(p, 3);
    lock_set(p, process, TW_SET_LOCK, "omp_set_nest_lock", A_NEST_LOCK + lock);
    for (uint32_t i = 1; i < depth; i++) {
        pass_time(p, process);
        lock_call(p, process, TW_SET_LOCK, chance(p, 30) ? "omp_test_nest_lock" : "omp_set_nest_lock",
                  A_NEST_LOCK + lock);
    }
    for (uint32_t i = 0; i < depth; i++) {
        pass_time(p, process);
        lock_call(p, process, TW_UNSET_LOCK, "omp_unset_nest_lock", A_NEST_LOCK + lock);
    }
}

void
locks_of_team(program *p, const scene *s, bool are_critical)
{
    for (uint32_t i = 1 + below(p, 2 * s->n); i > 0; i--) {
        act(p, s, any_member(p, s));
        if (are_critical)
            critical(p, s->process);
        else
            lock_api(p, s->process);
    }
}

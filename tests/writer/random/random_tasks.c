/* tests/writer/random/random_tasks.c: explicit tasks of a random program, and the barriers in which they run. */
#include "random_scene.h"

enum { DEEPEST_TASK = 3, MAX_TASKS = 24 };

typedef struct task {
    uint32_t number, creator, lane; /* lane: on which it is suspended */
    hd_time  ready;
    bool     is_untied;
    bool     is_in_work; /* a function is open where it is suspended */
} task;

struct task_pool {
    task     waiting[MAX_TASKS], suspended[MAX_TASKS];
    uint32_t n_waiting, n_suspended, n_created;
};

static const char *const task_regions[] = { "!$omp task @program.c:7", "!$omp task @program.c:8" };

/* task NULL: the implicit one */
static void
task_switch(program *p, const scene *s, const task *t)
{
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_SWITCH, .team = s->team,
                       .creator = t == NULL ? 0 : t->creator, .task = t == NULL ? 0 : t->number });
}

static uint32_t
member_on(const scene *s, uint32_t thread)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->lanes[i] == thread)
            return i;
    return 0;
}

static task
task_create(program *p, const scene *s, task_pool *pool)
{
    size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER,
                                         .region = "!$omp create task @program.c:7" });
    task   t      = { .number = ++p->n_tasks[s->process], .creator = member_on(s, p->acting[s->process]),
                      .is_untied = chance(p, 25) };

    p->ops[number].region = t.is_untied ? "!$omp create task @program.c:8" : p->ops[number].region;
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_CREATE, .team = s->team, .creator = t.creator,
                       .task = t.number });
    p->ops[p->n_ops - 1].enter = p->ops[number].enter;
    op_end(p, number);
    t.ready = lane_of(p, s->process)->now;
    pool->n_created++;
    return t;
}

static void task_run(program *p, const scene *s, task_pool *pool, task t, uint32_t depth);

static task
task_take(task *list, uint32_t *n, uint32_t i)
{
    task t = list[i];

    list[i] = list[--*n];
    return t;
}

static void
task_end(program *p, const scene *s, task t)
{
    moment(p, (tw_op){ .process = s->process, .op = TW_LEAVE, .region = task_regions[t.is_untied] });
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_COMPLETE, .team = s->team, .creator = t.creator,
                       .task = t.number });
    lane_of(p, s->process)->now += below(p, 3);
}

/* The thread has left off what it did, and runs other tasks that are ready, up to n. True if there were any. */
static bool
tasks_meanwhile(program *p, const scene *s, task_pool *pool, uint32_t n, uint32_t depth)
{
    bool any = false;

    for (; n > 0 && pool->n_waiting > 0; n--, any = true) {
        task  t = task_take(pool->waiting, &pool->n_waiting, below(p, pool->n_waiting));
        lane *l = lane_of(p, s->process);

        l->now = hd_time_max(l->now, t.ready) + (any ? 0 : below(p, 3));
        task_run(p, s, pool, t, depth);
    }
    return any;
}

static void
task_work(program *p, const scene *s, task_pool *pool, const task *t, uint32_t depth)
{
    size_t number;

    switch (below(p, 8)) {
    case 0:
    case 1:
        if (pool->n_created >= MAX_TASKS)
            break;
        pool->waiting[pool->n_waiting++] = task_create(p, s, pool);
        break;
    case 2:
        if (pool->n_created >= MAX_TASKS || depth >= DEEPEST_TASK)
            break;
        task_run(p, s, pool, task_create(p, s, pool), depth + 1); /* not deferred */
        task_switch(p, s, t);
        lane_of(p, s->process)->now++;
        break;
    case 3:
        number = op_begin(p, (tw_op){ .process = s->process, .op = TW_TASKWAIT });
        if (depth < DEEPEST_TASK && tasks_meanwhile(p, s, pool, below(p, 3), depth + 1)) {
            task_switch(p, s, t);
            lane_of(p, s->process)->now++;
        }
        op_end(p, number);
        break;
    case 4:
        critical(p, s->process);
        break;
    case 5:
        if (chance(p, 30)) {
            scene inner = *s;

            inner.with_tasks = false; /* its threads' implicit task would be that of the outer team */
            parallel(p, &inner, s->process, false);
        }
        break;
    default:
        wander_some(p, s->process);
        break;
    }
    pass_time(p, s->process);
}

/* From the switch to the task to its completion, or until it is suspended. */
static void
task_run(program *p, const scene *s, task_pool *pool, task t, uint32_t depth)
{
    task_switch(p, s, &t);
    moment(p, (tw_op){ .process = s->process, .op = TW_ENTER, .region = task_regions[t.is_untied] });
    lane_of(p, s->process)->now += 1 + below(p, 3);
    for (uint32_t i = below(p, 3); i > 0; i--)
        task_work(p, s, pool, &t, depth);
    if (chance(p, 20)) {
        t.is_in_work = chance(p, 50);
        if (t.is_in_work)
            moment(p, (tw_op){ .process = s->process, .op = TW_ENTER, .region = "work" });
        lane_of(p, s->process)->now += below(p, 4);
        if (p->with_migration && t.is_untied) /* as it goes on elsewhere, it has left off here */
            task_switch(p, s, NULL);
        t.lane  = p->acting[s->process];
        t.ready = lane_of(p, s->process)->now;
        pool->suspended[pool->n_suspended++] = t;
    } else {
        task_end(p, s, t);
    }
}

/* One task goes on, or starts, on the acting thread. Tied ones go on where they were, untied ones anywhere in some
 * programs. */
static bool
task_next(program *p, const scene *s, task_pool *pool)
{
    uint32_t acting = p->acting[s->process];

    for (uint32_t i = 0; i < pool->n_suspended; i++) {
        task t = pool->suspended[i];

        if (t.lane != acting && !(p->with_migration && t.is_untied))
            continue;
        if (pool->n_waiting > 0 && chance(p, 50))
            continue;
        t                           = task_take(pool->suspended, &pool->n_suspended, i);
        lane_of(p, s->process)->now = hd_time_max(lane_of(p, s->process)->now, t.ready);
        task_switch(p, s, &t);
        lane_of(p, s->process)->now += 1 + below(p, 9);
        if (chance(p, 30))
            plain_call(p, s->process, "work");
        if (t.is_in_work)
            moment(p, (tw_op){ .process = s->process, .op = TW_LEAVE, .region = "work" });
        task_end(p, s, t);
        return true;
    }
    return tasks_meanwhile(p, s, pool, 1, 0);
}

/* -----------------------------------------------------------------------------------------------------------
 * barriers */

void
barrier(program *p, const scene *s, tw_kind kind, const char *region, task_pool *pool)
{
    size_t  numbers[MAX_LANES];
    bool    is_explicit[MAX_LANES] = { false }; /* in an explicit task, or not back from one */
    hd_time latest                  = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = kind, .region = region });
        latest     = hd_time_max(latest, lane_at(p, s, i)->now);
    }
    while (pool != NULL && pool->n_waiting + pool->n_suspended > 0) {
        uint32_t i = any_member(p, s);

        act(p, s, i);
        if (!task_next(p, s, pool))
            continue;
        is_explicit[i] = true;
        if (chance(p, 40)) {
            task_switch(p, s, NULL);
            lane_at(p, s, i)->now += 1 + below(p, 5);
            is_explicit[i] = false;
        }
    }
    for (uint32_t i = 0; i < s->n; i++)
        latest = hd_time_max(latest, lane_at(p, s, i)->now);
    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        lane_at(p, s, i)->now = latest + below(p, 4);
        if (is_explicit[i]) {
            task_switch(p, s, NULL);
            lane_at(p, s, i)->now++;
        }
        op_end(p, numbers[i]);
    }
}

void
tasks(program *p, const scene *s)
{
    task_pool pool = { .n_waiting = 0 };

    for (uint32_t k = 1 + below(p, 2); k > 0; k--) {
        act(p, s, any_member(p, s));
        for (uint32_t i = 1 + below(p, 4); i > 0 && pool.n_created < MAX_TASKS; i--) {
            task t = task_create(p, s, &pool);

            if (chance(p, 15)) { /* not deferred */
                task_run(p, s, &pool, t, 1);
                task_switch(p, s, NULL);
                lane_of(p, s->process)->now++;
            } else {
                pool.waiting[pool.n_waiting++] = t;
            }
        }
        if (chance(p, 40)) {
            size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_TASKWAIT });

            if (tasks_meanwhile(p, s, &pool, below(p, 4), 1)) {
                task_switch(p, s, NULL);
                lane_of(p, s->process)->now++;
            }
            op_end(p, number);
        }
    }
    if (chance(p, 50))
        barrier(p, s, TW_OMP_BARRIER, NULL, &pool);
    else
        barrier(p, s, TW_OMP_IBARRIER, NULL, &pool);
}

/* tests/writer/random/random_scene.h: a scene of a random program, and what its members do; for random_threads.c and
 * its parts. */
#ifndef RANDOM_SCENE_H
#define RANDOM_SCENE_H

#include "random_program.h"

typedef struct scene {
    uint32_t process, team, n; /* team: its number; 0: created threads */
    uint32_t lanes[MAX_LANES];
    uint32_t level;
    bool     with_mpi, with_tasks;
} scene;

/* ---- random_threads.c */

lane *lane_at(program *p, const scene *s, uint32_t member);
uint32_t any_member(program *p, const scene *s);
/* A team of OpenMP that the acting thread of a process forks, in the scene outer (NULL: in none), from its fork to its
 * join. */
void parallel(program *p, const scene *outer, uint32_t process, bool with_mpi);
/* The member makes the next calls of its process. */
void act(program *p, const scene *s, uint32_t member);
/* Enters and leaves some functions, by chance; those that are open stay. */
void wander_some(program *p, uint32_t process);
/* Begins a call of the acting thread, and ends it. Records of the same time keep the order in which they were added,
 * but a call stands before moments: those let time pass. */
size_t op_begin(program *p, tw_op op);
void op_end(program *p, size_t number);
/* A record without a call. */
void moment(program *p, tw_op op);

/* ---- random_locks.c */

/* Takes the lock as soon as it is free, not before now. Some ownerships are not recorded. */
hd_time lock_take(program *p, uint32_t process, bool is_posix, uint32_t lock);
void lock_give(program *p, uint32_t process, bool is_posix, uint32_t lock, hd_time time);
/* A critical section. */
void critical(program *p, uint32_t process);
/* A call that does something with a lock; and one that takes it as soon as it is free. */
void lock_call(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock);
void lock_set(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock);
/* Critical sections, or the functions for locks, of some members. */
void locks_of_team(program *p, const scene *s, bool are_critical);

/* ---- random_tasks.c */

typedef struct task_pool task_pool;

/* All members meet; those that are there run tasks until none is left. pool: NULL: there are none. */
void barrier(program *p, const scene *s, tw_kind kind, const char *region, task_pool *pool);
/* Some members make tasks, all run them. */
void tasks(program *p, const scene *s);

#endif

/* heddle/record.h: parts of a program that heddle record shows by the names that the program gives them.
 *
 *     #include <heddle/record.h>
 *
 *     for (int i = 0; i < n_steps; i++) {
 *         heddle_iteration_begin("step");
 *         compute();
 *         heddle_iteration_end("step");
 *     }
 *
 * In C++ also by scope: heddle::iteration one("step"); heddle::region part("input");
 *
 *     const int   sizes[] = { 4, 2 }, place[] = { rank / 2, rank % 2 };
 *     const char *names[] = { "x", "y" };
 *
 *     heddle_topology_define("mesh", 2, sizes, NULL, names);
 *     heddle_topology_place("mesh", 2, place);
 *
 * What is wrong with a topology is said at the end of heddle record, and does not end the program.
 *
 * Nothing is linked to the program. Without heddle record these calls do nothing, and take some nanoseconds. A name is
 * copied, of iterations it is that of the loop: all have the same. Regions nest; one that is ended without the regions
 * in it ends these, too. Any thread may call them, before MPI_Init() and after MPI_Finalize() as well. Calls from
 * functions that MPI calls back are left out. Needs dlsym(): before version 2.34 of the C library, -ldl.
 */
#ifndef HEDDLE_RECORD_H
#define HEDDLE_RECORD_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The caller is the program's function, then. */
#define HEDDLE_RECORD_PLAIN __attribute__((always_inline, no_instrument_function))
#define HEDDLE_RECORD_INLINE static inline HEDDLE_RECORD_PLAIN

typedef void heddle_record_call(void); /* any of them */

/* Stands for the recorder's functions where there is no recorder. */
static inline __attribute__((no_instrument_function)) void
heddle_record_nothing(void)
{
}

HEDDLE_RECORD_INLINE heddle_record_call *
heddle_record_find(const char *function)
{
    union {
        void               *object;
        heddle_record_call *call;
    } found;

    found.object = dlsym(dlopen(NULL, RTLD_LAZY), function);
    return found.object != NULL ? found.call : heddle_record_nothing;
}

/* Equal values may be written by several threads. */
#define HEDDLE_RECORD_CALL(name_, function_, parameters_, arguments_)                                                  \
    HEDDLE_RECORD_INLINE void name_ parameters_                                                                        \
    {                                                                                                                  \
        static heddle_record_call *call;                                                                               \
        heddle_record_call        *now = __atomic_load_n(&call, __ATOMIC_RELAXED);                                     \
                                                                                                                       \
        if (now == NULL) {                                                                                             \
            now = heddle_record_find(function_);                                                                       \
            __atomic_store_n(&call, now, __ATOMIC_RELAXED);                                                            \
        }                                                                                                              \
        if (now != heddle_record_nothing)                                                                              \
            ((void(*) parameters_)now)arguments_;                                                                      \
    }

HEDDLE_RECORD_CALL(heddle_region_begin, "heddle_record_region_begin", (const char *name), (name))
HEDDLE_RECORD_CALL(heddle_region_end, "heddle_record_region_end", (const char *name), (name))
HEDDLE_RECORD_CALL(heddle_iteration_begin, "heddle_record_iteration_begin", (const char *name), (name))
HEDDLE_RECORD_CALL(heddle_iteration_end, "heddle_record_iteration_end", (const char *name), (name))

/* Defines a Cartesian topology of the program, as one of processes or threads that is not MPI's. Call it in each
 * process that is on it, with the same values in all; again is no error.
 *   name       the first definition of a name counts
 *   n          dimensions, 1 to 32
 *   sizes      [n] above 0
 *   periodic   [n] not 0: the first and the last are neighbours; NULL: none is
 *   names      [n] of the dimensions; NULL: they have none */
HEDDLE_RECORD_CALL(heddle_topology_define, "heddle_record_topology_define",
                   (const char *name, int n, const int *sizes, const int *periodic, const char *const *names),
                   (name, n, sizes, periodic, names))

/* Where the calling thread is on it, before or after its definition. The process is where its first thread is.
 *   coordinates   [n] from 0 to below the sizes; the first ones count */
HEDDLE_RECORD_CALL(heddle_topology_place, "heddle_record_topology_place",
                   (const char *name, int n, const int *coordinates), (name, n, coordinates))

#undef HEDDLE_RECORD_CALL

#ifdef __cplusplus
}

namespace heddle
{
class region
{
  public:
    HEDDLE_RECORD_PLAIN explicit region(const char *name) : name_(name) { heddle_region_begin(name_); }
    HEDDLE_RECORD_PLAIN ~region() { heddle_region_end(name_); }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

  private:
    const char *name_;
};

class iteration
{
  public:
    HEDDLE_RECORD_PLAIN explicit iteration(const char *name) : name_(name) { heddle_iteration_begin(name_); }
    HEDDLE_RECORD_PLAIN ~iteration() { heddle_iteration_end(name_); }
    iteration(const iteration &) = delete;
    iteration &operator=(const iteration &) = delete;

  private:
    const char *name_;
};
}
#endif

#undef HEDDLE_RECORD_INLINE
#undef HEDDLE_RECORD_PLAIN

#endif

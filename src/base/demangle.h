/* src/base/demangle.h: names as the source of a program has them, of the names that its linker saw.
 *
 *   C++                  _ZN3net4sendEi               net::send(int)          where the compiler's library can do it
 *                                                                             (docs/dependencies.md)
 *   Fortran, gfortran    __solver_MOD_step            solver::step
 *            Intel       solver_mp_step_              solver::step            if the source file is one of Fortran, or
 *                                                                             unknown
 *            LLVM Flang  _QMsolverPstep               solver::step
 *            Cray        step$solver_                 solver::step            if the source file is one of Fortran, or
 *                                                                             unknown
 *            any         step_                        step                    if the source file is one of Fortran
 *
 * What a compiler adds to a clone or a part of a function stays at the end of the name: "solver::step [clone
 * ._omp_fn.0]".
 * Uses: memory. MT: any thread, one at a time, as SIGVTALRM is taken meanwhile. Ranks: local.
 */
#ifndef HD_DEMANGLE_H
#define HD_DEMANGLE_H

/* The name for reading; free() it. NULL: the name is not mangled, cannot be read, or would be longer than 16 KiB.
 *   name        as it was recorded
 *   file        source file, "" where it is unknown
 *   n_endless   in, out: damaged names that the library of C++ does not come to an end with. Each costs 0.1 s of
 *               processor time and stays as it
 *               is; after a few of them names of C++ are not tried any more. Begin with 0.
 * Cost: linear in what comes out; of C++ some system calls. */
char *hd_demangle(const char *name, const char *file, unsigned *n_endless);

/* Where names of C++ are read: "libsupc++"; "": nowhere, they stay as they are. */
const char *hd_demangle_library(void);

#endif

/* src/base/demangle.h: names as the source of a program has them, of the names that its linker saw.
 *
 *   C++                  _ZN3net4sendEi               net::send(int)          where the compiler's library can do it (docs/dependencies.md)
 *   Fortran, gfortran    __solver_MOD_step            solver::step
 *            Intel       solver_mp_step_              solver::step            if the source file is one of Fortran, or unknown
 *            LLVM Flang  _QMsolverPstep               solver::step
 *            Cray        step$solver_                 solver::step            if the source file is one of Fortran, or unknown
 *            any         step_                        step                    if the source file is one of Fortran
 *
 * What a compiler adds to a clone or a part of a function stays behind the name: "solver::step [clone ._omp_fn.0]".
 * Uses: memory. MT: any thread. Ranks: local.
 */
#ifndef HD_DEMANGLE_H
#define HD_DEMANGLE_H

/* The name for reading; free() it. NULL: the name is not mangled, cannot be read, or would be longer than 16 KiB.
 *   name   as it was recorded
 *   file   source file, "" where it is unknown
 * Cost: linear in what comes out. */
char *hd_demangle(const char *name, const char *file);

/* Where names of C++ are read: "libsupc++"; "": nowhere, they stay as they are. */
const char *hd_demangle_library(void);

#endif

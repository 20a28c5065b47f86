#include "build_facts.h"

#include <stdlib.h>

#include "demangle.h"
#include "mpi_part.h"
#include "revision.h"
#include "version.h"

static void
print_fact(FILE *out, const char *name, const char *value, const char *otherwise)
{
    fprintf(out, "%-14s%s\n", name, value[0] != '\0' ? value : otherwise);
}

void
hd_build_facts_print(FILE *out)
{
    const hd_analysis_comm_calls *calls = hd_mpi_part();
    char                         *mpi   = calls != NULL ? hd_analysis_comm_library(calls) : NULL;
    const char                   *none  = hd_error_get()->status == HD_EUSAGE ? "none" : "cannot be loaded";

    fprintf(out, "heddle %s\n", HD_VERSION);
    print_fact(out, "revision", HD_REVISION, "unknown: not built from a checkout");
    print_fact(out, "compiler", HD_COMPILER, "unknown");
    print_fact(out, "build type", HD_BUILD_TYPE, "unknown");
    print_fact(out, "OpenMP", HD_OPENMP, "unknown");
    print_fact(out, "MPI", mpi != NULL ? mpi : none, "unknown");
    print_fact(out, "OTF2", HD_OTF2, "unknown");
    print_fact(out, "hwloc", HD_HWLOC, "unknown");
    print_fact(out, "zlib", HD_ZLIB, "unknown");
    print_fact(out, "expat", HD_EXPAT, "unknown");
    print_fact(out, "cairo", HD_CAIRO, "none: no pictures of topologies");
    print_fact(out, "demangler", hd_demangle_library(), "none: names of C++ functions stay as they were recorded");
    print_fact(out, "linked", HD_LINKED, "unknown");
    free(mpi);
}

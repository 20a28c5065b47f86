/* src/analysis_comm/mpi_part_loaded.c: of a program that loads the part that needs MPI. */
#include <stdlib.h>

#include "module.h"
#include "mpi_module.h"
#include "mpi_part.h"

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)

const hd_analysis_comm_calls *
hd_mpi_part(void)
{
    static const hd_mpi_host             host = { .fatal = hd_fatal, .fatal_handler_set = hd_fatal_handler_set };
    static const hd_analysis_comm_calls *calls;
    char                                *why = NULL;
    hd_mpi_module                       *module;

    if (calls != NULL)
        return calls;
    *(void **)&module = hd_module_load(HD_MPI_MODULE_FILE, NAME_OF(HD_MPI_MODULE_SYMBOL), &why);
    if (module != NULL)
        calls = module(&host);
    else {
        hd_fail(HD_EOPEN, "the MPI library cannot be loaded");
        hd_fail_detail("because", "%s", why);
        hd_fail_detail("try", "load the module of the MPI library that heddle was built with; or a single process, "
                              "which needs no MPI: heddle ... --mpi=no");
    }
    free(why);
    return calls;
}

/* tests/writer/archive/region_roles.h: roles of regions, by their names. Any thread. */
#ifndef REGION_ROLES_H
#define REGION_ROLES_H

#include <otf2/otf2.h>

OTF2_RegionRole tw_role_of_mpi(const char *name);   /* without "MPI_" */
OTF2_RegionRole tw_role_of_shmem(const char *name); /* without "shmem_" */
OTF2_RegionRole tw_role_of_omp(const char *name);
OTF2_RegionRole tw_role_of_pthread(const char *name);

/* UNKNOWN: it is no function for files. */
OTF2_RegionRole tw_role_of_posix_io(const char *name);

#endif

/* src/record/preload/mpi/mpi_file.h: MPI-IO: files, and operations on them.
 *
 * A file that is open is known by its communicator and how many-th file of that it is.
 * Uses: mpi_records. MT: any thread, one lock. Ranks: local. Grows with: files that are open at a time.
 */
#ifndef HD_MPI_FILE_H
#define HD_MPI_FILE_H

#include "mpi_records.h"

typedef struct hd_file {
    struct hd_file *next;
    uint64_t        handle, split; /* split: number of the operation that MPI_File_..._begin began */
    uint32_t        number;
} hd_file;

/* name and mode: as the program gave them. comm: NULL or foreign: the file is not recorded. */
void hd_record_file_open(const hd_call *call, const hd_comm *comm, const char *name, int mode, MPI_File made);

/* NULL: unknown. */
hd_file *hd_file_get(MPI_File file);

/* It is closed. The handle may be used anew at once; drop it after the call. NULL: unknown. */
hd_file *hd_file_take(MPI_File file);
void     hd_record_file_close(const hd_call *call, hd_file *taken);

void hd_record_file_seek(const hd_call *call, const hd_file *file, MPI_Offset offset, int whence);

/* An operation: before the real call, and after. flags: of hd_raw_file_flag. Each takes NULL for a file. begin returns
 * the number of the operation. status: NULL: it has failed. */
uint64_t hd_record_file_begin(const hd_call *call, const hd_file *file, uint32_t flags, uint64_t bytes);
void     hd_record_file_complete(const hd_call *call, const hd_file *file, uint64_t operation,
                                 const MPI_Status *status);

/* One with a request, before the real call; after that it is issued. */
hd_request hd_record_file_ibegin(const hd_call *call, const hd_file *file, uint32_t flags, uint64_t bytes);
void       hd_record_file_issued(const hd_call *call, const hd_request *made);

/* MPI_File_..._begin, before and after; MPI_File_..._end. */
void hd_record_file_split(const hd_call *call, hd_file *file, uint32_t flags, uint64_t bytes);
void hd_record_file_split_issued(const hd_call *call, const hd_file *file);

#endif

/* src/record/preload/mpi/mpi_window.h: one-sided communication: windows, accesses, epochs.
 *
 * A window is known by its communicator and how many-th window of that it is. Accesses are complete when the call that
 * ends their epoch, or flushes them, returns; until then a window keeps their numbers.
 * Uses: mpi_records. MT: any thread, one lock. Ranks: local. Grows with: windows; accesses that are not complete.
 */
#ifndef HD_MPI_WINDOW_H
#define HD_MPI_WINDOW_H

#include "mpi_records.h"

typedef struct hd_window hd_window;

/* NULL: unknown. Stays valid when it is freed. */
hd_window *hd_window_get(MPI_Win window);

void       hd_record_window_begin(const hd_call *call); /* of a collective operation */
void       hd_record_window_new(hd_call *call, const hd_comm *comm, MPI_Win made, bool has_memory);
hd_window *hd_window_take(MPI_Win window); /* it is going to be freed */
void       hd_record_window_free(const hd_call *call, const hd_window *window);
void       hd_record_fence(const hd_call *call, hd_window *window);

/* An access: before the real call. The request is that of MPI_Rput, ...
 *   type   of an ATOMIC: HD_RAW_ACCUMULATE, ... */
hd_request hd_record_access(const hd_call *call, hd_raw_kind kind, hd_window *window, int target, uint32_t type,
                            uint64_t sent, uint64_t received);

/* Pairwise synchronisation. */
typedef enum hd_epoch { HD_ACCESS_EPOCH, HD_EXPOSURE_EPOCH } hd_epoch;
void hd_record_epoch_begin(const hd_call *call, hd_window *window, MPI_Group group, hd_epoch epoch);
void hd_record_epoch_end(const hd_call *call, hd_window *window, hd_epoch epoch, uint64_t time);

/* Locks. target: HD_ALL_TARGETS for those of MPI_Win_lock_all. */
enum { HD_ALL_TARGETS = INT32_MIN }; /* no rank, and not MPI_PROC_NULL */
void hd_record_lock(const hd_call *call, const hd_window *window, int target, bool is_shared);
void hd_record_unlock(const hd_call *call, hd_window *window, int target);
void hd_record_flush(const hd_call *call, hd_window *window, int target, bool is_local);

#endif

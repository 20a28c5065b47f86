/* replay/core/coll_class.h: the classes of collective operations, by who waits for whom. Inside of the replay only.
 * Definitions: docs/metrics.md#barrier and the sections after it. Uses: trace. MT: any thread. Ranks: local.
 */
#ifndef HD_COLL_CLASS_H
#define HD_COLL_CLASS_H

#include "oplog.h"

typedef enum hd_coll_class {
    HD_COLL_NONE, HD_COLL_BARRIER, HD_COLL_NXN, HD_COLL_1TON, HD_COLL_NTO1, HD_COLL_SCAN, HD_COLL_EXCHANGE,
    /* Of windows, and of files. */
    HD_COLL_CREATE, HD_COLL_FREE, HD_COLL_FENCE, HD_COLL_SHMEM_BARRIER, HD_COLL_SHMEM_1TON, HD_COLL_SHMEM_NXN,
    HD_COLL_FILE_OPEN, HD_COLL_FILE_IO
} hd_coll_class;

/* Not in OTF2: operations of our own, on two communicators of all MPI processes that come after the archive's. */
#define HD_OPERATION_INIT 0x100
#define HD_OPERATION_FINALIZE 0x101

/* By OTF2's number of the operation. EXCHANGE: counts per peer are not recorded, so it is an N-to-N only where all take
 * part. */
static inline hd_coll_class
hd_coll_class_of(uint32_t operation)
{
    static const uint8_t classes[] = {
        HD_COLL_BARRIER, HD_COLL_1TON, HD_COLL_NTO1, HD_COLL_NTO1, HD_COLL_1TON, HD_COLL_1TON, HD_COLL_NXN, HD_COLL_NXN,
        HD_COLL_NXN, HD_COLL_EXCHANGE, HD_COLL_EXCHANGE, HD_COLL_NXN, HD_COLL_NTO1, HD_COLL_NXN, HD_COLL_SCAN,
        HD_COLL_SCAN, HD_COLL_NXN,
        [HD_OPERATION_WIN_CREATE] = HD_COLL_CREATE, [HD_OPERATION_WIN_FREE] = HD_COLL_FREE,
        [HD_OPERATION_WIN_FENCE] = HD_COLL_FENCE, [HD_OPERATION_SHMEM_BARRIER] = HD_COLL_SHMEM_BARRIER,
        [HD_OPERATION_SHMEM_BROADCAST] = HD_COLL_SHMEM_1TON, [HD_OPERATION_SHMEM_EXCHANGE] = HD_COLL_SHMEM_NXN,
        [HD_OPERATION_FILE_OPEN] = HD_COLL_FILE_OPEN, [HD_OPERATION_FILE_IO] = HD_COLL_FILE_IO,
        [HD_OPERATION_INIT] = HD_COLL_BARRIER, [HD_OPERATION_FINALIZE] = HD_COLL_BARRIER,
    };

    return operation < sizeof classes ? (hd_coll_class)classes[operation] : HD_COLL_NONE;
}

#define HD_COLL_ROOT_SELF (HD_NONE - 1) /* inter-communicators, as in OTF2 */

#endif

/* src/cli/core/rank_range.h: processes as a user names them: "3", "0-7". Uses: base. MT: main thread only. */
#ifndef HD_RANK_RANGE_H
#define HD_RANK_RANGE_H

#include "status.h"

#define HD_PROCESS_HELP \
    "only this process, by its MPI rank, or those from one to another one, as 0-7; may be given several times"

/* The value of --process of a command. Errors: HD_EUSAGE. */
hd_status hd_rank_range_read(const char *text, const char *command, uint64_t *first, uint64_t *last);

#endif

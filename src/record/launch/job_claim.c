/* src/record/launch/job_claim.c: names of sockets that one process at a time can have. */
#include "job_claim.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "text_hash.h"

bool
hd_job_claim_take(const hd_recording_job *job, const char *text, int *handle)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    uint64_t           key     = hd_text_hash(hd_text_hash(HD_TEXT_HASH, job->identity), text);
    int                length, error;

    *handle = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (*handle < 0)
        return true;
    length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "heddle-%u-%016" PRIx64,
                      (unsigned)getuid(), key);
    if (bind(*handle, (const struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
        return true;
    error = errno;
    close(*handle);
    *handle = -1;
    return error != EADDRINUSE;
}

bool
hd_job_claim(const hd_recording_job *job, const char *text)
{
    int stays_open;

    return hd_job_claim_take(job, text, &stays_open);
}

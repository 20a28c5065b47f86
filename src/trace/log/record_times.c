/* src/trace/log/record_times.c: times of the records of a location, packed. */
#include "record_times.h"

#include "status.h"

void
hd_record_times_put(hd_record_times *times, hd_time time)
{
    HD_ASSERT(time >= times->last);
    hd_bytes_put_number(&times->bytes, time - times->last);
    times->last = time;
    times->n++;
}

void
hd_record_times_fini(hd_record_times *times)
{
    hd_bytes_fini(&times->bytes);
    *times = (hd_record_times){ .bytes.scratch = times->bytes.scratch };
}

hd_time
hd_record_times_at(hd_record_times_cursor *cursor, uint64_t position)
{
    while (cursor->position < position && cursor->at < cursor->times->bytes.n) {
        const uint8_t *at = cursor->times->bytes.data + cursor->at;

        cursor->time += hd_bytes_get_number(&at);
        cursor->at = (size_t)(at - cursor->times->bytes.data);
        cursor->position++;
    }
    return cursor->time;
}

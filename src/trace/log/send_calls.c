#include "send_calls.h"

static hd_time
least_enter(const hd_send_call *calls, size_t n)
{
    hd_time least = calls[0].enter;

    for (size_t i = 1; i < n; i++)
        least = hd_time_min(least, calls[i].enter);
    return least;
}

hd_send_calls
hd_send_calls_pack(hd_scratch *scratch, const hd_send_call *calls, size_t n)
{
    hd_send_calls packed   = { .calls = NULL };
    hd_time       base     = 0;
    size_t        n_wholes = 0;

    if (n == 0)
        return packed;
    packed.calls = hd_scratch_realloc(scratch, NULL, n, sizeof *packed.calls);
    packed.bases = hd_scratch_realloc(scratch, NULL, (n - 1) / HD_SEND_CALL_GROUP + 1, sizeof *packed.bases);
    for (size_t i = 0; i < n; i++) {
        hd_time enter, length = calls[i].leave - calls[i].enter;

        if (i % HD_SEND_CALL_GROUP == 0)
            packed.bases[i / HD_SEND_CALL_GROUP] = base =
                least_enter(&calls[i], n - i < HD_SEND_CALL_GROUP ? n - i : HD_SEND_CALL_GROUP);
        enter           = calls[i].enter - base;
        packed.calls[i] = (hd_packed_send_call){ .enter = (uint32_t)enter, .length = (uint32_t)length,
                                                 .call_path = calls[i].call_path & ((1U << HD_SEND_CALL_PATH_BITS) - 1),
                                                 .multi = calls[i].multi & 1 };
        if (HD_LIKELY(((enter | length) >> 32 | calls[i].call_path >> HD_SEND_CALL_PATH_BITS) == 0))
            continue;
        packed.calls[i].is_whole = 1;
        packed.calls[i].enter    = (uint32_t)n_wholes++;
    }
    if (n_wholes == 0)
        return packed;
    packed.wholes = hd_scratch_realloc(scratch, NULL, n_wholes, sizeof *packed.wholes);
    for (size_t i = 0; i < n; i++)
        if (packed.calls[i].is_whole)
            packed.wholes[packed.calls[i].enter] = calls[i];
    return packed;
}

void
hd_send_calls_fini(hd_scratch *scratch, hd_send_calls *calls)
{
    hd_scratch_free(scratch, calls->calls);
    hd_scratch_free(scratch, calls->bases);
    hd_scratch_free(scratch, calls->wholes);
    *calls = (hd_send_calls){ .calls = NULL };
}

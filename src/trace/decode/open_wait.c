#include "open_wait.h"

#include <string.h>
#include <strings.h>

static bool
is_one_of(const char *call, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(call, names[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(call, names) is_one_of((call), (names), sizeof(names) / sizeof *(names))

/* Collective operations that have no record: which one it is the call says. */
static bool
is_silent_collective(const char *call)
{
    static const char *const names[] = {
        "comm_dup", "comm_dup_with_info", "comm_split", "comm_split_type", "comm_create", "cart_create", "cart_sub",
        "graph_create",
        "dist_graph_create", "dist_graph_create_adjacent", "file_open", "file_close", "file_set_view", "file_set_size",
        "file_sync", "win_create", "win_allocate", "win_allocate_shared", "win_create_dynamic",
    };
    size_t n = strlen(call);

    return IS_ONE_OF(call, names) ||
           (strncasecmp(call, "file_", 5) == 0 && n > 4 && strcasecmp(call + n - 4, "_all") == 0);
}

static hd_open_wait
wait_of_name(const char *call, const hd_frame *frame, uint32_t *operation)
{
    static const char *const receives[]  = { "recv", "mrecv", "probe", "mprobe" };
    static const char *const exchanges[] = { "sendrecv", "sendrecv_replace" };
    static const char *const others[]    =
        { "win_lock", "win_lock_all", "win_unlock", "win_unlock_all", "win_flush", "win_flush_all",
          "intercomm_create", "intercomm_merge", "comm_create_group", "comm_accept", "comm_connect",
          "comm_spawn", "comm_spawn_multiple" };

    if (IS_ONE_OF(call, exchanges))
        return frame->n_records <= 1 ? HD_OPEN_RECEIVE : HD_OPEN_NONE;
    if (IS_ONE_OF(call, others))
        return HD_OPEN_OTHER;
    if (frame->n_records > 0)
        return HD_OPEN_NONE;
    if (IS_ONE_OF(call, receives))
        return HD_OPEN_RECEIVE;
    *operation = hd_operation_of_call(call);
    if (*operation == HD_NONE && is_silent_collective(call))
        *operation = HD_OPERATION_OF_REGION + frame->region;
    return *operation != HD_NONE ? HD_OPEN_COLLECTIVE : HD_OPEN_NONE;
}

/* The epoch of the call: that of its record, where it has one; else the only one that is open. */
static hd_open_wait
wait_of_epoch(const hd_decoder *decoder, const hd_frame *frame, hd_recording_end *end)
{
    const hd_channel *channels    = decoder->channels.list;
    const hd_open_epochs *epochs  = decoder->rma.epochs;
    bool              is_exposure = frame->call == HD_CALL_WIN_WAIT;
    uint32_t          n           = 0;

    if (frame->call != HD_CALL_WIN_START && frame->n_records > 0) {
        if (decoder->rma.ended_in != frame->enter)
            return HD_OPEN_OTHER;
        end->window   = channels[decoder->rma.ended_home].comm;
        end->group    = decoder->rma.ended_group;
        end->is_received = true;
        return is_exposure ? HD_OPEN_COMPLETES : HD_OPEN_POSTS;
    }
    for (size_t i = 0; i < decoder->rma.n_epochs; i++) {
        uint32_t group = is_exposure ? epochs[i].exposure : epochs[i].access;

        if (group == HD_NONE)
            continue;
        end->window = channels[i].comm;
        end->group  = group;
        n++;
    }
    return n != 1 ? HD_OPEN_OTHER : is_exposure ? HD_OPEN_COMPLETES : HD_OPEN_POSTS;
}

static hd_open_wait
wait_of_mpi(const hd_decoder *decoder, const hd_frame *frame, hd_recording_end *end)
{
    const hd_region *region = &decoder->regions[frame->region];
    const char      *name   = hd_defs_text(decoder->defs, region->canonical);
    bool             is_done = frame->n_records > 0 || decoder->stack.records.n_completed > frame->first_completed;

    switch (frame->call) {
    case HD_CALL_INIT:
        return HD_OPEN_INIT;
    case HD_CALL_FINALIZE:
        return HD_OPEN_FINALIZE;
    case HD_CALL_BLOCK_SEND:
        return frame->n_records > 0 ? HD_OPEN_SEND : HD_OPEN_NONE;
    case HD_CALL_WAIT_SINGLE:
    case HD_CALL_WAIT_MULTI:
        return is_done ? HD_OPEN_NONE : HD_OPEN_REQUESTS;
    case HD_CALL_WIN_FREE:
    case HD_CALL_WIN_FENCE:
    case HD_CALL_SHMEM_BARRIER:
    case HD_CALL_SHMEM_BROADCAST:
    case HD_CALL_SHMEM_EXCHANGE:
        end->operation = HD_OPERATION_OF_REGION + frame->region;
        return is_done ? HD_OPEN_NONE : HD_OPEN_WINDOW;
    case HD_CALL_WIN_START:
    case HD_CALL_WIN_COMPLETE:
    case HD_CALL_WIN_WAIT:
        return wait_of_epoch(decoder, frame, end);
    default:
        break;
    }
    if (strncasecmp(name, "MPI_", 4) == 0)
        return wait_of_name(name + 4, frame, &end->operation);
    if (strncasecmp(name, "PMPI_", 5) == 0)
        return wait_of_name(name + 5, frame, &end->operation);
    return strstr(name, "shmem") != NULL && strstr(name, "wait") != NULL ? HD_OPEN_OTHER : HD_OPEN_NONE;
}

static hd_open_wait
wait_of(const hd_decoder *decoder, const hd_frame *frame, hd_recording_end *end)
{
    switch (frame->region_class) {
    case HD_CLASS_MPI:
        return wait_of_mpi(decoder, frame, end);
    case HD_CLASS_OMP:
        return frame->call == HD_CALL_OMP_BARRIER || frame->call == HD_CALL_OMP_IMPLICIT_BARRIER ||
               frame->call == HD_CALL_OMP_TASKWAIT
                   ? HD_OPEN_THREADS : HD_OPEN_NONE;
    case HD_CLASS_PTHREAD:
        return frame->call == HD_CALL_MUTEX_LOCK || frame->call == HD_CALL_COND_WAIT ||
                       strcasecmp(hd_defs_text(decoder->defs, decoder->regions[frame->region].canonical),
                                  "pthread_join") == 0
                   ? HD_OPEN_THREADS : HD_OPEN_NONE;
    default:
        return HD_OPEN_NONE;
    }
}

void
hd_decoder_note_end(hd_decoder *decoder)
{
    const hd_frame   *frame = decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;
    hd_recording_end *end   = &decoder->out->end;

    *end = (hd_recording_end){ .time = decoder->now, .enter = decoder->now, .node = HD_NONE, .operation = HD_NONE };
    for (size_t i = 0; i < decoder->findings->n; i++)
        end->is_cut |= decoder->findings->rows[i].kind == HD_FINDING_CUT_EVENTS ||
                       decoder->findings->rows[i].kind == HD_FINDING_NO_EVENTS;
    if (frame == NULL)
        return;
    end->enter = frame->enter;
    end->node  = frame->node;
    end->wait  = (uint8_t)wait_of(decoder, frame, end);
}

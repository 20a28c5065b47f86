/* replay/forward/message_matrix.c: the rows of the communication matrix of a worker.
 * The senders of a location are those of its channels, so their rows are made at its first message, one after the
 * other. Each channel of receives knows its row: a message costs no search. */
#include "message_matrix.h"

#include <stdlib.h>

typedef struct peer_list { /* of a location */
    uint32_t *processes; /* [n] ascending; NULL: not made yet */
    uint32_t  n;
} peer_list;

typedef struct location_rows {
    size_t    first;         /* of the senders' rows in those of the worker, ascending by sender */
    uint32_t  n_senders;
    bool      has_senders;   /* their rows are made */
    peer_list receivers;
    int64_t  *late_receiver; /* [receivers.n] [ticks] waiting time of this location */
} location_rows;

static bool
is_wanted(const hd_replay *replay)
{
    return replay->request->matrix;
}

static int
compare_processes(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Those of all channels of a kind that carry messages of the application. */
static void
make_peers(const hd_p2p_event *event, hd_channel_kind kind, peer_list *made)
{
    const hd_oplog *log    = &event->vproc->location->log;
    uint32_t        window = hd_first_window(event->rh->replay->defs), n = 0;

    made->processes = HD_NEW_UNSET(uint32_t, log->n_channels + 1);
    for (size_t i = 0; i < log->n_channels; i++)
        if (log->channels[i].kind == kind && log->channels[i].comm < window)
            made->processes[n++] = log->channels[i].peer;
    qsort(made->processes, n, sizeof *made->processes, compare_processes);
    made->n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (made->n == 0 || made->processes[made->n - 1] != made->processes[i])
            made->processes[made->n++] = made->processes[i];
    made->processes = hd_realloc(made->processes, made->n + 1, sizeof *made->processes);
}

/* The place of a process, or the one that it would have. */
static uint32_t
place_of(const peer_list *peers, uint32_t process)
{
    uint32_t low = 0, high = peers->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (peers->processes[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
count_channels(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_oplog *log = &vproc->location->log;

    (void)worker;
    for (size_t i = 0; i < log->n_channels; i++)
        rh->matrix.capacity += log->channels[i].kind == HD_CHANNEL_RECV;
}

static void
make_senders(const hd_p2p_event *event, location_rows *rows)
{
    const hd_oplog *log     = &event->vproc->location->log;
    hd_matrix      *matrix  = &event->rh->matrix;
    uint32_t        window  = hd_first_window(event->rh->replay->defs);
    peer_list       senders;

    if (matrix->rows == NULL) { /* room for all at once: an array that grows takes twice its size while it is copied */
        hd_each_vproc(event->rh->replay, event->worker, count_channels);
        matrix->rows = HD_NEW_UNSET(hd_matrix_row, matrix->capacity);
    }
    make_peers(event, HD_CHANNEL_RECV, &senders);
    rows->first       = hd_matrix_make_rows(matrix, senders.n);
    rows->n_senders   = senders.n;
    rows->has_senders = true;
    for (uint32_t i = 0; i < senders.n; i++) {
        matrix->rows[rows->first + i].sender   = senders.processes[i];
        matrix->rows[rows->first + i].receiver = event->vproc->process_id;
    }
    for (size_t i = 0; i < log->n_channels; i++)
        if (log->channels[i].kind == HD_CHANNEL_RECV && log->channels[i].comm < window)
            event->vproc->links[i].matrix_row = place_of(&senders, log->channels[i].peer);
    free(senders.processes);
}

/*   sender    ·····[ send ]·······
 *   receiver  ··[ recv········ ]··    transfer = recv.leave - max(send.enter, recv.enter), if positive
 *                  |---------->|      docs/metrics.md#communication-matrix */
static void
receive(hd_p2p_event *event, void *state)
{
    location_rows *rows  = state;
    hd_vproc      *vproc = event->vproc;
    const hd_call *call  = &vproc->cursor.call;
    hd_span        transfer;
    hd_matrix_row *row;

    if (HD_UNLIKELY(!rows->has_senders))
        make_senders(event, rows);
    if (hd_node_is_outside(event->rh->replay, call->call_path))
        return;
    row      = &event->rh->matrix.rows[rows->first + vproc->links[vproc->op.channel].matrix_row];
    transfer = hd_span_between(hd_time_max(event->message->enter, call->enter), call->leave);
    row->messages++;
    row->bytes += event->message->bytes;
    row->late_sender += event->late_sender;
    row->transfer += transfer > 0 ? transfer : 0;
    event->rh->matrix.sizes[hd_matrix_size_class(event->message->bytes)]++;
}

static hd_matrix_row *
row_of_sender(hd_matrix_row *rows, uint32_t n, uint32_t sender)
{
    uint32_t low = 0, high = n;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        *(rows[middle].sender <= sender ? &low : &high) = middle;
    }
    return &rows[low];
}

/* Of a call that completes several receives Late Sender books the longest wait. */
static void
leave(hd_p2p_event *event, void *state)
{
    const location_rows *rows = state;

    if (event->late_sender > 0 && !hd_node_is_outside(event->rh->replay, event->vproc->cursor.call.call_path))
        row_of_sender(event->rh->matrix.rows + rows->first, rows->n_senders, event->late_sender_peer)->late_sender +=
            event->late_sender;
}

/* The send may be one of another thread, which completes here: then no channel of this location has its receiver. */
static void
insert_receiver(location_rows *rows, uint32_t at, uint32_t process)
{
    peer_list *receivers = &rows->receivers;

    receivers->processes = hd_realloc(receivers->processes, receivers->n + 1, sizeof *receivers->processes);
    rows->late_receiver  = hd_realloc(rows->late_receiver, receivers->n + 1, sizeof *rows->late_receiver);
    memmove(receivers->processes + at + 1, receivers->processes + at,
            (receivers->n - at) * sizeof *receivers->processes);
    memmove(rows->late_receiver + at + 1, rows->late_receiver + at,
            (receivers->n - at) * sizeof *rows->late_receiver);
    receivers->processes[at] = process;
    rows->late_receiver[at]  = 0;
    receivers->n++;
}

static void
count_late_receiver(hd_p2p_event *event, void *state)
{
    const hd_wait *wait = event->late_receiver;
    location_rows *rows = state;
    uint32_t       at;

    if (hd_node_is_outside(event->rh->replay, wait->node))
        return;
    if (rows->late_receiver == NULL) {
        make_peers(event, HD_CHANNEL_SEND, &rows->receivers);
        rows->late_receiver = HD_NEW_ARRAY(int64_t, rows->receivers.n);
    }
    at = place_of(&rows->receivers, wait->peer);
    if (at == rows->receivers.n || rows->receivers.processes[at] != wait->peer)
        insert_receiver(rows, at, wait->peer);
    rows->late_receiver[at] += wait->time;
}

/* Late Receivers become rows of the worker. */
static void
finish(hd_p2p_event *event, void *state)
{
    location_rows *rows   = state;
    hd_matrix     *matrix = &event->rh->matrix;

    for (uint32_t i = 0; i < rows->receivers.n; i++)
        if (rows->late_receiver[i] > 0) {
            size_t row = hd_matrix_make_rows(matrix, 1);

            matrix->rows[row] =
                (hd_matrix_row){ .sender = event->vproc->process_id, .receiver = rows->receivers.processes[i],
                                 .late_receiver = rows->late_receiver[i] };
        }
    free(rows->receivers.processes);
    free(rows->late_receiver);
}

void
hd_message_matrix_take(hd_replay *replay, hd_matrix *matrix)
{
    uint32_t n_threads = hd_placement_n_threads(replay->request->placement);

    *matrix = (hd_matrix){ 0 };
    for (uint32_t t = 0; t < n_threads; t++)
        hd_matrix_add(matrix, &replay->workers[t].matrix);
}

const hd_forward_pattern hd_message_matrix_pattern =
    { .state_bytes = sizeof(location_rows), .is_wanted = is_wanted, .on_receive = receive,
      .on_late_receiver = count_late_receiver, .on_leave = leave, .on_finish = finish };

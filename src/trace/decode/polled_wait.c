/* src/trace/decode/polled_wait.c: whether a call continues a row of polls, and whether the row is a wait. */
#include "polled_wait.h"

enum { SHORT_FACTOR = 10 };

/* Whether nothing but time of the region around them passed since the last poll; what it was goes to the gaps. */
static bool
continues(hd_decoder *decoder, const hd_frame *frame, uint32_t around)
{
    hd_polls *polls = &decoder->polls;
    hd_span   gap   = hd_span_between(polls->last_leave, frame->enter);
    hd_span   passed;

    if (polls->n == 0 || around != polls->node)
        return false;
    passed = decoder->out->nodes[around].time - polls->region_time;
    if (passed != gap || frame->enter < polls->last_leave)
        return false;
    polls->gaps += gap;
    polls->n_short += gap <= decoder->short_gap || gap / SHORT_FACTOR <= polls->last_length;
    return true;
}

static uint32_t
node_around(const hd_decoder *decoder, const hd_frame *frame)
{
    const hd_path_node *nodes  = decoder->out->nodes;
    uint32_t            around = nodes[frame->node].parent;

    if (around == HD_NONE || nodes[around].region == HD_NONE || nodes[around].region == HD_STUB_WITHOUT_REGION ||
        decoder->regions[nodes[around].region].region_class == HD_CLASS_MPI)
        return HD_NONE;
    return around;
}

void
hd_decoder_poll(hd_decoder *decoder, const hd_frame *frame)
{
    hd_polls *polls  = &decoder->polls;
    uint32_t  around = node_around(decoder, frame);

    if (around == HD_NONE || polls->has_sent) {
        *polls = (hd_polls){ .n = 0 };
        return;
    }
    if (!continues(decoder, frame, around))
        *polls = (hd_polls){ .begin = frame->enter, .node = around };
    polls->n++;
    polls->n_logged += decoder->keeps_calls;
    polls->is_probe    = frame->call == HD_CALL_PROBE;
    polls->last_leave  = decoder->now;
    polls->last_length = hd_span_between(frame->enter, decoder->now);
    polls->region_time = decoder->out->nodes[around].time;
}

void
hd_decoder_end_polls(hd_decoder *decoder, const hd_frame *frame)
{
    hd_polls      *polls = &decoder->polls;
    hd_oplog      *log   = &decoder->out->log;
    hd_oplog_rare *rare;

    if (polls->n > 0 && frame->n_records > 0 && (frame->call == HD_CALL_TEST || polls->is_probe) &&
        continues(decoder, frame, node_around(decoder, frame)) && 2 * (uint64_t)polls->n_short >= polls->n) {
        rare = hd_oplog_rare_of(log);
        HD_SCRATCH_PUSH(log->calls.scratch, rare->polled, rare->n_polled, decoder->capacity_polled,
                        ((hd_polled_wait){ .begin = polls->begin, .gaps = polls->gaps, .call = (uint32_t)log->n_calls,
                                           .n_polls = polls->n, .n_logged = polls->n_logged }));
    }
    *polls = (hd_polls){ .n = 0 };
}

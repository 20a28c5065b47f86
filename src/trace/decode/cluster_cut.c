#include "cluster_cut.h"

/* Whether the region of a frame is the one that iterations are in. */
static bool
is_anchor(hd_decoder *decoder, const hd_frame *frame)
{
    const hd_cluster_cuts *cuts  = decoder->cut.cuts;
    const hd_path_node    *nodes = decoder->out->nodes;
    uint32_t               node  = hd_decoder_inner(decoder, frame->node), i = cuts->n_way;

    if (cuts->region != HD_NONE)
        return frame->region == cuts->region;
    if (decoder->cut.anchor != HD_NONE || frame->region != cuts->way[i - 1])
        return node == decoder->cut.anchor;
    for (; i > 0 && node != HD_NONE && nodes[node].region == cuts->way[i - 1]; i--)
        node = nodes[node].parent;
    if (i > 0 || node != HD_NONE)
        return false;
    decoder->cut.anchor = hd_decoder_inner(decoder, frame->node);
    return true;
}

/* How deep the outermost frame of it is; 0: it is not open. */
static size_t
find_anchor(hd_decoder *decoder)
{
    for (size_t i = 0; i < decoder->stack.depth; i++)
        if (is_anchor(decoder, &decoder->stack.frames[i]))
            return i + 1;
    return 0;
}

/* Calls of interfaces stay where they were entered. */
static bool
has_calls_below(const hd_decoder *decoder, size_t depth)
{
    for (size_t i = depth; i < decoder->stack.depth; i++) {
        const hd_frame *frame = &decoder->stack.frames[i];

        if ((frame->region_class != HD_CLASS_USER && frame->region_class != HD_CLASS_INTERNAL) ||
            frame->call == HD_CALL_FILE)
            return true;
    }
    return false;
}

/* A row of polls goes on in the region around them, which has another node now. */
static void
move_polls(hd_decoder *decoder, uint32_t from, uint32_t to)
{
    hd_polls *polls = &decoder->polls;

    if (polls->n == 0 || polls->node != from || from == to)
        return;
    polls->region_time = decoder->out->nodes[to].time - (decoder->out->nodes[from].time - polls->region_time);
    polls->node        = to;
}

/* The region was entered by the last record: the visit is the cluster's. */
static void
move_visit(hd_decoder *decoder, const hd_frame *anchor, uint32_t node)
{
    if (anchor->node != decoder->stack.current || anchor->enter < decoder->cut.from)
        return;
    decoder->out->nodes[anchor->node].visits--;
    decoder->out->nodes[node].visits++;
    hd_decoder_count(decoder, HD_COUNTED_VISIT_BACK, anchor->node, anchor->enter, 0, 0);
    hd_decoder_count(decoder, HD_COUNTED_VISIT, node, anchor->enter, 0, 0);
}

/* What is open goes on below this node of the cluster, or below the region itself. */
static void
move_frames(hd_decoder *decoder, size_t depth, uint32_t node)
{
    const hd_frame *anchor = &decoder->stack.frames[depth - 1];

    if (depth == decoder->stack.depth) {
        if (node != anchor->node)
            move_visit(decoder, anchor, node);
        move_polls(decoder, decoder->stack.current, node);
    }
    for (size_t i = depth; i < decoder->stack.depth; i++) {
        hd_frame *frame = &decoder->stack.frames[i];

        node = hd_decoder_child(decoder, node, frame->region);
        move_polls(decoder, frame->node, node);
        frame->node = node;
    }
    decoder->stack.current = node;
}

/* The node below which the innermost open region has to be. */
static uint32_t
base_node(hd_decoder *decoder, const hd_frame *anchor)
{
    if (decoder->cut.cluster == HD_NONE)
        return anchor->node;
    return hd_decoder_child(decoder, anchor->node, decoder->defs->first_cluster_region + decoder->cut.cluster);
}

static bool
is_in_place(const hd_decoder *decoder, size_t depth, uint32_t base)
{
    if (depth == decoder->stack.depth)
        return decoder->stack.current == base;
    return decoder->out->nodes[decoder->stack.frames[depth].node].parent == base;
}

/* True: what is open is elsewhere than it has to be, and may move. *base: out. */
static bool
has_to_move(hd_decoder *decoder, size_t *depth, uint32_t *base)
{
    *depth = find_anchor(decoder);
    if (*depth == 0 || has_calls_below(decoder, *depth))
        return false;
    *base = base_node(decoder, &decoder->stack.frames[*depth - 1]);
    return !is_in_place(decoder, *depth, *base);
}

void
hd_decoder_cut_settle(hd_decoder *decoder)
{
    uint32_t base;
    size_t   depth;

    if (has_to_move(decoder, &depth, &base))
        move_frames(decoder, depth, base);
}

/* The piece that the time is in. */
static void
find_piece(hd_decoder *decoder, hd_time time)
{
    const hd_process_cuts *own = decoder->cut.own;

    while (decoder->cut.next < own->n && own->pieces[decoder->cut.next].leave <= time)
        decoder->cut.next++;
    decoder->cut.cluster = HD_NONE;
    decoder->cut.until   = UINT64_MAX;
    if (decoder->cut.next == own->n)
        return;
    decoder->cut.until = own->pieces[decoder->cut.next].enter;
    if (time < decoder->cut.until)
        return;
    decoder->cut.from    = own->pieces[decoder->cut.next].enter;
    decoder->cut.until   = own->pieces[decoder->cut.next].leave;
    decoder->cut.cluster = own->pieces[decoder->cut.next].cluster;
}

void
hd_decoder_cut_before(hd_decoder *decoder, hd_time time)
{
    uint32_t base;
    size_t   depth;

    hd_decoder_cut_settle(decoder);
    if (time < decoder->cut.until)
        return;
    find_piece(decoder, time);
    if (!has_to_move(decoder, &depth, &base))
        return;
    hd_decoder_at(decoder, time);
    hd_decoder_book_until(decoder, time);
    hd_decoder_cut_settle(decoder);
}

#include "decoder_state.h"

#include "status.h"

/* is_place: the parent is a node of another tree. Returns its number, the one inside of the interval. */
static uint32_t
add_node(hd_decoder *decoder, hd_path_node node, bool is_place)
{
    size_t n = decoder->out->n_nodes;

    if (n >= HD_NONE - 1 - decoder->side_bits)
        hd_fatal("location %" PRIu64 " has more call paths than can be numbered",
                 hd_defs_locations(decoder->defs)[decoder->out->location].ref);
    for (uint32_t bits = 0; bits <= decoder->side_bits; bits++) {
        HD_PUSH(decoder->beside, decoder->n_beside, decoder->capacity_beside,
                ((hd_beside_node){ .sibling = (uint32_t)n, .counts = HD_NONE }));
        HD_PUSH(decoder->out->nodes, n, decoder->capacity_nodes, node);
        decoder->out->nodes[n - 1].parent |= is_place || node.parent == HD_NONE ? 0 : bits;
    }
    decoder->nodes        = decoder->out->nodes;
    decoder->out->n_nodes = (uint32_t)n;
    return (uint32_t)n - 1 - decoder->side_bits;
}

hd_region_kind *
hd_region_kinds_new(const hd_region *regions, uint32_t n, const uint8_t *states, const uint32_t *marks)
{
    hd_region_kind *kinds = HD_NEW_ARRAY(hd_region_kind, (size_t)n + 1);

    for (uint32_t r = 0; r < n; r++)
        kinds[r] = (hd_region_kind){ .region_class = regions[r].region_class, .call = regions[r].call,
                                     .state = states != NULL ? states[r] : 0,
                                     .is_plain = regions[r].region_class == HD_CLASS_USER &&
                                                 regions[r].call == HD_CALL_OTHER && (marks == NULL || marks[r] == 0) };
    return kinds;
}

void
hd_decoder_finding(hd_decoder *decoder, hd_finding_kind kind, uint32_t peer, uint32_t comm, uint32_t tag)
{
    hd_findings_add(decoder->findings,
                    (hd_finding){ .kind = kind, .process = decoder->process, .thread = decoder->thread,
                                  .call_path = HD_NONE,
                                  .peer = peer, .communicator = comm, .tag = tag, .time = decoder->now, .count = 1 });
}

void
hd_decoder_plain_finding(hd_decoder *decoder, hd_finding_kind kind)
{
    hd_decoder_finding(decoder, kind, HD_NONE, HD_NONE, HD_NONE);
}

uint32_t
hd_decoder_child_slow(hd_decoder *decoder, uint32_t node, uint32_t region)
{
    uint32_t inner = hd_decoder_inner(decoder, node);
    uint64_t key   = (uint64_t)inner << 32 | region;
    uint32_t child = hd_table_get(&decoder->children, key);

    if (child == HD_NONE) {
        child = add_node(decoder, (hd_path_node){ .parent = inner, .region = region, .last_child = HD_NONE }, false);
        hd_table_add(&decoder->children, key, child);
    }
    child = hd_decoder_here(decoder, child);
    if (node != HD_NONE) {
        uint32_t last = decoder->out->nodes[node].last_child;

        if (last != HD_NONE)
            decoder->beside[last].sibling = child;
        decoder->out->nodes[node].last_child = child;
    }
    return child;
}

uint32_t
hd_decoder_place(hd_decoder *decoder, uint32_t parent)
{
    return add_node(decoder, (hd_path_node){ .parent = parent, .region = HD_NONE, .last_child = HD_NONE }, false);
}

uint32_t
hd_decoder_base_node(hd_decoder *decoder, uint32_t base)
{
    uint64_t key  = (uint64_t)base << 32 | HD_NONE;
    uint32_t node = hd_table_get(&decoder->children, key);

    if (node == HD_NONE) {
        node = add_node(decoder, (hd_path_node){ .parent = base, .region = HD_NONE, .last_child = HD_NONE }, true);
        hd_table_add(&decoder->children, key, node);
    }
    return hd_decoder_here(decoder, node);
}

uint32_t
hd_decoder_program_node(hd_decoder *decoder)
{
    if (decoder->thread > 0)
        return hd_decoder_base_node(decoder, HD_BASE_PROGRAM);
    if (decoder->out->n_nodes > 0 && decoder->out->nodes[0].region >= decoder->defs->first_program_region)
        return hd_decoder_here(decoder, 0);
    return HD_NONE;
}

void
hd_decoder_put_count(hd_decoder *decoder, hd_counted what, uint32_t node, hd_time time, uint64_t first, uint64_t second)
{
    hd_count_log_put(&decoder->more.counting,
                     &(hd_count_entry){ .what = what, .node = node, .time = time, .values = { first, second } });
}

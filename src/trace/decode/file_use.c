/* src/trace/decode/file_use.c: the table of the files that a location uses. */
#include "file_use.h"

void
hd_decoder_note_file_call(hd_frame *frame)
{
    if (frame->call != HD_CALL_OTHER)
        return;
    frame->call         = HD_CALL_FILE;
    frame->is_plain     = false;
    frame->file_use     = HD_NONE;
    frame->file_channel = HD_NONE;
    frame->inner_files  = 0;
}

uint32_t
hd_decoder_file_use(hd_decoder *decoder, hd_frame *frame, uint32_t file, bool *is_made_for_files)
{
    hd_location_more *more  = &decoder->more;
    hd_file_calls    *files = &decoder->files;
    uint64_t          key   = (uint64_t)frame->node << 32 | file;
    uint8_t           role  = decoder->regions[frame->region].role;
    uint32_t          i     = files->last_use;

    if (i >= more->n_file_uses || more->file_uses[i].node != frame->node || more->file_uses[i].file != file) {
        i = hd_table_get(&files->uses, key);
        if (i == HD_NONE) {
            i = (uint32_t)more->n_file_uses;
            HD_PUSH(more->file_uses, more->n_file_uses, files->capacity_uses,
                    ((hd_file_use){ .node = frame->node, .file = file }));
            hd_table_add(&files->uses, key, i);
        }
        files->last_use = i;
    }
    *is_made_for_files = role == HD_ROLE_FILE_IO || role == HD_ROLE_FILE_IO_METADATA ||
                         frame->region_class == HD_CLASS_MPI;
    if (*is_made_for_files)
        hd_decoder_note_file_call(frame);
    if (frame->call == HD_CALL_FILE && frame->file_use == HD_NONE)
        frame->file_use = i;
    return i;
}

void
hd_decoder_leave_file(hd_decoder *decoder, const hd_frame *frame)
{
    hd_span   span  = hd_span_between(frame->enter, decoder->now);
    hd_frame *outer = decoder->stack.depth > 1 ? &decoder->stack.frames[decoder->stack.depth - 2] : NULL;

    if (frame->file_use != HD_NONE) {
        hd_file_use *use = &decoder->more.file_uses[frame->file_use];

        if (frame->cut == 0 && frame->node == use->node)
            use->time += span;
    }
    if (outer != NULL && outer->region_class == HD_CLASS_MPI)
        hd_decoder_note_file_call(outer);
    if (outer != NULL && outer->call == HD_CALL_FILE)
        outer->inner_files += span;
}

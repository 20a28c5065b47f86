/* src/trace/decode/file_call.c: counts operations on files and their bytes, and notes which calls are collective. */
#include "file_call.h"

#include "comm_group.h"
#include "file_use.h"

/* The innermost open call; NULL: there is none, or the handle is not known. */
static hd_frame *
frame_of(hd_decoder *decoder, uint32_t handle_ref, uint32_t *handle)
{
    *handle = hd_refs_index(&decoder->refs->file_handles, handle_ref);
    if (*handle == HD_NONE)
        hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN);
    return *handle != HD_NONE && decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;
}

/* All processes of the file's communicator do the same. Its record is put when it is left. */
static void
note_collective(hd_decoder *decoder, hd_frame *frame, uint32_t handle, uint32_t operation)
{
    uint32_t comm = hd_defs_file_handles(decoder->defs)[handle].comm, channel;

    if (decoder->compat || comm == HD_NONE || frame->region_class != HD_CLASS_MPI ||
        hd_comm_is_alone(decoder->defs, comm))
        return;
    channel = hd_decoder_channel(decoder, HD_CHANNEL_COLL, comm, 0, 0);
    if (channel != HD_NONE && frame->call == HD_CALL_FILE) {
        frame->file_channel   = channel;
        frame->file_operation = operation;
    }
}

static uint64_t
key_of(uint32_t handle, uint64_t matching)
{
    uint64_t key = matching ^ hd_hash(handle);

    return key == HD_MAP_FREE ? 0 : key;
}

static uint32_t
new_op(hd_file_calls *files)
{
    uint32_t i = files->free_op;

    if (i > 0)
        files->free_op = files->ops[i - 1].next;
    else {
        HD_PUSH(files->ops, files->n_ops, files->capacity_ops, ((hd_file_op){ .next = 0 }));
        i = (uint32_t)files->n_ops;
    }
    return i;
}

void
hd_decoder_file_begin(hd_decoder *decoder, const hd_file_record *record)
{
    hd_file_calls *files = &decoder->files;
    uint32_t       handle, i;
    hd_frame      *frame = frame_of(decoder, record->handle_ref, &handle);
    bool           is_made_for_files, is_new;
    hd_file_op     op;
    hd_file_use   *use;
    uint64_t      *place;

    if (frame == NULL)
        return;
    op  = (hd_file_op){ .matching = record->matching, .handle = handle, .is_write = record->is_write,
                        .is_flush = record->is_flush, .begin = decoder->now };
    op.use        = hd_decoder_file_use(decoder, frame, hd_defs_file_handles(decoder->defs)[handle].file,
                                        &is_made_for_files);
    op.takes_time = !is_made_for_files;
    use           = &decoder->more.file_uses[op.use];
    *(record->is_flush ? &use->others : record->is_write ? &use->writes : &use->reads) += 1;
    i               = new_op(files);
    place           = hd_map_add(&files->open, key_of(handle, record->matching), &is_new);
    op.next         = is_new ? 0 : (uint32_t)*place;
    *place          = i;
    files->ops[i - 1] = op;
    if (record->is_collective && record->is_blocking)
        note_collective(decoder, frame, handle, HD_OPERATION_FILE_IO);
}

/* The operation that began last with that number, and where it is linked; NULL: there is none. */
static hd_file_op *
find_op(hd_file_calls *files, uint32_t handle, uint64_t matching, uint32_t **link)
{
    uint64_t *place = hd_map_get(&files->open, key_of(handle, matching));
    uint32_t  i     = place != NULL ? (uint32_t)*place : 0;

    *link = NULL;
    while (i > 0 && (files->ops[i - 1].handle != handle || files->ops[i - 1].matching != matching)) {
        *link = &files->ops[i - 1].next;
        i     = **link;
    }
    return i > 0 ? &files->ops[i - 1] : NULL;
}

static void
end_time(hd_decoder *decoder, hd_file_op *op)
{
    if (op->takes_time)
        decoder->more.file_uses[op->use].time += hd_span_between(op->begin, decoder->now);
    op->takes_time = false;
}

void
hd_decoder_file_issued(hd_decoder *decoder, uint32_t handle_ref, uint64_t matching)
{
    uint32_t    handle = hd_refs_index(&decoder->refs->file_handles, handle_ref), *link;
    hd_file_op *op     = handle != HD_NONE ? find_op(&decoder->files, handle, matching, &link) : NULL;

    if (op != NULL)
        end_time(decoder, op);
}

void
hd_decoder_file_complete(hd_decoder *decoder, uint32_t handle_ref, uint64_t matching, uint64_t bytes)
{
    hd_file_calls *files  = &decoder->files;
    uint32_t       handle = hd_refs_index(&decoder->refs->file_handles, handle_ref), *link, i;
    hd_file_op    *op     = handle != HD_NONE ? find_op(files, handle, matching, &link) : NULL;
    hd_file_use   *use;

    if (op == NULL)
        return;
    end_time(decoder, op);
    use = &decoder->more.file_uses[op->use];
    if (!op->is_flush && bytes <= INT64_MAX)
        *(op->is_write ? &use->bytes_written : &use->bytes_read) += bytes;
    i = (uint32_t)(op - files->ops) + 1;
    if (link != NULL)
        *link = op->next;
    else if (op->next != 0)
        *hd_map_get(&files->open, key_of(handle, matching)) = op->next;
    else
        hd_map_remove(&files->open, key_of(handle, matching));
    op->next       = files->free_op;
    files->free_op = i;
}

void
hd_decoder_file_other(hd_decoder *decoder, uint32_t handle_ref, bool opens)
{
    uint32_t  handle, i;
    hd_frame *frame = frame_of(decoder, handle_ref, &handle);
    bool      is_made_for_files;

    if (frame == NULL)
        return;
    i = hd_decoder_file_use(decoder, frame, hd_defs_file_handles(decoder->defs)[handle].file, &is_made_for_files);
    decoder->more.file_uses[i].others++;
    if (opens)
        note_collective(decoder, frame, handle, HD_OPERATION_FILE_OPEN);
}

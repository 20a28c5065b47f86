/* tests/writer/situation/situation_files.c: the records of calls on files. Handles have the numbers of the options. */
#include "situation_records.h"

void
files_define(tw_archive *archive, const tw_options *options)
{
    for (uint32_t i = 0; options != NULL && i < options->n_files; i++) {
        const tw_file *file = &options->files[i];

        tw_file_define(archive, file->name, file->paradigm != NULL ? file->paradigm : "MPI-IO",
                       file->paradigm != NULL ? HD_NONE : file->comm, file->parent - 1);
    }
}

static void
add(records *list, hd_time time, record_type type, const tw_op *op)
{
    situation_record_add(list, (record){ .time = time, .type = type, .op = op });
}

void
file_records_of(records *list, const thread_ops *thread, const tw_op *op)
{
    if (thread->options == NULL || op->file >= thread->options->n_files)
        situation_fail(op, "a file that the options do not have");
    switch (op->op) {
    case TW_FILE_OPEN:
    case TW_POSIX_OPEN:
        add(list, time_or(op->record, op->leave), R_FILE_CREATE, op);
        break;
    case TW_FILE_CLOSE:
    case TW_POSIX_CLOSE:
        add(list, time_or(op->record, op->enter), R_FILE_DESTROY, op);
        break;
    case TW_FILE_SEEK:
    case TW_POSIX_SEEK:
        add(list, time_or(op->record, op->enter), R_FILE_SEEK, op);
        break;
    default:
        add(list, time_or(op->begin, op->enter), R_FILE_BEGIN, op);
        add(list, time_or(op->end, op->leave), is_file_start(op->op) ? R_FILE_ISSUED : R_FILE_COMPLETE, op);
        break;
    }
}

static tw_file_mode
mode_of(tw_kind kind)
{
    if (kind == TW_FILE_SYNC)
        return TW_FILE_MODE_FLUSH;
    return kind == TW_FILE_READ || kind == TW_FILE_READ_ALL || kind == TW_FILE_IREAD || kind == TW_POSIX_READ ?
           TW_FILE_MODE_READ : TW_FILE_MODE_WRITE;
}

void
file_record_write(const thread_ops *thread, const record *row)
{
    const tw_op *op    = row->op;
    uint64_t     bytes = given_or(op->bytes, 8);
    bool         all   = op->op == TW_FILE_READ_ALL || op->op == TW_FILE_WRITE_ALL || op->op == TW_FILE_IWRITE_ALL ||
                         op->op == TW_FILE_SYNC;

    switch (row->type) {
    case R_FILE_CREATE:
        tw_file_create(thread->location, row->time, op->file);
        break;
    case R_FILE_DESTROY:
        tw_file_destroy(thread->location, row->time, op->file);
        break;
    case R_FILE_SEEK:
        tw_file_seek(thread->location, row->time, op->file);
        break;
    case R_FILE_BEGIN:
        tw_file_begin(thread->location, row->time, op->file, mode_of(op->op), !is_file_start(op->op), all, bytes,
                      op->request);
        break;
    case R_FILE_ISSUED:
        tw_file_issued(thread->location, row->time, op->file, op->request);
        break;
    case R_FILE_COMPLETE:
        tw_file_complete(thread->location, row->time, op->file, bytes, op->request);
        break;
    default:
        tw_file_cancelled(thread->location, row->time, op->file, op->request);
        break;
    }
}

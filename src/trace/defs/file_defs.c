/* src/trace/defs/file_defs.c: puts together what handles are of: a file by its name, through an interface, and the
 * processes that share it. */
#include "file_defs.h"

#include "memory.h"

/* What stands there instead of a name that is missing; added once. */
static uint32_t
name_or(raw_defs *raw, uint32_t name, const char *instead, uint32_t *added)
{
    if (raw->text.data[name] != '\0')
        return name;
    if (*added == 0)
        *added = hd_raw_defs_add_text(raw, instead);
    return *added;
}

typedef struct join {
    uint32_t no_file, no_paradigm; /* texts */
    hd_table files, inner;         /* name << 32 | paradigm -> file; likewise of those that another interface opened */
    hd_table comms;                /* file << 32 | communicator -> file_comms */
} join;

static uint32_t
file_of(raw_defs *raw, const raw_io_handle *handle, join *j)
{
    uint32_t  file     = hd_table_get(&raw->io_file_index, handle->file);
    uint32_t  paradigm = hd_table_get(&raw->io_paradigm_index, handle->paradigm);
    hd_file   row      = { .is_inner = handle->parent != HD_NONE };
    hd_table *table    = row.is_inner ? &j->inner : &j->files;
    uint64_t  key;
    uint32_t  found;

    row.name     = hd_raw_defs_text(raw, file != HD_NONE ? raw->io_files[file].name : handle->name);
    row.name     = name_or(raw, row.name, "(no name)", &j->no_file);
    row.paradigm = paradigm != HD_NONE ? hd_raw_defs_text(raw, raw->io_paradigms[paradigm].name) : 0;
    row.paradigm = name_or(raw, row.paradigm, "unknown", &j->no_paradigm);
    key          = (uint64_t)row.name << 32 | row.paradigm;
    found        = hd_table_get(table, key);
    if (found != HD_NONE)
        return found;
    HD_PUSH(raw->files, raw->n_files, raw->capacity_files, row);
    hd_table_add(table, key, (uint32_t)raw->n_files - 1);
    return (uint32_t)raw->n_files - 1;
}

/* Index among the communicators of the definitions: those of files stand behind the archive's. */
static uint32_t
comm_of(raw_defs *raw, const raw_io_handle *handle, uint32_t file, join *j)
{
    uint32_t comm = handle->comm != HD_NONE ? hd_table_get(&raw->comm_index, handle->comm) : HD_NONE;
    uint64_t key  = (uint64_t)file << 32 | comm;
    uint32_t found;

    if (comm == HD_NONE)
        return HD_NONE;
    found = hd_table_get(&j->comms, key);
    if (found == HD_NONE) {
        found = (uint32_t)raw->n_file_comms;
        HD_PUSH(raw->file_comms, raw->n_file_comms, raw->capacity_file_comms,
                ((raw_file_comm){ .name = raw->files[file].name, .comm = comm }));
        hd_table_add(&j->comms, key, found);
    }
    return (uint32_t)raw->n_comms + found;
}

void
hd_file_defs_join(raw_defs *raw)
{
    join j = { 0 };

    hd_table_init(&j.files);
    hd_table_init(&j.inner);
    hd_table_init(&j.comms);
    for (size_t i = 0; i < raw->n_io_handles; i++) {
        uint32_t file = file_of(raw, &raw->io_handles[i], &j);

        HD_PUSH(raw->file_handles, raw->n_file_handles, raw->capacity_file_handles,
                ((hd_file_handle){ .file = file, .comm = comm_of(raw, &raw->io_handles[i], file, &j) }));
    }
    hd_table_fini(&j.files);
    hd_table_fini(&j.inner);
    hd_table_fini(&j.comms);
}

/* tests/writer/archive/trace_files.c: files and the handles of them, kept in memory until the archive is closed. */
#include <string.h>

#include "memory.h"
#include "trace_writer_parts.h"

static uint32_t
interface_of(tw_archive *archive, const char *paradigm)
{
    for (uint32_t i = 0; i < archive->n_interfaces; i++)
        if (strcmp(archive->texts[archive->interfaces[i]], paradigm) == 0)
            return i;
    HD_PUSH(archive->interfaces, archive->n_interfaces, archive->interfaces_capacity, tw_text_add(archive, paradigm));
    return (uint32_t)archive->n_interfaces - 1;
}

/* Handles of one file have one text. */
static uint32_t
name_of(tw_archive *archive, const char *name)
{
    for (size_t i = 0; name != NULL && i < archive->n_files; i++)
        if (archive->files[i].name != HD_NONE && strcmp(archive->texts[archive->files[i].name], name) == 0)
            return archive->files[i].name;
    return name == NULL ? HD_NONE : tw_text_add(archive, name);
}

uint32_t
tw_file_define(tw_archive *archive, const char *name, const char *paradigm, uint32_t comm, uint32_t parent)
{
    file_def file = { .name = name_of(archive, name), .paradigm = interface_of(archive, paradigm),
                      .comm = comm == HD_NONE ? OTF2_UNDEFINED_COMM : comm + FIRST_COMM, .parent = parent };

    HD_PUSH(archive->files, archive->n_files, archive->files_capacity, file);
    return (uint32_t)archive->n_files - 1;
}

/* The file of a handle has the number of the first handle of it. */
static uint32_t
file_of(const tw_archive *archive, uint32_t handle)
{
    uint32_t first = 0;

    if (archive->files[handle].name == HD_NONE)
        return OTF2_UNDEFINED_IO_FILE;
    while (archive->files[first].name != archive->files[handle].name)
        first++;
    return first;
}

void
tw_write_files(tw_archive *archive, OTF2_GlobalDefWriter *writer)
{
    for (uint32_t i = 0; i < archive->n_interfaces; i++) {
        bool is_parallel = strcmp(archive->texts[archive->interfaces[i]], "MPI-IO") == 0;

        tw_check(OTF2_GlobalDefWriter_WriteIoParadigm(writer, (uint8_t)i, archive->interfaces[i],
                                                      archive->interfaces[i],
                                                      is_parallel ? OTF2_IO_PARADIGM_CLASS_PARALLEL :
                                                                    OTF2_IO_PARADIGM_CLASS_SERIAL,
                                                      OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL),
                 "interface of files");
    }
    for (uint32_t i = 0; i < archive->n_files; i++) {
        const file_def *file = &archive->files[i];

        if (file_of(archive, i) == i)
            tw_check(OTF2_GlobalDefWriter_WriteIoRegularFile(writer, i, file->name,
                                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE), "file");
        tw_check(OTF2_GlobalDefWriter_WriteIoHandle(writer, i, 0, file_of(archive, i), (uint8_t)file->paradigm,
                                                    OTF2_IO_HANDLE_FLAG_NONE, file->comm, file->parent),
                 "handle of a file");
    }
}

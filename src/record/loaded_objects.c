/* src/record/loaded_objects.c: asks the dynamic linker. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "loaded_objects.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "object_identity.h"

typedef struct listing {
    char  *objects;
    size_t bytes, room; /* bytes may be more: then they are not all there */
    bool   has_program; /* it comes first, and has no name */
} listing;

static size_t
bytes_of(const char *path)
{
    return (sizeof(hd_loaded_object) + strlen(path) + 1 + 7) / 8 * 8;
}

/* The segment's bytes, if another one that is loaded has them all. */
static const unsigned char *
loaded_bytes(const struct dl_phdr_info *info, const Elf64_Phdr *segment)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *loaded = &info->dlpi_phdr[i];

        if (loaded->p_type == PT_LOAD && (loaded->p_flags & PF_R) != 0 && segment->p_vaddr >= loaded->p_vaddr &&
            segment->p_vaddr - loaded->p_vaddr <= loaded->p_filesz &&
            segment->p_filesz <= loaded->p_filesz - (segment->p_vaddr - loaded->p_vaddr))
            return (const unsigned char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
    }
    return NULL;
}

static uint64_t
identity_of(const struct dl_phdr_info *info)
{
    uint64_t identity = 0;

    for (int i = 0; i < info->dlpi_phnum && i < HD_OBJECT_MAX_SEGMENTS; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];

        identity = hd_object_identity_add(
            identity, segment, hd_object_identity_has_bytes(segment) ? loaded_bytes(info, segment) : NULL);
    }
    return identity;
}

static int
list_object(struct dl_phdr_info *info, size_t size, void *list_)
{
    listing     *list = list_;
    const char  *path = info->dlpi_name != NULL ? info->dlpi_name : "";
    char         program[PATH_MAX] = "";
    uint64_t     from = UINT64_MAX, end = 0;
    size_t       bytes;

    (void)size;
    if (!list->has_program && readlink("/proc/self/exe", program, sizeof program - 1) > 0)
        path = program;
    list->has_program = true;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uint64_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, last = first + info->dlpi_phdr[i].p_memsz;

            from = first < from ? first : from;
            end  = last > end ? last : end;
        }
    if (path[0] != '/')
        return 0;
    bytes = bytes_of(path);
    if (list->bytes + bytes <= list->room) {
        hd_loaded_object *made = (hd_loaded_object *)(void *)(list->objects + list->bytes);

        memcpy(made->words, (const uint64_t[]){ info->dlpi_addr, from, end, identity_of(info) }, sizeof made->words);
        strcpy(made->path, path);
    }
    list->bytes += bytes;
    return 0;
}

hd_loaded_objects
hd_loaded_objects_list(void)
{
    listing list = { .room = 1 << 14 };

    for (;; list = (listing){ .room = list.bytes }) { /* others may be loaded in between */
        list.objects = malloc(list.room);
        if (list.objects != NULL)
            dl_iterate_phdr(list_object, &list);
        if (list.bytes <= list.room)
            return (hd_loaded_objects){ list.objects, list.bytes };
        free(list.objects);
    }
}

const hd_loaded_object *
hd_loaded_objects_next(const hd_loaded_objects *list, const hd_loaded_object *object)
{
    size_t at = object != NULL ? (size_t)((const char *)object - list->objects) + bytes_of(object->path) : 0;

    return at < list->bytes ? (const hd_loaded_object *)(const void *)(list->objects + at) : NULL;
}

typedef struct library_search {
    const char *const *begins;
    char               path[PATH_MAX];
} library_search;

static int
find_library(struct dl_phdr_info *info, size_t size, void *user)
{
    library_search *search = user;
    const char     *slash  = info->dlpi_name != NULL ? strrchr(info->dlpi_name, '/') : NULL;

    (void)size;
    for (size_t i = 0; slash != NULL && search->begins[i] != NULL; i++)
        if (strncmp(slash + 1, search->begins[i], strlen(search->begins[i])) == 0) {
            snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
            return 1;
        }
    return 0;
}

void *
hd_loaded_objects_symbol(const char *const *begins, const char *name)
{
    library_search search = { .begins = begins };
    void          *handle, *found = NULL;

    if (dl_iterate_phdr(find_library, &search) == 0)
        return NULL;
    handle = dlopen(search.path, RTLD_NOLOAD | RTLD_LAZY);
    if (handle != NULL) {
        found = dlsym(handle, name);
        dlclose(handle);
    }
    return found;
}

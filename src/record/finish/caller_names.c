/* src/record/finish/caller_names.c: from addresses of a process to functions, by what was loaded where. */
#include "caller_names.h"

#include <string.h>

#include "memory.h"
#include "symbols.h"

static hd_symbols *
symbols_of(hd_recorded_run *run, const char *path)
{
    for (size_t i = 0; i < run->n_symbols; i++)
        if (strcmp(run->symbols[i]->path, path) == 0)
            return run->symbols[i];
    HD_PUSH(run->symbols, run->n_symbols, run->room_symbols, hd_symbols_read(path));
    return run->symbols[run->n_symbols - 1];
}

/* Fortran's calls come through a library of MPI, whose functions are not the program's. */
static bool
is_mpi_library(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && (strncmp(slash, "/libmpi", 7) == 0 || strncmp(slash, "/libopen-", 9) == 0);
}

static hd_symbol *
find(hd_recorded_run *run, const hd_raw_process *process, uint64_t address)
{
    for (size_t i = 0; i < process->n_objects; i++) {
        const hd_raw_object *object  = &process->objects[i];
        hd_symbols          *symbols;

        if (address < object->base)
            continue;
        symbols = symbols_of(run, object->path);
        if (address - object->base >= symbols->base && address - object->base < symbols->end)
            return is_mpi_library(object->path) ? NULL : hd_symbols_find(symbols, address - object->base);
    }
    return NULL;
}

static const char *const role_names[] = {
#define ROLE_NAME(name, text, role) text,
    HD_RAW_ROLES(ROLE_NAME)
#undef ROLE_NAME
};

static void
name_region(hd_recorded_run *run, hd_run_process *process, const hd_raw_region *region)
{
    hd_symbol *symbol = region->address > 1 ? find(run, process->raw, region->address - 1) : NULL;
    char      *name   = symbol != NULL ? hd_format("%s @%s", role_names[region->role], symbol->name) :
                                         hd_strdup(role_names[region->role]);
    bool       is_new;

    *hd_map_add(&process->regions, region->number, &is_new) =
        hd_recorded_run_region(run, name, NULL, HD_RUN_OPENMP, region->role);
    free(name);
}

void
hd_caller_names_set(hd_recorded_run *run, hd_run_process *process)
{
    for (uint32_t slot = 0; process->callers.slots != NULL && slot <= process->callers.mask; slot++) {
        hd_map_slot *caller = &process->callers.slots[slot];
        hd_symbol   *symbol;

        if (caller->key == HD_MAP_FREE)
            continue;
        symbol = find(run, process->raw, caller->key - 1); /* in the call itself, not behind it */
        if (symbol != NULL && symbol->region == HD_NONE)
            symbol->region = hd_recorded_run_region(run, symbol->name, NULL, HD_RUN_FUNCTION, 0);
        caller->value = symbol != NULL ? symbol->region : HD_NONE;
    }
    for (size_t i = 0; i < process->raw->n_regions; i++)
        name_region(run, process, &process->raw->regions[i]);
}

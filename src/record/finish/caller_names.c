/* src/record/finish/caller_names.c: from addresses of a process to functions, by what was loaded where. */
#include "caller_names.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "symbols.h"

static hd_symbols *
symbols_of(hd_recorded_run *run, const char *path)
{
    for (size_t i = 0; i < run->n_symbols; i++)
        if (strcmp(run->symbols[i]->path, path) == 0)
            return run->symbols[i];
    HD_PUSH(run->symbols, run->n_symbols, run->room_symbols, hd_symbols_read(path, HD_SYMBOLS_DEBUG));
    return run->symbols[run->n_symbols - 1];
}

/* What calls between the program's functions and MPI, and below its main(). */
static const char *const of_the_system[] = { "/libmpi",     "/libopen-",    "/libc.so",   "/libc-",
                                             "/libpthread", "/ld-linux",    "/libffi.",   "/_ctypes.", NULL };
/* Of these, too, what calls the bodies of parallel regions and tasks, and functions of threads. */
static const char *const running_bodies[] = { "/libgomp.",  "/libomp.", "/libomp5",
                                              "/libiomp5.", "/libheddle-record", NULL };

static bool
is_one_of(const char *path, const char *const *begins)
{
    const char *name = path != NULL ? strrchr(path, '/') : NULL;

    for (; name != NULL && *begins != NULL; begins++)
        if (strncmp(name, *begins, strlen(*begins)) == 0)
            return true;
    return false;
}

typedef struct place { /* where an address is */
    const char *path;    /* of the program or library; NULL: in none */
    uint64_t    address; /* in its own space */
    hd_symbols *symbols; /* of the function that was found; NULL: there is none */
} place;

/* NULL: in none, or in several that were there one after the other, which the records do not tell apart. */
static const hd_raw_object *
object_at(const hd_raw_process *process, uint64_t address)
{
    const hd_raw_object *found = NULL;

    for (size_t i = 0; i < process->n_objects; i++) {
        const hd_raw_object *object = &process->objects[i];

        if (address < object->from || address >= object->end)
            continue;
        if (found != NULL)
            return NULL;
        found = object;
    }
    return found;
}

/* NULL: in no function that is known. */
static hd_symbol *
look_up(hd_recorded_run *run, const hd_raw_process *process, uint64_t address, place *at)
{
    const hd_raw_object *object = object_at(process, address);
    hd_symbols          *symbols;
    hd_symbol           *symbol;

    *at = (place){ .address = address };
    if (object == NULL)
        return NULL;
    *at = (place){ .path = object->path, .address = address - object->base };
    if (is_one_of(at->path, of_the_system) || is_one_of(at->path, running_bodies))
        return NULL;
    symbols = symbols_of(run, object->path);
    if (symbols->identity != object->identity) {
        symbols->has_changed |= symbols->identity != 0;
        return NULL;
    }
    symbol = hd_symbols_find(symbols, at->address);
    at->symbols = symbol != NULL ? symbols : NULL;
    return symbol;
}

/* The same, of an address that is asked for. */
static hd_symbol *
find(hd_recorded_run *run, const hd_raw_process *process, uint64_t address, place *at)
{
    hd_symbol *symbol = look_up(run, process, address, at);

    if (symbol != NULL)
        at->symbols->has_given_addresses |= symbol->is_nameless;
    return symbol;
}

/* The function that a region is named after: what a compiler makes of a construct has no name in a stripped library,
 * but the function that the construct is in may have one. */
static hd_symbol *
find_region(hd_recorded_run *run, const hd_raw_process *process, const hd_raw_region *region, place *at)
{
    hd_symbol *symbol = region->address > 1 ? look_up(run, process, region->address - 1, at) : NULL;

    if (region->other > 1 && (symbol == NULL || symbol->is_nameless))
        return find(run, process, region->other - 1, at);
    if (symbol != NULL)
        at->symbols->has_given_addresses |= symbol->is_nameless;
    return symbol;
}

static uint32_t
region_of(hd_recorded_run *run, hd_symbols *symbols, hd_symbol *symbol)
{
    if (symbol->region == HD_NONE)
        symbol->region = hd_recorded_run_region(run, symbol->name, hd_symbols_line_of(symbols, symbol),
                                                HD_RUN_FUNCTION, 0);
    return symbol->region;
}

static const char *const role_names[] = {
#define ROLE_NAME(name, text, role) text,
    HD_RAW_ROLES(ROLE_NAME)
#undef ROLE_NAME
};

static void
name_region(hd_recorded_run *run, hd_run_process *process, const hd_raw_region *region)
{
    place          at     = { 0 };
    hd_symbol     *symbol = find_region(run, process->raw, region, &at);
    char          *name   = symbol != NULL ? hd_format("%s @%s", role_names[region->role], symbol->name) :
                                             hd_strdup(role_names[region->role]);
    hd_source_line source = symbol != NULL ? hd_symbols_line_at(at.symbols, at.address) : (hd_source_line){ 0 };
    bool           is_new;

    *hd_map_add(&process->regions, region->number, &is_new) =
        hd_recorded_run_region(run, name, source, HD_RUN_OPENMP, region->role);
    if (process->raw->sample_ns > 0)
        *hd_map_add(&process->functions, region->number, &is_new) =
            symbol != NULL ? region_of(run, at.symbols, symbol) : HD_NONE;
    free(name);
}

/* A function for POSIX threads. */
static void
name_pthread_call(hd_recorded_run *run, hd_run_process *process, const hd_raw_region *region)
{
    uint32_t number = hd_recorded_run_region(run, role_names[region->role], (hd_source_line){ .file = "PTHREAD" },
                                             HD_RUN_PTHREAD, region->role);
    bool     is_new;

    *hd_map_add(&process->regions, region->number, &is_new) = number;
    if (region->visits > run->regions[number].visits)
        run->regions[number].visits = region->visits;
}

/* The begin of a program, and the Fortran module of heddle record. */
static bool
is_no_caller(const char *name)
{
    return strcmp(name, "_start") == 0 || strncmp(name, "__heddle_record_MOD_", 20) == 0;
}

/* A function that was entered. Without a name it has its address. */
static void
name_function(hd_recorded_run *run, hd_run_process *process, const hd_raw_region *region)
{
    place      at = { 0 };
    hd_symbol *symbol = find(run, process->raw, region->address, &at);
    uint32_t   number;
    bool       is_new;

    if (symbol != NULL)
        number = region_of(run, at.symbols, symbol);
    else {
        char *name = hd_symbols_address_name(at.path != NULL ? at.path : "?", at.address);

        number = hd_recorded_run_region(run, name, (hd_source_line){ 0 }, HD_RUN_FUNCTION, 0);
        free(name);
    }
    *hd_map_add(&process->regions, region->number, &is_new) = number;
    if (region->visits > run->regions[number].visits)
        run->regions[number].visits = region->visits;
}

static bool
is_same_site(const hd_run_call_site *a, const hd_run_call_site *b)
{
    return a->left == b->left && a->entered == b->entered && a->source.line == b->source.line &&
           a->source.file == b->source.file;
}

static uint64_t
hash_of_site(const hd_run_call_site *site)
{
    uint64_t hash = hd_hash((uint64_t)site->left << 32 | site->entered);

    return hd_hash(hd_hash(hash ^ site->source.line) ^ (uintptr_t)site->source.file) >> 1; /* less than HD_MAP_FREE */
}

static uint64_t
index_of_site(hd_recorded_run *run, const hd_run_call_site *site)
{
    uint64_t hash = hash_of_site(site), *index;
    bool     is_new;

    index = hd_map_add(&run->call_site_of, hash, &is_new);
    while (!is_new && !is_same_site(&run->call_sites[*index], site))
        index = hd_map_add(&run->call_site_of, ++hash, &is_new);
    if (is_new) {
        *index = run->n_call_sites;
        HD_PUSH(run->call_sites, run->n_call_sites, run->room_call_sites, *site);
    }
    return *index;
}

/* A call of MPI, in a function that has a line. Other processes make the same calls. */
static void
add_call_site(hd_recorded_run *run, hd_run_process *process, uint64_t caller, uint32_t left, const place *at)
{
    const uint64_t  *called = hd_map_get(&process->called, caller);
    hd_run_call_site site   = { .left = left };
    uint64_t        *index;
    bool             is_new;

    if (called == NULL || run->regions[left].source.line == 0 || at->address == HD_MAP_FREE)
        return;
    site.function = (uint32_t)*called;
    site.entered  = run->mpi_region[site.function];
    index         = hd_map_add(&at->symbols->calls, at->address, &is_new);
    if (is_new) {
        site.source = hd_symbols_line_at(at->symbols, at->address);
        *index      = index_of_site(run, &site);
    }
    *hd_map_add(&process->sites, caller, &is_new) = *index;
}

/* Sites are found in the order of addresses, which are other ones in each run. */
static int
compare_sites(const void *a, const void *b)
{
    const hd_run_call_site *x = *(hd_run_call_site *const *)a, *y = *(hd_run_call_site *const *)b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->source.line != y->source.line)
        return x->source.line < y->source.line ? -1 : 1;
    return x->source.file == NULL || y->source.file == NULL ? (x->source.file != NULL) - (y->source.file != NULL)
                                                            : strcmp(x->source.file, y->source.file);
}

void
hd_call_places_set(hd_recorded_run *run)
{
    hd_run_call_site **sites = HD_NEW_ARRAY(hd_run_call_site *, run->n_call_sites + 1); /* [n_several] */
    size_t             n_several = 0;
    uint64_t *pairs       = HD_NEW_ARRAY(uint64_t, run->n_call_sites + 1); /* [n_call_sites] number in has_several */
    bool     *has_several = HD_NEW_ARRAY(bool, run->n_call_sites + 1);
    hd_map    numbers     = { 0 }; /* function that calls, call -> number */
    size_t    n           = 0;
    bool      is_new;

    for (size_t i = 0; i < run->n_call_sites; i++) {
        const hd_run_call_site *site = &run->call_sites[i];
        uint64_t *number = hd_map_add(&numbers, (uint64_t)site->left << 32 | site->entered, &is_new);

        if (is_new)
            *number = n++;
        has_several[*number] = !is_new;
        pairs[i]             = *number;
    }
    for (size_t i = 0; i < run->n_call_sites; i++) {
        hd_run_call_site *site = &run->call_sites[i];

        if (has_several[pairs[i]] && site->source.line > 0)
            sites[n_several++] = site;
    }
    qsort(sites, n_several, sizeof *sites, compare_sites);
    for (size_t i = 0; i < n_several; i++)
        sites[i]->entered = hd_recorded_run_region(run, run->regions[sites[i]->entered].name, sites[i]->source,
                                                   HD_RUN_MPI, sites[i]->function);
    hd_map_fini(&numbers);
    free(sites);
    free(has_several);
    free(pairs);
}

hd_status
hd_caller_names_set(hd_recorded_run *run, hd_run_process *process)
{
    hd_status status = hd_raw_files_read_objects(&run->files, process->raw);
    place     at = { 0 };
    bool      is_new;

    if (status != HD_OK)
        return status;
    for (uint32_t slot = 0; process->callers.slots != NULL && slot <= process->callers.mask; slot++) {
        hd_map_slot    *caller = &process->callers.slots[slot];
        hd_symbol      *symbol;

        if (caller->key == HD_MAP_FREE)
            continue;
        symbol = find(run, process->raw, caller->key - 1, &at); /* in the call itself, not behind it */
        caller->value = symbol != NULL && !is_no_caller(symbol->name) ? region_of(run, at.symbols, symbol) :
                        is_one_of(at.path, running_bodies)            ? HD_RUN_RUNS_BODY :
                                                                        HD_NONE;
        if (caller->value < run->n_regions)
            add_call_site(run, process, caller->key, (uint32_t)caller->value, &at);
    }
    for (size_t i = 0; i < process->raw->n_regions; i++)
        if (process->raw->regions[i].role == HD_RAW_ROLE_FUNCTION)
            name_function(run, process, &process->raw->regions[i]);
        else if (process->raw->regions[i].role > HD_RAW_ROLE_FUNCTION)
            name_pthread_call(run, process, &process->raw->regions[i]);
        else
            name_region(run, process, &process->raw->regions[i]);
    for (size_t i = 0; i < process->raw->n_user_regions; i++) {
        const hd_raw_user_region *region = &process->raw->user_regions[i];

        *hd_map_add(&process->regions, region->number, &is_new) =
            hd_recorded_run_region(run, region->name, (hd_source_line){ 0 }, HD_RUN_USER, region->is_iteration);
    }
    hd_raw_files_forget_objects(process->raw);
    return HD_OK;
}

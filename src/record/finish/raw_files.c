/* src/record/finish/raw_files.c: reads definitions. */
#include "raw_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { N_COMM_WORDS = 8, MAX_DEFINITIONS_BYTES = 1 << 30 };

/* ---- definitions ------------------------------------------------------------------------------------------------- */

typedef struct definition {
    uint32_t        kind, n_words;
    const uint64_t *words;
    const char     *texts[2]; /* "" where there is none */
} definition;

/* Checks one at bytes[0 .. n). Returns its length, 0: it is not whole, or not one. */
static size_t
take_definition(const char *bytes, size_t n, definition *taken)
{
    hd_raw_definition head;
    size_t            at;

    if (n < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    if (head.bytes > n || head.bytes % sizeof(uint64_t) != 0 || head.n_texts > 2 ||
        head.n_words > (head.bytes - sizeof head) / sizeof(uint64_t) || head.bytes < sizeof head)
        return 0;
    *taken = (definition){ .kind = head.kind, .n_words = head.n_words, .texts = { "", "" } };
    taken->words = (const uint64_t *)(const void *)(bytes + sizeof head);
    at           = sizeof head + head.n_words * sizeof(uint64_t);
    for (uint32_t i = 0; i < head.n_texts; i++) {
        const char *end = memchr(bytes + at, 0, head.bytes - at);

        if (end == NULL)
            return 0;
        taken->texts[i] = bytes + at;
        at              = (size_t)(end + 1 - bytes);
    }
    return head.bytes;
}

static void
put_comm(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    if (given->n_words < N_COMM_WORDS || words[0] != process->n_comms || words[3] > INT32_MAX || words[4] >= words[3])
        return;
    if (given->n_words > N_COMM_WORDS && given->n_words - N_COMM_WORDS != words[3])
        return;
    hd_raw_comm comm = { .number    = (uint32_t)words[0],
                         .key       = { words[1], words[2] },
                         .size      = (uint32_t)words[3],
                         .rank      = (uint32_t)words[4],
                         .root      = (int64_t)words[5],
                         .flags     = (uint32_t)words[6],
                         .parent    = (uint32_t)words[7],
                         .members   = (const int64_t *)(const void *)(words + N_COMM_WORDS),
                         .n_members = given->n_words - N_COMM_WORDS,
                         .global    = HD_NONE };

    HD_PUSH(process->comms, process->n_comms, process->room_comms, comm);
}

static void
put_window(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    if (given->n_words >= 4 && words[0] == process->n_windows && words[1] < process->n_comms) {
        hd_raw_window window = { .number     = (uint32_t)words[0],
                                 .comm       = (uint32_t)words[1],
                                 .ordinal    = (uint32_t)words[2],
                                 .has_memory = words[3] != 0,
                                 .global     = HD_NONE };

        HD_PUSH(process->windows, process->n_windows, process->room_windows, window);
    }
}

static void
put_group(hd_raw_process *process, const definition *given)
{
    if (given->n_words >= 1 && given->words[0] == process->n_groups) {
        hd_raw_group group = { .number  = (uint32_t)given->words[0],
                               .n       = given->n_words - 1,
                               .members = (const int64_t *)(const void *)(given->words + 1),
                               .global  = HD_NONE };

        HD_PUSH(process->groups, process->n_groups, process->room_groups, group);
    }
}

static void
put_grid(hd_raw_process *process, const definition *given)
{
    uint32_t n = given->n_words / 2;

    if (given->n_words >= 3 && given->n_words % 2 == 1 && n <= UINT8_MAX && given->words[0] < process->n_comms) {
        hd_raw_grid grid = { .comm  = (uint32_t)given->words[0],
                             .n     = n,
                             .sizes = given->words + 1,
                             .place = given->words + 1 + n };

        HD_PUSH(process->grids, process->n_grids, process->room_grids, grid);
    }
}

static void
put_file(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    if (given->n_words >= 3 && words[0] == process->n_files && words[1] < process->n_comms) {
        hd_raw_file file = { .number  = (uint32_t)words[0],
                             .comm    = (uint32_t)words[1],
                             .ordinal = (uint32_t)words[2],
                             .path    = given->texts[0],
                             .global  = HD_NONE };

        HD_PUSH(process->files, process->n_files, process->room_files, file);
    }
}

static void
put_user_region(hd_raw_process *process, const definition *given)
{
    if (given->n_words >= 2 && given->texts[0][0] != '\0') {
        hd_raw_user_region region = { .number       = (uint32_t)given->words[0],
                                      .is_iteration = given->words[1] != 0,
                                      .name         = given->texts[0] };

        HD_PUSH(process->user_regions, process->n_user_regions, process->room_user_regions, region);
    }
}

/* One of the last regions, mostly. */
static void
put_dropped(hd_raw_process *process, const definition *given)
{
    for (size_t i = process->n_regions; given->n_words >= 2 && i > 0; i--)
        if (process->regions[i - 1].number == given->words[0])
            process->regions[i - 1].visits = given->words[1];
}

static void
put_left_out(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    if (given->n_words >= 5 && words[1] >= HD_RAW_SENDS && words[1] <= HD_RAW_WINDOW_OPERATIONS) {
        hd_raw_left_out made = { .ticks = words[0], .channel = (uint32_t)words[1], .id = (uint32_t)words[2],
                                 .peer_tag = words[3], .n = words[4] };

        HD_PUSH(process->left_out, process->n_left_out, process->room_left_out, made);
    }
}

static void
put_place(hd_raw_process *process, const definition *given)
{
    hd_raw_place place;

    if (given->n_words < 2 || given->n_words > 1 + HD_RAW_MAX_PROCESSORS / 64)
        return;
    place = (hd_raw_place){ given->words + 1, given->n_words - 1 };
    if (given->words[0] == HD_NONE)
        process->place = place;
    for (size_t i = process->n_locations; i-- > 0;) /* one of the last, mostly */
        if (process->locations[i].number == given->words[0]) {
            if (process->locations[i].place.n == 0)
                process->locations[i].place = place;
            break;
        }
}

static void
put_topology(hd_raw_process *process, const definition *given)
{
    hd_raw_topology made = { .name = given->texts[0], .names = given->texts[1], .sizes = given->words,
                             .n = given->n_words };

    if (given->n_words <= HD_RAW_MAX_DIMENSIONS)
        HD_PUSH(process->topologies, process->n_topologies, process->room_topologies, made);
}

static void
put_coordinates(hd_raw_process *process, const definition *given)
{
    if (given->n_words >= 1 && given->n_words <= 1 + HD_RAW_MAX_DIMENSIONS) {
        hd_raw_coordinates made = { .name = given->texts[0], .location = (uint32_t)given->words[0],
                                    .x = given->words + 1, .n = given->n_words - 1 };

        HD_PUSH(process->coordinates, process->n_coordinates, process->room_coordinates, made);
    }
}

static void
put_named(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    switch (given->kind) {
    case HD_RAW_CLOCK:
        if (given->n_words >= 3) {
            hd_raw_clock clock = { words[0], words[1], words[2] };

            HD_PUSH(process->clocks, process->n_clocks, process->room_clocks, clock);
        }
        break;
    case HD_RAW_OFFSET:
        if (given->n_words >= 3) {
            hd_raw_offset offset = { words[0], words[1], words[2] };

            HD_PUSH(process->offsets, process->n_offsets, process->room_offsets, offset);
        }
        break;
    case HD_RAW_LOCATION:
        if (given->n_words >= 4) {
            hd_raw_location location = { .number = (uint32_t)words[0], .parent = (uint32_t)words[1],
                                         .level = (uint32_t)words[2], .member = (uint32_t)words[3] };

            HD_PUSH(process->locations, process->n_locations, process->room_locations, location);
        }
        break;
    case HD_RAW_REGION:
    case HD_RAW_LOCK:
        if (given->n_words >= 3 && words[1] <= HD_RAW_N_ROLES) {
            hd_raw_region region = { .number = (uint32_t)words[0], .role = (uint32_t)words[1], .address = words[2],
                                     .other = given->n_words >= 4 ? words[3] : 0 };

            if (given->kind == HD_RAW_LOCK)
                HD_PUSH(process->locks, process->n_locks, process->room_locks, region);
            else if (words[1] < HD_RAW_N_ROLES)
                HD_PUSH(process->regions, process->n_regions, process->room_regions, region);
        }
        break;
    default:
        break;
    }
}

/* A kind of a later version is passed over. */
static void
put_definition(hd_raw_process *process, const definition *given)
{
    const uint64_t *words = given->words;

    switch (given->kind) {
    case HD_RAW_WORLD:
        if (given->n_words >= 3 && words[1] <= INT32_MAX && words[0] < words[1]) {
            process->has_world    = true;
            process->rank         = (uint32_t)words[0];
            process->size         = (uint32_t)words[1];
            process->thread_level = (uint32_t)words[2];
        }
        break;
    case HD_RAW_COMMUNICATOR:
        put_comm(process, given);
        break;
    case HD_RAW_WINDOW:
        put_window(process, given);
        break;
    case HD_RAW_GROUP:
        put_group(process, given);
        break;
    case HD_RAW_COUNTERS:
        process->counters = given->texts[0];
        break;
    case HD_RAW_PAUSES:
        process->has_pauses = true;
        break;
    case HD_RAW_PROFILED:
        process->is_profile = true;
        break;
    case HD_RAW_LAST:
        process->last_ns = given->n_words >= 1 ? words[0] : 0;
        break;
    case HD_RAW_SAMPLING:
        process->sample_ns = given->n_words >= 1 ? words[0] : 0;
        break;
    case HD_RAW_LOST:
        process->n_lost = given->n_words >= 1 ? words[0] : 0;
        break;
    case HD_RAW_UNSAMPLED:
        process->is_unsampled = true;
        break;
    case HD_RAW_LEFT_OUT:
        put_left_out(process, given);
        break;
    case HD_RAW_PLACE:
        put_place(process, given);
        break;
    case HD_RAW_TOPOLOGY:
        put_topology(process, given);
        break;
    case HD_RAW_COORDINATES:
        put_coordinates(process, given);
        break;
    case HD_RAW_UNCOUNTED:
        process->is_uncounted = true;
        break;
    case HD_RAW_UNKNOWN_COMM:
        process->has_unknown_comms = true;
        break;
    case HD_RAW_USER:
        put_user_region(process, given);
        break;
    case HD_RAW_DROPPED:
        put_dropped(process, given);
        break;
    case HD_RAW_GRID:
        put_grid(process, given);
        break;
    case HD_RAW_FILE:
        put_file(process, given);
        break;
    case HD_RAW_NAME:
        if (given->n_words >= 1 && words[0] < process->n_comms)
            process->comms[words[0]].name = given->texts[0];
        break;
    case HD_RAW_FINALIZED:
        process->is_finalized = true;
        break;
    case HD_RAW_END:
        process->has_ended = given->n_words >= 1;
        process->end       = process->has_ended ? words[0] : 0;
        break;
    case HD_RAW_STOPPED:
        process->stopped = given->texts[0];
        break;
    default:
        put_named(process, given);
        break;
    }
}

/* Of these, arrays stay where they are. */
static bool
has_array(const definition *given)
{
    switch (given->kind) {
    case HD_RAW_COMMUNICATOR:
        return given->n_words > N_COMM_WORDS;
    case HD_RAW_GROUP:
    case HD_RAW_GRID:
    case HD_RAW_PLACE:
    case HD_RAW_TOPOLOGY:
    case HD_RAW_COORDINATES:
        return true;
    default:
        return false;
    }
}

/* Takes what is needed out of the file. */
static void
put_definitions(hd_raw_process *process, hd_raw_texts *texts, const char *bytes, size_t n)
{
    size_t     n_words = 0;
    definition given;

    for (size_t at = 0, length; (length = take_definition(bytes + at, n - at, &given)) > 0; at += length)
        n_words += has_array(&given) ? given.n_words : 0;
    process->words = HD_NEW_ARRAY(uint64_t, n_words + 1);
    n_words        = 0;
    for (size_t at = 0, length; (length = take_definition(bytes + at, n - at, &given)) > 0; at += length) {
        if (given.kind == HD_RAW_OBJECT)
            continue;
        for (int i = 0; i < 2; i++)
            given.texts[i] = hd_raw_texts_keep(texts, given.texts[i]);
        if (has_array(&given)) {
            memcpy(process->words + n_words, given.words, given.n_words * sizeof *given.words);
            given.words = process->words + n_words;
            n_words += given.n_words;
        }
        put_definition(process, &given);
    }
}

#define TRIM(array)                                                                                                    \
    do {                                                                                                               \
        if (process->n_##array > 0) {                                                                                  \
            process->array        = hd_realloc(process->array, process->n_##array, sizeof *process->array);            \
            process->room_##array = process->n_##array;                                                                \
        }                                                                                                              \
    } while (0)

/* There are many processes. */
static void
trim(hd_raw_process *process)
{
    TRIM(clocks);
    TRIM(offsets);
    TRIM(locations);
    TRIM(comms);
    TRIM(windows);
    TRIM(groups);
    TRIM(files);
    TRIM(grids);
    TRIM(topologies);
    TRIM(coordinates);
    TRIM(user_regions);
    TRIM(regions);
    TRIM(locks);
    TRIM(left_out);
}

/* Whether bytes[0 .. n) have all definitions: behind the last one are zeros. at: in and out, where one begins. */
static bool
is_whole(const char *bytes, size_t n, size_t *at)
{
    hd_raw_definition head;

    while (*at + sizeof head <= n) {
        memcpy(&head, bytes + *at, sizeof head);
        if (head.bytes == 0)
            return true;
        *at += head.bytes;
    }
    return false;
}

/* As far as there are definitions: most of a file is room for others, which nothing has read or written yet. */
static hd_status
read_whole(const char *path, char **bytes, size_t *n)
{
    enum { STEP = 8192 };
    int         fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    hd_status   status = HD_OK;
    size_t      at     = 0;

    *bytes = NULL;
    *n     = 0;
    if (fd < 0 || fstat(fd, &file) != 0) {
        status = hd_fail(HD_EOPEN, "cannot open \"%s\": %s", path, strerror(errno));
        goto out;
    }
    if (file.st_size > MAX_DEFINITIONS_BYTES) {
        status = hd_fail(HD_EFORMAT, "\"%s\" is no file of a recording: it is too large", path);
        goto out;
    }
    *bytes = HD_NEW_ARRAY(char, (size_t)file.st_size + 1);
    while (*n < (size_t)file.st_size && !is_whole(*bytes, *n, &at)) {
        size_t  left = (size_t)file.st_size - *n, step = at > *n + STEP ? at - *n : STEP;
        ssize_t got  = read(fd, *bytes + *n, step < left ? step : left);

        if (got < 0) {
            status = hd_fail(HD_EREAD, "cannot read \"%s\": %s", path, strerror(errno));
            break;
        }
        if (got == 0)
            break;
        *n += (size_t)got;
    }
out:
    if (fd >= 0)
        close(fd);
    return status;
}

/* is_one: out, it has a begin. */
static hd_status
read_process(const char *path, hd_raw_texts *texts, hd_raw_process *process, bool *is_one)
{
    size_t     n      = 0, length;
    char      *bytes  = NULL;
    hd_status  status = read_whole(path, &bytes, &n);
    definition given;

    *is_one = false;
    if (status != HD_OK)
        goto out;
    length = take_definition(bytes, n, &given);
    if (length == 0)
        goto out;
    if (given.kind != HD_RAW_PROCESS || given.n_words < 4 || given.words[0] != HD_RAW_VERSION) {
        hd_fail(HD_EFORMAT, "\"%s\" is no file of a recording, or one of another version of heddle record", path);
        hd_fail_detail("try", "the heddle that recorded it");
        status = HD_EFORMAT;
        goto out;
    }
    process->pid     = given.words[1];
    process->node    = given.words[2];
    process->has_tsc = given.words[3] != 0;
    process->host    = hd_raw_texts_keep(texts, given.texts[0]);
    process->program = hd_raw_texts_keep(texts, given.texts[1]);
    put_definitions(process, texts, bytes + length, n - length);
    trim(process);
    *is_one = process->n_clocks > 0 && process->n_locations > 0;
out:
    free(bytes);
    return status;
}

hd_status
hd_raw_files_read_objects(hd_raw_files *files, hd_raw_process *process)
{
    char      *path   = hd_format("%s/%s.def", files->folder, process->name), *bytes;
    size_t     n      = 0;
    hd_status  status = read_whole(path, &bytes, &n);
    definition given;

    for (size_t at = 0, length; (length = take_definition(bytes + at, n - at, &given)) > 0; at += length)
        if (given.kind == HD_RAW_OBJECT && given.n_words >= 4) {
            hd_raw_object object = { given.words[0], given.words[1], given.words[2], given.words[3],
                                     hd_raw_texts_keep(&files->texts, given.texts[0]) };

            HD_PUSH(process->objects, process->n_objects, process->room_objects, object);
        }
    free(bytes);
    free(path);
    return status;
}

void
hd_raw_files_forget_objects(hd_raw_process *process)
{
    free(process->objects);
    process->objects   = NULL;
    process->n_objects = process->room_objects = 0;
}

static void
process_fini(hd_raw_process *process)
{
    free(process->name);
    free(process->words);
    free(process->clocks);
    free(process->offsets);
    free(process->locations);
    free(process->comms);
    free(process->windows);
    free(process->groups);
    free(process->regions);
    free(process->locks);
    free(process->objects);
    free(process->left_out);
    free(process->files);
    free(process->grids);
    free(process->user_regions);
    free(process->topologies);
    free(process->coordinates);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const hd_raw_process *)a)->name, ((const hd_raw_process *)b)->name);
}

static bool
ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n > m && strcmp(name + n - m, ending) == 0;
}

hd_status
hd_raw_files_read(const char *folder, hd_raw_files *files)
{
    DIR           *directory = opendir(folder);
    struct dirent *entry;
    hd_status      status = HD_OK;
    size_t         room   = 0;

    *files = (hd_raw_files){ .folder = hd_strdup(folder) };
    if (directory == NULL)
        return hd_fail(HD_EOPEN, "cannot open the folder \"%s\": %s", folder, strerror(errno));
    while (status == HD_OK && (entry = readdir(directory)) != NULL) {
        hd_raw_process process = { 0 };
        char          *path;
        bool           is_one;

        if (!ends_with(entry->d_name, ".def"))
            continue;
        path         = hd_format("%s/%s", folder, entry->d_name);
        process.name = hd_format("%.*s", (int)(strlen(entry->d_name) - 4), entry->d_name);
        status       = read_process(path, &files->texts, &process, &is_one);
        free(path);
        if (status == HD_OK && is_one)
            HD_PUSH(files->processes, files->n, room, process);
        else
            process_fini(&process);
    }
    closedir(directory);
    if (files->n > 0)
        files->processes = hd_realloc(files->processes, files->n, sizeof *files->processes);
    if (files->n > 0)
        qsort(files->processes, files->n, sizeof *files->processes, by_name);
    return status;
}

void
hd_raw_files_fini(hd_raw_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        process_fini(&files->processes[i]);
    free(files->processes);
    hd_raw_texts_fini(&files->texts);
    free(files->folder);
    *files = (hd_raw_files){ 0 };
}

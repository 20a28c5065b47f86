/* tests/writer/archive/trace_writer_parts.h: what the files of the trace writer share. Not for others: they have
 * trace_writer.h.
 *
 * trace_writer.c opens and closes archives, archive_part.c those of many locations; trace_definitions.c keeps what is
 * defined, trace_global_definitions.c writes it, trace_files.c what is of files; trace_locations.c opens and closes
 * locations, with their clocks and local numbers; trace_records.c writes their records. */
#ifndef TRACE_WRITER_PARTS_H
#define TRACE_WRITER_PARTS_H

#include <otf2/otf2.h>

#include "table.h"
#include "trace_writer.h"

/* Numbers in the archive: communicator 0 is "Process x Threads CPU Locations", ours follow. */
enum { FIRST_COMM = 1, REGION_OFF = 0, REGION_FLUSH = 1, REGION_PROGRAM = 2 };

typedef struct group_def {
    uint8_t   type;
    uint8_t   paradigm;
    uint32_t  name;
    uint32_t  n;
    uint64_t *members;
} group_def;

typedef struct comm_def {
    uint32_t name, group_a, group_b; /* HD_NONE: no inter-communicator */
    bool     is_team, has_events;
} comm_def;

typedef struct window_def {
    uint32_t name, comm;
    bool     is_shmem;
} window_def;

typedef struct file_def { /* a handle */
    uint32_t name, paradigm, comm, parent; /* name: text, HD_NONE: of no file; comm: of the archive */
} file_def;

typedef struct region_def {
    char    *name;
    uint32_t text, file;
    uint8_t  role, paradigm;
} region_def;

typedef struct context_def {
    uint32_t region, parent;
    uint32_t file, line; /* text, HD_NONE: of no place */
} context_def;

struct tw_archive {
    OTF2_Archive      *otf2, *part; /* part: of the locations that are opened now; the archive's own at first */
    uint32_t           n_of_part;
    char              *directory;
    tw_archive_options options;
    char              *program_path;
    char             **texts; /* numbers of strings are their places */
    size_t             n_texts, texts_capacity;
    region_def        *regions;
    size_t             n_regions, regions_capacity;
    hd_table           region_index; /* hash of the name -> region; colliding names are searched from there on */
    group_def         *groups;
    size_t             n_groups, groups_capacity;
    comm_def          *comms;
    size_t             n_comms, comms_capacity;
    window_def        *windows;
    size_t             n_windows, windows_capacity;
    file_def          *files;
    size_t             n_files, files_capacity;
    uint32_t          *interfaces; /* texts: the interfaces of files */
    size_t             n_interfaces, interfaces_capacity;
    context_def       *contexts;
    size_t             n_contexts, contexts_capacity;
    uint64_t          *n_events; /* [n_processes * (n_threads + n_devices)] */
    hd_time            last;
    uint32_t           text_mpi, text_program, text_omp, text_pthread;
    uint32_t           world_group, self_group, thread_group, omp_locations, pthread_locations, shmem_locations;
    uint32_t           file_omp, file_pthread, file_kernel, file_posix, text_shmem; /* HD_NONE: not needed so far */
    tw_location       *open;
    bool               has_locations;
};

enum { TW_COUNTERS_MAX = 8 };

struct tw_location {
    tw_archive            *archive;
    OTF2_EvtWriter        *writer;
    OTF2_LocationRef       ref;
    const tw_clock_offset *clock;
    uint32_t               n_clock;
    uint32_t               process, thread;
    uint64_t               last_raw;
    int64_t                last_offset; /* corrected - raw of the last record: where the search for the next raw time
                                         * starts */
    uint64_t               n_events;
    hd_time                end; /* nothing after it is recorded */
};


/* End the program: misuse, or an error of libotf2. */
_Noreturn void tw_fail(const char *what);
void           tw_check(OTF2_ErrorCode code, const char *what);
void           tw_check_not_null(const void *pointer, const char *what);

/* A text and its number; tw_text_once(): if *text is HD_NONE. */
uint32_t tw_text_add(tw_archive *archive, const char *text);
uint32_t tw_text_once(tw_archive *archive, uint32_t *text, const char *words);
/* A handle of the archive's directory. tw_part_for_next(): archive->part is for one more location. */
OTF2_Archive *tw_otf2_open(const tw_archive *archive);
void          tw_part_for_next(tw_archive *archive);
void          tw_part_close(tw_archive *archive);
/* What every archive has. */
void     tw_define_first(tw_archive *archive);
void     tw_write_global(tw_archive *archive);
void     tw_write_files(tw_archive *archive, OTF2_GlobalDefWriter *writer);

uint32_t         tw_locations_of_process(const tw_archive_options *options);
OTF2_LocationRef tw_location_ref(uint32_t process, uint32_t thread);
/* A local numbering that is not the global one: turned around, and different on every process. */
uint32_t         tw_local_number(uint32_t global, uint32_t n, uint32_t process);
/* The raw time that is corrected to time, or where no raw time is (a clock that runs slow), to the first time after
 * it. */
uint64_t         tw_raw_time(tw_location *location, hd_time time);

#endif

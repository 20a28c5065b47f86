/* tests/e2e/measured_program.c: behaves as a program that Score-P has instrumented, for tests of heddle scan.
 *
 * measured_program [OPTION]...: reads the environment, calls functions, and, if tracing is on, leaves an archive in
 * SCOREP_EXPERIMENT_DIRECTORY. The first rank of a launcher writes it for all.
 *
 *   main { MPI_Init, N times { tick { "tock (int)" }, work }, MPI_Barrier, MPI_Finalize }
 *
 * tick takes 3 us, tock 1 us, work 50 us. Events fill a buffer of SCOREP_TOTAL_MEMORY (16000K), which is flushed when
 * it is full. Functions that the filter file excludes are not recorded. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_writer.h"

enum { EVENT_BYTES = 13, FLUSH_TICKS = 20 };

typedef struct call_site { /* a function */
    const char *name;
    uint32_t    region;
    bool        is_filtered;
} call_site;

static call_site functions[] = { { "tick", 0, false }, { "tock (int)", 0, false }, { "work", 0, false } };

typedef struct recording { /* of a process */
    tw_location *location;
    hd_time      now;
    uint64_t     buffer_bytes, memory_bytes;
} recording;

static volatile sig_atomic_t n_usr1;

static void
count_usr1(int number)
{
    (void)number;
    n_usr1++;
}

/* "100M", "16000K" or bytes */
static uint64_t
memory_of(const char *text)
{
    char    *end;
    uint64_t bytes = strtoull(text, &end, 10);

    return bytes << (*end == 'K' ? 10 : *end == 'M' ? 20 : 0);
}

/* Names below EXCLUDE, one on a line, with backslashes before blanks and "*". */
static void
read_filter(const char *path)
{
    FILE *file = fopen(path, "r");
    char  line[256], name[256];

    if (file == NULL) {
        fprintf(stderr, "measured_program: cannot read %s\n", path);
        exit(1);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        size_t n = 0;

        for (const char *at = line + strspn(line, " "); *at != '\0' && *at != '\n' && *at != '#'; at++) {
            at += *at == '\\';
            name[n++] = *at;
        }
        name[n] = '\0';
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            functions[i].is_filtered |= strcmp(functions[i].name, name) == 0;
    }
    fclose(file);
}

/* No two events have the same time. */
static void
count_event(recording *r)
{
    r->now++;
    r->buffer_bytes += EVENT_BYTES;
    if (r->buffer_bytes <= r->memory_bytes)
        return;
    tw_buffer_flush(r->location, r->now, r->now + FLUSH_TICKS);
    r->now += FLUSH_TICKS;
    r->buffer_bytes = 0;
}

static void
enter(recording *r, uint32_t region)
{
    tw_enter(r->location, r->now, region);
    count_event(r);
}

static void
leave(recording *r, uint32_t region)
{
    tw_leave(r->location, r->now, region);
    count_event(r);
}

/* inner: another function that it calls; the same: none */
static void
call(recording *r, size_t function, hd_time ticks, size_t inner)
{
    if (!functions[function].is_filtered)
        enter(r, functions[function].region);
    r->now += ticks;
    if (inner != function)
        call(r, inner, 0, inner);
    if (!functions[function].is_filtered)
        leave(r, functions[function].region);
}

static void
write_process(tw_archive *archive, uint32_t process, unsigned long n, uint64_t memory_bytes)
{
    recording r     = { .location     = tw_location_open(archive, process, 0, NULL, 0),
                        .now          = 10,
                        .memory_bytes = memory_bytes };
    uint32_t  main_ = tw_region(archive, "main"), init = tw_region(archive, "MPI_Init"),
             barrier = tw_region(archive, "MPI_Barrier"), finalize = tw_region(archive, "MPI_Finalize");

    enter(&r, main_);
    enter(&r, init);
    r.now += 100;
    leave(&r, init);
    for (unsigned long i = 0; i < n; i++) {
        call(&r, 0, 0, 1);
        call(&r, 2, 49, 2);
    }
    r.now += 10 * process;
    enter(&r, barrier);
    tw_coll_begin(r.location, r.now);
    r.now = (hd_time)n * 100 + 10000; /* all of them */
    tw_coll_end(r.location, r.now, TW_COLL_BARRIER, TW_WORLD, TW_ROOT_NONE, 0, 0);
    leave(&r, barrier);
    enter(&r, finalize);
    r.now += 10;
    leave(&r, finalize);
    leave(&r, main_);
    tw_location_close(r.location);
}

static void
write_archive(const char *folder, uint32_t n_processes, unsigned long n)
{
    const char *memory  = getenv("SCOREP_TOTAL_MEMORY");
    tw_archive *archive = tw_open(folder, &(tw_archive_options){ .n_processes = n_processes });

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        functions[i].region = tw_region(archive, functions[i].name);
    for (uint32_t process = 0; process < n_processes; process++)
        write_process(archive, process, n, memory_of(memory != NULL ? memory : "16000K"));
    tw_close(archive);
}

/* All variables that Score-P would see. */
static void
write_environment(const char *path)
{
    extern char **environ;
    FILE         *file = fopen(path, "w");

    for (char **at = environ; file != NULL && *at != NULL; at++)
        if (strncmp(*at, "SCOREP_", 7) == 0)
            fprintf(file, "%s\n", *at);
    if (file == NULL || fclose(file) != 0)
        exit(1);
}

static const char *
value_of(const char *argument, const char *option)
{
    size_t n = strlen(option);

    return strncmp(argument, option, n) == 0 ? argument + n : NULL;
}

static uint32_t
number_of(const char *first, const char *second, uint32_t otherwise)
{
    const char *text = getenv(first) != NULL ? getenv(first) : getenv(second);

    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

int
main(int argc, char **argv)
{
    const char *tracing = getenv("SCOREP_ENABLE_TRACING"), *filter = getenv("SCOREP_FILTERING_FILE"),
               *folder = getenv("SCOREP_EXPERIMENT_DIRECTORY");
    uint32_t rank      = number_of("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0),
             size      = number_of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 2);
    unsigned long n    = 20;
    int           c, exit_code = 0;
    bool          is_instrumented = true, only_folder = false;

    if (rank > 0)
        return 0;
    signal(SIGUSR1, count_usr1);
    for (int i = 1; i < argc; i++) {
        const char *value;

        if ((value = value_of(argv[i], "--calls=")) != NULL)
            n = strtoul(value, NULL, 10);
        else if ((value = value_of(argv[i], "--exit=")) != NULL)
            exit_code = (int)strtol(value, NULL, 10);
        else if ((value = value_of(argv[i], "--environment=")) != NULL)
            write_environment(value);
        else if ((value = value_of(argv[i], "--pause=")) != NULL) { /* until SIGUSR1 comes; the file says that it may */
            write_environment(value);
            while (n_usr1 == 0)
                usleep(10000);
            puts("got SIGUSR1");
        } else if (strcmp(argv[i], "--echo") == 0)
            while ((c = getchar()) != EOF)
                putchar(c);
        else if (strcmp(argv[i], "--not-instrumented") == 0)
            is_instrumented = false;
        else if (strcmp(argv[i], "--only-folder") == 0)
            only_folder = true;
        else
            printf("argument %s\n", argv[i]);
    }
    if (filter != NULL)
        read_filter(filter);
    if (only_folder)
        return folder != NULL && mkdir(folder, 0777) == 0 ? exit_code : 1;
    if (is_instrumented && tracing != NULL && strcmp(tracing, "true") == 0)
        write_archive(folder != NULL ? folder : "scorep-measured", size, n);
    return exit_code;
}

/* tests/fuzz/driver.c: runs a target without libFuzzer: on each file of a folder as it is, then on N changed ones of
 * them.
 *
 *     fuzz_NAME SEEDS N [FILE...]      with FILE: on these only
 *
 * An input that crashes or takes more than ten seconds of the processor is left as NAME.crash. The same N makes the
 * same inputs.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>

#include "fuzz.h"

enum { MAX_SEEDS = 64, MAX_BYTES = 1 << 18, SECONDS_EACH = 10 };

typedef struct input {
    uint8_t *data;
    size_t   bytes;
} input;

static char  crash_path[4096];
static input now; /* for what is left of a crash */

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static bool
put(int file, const void *data, size_t bytes)
{
    return write(file, data, bytes) == (ssize_t)bytes;
}

/* From signal handlers, too. */
static void
leave_input(void)
{
    static const char words[] = "the input is left beside the program, as .crash\n";
    int               file    = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    if (file >= 0 && put(file, now.data, now.bytes) && close(file) == 0)
        (void)put(STDERR_FILENO, words, sizeof words - 1);
}

static void
too_long(int number)
{
    static const char words[] = "an input takes more than ten seconds\n";

    (void)number;
    (void)put(STDERR_FILENO, words, sizeof words - 1);
    abort();
}

static void
crashed(int number)
{
    leave_input();
    signal(number, SIG_DFL);
    raise(number);
}

static void
leave_fatal(void *context)
{
    (void)context;
    leave_input();
}

static void
run(const uint8_t *data, size_t bytes)
{
    uint8_t *exact = hd_realloc(NULL, bytes, 1); /* so that reading behind it is seen */

    if (bytes > 0)
        memcpy(exact, data, bytes);
    now = (input){ exact, bytes };
    setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = SECONDS_EACH }, NULL);
    LLVMFuzzerTestOneInput(exact, bytes);
    setitimer(ITIMER_PROF, &(struct itimerval){ 0 }, NULL);
    free(exact);
}

static input
read_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    input all  = { .data = hd_realloc(NULL, MAX_BYTES, 1) };

    if (file == NULL) {
        fprintf(stderr, "cannot open \"%s\"\n", path);
        exit(2);
    }
    all.bytes = fread(all.data, 1, MAX_BYTES, file);
    fclose(file);
    return all;
}

static uint32_t
below(uint64_t *state, uint64_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 11) % n);
}

/* One change: bytes are set, flipped, taken out, repeated, or taken from another seed; room for twice MAX_BYTES. */
static void
change(uint64_t *state, input *to, const input *other)
{
    static const char *const odd[] = { "-1", "4294967295", "9223372036854775808", "1e999", "\xff\xff\xff\xff", "\"",
                                       "<", "</", "[", "\t\t", "\n\n", "\\" };
    size_t                   at    = below(state, to->bytes + 1), n = 1 + below(state, 16);
    const char              *word;

    if (n > to->bytes - at)
        n = to->bytes - at;
    switch (below(state, 6)) {
    case 0:
        if (n > 0)
            to->data[at] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 1:
        for (size_t i = 0; i < n; i++)
            to->data[at + i] = (uint8_t)below(state, 256);
        break;
    case 2:
        memmove(to->data + at, to->data + at + n, to->bytes - at - n);
        to->bytes -= n;
        break;
    case 3:
        if (to->bytes + n > MAX_BYTES)
            break;
        memmove(to->data + at + n, to->data + at, to->bytes - at);
        to->bytes += n;
        break;
    case 4:
        word = odd[below(state, sizeof odd / sizeof *odd)];
        n    = strlen(word);
        if (to->bytes + n > MAX_BYTES)
            break;
        memmove(to->data + at + n, to->data + at, to->bytes - at);
        memcpy(to->data + at, word, n);
        to->bytes += n;
        break;
    default:
        if (other->bytes > at) {
            n = n > other->bytes - at ? other->bytes - at : n;
            n = n > to->bytes - at ? to->bytes - at : n;
            memcpy(to->data + at, other->data + at, n);
        }
        if (below(state, 8) == 0)
            to->bytes = at;
        break;
    }
}

int
main(int argc, char **argv)
{
    input          seeds[MAX_SEEDS];
    size_t         n_seeds = 0, n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    uint64_t       state   = UINT64_C(88172645463325252);
    DIR           *folder;
    struct dirent *entry;
    input          changed = { .data = hd_realloc(NULL, 2 * (size_t)MAX_BYTES, 1) };

    snprintf(crash_path, sizeof crash_path, "%s.crash", argv[0]);
    if (argc < 3 || (folder = opendir(argv[1])) == NULL) {
        fprintf(stderr, "usage: %s SEEDS N [FILE...]\n", argv[0]);
        return 2;
    }
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(leave_input);
    hd_fatal_handler_set(leave_fatal, NULL);
    signal(SIGPROF, too_long);
    signal(SIGABRT, crashed);
    while ((entry = readdir(folder)) != NULL && n_seeds < MAX_SEEDS)
        if (entry->d_name[0] != '.') {
            char *path = hd_format("%s/%s", argv[1], entry->d_name);

            seeds[n_seeds++] = read_input(path);
            free(path);
        }
    closedir(folder);
    if (n_seeds == 0) {
        fprintf(stderr, "there are no seeds in \"%s\"\n", argv[1]);
        return 2;
    }
    if (argc > 3)
        n = 0;
    for (int i = 3; i < argc; i++) {
        input one = read_input(argv[i]);

        run(one.data, one.bytes);
        free(one.data);
    }
    for (size_t i = 0; i < n_seeds && argc == 3; i++)
        run(seeds[i].data, seeds[i].bytes);
    for (size_t i = 0; i < n; i++) {
        const input *seed = &seeds[below(&state, n_seeds)], *other = &seeds[below(&state, n_seeds)];

        memcpy(changed.data, seed->data, seed->bytes);
        changed.bytes = seed->bytes;
        for (uint32_t changes = 1 + below(&state, 6); changes > 0; changes--)
            change(&state, &changed, other);
        run(changed.data, changed.bytes);
    }
    printf("%zu seeds, %zu changed inputs\n", n_seeds, n);
    for (size_t i = 0; i < n_seeds; i++)
        free(seeds[i].data);
    free(changed.data);
    return 0;
}

/* src/cli/commands/analyze/placement_print.c: prints which thread analyses which processes. */
#include "analyze.h"

#include <stdlib.h>
#include <unistd.h>

#include "memory.h"

/* Numbers as ranges: "0-3,8". */
static void
print_ranges(FILE *out, const hd_analyze *run, uint32_t thread) /* HD_NONE: of all threads */
{
    const char *between = "";
    uint32_t    first = HD_NONE, last = HD_NONE;

    for (uint32_t i = 0; i <= run->n_processes; i++) {
        bool here = i < run->n_processes && (thread == HD_NONE || run->threads[i] == thread);

        if (here && first != HD_NONE && run->processes[i] == last + 1) {
            last++;
            continue;
        }
        if (first != HD_NONE && (here || i == run->n_processes)) {
            fprintf(out, first == last ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32, between, first, last);
            between = ",";
            first   = HD_NONE;
        }
        if (here)
            first = last = run->processes[i];
    }
    fputs(*between == '\0' ? "none" : "", out);
}

static void
print_threads(FILE *out, const hd_analyze *run)
{
    for (uint32_t i = 0; i < run->n_threads; i++) {
        const char *where = run->binding != NULL ? hd_binding_text(run->binding, i) : "idle";

        fprintf(out, "rank %" PRIu32 "  node %" PRIu32 " (%s)  pid %jd  thread %" PRIu32 "  %s  processes ",
                hd_analysis_comm_rank(run->analysis_comm).v,
            hd_analysis_comm_node(run->analysis_comm), hd_analysis_comm_node_name(run->analysis_comm),
                (intmax_t)getpid(), i, *where != '\0' ? where : "not bound");
        print_ranges(out, run, i);
        fputc('\n', out);
    }
}

static void
print_rank(FILE *out, const hd_analyze *run)
{
    fprintf(out, "heddle: rank %" PRIu32 " node=%s pid=%jd processes=", hd_analysis_comm_rank(run->analysis_comm).v,
            hd_analysis_comm_node_name(run->analysis_comm),
            (intmax_t)getpid());
    print_ranges(out, run, HD_NONE);
    fputc('\n', out);
}

/* What every rank has to say of itself, in their order. */
static void
gather_and_print(const hd_analyze *run, void (*print)(FILE *out, const hd_analyze *run), FILE *to)
{
    char     *text = NULL;
    size_t    n    = 0;
    FILE     *out  = open_memstream(&text, &n);
    uint8_t  *all  = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    if (out == NULL)
        hd_fatal("out of memory: the placement cannot be shown");
    print(out, run);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the placement cannot be shown");
    hd_analysis_comm_gather(run->analysis_comm, text, n, &all, &n_bytes);
    if (run->is_rank0) {
        for (uint32_t i = 0; i < hd_analysis_comm_size(run->analysis_comm); i++)
            sum += n_bytes[i];
        fwrite(all, 1, sum, to);
        fflush(to);
    }
    free(all);
    free(n_bytes);
    free(text);
}

void
hd_analyze_print_placement(const hd_analyze *run)
{
    if (run->options->show_placement)
        gather_and_print(run, print_threads, stdout);
    if (run->options->verbose)
        gather_and_print(run, print_rank, stderr);
}

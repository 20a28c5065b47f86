/* tests/replay/simulate/simulated_times.c: writes a situation, simulates it, and reads the table of times. */
#include "simulated_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "runner.h"

enum { FIRST_TIME = 1000000000, TICKS = 1000000 }; /* of the archives; per second */

static void
read_times(const char *path, tw_simulation *found)
{
    FILE *file = fopen(path, "r");
    char  line[256];

    found->n = 0;
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL && found->n < MAX_SIMULATED) {
        tw_times *row = &found->rows[found->n];

        if (sscanf(line, "%" SCNu32 "\t%" SCNu32 "\t%*u\t%" SCNi64 "\t%" SCNi64 "\t%" SCNi64 "\t%" SCNi64,
                   &row->process, &row->thread, &row->enter, &row->leave, &row->new_enter, &row->new_leave) != 6)
            continue;
        row->enter -= FIRST_TIME;
        row->leave -= FIRST_TIME;
        row->new_enter -= FIRST_TIME;
        row->new_leave -= FIRST_TIME;
        found->n++;
    }
    fclose(file);
}

static double
number_of(const char *text, const char *name)
{
    const char *at = text == NULL ? NULL : strstr(text, name);

    return at == NULL ? -1 : strtod(at + strlen(name), NULL);
}

/* What the document says of the hypothesis. */
static void
read_document(const char *path, tw_simulation *found)
{
    static char text[1 << 20];
    FILE       *file = fopen(path, "r");
    const char *hypothesis;

    if (file == NULL)
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    hypothesis            = strstr(text, "\"hypotheses\"");
    found->n_dropped      = (int)number_of(hypothesis, "\"cycles\":");
    found->run_time_whole = (int64_t)(number_of(hypothesis, "\"run_time_whole\":") * TICKS + 0.5);
}

tw_simulation
tw_simulate_run(const tw_op *ops, size_t n, const tw_options *options, const char *hypothesis)
{
    char         *folder = hd_format("%s/heddle-simulate-XXXXXX", runner_environment("TMPDIR", "/tmp"));
    tw_simulation found = { .n = 0 };
    char         *archive, *table, *output, *errors;

    if (mkdtemp(folder) == NULL) {
        free(folder);
        return (tw_simulation){ .exit_code = -1 };
    }
    archive = hd_format("%s/archive", folder);
    table   = hd_format("%s/times.tsv", folder);
    output  = hd_format("%s/output", folder);
    errors  = hd_format("%s/errors", folder);
    tw_write(ops, n, options, archive);
    found.exit_code = runner_heddle(0, (char *[]){ (char *)(uintptr_t)"simulate", (char *)(uintptr_t)"--quiet",
                                        (char *)(uintptr_t)"--json", (char *)(uintptr_t)"--what-if",
                                        (char *)(uintptr_t)hypothesis,
                                        (char *)(uintptr_t)"--times", table, archive, NULL }, folder, output, errors);
    read_times(table, &found);
    read_document(output, &found);
    if (getenv("TW_KEEP") != NULL)
        printf("kept: %s\n", folder);
    else
        tw_remove(folder);
    free(archive);
    free(table);
    free(output);
    free(errors);
    free(folder);
    return found;
}

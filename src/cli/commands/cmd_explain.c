/* heddle explain: what a metric, an efficiency or a finding means, typical reasons, and what to do; and what a term means. */
#include <stdlib.h>

#include "closest.h"
#include "commands.h"
#include "explain_page.h"
#include "memory.h"
#include "terminal.h"

enum { MAX_WORDS = 16 };

typedef struct hd_explain_options {
    bool     help;
    uint32_t width;
    hd_texts words;
} hd_explain_options;

static const hd_option explain_options[] = { HD_OPTION_WIDTH(offsetof(hd_explain_options, width)), HD_OPTION_HELP };

/* "late sender" and late sender are the same. */
static char *
joined(const hd_texts *words)
{
    char *text = hd_strdup(words->text[0]);

    for (size_t i = 1; i < words->n; i++) {
        char *longer = hd_format("%s %s", text, words->text[i]);

        free(text);
        text = longer;
    }
    return text;
}

static hd_status
not_found(const char *name)
{
    size_t      n;
    char      **names   = hd_explain_names(&n);
    const char *closest = hd_closest(name, (const char *const *)names, n);

    hd_fail(HD_EUSAGE, "there is no metric, efficiency, finding or term \"%s\"", name);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "heddle metrics for the list, heddle metrics TEXT to search it");
    hd_explain_names_free(names, n);
    return HD_EUSAGE;
}

static hd_status
explain_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_explain_options *options = options_;
    hd_summary_options        look    = hd_terminal_look(options->width);
    char                     *name    = joined(&options->words);
    bool                      found   = false;
    hd_status                 status  = hd_explain_print(name, stdout, &look, &found);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (status == HD_OK && !found)
        status = not_found(name);
    free(name);
    return status;
}

const hd_command hd_cmd_explain = {
    .name           = "explain",
    .operand        = "METRIC|FINDING",
    .operand_offset = offsetof(hd_explain_options, words),
    .operands_min   = 1,
    .operands_max   = MAX_WORDS,
    .what           = "explain a metric or a finding: meaning, reasons, what to do",
    .text           = "Prints what a metric, an efficiency or a finding of a report means, with a drawing, typical reasons, what "
                      "people do about it, and where "
                      "its computation is described.\n\n"
                      "A metric is given by its id, as in heddle dump, or by its name, a finding by its id, an "
                      "efficiency of heddle efficiency or heddle scaling by its id or name. Upper and lower case are "
                      "the same. Of a name that several metrics share, all explanations are printed. The HTML report "
                      "has the same texts. A term of the glossary (docs/glossary.md) is given as it stands there.",
    .example        = "heddle explain late sender\ta wait state\n"
                      "heddle explain delay\troot causes\n"
                      "heddle explain load_balance\tan efficiency\n"
                      "heddle explain unmatched-receive\ta finding of the trace diagnostics\n"
                      "heddle explain main window\ta term\n"
                      "heddle metrics barrier\tmetrics that have to do with barriers",
    .options        = explain_options,
    .n_options      = sizeof explain_options / sizeof *explain_options,
    .bytes          = sizeof(hd_explain_options),
    .run            = explain_run,
};

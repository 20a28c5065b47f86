/* src/cli/core/options.h: the options of a subcommand, declared in one table.
 *
 * Parser, --help, manual pages (manual.h) and completion (completion.h) are made from the table, so they cannot
 * disagree. Uses: base.
 * Owner: tables are constant; texts of a filled struct point into argv, lists of them are hd_options_fini()'s. MT:
 * main thread only. Ranks: local; equal command lines give equal results on all ranks.
 */
#ifndef HD_OPTIONS_H
#define HD_OPTIONS_H

#include <stdio.h>

#include "duration.h"
#include "analysis_comm.h"
#include "status.h"
#include "types.h"

typedef enum hd_option_type {
    HD_FLAG,   /* bool: true when it is there */
    HD_COUNT,  /* uint32_t, above 0 */
    HD_SMALL_COUNT, /* the same, at most 65535 */
    HD_THREADS, /* the same, at most HD_MAX_THREADS */
    HD_TEXT,   /* const char *, not empty */
    HD_TEXTS,  /* hd_texts, not empty; may be given several times */
    HD_CHOICE, /* uint32_t: index among the values */
    HD_BYTES,  /* uint64_t, with a unit: K, M, G or T (powers of 1024, "64G", "64GiB"), or B; from 1 MiB on also without */
    HD_TIME,   /* hd_duration, seconds or with a unit behind it */
} hd_option_type;

enum { HD_MAX_THREADS = 4096 }; /* of a rank: some OpenMP runtimes keep what belongs to each on one stack */

typedef struct hd_texts {
    const char **text; /* [n] in the order given */
    size_t       n;
} hd_texts;

typedef struct hd_option {
    const char    *name;       /* "traces-per-rank": --traces-per-rank */
    char           short_name; /* 'o': -o, 0: none */
    hd_option_type type;
    const char    *fallback; /* a value as the user would write it; words in parentheses are only shown; NULL: none */
    const char    *values;   /* what the user writes: "N", "REPORT.cubex"; of a choice "block|cyclic|node" */
    const char    *help;     /* one sentence without a full stop */
    size_t         offset;   /* of the field that it sets */
} hd_option;

typedef struct hd_command {
    const char      *name;
    const char      *operand;        /* "ARCHIVE", "REPORT"; words to choose from as "bash|zsh"; several as they are shown: "A B..." */
    size_t           operand_offset; /* of its field, const char *; where operands_max is not 0 hd_texts */
    bool             operand_optional;
    uint32_t         operands_min, operands_max; /* several operands: so many; both 0: one */
    bool             operand_ends_options; /* the operands are a command line: what follows the first is no option */
    size_t           split_offset; /* of a uint32_t: how many operands stand before "--", which then does not end the options; 0: it does */
    bool             every_copy; /* each copy that a launcher starts does it; of others only the first */
    bool             parallel; /* all analysis ranks take part; the others run on one rank */
    size_t           mpi_offset; /* of the field of HD_OPTION_MPI, where parallel */
    const char      *what;     /* one sentence without a full stop */
    const char      *text;     /* paragraphs, separated by empty lines */
    const char      *example;  /* a command line, then its meaning after a tab; lines; "" for none */
    const hd_option *options;  /* [n_options] */
    size_t           n_options;
    bool             output_may_be_stdout; /* --output=- means standard output; elsewhere it is an error */
    const char      *former_letters; /* letters that are no options any more: "n=traces-per-rank b=bind"; NULL for none */
    const char      *former_names; /* names and letters that options had before, and that still work: "svg=picture o=picture"; NULL for none */
    const char      *exit_codes; /* beyond 0, 1 and 2: the number, then what it means after a tab; lines; NULL for none */
    size_t           bytes; /* of the struct that the options fill; its first field is bool help */
    /* Does it. exit_code: HD_EXIT_*, set on success only. analysis_comm: NULL unless parallel.
     * Ranks: all, together, where parallel; the status is the same on all. */
    hd_status (*run)(const void *options, hd_analysis_comm *analysis_comm, int *exit_code);
} hd_command;

enum { HD_EXIT_OK = 0, HD_EXIT_ERROR = 1, HD_EXIT_USAGE = 2, HD_EXIT_INCOMPLETE = 3, HD_EXIT_RULE = 4 };

/* What --json does, wherever it is. */
#define HD_JSON_HELP "print a JSON document instead (docs/json.md)"

/* field: offset of an uint32_t */
#define HD_OPTION_WIDTH(field) { "width", 0, HD_SMALL_COUNT, "(COLUMNS, else that of the terminal, else 80)", "N", "columns of the text", field }
/* A hd_event_reader. */
#define HD_OPTION_READER(field) \
    { "reader", 0, HD_CHOICE, "auto", "auto|otf2", "reader of event files: auto (built in; the OTF2 library for what it does not know), or otf2", field }
#define HD_OPTION_HELP { "help", 'h', HD_FLAG, NULL, NULL, "show this help and end", 0 }

/* One letter means the same option in all subcommands that have it: -f --force, -h --help, -m --metric, -n --top, -o
 * --output, -q --quiet, -t --threads, -v --verbose. Others have none. --picture FILE draws a
 * picture in all that draw one. A value of "-" for an option that names a file
 * to write is an error, but see above. */

/* Fills the struct at options (command->bytes, zeroed by this) from the arguments behind the subcommand's name.
 * Once --help is found the rest is not looked at. Errors: HD_EUSAGE with words; the struct is then half filled. */
hd_status hd_options_parse(const hd_command *command, int n, char **arguments, void *options);

/* Frees what hd_options_parse() made, whatever it returned; the struct stays the caller's. */
void hd_options_fini(const hd_command *command, void *options);

/* Words of text in lines of so many columns, and a line end; a blank line between paragraphs. Lines begin with indent
 * blanks; the first one has column characters already. */
void hd_options_wrapped(FILE *out, const char *text, int width, int indent, int column);

/* The help of one subcommand, in lines of so many columns. */
void hd_options_help(const hd_command *command, FILE *out, int width);

#endif

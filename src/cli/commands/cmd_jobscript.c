/* heddle jobscript: a job script for a batch system. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "memory.h"
#include "message.h"
#include "new_file.h"
#include "out_file.h"
#include "plan.h"
#include "event_sample.h"
#include "shell_word.h"
#include "slurm_nodes.h"
#include "template.h"

#define SYSTEMS "slurm|cray-slurm|cray-alps|pbs|gridengine|flux|lsf|pjm|mpirun|bgq|bgq-cobalt|bgp"
#define USES "alone|dependent|own-job"
enum { USE_ALONE, USE_DEPENDENT, USE_OWN_JOB };
enum { WARNING_SECONDS = 120, MIN_SECONDS = 300, MAX_SECONDS = 1 << 24, MAX_TEXT_BYTES = 1 << 20 };

/* In the order of SYSTEMS. Cores and memory of a node where the machine is known. */
static const struct {
    uint32_t max_ranks_per_node, max_threads_per_node, cores_per_node;
    uint64_t memory_per_node;
    bool     is_blue_gene; /* ranks per node are a power of two, partitions have a shape */
    bool     has_sinfo;    /* which knows the nodes */
    bool     has_mpirun;   /* starts ranks */
    bool     has_no_jobs;  /* there is nothing that could wait, or be charged */
} systems[] = {
    { .has_sinfo = true }, /* slurm */
    { .has_sinfo = true }, /* cray-slurm */
    { 0 },                 /* cray-alps */
    { .has_mpirun = true }, /* pbs */
    { .has_mpirun = true }, /* gridengine */
    { 0 },                 /* flux */
    { 0 },                 /* lsf */
    { .cores_per_node = 48, .memory_per_node = UINT64_C(32) << 30 }, /* pjm */
    { .has_mpirun = true, .has_no_jobs = true }, /* mpirun */
    { 64, 64, 16, UINT64_C(16) << 30, .is_blue_gene = true }, /* bgq */
    { 64, 64, 16, UINT64_C(16) << 30, .is_blue_gene = true }, /* bgq-cobalt */
    { 4, 4, 4, UINT64_C(2) << 30, .is_blue_gene = true },     /* bgp */
};

/* How ranks of this build find each other. */
#ifdef HEDDLE_WITH_MPICH
#define SRUN_MPI "pmi2"
#define FLUX_PMI "simple"
#define MPIRUN_PER_NODE "-ppn %" PRIu32 " -bind-to none"
#else
#define SRUN_MPI "pmix"
#define FLUX_PMI "pmix"
#define MPIRUN_PER_NODE "--map-by ppr:%" PRIu32 ":node --bind-to none"
#endif

typedef struct hd_jobscript_options {
    bool        help;
    const char *archive, *template_file, *output, *report, *time, *job_name, *account, *queue, *after, *shape, *program;
    const char *more, *like, *mpi, *parallel_environment;
    uint32_t    system, use, cores_per_node, nodes, ranks_per_node, threads, traces_per_rank;
    uint64_t    memory_per_node, mpi_memory;
    bool        force, show_template, local;
} hd_jobscript_options;

#define FIELD(field) offsetof(hd_jobscript_options, field)
static const hd_option jobscript_options[] = {
    { "system", 0, HD_CHOICE, "slurm", SYSTEMS, "the batch system and its launcher", FIELD(system) },
    { "use", 0, HD_CHOICE, "alone", USES, "a job of its own, one after another job, or lines for the end of the program's own job",
        FIELD(use) },
    { "after", 0, HD_TEXT, NULL, "JOB", "the job to wait for; means --use=dependent", FIELD(after) },
    { "like", 0, HD_TEXT, "(ARCHIVE)", "ARCHIVE", "an archive of an earlier run, to plan with where ARCHIVE is not there yet", FIELD(like) },
    { "output", 'o', HD_TEXT, "(standard output)", "FILE", "where to write the script; - for standard output", FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing FILE", FIELD(force) },
    { "time", 0, HD_TEXT, "(by the size of the archive)", "HH:MM:SS", "time limit", FIELD(time) },
    { "job-name", 0, HD_TEXT, "heddle", "NAME", "name of the job", FIELD(job_name) },
    { "account", 0, HD_TEXT, NULL, "ACCOUNT", "account that the job is charged to", FIELD(account) },
    { "queue", 0, HD_TEXT, NULL, "QUEUE", "queue, partition, class or resource group", FIELD(queue) },
    { "shape", 0, HD_TEXT, NULL, "SHAPE", "shape of the partition (Blue Gene)", FIELD(shape) },
    { "memory-per-node", 0, HD_BYTES, "(of the system, or as sinfo says)", "SIZE", "memory of a node, such as 64G", FIELD(memory_per_node) },
    { "cores-per-node", 0, HD_COUNT, "(of the system, or as sinfo says)", "N", "cores of a node, without hardware threads", FIELD(cores_per_node) },
    { "local", 0, HD_FLAG, NULL, NULL, "nodes are like this machine, in cores and memory", FIELD(local) },
    { "mpi", 0, HD_TEXT, "(pmix with Open MPI, pmi2 with MPICH; on Cray the site's)", "TYPE",
        "how ranks that srun starts find each other: srun --mpi=TYPE; none for the site's way", FIELD(mpi) },
    { "parallel-environment", 0, HD_TEXT, "mpi", "NAME", "parallel environment of Grid Engine, as qconf -spl lists them", FIELD(parallel_environment) },
    { "mpi-memory", 0, HD_BYTES, "(16M with Open MPI, 21M with MPICH)", "SIZE", "what the MPI library takes on each rank", FIELD(mpi_memory) },
    { "nodes", 0, HD_COUNT, "(as heddle plan recommends)", "N", "nodes to ask for", FIELD(nodes) },
    { "ranks-per-node", 0, HD_COUNT, "(one for every 8 cores)", "N", "analysis ranks on a node", FIELD(ranks_per_node) },
    { "threads", 't', HD_THREADS, "(one for each core)", "N", "replay threads of a rank", FIELD(threads) },
    { "traces-per-rank", 0, HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank",
        FIELD(traces_per_rank) },
    { "report", 0, HD_TEXT, "(beside the archive)", "REPORT.cubex", "where the analysis writes its report", FIELD(report) },
    { "program", 0, HD_TEXT, "(this one)", "PATH", "heddle on the machine where the job runs", FIELD(program) },
    { "analyze-options", 0, HD_TEXT, NULL, "OPTIONS", "more options of heddle analyze, separated by blanks", FIELD(more) },
    { "template", 0, HD_TEXT, "(of the system)", "FILE", "a site's own template", FIELD(template_file) },
    { "show-template", 0, HD_FLAG, NULL, NULL, "print the template of the system, to be changed, and end", FIELD(show_template) },
    HD_OPTION_HELP,
};

/* ---- words of a command line ----------------------------------------------------------------------------------------------- */

typedef struct words {
    char *quoted, *plain; /* NULL: some word cannot be written without quotes */
} words;

static void
add_word(words *words_, const char *word)
{
    char *quoted = hd_shell_word_quoted(word), *longer;

    longer = hd_format("%s%s%s", words_->quoted, *words_->quoted != '\0' ? " " : "", quoted);
    free(words_->quoted);
    words_->quoted = longer;
    if (words_->plain != NULL && hd_shell_word_is_plain(word))
        longer = hd_format("%s%s%s", words_->plain, *words_->plain != '\0' ? " " : "", word);
    else
        longer = NULL;
    free(words_->plain);
    words_->plain = longer;
    free(quoted);
}

static void
add_number(words *words_, const char *option, uint32_t number)
{
    char *word = hd_format("%s%" PRIu32, option, number);

    add_word(words_, word);
    free(word);
}

/* Jobs may start elsewhere; what a path leads to need not be there yet. free() it. */
static char *
absolute_path(const char *path)
{
    char *folder = *path == '/' ? NULL : realpath(".", NULL);
    char *whole  = folder != NULL ? hd_format("%s/%s", folder, path) : hd_strdup(path);

    free(folder);
    return whole;
}

/* What heddle is started with. */
static words
make_arguments(const hd_jobscript_options *options, const char *anchor, const hd_plan *plan)
{
    words arguments = { .quoted = hd_strdup(""), .plain = hd_strdup("") };
    char *more      = hd_strdup(options->more != NULL ? options->more : ""), *rest = NULL;

    add_word(&arguments, "analyze");
    add_number(&arguments, "--threads=", plan->threads);
    if (options->traces_per_rank > 0)
        add_number(&arguments, "--traces-per-rank=", options->traces_per_rank);
    if (options->report != NULL) {
        char *report = absolute_path(options->report);

        add_word(&arguments, "--output");
        add_word(&arguments, report);
        free(report);
    }
    for (char *word = strtok_r(more, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest))
        add_word(&arguments, word);
    add_word(&arguments, anchor);
    free(more);
    return arguments;
}

/* ---- time ------------------------------------------------------------------------------------------------------------------ */

/* "HH:MM:SS" in seconds. */
static hd_status
parse_time(const char *text, uint32_t *seconds)
{
    unsigned hours, minutes, rest;
    int      n = 0;

    if (strspn(text, "0123456789:") != strlen(text) || sscanf(text, "%4u:%2u:%2u%n", &hours, &minutes, &rest, &n) != 3 || text[n] != '\0' ||
        minutes > 59 || rest > 59 || hours + minutes + rest == 0)
        return hd_fail(HD_EUSAGE, "--time: \"%s\" is not of the form HH:MM:SS", text);
    *seconds = hours * 3600 + minutes * 60 + rest;
    return HD_OK;
}

static char *
format_time(uint32_t seconds)
{
    return hd_format("%02" PRIu32 ":%02" PRIu32 ":%02" PRIu32, seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* ---- the script ------------------------------------------------------------------------------------------------------------ */

static hd_status
render(const hd_jobscript_options *options, const char *file, const char *text, const char *anchor, const hd_plan *plan,
       uint32_t cores_per_node, uint32_t seconds, FILE *out)
{
    uint32_t    warning   = seconds > 2 * WARNING_SECONDS ? WARNING_SECONDS : seconds / 2;
    words       arguments = make_arguments(options, anchor, plan);
    const char *modes[]   = { NULL, "SMP", "DUAL", NULL, "VN" };
    char       *numbers[] = { hd_format("%" PRIu32, plan->nodes), hd_format("%" PRIu32, plan->ranks),
                              hd_format("%" PRIu32, plan->ranks_per_node), hd_format("%" PRIu32, plan->threads),
                              hd_format("%" PRIu32, plan->traces_per_rank), format_time(seconds), format_time(seconds - warning),
                              hd_format("%" PRIu32, (seconds + 59) / 60), hd_format("%" PRIu32, warning),
                              hd_format("%" PRIu32, (warning + 59) / 60), hd_shell_word_quoted(options->program),
                              hd_format(MPIRUN_PER_NODE, plan->ranks_per_node), hd_format("%" PRIu32, cores_per_node),
                              hd_format("%" PRIu64, (uint64_t)plan->nodes * cores_per_node) };
    bool        is_job    = options->use != USE_OWN_JOB;
    bool        has_mpirun = systems[options->system].has_mpirun;
    const char *mpi       = options->mpi != NULL ? options->mpi : options->system == 0 ? SRUN_MPI : "none";
    const hd_template_value values[] = {
        { "NODES", numbers[0] }, { "RANKS", numbers[1] }, { "RANKS_PER_NODE", numbers[2] }, { "THREADS", numbers[3] },
        { "TRACES_PER_RANK", numbers[4] }, { "TIME", numbers[5] }, { "SOFT_TIME", numbers[6] }, { "MINUTES", numbers[7] },
        { "WARNING_SECONDS", numbers[8] }, { "WARNING_MINUTES", (warning + 59) / 60 < (seconds + 59) / 60 ? numbers[9] : NULL }, { "HEDDLE", numbers[10] },
        { "ARGUMENTS", arguments.quoted }, { "ARGUMENTS_TEXT", arguments.plain }, { "JOB_NAME", options->job_name },
        { "ACCOUNT", options->account }, { "QUEUE", options->queue }, { "SHAPE", options->shape },
        { "AFTER", options->use == USE_DEPENDENT ? options->after : NULL },
        { "MODE", plan->ranks_per_node <= 4 ? modes[plan->ranks_per_node] : NULL },
        { "IF_JOB", is_job ? "" : NULL }, { "IF_OWN_JOB", is_job ? NULL : "" },
        { "IF_DEPENDENT", options->use == USE_DEPENDENT ? "" : NULL },
        { "IF_NO_ACCOUNT", is_job && options->account == NULL ? "" : NULL },
        { "IF_NO_QUEUE", is_job && options->queue == NULL ? "" : NULL },
        { "SIGNAL", has_mpirun ? "USR1" : "TERM" }, { "IF_MPIRUN", has_mpirun ? "" : NULL },
        { "SRUN_MPI", strcmp(mpi, "none") != 0 ? mpi : NULL }, { "FLUX_PMI", FLUX_PMI },
        { "MPIRUN_PER_NODE", numbers[11] },
        { "CORES", numbers[12] }, { "SLOTS", numbers[13] }, { "PARALLEL_ENVIRONMENT", options->parallel_environment },
    };
    hd_status status = HD_OK;

    if (arguments.plain == NULL && strstr(text, "{{ARGUMENTS_TEXT}}") != NULL)
        status = hd_fail(HD_EUSAGE, "this system cannot start a program with blanks or quotes in its arguments: %s", arguments.quoted);
    if (status == HD_OK)
        status = hd_template_render(file, text, values, sizeof values / sizeof *values, out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        free(numbers[i]);
    free(arguments.quoted);
    free(arguments.plain);
    return status;
}

static hd_status
read_template(const char *path, char **text)
{
    FILE  *file = fopen(path, "r");
    size_t n;

    if (file == NULL)
        return hd_fail(HD_EOPEN, "cannot open the template \"%s\": %s", path, strerror(errno));
    *text = hd_alloc(MAX_TEXT_BYTES, 1);
    n     = fread(*text, 1, MAX_TEXT_BYTES - 1, file);
    (*text)[n] = '\0';
    if (ferror(file) || !feof(file) || strlen(*text) != n) {
        fclose(file);
        return hd_fail(HD_EFORMAT, "\"%s\" cannot be read as a template", path);
    }
    fclose(file);
    return HD_OK;
}

/* Aside first, so that nothing half-written stands under the name. anchor: of the archive, NULL: there is none. */
static hd_status
write_script(const hd_jobscript_options *options, const char *anchor, const char *text, size_t bytes)
{
    hd_new_file file;
    mode_t      mask;
    int         error;

    if (options->output == NULL || strcmp(options->output, "-") == 0) {
        fwrite(text, 1, bytes, stdout);
        return fflush(stdout) == 0 ? HD_OK : hd_fail(HD_EWRITE, "cannot write to standard output: %s", strerror(errno));
    }
    if (anchor != NULL && hd_archive_has_file(anchor, options->output)) {
        hd_fail(HD_EUSAGE, "the script would replace a file of the archive: \"%s\"", options->output);
        hd_fail_detail("try", "another --output");
        return HD_EUSAGE;
    }
    if (!options->force && access(options->output, F_OK) == 0) {
        hd_fail(HD_EEXIST, "\"%s\" exists already", options->output);
        hd_fail_detail("try", "--force, or another --output");
        return HD_EEXIST;
    }
    mask = umask(0);
    umask(mask);
    error = hd_new_file_open(&file, options->output, false);
    if (error == 0)
        error = hd_write_at(file.fd, text, bytes, 0);
    if (error == 0 && fchmod(file.fd, 0755 & ~mask) != 0) /* some systems start it as a program */
        error = errno;
    if (error == 0)
        error = hd_new_file_commit(&file, options->force);
    hd_new_file_fini(&file);
    return error == 0 ? HD_OK : hd_fail(HD_EWRITE, "cannot write \"%s\": %s", options->output,
                                          hd_new_file_why(error));
}

static void
tell_nodes(const hd_slurm_nodes *nodes)
{
    char size[28];

    fprintf(stderr, "heddle: nodes of partition \"%s\", from sinfo: %" PRIu32 " core%s, %s%s\n", nodes->partition,
            nodes->cores, nodes->cores == 1 ? "" : "s", hd_message_size(size, nodes->memory_bytes),
            nodes->differ ? " (the least of different nodes)" : "");
}

/* Cores and memory of a node are never guessed: the machine where this runs may be a login node, or a laptop. */
static hd_status
find_node(const hd_jobscript_options *options, hd_plan_request *request)
{
    uint32_t       cores  = systems[options->system].cores_per_node;
    uint64_t       memory = systems[options->system].memory_per_node;
    hd_slurm_nodes nodes;

    if (options->local) {
        *request = hd_plan_this_node();
        cores    = request->cores_per_node;
        memory   = request->memory_per_node;
    }
    cores  = options->cores_per_node > 0 ? options->cores_per_node : cores;
    memory = options->memory_per_node > 0 ? options->memory_per_node : memory;
    if ((cores == 0 || memory == 0) && systems[options->system].has_sinfo && hd_slurm_nodes_ask(options->queue, &nodes)) {
        cores  = cores > 0 ? cores : nodes.cores;
        memory = memory > 0 ? memory : nodes.memory_bytes;
        tell_nodes(&nodes);
    }
    request->cores_per_node  = cores;
    request->memory_per_node = memory;
    if (cores > 0 && memory > 0)
        return HD_OK;
    hd_fail(HD_EUSAGE, cores > 0    ? "the memory of a node is not known"
                       : memory > 0 ? "the number of cores of a node is not known"
                                    : "the number of cores and the memory of a node are not known");
    hd_fail_detail("try", "--cores-per-node=128 --memory-per-node=256G, with the numbers of the nodes of the job");
    hd_fail_detail("or", "--local, if they are like this machine");
    return HD_EUSAGE;
}

static hd_status
plan(const hd_jobscript_options *options, const char *anchor, const hd_defs *defs, hd_plan *plan_,
     uint32_t *cores_per_node)
{
    hd_plan_request request = { 0 };
    hd_status       status  = find_node(options, &request);

    if (status != HD_OK)
        return status;
    *cores_per_node              = request.cores_per_node;
    request.trace_bytes          = hd_event_sample_trace_bytes(anchor, defs);
    request.rank_bytes           = options->mpi_memory;
    request.max_ranks_per_node   = systems[options->system].max_ranks_per_node;
    request.max_threads_per_node = systems[options->system].max_threads_per_node;
    request.is_power_of_two      = systems[options->system].is_blue_gene;
    request.nodes                = options->nodes;
    request.ranks_per_node       = options->ranks_per_node;
    request.threads              = options->threads;
    request.traces_per_rank      = options->traces_per_rank;
    return options->nodes > 0 ? hd_plan_make(defs, &request, plan_) : hd_plan_recommend(defs, &request, plan_);
}

static const char *
name_of_system(uint32_t system, char *name, size_t bytes)
{
    const char *at = SYSTEMS;

    while (system-- > 0)
        at = strchr(at, '|') + 1;
    snprintf(name, bytes, "%.*s.sh", (int)strcspn(at, "|"), at);
    return name;
}

/* The path of this program, as jobs may have another PATH. */
static char *
this_program(void)
{
    char *path = realpath("/proc/self/exe", NULL);

    return path != NULL ? path : hd_strdup("heddle");
}

static hd_status
write_job(hd_jobscript_options *options, const char *file, const char *text)
{
    char     *anchor = NULL, *absolute = absolute_path(options->archive), *program = NULL, *script = NULL;
    hd_defs  *defs   = NULL;
    size_t    bytes  = 0;
    hd_plan   plan_  = { 0 };
    uint32_t  seconds = 0, cores_per_node = 0;
    hd_status status  = hd_archive_find(options->like != NULL ? options->like : options->archive, &anchor);

    if (status != HD_OK && options->like == NULL)
        hd_fail_detail("or", "--like: an archive of an earlier run, if this one is not there yet");
    if (status == HD_OK)
        status = hd_defs_read(anchor, &defs);
    if (status == HD_OK)
        status = plan(options, anchor, defs, &plan_, &cores_per_node);
    if (status == HD_OK && options->time != NULL)
        status = parse_time(options->time, &seconds);
    else if (status == HD_OK) /* four times what it should take, and time to start */
        seconds = MIN_SECONDS + 60 * (uint32_t)(plan_.seconds < MAX_SECONDS ? plan_.seconds * 4 / 60 + 1 : MAX_SECONDS / 15);
    if (status == HD_OK) {
        FILE *stream = open_memstream(&script, &bytes);

        if (stream == NULL)
            hd_fatal("out of memory: the script cannot be written");
        if (options->program == NULL)
            options->program = program = this_program();
        status = render(options, file, text, absolute, &plan_, cores_per_node, seconds, stream);
        if (fclose(stream) != 0)
            hd_fatal("out of memory: the script cannot be written");
    }
    if (status == HD_OK)
        status = write_script(options, anchor, script, bytes);
    free(script);
    free(absolute);
    free(program);
    free(defs);
    free(anchor);
    return status;
}

/* What goes into directives cannot be quoted there. */
static hd_status
check_words(const hd_jobscript_options *options)
{
    const char *const values[][2] = { { "--job-name", options->job_name }, { "--account", options->account }, { "--queue", options->queue },
                                     { "--shape", options->shape }, { "--after", options->after }, { "--mpi", options->mpi },
                                     { "--parallel-environment", options->parallel_environment } };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i][1] != NULL && !hd_shell_word_is_plain(values[i][1]))
            return hd_fail(HD_EUSAGE, "%s: blanks and special characters cannot be written into a job script", values[i][0]);
    if (options->use == USE_DEPENDENT && options->after == NULL)
        return hd_fail(HD_EUSAGE, "--use=dependent needs --after: the job to wait for");
    if (options->use == USE_OWN_JOB && options->after != NULL)
        return hd_fail(HD_EUSAGE, "--after does not go with --use=own-job");
    if (systems[options->system].has_no_jobs &&
        (options->use == USE_DEPENDENT || options->after != NULL || options->account != NULL || options->queue != NULL))
        return hd_fail(HD_EUSAGE, "--after, --account and --queue are for batch systems, and mpirun is none");
    if (options->shape != NULL && !systems[options->system].is_blue_gene && options->template_file == NULL)
        return hd_fail(HD_EUSAGE, "--shape is for Blue Gene only");
    return HD_OK;
}

static hd_status
jobscript_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    hd_jobscript_options options = *(const hd_jobscript_options *)options_;
    char                 name[32], *own = NULL;
    const char          *file   = options.template_file != NULL ? options.template_file : name_of_system(options.system, name, sizeof name);
    const char          *text   = NULL;
    hd_status            status = HD_OK;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    status       = check_words(&options);
    if (status != HD_OK)
        return status;
    options.use = options.after != NULL ? USE_DEPENDENT : options.use;
    if (options.template_file != NULL)
        status = read_template(options.template_file, &own);
    text = own != NULL ? own : hd_template_find(file);
    if (status == HD_OK && options.show_template)
        status = write_script(&options, NULL, text, strlen(text));
    else if (status == HD_OK && options.archive == NULL)
        status = hd_fail(HD_EUSAGE, "heddle jobscript needs an ARCHIVE");
    else if (status == HD_OK)
        status = write_job(&options, file, text);
    free(own);
    return status;
}

const hd_command hd_cmd_jobscript = {
    .name             = "jobscript",
    .operand          = "ARCHIVE",
    .operand_offset   = offsetof(hd_jobscript_options, archive),
    .operand_optional = true,
    .output_may_be_stdout = true,
    .former_letters   = "s=system u=use a=after l=like m=memory-per-node c=cores-per-node N=nodes r=ranks-per-node n=traces-per-rank",
    .what             = "write a job script for a batch system",
    .text             = "Writes a script that analyses an archive: as a job of its own, here or on another machine (--program says where heddle "
                        "is there); as one that waits for the program's job (--use=dependent --after=JOB); or as lines for the end of "
                        "the program's own job (--use=own-job). Nodes, ranks and threads are computed from the archive and "
                        "from cores and memory of a node, as heddle plan recommends. Where these are not given, sinfo is asked (slurm, cray-slurm), "
                        "and what it says is printed; --local takes those of this machine. The script says in comments what to edit.\n\n"
                        "Systems: slurm; cray-slurm (Cray XC, EX); cray-alps (Cray XT, XE, XK: PBS, aprun); pbs (PBS Professional, OpenPBS); gridengine; "
                        "flux; lsf (jsrun); pjm (Fugaku, FX); mpirun (no batch system, or in an allocation that mpirun knows); "
                        "bgq (Blue Gene/Q: LoadLeveler, runjob); bgq-cobalt; bgp (Blue Gene/P: mpirun -mode SMP, DUAL, VN). On Blue Gene "
                        "with LoadLeveler --after is the name of a step in the same file.\n\n"
                        "A site can change a template: --show-template prints it, --template uses it. jobscripts/README.md lists its variables.",
    .example          = "heddle jobscript --system=slurm --memory-per-node=256G --cores-per-node=64 traces.otf2\tto standard output\n"
                        "heddle jobscript --system=bgq --ranks-per-node=16 --traces-per-rank=64 traces.otf2 -o heddle.job\tinto a file\n"
                        "heddle jobscript --system=pbs --local traces.otf2\tfor nodes like this machine\n"
                        "heddle jobscript --use=own-job traces.otf2 >> job.sh\tfor the end of the program's own job",
    .options          = jobscript_options,
    .n_options        = sizeof jobscript_options / sizeof *jobscript_options,
    .bytes            = sizeof(hd_jobscript_options),
    .run              = jobscript_run,
};

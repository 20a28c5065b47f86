/* src/cli/commands/scan/scan_environment.c: decides which variables of Score-P are set, and to what. */
#include "scan_environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment_folder.h"
#include "memory.h"
#include "message.h"
#include "recorded_size.h"
#include "shell_word.h"

#define FOLDER "SCOREP_EXPERIMENT_DIRECTORY"
#define FILTER "SCOREP_FILTERING_FILE"
#define MEMORY "SCOREP_TOTAL_MEMORY"
#define FORWARDED "OMPI_MCA_mca_base_env_list" /* variables that Open MPI's mpirun passes on, separated by ";" */

static const char *
user_has(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && *value != '\0' ? value : NULL;
}

/* value, why: owned from here on. */
static void
add(hd_scan_environment *environment, const char *name, char *value, char *why)
{
    HD_ASSERT(environment->n < HD_N_SCAN_VARIABLES);
    environment->variables[environment->n++] = (hd_scan_variable){ .name = name, .value = value, .why = why };
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* What an earlier measurement in the folder needs; 0: there is none that can be read. what: out, "trace" or "profile".
 */
static uint64_t
need_of(const char *folder, const char **what)
{
    char            *anchor = hd_format("%s/traces.otf2", folder), *profile = hd_format("%s/profile.cubex", folder);
    hd_recorded_size size  = { 0 };
    hd_cube         *cube  = NULL;
    uint64_t         bytes = 0;

    if (access(anchor, R_OK) == 0 && hd_recorded_size_of_archive(anchor, &size) == HD_OK) {
        bytes = hd_recorded_size_need(&size, NULL).bytes;
        *what = "trace";
    } else if (access(profile, R_OK) == 0 && hd_cube_open(profile, &cube) == HD_OK &&
               hd_recorded_size_of_profile(cube, &size) == HD_OK) {
        bytes = hd_recorded_size_need(&size, NULL).bytes;
        *what = "profile";
    }
    hd_recorded_size_fini(&size);
    hd_cube_close(cube);
    free(anchor);
    free(profile);
    return bytes;
}

/* "scorep_lu_8_sum" for "scorep_lu_8_trace"; NULL: it has another name. free() it. */
static char *
folder_of_profile(const char *folder)
{
    size_t n = strlen(folder), end = strlen("_trace");

    return n > end && strcmp(folder + n - end, "_trace") == 0 ? hd_format("%.*s_sum", (int)(n - end), folder) : NULL;
}

static void
add_needed_memory(hd_scan_environment *environment)
{
    char       *other = folder_of_profile(environment->folder);
    const char *what = NULL, *where = environment->folder;
    uint64_t    bytes = need_of(where, &what);

    if (bytes == 0 && other != NULL)
        bytes = need_of(where = other, &what);
    bytes = bytes < HD_SCOREP_MAX_MEMORY ? bytes : HD_SCOREP_MAX_MEMORY;
    if (bytes > HD_SCOREP_DEFAULT_MEMORY)
        add(environment, MEMORY, hd_format("%" PRIu64 "M", bytes >> 20),
            hd_format("as the %s in \"%s\" needs", what, strrchr(where, '/') + 1));
    free(other);
}

static void
add_memory(const hd_scan_wish *wish, hd_scan_environment *environment)
{
    uint64_t bytes = wish->memory_bytes;

    if (bytes == 0 && user_has(MEMORY) == NULL)
        add_needed_memory(environment);
    else if (bytes > 0 && bytes % (1 << 20) == 0)
        add(environment, MEMORY, hd_format("%" PRIu64 "M", bytes >> 20), NULL);
    else if (bytes > 0)
        add(environment, MEMORY, hd_format("%" PRIu64, bytes), NULL);
}

/* ---- all variables ----------------------------------------------------------------------------------------------- */

static hd_status
choose_folder(const hd_scan_wish *wish, const hd_launch_line *line, hd_scan_environment *environment)
{
    const char *given  = wish->folder != NULL ? wish->folder : user_has(FOLDER);
    char       *name   = given != NULL ? hd_strdup(given) : hd_experiment_folder_name(line);
    hd_status   status = hd_experiment_folder_absolute(name, &environment->folder);

    free(name);
    return status;
}

static hd_status
choose_filter(const hd_scan_wish *wish, hd_scan_environment *environment)
{
    const char *given = wish->filter != NULL ? wish->filter : user_has(FILTER);

    if (given == NULL)
        return HD_OK;
    if (access(given, R_OK) != 0) {
        hd_fail(HD_EOPEN, "the filter file cannot be read: %s", strerror(errno));
        hd_fail_detail("file", "\"%s\"", given);
        hd_fail_detail("from", wish->filter != NULL ? "--filter" : FILTER " of the environment");
        return HD_EOPEN;
    }
    return hd_experiment_folder_absolute(given, &environment->filter);
}

static bool
has_word(const char *const *words, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* All variables of Score-P that there are then, with those of the user, in the variable that Open MPI reads. */
static void
add_forwarded(hd_scan_environment *environment)
{
    extern char **environ;
    char         *list = user_has(FORWARDED) != NULL ? hd_strdup(user_has(FORWARDED)) : NULL, *longer;

    for (char **at = environ; *at != NULL; at++) {
        size_t length  = strcspn(*at, "=");
        bool   is_ours = false;

        for (size_t i = 0; i < environment->n; i++)
            is_ours |= strlen(environment->variables[i].name) == length &&
                       strncmp(environment->variables[i].name, *at, length) == 0;
        if (is_ours || strncmp(*at, "SCOREP_", strlen("SCOREP_")) != 0)
            continue;
        longer = hd_format("%s%s%.*s", list != NULL ? list : "", list != NULL ? ";" : "", (int)length, *at);
        free(list);
        list = longer;
    }
    for (size_t i = 0; i < environment->n; i++) {
        longer = hd_format("%s%s%s", list != NULL ? list : "", list != NULL ? ";" : "", environment->variables[i].name);
        free(list);
        list = longer;
    }
    add(environment, FORWARDED, list, hd_strdup("Open MPI passes them on to all nodes"));
}

hd_status
hd_scan_environment_decide(const hd_scan_wish *wish, const char *const *words, size_t n,
                           hd_scan_environment *environment)
{
    hd_launch_line line = hd_launch_line_read(words, n);
    hd_status      status;

    *environment = (hd_scan_environment){ 0 };
    status       = choose_folder(wish, &line, environment);
    if (status == HD_OK)
        status = choose_filter(wish, environment);
    if (status != HD_OK)
        return status;
    add(environment, "SCOREP_ENABLE_TRACING", hd_strdup("true"), NULL);
    add(environment, "SCOREP_ENABLE_PROFILING", hd_strdup(wish->has_profile ? "true" : "false"), NULL);
    add(environment, FOLDER, hd_strdup(environment->folder), NULL);
    add_memory(wish, environment);
    if (environment->filter != NULL)
        add(environment, FILTER, hd_strdup(environment->filter), NULL);
    if (line.has_launcher && !has_word(words, line.n_before, "-x"))
        add_forwarded(environment);
    return HD_OK;
}

void
hd_scan_environment_fini(hd_scan_environment *environment)
{
    for (size_t i = 0; i < environment->n; i++) {
        free(environment->variables[i].value);
        free(environment->variables[i].why);
    }
    free(environment->folder);
    free(environment->filter);
    *environment = (hd_scan_environment){ 0 };
}

void
hd_scan_environment_set(const hd_scan_environment *environment)
{
    for (size_t i = 0; i < environment->n; i++)
        if (setenv(environment->variables[i].name, environment->variables[i].value, 1) != 0)
            hd_fatal("no memory for the environment");
}

void
hd_scan_environment_print(const hd_scan_environment *environment, bool for_shell, FILE *out)
{
    for (size_t i = 0; i < environment->n; i++) {
        const hd_scan_variable *variable = &environment->variables[i];
        char                   *quoted   = hd_shell_word_quoted(variable->value);

        if (for_shell)
            fprintf(out, "export %s=%s", variable->name, quoted);
        else {
            fprintf(out, "  %s=", variable->name);
            hd_message_escaped(out, variable->value, false);
        }
        if (variable->why != NULL) {
            fputs(for_shell ? " # " : "  (", out);
            hd_message_escaped(out, variable->why, false);
            fputs(for_shell ? "" : ")", out);
        }
        fputc('\n', out);
        free(quoted);
    }
}

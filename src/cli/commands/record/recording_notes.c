/* src/cli/commands/record/recording_notes.c: what the lines at the end say. */
#include "recording_notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive_property.h"
#include "memory.h"
#include "message.h"
#include "raw_profile.h"

/* Names are the program's, or of its machine. */
static void
tell_of(const char *before, const char *names, const char *after)
{
    if (names == NULL)
        return;
    fprintf(stderr, "heddle: %s", before);
    hd_message_escaped(stderr, names, false);
    fprintf(stderr, "%s\n", after);
}

static void
tell_topologies(const char *lines)
{
    for (const char *at = lines; at != NULL && *at != '\0';) {
        char *line = hd_format("%.*s", (int)strcspn(at, "\n"), at);

        tell_of("warning: ", line, "");
        at += strlen(line) + 1;
        free(line);
    }
}

/* paths: "A, B and 3 more"; NULL: none. */
static bool
has_python(const char *paths)
{
    static const char name[] = "/python";

    if (paths == NULL)
        return false;
    for (const char *at = paths; (at = strstr(at, name)) != NULL;) {
        at += strlen(name);
        at += strspn(at, "0123456789.");
        if (*at == '\0' || *at == ',' || *at == ' ')
            return true;
    }
    return false;
}

void
hd_recording_note(const hd_finish_result *result)
{
    tell_of("note: functions have their addresses as names, as there is no symbol table: ", result->stripped,
            has_python(result->stripped) ? "\n  try:      with heddle_record.region(\"NAME\"): in the script, which names its parts" :
                        "\n  try:      a package of its debug symbols; a program that is not stripped");
    tell_of("note: ", result->crowded, ": " HD_SHARED_PROCESSORS_MEANS);
}

void
hd_recording_warn(const hd_finish_result *result)
{
    char n[32];

    if (result->n_incomplete > 0)
        fprintf(stderr, "heddle: warning: %u of %u processes are not recorded to their ends, the first of them %u\n",
                result->n_incomplete, result->n_processes, result->first_incomplete);
    if (result->n_processes < result->world_size)
        fprintf(stderr, "heddle: warning: %u of %u processes have recorded nothing\n",
                result->world_size - result->n_processes, result->world_size);
    if (result->is_empty)
        fputs("heddle: warning: nothing was recorded of the part of the run that was asked for\n", stderr);
    if (result->stopped != NULL)
        fprintf(stderr, "heddle: warning: a process was not recorded to its end: %s\n", result->stopped);
    if (result->n_left_out > 0)
        fprintf(stderr, "heddle: warning: %u processes of other programs are not in the archive\n", result->n_left_out);
    if (result->calls_only != NULL)
        fprintf(stderr, "heddle: warning: recorded as calls only: %s\n", result->calls_only);
    if (result->n_uncounted > 0)
        fprintf(stderr, "heddle: warning: counters of %u processes could not be read to their ends\n",
                result->n_uncounted);
    if (result->n_unsampled > 0)
        fprintf(stderr, "heddle: warning: %u processes have threads without samples: no timer could be made\n",
                result->n_unsampled);
    if (result->n_unsteady > 0)
        fprintf(stderr,
                "heddle: warning: the time stamp counters of %u processes did not go at one rate, as where a machine is "
                "suspended: times are wrong\n"
                "  try:      HEDDLE_RECORD_CLOCK=monotonic in the environment of all processes\n",
                result->n_unsteady);
    if (result->n_lost_samples > 0)
        fprintf(stderr, "heddle: warning: %s samples got lost\n", hd_message_number(n, result->n_lost_samples));
    if (result->short_functions != NULL)
        fprintf(stderr,
                "heddle: warning: short functions that are called very often were not recorded to the end: %s\n"
                "  try:      --all-functions, which records them; or --filter, to leave them out\n",
                result->short_functions);
    if (result->has_brief_mutexes)
        fputs("heddle: warning: calls for mutexes that did not wait were not recorded to the end, as there are very many\n"
              "  try:      --all-functions, which records them\n",
              stderr);
    tell_topologies(result->topologies);
    if (result->n_lost_visits > 0)
        fprintf(stderr,
                "heddle: warning: %s visits are part of their callers: a thread has more than %d call paths\n"
                "  try:      --filter, to exclude functions; fewer --callers\n",
                hd_message_number(n, result->n_lost_visits), HD_RAW_PROFILE_MAX_PATHS);
    if (result->n_dropped > 0)
        fprintf(stderr, "heddle: warning: %s records on communicators whose members are unknown are not in the archive\n",
                hd_message_number(n, result->n_dropped));
    tell_of("warning: functions have no names, as these files were replaced after they were loaded: ", result->changed,
            "");
}

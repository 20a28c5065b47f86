#define _GNU_SOURCE /* open_memstream */
/* Writes the JSON trace event format: a track for each location with its regions, and arrows for messages. */
#include "perfetto_format.h"

#include <stdlib.h>

#include "json.h"
#include "memory.h"

void
hd_perfetto_put_time(FILE *out, const hd_export *export, hd_time time)
{
    unsigned __int128 scaled = (unsigned __int128)(time - export->origin) * 1000000;
    uint64_t          micro  = (uint64_t)(scaled / export->defs->resolution);
    uint64_t          pico   = (uint64_t)(scaled % export->defs->resolution * 1000000 / export->defs->resolution);

    if (pico == 0)
        fprintf(out, "%" PRIu64, micro);
    else if (pico % 1000 == 0)
        fprintf(out, "%" PRIu64 ".%03" PRIu64, micro, pico / 1000);
    else
        fprintf(out, "%" PRIu64 ".%06" PRIu64, micro, pico);
}

static void
next_event(hd_perfetto *perfetto)
{
    fputs(perfetto->has_events ? ",\n" : "\n", perfetto->out);
    perfetto->has_events = true;
}

void
hd_perfetto_begin_event(hd_perfetto *perfetto, const char *phase, hd_time time, uint64_t process, uint64_t thread)
{
    next_event(perfetto);
    fprintf(perfetto->out, "{\"ph\":\"%s\",\"ts\":", phase);
    hd_perfetto_put_time(perfetto->out, perfetto->export, time);
    fprintf(perfetto->out, ",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64, process, thread);
}

void
hd_perfetto_put_text(FILE *out, const char *text)
{
    hd_json json;

    hd_json_init(&json, out, 0);
    hd_json_text(&json, NULL, text);
}

void
hd_perfetto_put_name(hd_perfetto *perfetto, bool is_process, uint64_t process, uint64_t thread, const char *name,
                     uint64_t order)
{
    const char *of = is_process ? "process" : "thread";

    next_event(perfetto);
    fprintf(perfetto->out, "{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
            ",\"name\":\"%s_name\",\"args\":{\"name\":", process, thread, of);
    hd_perfetto_put_text(perfetto->out, name);
    fputs("}}", perfetto->out);
    next_event(perfetto);
    fprintf(perfetto->out, "{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
            ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu64 "}}", process, thread, of, order);
}

static hd_status
perfetto_open(const char *path, bool force, void **state)
{
    hd_perfetto *perfetto = HD_NEW(hd_perfetto);
    hd_status    status   = hd_export_file_open(&perfetto->file, path, force);

    if (status != HD_OK) {
        free(perfetto);
        return status;
    }
    perfetto->out       = perfetto->file.stream;
    perfetto->args_file = open_memstream(&perfetto->args, &perfetto->args_bytes);
    if (perfetto->args_file == NULL)
        hd_fatal("out of memory: a text in memory could not be begun");
    *state = perfetto;
    return HD_OK;
}

static void
put_names(hd_perfetto *perfetto)
{
    const hd_defs *defs = perfetto->export->defs;

    for (uint32_t p = 0; p < defs->n_processes; p++) {
        const hd_process_def *process = &hd_defs_processes(defs)[p];

        if (!perfetto->export->is_chosen[process->first_location])
            continue;
        hd_perfetto_put_name(perfetto, true, HD_PERFETTO_PROCESS(p), HD_PERFETTO_THREAD(process->first_location),
                             hd_defs_text(defs, process->name), p);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            uint32_t location = process->first_location + t;

            if (perfetto->export->is_chosen[location])
                hd_perfetto_put_name(perfetto, false, HD_PERFETTO_PROCESS(p), HD_PERFETTO_THREAD(location),
                                     hd_defs_text(defs, hd_defs_locations(defs)[location].name), t);
        }
    }
}

static void
perfetto_begin(void *state, const hd_export *export)
{
    hd_perfetto *perfetto = state;

    perfetto->export = export;
    perfetto->quoted = HD_NEW_ARRAY(char *, (size_t)export->defs->n_regions + 1);
    perfetto->counters = HD_NEW_ARRAY(hd_perfetto_counter,
                                      (size_t)export->defs->n_counters + export->defs->n_tracks + 1);
    fprintf(perfetto->out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"archive\":");
    hd_perfetto_put_text(perfetto->out, export->archive);
    fprintf(perfetto->out, ",\"clock\":\"%s\",\"ticks_per_second\":%" PRIu64 ",\"origin_ticks\":%" PRIu64
            ",\"messages\":%" PRIu64 ",\"message_ends_omitted\":%" PRIu64 "},\n\"traceEvents\":[",
            export->clock, export->defs->resolution, export->origin, export->n_messages, export->n_alone);
    put_names(perfetto);
}

static void
perfetto_begin_location(void *state, uint32_t location)
{
    hd_perfetto *perfetto = state;

    perfetto->location = location;
    perfetto->depth    = 0;
    perfetto->has_args = false;
}

static void
begin_event(hd_perfetto *perfetto, const char *phase, hd_time time)
{
    hd_perfetto_begin_event(perfetto, phase, time,
                            HD_PERFETTO_PROCESS(hd_defs_locations(perfetto->export->defs)[perfetto->location].process),
                            HD_PERFETTO_THREAD(perfetto->location));
}

static const char *
quoted_name(hd_perfetto *perfetto, uint32_t region)
{
    size_t bytes;
    FILE  *file;

    if (perfetto->quoted[region] != NULL)
        return perfetto->quoted[region];
    file = open_memstream(&perfetto->quoted[region], &bytes);
    if (file == NULL)
        hd_fatal("out of memory: a text in memory could not be begun");
    hd_perfetto_put_text(file, hd_defs_text(perfetto->export->defs,
                                            hd_defs_regions(perfetto->export->defs)[region].name));
    if (fclose(file) != 0)
        hd_fatal("out of memory: a text in memory could not be ended");
    return perfetto->quoted[region];
}

static void
perfetto_enter(void *state, hd_time time, uint32_t region, bool is_continued)
{
    hd_perfetto *perfetto = state;

    begin_event(perfetto, "B", time);
    fprintf(perfetto->out, ",\"name\":%s,\"cat\":\"%s\"%s}", quoted_name(perfetto, region),
            hd_paradigm_name(hd_defs_regions(perfetto->export->defs)[region].paradigm),
            is_continued ? ",\"args\":{\"entered_before\":true}" : "");
    perfetto->depth++;
}

/* What a call has communicated stands in the args of its end. */
static void
perfetto_leave(void *state, hd_time time, uint32_t region, bool is_continued)
{
    hd_perfetto *perfetto = state;
    bool         has_args = perfetto->has_args && perfetto->depth <= perfetto->args_depth;

    (void)region;
    begin_event(perfetto, "E", time);
    if (has_args && fflush(perfetto->args_file) == 0) {
        fprintf(perfetto->out, ",\"args\":{%s\"communication\":[", is_continued ? "\"left_later\":true," : "");
        fwrite(perfetto->args, 1, (size_t)ftello(perfetto->args_file), perfetto->out);
        fputs("]}", perfetto->out);
    } else if (is_continued)
        fputs(",\"args\":{\"left_later\":true}", perfetto->out);
    putc('}', perfetto->out);
    if (has_args)
        perfetto->has_args = false;
    perfetto->depth--;
}

/* Of the innermost call. */
static FILE *
next_args(hd_perfetto *perfetto)
{
    if (!perfetto->has_args) {
        rewind(perfetto->args_file);
        perfetto->args_depth = perfetto->depth;
    } else
        putc(',', perfetto->args_file);
    perfetto->has_args = true;
    return perfetto->args_file;
}

static void
put_comm(hd_perfetto *perfetto, uint32_t comm)
{
    const hd_defs *defs = perfetto->export->defs;

    fputs("\"communicator\":", perfetto->args_file);
    hd_perfetto_put_text(perfetto->args_file, hd_defs_text(defs, hd_defs_comms(defs)[comm].name));
}

static void
put_message_args(hd_perfetto *perfetto, const hd_walk_message *message)
{
    FILE *args = next_args(perfetto);

    fprintf(args, "{\"%s\":%" PRIu32 ",\"tag\":%" PRIu32 ",\"bytes\":%" PRIu64 ",",
            message->is_send ? "sent_to" : "received_from", message->peer, message->tag, message->bytes);
    put_comm(perfetto, message->comm);
    putc('}', args);
}

static void
perfetto_message(void *state, const hd_walk_message *message, uint64_t number)
{
    hd_perfetto          *perfetto = state;
    const hd_message_end *end      = hd_message_match_get(perfetto->export->messages, number);

    if (perfetto->depth > 0)
        put_message_args(perfetto, message);
    if (end->partner == UINT64_MAX)
        return;
    begin_event(perfetto, message->is_send ? "s" : "f", message->time);
    fprintf(perfetto->out, ",\"name\":\"message\",\"cat\":\"message\",\"id\":%" PRIu64 "%s}",
            (message->is_send ? number : end->partner) + 1, message->is_send ? "" : ",\"bp\":\"e\"");
}

static void
perfetto_collective(void *state, const hd_walk_collective *collective)
{
    hd_perfetto *perfetto = state;
    FILE        *args;

    if (perfetto->depth == 0)
        return;
    args = next_args(perfetto);
    fprintf(args, "{\"members\":%" PRIu32 ",", collective->n_members);
    if (collective->root != HD_NONE)
        fprintf(args, "\"root\":%" PRIu32 ",", collective->root);
    fprintf(args, "\"bytes_sent\":%" PRIu64 ",\"bytes_received\":%" PRIu64 ",", collective->sent, collective->received);
    put_comm(perfetto, collective->comm);
    putc('}', args);
}

static void
perfetto_end_location(void *state)
{
    hd_perfetto_counters_end(state);
}

static hd_status
perfetto_close(void *state, bool is_done)
{
    hd_perfetto *perfetto = state;
    hd_status    status;

    if (is_done) {
        hd_perfetto_put_waits(perfetto);
        hd_perfetto_put_efficiencies(perfetto);
        fputs("\n]}\n", perfetto->out);
    }
    status = hd_export_file_close(&perfetto->file, is_done);
    (void)fclose(perfetto->args_file);
    free(perfetto->args);
    for (uint32_t i = 0; perfetto->quoted != NULL && i < perfetto->export->defs->n_regions; i++)
        free(perfetto->quoted[i]);
    free(perfetto->quoted);
    free(perfetto->counters);
    free(perfetto);
    return status;
}

const hd_export_format hd_perfetto_format =
    { .name = "perfetto", .open = perfetto_open, .begin = perfetto_begin, .begin_location = perfetto_begin_location,
      .enter = perfetto_enter, .leave = perfetto_leave, .message = perfetto_message,
      .collective = perfetto_collective, .counter = hd_perfetto_counter_value,
      .end_location = perfetto_end_location, .close = perfetto_close };

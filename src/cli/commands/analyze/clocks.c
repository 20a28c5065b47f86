#include "clocks.h"

#include "clock_read.h"
#include "escape.h"
#include "message.h"
#include "time_text.h"

enum { PAIRS_SHOWN = 5 };

hd_status
hd_clocks_prepare(hd_clocks *clocks, const hd_load_request *request, const hd_clock_request *clock)
{
    hd_clock_request own = *clock;
    hd_status        status;

    if (clocks->mode != HD_CLOCK_CLC && !clocks->reports)
        return HD_OK;
    status = hd_agree(clock->analysis_comm, hd_clock_logs_read(request, &clocks->logs));
    if (status != HD_OK)
        return status;
    own.logs     = clocks->logs;
    own.corrects = clocks->mode == HD_CLOCK_CLC;
    own.checks   = clocks->reports;
    status       = hd_clock_run(&own, &clocks->result);
    if (!own.corrects) {
        hd_clock_logs_free(clocks->logs);
        clocks->logs = NULL;
    }
    return status;
}

void
hd_clocks_fini(hd_clocks *clocks)
{
    hd_clock_logs_free(clocks->logs);
    hd_clock_result_fini(&clocks->result);
}

static double
seconds(const hd_defs *defs, hd_span ticks)
{
    return (double)ticks / (double)defs->resolution;
}

/* How much faster than the archive's clock it was between its first and last offsets. */
static double
drift(const hd_clock_row *row)
{
    if (row->n_offsets < 2 || row->last.time == row->first.time)
        return 0;
    return ((double)row->first.offset - (double)row->last.offset) / ((double)row->last.time - (double)row->first.time);
}

void
hd_clocks_write_tsv(FILE *file, const hd_clocks *clocks, const hd_defs *defs)
{
    static const char *const names[HD_N_CLOCK_VIOLATIONS] = { "p2p", "collective", "rma", "openmp" };
    bool                     corrected = clocks->mode == HD_CLOCK_CLC;

    fputs("location\tprocess\tthread\tname\toffsets\tfirst_offset_s\tlast_offset_s\tdrift_ppm", file);
    for (int kind = 0; kind < HD_N_CLOCK_VIOLATIONS; kind++)
        fprintf(file, "\t%s_checked\t%s_before%s%s%s", names[kind], names[kind], corrected ? "\t" : "",
                corrected ? names[kind] : "", corrected ? "_after" : "");
    fputs(corrected ? "\tworst_s\tpoints\tmoved\tlargest_move_s\tlargest_stretch_percent\tlargest_shrink_s\n" :
          "\tworst_s\n", file);
    for (size_t i = 0; i < clocks->result.n_rows; i++) {
        const hd_clock_row    *row      = &clocks->result.rows[i];
        const hd_location_def *location = &hd_defs_locations(defs)[row->location];

        fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", row->location, location->process, location->thread);
        hd_write_escaped(file, hd_defs_text(defs, location->name));
        fprintf(file, "\t%" PRIu32 "\t%.9g\t%.9g\t%.6g", row->n_offsets, seconds(defs, row->first.offset),
                seconds(defs, row->last.offset), drift(row) * 1e6);
        for (int kind = 0; kind < HD_N_CLOCK_VIOLATIONS; kind++) {
            fprintf(file, "\t%" PRIu64 "\t%" PRIu64, row->n_checked[kind], row->n_before[kind]);
            if (corrected)
                fprintf(file, "\t%" PRIu64, row->n_after[kind]);
        }
        fprintf(file, "\t%.9g", seconds(defs, row->worst));
        if (corrected)
            fprintf(file, "\t%" PRIu64 "\t%" PRIu64 "\t%.9g\t%.6g\t%.9g", row->n_points, row->n_moved,
                    seconds(defs, row->largest_move), row->largest_stretch * 100, seconds(defs, row->largest_shrink));
        fputc('\n', file);
    }
}

static void
show_drift(FILE *file, const hd_clocks *clocks, const hd_defs *defs)
{
    const hd_clock_row *most = NULL;
    size_t              n    = 0;

    for (size_t i = 0; i < clocks->result.n_rows; i++) {
        const hd_clock_row *row  = &clocks->result.rows[i];
        double              own = drift(row) < 0 ? -drift(row) : drift(row), best = most != NULL ? drift(most) : 0;

        n += row->n_offsets > 0;
        if (row->n_offsets > 1 && (most == NULL || own > (best < 0 ? -best : best)))
            most = row;
    }
    if (most == NULL) {
        fprintf(file, "  offsets are recorded for %zu of %zu locations, none of them twice: no drift is known\n", n,
                clocks->result.n_rows);
        return;
    }
    fprintf(file, "  offsets are recorded for %zu of %zu locations; the largest drift is %.3g us/s, of process %" PRIu32
            "\n", n, clocks->result.n_rows, drift(most) * 1e6, hd_defs_locations(defs)[most->location].process);
}

static void
show_moves(FILE *file, const hd_clocks *clocks, const hd_defs *defs)
{
    uint64_t points = 0, moved = 0;
    hd_span  move = 0, shrink = 0;
    double   stretch = 0;
    uint32_t process = 0;

    for (size_t i = 0; i < clocks->result.n_rows; i++) {
        const hd_clock_row *row = &clocks->result.rows[i];

        points += row->n_points;
        moved += row->n_moved;
        if (row->largest_move > move) {
            move    = row->largest_move;
            process = hd_defs_locations(defs)[row->location].process;
        }
        stretch = stretch > row->largest_stretch ? stretch : row->largest_stretch;
        shrink  = shrink > row->largest_shrink ? shrink : row->largest_shrink;
    }
    fprintf(file, "  moved: %" PRIu64 " of %" PRIu64 " points, by %s at most", moved, points,
            hd_time_text_of(seconds(defs, move)).text);
    if (move > 0)
        fprintf(file, " (process %" PRIu32 ")", process);
    fprintf(file, "\n  between two points: at most %.3g %% longer, %s shorter\n", stretch * 100,
            hd_time_text_of(seconds(defs, shrink)).text);
}

void
hd_clocks_show(FILE *file, const hd_clocks *clocks, const hd_defs *defs, const char *table)
{
    static const char *const how[] = { "as they were recorded", "offsets interpolated linearly",
                                       "offsets interpolated linearly, then the controlled logical clock" };

    fprintf(file, "\nClocks: %s\n", how[clocks->mode]);
    show_drift(file, clocks, defs);
    fprintf(file, "  received before sent         of    violations%s\n",
            clocks->mode == HD_CLOCK_CLC ? "    corrected" : "");
    for (int kind = 0; kind < HD_N_CLOCK_VIOLATIONS; kind++) {
        uint64_t checked = 0, before = 0, after = 0;

        for (size_t i = 0; i < clocks->result.n_rows; i++) {
            checked += clocks->result.rows[i].n_checked[kind];
            before += clocks->result.rows[i].n_before[kind];
            after += clocks->result.rows[i].n_after[kind];
        }
        fprintf(file, "    %-15s %12" PRIu64 "  %12" PRIu64, hd_clock_violation_names[kind], checked, before);
        if (clocks->mode == HD_CLOCK_CLC)
            fprintf(file, " %12" PRIu64, after);
        fputc('\n', file);
    }
    for (size_t i = 0; i < clocks->result.n_pairs && i < PAIRS_SHOWN; i++) {
        const hd_clock_pair *pair = &clocks->result.pairs[i];

        fprintf(file, "    %s process %" PRIu32 " for process %" PRIu32 ": %" PRIu64
                " time%s, by %s at most (%s)\n",
                i == 0 ? "worst:" : "      ", pair->receiver, pair->sender, pair->count, pair->count == 1 ? "" : "s",
                hd_time_text_of(seconds(defs, pair->worst)).text, hd_clock_violation_names[pair->kind]);
    }
    if (clocks->result.n_released > 0)
        fprintf(file, "  not compared: %" PRIu64 " receives without a send\n", clocks->result.n_released);
    if (clocks->mode == HD_CLOCK_CLC)
        show_moves(file, clocks, defs);
    fputs("  all locations: ", file);
    hd_message_escaped(file, table, false);
    fputc('\n', file);
}

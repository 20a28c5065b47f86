/* src/report/members/prediction_list.c: writes and reads the tables of predictions and curves. */
#include "prediction_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 28 };

static const char prediction_head[] = "kind\thypothesis\trun_time\tpromised\twaiting\twaits_at";
static const char curve_head[] = "selection\trun_time_0\trun_time_10\trun_time_20\trun_time_35\trun_time_50\trun_time_65\t"
                                 "run_time_80\trun_time_100\tnext\tnext_share";
static const char recorded_kind[] = "recorded";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
put_number(FILE *file, double number, char behind)
{
    if (!isnan(number))
        fprintf(file, "%.17g", number > 0 ? number : 0);
    fputc(behind, file);
}

static void
put_row(FILE *file, const char *kind, const hd_prediction *row)
{
    fprintf(file, "%s\t", kind);
    hd_write_cell(file, row->text, HD_CELL_WHOLE);
    fputc('\t', file);
    put_number(file, row->run_time, '\t');
    put_number(file, row->promised, '\t');
    put_number(file, row->waiting, '\t');
    hd_write_cell(file, row->waits_at != NULL ? row->waits_at : "", HD_CELL_WHOLE);
    fputc('\n', file);
}

void
hd_predictions_write(FILE *file, const hd_predictions *predictions)
{
    char          none[1]  = "";
    hd_prediction recorded = { .text = none, .run_time = predictions->recorded, .promised = NAN,
                               .waiting = predictions->waiting, .waits_at = predictions->waits_at };

    fprintf(file, "%s\n", prediction_head);
    put_row(file, recorded_kind, &recorded);
    for (size_t i = 0; i < predictions->n; i++)
        put_row(file, hd_prediction_kind_name(predictions->rows[i].kind), &predictions->rows[i]);
}

void
hd_curves_write(FILE *file, const hd_predictions *predictions)
{
    fprintf(file, "%s\n", curve_head);
    for (size_t i = 0; i < predictions->n_curves; i++) {
        const hd_curve *curve = &predictions->curves[i];

        hd_write_cell(file, curve->text, HD_CELL_WHOLE);
        fputc('\t', file);
        for (size_t k = 0; k < HD_CURVE_POINTS; k++)
            put_number(file, curve->run_time[k], '\t');
        hd_write_cell(file, curve->next != NULL ? curve->next : "", HD_CELL_WHOLE);
        fputc('\t', file);
        put_number(file, curve->next_share, '\n');
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* An empty field is NULL. False: it is damaged. */
static bool
read_name(const char *field, char **name)
{
    *name = NULL;
    if (field == NULL)
        return false;
    *name = *field != '\0' ? hd_tsv_name(field) : NULL;
    return *field == '\0' || *name != NULL;
}

static bool
read_kind(const char *field, hd_prediction_kind *kind)
{
    for (int i = 0; field != NULL && i < HD_N_PREDICTION_KINDS; i++)
        if (strcmp(field, hd_prediction_kind_name((hd_prediction_kind)i)) == 0) {
            *kind = (hd_prediction_kind)i;
            return true;
        }
    return false;
}

/* The first one is the recorded run. */
static bool
read_prediction(void *context, char *line)
{
    hd_predictions *predictions = context;
    hd_prediction   row         = { .promised = NAN };
    const char     *kind = hd_tsv_next(&line), *text = hd_tsv_next(&line), *run_time = hd_tsv_next(&line),
                   *promised = hd_tsv_next(&line), *waiting = hd_tsv_next(&line), *waits_at = hd_tsv_next(&line);
    bool is_recorded = kind != NULL && strcmp(kind, recorded_kind) == 0;
    bool is_well     = line == NULL && (is_recorded || read_kind(kind, &row.kind)) &&
                       hd_tsv_seconds(run_time, &row.run_time) && hd_tsv_seconds(waiting, &row.waiting) &&
                       (promised != NULL && (*promised == '\0' || hd_tsv_seconds(promised, &row.promised)));

    is_well = is_well && read_name(text, &row.text);
    is_well = is_well && read_name(waits_at, &row.waits_at);
    if (!is_well || is_recorded != (row.text == NULL) || (is_recorded && predictions->waits_at != NULL)) {
        free(row.text);
        free(row.waits_at);
        return false;
    }
    if (is_recorded) {
        predictions->recorded = row.run_time;
        predictions->waiting  = row.waiting;
        predictions->waits_at = row.waits_at;
    } else
        HD_PUSH(predictions->rows, predictions->n, predictions->capacity, row);
    return true;
}

static bool
read_curve(void *context, char *line)
{
    hd_predictions *predictions = context;
    hd_curve        curve       = { .flat = HD_NONE };
    const char     *text        = hd_tsv_next(&line), *next;
    bool            is_well     = true;

    for (size_t k = 0; k < HD_CURVE_POINTS; k++)
        is_well = hd_tsv_seconds(hd_tsv_next(&line), &curve.run_time[k]) && is_well;
    next    = hd_tsv_next(&line);
    is_well = is_well && hd_tsv_seconds(hd_tsv_next(&line), &curve.next_share) && line == NULL;
    is_well = is_well && read_name(text, &curve.text) && curve.text != NULL;
    is_well = is_well && read_name(next, &curve.next);
    if (!is_well) {
        free(curve.text);
        free(curve.next);
        return false;
    }
    curve.flat = hd_curve_flat(curve.run_time);
    HD_PUSH(predictions->curves, predictions->n_curves, predictions->capacity_curves, curve);
    return true;
}

hd_status
hd_predictions_read(hd_cube *cube, hd_predictions *predictions, bool *is_there)
{
    bool      has_curves = false;
    hd_status status;

    *predictions = (hd_predictions){ .n_locations = cube->n_locations };
    *is_there    = false;
    status = hd_tsv_member(cube, HD_PREDICTIONS_MEMBER, MAX_BYTES, prediction_head, read_prediction, predictions,
                           is_there);
    if (status == HD_OK)
        status = hd_tsv_member(cube, HD_CURVES_MEMBER, MAX_BYTES, curve_head, read_curve, predictions, &has_curves);
    if (status != HD_OK)
        hd_predictions_fini(predictions);
    return status;
}

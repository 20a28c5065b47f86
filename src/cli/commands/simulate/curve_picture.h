/* src/cli/commands/simulate/curve_picture.h: curves of the run time as an SVG picture, beside each other on one scale.
 * Names are untrusted: they are text, control characters as \xNN. Uses: prediction. MT: one thread. Ranks: local.
 */
#ifndef HD_CURVE_PICTURE_H
#define HD_CURVE_PICTURE_H

#include <stdio.h>

#include "prediction.h"

/* Errors of writing stay with the stream. */
void hd_curve_picture_write(FILE *out, const hd_predictions *predictions);

#endif

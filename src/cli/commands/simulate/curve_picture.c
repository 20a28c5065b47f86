/* src/cli/commands/simulate/curve_picture.c: writes curves as SVG, two beside each other. */
#include "curve_picture.h"

#include <stdlib.h>

#include "escape.h"
#include "memory.h"
#include "time_text.h"

/* [pixels] of a curve and what is around it */
enum { COLUMNS = 2, WIDTH = 380, HEIGHT = 230, LEFT = 70, RIGHT = 20, TOP = 34, BOTTOM = 50, MAX_LETTERS = 46 };

static void
put_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    char  *escaped = hd_escaped(text);
    size_t n       = 0;

    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (const char *at = escaped; *at != '\0'; at++) {
        bool begins = ((unsigned char)*at & 0xC0) != 0x80; /* a character of UTF-8 */

        n += begins;
        if (begins && n > MAX_LETTERS) {
            fputs("...", out);
            break;
        }
        if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '&')
            fputs("&amp;", out);
        else
            fputc(*at, out);
    }
    fputs("</text>\n", out);
    free(escaped);
}

static double
x_of(double left, uint32_t share)
{
    return left + LEFT + (WIDTH - LEFT - RIGHT) * share / 100.0;
}

static double
y_of(double top, double time, double least, double most)
{
    return top + TOP + (HEIGHT - TOP - BOTTOM) * (most - time) / (most - least);
}

static void
put_curve(FILE *out, const hd_curve *curve, double left, double top, double least, double most)
{
    double bottom = top + HEIGHT - BOTTOM;
    char  *next   = hd_curve_flat_text(curve);

    put_text(out, left + LEFT, top + 20, "start", curve->text);
    fprintf(out, "<path d=\"M%.1f,%.1fV%.1fH%.1f\" class=\"axis\"/>\n", left + LEFT, top + TOP, bottom,
            left + WIDTH - RIGHT);
    put_text(out, left + LEFT - 6, top + TOP + 8, "end", hd_time_text_of(most).text);
    put_text(out, left + LEFT - 6, bottom, "end", hd_time_text_of(least).text);
    put_text(out, left + LEFT, bottom + 16, "start", "0 %");
    put_text(out, left + (LEFT + WIDTH - RIGHT) / 2.0, bottom + 16, "middle", "removed");
    put_text(out, left + WIDTH - RIGHT, bottom + 16, "end", "100 %");
    if (next != NULL)
        put_text(out, left + LEFT, bottom + 34, "start", next);
    fputs("<polyline points=\"", out);
    for (size_t k = 0; k < HD_CURVE_POINTS; k++)
        fprintf(out, "%.1f,%.1f ", x_of(left, hd_curve_shares[k]), y_of(top, curve->run_time[k], least, most));
    fputs("\"/>\n", out);
    for (size_t k = 0; k < HD_CURVE_POINTS; k++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%" PRIu32 " %% removed: %s</title></circle>\n",
                x_of(left, hd_curve_shares[k]), y_of(top, curve->run_time[k], least, most), hd_curve_shares[k],
                hd_time_text_of(curve->run_time[k]).text);
    free(next);
}

void
hd_curve_picture_write(FILE *out, const hd_predictions *predictions)
{
    size_t n     = predictions->n_curves, lines = (n + COLUMNS - 1) / COLUMNS;
    double least, most;

    hd_predictions_range(predictions, &least, &most);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<title>Run time when computation is removed</title>\n"
                 "<style>.axis{fill:none;stroke:#555}polyline{fill:none;stroke:#1f6fb2;stroke-width:2}"
                 "circle{fill:#1f6fb2}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            (n > 1 ? COLUMNS : 1) * WIDTH, lines * HEIGHT);
    for (size_t i = 0; i < n; i++)
        put_curve(out, &predictions->curves[i], (double)(i % COLUMNS * WIDTH), (double)(i / COLUMNS * HEIGHT), least,
                  most);
    fputs("</svg>\n", out);
}

/* topology/picture_none.c: takes the place of picture_cairo.c and line_chart.c in a build without cairo: drawing a file
 * is an error that says so. */
#include "line_chart.h"
#include "picture.h"

static hd_status
fail_without_cairo(void)
{
    hd_fail(HD_EUSAGE, "this heddle was built without cairo, which draws pictures");
    hd_fail_detail("try", "--tsv, or a build where pkg-config finds cairo");
    return HD_EUSAGE;
}

hd_status
hd_picture_draw(const hd_picture *picture, const char *path, hd_picture_kind kind)
{
    (void)picture, (void)path, (void)kind;
    return fail_without_cairo();
}

hd_status
hd_line_chart_draw(const hd_line_chart *chart, const char *path, hd_picture_kind kind)
{
    (void)chart, (void)path, (void)kind;
    return fail_without_cairo();
}

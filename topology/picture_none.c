/* topology/picture_none.c: takes the place of picture_cairo.c in a build without cairo: drawing a file is an error
 * that says so. */
#include "picture.h"

hd_status
hd_picture_draw(const hd_picture *picture, const char *path, hd_picture_kind kind)
{
    (void)picture, (void)path, (void)kind;
    hd_fail(HD_EUSAGE, "this heddle was built without cairo, which draws pictures");
    hd_fail_detail("try", "--tsv, or a build where pkg-config finds cairo");
    return HD_EUSAGE;
}

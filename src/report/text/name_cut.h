/* src/report/text/name_cut.h: names that are too long for their column, cut in the middle, and never so that two of one
 * text look alike.
 *
 *   main > solve > exchange_boundaries > MPI_Waitall   is in 32 columns   main > ...ndaries > MPI_Waitall
 *
 * Uses: base. Owner: hd_name_cuts_fini(); an empty one is zeros. Grows with: names that were cut. MT: one thread at a
 * time. Ranks: local.
 */
#ifndef HD_NAME_CUT_H
#define HD_NAME_CUT_H

#include "types.h"

typedef struct hd_cut_name {
    char *name, *cut;
} hd_cut_name;

typedef struct hd_name_cuts { /* of one text */
    hd_cut_name *names; /* [n] those that were cut */
    size_t       n, capacity;
} hd_name_cuts;

/* What is shown of a name in a column of so many characters: the name if it fits, else its begin, "..." and its end.
 * Where that is what another name of this text was cut to, the part in which both differ stands between; where nothing
 * tells them apart, the whole name is shown. The same name is cut in the same way in columns of one width. Lent: until
 * hd_name_cuts_fini(), and as long as name.
 * Cost: O(names that were cut). */
const char *hd_name_cut(hd_name_cuts *cuts, const char *name, uint32_t columns);
void        hd_name_cuts_fini(hd_name_cuts *cuts);

uint32_t hd_text_columns(const char *text); /* characters in UTF-8 */

#endif

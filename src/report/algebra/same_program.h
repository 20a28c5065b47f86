/* src/report/algebra/same_program.h: whether reports are of one program, as far as their call paths say.
 *
 * The names of programs say little, as versions and problem sizes have names of their own. So call paths that end in
 * functions of the program decide, but for main, which all programs have: less than half of them are common where names
 * differ, or less than a tenth. Where a report has none (MPI calls alone were recorded), names decide, unless others have
 * all call paths of one: "v1" and "v2" of a program. Names are compared up to the first ".": "mg.A.x" and "mg.B.x" are
 * one program.
 * Uses: alignment. MT: any. Ranks: local.
 */
#ifndef HD_SAME_PROGRAM_H
#define HD_SAME_PROGRAM_H

#include "alignment.h"

/* Why the reports of an alignment seem to be of different programs: a sentence without a full stop; NULL: they do not.
 * Owner: free(). Cost: O(call paths x reports). Errors: none. */
char *hd_same_program_why_not(const hd_alignment *alignment);

#endif

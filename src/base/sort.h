/* src/base/sort.h: sorting of what is nearly in order.
 *
 * Uses: nothing. MT: any thread. Ranks: local. Errors: none.
 */
#ifndef HD_SORT_H
#define HD_SORT_H

#include <stdlib.h>

#define HD_SORT_MOST_MOVES 8 /* per element; else they are not nearly in order */

/* Sorts array[n] with a comparison as of qsort(), by insertion; qsort() takes over where elements are too far from their places.
 * Order of equal ones: unspecified. Cost: O(n + moves), at most that of qsort(); no allocation of its own. */
#define HD_SORT_NEARLY(type, array, n, compare)                                                                                  \
    do {                                                                                                                         \
        type  *hd_elements = (array);                                                                                            \
        size_t hd_n = (n), hd_moves = 0;                                                                                         \
                                                                                                                                 \
        for (size_t hd_i = 1; hd_i < hd_n; hd_i++) {                                                                             \
            type   hd_element = hd_elements[hd_i];                                                                               \
            size_t hd_at      = hd_i;                                                                                            \
                                                                                                                                 \
            if (hd_moves > HD_SORT_MOST_MOVES * hd_n) {                                                                          \
                qsort(hd_elements, hd_n, sizeof *hd_elements, (compare));                                                        \
                break;                                                                                                           \
            }                                                                                                                    \
            for (; hd_at > 0 && (compare)(&hd_elements[hd_at - 1], &hd_element) > 0; hd_at--, hd_moves++)                        \
                hd_elements[hd_at] = hd_elements[hd_at - 1];                                                                     \
            hd_elements[hd_at] = hd_element;                                                                                     \
        }                                                                                                                        \
    } while (0)

#endif

/* src/base/sort.h: sorting of what is nearly in order, and by a number.
 *
 * Uses: memory. MT: any thread. Ranks: local. Errors: none but memory's.
 */
#ifndef HD_SORT_H
#define HD_SORT_H

#include "memory.h"

#define HD_SORT_MAX_MOVES 8 /* per element; else they are not nearly in order */

/* Sorts array[n] with a comparison as of qsort(). What is smaller than an element before it is taken out and sorted by
 * insertion, or, where it is too far from its place, by qsort(); then both are merged: two sequences one into the other
 * are nearly in order, too. Order of equal ones: unspecified. Cost: O(n + moves), at most that of qsort(). Memory: a
 * copy of what is taken out. */
#define HD_SORT_NEARLY(type, array, n, compare)                                                                        \
    do {                                                                                                               \
        type  *hd_all = (array), *hd_late = NULL;                                                                      \
        size_t hd_n = (n), hd_kept = 0, hd_n_late = 0, hd_capacity = 0;                                                \
                                                                                                                       \
        for (size_t hd_i = 0; hd_i < hd_n; hd_i++)                                                                     \
            if (hd_kept == 0 || (compare)(&hd_all[hd_kept - 1], &hd_all[hd_i]) <= 0) {                                 \
                if (hd_kept != hd_i)                                                                                   \
                    hd_all[hd_kept] = hd_all[hd_i];                                                                    \
                hd_kept++;                                                                                             \
            } else                                                                                                     \
                HD_PUSH(hd_late, hd_n_late, hd_capacity, hd_all[hd_i]);                                                \
        HD_SORT_BY_INSERTION(type, hd_late, hd_n_late, compare);                                                       \
        while (hd_n_late > 0) /* from the end: hd_n is the number of places that are left */                           \
            if (hd_kept > 0 && (compare)(&hd_all[hd_kept - 1], &hd_late[hd_n_late - 1]) > 0)                           \
                hd_all[--hd_n] = hd_all[--hd_kept];                                                                    \
            else                                                                                                       \
                hd_all[--hd_n] = hd_late[--hd_n_late];                                                                 \
        free(hd_late);                                                                                                 \
    } while (0)

#define HD_SORT_BY_INSERTION(type, array, n, compare)                                                                  \
    do {                                                                                                               \
        size_t hd_moves = 0;                                                                                           \
                                                                                                                       \
        for (size_t hd_i = 1; hd_i < (n); hd_i++) {                                                                    \
            type   hd_element = (array)[hd_i];                                                                         \
            size_t hd_at      = hd_i;                                                                                  \
                                                                                                                       \
            if (hd_moves > HD_SORT_MAX_MOVES * (n)) {                                                                  \
                qsort((array), (n), sizeof *(array), (compare));                                                       \
                break;                                                                                                 \
            }                                                                                                          \
            for (; hd_at > 0 && (compare)(&(array)[hd_at - 1], &hd_element) > 0; hd_at--, hd_moves++)                  \
                (array)[hd_at] = (array)[hd_at - 1];                                                                   \
            (array)[hd_at] = hd_element;                                                                               \
        }                                                                                                              \
    } while (0)

#define HD_SORT_FEW 32 /* are sorted by insertion, as a counting pass goes through all places */
#define HD_SORT_BITS(n) ((n) < 256 ? 4 : 8) /* of a key that a counting pass looks at: 16 or 256 places */

/* Sorts array[n] by key_of(element), a uint64_t, lowest first; equal ones stay in their order. One counting pass per
 * byte, or half byte, in which keys differ, none where they are in order. Cost: O(n). Memory: a copy. */
#define HD_SORT_BY_KEY(type, array, n, key_of)                                                                         \
    do {                                                                                                               \
        if ((n) <= HD_SORT_FEW)                                                                                        \
            HD_SORT_FEW_BY_KEY(type, array, n, key_of);                                                                \
        else                                                                                                           \
            HD_SORT_MANY_BY_KEY(type, array, n, key_of);                                                               \
    } while (0)

#define HD_SORT_FEW_BY_KEY(type, array, n, key_of)                                                                     \
    do {                                                                                                               \
        for (size_t hd_i = 1; hd_i < (n); hd_i++) {                                                                    \
            type     hd_element = (array)[hd_i];                                                                       \
            uint64_t hd_key     = (key_of)(&hd_element);                                                               \
            size_t   hd_at      = hd_i;                                                                                \
                                                                                                                       \
            for (; hd_at > 0 && (key_of)(&(array)[hd_at - 1]) > hd_key; hd_at--)                                       \
                (array)[hd_at] = (array)[hd_at - 1];                                                                   \
            (array)[hd_at] = hd_element;                                                                               \
        }                                                                                                              \
    } while (0)

#define HD_SORT_MANY_BY_KEY(type, array, n, key_of)                                                                    \
    do {                                                                                                               \
        size_t   hd_n = (n);                                                                                           \
        type    *hd_from = (array), *hd_to = HD_NEW_UNSET(type, hd_n), *hd_swap;                                       \
        uint64_t hd_differ = 0, hd_one = (UINT64_C(1) << HD_SORT_BITS(hd_n)) - 1;                                      \
        bool     hd_is_sorted = true;                                                                                  \
                                                                                                                       \
        for (size_t hd_i = 1; hd_i < hd_n; hd_i++) {                                                                   \
            hd_differ |= (key_of)(&hd_from[hd_i]) ^ (key_of)(hd_from);                                                 \
            hd_is_sorted &= (key_of)(&hd_from[hd_i - 1]) <= (key_of)(&hd_from[hd_i]);                                  \
        }                                                                                                              \
        hd_differ = hd_is_sorted ? 0 : hd_differ;                                                                      \
        for (unsigned hd_shift = 0; hd_shift < 64; hd_shift += HD_SORT_BITS(hd_n)) {                                   \
            size_t hd_places[256], hd_place = 0;                                                                       \
                                                                                                                       \
            if ((hd_differ >> hd_shift & hd_one) == 0)                                                                 \
                continue;                                                                                              \
            memset(hd_places, 0, (hd_one + 1) * sizeof *hd_places);                                                    \
            for (size_t hd_i = 0; hd_i < hd_n; hd_i++)                                                                 \
                hd_places[(key_of)(&hd_from[hd_i]) >> hd_shift & hd_one]++;                                            \
            for (size_t hd_i = 0; hd_i <= hd_one; hd_i++) {                                                            \
                size_t hd_count = hd_places[hd_i];                                                                     \
                                                                                                                       \
                hd_places[hd_i] = hd_place;                                                                            \
                hd_place += hd_count;                                                                                  \
            }                                                                                                          \
            for (size_t hd_i = 0; hd_i < hd_n; hd_i++)                                                                 \
                hd_to[hd_places[(key_of)(&hd_from[hd_i]) >> hd_shift & hd_one]++] = hd_from[hd_i];                     \
            hd_swap = hd_from;                                                                                         \
            hd_from = hd_to;                                                                                           \
            hd_to   = hd_swap;                                                                                         \
        }                                                                                                              \
        if (hd_from != (array)) {                                                                                      \
            memcpy((array), hd_from, hd_n * sizeof *hd_from);                                                          \
            hd_to = hd_from;                                                                                           \
        }                                                                                                              \
        free(hd_to);                                                                                                   \
    } while (0)

#endif

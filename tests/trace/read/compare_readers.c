/* compare_readers ANCHOR...: reads archives by Heddle and by the OTF2 library, and prints where they differ.
 * Exit code: 0, they agree on all (those whose definitions cannot be read are left out); 1, they differ. */
#include <stdio.h>

#include "reader_pair.h"

int
main(int n, char **arguments)
{
    uint64_t n_archives = 0, n_differ = 0, n_records = 0, n_cut = 0;

    for (int i = 1; i < n; i++) {
        reader_pair pair;

        n_archives += reader_pair_compare(arguments[i], &pair);
        n_differ += pair.n_differ > 0;
        n_records += pair.n_records;
        n_cut += pair.n_cut;
    }
    printf("%" PRIu64 " archives, %" PRIu64 " records, %" PRIu64 " locations cut off: %" PRIu64 " archives differ\n",
           n_archives, n_records, n_cut, n_differ);
    return n_differ > 0;
}

/* src/base/closest.c: the distance of two words in letters to insert, drop, replace or swap, and the word that is
 * nearest. */
#include "closest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static unsigned
least(unsigned a, unsigned b, unsigned c)
{
    unsigned ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static bool
is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Letters to insert, drop, replace or swap until a is b; words above 40 letters count as far away. */
static unsigned
distance(const char *a, const char *b)
{
    unsigned rows[3][41];
    size_t   n_a = strlen(a), n_b = strlen(b);

    if (n_a > 40 || n_b > 40)
        return 40;
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n_a; i++) {
        unsigned *now = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            now[j] = least(now[j - 1] + 1, above[j] + 1, above[j - 1] + !is_same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]) &&
                above2[j - 2] + 1 < now[j])
                now[j] = above2[j - 2] + 1;
        }
    }
    return rows[n_a % 3][n_b];
}

const char *
hd_closest(const char *word, const char *const *words, size_t n)
{
    size_t      length = strlen(word);
    unsigned    best   = 1 + (unsigned)length / 3;
    const char *found  = NULL;

    for (size_t i = 0; i < n; i++) {
        unsigned d = length >= 2 && strncasecmp(word, words[i], length) == 0 ? 0 : distance(word, words[i]);

        if (d < best || (d == best && found == NULL)) {
            best  = d;
            found = words[i];
        }
    }
    return found;
}

#include "tsv.h"

#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "memory.h"

/* Up to a delimiter. */
static char *
next_until(char **at, char delimiter)
{
    const char delimiters[2] = { delimiter, '\0' };
    char      *field         = *at;
    size_t     length;

    if (field == NULL)
        return NULL;
    length        = strcspn(field, delimiters);
    *at           = field[length] == delimiter ? field + length + 1 : NULL;
    field[length] = '\0';
    return field;
}

char *
hd_tsv_next(char **at)
{
    return next_until(at, '\t');
}

char *
hd_tsv_element(char **at)
{
    return next_until(at, ',');
}

bool
hd_tsv_count(const char *field, uint64_t *count)
{
    char *end;

    if (field == NULL || *field < '0' || *field > '9')
        return false;
    errno  = 0;
    *count = strtoull(field, &end, 10);
    return *end == '\0' && errno == 0;
}

bool
hd_tsv_number(const char *field, uint32_t *number)
{
    uint64_t value;

    *number = HD_NONE;
    if (field == NULL || *field == '\0')
        return field != NULL;
    if (!hd_tsv_count(field, &value) || value >= HD_NONE)
        return false;
    *number = (uint32_t)value;
    return true;
}

bool
hd_tsv_seconds(const char *field, double *seconds)
{
    char *end;

    if (field == NULL || *field == '\0')
        return false;
    *seconds = strtod(field, &end);
    return *end == '\0' && *seconds >= 0 && *seconds < 1e300;
}

bool
hd_tsv_real(const char *field, double *value)
{
    char *end;

    *value = 0;
    if (field == NULL || *field == '\0')
        return field != NULL;
    *value = strtod(field, &end);
    return *end == '\0' && *value - *value == 0;
}

static int
hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *
hd_tsv_name(const char *cell)
{
    char *name = hd_strdup(cell), *to = name;

    for (const char *at = cell; *at != '\0'; at++) {
        int  high, low;
        char c = *at;

        if (*at == '\\') {
            high = at[1] == 'x' ? hex_digit(at[2]) : -1;
            low  = high >= 0 ? hex_digit(at[3]) : -1;
            if (low < 0 || high + low == 0) {
                free(name);
                return NULL;
            }
            c = (char)(16 * high + low);
            at += 3;
        }
        *to++ = c;
    }
    *to = '\0';
    return name;
}

bool
hd_tsv_path(const char *field, const uint32_t *places, uint32_t n_places, uint32_t *path)
{
    if (!hd_tsv_number(field, path))
        return false;
    if (*path == HD_NONE)
        return true;
    if (*path >= n_places)
        return false;
    *path = places[*path];
    return *path != HD_NONE;
}

uint32_t *
hd_tsv_places(const hd_cube *cube)
{
    uint32_t *places = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);

    for (uint32_t i = 0; i < cube->n_paths; i++)
        places[i] = HD_NONE;
    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (cube->paths[i].number < cube->n_paths)
            places[cube->paths[i].number] = i;
    return places;
}

hd_status
hd_tsv_lines(const hd_cube *cube, const char *name, char *text, const char *head,
             bool (*line)(void *context, char *text), void *context)
{
    size_t number = 0;

    for (char *at = text, *next; number == 0 || *at != '\0'; at = next) {
        bool is_empty = *at == '\n';

        next = strchr(at, '\n');
        number++;
        if (next == NULL)
            return hd_fail(HD_EFORMAT, "report \"%s\": its table \"%s\" is cut off in line %zu", cube->path, name,
                           number);
        *next++ = '\0';
        if (number == 1 ? strcmp(at, head) != 0 : !is_empty && !line(context, at))
            return hd_fail(HD_EFORMAT, "report \"%s\": its table \"%s\" is damaged in line %zu", cube->path, name,
                           number);
    }
    return HD_OK;
}

hd_status
hd_tsv_member(hd_cube *cube, const char *name, size_t max_bytes, const char *head,
              bool (*line)(void *context, char *text),
              void *context, bool *is_there)
{
    char     *text = NULL;
    size_t    bytes;
    hd_status status = hd_cube_misc(cube, name, max_bytes, &text, &bytes);

    *is_there |= text != NULL;
    if (status == HD_OK && text != NULL)
        status = hd_tsv_lines(cube, name, text, head, line, context);
    free(text);
    return status;
}

void
hd_tsv_put_number(FILE *file, uint32_t number, bool is_known)
{
    if (is_known)
        fprintf(file, "%" PRIu32, number);
    fputc('\t', file);
}

__extension__ typedef unsigned __int128 wide;

#define PARTS UINT64_C(1000000000000000) /* of a second, that are written */
#define SOME UINT64_C(10000000)

enum { MAX_DECIMALS = 18 };

static const uint64_t powers[MAX_DECIMALS + 1] = { /* of ten */
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000 };

#define THREE(a, b, c) { '0' + (a), '0' + (b), '0' + (c), (a) > 0 ? 0 : (b) > 0 ? 1 : 2 }
#define TEN(a, b) \
    THREE(a, b, 0), THREE(a, b, 1), THREE(a, b, 2), THREE(a, b, 3), THREE(a, b, 4), THREE(a, b, 5), THREE(a, b, 6), \
    THREE(a, b, 7), THREE(a, b, 8), THREE(a, b, 9)
#define HUNDRED(a) \
    TEN(a, 0), TEN(a, 1), TEN(a, 2), TEN(a, 3), TEN(a, 4), TEN(a, 5), TEN(a, 6), TEN(a, 7), TEN(a, 8), TEN(a, 9)

const uint8_t hd_tsv_threes[1001][4] = { HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4), HUNDRED(5),
                                         HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9) };

#define BILLION UINT64_C(1000000000)

/* All nine digits of a number below 10^9. */
static inline char *
add_nine(char *at, uint32_t number)
{
    uint32_t thousands = number / 1000, millions = thousands / 1000;

    at = hd_tsv_add_three(at, millions);
    return hd_tsv_add_three(hd_tsv_add_three(at, thousands - 1000 * millions), number - 1000 * thousands);
}

/* Of any number. */
static __attribute__((noinline)) char *
add_digits(char *at, uint64_t number)
{
    uint64_t billions = number / BILLION;

    if (billions == 0)
        return hd_tsv_add_short(at, (uint32_t)number);
    at = HD_LIKELY(billions < BILLION) ? hd_tsv_add_short(at, (uint32_t)billions) : add_digits(at, billions);
    return add_nine(at, (uint32_t)(number - BILLION * billions));
}

/* Behind a point: `part` of `whole`, a power of ten, without zeros at the end. 0 < part < whole */
static char *
add_decimals(char *at, uint64_t part, uint64_t whole)
{
    char *end = add_digits(at - 1, whole + part); /* 1, and all digits */

    at[-1] = '.';
    while (end[-1] == '0')
        end--;
    return end;
}

/* The same of PARTS. */
static char *
add_parts(char *at, uint64_t part)
{
    uint32_t high = (uint32_t)(part / BILLION), thousands = high / 1000;
    char    *end  = hd_tsv_add_three(hd_tsv_add_three(at, thousands), high - 1000 * thousands);

    end = add_nine(end, (uint32_t)(part - BILLION * high));
    while (end[-1] == '0')
        end--;
    return end;
}

char *
hd_tsv_add_many(char *at, uint64_t count, char behind)
{
    at    = add_digits(at, count);
    *at++ = behind;
    return at;
}

char *
hd_tsv_add_count(char *at, uint64_t count, char behind)
{
    if (HD_LIKELY(count >= 10))
        return hd_tsv_add_some(at, count, behind);
    *at++ = (char)('0' + count);
    *at++ = behind;
    return at;
}

char *
hd_tsv_add_ticks(char *at, uint64_t ticks, uint64_t resolution, char behind)
{
    uint64_t whole = ticks / resolution;
    uint64_t rest  = ticks % resolution, parts;

    if (PARTS % resolution == 0)
        parts = rest * (PARTS / resolution);
    else if (resolution <= UINT64_MAX / (PARTS / SOME)) /* in two steps of 64 bits, the same number */
        parts = rest * (PARTS / SOME) / resolution * SOME +
                (rest * (PARTS / SOME) % resolution * SOME + resolution / 2) / resolution;
    else
        parts = (uint64_t)(((wide)rest * PARTS + resolution / 2) / resolution);

    if (parts >= PARTS) {
        parts -= PARTS;
        whole++;
    }
    at    = hd_tsv_add_count(at, whole, '.');
    at    = parts > 0 ? add_parts(at, parts) : at - 1;
    *at++ = behind;
    return at;
}

static const uint64_t fives[] = { /* powers of five */
    UINT64_C(1), UINT64_C(5), UINT64_C(25), UINT64_C(125), UINT64_C(625), UINT64_C(3125), UINT64_C(15625),
    UINT64_C(78125), UINT64_C(390625), UINT64_C(1953125), UINT64_C(9765625), UINT64_C(48828125),
    UINT64_C(244140625), UINT64_C(1220703125), UINT64_C(6103515625), UINT64_C(30517578125), UINT64_C(152587890625),
    UINT64_C(762939453125), UINT64_C(3814697265625), UINT64_C(19073486328125), UINT64_C(95367431640625),
    UINT64_C(476837158203125), UINT64_C(2384185791015625), UINT64_C(11920928955078125), UINT64_C(59604644775390625),
    UINT64_C(298023223876953125), UINT64_C(1490116119384765625), UINT64_C(7450580596923828125) };

/* value * 10^n_decimals, to the nearest integer, at equal distances the even one. 1e-11 <= value < 1e14, n_decimals: 0
 * to 27; the result has at most 63 bits */
static uint64_t
scaled(double value, unsigned n_decimals)
{
    static const uint64_t hidden = UINT64_C(1) << 52;
    uint64_t              bits, quotient;
    unsigned              shift;
    wide                  product, rest, half;

    memcpy(&bits, &value, sizeof bits);
    shift    = 1075 - (unsigned)(bits >> 52) - n_decimals; /* value = mantissa / 2^(shift + n_decimals); shift: 3 to 62 */
    product  = (wide)((bits & (hidden - 1)) | hidden) * fives[n_decimals];
    quotient = (uint64_t)(product >> shift);
    rest     = product & (((wide)1 << shift) - 1);
    half     = (wide)1 << (shift - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1) != 0));
}

/* Of a number to 15 digits. */
static unsigned
decimals_of(double value)
{
    unsigned n = 0;

    while (n < MAX_DECIMALS && value * (double)powers[n] < (double)powers[14])
        n++;
    if (n < MAX_DECIMALS && scaled(value, n) < powers[14]) /* the product was rounded */
        n++;
    return n > 0 && scaled(value, n) > powers[15] ? n - 1 : n;
}

/* A value below 1e-4 with an exponent, -5 to -8. NULL: it has another one, or rounding may change it. */
static char *
add_small(char *at, double value)
{
    unsigned exponent = 5;
    uint64_t number;

    while (exponent <= 8 && value * (double)powers[exponent] < 1)
        exponent++;
    if (exponent > 8 || (number = scaled(value, 14 + exponent)) < powers[14] || number >= powers[15])
        return NULL;
    at    = hd_tsv_add_count(at, number / powers[14], '.');
    at    = number % powers[14] > 0 ? add_decimals(at, number % powers[14], powers[14]) : at - 1;
    *at++ = 'e';
    *at++ = '-';
    *at++ = '0';
    return hd_tsv_add_count(at, exponent, '\0') - 1;
}

char *
hd_tsv_add_rounded(char *at, double value, char behind)
{
    static const double limits[] = { 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4 }; /* of one decimal less */
    double              size     = value < 0 ? -value : value;
    unsigned            n        = 9; /* decimals */
    uint64_t            number;

    if (!(size >= 1e-4 && size < 1e5)) {
        at += snprintf(at, HD_TSV_MAX_NUMBER - 1, "%.6g", value);
        *at++ = behind;
        return at;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        n -= size >= limits[i];
    if (value < 0)
        *at++ = '-';
    number = scaled(size, n);
    at     = hd_tsv_add_count(at, number / powers[n], '.');
    at     = number % powers[n] > 0 ? add_decimals(at, number % powers[n], powers[n]) : at - 1;
    *at++  = behind;
    return at;
}

char *
hd_tsv_add_real(char *at, double value, char behind)
{
    unsigned n;
    uint64_t number;
    char    *end;

    if (value >= 1e-8 && value < 1e-4 && (end = add_small(at, value)) != NULL) {
        *end++ = behind;
        return end;
    }
    if (!(value >= 1e-4 && value < 1e14)) {
        at += snprintf(at, HD_TSV_MAX_NUMBER - 1, "%.15g", value);
        *at++ = behind;
        return at;
    }
    n      = decimals_of(value);
    number = scaled(value, n);
    at     = hd_tsv_add_count(at, number / powers[n], '.');
    at     = number % powers[n] > 0 ? add_decimals(at, number % powers[n], powers[n]) : at - 1;
    *at++  = behind;
    return at;
}

/* Of a number to 17 digits; number: out, at least 10^16 and below 10^17, the value times a power of ten. */
static unsigned
exact_decimals_of(double value, uint64_t *number)
{
    uint64_t bits;
    int      exponent, n;

    memcpy(&bits, &value, sizeof bits);
    exponent = (int)(bits >> 52) - 1023;                       /* of two */
    n        = 16 - (exponent >= 0 ? exponent * 3 / 10 : (exponent * 31 - 99) / 100); /* or 1 more, or less */
    *number  = scaled(value, (unsigned)n);
    while (*number < powers[16])
        *number = scaled(value, (unsigned)++n);
    while (*number >= powers[17])
        *number = scaled(value, (unsigned)--n);
    return (unsigned)n;
}

/* Behind what is below 10^-2: as many zeros, and all digits. */
static char *
add_fraction(char *at, unsigned n_zeros, uint64_t number)
{
    static const char zeros[] = { '0', '.', '0', '0', '0' };

    memcpy(at, zeros, sizeof zeros);
    at = add_digits(at + 2 + n_zeros, number);
    while (at[-1] == '0')
        at--;
    return at;
}

char *
hd_tsv_add_exact(char *at, double value, char behind)
{
    uint64_t number;
    unsigned n, shift;

    if (!(value >= 1e-10 && value < 1e13)) {
        at += snprintf(at, HD_TSV_MAX_NUMBER - 1, "%.17g", value);
        *at++ = behind;
        return at;
    }
    n = exact_decimals_of(value, &number);
    if (n > MAX_DECIMALS && n <= 20)
        at = add_fraction(at, n - 17, number);
    else {
        shift = n > 20 ? 16 : n; /* with an exponent below -4 */
        at    = hd_tsv_add_count(at, number / powers[shift], '.');
        at    = number % powers[shift] > 0 ? add_decimals(at, number % powers[shift], powers[shift]) : at - 1;
        if (n > 20) {
            *at++ = 'e';
            *at++ = '-';
            *at++ = (char)('0' + (n - 16) / 10);
            *at++ = (char)('0' + (n - 16) % 10);
        }
    }
    *at++ = behind;
    return at;
}

char *
hd_tsv_add_text(char *at, const char *text, char behind)
{
    size_t n = strlen(text);

    memcpy(at, text, n + 1);
    at[n] = behind;
    return at + n + 1;
}

void
hd_tsv_put_count(FILE *file, uint64_t count, char behind)
{
    char  text[HD_TSV_MAX_NUMBER];
    char *end = hd_tsv_add_count(text, count, behind);

    fwrite(text, 1, (size_t)(end - text), file);
}

void
hd_tsv_put_ticks(FILE *file, uint64_t ticks, uint64_t resolution, char behind)
{
    char  text[HD_TSV_MAX_NUMBER];
    char *end = hd_tsv_add_ticks(text, ticks, resolution, behind);

    fwrite(text, 1, (size_t)(end - text), file);
}

/* src/base/time_text.h: a time as people read it: three significant digits and the unit that fits, "57.7 ms".
 * What scripts read (--json, --csv, --tsv, dump) has seconds with all digits. Uses: nothing. MT: any.
 */
#ifndef HD_TIME_TEXT_H
#define HD_TIME_TEXT_H

typedef struct hd_time_text {
    char text[32];
} hd_time_text;

/* "1.23 s", "57.7 ms", "820 us", "5.00 ns", "0 s"; seconds beyond three digits are not rounded further: "12345 s".
 * ASCII. */
hd_time_text hd_time_text_of(double seconds);

/* The same for a column that is aligned to the right: units of one letter have a blank behind them. */
hd_time_text hd_time_column(double seconds);

#endif

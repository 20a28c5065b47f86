/* src/report/text/bytes_text.h: numbers of bytes as people read them: at most three digits and a binary unit,
 * "1.23 MiB", as options and rules take it. What scripts read has all digits. Uses: nothing. MT: any.
 */
#ifndef HD_BYTES_TEXT_H
#define HD_BYTES_TEXT_H

typedef struct hd_bytes_text {
    char text[28];
} hd_bytes_text;

/* "0 bytes", "1 byte", "999 bytes", "0.98 KiB", "57.7 MiB". */
hd_bytes_text hd_bytes_text_of(double bytes);
/* "57.7 MiB/s"; "-" for NaN. */
hd_bytes_text hd_bandwidth_text_of(double bytes_per_second);

#endif

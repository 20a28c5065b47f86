/* src/report/text/bytes_text.h: numbers of bytes as people read them: three significant digits, steps of 1000, "1.23 MB".
 * What scripts read has all digits. Uses: nothing. MT: any.
 */
#ifndef HD_BYTES_TEXT_H
#define HD_BYTES_TEXT_H

typedef struct hd_bytes_text {
    char text[32];
} hd_bytes_text;

/* "0 bytes", "1 byte", "999 bytes", "1.23 kB", "57.7 MB". */
hd_bytes_text hd_bytes_text_of(double bytes);
/* "57.7 MB/s"; "-" for NaN. */
hd_bytes_text hd_bandwidth_text_of(double bytes_per_second);

#endif

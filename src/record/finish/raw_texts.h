/* src/record/finish/raw_texts.h: the texts of all processes of a run, each once: most are the same in all.
 *
 * Uses: base. Owner: hd_raw_texts_fini(). MT: one thread. Ranks: local. Grows with: different texts.
 */
#ifndef HD_RAW_TEXTS_H
#define HD_RAW_TEXTS_H

#include "map.h"

typedef struct hd_raw_texts { /* zeros: none yet */
    hd_map by_hash; /* index in texts */
    char **texts;   /* [n] */
    size_t n, room;
} hd_raw_texts;

/* A text that is equal, and stays where it is. */
const char *hd_raw_texts_keep(hd_raw_texts *texts, const char *text);
void        hd_raw_texts_fini(hd_raw_texts *texts);

#endif

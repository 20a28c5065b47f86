/* src/record/finish/raw_texts.c: finds texts by their hashes. */
#include "raw_texts.h"

#include <string.h>

#include "memory.h"
#include "text_hash.h"

/* Where another text has the same hash, it is kept as often as it comes. */
const char *
hd_raw_texts_keep(hd_raw_texts *texts, const char *text)
{
    bool      is_new;
    uint64_t *index = hd_map_add(&texts->by_hash, hd_text_hash(HD_TEXT_HASH, text) >> 1, &is_new);

    if (!is_new && strcmp(texts->texts[*index], text) == 0)
        return texts->texts[*index];
    if (is_new)
        *index = texts->n;
    HD_PUSH(texts->texts, texts->n, texts->room, hd_strdup(text));
    return texts->texts[texts->n - 1];
}

void
hd_raw_texts_fini(hd_raw_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->texts[i]);
    free(texts->texts);
    hd_map_fini(&texts->by_hash);
    *texts = (hd_raw_texts){ 0 };
}

/* src/cli/core/shell_word.h: a word as a shell reads it back. Uses: nothing. MT: any thread. Ranks: local. */
#ifndef HD_SHELL_WORD_H
#define HD_SHELL_WORD_H

#include "types.h"

/* Whether a shell takes the word as it is, without quotes. */
bool hd_shell_word_is_plain(const char *word);

/* The word, in quotes if it needs them; free() it. */
char *hd_shell_word_quoted(const char *word);

#endif

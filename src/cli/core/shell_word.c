/* src/cli/core/shell_word.c: puts words of a command line into single quotes. */
#include "shell_word.h"

#include <string.h>

#include "memory.h"

bool
hd_shell_word_is_plain(const char *word)
{
    return *word != '\0' &&
           strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%") == strlen(word);
}

char *
hd_shell_word_quoted(const char *word)
{
    char *quoted, *at;

    if (hd_shell_word_is_plain(word))
        return hd_strdup(word);
    quoted = at = hd_alloc(4 * strlen(word) + 3, 1);
    *at++       = '\'';
    for (; *word != '\0'; word++)
        if (*word == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *word;
    memcpy(at, "'", 2);
    return quoted;
}

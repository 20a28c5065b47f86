#include "status.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local hd_error last_error; /* the errno of this project: per thread, never shared */

static void (*fatal_handler)(void *); /* set once by the program before threads exist */
static void *fatal_context;

hd_status
hd_fail(hd_status status, const char *format, ...)
{
    va_list arguments;

    last_error.status     = status;
    last_error.details[0] = '\0';
    va_start(arguments, format);
    vsnprintf(last_error.text, sizeof last_error.text, format, arguments);
    va_end(arguments);
    return status;
}

void
hd_fail_detail(const char *key, const char *format, ...)
{
    va_list arguments;
    char   *at     = last_error.details + strlen(last_error.details);
    size_t  left   = (size_t)(last_error.details + sizeof last_error.details - at);
    int     blanks = strlen(key) < 8 ? 9 - (int)strlen(key) : 1;
    int     n      = snprintf(at, left, "  %s:%*s", key, blanks, "");

    if (n < 0 || (size_t)n + 2 > left) { /* not even its key fits */
        *at = '\0';
        return;
    }
    va_start(arguments, format);
    vsnprintf(at + n, left - (size_t)n - 1, format, arguments);
    va_end(arguments);
    memcpy(at + strlen(at), "\n", 2);
}

const hd_error *
hd_error_get(void)
{
    return &last_error;
}

void
hd_error_set(const hd_error *error)
{
    last_error = *error;
}

void
hd_fatal_handler_set(void (*handler)(void *context), void *context)
{
    fatal_handler = handler;
    fatal_context = context;
}

void
hd_fatal(const char *format, ...)
{
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    va_list            arguments;
    char               text[1024];

    if (atomic_flag_test_and_set(&is_ending)) /* another thread prints its error, and ends this one */
        for (;;)
            pause();
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "heddle: error: %s\n", text);
    fflush(stderr);
    if (fatal_handler != NULL)
        fatal_handler(fatal_context);
    _Exit(1);
}

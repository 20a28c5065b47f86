/* src/base/demangle.c: C++ by the library of GCC, Fortran here. */
#define _GNU_SOURCE /* SIGEV_THREAD_ID */
#include "demangle.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

#ifndef sigev_notify_thread_id /* as Linux calls it; not in older C libraries */
#define sigev_notify_thread_id _sigev_un._tid
#endif
#ifndef HEDDLE_DEMANGLER
#define HEDDLE_DEMANGLER ""
#endif

const char *
hd_demangle_library(void)
{
    return HEDDLE_DEMANGLER;
}

/* ---- C++ --------------------------------------------------------------------------------------------------------- */

#ifdef HEDDLE_HAS_DEMANGLER

/* Of libsupc++ and libstdc++. Gives the text in pieces, so that it can be bounded: a short name can stand for
 * gigabytes. Returns 0 if the name could be read. It computes and nothing else, with all it needs on the stack, so that
 * one may jump out of it. */
int __gcclibcxx_demangle_callback(const char *mangled, void (*take)(const char *piece, size_t n, void *context),
                                  void *context);

enum { MAX_BYTES = 16 << 10, MAX_NS = 100000000, MAX_ENDLESS = 4 };

typedef struct collected {
    char      *text; /* [MAX_BYTES] */
    size_t     n;
    sigjmp_buf out; /* of the demangler; 1: the text is too long, 2: it takes too long */
} collected;

static void
collect(const char *piece, size_t n, void *context)
{
    collected *to = context;

    if (n >= MAX_BYTES - to->n)
        siglongjmp(to->out, 1);
    memcpy(to->text + to->n, piece, n);
    to->n += n;
}

/* On the thread that demangles, as only its time is measured. */
static void
end_demangling(int number, siginfo_t *info, void *context)
{
    collected *to = info->si_value.sival_ptr;

    (void)number, (void)context;
    siglongjmp(to->out, 2);
}

/* What the demangler answers; 2: it took more than MAX_NS of processor time, as some names do for ever. */
static int
demangle_in_time(const char *name, collected *to)
{
    struct sigevent   event  = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM,
                                 .sigev_value.sival_ptr = to };
    struct itimerspec limit  = { .it_value.tv_nsec = MAX_NS };
    struct sigaction  action = { .sa_sigaction = end_demangling, .sa_flags = SA_SIGINFO }, old;
    timer_t           timer;
    int               answer;

    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    sigemptyset(&action.sa_mask);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
        return -1;
    sigaction(SIGVTALRM, &action, &old);
    answer = sigsetjmp(to->out, 1);
    if (answer == 0) {
        timer_settime(timer, 0, &limit, NULL);
        answer = __gcclibcxx_demangle_callback(name, collect, to);
    }
    timer_delete(timer);
    sigaction(SIGVTALRM, &old, NULL);
    return answer;
}

static char *
demangle_cxx(const char *name, unsigned *n_endless)
{
    collected *to   = NULL;
    char      *text = NULL;
    int        answer;

    if (*n_endless >= MAX_ENDLESS)
        return NULL;
    to       = HD_NEW(collected);
    to->text = HD_NEW_UNSET(char, MAX_BYTES);
    answer   = demangle_in_time(name, to);
    if (answer == 0)
        text = hd_format("%.*s", (int)to->n, to->text);
    *n_endless += answer == 2;
    free(to->text);
    free(to);
    return text;
}

#else

static char *
demangle_cxx(const char *name, unsigned *n_endless)
{
    (void)name, (void)n_endless;
    return NULL;
}

#endif

/* ---- Fortran ----------------------------------------------------------------------------------------------------- */

static bool
is_fortran(const char *file)
{
    static const char *const endings[] = { "f", "for", "ftn", "f77", "f90", "f95", "f03", "f08", "f18" };
    const char              *dot       = strrchr(file, '.');
    bool                     is        = false;

    for (size_t i = 0; i < sizeof endings / sizeof *endings && dot != NULL; i++)
        is |= strcasecmp(dot + 1, endings[i]) == 0;
    return is;
}

/* How many characters of a Fortran name there are: compilers write them in lower case. */
static size_t
name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* module::procedure; added: what a compiler has put after the name, "" or from a dot on. */
static char *
in_module(const char *module, size_t n_module, const char *procedure, size_t n_procedure, const char *added)
{
    if (n_module == 0 || n_procedure == 0 || (*added != '\0' && *added != '.'))
        return NULL;
    return *added == '\0' ? hd_format("%.*s::%.*s", (int)n_module, module, (int)n_procedure, procedure)
                          : hd_format("%.*s::%.*s [clone %s]", (int)n_module, module, (int)n_procedure, procedure,
                                      added);
}

/* __module_MOD_procedure */
static char *
of_gfortran(const char *name)
{
    const char *module = name + 2, *mark = strstr(name, "_MOD_"), *procedure;

    if (strncmp(name, "__", 2) != 0 || mark == NULL || mark <= module || module + name_length(module) != mark + 1)
        return NULL;
    procedure = mark + strlen("_MOD_");
    return in_module(module, (size_t)(mark - module), procedure, name_length(procedure),
                     procedure + name_length(procedure));
}

/* _QMmodulePprocedure */
static char *
of_flang(const char *name)
{
    const char *module = name + 3, *procedure;
    size_t      n;

    if (strncmp(name, "_QM", 3) != 0)
        return NULL;
    n         = name_length(module);
    procedure = module + n + 1;
    return module[n] == 'P' ? in_module(module, n, procedure, name_length(procedure),
                                        procedure + name_length(procedure)) : NULL;
}

/* Names that end in one "_": module_mp_procedure_ (Intel), procedure$module_ (Cray), and procedure_, which has to be
 * sure to be of Fortran. */
static char *
with_underscore(const char *name, bool is_sure)
{
    size_t      n = strlen(name), n_first = name_length(name);
    const char *mark = strstr(name, "_mp_"), *second = name + n_first + 1, *end = name + n - 1;

    if (n < 2 || *end != '_' || end[-1] == '_')
        return NULL;
    if (n_first == n && mark != NULL && mark + strlen("_mp_") < end)
        return in_module(name, (size_t)(mark - name), mark + strlen("_mp_"), (size_t)(end - mark) - strlen("_mp_"), "");
    if (name[n_first] == '$' && second < end && second + name_length(second) > end)
        return in_module(second, (size_t)(end - second), name, n_first, "");
    return n_first == n && is_sure ? hd_format("%.*s", (int)n - 1, name) : NULL;
}

char *
hd_demangle(const char *name, const char *file, unsigned *n_endless)
{
    bool  is_sure = is_fortran(file);
    char *text    = NULL;

    if (strncmp(name, "_Z", 2) == 0)
        return demangle_cxx(name, n_endless);
    if ((text = of_gfortran(name)) == NULL && (text = of_flang(name)) == NULL && (is_sure || *file == '\0'))
        text = with_underscore(name, is_sure);
    return text;
}

/* src/record/launch/recorded_program.c: reads the head of an ELF file, and asks its loader for its libraries. */
#include "recorded_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "memory.h"
#include "mpi_libraries.h"
#include "symbols.h"

extern char **environ;

#if defined __x86_64__
#define OWN_MACHINE EM_X86_64
#elif defined __aarch64__
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_NONE
#endif

typedef struct elf_facts {
    bool           is_elf, is_other, is_static;
    hd_mpi_flavour flavour; /* of an MPI library that it needs itself */
    char           loader[PATH_MAX];
} elf_facts;

static const struct {
    const char    *name;
    hd_mpi_flavour flavour;
} known[] = {
#define KNOWN(name, flavour, recorder) { name, HD_MPI_##flavour },
    HD_MPI_LIBRARIES(KNOWN)
#undef KNOWN
    { "libmpi_mpifh.so.40", HD_MPI_OPENMPI }, /* of Fortran, which need the library itself */
    { "libmpichfort.so.12", HD_MPI_MPICH },
};

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Where an address of the program is in its file; -1: nowhere. */
static off_t
offset_of(int fd, const Elf64_Ehdr *head, uint64_t address)
{
    Elf64_Phdr segment;

    for (uint32_t i = 0; i < head->e_phnum; i++)
        if (pread(fd, &segment, sizeof segment, (off_t)(head->e_phoff + i * sizeof segment)) ==
                (ssize_t)sizeof segment &&
            segment.p_type == PT_LOAD && address - segment.p_vaddr < segment.p_filesz)
            return (off_t)(segment.p_offset + (address - segment.p_vaddr));
    return -1;
}

/* Of an MPI library among those that the program needs itself: then its loader is not asked for the others. */
static hd_mpi_flavour
needed_flavour(int fd, const Elf64_Ehdr *head, const Elf64_Phdr *dynamic)
{
    enum { MAX_ENTRIES = 4096, NAME_BYTES = 32 };
    size_t         n       = dynamic->p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn     *entries = HD_NEW_ARRAY(Elf64_Dyn, MAX_ENTRIES);
    off_t          names   = -1;
    hd_mpi_flavour found   = HD_MPI_UNKNOWN;
    char           name[NAME_BYTES];
    ssize_t        got;

    n   = n < MAX_ENTRIES ? n : MAX_ENTRIES;
    got = pread(fd, entries, n * sizeof *entries, (off_t)dynamic->p_offset);
    n   = got > 0 ? (size_t)got / sizeof *entries : 0;
    for (size_t i = 0; i < n; i++)
        if (entries[i].d_tag == DT_STRTAB)
            names = offset_of(fd, head, entries[i].d_un.d_ptr);
    for (size_t i = 0; i < n && names >= 0 && found == HD_MPI_UNKNOWN; i++)
        if (entries[i].d_tag == DT_NEEDED &&
            pread(fd, name, sizeof name, names + (off_t)entries[i].d_un.d_val) == (ssize_t)sizeof name)
            for (size_t k = 0; k < sizeof known / sizeof *known; k++)
                found = strncmp(name, known[k].name, sizeof name) == 0 ? known[k].flavour : found;
    free(entries);
    return found;
}

static elf_facts
read_head(const char *path)
{
    elf_facts  facts = { 0 };
    int        fd    = open(path, O_RDONLY | O_CLOEXEC);
    Elf64_Ehdr head;
    Elf64_Phdr segment;

    if (fd < 0)
        return facts;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        goto out;
    facts.is_elf   = true;
    facts.is_other = head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != OWN_MACHINE;
    for (uint32_t i = 0; i < head.e_phnum && !facts.is_other; i++) {
        off_t at = (off_t)(head.e_phoff + i * sizeof segment);

        if (pread(fd, &segment, sizeof segment, at) != (ssize_t)sizeof segment)
            continue;
        if (segment.p_type == PT_DYNAMIC)
            facts.flavour = needed_flavour(fd, &head, &segment);
        if (segment.p_type == PT_INTERP && segment.p_filesz < sizeof facts.loader &&
            pread(fd, facts.loader, segment.p_filesz, (off_t)segment.p_offset) != (ssize_t)segment.p_filesz)
            facts.loader[0] = '\0';
    }
    facts.is_static = !facts.is_other && facts.loader[0] == '\0';
out:
    close(fd);
    return facts;
}

/* ---- its libraries ----------------------------------------------------------------------------------------------- */

/* All that it prints; free() it. NULL: it cannot be run. */
static char *
output_of(const char *const *words)
{
    posix_spawn_file_actions_t actions;
    int                        ends[2], how = 0, error;
    pid_t                      process;
    char                      *text = NULL;
    size_t                     n = 0, room = 0;
    char                       part[4096];
    ssize_t                    got;

    if (pipe(ends) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawn(&process, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (error == 0 && ((got = read(ends[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR)))
        for (ssize_t i = 0; i < got; i++)
            HD_PUSH(text, n, room, part[i]);
    close(ends[0]);
    if (error == 0)
        while (waitpid(process, &how, 0) < 0 && errno == EINTR)
            ;
    HD_PUSH(text, n, room, '\0');
    return text;
}

/* Whether a line of the loader's list begins with this name. */
static bool
lists(const char *list, const char *library)
{
    size_t n = strlen(library);

    for (const char *at = strstr(list, library); at != NULL; at = strstr(at + 1, library))
        if ((at == list || at[-1] == '\t' || at[-1] == ' ' || at[-1] == '/') && (at[n] == ' ' || at[n] == '\n'))
            return true;
    return false;
}

static bool
has_function(const char *path, const char *name)
{
    hd_symbols *symbols = hd_symbols_read(path, HD_SYMBOLS_DEBUG);
    bool        has     = false;

    for (size_t i = 0; i < symbols->n && !has; i++)
        has = symbols->functions[i].given != NULL && strcmp(symbols->functions[i].given, name) == 0;
    hd_symbols_free(symbols);
    return has;
}

static hd_status
refuse(const char *path, const char *what, const char *advice)
{
    hd_fail(HD_EUSAGE, "\"%s\" cannot be recorded: %s", path, what);
    hd_fail_detail("try", "%s", advice);
    return HD_EUSAGE;
}

hd_status
hd_recorded_program_check(const char *path, hd_mpi_flavour *flavour)
{
    elf_facts   facts = read_head(path);
    struct stat file;
    char       *list;

    *flavour = HD_MPI_UNKNOWN;
    if (!facts.is_elf)
        return HD_OK;
    if (facts.is_other)
        return refuse(path, "it is a program for another architecture",
                      "a program for the architecture that heddle was built for");
    if (facts.is_static)
        return refuse(path, "it is linked statically, so nothing can be loaded before it",
                      "link it without -static, with shared libraries of MPI and OpenMP");
    if (stat(path, &file) == 0 && (file.st_mode & (S_ISUID | S_ISGID)) != 0)
        return refuse(path, "it runs with the rights of its owner, so the system loads nothing before it",
                      "a copy of it without the set-user-ID and set-group-ID bits");
    if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
        return refuse(path, "it has capabilities (setcap), so the system loads nothing before it",
                      "a copy of it without them (setcap -r)");
    *flavour = facts.flavour;
    if (*flavour != HD_MPI_UNKNOWN)
        return HD_OK;
    list = output_of((const char *const[]){ facts.loader, "--list", path, NULL });
    if (list == NULL)
        return HD_OK;
    for (size_t i = 0; i < sizeof known / sizeof *known && *flavour == HD_MPI_UNKNOWN; i++)
        *flavour = lists(list, known[i].name) ? known[i].flavour : HD_MPI_UNKNOWN;
    if (*flavour == HD_MPI_UNKNOWN && (strstr(list, "libmpi.so") != NULL || strstr(list, "libmpi_abi.so") != NULL)) {
        free(list);
        return refuse(path, "its MPI library is none that heddle knows",
                      "a program that is linked with Open MPI or MPICH; or --mpi, if its library is like one of them");
    }
    free(list);
    if (*flavour == HD_MPI_UNKNOWN && has_function(path, "PMPI_Init"))
        return refuse(path, "it is linked with a static MPI library, whose calls cannot be seen",
                      "link it with a shared library of MPI");
    return HD_OK;
}

/* ---- launchers --------------------------------------------------------------------------------------------------- */

hd_mpi_flavour
hd_mpi_flavour_of_environment(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE") != NULL)
        return HD_MPI_OPENMPI;
    return getenv("PMI_RANK") != NULL && getenv("PMIX_RANK") == NULL ? HD_MPI_MPICH : HD_MPI_UNKNOWN;
}

hd_mpi_flavour
hd_mpi_flavour_of_launcher(const char *path)
{
    char       *real = realpath(path, NULL);
    const char *name = real != NULL && strrchr(real, '/') != NULL ? strrchr(real, '/') + 1 : "";
    hd_mpi_flavour flavour = HD_MPI_UNKNOWN;

    if (strstr(name, "hydra") != NULL || strstr(name, "mpich") != NULL)
        flavour = HD_MPI_MPICH;
    else if (strstr(name, "openmpi") != NULL || strncmp(name, "orterun", 7) == 0 || strncmp(name, "prte", 4) == 0)
        flavour = HD_MPI_OPENMPI;
    free(real);
    return flavour;
}

/* ---- what is preloaded ------------------------------------------------------------------------------------------- */

hd_status
hd_record_library(hd_mpi_flavour flavour, char **path)
{
    static const char *const files[]   = { [HD_MPI_UNKNOWN] = "libheddle-record.so",
                                           [HD_MPI_NONE]    = "libheddle-record.so",
                                           [HD_MPI_OPENMPI] = "libheddle-record-openmpi.so",
                                           [HD_MPI_MPICH]   = "libheddle-record-mpich.so" };
    static const char *const folders[] = { "record", HD_RECORD_LIBRARIES }; /* of a build; of what is installed */
    char                     own[PATH_MAX];
    ssize_t                  n = readlink("/proc/self/exe", own, sizeof own - 1);

    own[n > 0 ? n : 0] = '\0';
    if (strrchr(own, '/') != NULL)
        *strrchr(own, '/') = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        *path = hd_format("%s/%s/%s", own, folders[i], files[flavour]);
        if (access(*path, R_OK) == 0 && strpbrk(*path, " :") != NULL) {
            hd_fail(HD_EOPEN, "the system cannot load \"%s\" before a program: its path has a space or a colon", *path);
            hd_fail_detail("try", "heddle in a folder whose path has none");
            free(*path);
            *path = NULL;
            return HD_EOPEN;
        }
        if (access(*path, R_OK) == 0)
            return HD_OK;
        free(*path);
    }
    *path = NULL;
    hd_fail(HD_EOPEN, "this heddle was built without the recorder for %s",
            flavour == HD_MPI_OPENMPI ? "Open MPI" : flavour == HD_MPI_MPICH ? "MPICH" : "programs without MPI");
    hd_fail_detail("missing", "\"%s/%s\"", HD_RECORD_LIBRARIES, files[flavour]);
    hd_fail_detail("try", "install the development package of that MPI library, and build heddle anew");
    return HD_EOPEN;
}

/* tests/runner/served_heddle.c: the program heddle, many times over in one MPI job, which costs a message instead of
 * the start of a job.
 *
 *     mpirun -n N served_heddle SOCKET
 *
 * Each rank connects to the socket, says its number in a line, and then does what it is asked to: a request is a line
 * of words with tabs between them: the files that standard output and standard error go to, which it appends to, the
 * arguments of heddle. The answer is a line: the exit code. All ranks get the same requests, in the same order. A rank
 * that ends otherwise ends the job, as it does without this.
 *
 * MPI begins and ends once; what heddle does in between is what it does in a job of its own.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

int heddle_main(int argc, char **argv);

static int is_open, level;

int
MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (!is_open)
        PMPI_Init_thread(argc, argv, required, &level);
    is_open   = 1;
    *provided = level;
    return MPI_SUCCESS;
}

int
MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

static int
connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int                client  = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (client < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, path, strlen(path) + 1);
    return connect(client, (struct sockaddr *)&address, sizeof address) == 0 ? client : -1;
}

static int
open_as(const char *path, int descriptor)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

    if (file < 0 || dup2(file, descriptor) < 0)
        return -1;
    return close(file);
}

int
main(int argc, char **argv)
{
    char  *line     = NULL;
    size_t capacity = 0;
    int    client   = argc == 2 ? connect_to(argv[1]) : -1, rank;
    FILE  *requests = client < 0 ? NULL : fdopen(client, "r");

    if (requests == NULL) {
        fprintf(stderr, "usage: served_heddle SOCKET, which somebody listens to\n");
        return 2;
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    dprintf(client, "%d\n", rank);
    while (getline(&line, &capacity, requests) > 0) {
        char *words[MAX_WORDS + 1] = { NULL };
        int   n = 0, code;

        line[strcspn(line, "\n")] = '\0';
        for (char *at = line; at != NULL && n <= MAX_WORDS; n++)
            words[n] = strsep(&at, "\t");
        if (n < 3 || n > MAX_WORDS || open_as(words[0], 1) < 0 || open_as(words[1], 2) < 0)
            MPI_Abort(MPI_COMM_WORLD, 99);
        words[1] = (char *)(size_t)"heddle";
        code     = heddle_main(n - 1, words + 1);
        fflush(stdout);
        dprintf(client, "%d\n", code);
    }
    free(line);
    fclose(requests);
    PMPI_Finalize();
    return 0;
}

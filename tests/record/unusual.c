/* What few programs do with MPI, and with their processes: rings of 4 ranks, each of which checks what it gets.
 *
 *   unusual             MPI
 *   unusual clone       children that run no handlers of fork(): of clone(), vfork() and posix_spawn()
 *   unusual pause       waits for a signal
 *   unusual remove DIR  removes the folder of the recording
 * Prints what is wrong, and "done" at the end. */
#define _GNU_SOURCE /* syscall, environ */
#include <mpi.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, next, before;

static void
check(int is_right, const char *what)
{
    if (!is_right)
        printf("wrong: %s\n", what);
}

static int
sum_of(int value, MPI_Comm comm)
{
    int sum = 0;

    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

static void
ask_the_tools_interface(void)
{
    int level, n = -1;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&n);
    check(n >= 0, "MPI_T");
    MPI_T_finalize();
}

/* Two communicators of the same group and tag, one that not all have, and one of a node in another order. */
static void
make_communicators(void)
{
    MPI_Group world, even;
    MPI_Comm  one, two;
    int       ranks[][3] = { { 0, size - 1, 2 } };

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, ranks, &even);
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 7, &one);
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 7, &two);
        check(sum_of(1, one) == size / 2 && sum_of(2, two) == size, "MPI_Comm_create_group");
        MPI_Comm_free(&one);
        MPI_Comm_free(&two);
    }
    MPI_Comm_create(MPI_COMM_WORLD, even, &one);
    check((one == MPI_COMM_NULL) == (rank % 2 == 1), "MPI_Comm_create");
    if (one != MPI_COMM_NULL)
        MPI_Comm_free(&one);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &one);
    check(sum_of(1, one) == size, "MPI_Comm_split_type");
    MPI_Comm_disconnect(&one);
    MPI_Group_free(&world);
    MPI_Group_free(&even);
}

/* Both groups of an inter-communicator, and one of all again. */
static void
merge(void)
{
    MPI_Comm half, both, copy, all;
    int      mine, other = -1;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &mine);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0, 9, &both);
    MPI_Sendrecv(&rank, 1, MPI_INT, mine, 3, &other, 1, MPI_INT, mine, 3, both, MPI_STATUS_IGNORE);
    check(other == (rank ^ 1), "MPI_Intercomm_create");
    MPI_Comm_dup(both, &copy);
    MPI_Barrier(copy);
    MPI_Intercomm_merge(both, rank % 2, &all);
    check(sum_of(rank, all) == size * (size - 1) / 2, "MPI_Intercomm_merge");
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* Memory that is attached later: Open MPI has such windows for some ways of communicating only. */
static void
use_dynamic_window(void)
{
    MPI_Win  window;
    MPI_Aint here, there;
    int      place = -1, code;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (code != MPI_SUCCESS)
        return;
    MPI_Win_attach(window, &place, sizeof place);
    MPI_Get_address(&place, &here);
    MPI_Sendrecv(&here, 1, MPI_AINT, before, 0, &there, 1, MPI_AINT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, next, there, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    check(place == before, "MPI_Win_create_dynamic");
    MPI_Win_detach(window, &place);
    MPI_Win_free(&window);
}

static void
use_shared_window(void)
{
    MPI_Win  window;
    MPI_Aint bytes;
    int      unit, *own, *neighbour;

    MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *own = rank;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    MPI_Win_shared_query(window, next, &bytes, &unit, &neighbour);
    check(*neighbour == next, "MPI_Win_allocate_shared");
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void
start_all(void)
{
    enum { N = 4 };
    MPI_Request requests[2 * N];
    int         in[N], out[N], indices[2 * N], n;

    for (int i = 0; i < N; i++) {
        MPI_Recv_init(&in[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Ssend_init(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[N + i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++)
            out[i] = rank + i + round;
        MPI_Startall(2 * N, requests);
        for (int done = 0; done < 2 * N; done += n)
            MPI_Waitsome(2 * N, requests, &n, indices, MPI_STATUSES_IGNORE);
        MPI_Waitsome(2 * N, requests, &n, indices, MPI_STATUSES_IGNORE);
        check(n == MPI_UNDEFINED && in[3] == before + 3 + round, "MPI_Startall");
    }
    for (int i = 0; i < 2 * N; i++)
        MPI_Request_free(&requests[i]);
}

static int
tell_status(void *n_freed, MPI_Status *status)
{
    (void)n_freed;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int
count_freed(void *n_freed)
{
    ++*(int *)n_freed;
    return MPI_SUCCESS;
}

static int
cancel_nothing(void *n_freed, int is_complete)
{
    (void)n_freed;
    (void)is_complete;
    return MPI_SUCCESS;
}

/* Cancelled ones, one of the program's own, and one whose state is asked for. */
static void
use_requests(void)
{
    MPI_Request requests[2];
    MPI_Status  statuses[2];
    int         got = -1, n = 0, n_freed = 0, flag = 0;

    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, &requests[0]);
        MPI_Cancel(&requests[0]);
        if (i == 0)
            MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
        else
            MPI_Wait(&requests[0], &statuses[0]);
    }
    MPI_Test_cancelled(&statuses[0], &flag);
    check(flag, "MPI_Cancel");
    MPI_Grequest_start(tell_status, count_freed, cancel_nothing, &n_freed, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, next, 21, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&rank, 1, MPI_INT, before, 21, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status(requests[1], &flag, &statuses[1]);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[0], MPI_INT, &n);
    check(n == 3 && n_freed == 1 && got == next, "MPI_Grequest_start");
}

static int n_deleted;

static int
add_up(MPI_Comm comm, int key, void *value, void *state)
{
    (void)key;
    (void)value;
    (void)state;
    n_deleted += sum_of(1, comm);
    return MPI_SUCCESS;
}

static int
copy_with_one(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    MPI_Comm *made = malloc(sizeof *made);

    (void)comm;
    (void)key;
    (void)state;
    (void)in;
    MPI_Comm_dup(MPI_COMM_WORLD, made);
    *(MPI_Comm **)out = made;
    *flag             = 1;
    return MPI_SUCCESS;
}

static int
free_one(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)state;
    if (value != NULL)
        MPI_Comm_free(value);
    free(value);
    return MPI_SUCCESS;
}

/* Callbacks that communicate, and that make communicators, which are used later. */
static void
use_attributes(void)
{
    MPI_Comm one, two, *made = NULL;
    int      adds, makes, flag = 0;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, add_up, &adds, NULL);
    MPI_Comm_create_keyval(copy_with_one, free_one, &makes, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_set_attr(one, adds, NULL);
    MPI_Comm_set_attr(one, makes, NULL);
    MPI_Comm_dup(one, &two);
    MPI_Comm_get_attr(two, makes, &made, &flag);
    check(flag && sum_of(1, *made) == size, "a communicator of a callback");
    MPI_Comm_free(&two);
    MPI_Comm_free(&one);
    check(n_deleted == size, "a callback that communicates");
    MPI_Comm_free_keyval(&adds);
    MPI_Comm_free_keyval(&makes);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    check(sum_of(1, one) == size, "the next communicator");
    MPI_Comm_free(&one);
}

static int n_errors;

static void
count_error(MPI_Comm *comm, int *code, ...)
{
    int n;

    (void)code;
    MPI_Comm_size(*comm, &n);
    n_errors += n == size;
}

static void
make_errors(void)
{
    MPI_Errhandler handler;
    MPI_Comm       comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Send(&rank, 1, MPI_INT, size + 5, 0, comm);
    MPI_Recv(&rank, 1, MPI_INT, size + 5, 0, comm, MPI_STATUS_IGNORE);
    check(n_errors == 2, "handlers of errors");
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

/* Each has its own memory, but for files that are mapped. */
static void
call_in_a_clone(void)
{
    char  shell[] = "sh", option[] = "-c", script[] = "exit 4", *words[] = { shell, option, script, NULL };
    pid_t child;
    int   how = 1;

    MPI_Barrier(MPI_COMM_SELF);
    fflush(stdout);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        for (int i = 0; i < 1000; i++)
            MPI_Barrier(MPI_COMM_SELF);
        _exit(0);
    }
    for (int i = 0; i < 1000; i++)
        MPI_Allreduce(MPI_IN_PLACE, &how, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    waitpid(child, &how, 0);
    check(how == 0, "a clone");
    child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 3", NULL);
        _exit(1);
    }
    waitpid(child, &how, 0);
    check(WIFEXITED(how) && WEXITSTATUS(how) == 3, "a child of vfork()");
    check(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0, "posix_spawn()");
    waitpid(child, &how, 0);
    check(WIFEXITED(how) && WEXITSTATUS(how) == 4, "a child of posix_spawn()");
}

static void
remove_folder(const char *folder)
{
    char words[256];

    snprintf(words, sizeof words, "rm -rf '%s'", folder);
    if (rank == 0)
        check(system(words) == 0, words);
}

int
main(int n_words, char **words)
{
    MPI_Init(&n_words, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next   = (rank + 1) % size;
    before = (rank + size - 1) % size;
    if (n_words == 2 && strcmp(words[1], "pause") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        printf("waits\n");
        fflush(stdout);
        pause();
    } else if (n_words == 2)
        call_in_a_clone();
    else if (n_words == 3)
        remove_folder(words[2]);
    else {
        ask_the_tools_interface();
        make_communicators();
        merge();
        use_dynamic_window();
        use_shared_window();
        start_all();
        use_requests();
        use_attributes();
        make_errors();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        printf("done\n");
    return 0;
}

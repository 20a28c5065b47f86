/* A team in which the program calls fork(): the child leaves it as well, a second later. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(void)
{
    pid_t child = 0;

#pragma omp parallel num_threads(1)
    {
        child = fork();
        if (child == 0)
            sleep(1);
    }
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    puts("parent");
    return 0;
}

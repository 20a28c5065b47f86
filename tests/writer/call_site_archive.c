/* tests/writer/call_site_archive.c: tw_call_sites DIRECTORY [--without-places]: calls with their calling contexts, and
 * where these are in the source. Even processes send to the next one, which waits:
 *
 *     main ─┬─ solve, called at main.c:12 ─┬─ MPI_Send, MPI_Recv, called at solve.c:33
 *           │                              └─ norm, called at solve.c:40, then at solve.c:41
 *           └─ exchange, called at main.c:20 by even processes, at main.c:21 by odd ones ── leaf, nobody knows where
 */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "trace_writer.h"

enum { N_PROCESSES = 4 };
enum { MAIN_12, MAIN_20, MAIN_21, SOLVE_33, SOLVE_40, SOLVE_41, SEND, RECV, NORM, NORM_LATER, EXCHANGE, EXCHANGE_ODD,
       LEAF, LEAF_ODD, N_CONTEXTS };

static uint32_t
context_at(tw_archive *archive, uint32_t parent, const char *region, const char *file, uint32_t line)
{
    return file == NULL ? tw_context_define(archive, parent, tw_region(archive, region)) :
                          tw_context_define_at(archive, parent, tw_region(archive, region), file, line);
}

static void
define_contexts(tw_archive *archive, bool has_places, uint32_t *c)
{
    const char *main_c = has_places ? "/home/me/main.c" : NULL, *solve_c = has_places ? "/home/me/solve.c" : NULL;

    c[MAIN_12]      = context_at(archive, HD_NONE, "main", main_c, 12);
    c[MAIN_20]      = context_at(archive, HD_NONE, "main", main_c, 20);
    c[MAIN_21]      = context_at(archive, HD_NONE, "main", main_c, 21);
    c[SOLVE_33]     = context_at(archive, c[MAIN_12], "solve", solve_c, 33);
    c[SOLVE_40]     = context_at(archive, c[MAIN_12], "solve", solve_c, 40);
    c[SOLVE_41]     = context_at(archive, c[MAIN_12], "solve", solve_c, 41);
    c[SEND]         = context_at(archive, c[SOLVE_33], "MPI_Send", NULL, 0);
    c[RECV]         = context_at(archive, c[SOLVE_33], "MPI_Recv", NULL, 0);
    c[NORM]         = context_at(archive, c[SOLVE_40], "norm", NULL, 0);
    c[NORM_LATER]   = context_at(archive, c[SOLVE_41], "norm", NULL, 0);
    c[EXCHANGE]     = context_at(archive, c[MAIN_20], "exchange", NULL, 0);
    c[EXCHANGE_ODD] = context_at(archive, c[MAIN_21], "exchange", NULL, 0);
    c[LEAF]         = context_at(archive, c[EXCHANGE], "leaf", NULL, 0);
    c[LEAF_ODD]     = context_at(archive, c[EXCHANGE_ODD], "leaf", NULL, 0);
}

static void
write_process(tw_archive *archive, const uint32_t *c, uint32_t process)
{
    tw_location *l      = tw_location_open(archive, process, 0, NULL, 0);
    bool         is_odd = process % 2 == 1;

    tw_context_enter(l, 0, c[MAIN_12], 2);
    tw_context_enter(l, 10, c[SOLVE_33], 2);
    tw_context_enter(l, is_odd ? 20 : 60, c[is_odd ? RECV : SEND], 2);
    if (is_odd)
        tw_recv(l, 70, TW_WORLD, process - 1, 7, 8);
    else
        tw_send(l, 61, TW_WORLD, process + 1, 7, 8);
    tw_context_leave(l, 70, c[is_odd ? RECV : SEND]);
    tw_context_enter(l, 100, c[NORM], 2);
    tw_context_leave(l, 110, c[NORM]);
    tw_context_enter(l, 120, c[NORM_LATER], 2);
    tw_context_leave(l, 130, c[NORM_LATER]);
    tw_context_leave(l, 140, c[SOLVE_41]);
    tw_context_enter(l, 150, c[is_odd ? EXCHANGE_ODD : EXCHANGE], 2);
    tw_context_enter(l, 155, c[is_odd ? LEAF_ODD : LEAF], 2);
    tw_context_leave(l, 160, c[is_odd ? LEAF_ODD : LEAF]);
    tw_context_leave(l, 170, c[is_odd ? EXCHANGE_ODD : EXCHANGE]);
    tw_context_leave(l, 200, c[MAIN_20]);
    tw_location_close(l);
}

int
main(int argc, char **argv)
{
    bool        has_places = argc < 3 || strcmp(argv[2], "--without-places") != 0;
    uint32_t    contexts[N_CONTEXTS];
    tw_archive *archive;

    if (argc < 2 || argc > 3 || (argc == 3 && has_places)) {
        fprintf(stderr, "usage: tw_call_sites DIRECTORY [--without-places]\n");
        return 2;
    }
    archive = tw_open(argv[1], &(tw_archive_options){ .n_processes = N_PROCESSES });
    define_contexts(archive, has_places, contexts);
    for (uint32_t process = 0; process < N_PROCESSES; process++)
        write_process(archive, contexts, process);
    tw_close(archive);
    return 0;
}

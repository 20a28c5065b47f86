/* tests/writer/hostile_archive.c: tw_hostile DIRECTORY: an archive in which every name attacks what shows it, see
 * hostile_names.h. */
#include <stdio.h>

#include "hostile_names.h"
#include "trace_writer.h"

enum { N_NAMES = sizeof hostile_names / sizeof *hostile_names, CALL_TICKS = 100 };

/* In each of the functions: process 0 comes late to a send, and process 1 waits for it in the same function. */
static void
write_process(tw_archive *archive, uint32_t process)
{
    static const uint32_t both[] = { 0, 1 };
    static uint32_t       comms[N_NAMES];
    tw_location          *location = tw_location_open(archive, process, 0, NULL, 0);
    uint32_t              main_    = tw_region(archive, "main"), send = tw_region(archive, "MPI_Send"),
                                     receive = tw_region(archive, "MPI_Recv");
    hd_time               now      = 10;

    for (uint32_t i = 0; i < N_NAMES && process == 0; i++)
        comms[i] = tw_comm_define(archive, hostile_names[i], both, 2);
    tw_enter(location, now++, main_);
    for (uint32_t i = 0; i < N_NAMES; i++, now += CALL_TICKS) {
        uint32_t region = tw_region(archive, hostile_names[i]);

        tw_enter(location, now, region);
        if (process == 0) {
            tw_enter(location, now + 50 + i, send);
            tw_send(location, now + 51 + i, comms[i], 1, i, 8);
            tw_leave(location, now + 52 + i, send);
        } else {
            tw_enter(location, now + 5, receive);
            tw_recv(location, now + 60 + i, comms[i], 0, i, 8);
            tw_leave(location, now + 61 + i, receive);
            tw_enter(location, now + 70 + i, receive);
            tw_recv(location, now + 71 + i, comms[i], 0, 1000 + i, 8); /* never sent */
            tw_leave(location, now + 72 + i, receive);
        }
        tw_leave(location, now + 95, region);
    }
    tw_leave(location, now, main_);
    tw_location_close(location);
}

int
main(int argc, char **argv)
{
    tw_archive *archive;

    if (argc != 2) {
        fprintf(stderr, "usage: tw_hostile DIRECTORY\n");
        return 2;
    }
    archive = tw_open(argv[1], &(tw_archive_options){ .n_processes = 2, .program = hostile_names[0], .n_dimensions = 1,
                                                      .dimensions = { 2 } });
    for (uint32_t process = 0; process < 2; process++)
        write_process(archive, process);
    tw_close(archive);
    return 0;
}

/* src/cli/core/page_server.h: serves one page over HTTP, to this machine alone.
 *
 * Only 127.0.0.1 is listened on, and the page has an address that cannot be guessed. A request for anything else gets an
 * error: another path 404, another host name than localhost or 127.0.0.1 403 (a page of another site cannot reach it
 * through a name of its own), another method than GET and HEAD 405. One request is served at a time, each with a time
 * limit. Uses: base. MT: main thread only. Ranks: local.
 */
#ifndef HD_PAGE_SERVER_H
#define HD_PAGE_SERVER_H

#include <stdio.h>

#include "duration.h"
#include "status.h"

typedef struct hd_page_server {
    FILE *page;       /* the caller's */
    int   socket;     /* -1: none */
    char  token[33];  /* of the address: http://127.0.0.1:PORT/TOKEN/ */
    unsigned port;
} hd_page_server;

/* Listens. port: 0: one that is free. hd_page_server_close() it in any case.
 * Errors: HD_EOPEN, the port is in use or not allowed. */
hd_status hd_page_server_open(FILE *page, unsigned port, hd_page_server *server);
void      hd_page_server_close(hd_page_server *server);

/* Serves until *stop is not 0, or nothing was asked for so long. Returns the number of times that the page was sent. */
uint64_t hd_page_server_run(hd_page_server *server, const _Atomic int *stop, hd_duration idle);

#endif

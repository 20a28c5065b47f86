/* src/cli/core/page_server.c: a server of HTTP/1.1 for one page: each connection is closed after its answer. */
#include "page_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

enum { MAX_REQUEST = 8192 /* bytes */, TURN_MS = 500, REQUEST_S = 5, ANSWER_S = 60 };

typedef struct answer {
    const char *status; /* "200 OK" */
    const char *text;   /* NULL: the page */
} answer;

hd_status
hd_page_server_open(FILE *page, unsigned port, hd_page_server *server)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          length  = sizeof address;
    unsigned char      random[16];
    int                yes     = 1;

    *server = (hd_page_server){ .page = page, .socket = -1 };
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return hd_fail(HD_EOPEN, "no random numbers for the address of the page: %s", strerror(errno));
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(server->token + 2 * i, 3, "%02x", random[i]);
    server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->socket >= 0)
        setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (server->socket < 0 || bind(server->socket, (const struct sockaddr *)&address, length) != 0 ||
        listen(server->socket, 16) != 0 || getsockname(server->socket, (struct sockaddr *)&address, &length) != 0) {
        hd_fail(HD_EOPEN, "the page cannot be served at port %u of this machine: %s", port, strerror(errno));
        hd_fail_detail("try", "another --port, or none: then one that is free is taken");
        return HD_EOPEN;
    }
    server->port = ntohs(address.sin_port);
    return HD_OK;
}

void
hd_page_server_close(hd_page_server *server)
{
    if (server->socket >= 0)
        close(server->socket);
    server->socket = -1;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static void
limit_time(int connection, int option, int seconds)
{
    const struct timeval limit = { .tv_sec = seconds };

    setsockopt(connection, SOL_SOCKET, option, &limit, sizeof limit);
}

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The head of a request, up to its empty line. False: it does not end in time, or is too long. */
static bool
receive_head(int connection, char *head)
{
    double until = now() + REQUEST_S;
    size_t n     = 0;

    while (n < MAX_REQUEST - 1 && now() < until) {
        ssize_t got = recv(connection, head + n, MAX_REQUEST - 1 - n, 0);

        if (got <= 0)
            return false;
        n += (size_t)got;
        head[n] = '\0';
        if (strlen(head) != n)
            return false;
        if (strstr(head, "\r\n\r\n") != NULL)
            return true;
    }
    return false;
}

/* "localhost", "127.0.0.1", each with a port or without. */
static bool
is_this_machine(const char *host, size_t length)
{
    static const char *const names[] = { "localhost", "127.0.0.1" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);

        if (length >= n && strncasecmp(host, names[i], n) == 0 &&
            (length == n || (host[n] == ':' && strspn(host + n + 1, "0123456789") == length - n - 1)))
            return true;
    }
    return false;
}

/* All fields "Host" of a request name this machine, and there is one. */
static bool
is_for_this_machine(const char *head)
{
    uint32_t n = 0;

    for (const char *line = strstr(head, "\r\n"); line != NULL && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
        const char *value = line + 2 + 5;

        if (strncasecmp(line + 2, "Host:", 5) != 0)
            continue;
        value += strspn(value, " \t");
        if (!is_this_machine(value, strcspn(value, " \t\r")))
            return false;
        n++;
    }
    return n == 1;
}

static answer
answer_to(const hd_page_server *server, const char *head)
{
    size_t      method = strcspn(head, " "), path;
    const char *at     = head + method + 1;

    if (head[method] != ' ' || *at != '/')
        return (answer){ "400 Bad Request", "This is no request for a page.\n" };
    if (!is_for_this_machine(head))
        return (answer){ "403 Forbidden", "This page is served to this machine alone.\n" };
    if (!(method == 3 && strncmp(head, "GET", 3) == 0) && !(method == 4 && strncmp(head, "HEAD", 4) == 0))
        return (answer){ "405 Method Not Allowed", "Only GET and HEAD.\n" };
    path = strcspn(at, " ?\r");
    if (path == strlen(server->token) + 2 && strncmp(at + 1, server->token, path - 2) == 0 && at[path - 1] == '/')
        return (answer){ "200 OK", NULL };
    return (answer){ "404 Not Found", "There is no such page. The address stands where heddle was started.\n" };
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static bool
send_all(int connection, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(connection, bytes, n, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool
send_page(int connection, FILE *page, const _Atomic int *stop)
{
    char  *buffer = HD_NEW_UNSET(char, 1 << 16);
    size_t n;
    bool   is_sent = fseeko(page, 0, SEEK_SET) == 0;

    while (is_sent && *stop == 0 && (n = fread(buffer, 1, 1 << 16, page)) > 0)
        is_sent = send_all(connection, buffer, n);
    free(buffer);
    return is_sent && *stop == 0 && !ferror(page);
}

/* Returns whether the page was sent. */
static bool
serve(const hd_page_server *server, int connection, const _Atomic int *stop)
{
    char        head[MAX_REQUEST], fields[512];
    struct stat info    = { 0 };
    bool        is_sent = false, is_head;
    answer      what;
    int         n;

    limit_time(connection, SO_RCVTIMEO, REQUEST_S);
    limit_time(connection, SO_SNDTIMEO, ANSWER_S);
    if (!receive_head(connection, head))
        return false;
    what    = answer_to(server, head);
    is_head = strncmp(head, "HEAD ", 5) == 0;
    if (what.text == NULL && fstat(fileno(server->page), &info) != 0)
        what = (answer){ "500 Internal Server Error", "The page cannot be read.\n" };
    n = snprintf(fields, sizeof fields,
                 "HTTP/1.1 %s\r\nContent-Type: text/%s; charset=utf-8\r\nContent-Length: %lld\r\nConnection: close\r\n"
                 "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
                 "X-Frame-Options: DENY\r\n%s\r\n", what.status, what.text != NULL ? "plain" : "html",
                 what.text != NULL ? (long long)strlen(what.text) : (long long)info.st_size,
                 strncmp(what.status, "405", 3) == 0 ? "Allow: GET, HEAD\r\n" : "");
    if (!send_all(connection, fields, (size_t)n) || is_head)
        return false;
    if (what.text != NULL)
        send_all(connection, what.text, strlen(what.text));
    else
        is_sent = send_page(connection, server->page, stop);
    shutdown(connection, SHUT_WR);
    return is_sent;
}

uint64_t
hd_page_server_run(hd_page_server *server, const _Atomic int *stop, hd_duration idle)
{
    double   last    = now();
    double   limit   = hd_duration_is_end(idle) ? HUGE_VAL : (double)idle.seconds + 1e-18 * (double)idle.attoseconds;
    uint64_t n_sent  = 0;

    while (*stop == 0 && now() - last < limit) {
        struct pollfd waiting = { .fd = server->socket, .events = POLLIN };
        int           connection;

        if (poll(&waiting, 1, TURN_MS) <= 0)
            continue;
        connection = accept(server->socket, NULL, NULL);
        if (connection < 0)
            continue;
        if (serve(server, connection, stop)) {
            n_sent++;
            last = now();
        }
        close(connection);
    }
    return n_sent;
}

/* src/analysis_comm/analysis_comm_calls.h: what an implementation of the analysis communicator, and of the transport
 * over it, consists of. For the implementations; who uses them takes analysis_comm.h and transport.h.
 */
#ifndef HD_ANALYSIS_COMM_CALLS_H
#define HD_ANALYSIS_COMM_CALLS_H

#include "analysis_comm.h"
#include "transport.h"

/* The first member of the communicator of each implementation, filled by its open(). */
struct hd_analysis_comm {
    const hd_analysis_comm_calls *calls; /* set after open() */
    uint32_t                      rank, size;
    uint32_t                      node, node_rank, node_size;
    char                          node_name[256];
};

typedef struct hd_transport_calls hd_transport_calls;

/* The same of its transports. */
struct hd_transport {
    const hd_transport_calls *calls; /* set after open() */
};

/* As the functions of the same names in transport.h. */
struct hd_transport_calls {
    hd_transport *(*open)(void);
    void          (*close)(hd_transport *transport);
    void          (*send)(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                          void *token);
    void         *(*sent)(hd_transport *transport);
    bool          (*is_sending)(const hd_transport *transport);
    bool          (*probe)(hd_transport *transport, uint32_t *thread, uint32_t *bytes);
    void          (*receive)(hd_transport *transport, void *data);
    void          (*sum_start)(hd_transport *transport, const uint64_t values[2]);
    bool          (*sum_test)(hd_transport *transport, uint64_t totals[2]);
};

/* As the functions of the same names in analysis_comm.h; hd_agree() and hd_analysis_comm_fold() are made of them. */
struct hd_analysis_comm_calls {
    hd_analysis_comm *(*open)(int *argc, char ***argv);
    void              (*close)(hd_analysis_comm *analysis_comm);
    char             *(*library)(void);
    void              (*barrier)(hd_analysis_comm *analysis_comm);
    void              (*broadcast)(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t root);
    void              (*reduce)(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op);
    uint64_t          (*prefix_sum)(hd_analysis_comm *analysis_comm, uint64_t value);
    void              (*gather)(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all,
                                uint64_t **n_bytes);
    void              (*send)(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint32_t to);
    void              (*receive)(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t from);
    const void       *(*share)(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes);
    void              (*abort)(hd_analysis_comm *analysis_comm, int exit_code); /* may return */
    const hd_transport_calls *transport;
};

#endif

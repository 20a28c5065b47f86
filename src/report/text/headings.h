/* src/report/text/headings.h: the headings of a report's sections. The terminal, the HTML report and docs/user-guide.md share them.
 *
 * The HTML report finds them in its head under "headings" by their ids (docs/formats.md#page). Uses: nothing. MT: read only, any thread.
 */
#ifndef HD_HEADINGS_H
#define HD_HEADINGS_H

/* X(id, heading) */
#define HD_HEADINGS(X)                                       \
    X(unfinished, "Unfinished operations (wait-for graph)")  \
    X(efficiency, "Efficiencies")                            \
    X(time, "Time breakdown")                                \
    X(balance, "Load balance")                               \
    X(waits, "Top wait states")                              \
    X(instances, "Wait-state instances")                     \
    X(topologies, "Wait states by topology coordinate")      \
    X(nodes, "Wait states by node")                          \
    X(per_node, "Per node")                                  \
    X(causes, "Root causes of wait states (delay costs)")    \
    X(critical, "Critical path")                             \
    X(counters, "Counters")                                  \
    X(predictions, "Predictions (what-if simulation)")       \
    X(communication, "Communication statistics")             \
    X(files, "File I/O")                                     \
    X(diagnostics, "Trace diagnostics")                      \
    X(measurement, "Measurement")                            \
    X(analysis, "Analysis run")                              \
    X(provenance, "Provenance")                              \
    X(difference, "Difference B - A")

#define HD_HEADING_ENUM(id, heading) HD_HEADING_##id,
typedef enum hd_heading { HD_HEADINGS(HD_HEADING_ENUM) HD_N_HEADINGS } hd_heading;
#undef HD_HEADING_ENUM

static inline const char *
hd_heading_text(hd_heading heading)
{
#define HD_HEADING_TEXT(id, heading) heading,
    static const char *const texts[] = { HD_HEADINGS(HD_HEADING_TEXT) };
#undef HD_HEADING_TEXT

    return texts[heading];
}

#endif

/* src/report/terminal/summary_sections.h: the sections of a summary, in the order in which they are shown.
 *
 * A new section is one file section_NAME.c with its function, one row here, and its heading in headings.h.
 * Inside of the component only. Uses: summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_SECTIONS_H
#define HD_SUMMARY_SECTIONS_H

#include "summary_page.h"

/* X(heading, print, is_shown)
 *   heading    of headings.h
 *   print      writes the lines of the section to page->file. A section without a line is omitted, with its heading. For a JSON document
 *              (page->json) it puts one value under page->key, and lines nowhere; without a value the section is null
 *              Errors: those of hd_cube_row() and hd_cube_misc()
 *   is_shown   a condition of summary.c, about the report alone; a section whose condition does not hold is not asked
 */
#define HD_SUMMARY_SECTIONS(X)                                      \
    X(unfinished, hd_section_unfinished, always)                    \
    X(efficiency, hd_section_efficiency, is_of_one_analysis)        \
    X(time, hd_section_time, always)                                \
    X(balance, hd_section_balance, has_several_locations)           \
    X(waits, hd_section_waits, always)                              \
    X(instances, hd_section_instances, always)                      \
    X(topologies, hd_section_topologies, has_several_processes)     \
    X(nodes, hd_section_nodes, has_several_nodes)                   \
    X(per_node, hd_section_per_node, has_several_nodes)             \
    X(causes, hd_section_causes, always)                            \
    X(critical, hd_section_critical, has_several_locations)         \
    X(counters, hd_section_counters, always)                        \
    X(predictions, hd_section_predictions, always)                  \
    X(communication, hd_section_communication, always)              \
    X(files, hd_section_files, always)                              \
    X(diagnostics, hd_section_diagnostics, always)                  \
    X(measurement, hd_section_measurement, always)                  \
    X(analysis, hd_section_analysis, is_of_one_analysis)            \
    X(provenance, hd_section_provenance, is_made_of_reports)

#define HD_SECTION_DECLARE(heading, print, is_shown) hd_status print(hd_summary_page *page);
HD_SUMMARY_SECTIONS(HD_SECTION_DECLARE)
#undef HD_SECTION_DECLARE

#endif

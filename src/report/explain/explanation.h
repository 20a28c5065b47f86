/* src/report/explain/explanation.h: the sections of docs/explanations.md and the terms of docs/glossary.md, which are
 * parts of the program.
 *
 *     <a id="mpi_latesender"></a>      anchors: ids of the metrics and findings that the section explains
 *     ### Late Sender                  title
 *     A process is in a receive ...    body, up to the next anchors or heading
 *
 * Texts are pieces of one constant text: not ended by a zero. Uses: metric, finding. MT: any thread. Ranks: local.
 */
#ifndef HD_EXPLANATION_H
#define HD_EXPLANATION_H

#include "types.h"

typedef struct hd_piece {
    const char *text;
    size_t      n; /* bytes */
} hd_piece;

typedef struct hd_explanation {
    hd_piece anchors, title, body;
} hd_explanation;

/* The section after this one, of zeros the first; false: there is none. */
bool hd_explanation_next(hd_explanation *explanation);

/* Whether the section has this anchor. */
bool hd_explanation_is_of(const hd_explanation *explanation, const char *id);

/* The section with this anchor; false: there is none. Cost: O(text). */
bool hd_explanation_find(const char *id, hd_explanation *explanation);

/* That of the metric, or of the nearest metric above it. */
bool hd_explanation_of_metric(uint32_t metric, hd_explanation *explanation);

/* The sentence of docs/glossary.md on a source ("Wolf 2007"); false: it is not there. */
bool hd_explanation_source(hd_piece name, hd_piece *sentence);

/* A term of docs/glossary.md, and what stands there of it (Markdown). A name is found without what stands behind it in
 * brackets, and is one of several that share a meaning; upper and lower case are the same. false: it is not there. */
bool hd_explanation_term(const char *name, hd_piece *term, hd_piece *meaning);

#endif

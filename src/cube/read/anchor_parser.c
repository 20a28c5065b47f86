/* src/cube/read/anchor_parser.c: which elements an anchor has, and what is said of one that is damaged. */
#include "anchor_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber /* the later one is of Expat 2.9 */
#endif

void
hd_anchor_stop(hd_anchor_parser *parser, const char *format, ...)
{
    char    words[256];
    va_list arguments;

    if (parser->status != HD_OK)
        return;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    parser->status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: anchor.xml, line %llu: %s", parser->cube->path,
                             (unsigned long long)XML_GetCurrentLineNumber64(parser->expat), words);
    XML_StopParser(parser->expat, XML_FALSE);
}


hd_anchor_text
hd_anchor_text_of(hd_anchor_element in, const char *name)
{
    static const struct {
        hd_anchor_element     in;
        const char *name;
        hd_anchor_text     text;
    } texts[] = {
        { IN_METRIC, "disp_name", TEXT_NAME }, { IN_METRIC, "uniq_name", TEXT_ID }, { IN_METRIC, "dtype", TEXT_DTYPE },
        { IN_METRIC, "uom", TEXT_UNIT }, { IN_METRIC, "descr", TEXT_WHAT }, { IN_METRIC, "url", TEXT_URL },
        { IN_METRIC, "cubepl", TEXT_EXPRESSION }, { IN_METRIC, "cubeplinit", TEXT_PREPARATION },
        { IN_METRIC, "cubeplaggr", TEXT_PLUS }, { IN_REGION, "name", TEXT_NAME },
        { IN_REGION, "mangled_name", TEXT_MANGLED },
        { IN_REGION, "paradigm", TEXT_PARADIGM }, { IN_REGION, "role", TEXT_ROLE }, { IN_REGION, "url", TEXT_URL },
        { IN_REGION, "descr", TEXT_WHAT }, { IN_GROUP, "name", TEXT_NAME }, { IN_GROUP, "rank", TEXT_RANK },
        { IN_GROUP, "type", TEXT_TYPE }, { IN_LOCATION, "name", TEXT_NAME }, { IN_LOCATION, "rank", TEXT_RANK },
        { IN_LOCATION, "type", TEXT_TYPE }, { IN_NODE, "name", TEXT_NAME }, { IN_NODE, "class", TEXT_CLASS },
        { IN_NODE, "descr", TEXT_WHAT }, { IN_CART, "coord", TEXT_COORDINATE }, { IN_MIRRORS, "murl", TEXT_MIRROR },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].in == in && strcmp(texts[i].name, name) == 0)
            return texts[i].text;
    return TEXT_NONE;
}

hd_anchor_element
hd_anchor_element_of(hd_anchor_element in, const char *name)
{
    static const struct {
        hd_anchor_element     in;
        const char *name;
        hd_anchor_element     is;
    } elements[] = {
        { IN_CUBE, "metrics", IN_METRICS },   { IN_METRICS, "metric", IN_METRIC },
        { IN_METRIC, "metric", IN_METRIC },
        { IN_CUBE, "program", IN_PROGRAM },   { IN_PROGRAM, "region", IN_REGION },    { IN_PROGRAM, "cnode", IN_CNODE },
        { IN_CNODE, "cnode", IN_CNODE },      { IN_CUBE, "system", IN_SYSTEM },
        { IN_SYSTEM, "systemtreenode", IN_NODE },
        { IN_NODE, "systemtreenode", IN_NODE }, { IN_NODE, "locationgroup", IN_GROUP },
        { IN_GROUP, "location", IN_LOCATION },
        { IN_SYSTEM, "topologies", IN_TOPOLOGIES }, { IN_TOPOLOGIES, "cart", IN_CART }, { IN_CUBE, "doc", IN_DOC },
        { IN_DOC, "mirrors", IN_MIRRORS },     { IN_SYSTEM, "machine", IN_NODE },      { IN_NODE, "node", IN_NODE },
        { IN_NODE, "process", IN_GROUP },     { IN_GROUP, "thread", IN_LOCATION }, /* as the first versions called
                                                                                    * them */
    };

    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].in == in && strcmp(elements[i].name, name) == 0)
            return elements[i].is;
    return IN_OTHER;
}

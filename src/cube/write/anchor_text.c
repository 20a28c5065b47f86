#include "anchor_text.h"

#include <string.h>

void
hd_anchor_put(hd_out_file *out, const char *text)
{
    hd_out_file_put(out, text, strlen(text));
}

void
hd_anchor_put_number(hd_out_file *out, uint32_t number)
{
    char   digits[10];
    size_t i = sizeof digits;

    do {
        digits[--i] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    hd_out_file_put(out, digits + i, sizeof digits - i);
}

void
hd_anchor_put_element(hd_out_file *out, const char *element, const char *text)
{
    hd_anchor_put(out, "<");
    hd_anchor_put(out, element);
    hd_anchor_put(out, ">");
    hd_out_file_put_xml(out, text);
    hd_anchor_put(out, "</");
    hd_anchor_put(out, element);
    hd_anchor_put(out, ">\n");
}

void
hd_anchor_put_lines(hd_out_file *out, const char *element, const char *text)
{
    hd_out_file_format(out, "<%s>", element);
    hd_out_file_put_xml_lines(out, text);
    hd_out_file_format(out, "</%s>\n", element);
}

void
hd_anchor_put_value(hd_out_file *out, const char *key, const char *value)
{
    hd_out_file_format(out, " %s=\"", key);
    hd_out_file_put_xml(out, value);
    hd_anchor_put(out, "\"");
}

void
hd_anchor_put_attribute(hd_out_file *out, const char *key, const char *value)
{
    hd_anchor_put(out, "<attr");
    hd_anchor_put_value(out, "key", key);
    hd_anchor_put_value(out, "value", value);
    hd_anchor_put(out, "/>\n");
}

void
hd_anchor_put_line(hd_out_file *out, const char *key, int64_t line)
{
    hd_out_file_format(out, " %s=\"%" PRId64 "\"", key, line > 0 && line <= INT32_MAX ? line : -1);
}

void
hd_anchor_put_dimension(hd_out_file *out, const char *name, uint32_t size, bool is_periodic)
{
    hd_anchor_put(out, "<dim");
    if (*name != '\0')
        hd_anchor_put_value(out, "name", name);
    hd_out_file_format(out, " size=\"%" PRIu32 "\" periodic=\"%s\"/>\n", size, is_periodic ? "true" : "false");
}

void
hd_anchor_put_coordinate(hd_out_file *out, uint32_t location, const uint32_t *place, uint32_t n)
{
    hd_out_file_format(out, "<coord locId=\"%" PRIu32 "\">", location);
    for (uint32_t i = 0; i < n; i++)
        hd_out_file_format(out, "%s%" PRIu32, i > 0 ? " " : "", place[i]);
    hd_anchor_put(out, "</coord>\n");
}

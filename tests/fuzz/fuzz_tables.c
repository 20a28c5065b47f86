/* tests/fuzz/fuzz_tables.c: the tables that a report carries, one behind the other with a byte of 1 between them. */
#include "read_report.h"
#include "small_tar.h"

static const char anchor[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><cube version=\"4.4\"><metrics>"
    "<metric id=\"0\" type=\"EXCLUSIVE\"><disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>DOUBLE</dtype>"
    "<uom>sec</uom></metric>"
    "<metric id=\"1\" type=\"EXCLUSIVE\"><disp_name>Late "
    "Sender</disp_name><uniq_name>mpi_latesender</uniq_name><dtype>DOUBLE</dtype>"
    "<uom>sec</uom></metric></metrics><program><region id=\"0\" mod=\"\" begin=\"-1\" "
    "end=\"-1\"><name>main</name></region>"
    "<cnode id=\"0\" calleeId=\"0\"><cnode id=\"1\" calleeId=\"0\"></cnode></cnode></program><system><systemtreenode "
    "Id=\"0\">"
    "<name>m</name><class>machine</class><systemtreenode Id=\"1\"><name>n</name><class>node</class><locationgroup "
    "Id=\"0\"><name>p</name>"
    "<rank>0</rank><type>process</type><location "
    "Id=\"0\"><name>t</name><rank>0</rank><type>thread</type></location></locationgroup>"
    "<locationgroup Id=\"1\"><name>q</name><rank>1</rank><type>process</type><location "
    "Id=\"1\"><name>t</name><rank>0</rank>"
    "<type>thread</type></location></locationgroup></systemtreenode></systemtreenode></system></cube>";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const names[] =
        { "heddle.findings.tsv", HD_CAUSES_MEMBER, HD_PAIRS_MEMBER, HD_STATISTICS_MEMBER, HD_INSTANCES_MEMBER,
          HD_EXCERPTS_MEMBER, HD_WINDOWS_MEMBER, HD_MESSAGES_MEMBER, HD_MATRIX_MEMBER, HD_MESSAGE_SIZES_MEMBER };
    hd_bytes tar = { 0 };
    size_t   at  = 0;

    tar_add(&tar, "anchor.xml", anchor, sizeof anchor - 1);
    for (size_t i = 0; i < sizeof names / sizeof *names && at < bytes; i++) {
        const uint8_t *end = memchr(data + at, 1, bytes - at);
        size_t         n   = end != NULL ? (size_t)(end - data) - at : bytes - at;

        tar_add(&tar, names[i], data + at, n);
        at += n + 1;
    }
    tar_end(&tar);
    read_report(fuzz_file(tar.data, tar.n), false);
    hd_bytes_fini(&tar);
    return 0;
}

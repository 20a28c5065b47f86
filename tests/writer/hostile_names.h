/* tests/writer/hostile_names.h: names that a function or a communicator could have. tests/e2e/test_hostile.py reads the
 * texts of this file, one on a line, too. */
#ifndef HOSTILE_NAMES_H
#define HOSTILE_NAMES_H

static const char *const hostile_names[] = {
    "</script><script>document.title='owned'</script>",
    "<!--<script>",
    "<img src=x onerror=document.title='owned'>",
    "]]></name><name>&amp;&quot;\"'",
    "*/})\nheddleMetric(0,()=>{/*",
    "line\342\200\250separator\342\200\251",
    "\033]0;owned\007\033[31mred",
    "\302\23331mC1 \23331m",
    "\342\200\256desrever\342\200\254 \342\201\246isolate\342\201\251 \342\200\213",
    "=HYPERLINK(\"http://example.org\",\"click\")",
    "+1",
    "-1+1",
    "@SUM(A1)",
    "tab\tline\nreturn\r\b",
    "\377\376\300\257\355\240\200\364\220\200\200",
    "a;b > c",
    "|`*_[x](javascript:alert(1))",
    "../../../../tmp/owned",
    "\\x41 \\",
    "%s%n%d%99999999d",
    "$(touch owned)`touch owned`;touch owned",
    "\357\277\276\363\240\200\201\357\273\277",
};

#endif

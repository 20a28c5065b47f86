/* src/report/html/page_program.h: the program of the page: what html/ is built to, html/dist/page.js and page.css, as
 * they are in the repository. Neither contains what would end the element that it stands in. Uses: nothing. MT: any
 * thread. Ranks: local.
 */
#ifndef HD_PAGE_PROGRAM_H
#define HD_PAGE_PROGRAM_H

extern const char hd_page_script[], hd_page_script_end[]; /* JavaScript in UTF-8; a NUL stands at its end */
extern const char hd_page_style[], hd_page_style_end[];   /* CSS; likewise */

#endif

/* src/report/html/page_program.S: the program of the page, as bytes; see page_program.h. HD_PAGE_SCRIPT and HD_PAGE_STYLE are their files. */
    .section .rodata

    .global hd_page_script
    .global hd_page_script_end
hd_page_script:
    .incbin HD_PAGE_SCRIPT
hd_page_script_end:
    .byte 0

    .global hd_page_style
    .global hd_page_style_end
hd_page_style:
    .incbin HD_PAGE_STYLE
hd_page_style_end:
    .byte 0

    .section .note.GNU-stack, "", %progbits

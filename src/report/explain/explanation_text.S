/* src/report/explain/explanation_text.S: docs/explanations.md and docs/glossary.md as bytes; see explanation.h. */
    .section .rodata

    .global hd_explanation_text
hd_explanation_text:
    .incbin HD_EXPLANATIONS
    .byte 0

    .global hd_glossary_text
hd_glossary_text:
    .incbin HD_GLOSSARY
    .byte 0

    .section .note.GNU-stack, "", %progbits

/* src/record/object_identity.h: what tells builds of one program or library apart: a hash of its segments' addresses
 * and sizes, and of its notes, with the build id if the linker wrote one. The same loaded and in the file, stripped or
 * not. Uses: nothing. MT: any thread.
 */
#ifndef HD_OBJECT_IDENTITY_H
#define HD_OBJECT_IDENTITY_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_OBJECT_MAX_SEGMENTS = 64, HD_OBJECT_MAX_NOTES = 1024 }; /* that are looked at; bytes of notes in a segment */

/* Whether the segment's bytes count: the notes of the linker. */
static inline int
hd_object_identity_has_bytes(const Elf64_Phdr *segment)
{
    return segment->p_type == PT_NOTE && segment->p_filesz <= HD_OBJECT_MAX_NOTES;
}

/* identity: 0 before the first of the segments, which are added in their order. bytes: [p_filesz] of the segment, NULL:
 * they do not count or are not there. */
static inline uint64_t
hd_object_identity_add(uint64_t identity, const Elf64_Phdr *segment, const unsigned char *bytes)
{
    const uint64_t words[] = { segment->p_type, segment->p_vaddr, segment->p_filesz, segment->p_memsz };
    const uint64_t prime   = UINT64_C(1099511628211); /* FNV-1a */

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        identity = (identity ^ words[i]) * prime;
    for (size_t i = 0; bytes != NULL && i < segment->p_filesz; i++)
        identity = (identity ^ bytes[i]) * prime;
    return identity ^ identity >> 32;
}

#endif

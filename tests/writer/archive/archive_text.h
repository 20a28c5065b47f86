/* tests/writer/archive/archive_text.h: what libotf2 reads from an archive, as text. One thread. */
#ifndef ARCHIVE_TEXT_H
#define ARCHIVE_TEXT_H

/* The archive in the folder: lines of its definitions (clock, regions that are not the program's, windows), then one of
 * each record of all locations, by time. free() it. Ends the program if the archive cannot be read. */
char *tw_archive_text(const char *folder);

#endif

/* src/trace/read/event_reader.h: what reads event files (event_files.h). */
#ifndef HD_EVENT_READER_H
#define HD_EVENT_READER_H

typedef enum hd_event_reader {
    HD_READER_OWN, /* Heddle, but what it does not know the OTF2 library */
    HD_READER_OTF2 /* the OTF2 library */
} hd_event_reader;

#endif

/* src/base/archive_property.h: properties of archives that heddle record writes and analyses read. Uses: nothing.
 * MT: any thread. Ranks: local.
 */
#ifndef HD_ARCHIVE_PROPERTY_H
#define HD_ARCHIVE_PROPERTY_H

/* Of the archive: "4 threads share 2 processors of node n1". */
#define HD_SHARED_PROCESSORS_PROPERTY "HEDDLE::SHARED_PROCESSORS"
#define HD_SHARED_PROCESSORS_MEANS    "their times have waiting for a processor in them" /* in words, behind it */

#endif

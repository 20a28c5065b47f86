/* src/cli/commands/record/recording_notes.h: lines at the end of a recording: what of the run is not in it, and what to
 * know of it. On standard error; nothing where there is nothing to say.
 * Uses: record_finish, cli_core. MT: one thread. Ranks: local.
 */
#ifndef HD_RECORDING_NOTES_H
#define HD_RECORDING_NOTES_H

#include "finish.h"

void hd_recording_warn(const hd_finish_result *result);
void hd_recording_note(const hd_finish_result *result);

#endif

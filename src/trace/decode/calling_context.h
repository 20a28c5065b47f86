/* src/trace/decode/calling_context.h: samples, and calls recorded with the whole stack, become enters and leaves.
 * Inside of decode only.
 * Uses: region_stack. MT: the loading thread. Cost: regions that are entered and left, and the depth that is compared.
 */
#ifndef HD_CALLING_CONTEXT_H
#define HD_CALLING_CONTEXT_H

#include "region_stack.h"

/* Now: a call is entered, or else it is a sample. context_ref: number in the archive. */
void hd_decoder_context(hd_decoder *decoder, uint32_t context_ref, uint32_t unwind_distance, bool is_call);
/* Now: a call is left. */
void hd_decoder_context_leave(hd_decoder *decoder, uint32_t context_ref);
/* Now: the innermost regions that samples entered are left. There was a record with a context. */
void hd_decoder_contexts_close(hd_decoder *decoder);

#endif

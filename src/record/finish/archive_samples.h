/* src/record/finish/archive_samples.h: which functions are left and entered as a call stack says.
 *
 * A location has regions open: calls and constructs that were recorded, and functions that samples or the stacks of
 * calls have shown. Functions around the innermost call or construct stay as they are. Inside of it those that the
 * stack has in the same order stay, the others are left, and the rest of the stack is entered.
 * Uses: run_model. MT: any thread. Ranks: local.
 */
#ifndef HD_ARCHIVE_SAMPLES_H
#define HD_ARCHIVE_SAMPLES_H

#include "run_model.h"

typedef enum hd_opened_by {
    HD_OPENED_RECORDED,
    HD_OPENED_CALLER, /* of the one above it, with which it is left */
    HD_OPENED_SAMPLED
} hd_opened_by;

typedef struct hd_opened { /* a region */
    uint32_t     region;
    hd_opened_by by;
} hd_opened;

typedef struct hd_stack_change {
    size_t   n_stay;                      /* of those that are open */
    uint32_t n_entered;
    uint32_t entered[HD_RAW_MAX_PAYLOAD]; /* [n_entered] regions, the outermost first */
} hd_stack_change;

/* As the stack of a sample or of an enter has it: words[n], the innermost first. Of a stack without a name nothing is
 * changed. */
void hd_stack_change_find(const hd_recorded_run *run, const hd_run_process *process, const hd_opened *open,
                          size_t n_open, const uint64_t *words, uint32_t n, hd_stack_change *change);

/* The same where only the innermost function is known. HD_NONE: not even that, and all sampled ones are left. */
void hd_stack_change_to_function(const hd_opened *open, size_t n_open, uint32_t function, hd_stack_change *change);

/* Whether what is innermost runs functions of the program: a sample inside of another one shows a library. */
bool hd_stack_is_computing(const hd_recorded_run *run, const hd_opened *open, size_t n_open);

#endif

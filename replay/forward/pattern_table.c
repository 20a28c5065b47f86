/* replay/forward/pattern_table.c: the patterns of messages, in the order in which they are notified. */
#include "pattern_table.h"

#include "late_receiver.h"
#include "late_sender.h"
#include "message_matrix.h"
#include "message_observers.h"
#include "receive_counts.h"
#include "receive_overlap.h"

const hd_forward_pattern *const hd_pattern_table[] = {
    &hd_late_sender_pattern,
    &hd_message_observers_pattern,
    &hd_message_matrix_pattern,
    &hd_late_receiver_pattern,
    &hd_receive_overlap_pattern,
    &hd_receive_counts_pattern,
};
const uint32_t hd_pattern_table_n = sizeof hd_pattern_table / sizeof *hd_pattern_table;

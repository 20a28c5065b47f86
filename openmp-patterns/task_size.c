/* openmp-patterns/task_size.c: books each completed task in a class of size: powers of ten from a microsecond on. */
#include "task_size.h"

/* The class of a task by the time it ran: a power of ten of microseconds. Without overflow: ticks * 10^6 may not
 * fit. */
static hd_metric
class_of(hd_span ran, uint64_t resolution)
{
    static const struct {
        double    seconds;
        hd_metric metric;
    } classes[] = { { 1e-6, HD_METRIC_omp_task_count_1us },   { 1e-5, HD_METRIC_omp_task_count_10us },
                    { 1e-4, HD_METRIC_omp_task_count_100us }, { 1e-3, HD_METRIC_omp_task_count_1ms },
                    { 1e-2, HD_METRIC_omp_task_count_10ms } };

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if ((double)ran < classes[i].seconds * (double)resolution)
            return classes[i].metric;
    return HD_METRIC_omp_task_count_long;
}

/*   thread   ──[switch·[ task region ]··complete]──      execution: from each switch to the task until it leaves off
 *              |<------------------------------>|        switching: the part outside of its regions;
 *                                                        docs/metrics.md#openmp-tasks */
static void
book_task(const hd_thread_op *op, hd_severities *out, uint64_t resolution)
{
    if (op->completed) { /* not a part of a task that another thread completes, nor one that the recording ends in */
        hd_severity_add(out, HD_METRIC_omp_task_count, op->call_path, 1);
        hd_severity_add(out, class_of(op->total_time, resolution), op->call_path, 1);
    }
    if (op->task_time > 0)
        hd_severity_add(out, HD_METRIC_omp_task_time, op->call_path, op->task_time);
    if (op->task_time > op->region_time)
        hd_severity_add(out, HD_METRIC_omp_task_switch_time, op->call_path, op->task_time - op->region_time);
}

void
hd_task_size_book(const hd_thread_op *op, hd_severities *out, uint64_t resolution)
{
    if (op->kind == HD_THREAD_TASK)
        book_task(op, out, resolution);
    else if (op->task_time > 0)
        hd_severity_add(out, HD_METRIC_omp_taskwait_wait, op->call_path, op->task_time);
}

/* src/profile/metric_table.h: every metric of a report, once.
 *
 * HD_METRICS(X) has one row per metric, in the order of a report: a parent stands before its children, and what belongs
 * together stands together (pre-order). The enum, the entries of the anchor, the derivation and the help come from it;
 * what a metric means in every detail is in docs/metrics.md. Included by metric.h and metric.c only.
 *
 *   X(id, parent, name, unit, kind, build, bound, what)
 *     id      unique name in reports; `none` as parent: a root
 *     unit    TICKS (seconds in reports), OCC, BYTES
 *     kind    R measured; P a mask over regions times exclusive time or visits; S sum or difference of others; H
 *             heuristic
 *     build   when a report has it, see hd_metric_build; its parent must be there, too
 *     bound   what every value of it is at most, see hd_metric_bound; holds without --compat
 */
#ifndef HD_METRIC_TABLE_H
#define HD_METRIC_TABLE_H

/* clang-format off */
#define HD_METRICS_TIME(X) \
X(time, none, "Time", TICKS, R, ALL, NONE, "All the time that the locations spent, waiting included.") \
X(execution, time, "Execution", TICKS, P, ALL, PARENT, "Time in the program and its libraries, without what measuring added.") \
X(comp, execution, "Computation", TICKS, S, ALL, NONE, "Execution time outside of all parallel programming interfaces.") \
X(opencl_kernel_executions, comp, "OpenCL kernels", TICKS, P, OPENCL_KERNELS, PARENT, "Time that OpenCL kernels ran on a device.") \
X(cuda_kernel_executions, comp, "CUDA kernels", TICKS, P, CUDA_KERNELS, PARENT, "Time that CUDA kernels ran on a device.") \
X(mpi, execution, "MPI", TICKS, P, MPI, PARENT, "Time inside MPI functions.") \
X(mpi_management, mpi, "Management", TICKS, S, MPI, NONE, "Time in MPI calls that set up or take down something.") \
X(mpi_init_exit, mpi_management, "Init/Finalize", TICKS, P, MPI, PARENT, "Time in the calls that start and end MPI.") \
X(mpi_init_completion, mpi_init_exit, "Initialization Completion", TICKS, R, MPI, TIME, "Time in MPI_Init after the first process left it.") \
X(mpi_finalize_wait, mpi_init_exit, "Wait at Finalize", TICKS, R, MPI, TIME, "Time in MPI_Finalize until the last process arrived there.") \
X(mpi_mgmt_comm, mpi_management, "Communicator", TICKS, P, MPI, PARENT, "Time in calls about communicators and process topologies.") \
X(mpi_mgmt_file, mpi_management, "File", TICKS, P, MPI, PARENT, "Time in calls that open, close or configure MPI files.") \
X(mpi_file_wait, mpi_mgmt_file, "Wait at Open/Close", TICKS, R, FILE_WAITS, TIME, "Time in opening or closing a file until its last process arrived.") \
X(mpi_mgmt_win, mpi_management, "Window", TICKS, P, MPI, PARENT, "Time in calls that make, free or configure windows for one-sided communication.") \
X(mpi_rma_wait_at_create, mpi_mgmt_win, "Wait at Create", TICKS, R, MPI, TIME, "Time in a window's creation until its last process arrived.") \
X(mpi_rma_wait_at_free, mpi_mgmt_win, "Wait at Free", TICKS, R, MPI, TIME, "Time in the freeing of a window until its last process arrived.") \
X(mpi_synchronization, mpi, "Synchronization", TICKS, S, MPI, NONE, "Time in MPI calls that synchronize processes and move no data.") \
X(mpi_sync_collective, mpi_synchronization, "Collective", TICKS, P, MPI, PARENT, "Time in barriers.") \
X(mpi_barrier_wait, mpi_sync_collective, "Wait at Barrier", TICKS, R, MPI, TIME, "Time in a barrier until the last process arrived.") \
X(mpi_barrier_completion, mpi_sync_collective, "Barrier Completion", TICKS, R, MPI, TIME, "Time in a barrier after the first process left it.") \
X(mpi_rma_synchronization, mpi_synchronization, "One-sided", TICKS, S, MPI, NONE, "Time in the synchronization calls of one-sided communication.") \
X(mpi_rma_sync_active, mpi_rma_synchronization, "Active Target", TICKS, P, MPI, PARENT, "Time in fences and in the start, post, complete and wait calls of windows.") \
X(mpi_rma_sync_late_post, mpi_rma_sync_active, "Late Post", TICKS, R, MPI, TIME, "Time that a start or complete call waits for a target that has not posted its window yet.") \
X(mpi_rma_early_wait, mpi_rma_sync_active, "Early Wait", TICKS, R, MPI, TIME, "Time that a target waits for the last process that has not completed its accesses.") \
X(mpi_rma_late_complete, mpi_rma_early_wait, "Late Complete", TICKS, R, MPI, PARENT, "The part of it between the end of the last access and its completing call.") \
X(mpi_rma_wait_at_fence, mpi_rma_sync_active, "Wait at Fence", TICKS, R, MPI, TIME, "Time in a fence until the last process arrived.") \
X(mpi_rma_early_fence, mpi_rma_wait_at_fence, "Early Fence", TICKS, R, MPI, PARENT, "The part of it that accesses in progress cause.") \
X(mpi_rma_sync_passive, mpi_rma_synchronization, "Passive Target", TICKS, P, MPI, PARENT, "Time in the lock, unlock and flush calls of windows.") \
X(mpi_rma_sync_lock_competition, mpi_rma_sync_passive, "Lock Contention", TICKS, R, MPI, TIME, "Time that a lock or unlock call waits for a lock that another process holds.") \
X(mpi_rma_sync_wait_for_progress, mpi_rma_sync_passive, "Wait for Progress", TICKS, R, MPI, TIME, "Time that a lock, unlock or flush call waits until the target enters MPI.") \
X(mpi_communication, mpi, "Communication", TICKS, S, MPI, NONE, "Time in MPI calls that move data between processes.") \
X(mpi_point2point, mpi_communication, "Point-to-point", TICKS, P, MPI, PARENT, "Time in calls that send, receive or complete messages.") \
X(mpi_latesender, mpi_point2point, "Late Sender", TICKS, R, MPI, TIME, "Time that a receiver waits because the send starts later than the receive.") \
X(mpi_latesender_wo, mpi_latesender, "Messages in Wrong Order", TICKS, R, MPI, PARENT, "The avoidable part of it: a message that was sent earlier could have been received first.") \
X(mpi_lswo_different, mpi_latesender_wo, "From different sources", TICKS, R, MPI, PARENT, "The late message and the earlier one come from different processes.") \
X(mpi_lswo_same, mpi_latesender_wo, "From same source", TICKS, R, MPI, PARENT, "The late message and the earlier one come from the same process.") \
X(mpi_ls_refill, mpi_latesender, "Pipeline refill", TICKS, R, TOPOLOGY, PARENT, "The part in the first message of a sweep on each axis of the process grid: a wavefront starts from another side. For wavefront codes only; overlaps Messages in Wrong Order.") \
X(mpi_ls_refill_p, mpi_ls_refill, "Refill +", TICKS, R, GRID_1, PARENT, "Of sweeps towards larger coordinates.") \
X(mpi_ls_refill_n, mpi_ls_refill, "Refill -", TICKS, R, GRID_1, PARENT, "Of sweeps towards smaller coordinates.") \
X(mpi_ls_refill_pp, mpi_ls_refill, "From South-West", TICKS, R, GRID_2, PARENT, "Of sweeps that run up on the first axis and up on the second.") \
X(mpi_ls_refill_np, mpi_ls_refill, "From South-East", TICKS, R, GRID_2, PARENT, "Of sweeps that run down on the first axis and up on the second.") \
X(mpi_ls_refill_nn, mpi_ls_refill, "From North-East", TICKS, R, GRID_2, PARENT, "Of sweeps that run down on the first axis and down on the second.") \
X(mpi_ls_refill_pn, mpi_ls_refill, "From North-West", TICKS, R, GRID_2, PARENT, "Of sweeps that run up on the first axis and down on the second.") \
X(mpi_ls_refill_ppp, mpi_ls_refill, "Refill + + +", TICKS, R, GRID_3, PARENT, "Of sweeps that run up, up and up on the three axes.") \
X(mpi_ls_refill_ppn, mpi_ls_refill, "Refill + + -", TICKS, R, GRID_3, PARENT, "Of sweeps that run up, up and down on the three axes.") \
X(mpi_ls_refill_pnp, mpi_ls_refill, "Refill + - +", TICKS, R, GRID_3, PARENT, "Of sweeps that run up, down and up on the three axes.") \
X(mpi_ls_refill_pnn, mpi_ls_refill, "Refill + - -", TICKS, R, GRID_3, PARENT, "Of sweeps that run up, down and down on the three axes.") \
X(mpi_ls_refill_npp, mpi_ls_refill, "Refill - + +", TICKS, R, GRID_3, PARENT, "Of sweeps that run down, up and up on the three axes.") \
X(mpi_ls_refill_npn, mpi_ls_refill, "Refill - + -", TICKS, R, GRID_3, PARENT, "Of sweeps that run down, up and down on the three axes.") \
X(mpi_ls_refill_nnp, mpi_ls_refill, "Refill - - +", TICKS, R, GRID_3, PARENT, "Of sweeps that run down, down and up on the three axes.") \
X(mpi_ls_refill_nnn, mpi_ls_refill, "Refill - - -", TICKS, R, GRID_3, PARENT, "Of sweeps that run down, down and down on the three axes.") \
X(mpi_latereceiver, mpi_point2point, "Late Receiver", TICKS, R, MPI, TIME, "Time that a sender is blocked until the receive is posted.") \
X(mpi_collective, mpi_communication, "Collective", TICKS, P, MPI, PARENT, "Time in collective communication.") \
X(mpi_earlyreduce, mpi_collective, "Early Reduce", TICKS, R, MPI, TIME, "Time that the root of a reduction or gather waits for the last sender.") \
X(mpi_earlyscan, mpi_collective, "Early Scan", TICKS, R, MPI, TIME, "Time in a prefix reduction until the last process of lower rank arrived.") \
X(mpi_latebroadcast, mpi_collective, "Late Broadcast", TICKS, R, MPI, TIME, "Time in a broadcast or scatter until the root arrived.") \
X(mpi_wait_nxn, mpi_collective, "Wait at N x N", TICKS, R, MPI, TIME, "Time in an N-to-N operation until the last process arrived.") \
X(mpi_nxn_completion, mpi_collective, "N x N Completion", TICKS, R, MPI, TIME, "Time in an N-to-N operation after the first process left it.") \
X(mpi_rma_communication, mpi_communication, "One-sided", TICKS, P, MPI, PARENT, "Time in puts, gets and atomic accesses to windows.") \
X(mpi_rma_comm_late_post, mpi_rma_communication, "Late Post", TICKS, R, MPI, TIME, "Time that an access waits for a target that has not posted its window yet.") \
X(mpi_rma_comm_lock_competition, mpi_rma_communication, "Lock Contention", TICKS, R, MPI, TIME, "Time that an access waits for a lock that another process holds.") \
X(mpi_rma_earlytransfer, mpi_rma_communication, "Early Transfer", TICKS, R, EXTENSION, TIME, "Time of an access until its own target posts its window.") \
X(mpi_rma_comm_wait_for_progress, mpi_rma_communication, "Wait for Progress", TICKS, R, MPI, TIME, "Time that an access waits until the target enters MPI.") \
X(mpi_io, mpi, "File I/O", TICKS, S, MPI, NONE, "Time in MPI calls that read or write files.") \
X(mpi_io_individual, mpi_io, "Individual", TICKS, P, MPI, PARENT, "Time in reads and writes that each process does on its own.") \
X(mpi_io_collective, mpi_io, "Collective", TICKS, P, MPI, PARENT, "Time in reads and writes that processes do together.") \
X(mpi_io_wait, mpi_io_collective, "Wait at Collective I/O", TICKS, R, FILE_WAITS, TIME, "Time in a collective read or write until its last process arrived.") \
X(shmem, execution, "SHMEM", TICKS, P, SHMEM, PARENT, "Time inside SHMEM functions.") \
X(shmem_init_exit, shmem, "Init/Finalize", TICKS, P, SHMEM, PARENT, "Time in the calls that start and end SHMEM.") \
X(shmem_memory_management, shmem, "Memory management", TICKS, P, SHMEM, PARENT, "Time in calls that allocate and free symmetric memory.") \
X(shmem_synchronization, shmem, "Synchronization", TICKS, S, SHMEM, PARENT, "Time in SHMEM calls that synchronize processes and move no data.") \
X(shmem_sync_collective, shmem_synchronization, "Collective", TICKS, P, SHMEM, PARENT, "Time in barriers.") \
X(shmem_barrier_wait, shmem_sync_collective, "Wait at Barrier", TICKS, R, SHMEM, TIME, "Time in a barrier until the last process arrived.") \
X(shmem_point2point_synchronization, shmem_synchronization, "Point-to-point", TICKS, P, SHMEM, PARENT, "Time in calls for locks, events and order, and in those that wait for or test a variable.") \
X(shmem_lock_completion, shmem_point2point_synchronization, "Lock Completion", TICKS, P, SHMEM, PARENT, "The part of it in calls that set, clear and test locks.") \
X(shmem_wait_until, shmem_point2point_synchronization, "Wait Until", TICKS, P, SHMEM, PARENT, "The part of it in calls that wait until another process changes a variable.") \
X(shmem_communication, shmem, "Communication", TICKS, S, SHMEM, PARENT, "Time in SHMEM calls that move data between processes.") \
X(shmem_collective, shmem_communication, "Collective", TICKS, P, SHMEM, PARENT, "Time in collective communication.") \
X(shmem_latebroadcast, shmem_collective, "Late Broadcast", TICKS, R, SHMEM, TIME, "Time in a broadcast until the root arrived.") \
X(shmem_wait_nxn, shmem_collective, "Wait at N x N", TICKS, R, SHMEM, TIME, "Time in an N-to-N operation until the last process arrived.") \
X(shmem_rma_communication, shmem_communication, "One-sided", TICKS, P, SHMEM, PARENT, "Time in puts, gets and atomic updates.") \
X(omp_time, execution, "OpenMP", TICKS, S, OPENMP, NONE, "Time in OpenMP constructs and the OpenMP runtime.") \
X(omp_management, omp_time, "Management", TICKS, R, OPENMP, TIME, "Time to fork and join teams of threads.") \
X(omp_fork, omp_management, "Fork", TICKS, R, OPENMP, PARENT, "The part of it before the threads of a team begin.") \
X(omp_synchronization, omp_time, "Synchronization", TICKS, S, OPENMP, NONE, "Time in OpenMP constructs that synchronize threads.") \
X(omp_barrier, omp_synchronization, "Barrier", TICKS, S, OPENMP, NONE, "Time in barriers of a team.") \
X(omp_ebarrier, omp_barrier, "Explicit", TICKS, P, OPENMP, PARENT, "Time in barrier constructs.") \
X(omp_ebarrier_wait, omp_ebarrier, "Wait at Barrier", TICKS, R, OPENMP, TIME, "Time in an explicit barrier until the last thread arrived.") \
X(omp_ibarrier, omp_barrier, "Implicit", TICKS, P, OPENMP, PARENT, "Time in the barriers at the end of other constructs.") \
X(omp_ibarrier_wait, omp_ibarrier, "Wait at Barrier", TICKS, R, OPENMP, TIME, "Time in an implicit barrier until the last thread arrived.") \
X(omp_critical, omp_synchronization, "Critical", TICKS, P, OPENMP, PARENT, "Time at critical sections and atomic updates.") \
X(omp_lock_contention_critical, omp_critical, "Lock Contention", TICKS, R, OPENMP, TIME, "Time that a thread waits for another thread to leave a critical section.") \
X(omp_lock_api, omp_synchronization, "Lock API", TICKS, P, OPENMP, PARENT, "Time in the lock functions of OpenMP.") \
X(omp_lock_contention_api, omp_lock_api, "Lock Contention", TICKS, R, OPENMP, TIME, "Time that a thread waits for a lock that another thread holds.") \
X(omp_ordered, omp_synchronization, "Ordered", TICKS, P, OPENMP, PARENT, "Time at ordered constructs.") \
X(omp_taskwait, omp_synchronization, "Task Wait", TICKS, P, OPENMP, PARENT, "Time in taskwait constructs.") \
X(omp_taskwait_wait, omp_taskwait, "Wait for tasks", TICKS, R, OPENMP_EXTENSION, TIME, "Time in a taskwait in which the thread runs no other task.") \
X(omp_flush, omp_time, "Flush", TICKS, P, OPENMP, PARENT, "Time in flush constructs.") \
X(pthread_time, execution, "POSIX threads", TICKS, S, PTHREAD, NONE, "Time in functions of the POSIX threads library.") \
X(pthread_management, pthread_time, "Management", TICKS, P, PTHREAD, PARENT, "Time to create, join, detach and end threads.") \
X(pthread_synchronization, pthread_time, "Synchronization", TICKS, S, PTHREAD, NONE, "Time in functions for mutexes and condition variables.") \
X(pthread_lock_api, pthread_synchronization, "Mutex", TICKS, P, PTHREAD, PARENT, "Time in functions for mutexes.") \
X(pthread_lock_contention_mutex_lock, pthread_lock_api, "Lock Contention", TICKS, R, PTHREAD, TIME, "Time that a thread waits for a mutex that another thread holds.") \
X(pthread_conditional, pthread_synchronization, "Condition", TICKS, P, PTHREAD, PARENT, "Time in functions for condition variables.") \
X(pthread_lock_contention_conditional, pthread_conditional, "Lock Contention", TICKS, R, PTHREAD, TIME, "Time that a thread waits for a condition, up to the last release of the mutex by another thread.") \
X(openacc_time, execution, "OpenACC", TICKS, P, OPENACC, PARENT, "Time in the OpenACC runtime.") \
X(openacc_setup, openacc_time, "Initialization and Finalization", TICKS, P, OPENACC, PARENT, "Time to start and end OpenACC.") \
X(openacc_comm, openacc_time, "Memory management", TICKS, P, OPENACC, PARENT, "Time to copy data to a device and back.") \
X(openacc_sync, openacc_time, "Synchronization", TICKS, P, OPENACC, PARENT, "Time that the host waits for a device.") \
X(openacc_kernel_launches, openacc_time, "Kernel launches", TICKS, P, OPENACC, PARENT, "Time to launch kernels.") \
X(opencl_time, execution, "OpenCL", TICKS, P, OPENCL, PARENT, "Time in OpenCL outside of kernels.") \
X(opencl_setup, opencl_time, "General management", TICKS, P, OPENCL, PARENT, "Time for devices, contexts, programs, queues and events.") \
X(opencl_comm, opencl_time, "Memory management", TICKS, P, OPENCL, PARENT, "Time to allocate device memory and to copy data.") \
X(opencl_sync, opencl_time, "Synchronization", TICKS, P, OPENCL, PARENT, "Time that the host waits for a device.") \
X(opencl_kernel_launches, opencl_time, "Kernel launches", TICKS, P, OPENCL, PARENT, "Time to prepare and launch kernels.") \
X(cuda_time, execution, "CUDA", TICKS, P, CUDA, PARENT, "Time in CUDA outside of kernels.") \
X(cuda_setup, cuda_time, "General management", TICKS, P, CUDA, PARENT, "Time for devices, contexts, streams, modules and events.") \
X(cuda_comm, cuda_time, "Memory management", TICKS, P, CUDA, PARENT, "Time to allocate device memory and to copy data.") \
X(cuda_sync, cuda_time, "Synchronization", TICKS, P, CUDA, PARENT, "Time that the host waits for a device.") \
X(cuda_kernel_launches, cuda_time, "Kernel launches", TICKS, P, CUDA, PARENT, "Time to prepare and launch kernels.") \
X(overhead, time, "Overhead", TICKS, P, ALL, PARENT, "Time that the measurement took for itself, such as writing its buffers.") \
X(omp_idle_threads, time, "Idle threads", TICKS, H, OPENMP, NONE, "Time that worker threads are idle while their master thread runs serial code.") \
X(omp_limited_parallelism, omp_idle_threads, "Limited parallelism", TICKS, H, OPENMP, NONE, "The part of it during parallel regions that use fewer threads.")

#define HD_METRICS_COUNTS(X) \
X(visits, none, "Visits", OCC, R, ALL, NONE, "How often a call path was entered.") \
X(syncs, none, "MPI synchronizations", OCC, S, MPI, NONE, "MPI operations that carry no data.") \
X(syncs_p2p, syncs, "Point-to-point", OCC, S, MPI, NONE, "Messages of zero bytes, sent and received.") \
X(syncs_send, syncs_p2p, "Sends", OCC, R, MPI, NONE, "Messages of zero bytes sent.") \
X(mpi_slr_count, syncs_send, "Late Receivers", OCC, R, MPI, NONE, "Those whose sender waited for the receiver.") \
X(syncs_recv, syncs_p2p, "Receives", OCC, R, MPI, NONE, "Messages of zero bytes received.") \
X(mpi_sls_count, syncs_recv, "Late Senders", OCC, R, MPI, PARENT, "Those whose receiver waited for the sender.") \
X(mpi_slswo_count, mpi_sls_count, "Messages in Wrong Order", OCC, R, MPI, PARENT, "Those in whose place a message that was sent earlier could have been received.") \
X(syncs_coll, syncs, "Collective", OCC, R, MPI, NONE, "Collective operations without data, such as barriers.") \
X(syncs_rma, syncs, "One-sided", OCC, S, MPI, NONE, "Synchronization calls of one-sided communication.") \
X(syncs_rma_active, syncs_rma, "Active target", OCC, P, MPI, NONE, "Calls of fence, start, post, complete, wait and test.") \
X(syncs_rma_passive, syncs_rma, "Passive target", OCC, P, MPI, NONE, "Calls of lock, unlock, flush and sync.") \
X(mpi_rma_pairsync_count, none, "MPI pair-wise one-sided synchronizations", OCC, R, MPI, NONE, "Pairs of processes that were synchronized by one-sided synchronization calls.") \
X(mpi_rma_pairsync_unneeded_count, mpi_rma_pairsync_count, "Unneeded synchronizations", OCC, R, MPI, PARENT, "Those pairs that exchanged no data.") \
X(comms, none, "MPI communications", OCC, S, MPI, NONE, "MPI operations that carry data.") \
X(comms_p2p, comms, "Point-to-point", OCC, S, MPI, NONE, "Messages with data, sent and received.") \
X(comms_send, comms_p2p, "Sends", OCC, R, MPI, NONE, "Messages with data sent.") \
X(mpi_clr_count, comms_send, "Late Receivers", OCC, R, MPI, NONE, "Those whose sender waited for the receiver.") \
X(comms_recv, comms_p2p, "Receives", OCC, R, MPI, NONE, "Messages with data received.") \
X(mpi_cls_count, comms_recv, "Late Senders", OCC, R, MPI, PARENT, "Those whose receiver waited for the sender.") \
X(mpi_clswo_count, mpi_cls_count, "Messages in Wrong Order", OCC, R, MPI, PARENT, "Those in whose place a message that was sent earlier could have been received.") \
X(comms_coll, comms, "Collective", OCC, S, MPI, NONE, "Collective operations that carry data.") \
X(comms_cxch, comms_coll, "Exchange", OCC, R, MPI, NONE, "Collective operations in which the process both gave and got data.") \
X(comms_csrc, comms_coll, "As source", OCC, R, MPI, NONE, "Collective operations in which the process only gave data.") \
X(comms_cdst, comms_coll, "As destination", OCC, R, MPI, NONE, "Collective operations in which the process only got data.") \
X(comms_rma, comms, "One-sided", OCC, S, MPI, NONE, "Accesses to windows.") \
X(comms_rma_puts, comms_rma, "Puts", OCC, P, MPI, NONE, "Calls that write to a window.") \
X(comms_rma_gets, comms_rma, "Gets", OCC, P, MPI, NONE, "Calls that read from a window.") \
X(comms_rma_atomics, comms_rma, "Atomics", OCC, P, MPI, NONE, "Calls that update a window atomically.") \
X(mpi_file_ops, none, "MPI file operations", OCC, S, MPI, NONE, "Calls about MPI files.") \
X(mpi_file_iops, mpi_file_ops, "Individual", OCC, P, MPI, NONE, "Calls that each process does on its own.") \
X(mpi_file_irops, mpi_file_iops, "Reads", OCC, P, MPI, PARENT, "Those that read.") \
X(mpi_file_iwops, mpi_file_iops, "Writes", OCC, P, MPI, PARENT, "Those that write.") \
X(mpi_file_cops, mpi_file_ops, "Collective", OCC, P, MPI, NONE, "Calls that processes do together.") \
X(mpi_file_crops, mpi_file_cops, "Reads", OCC, P, MPI, PARENT, "Those that read.") \
X(mpi_file_cwops, mpi_file_cops, "Writes", OCC, P, MPI, PARENT, "Those that write.") \
X(bytes, none, "MPI bytes transferred", BYTES, S, MPI, NONE, "Bytes that MPI moved, counted on both sides.") \
X(bytes_p2p, bytes, "Point-to-point", BYTES, S, MPI, NONE, "Bytes of messages.") \
X(bytes_sent, bytes_p2p, "Sent", BYTES, R, MPI, NONE, "Bytes of messages sent.") \
X(bytes_rcvd, bytes_p2p, "Received", BYTES, R, MPI, NONE, "Bytes of messages received.") \
X(bytes_coll, bytes, "Collective", BYTES, S, MPI, NONE, "Bytes of collective operations.") \
X(bytes_cout, bytes_coll, "Outgoing", BYTES, R, MPI, NONE, "Bytes given to collective operations.") \
X(bytes_cin, bytes_coll, "Incoming", BYTES, R, MPI, NONE, "Bytes got from collective operations.") \
X(bytes_rma, bytes, "One-sided", BYTES, S, MPI, NONE, "Bytes of accesses to windows.") \
X(bytes_put, bytes_rma, "Sent", BYTES, R, MPI, NONE, "Bytes written to windows of other processes.") \
X(bytes_get, bytes_rma, "Received", BYTES, R, MPI, NONE, "Bytes read from windows of other processes.")

#define HD_METRICS_CAUSES(X) \
X(delay, none, "Delay costs", TICKS, S, DELAY, NONE, "Waiting time, attributed to the call paths whose excess time caused it.") \
X(delay_mpi, delay, "MPI", TICKS, S, MPI, NONE, "Delays that made other processes wait.") \
X(delay_p2p, delay_mpi, "Point-to-point", TICKS, S, MPI, NONE, "Delays that made the partner of a message wait.") \
X(delay_latesender_aggregate, delay_p2p, "Late Sender", TICKS, S, MPI, NONE, "Delays of senders.") \
X(delay_latesender, delay_latesender_aggregate, "Short-term", TICKS, R, MPI, NONE, "The receiver waits for this delay directly.") \
X(delay_latesender_longterm, delay_latesender_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_latereceiver_aggregate, delay_p2p, "Late Receiver", TICKS, S, MPI, NONE, "Delays of receivers.") \
X(delay_latereceiver, delay_latereceiver_aggregate, "Short-term", TICKS, R, MPI, NONE, "The sender waits for this delay directly.") \
X(delay_latereceiver_longterm, delay_latereceiver_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_collective, delay_mpi, "Collective", TICKS, S, MPI, NONE, "Delays that made others wait in a collective operation.") \
X(delay_barrier_aggregate, delay_collective, "Wait at Barrier", TICKS, S, MPI, NONE, "Delays before barriers.") \
X(delay_barrier, delay_barrier_aggregate, "Short-term", TICKS, R, MPI, NONE, "The others wait for this delay directly.") \
X(delay_barrier_longterm, delay_barrier_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_n21_aggregate, delay_collective, "Early Reduce", TICKS, S, MPI, NONE, "Delays of senders of reductions and gathers.") \
X(delay_n21, delay_n21_aggregate, "Short-term", TICKS, R, MPI, NONE, "The root waits for this delay directly.") \
X(delay_n21_longterm, delay_n21_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_12n_aggregate, delay_collective, "Late Broadcast", TICKS, S, MPI, NONE, "Delays of roots of broadcasts and scatters.") \
X(delay_12n, delay_12n_aggregate, "Short-term", TICKS, R, MPI, NONE, "The others wait for this delay directly.") \
X(delay_12n_longterm, delay_12n_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_n2n_aggregate, delay_collective, "Wait at N x N", TICKS, S, MPI, NONE, "Delays before N-to-N operations.") \
X(delay_n2n, delay_n2n_aggregate, "Short-term", TICKS, R, MPI, NONE, "The others wait for this delay directly.") \
X(delay_n2n_longterm, delay_n2n_aggregate, "Long-term", TICKS, R, MPI, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_scan_aggregate, delay_collective, "Early Scan", TICKS, S, EXTENSION, NONE, "Delays of processes of lower rank before prefix reductions.") \
X(delay_scan, delay_scan_aggregate, "Short-term", TICKS, R, EXTENSION, NONE, "Waiting time in prefix reductions, attributed to the processes of lower rank that arrived late.") \
X(delay_scan_longterm, delay_scan_aggregate, "Long-term", TICKS, R, EXTENSION, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_nbc_aggregate, delay_mpi, "Non-blocking collectives", TICKS, S, EXTENSION, NONE, "Delays of processes that started their part late.") \
X(delay_nbc, delay_nbc_aggregate, "Short-term", TICKS, R, EXTENSION, NONE, "Waiting time for non-blocking collectives, attributed to the processes that started their part late.") \
X(delay_nbc_longterm, delay_nbc_aggregate, "Long-term", TICKS, R, EXTENSION, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_omp, delay, "OpenMP", TICKS, S, OPENMP, NONE, "Delays that made other threads wait.") \
X(delay_ompbarrier_aggregate, delay_omp, "Wait at Barrier", TICKS, S, OPENMP, NONE, "Delays before barriers of a team.") \
X(delay_ompbarrier, delay_ompbarrier_aggregate, "Short-term", TICKS, R, OPENMP, NONE, "The other threads wait for this delay directly.") \
X(delay_ompbarrier_longterm, delay_ompbarrier_aggregate, "Long-term", TICKS, R, LONG_TERM, NONE, "The delay is passed on by a thread that itself had to wait.") \
X(delay_ompidle_aggregate, delay_omp, "Idleness delay costs", TICKS, S, OPENMP, NONE, "Work of one thread while the others of the process are idle.") \
X(delay_ompidle, delay_ompidle_aggregate, "Short-term", TICKS, R, OPENMP, NONE, "The other threads are idle because of it directly.") \
X(delay_ompidle_longterm, delay_ompidle_aggregate, "Long-term", TICKS, R, LONG_TERM, NONE, "The idleness is passed on by a thread that itself had to wait.") \
X(delay_omplock_aggregate, delay_omp, "Lock contention", TICKS, S, OPENMP_EXTENSION, NONE, "Delays of threads that held a lock or were in a critical section.") \
X(delay_omplock, delay_omplock_aggregate, "Short-term", TICKS, R, OPENMP_EXTENSION, NONE, "Waiting time for locks and critical sections, attributed to what their owner did before the release.") \
X(delay_omplock_longterm, delay_omplock_aggregate, "Long-term", TICKS, R, OPENMP_EXTENSION, NONE, "The delay is passed on by a thread that itself had to wait.") \
X(delay_pthreadlock_aggregate, delay, "POSIX lock contention", TICKS, S, PTHREAD_EXTENSION, NONE, "Delays of threads that held a mutex.") \
X(delay_pthreadlock, delay_pthreadlock_aggregate, "Short-term", TICKS, R, PTHREAD_EXTENSION, NONE, "Waiting time for mutexes and conditions, attributed to what the owner of the mutex did before the release.") \
X(delay_pthreadlock_longterm, delay_pthreadlock_aggregate, "Long-term", TICKS, R, PTHREAD_EXTENSION, NONE, "The delay is passed on by a thread that itself had to wait.") \
X(delay_rma_aggregate, delay, "One-sided communication", TICKS, S, ONE_SIDED_EXTENSION, NONE, "Delays that made other processes wait at windows, and in collectives of SHMEM.") \
X(delay_rma, delay_rma_aggregate, "Short-term", TICKS, R, ONE_SIDED_EXTENSION, NONE, "Waiting time at windows, and in collectives of SHMEM, attributed to the processes that were late to post, complete, arrive or release a lock.") \
X(delay_rma_longterm, delay_rma_aggregate, "Long-term", TICKS, R, ONE_SIDED_EXTENSION, NONE, "The delay is passed on by a process that itself had to wait.") \
X(delay_fileio_aggregate, delay, "File I/O", TICKS, S, FILE_WAITS, NONE, "Delays that made other processes wait in collective calls on files.") \
X(delay_fileio, delay_fileio_aggregate, "Short-term", TICKS, R, FILE_WAITS, NONE, "The others wait for this delay directly.") \
X(delay_fileio_longterm, delay_fileio_aggregate, "Long-term", TICKS, R, FILE_WAITS, NONE, "The delay is passed on by a process that itself had to wait.") \
X(waitstates_propagating_vs_terminal, none, "MPI point-to-point wait states (propagating vs. terminal)", TICKS, S, MPI, NONE, "Waiting time at messages, divided by whether it makes others wait, too.") \
X(mpi_wait_propagating, waitstates_propagating_vs_terminal, "Propagating wait states", TICKS, S, MPI, NONE, "Waiting time that made others wait later on.") \
X(mpi_wait_propagating_ls, mpi_wait_propagating, "Late Sender", TICKS, R, MPI, TIME, "Such waiting time of receivers.") \
X(mpi_wait_propagating_lr, mpi_wait_propagating, "Late Receiver", TICKS, R, MPI, TIME, "Such waiting time of senders.") \
X(mpi_wait_terminal, waitstates_propagating_vs_terminal, "Terminal wait states", TICKS, S, MPI, NONE, "Waiting time that ends where it is.") \
X(mpi_wait_terminal_ls, mpi_wait_terminal, "Late Sender", TICKS, S, MPI, NONE, "Such waiting time of receivers.") \
X(mpi_wait_terminal_lr, mpi_wait_terminal, "Late Receiver", TICKS, S, MPI, NONE, "Such waiting time of senders.") \
X(waitstates_direct_vs_indirect, none, "MPI point-to-point wait states (direct vs. indirect)", TICKS, S, MPI, NONE, "Waiting time at messages, divided by whether the partner was slow or had to wait itself.") \
X(mpi_wait_direct, waitstates_direct_vs_indirect, "Direct wait states", TICKS, S, MPI, NONE, "Waiting time that excess work of the partner caused.") \
X(mpi_wait_direct_latesender, mpi_wait_direct, "Late Sender", TICKS, S, MPI, NONE, "Such waiting time of receivers.") \
X(mpi_wait_direct_latereceiver, mpi_wait_direct, "Late Receiver", TICKS, S, MPI, NONE, "Such waiting time of senders.") \
X(mpi_wait_indirect, waitstates_direct_vs_indirect, "Indirect wait states", TICKS, S, MPI, NONE, "Waiting time that waiting of the partner caused.") \
X(mpi_wait_indirect_latesender, mpi_wait_indirect, "Late Sender", TICKS, R, MPI, TIME, "Such waiting time of receivers.") \
X(mpi_wait_indirect_latereceiver, mpi_wait_indirect, "Late Receiver", TICKS, R, MPI, TIME, "Such waiting time of senders.") \
X(critical_path, none, "Critical path", TICKS, R, PARALLEL, NONE, "Time on the longest chain of dependent activities, which determines the run time.") \
X(critical_path_imbalance, critical_path, "Imbalance", TICKS, P, PARALLEL, PARENT, "How much longer the call path is on the critical path than it is on average.") \
X(performance_impact, none, "Performance impact", TICKS, S, PARALLEL, NONE, "Allocated core time of the run, attributed to the call paths that used it or made others wait.") \
X(performance_impact_criticalpath, performance_impact, "Critical-path activities", TICKS, S, PARALLEL, NONE, "The part of call paths on the critical path.") \
X(critical_path_activities, performance_impact_criticalpath, "Activity impact", TICKS, R, PARALLEL, NONE, "Time in these call paths on each location, up to their time on the critical path.") \
X(critical_imbalance_impact, performance_impact_criticalpath, "Imbalance impact", TICKS, R, PARALLEL, NONE, "Time lost on other locations because work on the critical path is not balanced.") \
X(intra_partition_imbalance, critical_imbalance_impact, "Intra-partition imbalance", TICKS, S, PARALLEL, NONE, "The part among processes that do the same kind of work.") \
X(inter_partition_imbalance, critical_imbalance_impact, "Inter-partition imbalance", TICKS, R, PARALLEL, NONE, "The part among processes that do different kinds of work.") \
X(non_critical_path_activities, performance_impact, "Non-critical-path activities", TICKS, R, PARALLEL, NONE, "Time in these call paths beyond their time on the critical path.") \
X(imbalance, none, "Computational imbalance", TICKS, H, ALL, NONE, "How far the computation of a location is from the average.") \
X(imbalance_above, imbalance, "Overload", TICKS, H, ALL, PARENT, "Computation above the average.") \
X(imbalance_above_single, imbalance_above, "Single participant", TICKS, H, ALL, NONE, "The part on a location that is the only one to do the work.") \
X(imbalance_below, imbalance, "Underload", TICKS, H, ALL, PARENT, "Computation below the average.") \
X(imbalance_below_bypass, imbalance_below, "Non-participation", TICKS, H, ALL, NONE, "The part on locations that never do the work.") \
X(imbalance_below_singularity, imbalance_below_bypass, "Singularity", TICKS, H, ALL, NONE, "The part where one other location does all of it.")

/* Not among the names of scout, as the extensions among the delay costs above. */
#define HD_METRICS_EXTENSIONS(X) \
X(delay_unattributed, none, "Unattributed waiting time", TICKS, S, THREADS_EXTENSION, NONE, "Waiting time that cannot be attributed to a delay: no process did more than the others, or not enough more.") \
X(delay_unattributed_latesender, delay_unattributed, "Late Sender", TICKS, R, EXTENSION, NONE, "Such waiting time of receivers.") \
X(delay_unattributed_latereceiver, delay_unattributed, "Late Receiver", TICKS, R, EXTENSION, NONE, "Such waiting time of senders.") \
X(delay_unattributed_barrier, delay_unattributed, "Wait at Barrier", TICKS, R, EXTENSION, NONE, "Such waiting time in barriers.") \
X(delay_unattributed_n21, delay_unattributed, "Early Reduce", TICKS, R, EXTENSION, NONE, "Such waiting time of roots of reductions and gathers.") \
X(delay_unattributed_12n, delay_unattributed, "Late Broadcast", TICKS, R, EXTENSION, NONE, "Such waiting time in broadcasts and scatters.") \
X(delay_unattributed_n2n, delay_unattributed, "Wait at N x N", TICKS, R, EXTENSION, NONE, "Such waiting time in N-to-N operations.") \
X(delay_unattributed_ompbarrier, delay_unattributed, "Wait at OpenMP barrier", TICKS, R, OPENMP_EXTENSION, NONE, "Such waiting time of threads at barriers of their team.") \
X(delay_unattributed_scan, delay_unattributed, "Early Scan", TICKS, R, EXTENSION, NONE, "Such waiting time in prefix reductions.") \
X(delay_unattributed_nbc, delay_unattributed, "Non-blocking collectives", TICKS, R, EXTENSION, NONE, "Such waiting time for non-blocking collectives.") \
X(delay_unattributed_fileio, delay_unattributed, "File I/O", TICKS, R, FILE_WAITS, NONE, "Such waiting time in collective calls on files.") \
X(delay_unattributed_rma, delay_unattributed, "One-sided communication", TICKS, R, ONE_SIDED_EXTENSION, NONE, "Such waiting time at windows.") \
X(delay_unattributed_ompidle, delay_unattributed, "Idle threads", TICKS, R, OPENMP_EXTENSION, NONE, "Such idle time of threads.") \
X(delay_unattributed_omplock, delay_unattributed, "OpenMP lock contention", TICKS, R, OPENMP_EXTENSION, NONE, "Such waiting time for locks and critical sections.") \
X(delay_unattributed_pthreadlock, delay_unattributed, "POSIX lock contention", TICKS, R, PTHREAD_EXTENSION, NONE, "Such waiting time for mutexes and conditions.") \
X(mpi_nbc_wait, none, "Wait in non-blocking collectives", TICKS, R, EXTENSION, TIME, "Time in a completing call until the processes that it needs have started their part.") \
X(mpi_nbc_barrier_wait, mpi_nbc_wait, "Wait at Barrier", TICKS, R, EXTENSION, PARENT, "The part in non-blocking barriers.") \
X(mpi_nbc_wait_nxn, mpi_nbc_wait, "Wait at N x N", TICKS, R, EXTENSION, PARENT, "The part in non-blocking N-to-N operations.") \
X(mpi_nbc_latebroadcast, mpi_nbc_wait, "Late Broadcast", TICKS, R, EXTENSION, PARENT, "The part in non-blocking broadcasts and scatters.") \
X(mpi_nbc_earlyreduce, mpi_nbc_wait, "Early Reduce", TICKS, R, EXTENSION, PARENT, "The part in non-blocking reductions and gathers.") \
X(mpi_nbc_earlyscan, mpi_nbc_wait, "Early Scan", TICKS, R, EXTENSION, PARENT, "The part in non-blocking prefix reductions.") \
X(mpi_receive_overlap, none, "Overlap of non-blocking receives", TICKS, R, EXTENSION, NONE, "Time in which a message could travel while its receiver did other things, before it called to complete the receive.") \
X(io_time, none, "File operations", TICKS, S, FILES, NONE, "Time in calls for files. Where one interface calls another one, as MPI-IO does, the time is that of the inner call.") \
X(io_time_mpi, io_time, "MPI-IO", TICKS, P, FILES, PARENT, "Time in MPI functions for files.") \
X(io_time_other, io_time, "POSIX, ISO C and others", TICKS, P, FILES, PARENT, "Time in functions of all other interfaces.") \
X(io_time_metadata, io_time_other, "Metadata", TICKS, P, FILES, PARENT, "The part of it in functions that move no data, such as opening and closing.") \
X(io_operations, none, "Operations on files", OCC, S, FILES, NONE, "Operations on files that the program asked for.") \
X(io_reads, io_operations, "Reads", OCC, R, FILES, NONE, "Operations that read.") \
X(io_writes, io_operations, "Writes", OCC, R, FILES, NONE, "Operations that write.") \
X(io_others, io_operations, "Others", OCC, R, FILES, NONE, "Opens, closes, seeks, flushes, locks and the like.") \
X(io_bytes, none, "Bytes read and written", BYTES, S, FILES, NONE, "Bytes that the program read from files and wrote to them.") \
X(io_bytes_read, io_bytes, "Read", BYTES, R, FILES, NONE, "Bytes read, at the call path where the read began.") \
X(io_bytes_written, io_bytes, "Written", BYTES, R, FILES, NONE, "Bytes written, at the call path where the write began.") \
X(io_inner_operations, none, "Inner operations on files", OCC, R, FILES, NONE, "Operations that one interface did through another one, such as those of MPI-IO through POSIX.") \
X(io_inner_bytes, none, "Bytes of inner operations", BYTES, S, FILES, NONE, "Bytes that one interface moved through another one.") \
X(io_inner_bytes_read, io_inner_bytes, "Read", BYTES, R, FILES, NONE, "Those read.") \
X(io_inner_bytes_written, io_inner_bytes, "Written", BYTES, R, FILES, NONE, "Those written.") \
X(mpi_refill_count, none, "Pipeline refills", OCC, R, TOPOLOGY, NONE, "Sweeps over the process grid, at the first message of each. A program with about as many as messages has no sweeps.") \
X(topo_hops, none, "Hops", OCC, R, TOPOLOGY, NONE, "Distance of sender and receiver on the process grid, summed up over messages.") \
X(topo_byte_hops, none, "Byte hops", BYTES, R, TOPOLOGY, NONE, "Bytes of messages times their distance.") \
X(topo_neighbour_comms, none, "Messages between neighbours", OCC, R, TOPOLOGY, NONE, "Messages over a distance of 1.") \
X(topo_remote_comms, none, "Messages to remote processes", OCC, R, TOPOLOGY, NONE, "Messages over a distance of more than 1.") \
X(topo_latesender_xp, none, "Late Sender, x +", TICKS, R, TOPOLOGY, TIME, "Waiting for messages from a neighbour, towards larger coordinates on the first axis.") \
X(topo_latesender_xn, none, "Late Sender, x -", TICKS, R, TOPOLOGY, TIME, "Waiting for messages from a neighbour, towards smaller coordinates on the first axis.") \
X(topo_latesender_yp, none, "Late Sender, y +", TICKS, R, AXIS_2, TIME, "Waiting for messages from a neighbour, towards larger coordinates on the second axis.") \
X(topo_latesender_yn, none, "Late Sender, y -", TICKS, R, AXIS_2, TIME, "Waiting for messages from a neighbour, towards smaller coordinates on the second axis.") \
X(topo_latesender_zp, none, "Late Sender, z +", TICKS, R, AXIS_3, TIME, "Waiting for messages from a neighbour, towards larger coordinates on the third axis.") \
X(topo_latesender_zn, none, "Late Sender, z -", TICKS, R, AXIS_3, TIME, "Waiting for messages from a neighbour, towards smaller coordinates on the third axis.") \
X(topo_comms, none, "Messages by hops", OCC, S, HOPS, NONE, "Messages sent, by the distance of sender and receiver on the process grid.") \
X(topo_comms_h0, topo_comms, "0 hops", OCC, R, HOPS_0, PARENT, "Messages between processes at one place.") \
X(topo_comms_h1, topo_comms, "1 hop", OCC, R, HOPS_1, PARENT, "Messages between processes 1 hop apart.") \
X(topo_comms_h2, topo_comms, "2 hops", OCC, R, HOPS_2, PARENT, "Messages between processes 2 hops apart.") \
X(topo_comms_h4, topo_comms, "3 to 4 hops", OCC, R, HOPS_4, PARENT, "Messages between processes 3 to 4 hops apart.") \
X(topo_comms_h8, topo_comms, "5 to 8 hops", OCC, R, HOPS_8, PARENT, "Messages between processes 5 to 8 hops apart.") \
X(topo_comms_h16, topo_comms, "9 to 16 hops", OCC, R, HOPS_16, PARENT, "Messages between processes 9 to 16 hops apart.") \
X(topo_comms_hmore, topo_comms, "17 hops and more", OCC, R, HOPS_MORE, PARENT, "Messages between processes 17 hops or more apart.") \
X(topo_bytes, none, "Bytes by hops", BYTES, S, HOPS, NONE, "Bytes sent in messages, by the distance of sender and receiver on the process grid.") \
X(topo_bytes_h0, topo_bytes, "0 hops", BYTES, R, HOPS_0, PARENT, "Bytes between processes at one place.") \
X(topo_bytes_h1, topo_bytes, "1 hop", BYTES, R, HOPS_1, PARENT, "Bytes between processes 1 hop apart.") \
X(topo_bytes_h2, topo_bytes, "2 hops", BYTES, R, HOPS_2, PARENT, "Bytes between processes 2 hops apart.") \
X(topo_bytes_h4, topo_bytes, "3 to 4 hops", BYTES, R, HOPS_4, PARENT, "Bytes between processes 3 to 4 hops apart.") \
X(topo_bytes_h8, topo_bytes, "5 to 8 hops", BYTES, R, HOPS_8, PARENT, "Bytes between processes 5 to 8 hops apart.") \
X(topo_bytes_h16, topo_bytes, "9 to 16 hops", BYTES, R, HOPS_16, PARENT, "Bytes between processes 9 to 16 hops apart.") \
X(topo_bytes_hmore, topo_bytes, "17 hops and more", BYTES, R, HOPS_MORE, PARENT, "Bytes between processes 17 hops or more apart.") \
X(topo_latesender, none, "Late Sender by hops", TICKS, S, HOPS, TIME, "Late Sender time, by the distance of sender and receiver on the process grid.") \
X(topo_latesender_h0, topo_latesender, "0 hops", TICKS, R, HOPS_0, PARENT, "Late Sender time between processes at one place.") \
X(topo_latesender_h1, topo_latesender, "1 hop", TICKS, R, HOPS_1, PARENT, "Late Sender time between processes 1 hop apart.") \
X(topo_latesender_h2, topo_latesender, "2 hops", TICKS, R, HOPS_2, PARENT, "Late Sender time between processes 2 hops apart.") \
X(topo_latesender_h4, topo_latesender, "3 to 4 hops", TICKS, R, HOPS_4, PARENT, "Late Sender time between processes 3 to 4 hops apart.") \
X(topo_latesender_h8, topo_latesender, "5 to 8 hops", TICKS, R, HOPS_8, PARENT, "Late Sender time between processes 5 to 8 hops apart.") \
X(topo_latesender_h16, topo_latesender, "9 to 16 hops", TICKS, R, HOPS_16, PARENT, "Late Sender time between processes 9 to 16 hops apart.") \
X(topo_latesender_hmore, topo_latesender, "17 hops and more", TICKS, R, HOPS_MORE, PARENT, "Late Sender time between processes 17 hops or more apart.") \
X(topo_latereceiver, none, "Late Receiver by hops", TICKS, S, HOPS, TIME, "Late Receiver time, by the distance of sender and receiver on the process grid.") \
X(topo_latereceiver_h0, topo_latereceiver, "0 hops", TICKS, R, HOPS_0, PARENT, "Late Receiver time between processes at one place.") \
X(topo_latereceiver_h1, topo_latereceiver, "1 hop", TICKS, R, HOPS_1, PARENT, "Late Receiver time between processes 1 hop apart.") \
X(topo_latereceiver_h2, topo_latereceiver, "2 hops", TICKS, R, HOPS_2, PARENT, "Late Receiver time between processes 2 hops apart.") \
X(topo_latereceiver_h4, topo_latereceiver, "3 to 4 hops", TICKS, R, HOPS_4, PARENT, "Late Receiver time between processes 3 to 4 hops apart.") \
X(topo_latereceiver_h8, topo_latereceiver, "5 to 8 hops", TICKS, R, HOPS_8, PARENT, "Late Receiver time between processes 5 to 8 hops apart.") \
X(topo_latereceiver_h16, topo_latereceiver, "9 to 16 hops", TICKS, R, HOPS_16, PARENT, "Late Receiver time between processes 9 to 16 hops apart.") \
X(topo_latereceiver_hmore, topo_latereceiver, "17 hops and more", TICKS, R, HOPS_MORE, PARENT, "Late Receiver time between processes 17 hops or more apart.") \
X(machine_comms, none, "Messages by distance on the machine", OCC, S, MACHINE, NONE, "Messages sent, by what sender and receiver have in common.") \
X(machine_comms_process, machine_comms, "Within the process", OCC, R, NEAR_PROCESS, PARENT, "Messages between a process and itself.") \
X(machine_comms_core, machine_comms, "Same core", OCC, R, NEAR_CORE, PARENT, "Messages between processes on one core.") \
X(machine_comms_numa, machine_comms, "Same NUMA domain", OCC, R, NEAR_NUMA, PARENT, "Messages between processes on different cores of one NUMA domain.") \
X(machine_comms_socket, machine_comms, "Same socket", OCC, R, NEAR_SOCKET, PARENT, "Messages between processes in different NUMA domains of one socket.") \
X(machine_comms_node, machine_comms, "Same node", OCC, R, NEAR_NODE, PARENT, "Messages between processes on one node, with nothing nearer in common that is known.") \
X(machine_comms_switch, machine_comms, "Same switch", OCC, R, NEAR_SWITCH, PARENT, "Messages between processes on different nodes at one switch, or in one part of the machine just above the nodes.") \
X(machine_comms_switch2, machine_comms, "Two levels of switches", OCC, R, NEAR_SWITCH_2, PARENT, "Messages between processes with the second level above the nodes in common.") \
X(machine_comms_switch3, machine_comms, "Three levels of switches", OCC, R, NEAR_SWITCH_3, PARENT, "Messages between processes with the third level above the nodes, or a higher one, in common.") \
X(machine_comms_remote, machine_comms, "Remote", OCC, R, NEAR_REMOTE, PARENT, "Messages between processes on different nodes that have only the whole machine in common.") \
X(machine_bytes, none, "Bytes by distance on the machine", BYTES, S, MACHINE, NONE, "Bytes sent in messages, by what sender and receiver have in common.") \
X(machine_bytes_process, machine_bytes, "Within the process", BYTES, R, NEAR_PROCESS, PARENT, "Bytes between a process and itself.") \
X(machine_bytes_core, machine_bytes, "Same core", BYTES, R, NEAR_CORE, PARENT, "Bytes between processes on one core.") \
X(machine_bytes_numa, machine_bytes, "Same NUMA domain", BYTES, R, NEAR_NUMA, PARENT, "Bytes between processes on different cores of one NUMA domain.") \
X(machine_bytes_socket, machine_bytes, "Same socket", BYTES, R, NEAR_SOCKET, PARENT, "Bytes between processes in different NUMA domains of one socket.") \
X(machine_bytes_node, machine_bytes, "Same node", BYTES, R, NEAR_NODE, PARENT, "Bytes between processes on one node, with nothing nearer in common that is known.") \
X(machine_bytes_switch, machine_bytes, "Same switch", BYTES, R, NEAR_SWITCH, PARENT, "Bytes between processes on different nodes at one switch, or in one part of the machine just above the nodes.") \
X(machine_bytes_switch2, machine_bytes, "Two levels of switches", BYTES, R, NEAR_SWITCH_2, PARENT, "Bytes between processes with the second level above the nodes in common.") \
X(machine_bytes_switch3, machine_bytes, "Three levels of switches", BYTES, R, NEAR_SWITCH_3, PARENT, "Bytes between processes with the third level above the nodes, or a higher one, in common.") \
X(machine_bytes_remote, machine_bytes, "Remote", BYTES, R, NEAR_REMOTE, PARENT, "Bytes between processes on different nodes that have only the whole machine in common.") \
X(machine_latesender, none, "Late Sender by distance on the machine", TICKS, S, MACHINE, TIME, "Late Sender time, by what sender and receiver have in common.") \
X(machine_latesender_process, machine_latesender, "Within the process", TICKS, R, NEAR_PROCESS, PARENT, "Late Sender time between a process and itself.") \
X(machine_latesender_core, machine_latesender, "Same core", TICKS, R, NEAR_CORE, PARENT, "Late Sender time between processes on one core.") \
X(machine_latesender_numa, machine_latesender, "Same NUMA domain", TICKS, R, NEAR_NUMA, PARENT, "Late Sender time between processes on different cores of one NUMA domain.") \
X(machine_latesender_socket, machine_latesender, "Same socket", TICKS, R, NEAR_SOCKET, PARENT, "Late Sender time between processes in different NUMA domains of one socket.") \
X(machine_latesender_node, machine_latesender, "Same node", TICKS, R, NEAR_NODE, PARENT, "Late Sender time between processes on one node, with nothing nearer in common that is known.") \
X(machine_latesender_switch, machine_latesender, "Same switch", TICKS, R, NEAR_SWITCH, PARENT, "Late Sender time between processes on different nodes at one switch, or in one part of the machine just above the nodes.") \
X(machine_latesender_switch2, machine_latesender, "Two levels of switches", TICKS, R, NEAR_SWITCH_2, PARENT, "Late Sender time between processes with the second level above the nodes in common.") \
X(machine_latesender_switch3, machine_latesender, "Three levels of switches", TICKS, R, NEAR_SWITCH_3, PARENT, "Late Sender time between processes with the third level above the nodes, or a higher one, in common.") \
X(machine_latesender_remote, machine_latesender, "Remote", TICKS, R, NEAR_REMOTE, PARENT, "Late Sender time between processes on different nodes that have only the whole machine in common.") \
X(machine_latereceiver, none, "Late Receiver by distance on the machine", TICKS, S, MACHINE, TIME, "Late Receiver time, by what sender and receiver have in common.") \
X(machine_latereceiver_process, machine_latereceiver, "Within the process", TICKS, R, NEAR_PROCESS, PARENT, "Late Receiver time between a process and itself.") \
X(machine_latereceiver_core, machine_latereceiver, "Same core", TICKS, R, NEAR_CORE, PARENT, "Late Receiver time between processes on one core.") \
X(machine_latereceiver_numa, machine_latereceiver, "Same NUMA domain", TICKS, R, NEAR_NUMA, PARENT, "Late Receiver time between processes on different cores of one NUMA domain.") \
X(machine_latereceiver_socket, machine_latereceiver, "Same socket", TICKS, R, NEAR_SOCKET, PARENT, "Late Receiver time between processes in different NUMA domains of one socket.") \
X(machine_latereceiver_node, machine_latereceiver, "Same node", TICKS, R, NEAR_NODE, PARENT, "Late Receiver time between processes on one node, with nothing nearer in common that is known.") \
X(machine_latereceiver_switch, machine_latereceiver, "Same switch", TICKS, R, NEAR_SWITCH, PARENT, "Late Receiver time between processes on different nodes at one switch, or in one part of the machine just above the nodes.") \
X(machine_latereceiver_switch2, machine_latereceiver, "Two levels of switches", TICKS, R, NEAR_SWITCH_2, PARENT, "Late Receiver time between processes with the second level above the nodes in common.") \
X(machine_latereceiver_switch3, machine_latereceiver, "Three levels of switches", TICKS, R, NEAR_SWITCH_3, PARENT, "Late Receiver time between processes with the third level above the nodes, or a higher one, in common.") \
X(machine_latereceiver_remote, machine_latereceiver, "Remote", TICKS, R, NEAR_REMOTE, PARENT, "Late Receiver time between processes on different nodes that have only the whole machine in common.") \
X(omp_task_count, none, "OpenMP tasks", OCC, R, OPENMP_EXTENSION, NONE, "Explicit tasks that were completed.") \
X(omp_task_count_1us, omp_task_count, "Below 1 us", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for less than a microsecond: too fine.") \
X(omp_task_count_10us, omp_task_count, "1 to 10 us", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for 1 to 10 microseconds.") \
X(omp_task_count_100us, omp_task_count, "10 to 100 us", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for 10 to 100 microseconds.") \
X(omp_task_count_1ms, omp_task_count, "100 us to 1 ms", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for 100 microseconds to a millisecond.") \
X(omp_task_count_10ms, omp_task_count, "1 to 10 ms", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for 1 to 10 milliseconds.") \
X(omp_task_count_long, omp_task_count, "10 ms and more", OCC, R, OPENMP_EXTENSION, PARENT, "Tasks that ran for 10 milliseconds or longer.") \
X(omp_task_time, none, "OpenMP task execution", TICKS, R, OPENMP_EXTENSION, NONE, "Time in which explicit tasks ran; divided by their number, their mean size.") \
X(omp_task_switch_time, omp_task_time, "Switching", TICKS, R, OPENMP_EXTENSION, PARENT, "The part outside of the task's own regions: starting, resuming and ending it.") \
X(omp_task_create_time, none, "OpenMP task creation", TICKS, P, OPENMP_EXTENSION, TIME, "Time in constructs that create tasks.") \
X(omp_lock_competition, none, "OpenMP lock competition", TICKS, S, OPENMP_EXTENSION, NONE, "Waiting for critical sections and for locks, together.")
/* clang-format on */

#define HD_METRICS(X) HD_METRICS_TIME(X) HD_METRICS_COUNTS(X) HD_METRICS_CAUSES(X) HD_METRICS_EXTENSIONS(X)

#endif

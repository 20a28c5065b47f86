/* src/trace/read/event_records.h: the numbers and fields of all records of events that OTF2 3 has.
 *
 * HD_EVENT_<kind>(F) is F(type, name) for each field after the time, in the order in which files have them and OTF2
 * hands them over. The type says how a field is written (event_decode.h). Who reads events has a list of X(kind, what
 * is done with it) and makes handlers of it (event_handlers.h, decode/event_callbacks.c, clock/clock_read.c,
 * extract/cut_records.c). Kinds that are left out of a list are passed over. Those of OpenMP, at the end, are what
 * archives had before OTF2 1.2.
 */
#ifndef HD_EVENT_RECORDS_H
#define HD_EVENT_RECORDS_H

/* The parameters of a callback: after a field another one, or those that all callbacks have. */
#define HD_PARAMETER(type, name) , type name
#define HD_ARGUMENT(type, name) , name
#define HD_EVENT_PARAMETERS OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,             \
    OTF2_AttributeList *attributes

/* X(number, kind). Records begin with the number of their kind, a byte. Then these have a single field. */
#define HD_EVENT_REGIONS(X) X(12, Enter) X(13, Leave)
#define HD_EVENT_NUMBERS(X) \
    X(16, MpiIsendComplete) X(17, MpiIrecvRequest) X(20, MpiRequestTest) X(21, MpiRequestCancelled) X(24, OmpFork) \
    X(28, OmpTaskCreate) X(29, OmpTaskSwitch) X(30, OmpTaskComplete)
/* The others have the length of what follows before it. */
#define HD_EVENT_FIELDS(X) \
    X(10, BufferFlush) X(11, MeasurementOnOff) X(14, MpiSend) X(15, MpiIsend) X(18, MpiRecv) X(19, MpiIrecv) \
    X(22, MpiCollectiveBegin) X(23, MpiCollectiveEnd) X(25, OmpJoin) X(26, OmpAcquireLock) X(27, OmpReleaseLock) \
    X(32, ParameterString) X(33, ParameterInt) X(34, ParameterUnsignedInt) X(35, RmaWinCreate) X(36, RmaWinDestroy) \
    X(37, RmaCollectiveBegin) X(38, RmaCollectiveEnd) X(39, RmaGroupSync) X(40, RmaRequestLock) X(41, RmaAcquireLock) \
    X(42, RmaTryLock) X(43, RmaReleaseLock) X(44, RmaSync) X(45, RmaWaitChange) X(46, RmaPut) X(47, RmaGet) \
    X(48, RmaAtomic) X(49, RmaOpCompleteBlocking) X(50, RmaOpCompleteNonBlocking) X(51, RmaOpTest) \
    X(52, RmaOpCompleteRemote) X(53, ThreadFork) X(54, ThreadJoin) X(55, ThreadTeamBegin) X(56, ThreadTeamEnd) \
    X(57, ThreadAcquireLock) X(58, ThreadReleaseLock) X(59, ThreadTaskCreate) X(60, ThreadTaskSwitch) \
    X(61, ThreadTaskComplete) X(62, ThreadCreate) X(63, ThreadBegin) X(64, ThreadWait) X(65, ThreadEnd) \
    X(66, CallingContextEnter) X(67, CallingContextLeave) X(68, CallingContextSample) X(69, IoCreateHandle) \
    X(70, IoDestroyHandle) X(71, IoDuplicateHandle) X(72, IoSeek) X(73, IoChangeStatusFlags) X(74, IoDeleteFile) \
    X(75, IoOperationBegin) X(76, IoOperationTest) X(77, IoOperationIssued) X(78, IoOperationComplete) \
    X(79, IoOperationCancelled) X(80, IoAcquireLock) X(81, IoReleaseLock) X(82, IoTryLock) X(84, ProgramEnd) \
    X(85, NonBlockingCollectiveRequest) X(86, NonBlockingCollectiveComplete) X(87, CommCreate) X(88, CommDestroy)
#define HD_EVENT_LISTS(X) X(31, Metric) X(83, ProgramBegin)
#define HD_EVENT_KINDS(X) HD_EVENT_REGIONS(X) HD_EVENT_NUMBERS(X) HD_EVENT_FIELDS(X) HD_EVENT_LISTS(X)

#define HD_EVENT_Unknown(F)
#define HD_EVENT_BufferFlush(F) F(OTF2_TimeStamp, stop)
#define HD_EVENT_MeasurementOnOff(F) F(OTF2_MeasurementMode, mode)
#define HD_EVENT_Enter(F) F(OTF2_RegionRef, region)
#define HD_EVENT_Leave(F) F(OTF2_RegionRef, region)
#define HD_EVENT_MpiSend(F) F(uint32_t, receiver) F(OTF2_CommRef, communicator) F(uint32_t, tag) F(uint64_t, bytes)
#define HD_EVENT_MpiIsend(F) F(uint32_t, receiver) F(OTF2_CommRef, communicator) F(uint32_t, tag) F(uint64_t, bytes) \
    F(uint64_t, request)
#define HD_EVENT_MpiIsendComplete(F) F(uint64_t, request)
#define HD_EVENT_MpiIrecvRequest(F) F(uint64_t, request)
#define HD_EVENT_MpiRecv(F) F(uint32_t, sender) F(OTF2_CommRef, communicator) F(uint32_t, tag) F(uint64_t, bytes)
#define HD_EVENT_MpiIrecv(F) F(uint32_t, sender) F(OTF2_CommRef, communicator) F(uint32_t, tag) F(uint64_t, bytes) \
    F(uint64_t, request)
#define HD_EVENT_MpiRequestTest(F) F(uint64_t, request)
#define HD_EVENT_MpiRequestCancelled(F) F(uint64_t, request)
#define HD_EVENT_MpiCollectiveBegin(F)
#define HD_EVENT_MpiCollectiveEnd(F) F(OTF2_CollectiveOp, operation) F(OTF2_CommRef, communicator) F(uint32_t, root) \
    F(uint64_t, sent) F(uint64_t, received)
#define HD_EVENT_Metric(F) F(OTF2_MetricRef, metric) F(uint8_t, n_metrics) F(const OTF2_Type *, types) \
    F(const OTF2_MetricValue *, values)
#define HD_EVENT_ParameterString(F) F(OTF2_ParameterRef, parameter) F(OTF2_StringRef, string)
#define HD_EVENT_ParameterInt(F) F(OTF2_ParameterRef, parameter) F(int64_t, value)
#define HD_EVENT_ParameterUnsignedInt(F) F(OTF2_ParameterRef, parameter) F(uint64_t, value)
#define HD_EVENT_RmaWinCreate(F) F(OTF2_RmaWinRef, window)
#define HD_EVENT_RmaWinDestroy(F) F(OTF2_RmaWinRef, window)
#define HD_EVENT_RmaCollectiveBegin(F)
#define HD_EVENT_RmaCollectiveEnd(F) F(OTF2_CollectiveOp, operation) F(OTF2_RmaSyncLevel, level) \
    F(OTF2_RmaWinRef, window) F(uint32_t, root) F(uint64_t, sent) F(uint64_t, received)
#define HD_EVENT_RmaGroupSync(F) F(OTF2_RmaSyncLevel, level) F(OTF2_RmaWinRef, window) F(OTF2_GroupRef, group)
#define HD_EVENT_RmaRequestLock(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, lock) \
    F(OTF2_LockType, type)
#define HD_EVENT_RmaAcquireLock(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, lock) \
    F(OTF2_LockType, type)
#define HD_EVENT_RmaTryLock(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, lock) F(OTF2_LockType, type)
#define HD_EVENT_RmaReleaseLock(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, lock)
#define HD_EVENT_RmaSync(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(OTF2_RmaSyncType, type)
#define HD_EVENT_RmaWaitChange(F) F(OTF2_RmaWinRef, window)
#define HD_EVENT_RmaPut(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, bytes) F(uint64_t, matching)
#define HD_EVENT_RmaGet(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(uint64_t, bytes) F(uint64_t, matching)
#define HD_EVENT_RmaAtomic(F) F(OTF2_RmaWinRef, window) F(uint32_t, remote) F(OTF2_RmaAtomicType, type) \
    F(uint64_t, sent) F(uint64_t, received) F(uint64_t, matching)
#define HD_EVENT_RmaOpCompleteBlocking(F) F(OTF2_RmaWinRef, window) F(uint64_t, matching)
#define HD_EVENT_RmaOpCompleteNonBlocking(F) F(OTF2_RmaWinRef, window) F(uint64_t, matching)
#define HD_EVENT_RmaOpTest(F) F(OTF2_RmaWinRef, window) F(uint64_t, matching)
#define HD_EVENT_RmaOpCompleteRemote(F) F(OTF2_RmaWinRef, window) F(uint64_t, matching)
#define HD_EVENT_ThreadFork(F) F(OTF2_Paradigm, model) F(uint32_t, n_threads)
#define HD_EVENT_ThreadJoin(F) F(OTF2_Paradigm, model)
#define HD_EVENT_ThreadTeamBegin(F) F(OTF2_CommRef, team)
#define HD_EVENT_ThreadTeamEnd(F) F(OTF2_CommRef, team)
#define HD_EVENT_ThreadAcquireLock(F) F(OTF2_Paradigm, model) F(uint32_t, lock) F(uint32_t, order)
#define HD_EVENT_ThreadReleaseLock(F) F(OTF2_Paradigm, model) F(uint32_t, lock) F(uint32_t, order)
#define HD_EVENT_ThreadTaskCreate(F) F(OTF2_CommRef, team) F(uint32_t, thread) F(uint32_t, generation)
#define HD_EVENT_ThreadTaskSwitch(F) F(OTF2_CommRef, team) F(uint32_t, thread) F(uint32_t, generation)
#define HD_EVENT_ThreadTaskComplete(F) F(OTF2_CommRef, team) F(uint32_t, thread) F(uint32_t, generation)
#define HD_EVENT_ThreadCreate(F) F(OTF2_CommRef, contingent) F(uint64_t, sequence)
#define HD_EVENT_ThreadBegin(F) F(OTF2_CommRef, contingent) F(uint64_t, sequence)
#define HD_EVENT_ThreadWait(F) F(OTF2_CommRef, contingent) F(uint64_t, sequence)
#define HD_EVENT_ThreadEnd(F) F(OTF2_CommRef, contingent) F(uint64_t, sequence)
#define HD_EVENT_CallingContextEnter(F) F(OTF2_CallingContextRef, context) F(uint32_t, unwind_distance)
#define HD_EVENT_CallingContextLeave(F) F(OTF2_CallingContextRef, context)
#define HD_EVENT_CallingContextSample(F) F(OTF2_CallingContextRef, context) F(uint32_t, unwind_distance) \
    F(OTF2_InterruptGeneratorRef, sampler)
#define HD_EVENT_IoCreateHandle(F) F(OTF2_IoHandleRef, handle) F(OTF2_IoAccessMode, mode) \
    F(OTF2_IoCreationFlag, creation_flags) F(OTF2_IoStatusFlag, status_flags)
#define HD_EVENT_IoDestroyHandle(F) F(OTF2_IoHandleRef, handle)
#define HD_EVENT_IoDuplicateHandle(F) F(OTF2_IoHandleRef, old_handle) F(OTF2_IoHandleRef, new_handle) \
    F(OTF2_IoStatusFlag, status_flags)
#define HD_EVENT_IoSeek(F) F(OTF2_IoHandleRef, handle) F(int64_t, offset_request) F(OTF2_IoSeekOption, whence) \
    F(uint64_t, offset_result)
#define HD_EVENT_IoChangeStatusFlags(F) F(OTF2_IoHandleRef, handle) F(OTF2_IoStatusFlag, status_flags)
#define HD_EVENT_IoDeleteFile(F) F(OTF2_IoParadigmRef, io_paradigm) F(OTF2_IoFileRef, file)
#define HD_EVENT_IoOperationBegin(F) F(OTF2_IoHandleRef, handle) F(OTF2_IoOperationMode, mode) \
    F(OTF2_IoOperationFlag, operation_flags) F(uint64_t, bytes_request) F(uint64_t, matching)
#define HD_EVENT_IoOperationTest(F) F(OTF2_IoHandleRef, handle) F(uint64_t, matching)
#define HD_EVENT_IoOperationIssued(F) F(OTF2_IoHandleRef, handle) F(uint64_t, matching)
#define HD_EVENT_IoOperationComplete(F) F(OTF2_IoHandleRef, handle) F(uint64_t, bytes) F(uint64_t, matching)
#define HD_EVENT_IoOperationCancelled(F) F(OTF2_IoHandleRef, handle) F(uint64_t, matching)
#define HD_EVENT_IoAcquireLock(F) F(OTF2_IoHandleRef, handle) F(OTF2_LockType, type)
#define HD_EVENT_IoReleaseLock(F) F(OTF2_IoHandleRef, handle) F(OTF2_LockType, type)
#define HD_EVENT_IoTryLock(F) F(OTF2_IoHandleRef, handle) F(OTF2_LockType, type)
#define HD_EVENT_ProgramBegin(F) F(OTF2_StringRef, name) F(uint32_t, n_arguments) F(const OTF2_StringRef *, arguments)
#define HD_EVENT_ProgramEnd(F) F(int64_t, exit_status)
#define HD_EVENT_NonBlockingCollectiveRequest(F) F(uint64_t, request)
#define HD_EVENT_NonBlockingCollectiveComplete(F) F(OTF2_CollectiveOp, operation) F(OTF2_CommRef, communicator) \
    F(uint32_t, root) F(uint64_t, sent) F(uint64_t, received) F(uint64_t, request)
#define HD_EVENT_CommCreate(F) F(OTF2_CommRef, communicator)
#define HD_EVENT_CommDestroy(F) F(OTF2_CommRef, communicator)
#define HD_EVENT_OmpFork(F) F(uint32_t, n_threads)
#define HD_EVENT_OmpJoin(F)
#define HD_EVENT_OmpAcquireLock(F) F(uint32_t, lock) F(uint32_t, order)
#define HD_EVENT_OmpReleaseLock(F) F(uint32_t, lock) F(uint32_t, order)
#define HD_EVENT_OmpTaskCreate(F) F(uint64_t, task)
#define HD_EVENT_OmpTaskSwitch(F) F(uint64_t, task)
#define HD_EVENT_OmpTaskComplete(F) F(uint64_t, task)

#endif

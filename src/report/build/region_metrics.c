#include "region_metrics.h"

#include <string.h>

#include "memory.h"
#include "status.h"
#include "wait_series.h"

/* Lists of names without their prefix, each between blanks. */
static const char mpi_mgmt_comm_names[] =
    " Cart_coords Cart_create Cart_get Cart_map Cart_rank Cart_shift Cart_sub Cartdim_get Comm_accept Comm_compare "
    "Comm_connect Comm_create Comm_create_group Comm_create_keyval Comm_delete_attr Comm_disconnect Comm_dup "
    "Comm_dup_with_info Comm_free Comm_free_keyval Comm_get_attr Comm_get_info Comm_get_name Comm_get_parent "
    "Comm_group Comm_idup Comm_join Comm_rank Comm_remote_group Comm_remote_size Comm_set_attr Comm_set_info "
    "Comm_set_name Comm_size Comm_spawn Comm_spawn_multiple Comm_split Comm_split_type Comm_test_inter Dims_create "
    "Dist_graph_create Dist_graph_create_adjacent Dist_graph_neighbors Dist_graph_neighbors_count Graph_create "
    "Graph_get Graph_map Graph_neighbors Graph_neighbors_count Graphdims_get Intercomm_create Intercomm_merge "
    "Topo_test Close_port Open_port Lookup_name Publish_name Unpublish_name ";
static const char mpi_mgmt_file_names[] =
    " close delete get_amode get_atomicity get_byte_offset get_group get_info get_position get_position_shared "
    "get_size get_type_extent get_view open preallocate seek seek_shared set_atomicity set_info set_size set_view "
    "sync ";
static const char mpi_mgmt_win_names[] =
    " allocate allocate_shared attach create create_dynamic create_keyval delete_attr detach free free_keyval "
    "get_attr get_group get_info get_name set_attr set_info set_name shared_query ";
static const char mpi_sync_active_names[] =
    " complete fence post start test wait ";
static const char mpi_sync_passive_names[] =
    " flush flush_all flush_local flush_local_all lock lock_all unlock unlock_all sync ";
static const char mpi_io_individual_names[] =
    " read read_at read_shared write write_at write_shared iread iread_at iread_shared iwrite iwrite_at iwrite_shared ";
static const char mpi_io_collective_names[] =
    " iread_all iread_at_all iwrite_all iwrite_at_all read_all read_all_begin read_all_end read_at_all "
    "read_at_all_begin read_at_all_end read_ordered read_ordered_begin read_ordered_end write_all write_all_begin "
    "write_all_end write_at_all write_at_all_begin write_at_all_end write_ordered write_ordered_begin "
    "write_ordered_end ";
static const char omp_lock_names[] =
    " destroy destroy_nest init init_nest set set_nest test test_nest unset unset_nest ";
static const char shmem_init_names[] =
    " init init_thread finalize global_exit ";
static const char shmem_memory_names[] =
    " malloc malloc_with_hint malloc_with_hints calloc realloc align free ";
static const char shmem_memory_older_names[] =
    " shmalloc shrealloc shmemalign shfree shpalloc shpclmove shpdeallc ";
/* Words of them. */
static const char shmem_collective_words[] =
    " broadcast broadcastmem collect collectmem fcollect fcollectmem alltoall alltoallmem alltoalls alltoallsmem "
    "alltoallv to reduce inscan exscan ";
static const char shmem_rma_words[] =
    " put putmem iput ibput p get getmem iget ibget g swap cswap mswap add fadd inc finc fetch set ";
static const char opencl_sync_names[] =
    " Finish WaitForEvents EnqueueWaitForEvents EnqueueBarrier EnqueueMarker EnqueueMarkerWithWaitList "
    "EnqueueBarrierWithWaitList ";
static const char opencl_kernel_launches_names[] =
    " SetKernelArg SetKernelArgSVMPointer SetKernelExecInfo EnqueueNDRangeKernel EnqueueTask EnqueueNativeKernel ";
static const char opencl_comm_names[] =
    " CreateBuffer CreateSubBuffer EnqueueReadBuffer EnqueueReadBufferRect EnqueueWriteBuffer EnqueueWriteBufferRect "
    "EnqueueFillBuffer EnqueueCopyBuffer EnqueueCopyBufferRect EnqueueMapBuffer EnqueueUnmapMemObject "
    "EnqueueMigrateMemObjects CreatePipe SVMAlloc SVMFree EnqueueSVMFree EnqueueSVMMemcpy EnqueueSVMMemFill "
    "EnqueueSVMMap EnqueueSVMUnmap EnqueueSVMMigrateMem CreateImage CreateImage2D CreateImage3D EnqueueReadImage "
    "EnqueueWriteImage EnqueueCopyImage EnqueueMapImage EnqueueFillImage EnqueueCopyImageToBuffer "
    "EnqueueCopyBufferToImage CreateSampler CreateSamplerWithProperties ReleaseSampler RetainSampler RetainMemObject "
    "ReleaseMemObject ";
static const char opencl_setup_names[] =
    " GetPlatformIDs GetPlatformInfo GetDeviceIDs GetDeviceInfo CreateSubDevices RetainDevice ReleaseDevice "
    "CreateContext CreateContextFromType RetainContext ReleaseContext GetContextInfo CreateProgramWithSource "
    "CreateProgramWithBinary CreateProgramWithBuiltInKernels CreateProgramWithIL RetainProgram ReleaseProgram "
    "GetProgramInfo GetProgramBuildInfo BuildProgram CompileProgram LinkProgram CreateKernel CreateKernelsInProgram "
    "RetainKernel ReleaseKernel CloneKernel GetKernelInfo GetKernelWorkGroupInfo GetKernelArgInfo "
    "GetKernelSubGroupInfo GetEventInfo GetEventProfilingInfo RetainEvent ReleaseEvent CreateUserEvent "
    "SetUserEventStatus SetEventCallback CreateCommandQueue CreateCommandQueueWithProperties RetainCommandQueue "
    "ReleaseCommandQueue GetCommandQueueInfo SetCommandQueueProperty Flush UnloadCompiler UnloadPlatformCompiler "
    "GetExtensionFunctionAddress GetExtensionFunctionAddressForPlatform SetMemObjectDestructorCallback "
    "GetMemObjectInfo GetPipeInfo GetSupportedImageFormats GetImageInfo GetSamplerInfo GetHostTimer "
    "GetDeviceAndHostTimer SetDefaultDeviceCommandQueue SetProgramReleaseCallback SetProgramSpecializationConstant ";
static const char cuda_sync_runtime_names[] =
    " StreamWaitEvent StreamSynchronize EventSynchronize DeviceSynchronize ThreadSynchronize ";
static const char cuda_sync_driver_names[] =
    " CtxSynchronize StreamWaitEvent StreamSynchronize EventSynchronize ";
static const char cuda_launch_runtime_names[] =
    " LaunchKernel Launch GetParameterBufferV2 Memset MemsetAsync Memset2D Memset2DAsync Memset3D Memset3DAsync "
    "LaunchCooperativeKernel LaunchCooperativeKernelMultiDevice LaunchHostFunc ";
static const char cuda_launch_driver_names[] =
    " LaunchKernel Launch LaunchGrid LaunchGridAsync MemsetD8 MemsetD8Async MemsetD16 MemsetD16Async MemsetD32 "
    "MemsetD32Async MemsetD2D8 MemsetD2D8Async MemsetD2D16 MemsetD2D16Async MemsetD2D32 MemsetD2D32Async "
    "LaunchCooperativeKernel LaunchCooperativeKernelMultiDevice LaunchHostFunc ";
static const char cuda_comm_runtime_names[] =
    " Free FreeArray FreeHost FreeMipmappedArray HostAlloc Malloc Malloc3D Malloc3DArray MallocArray MallocHost "
    "MallocManaged MallocMipmappedArray MallocPitch Memcpy Memcpy2D Memcpy2DArrayToArray Memcpy2DAsync "
    "Memcpy2DFromArray Memcpy2DFromArrayAsync Memcpy2DToArray Memcpy2DToArrayAsync Memcpy3D Memcpy3DAsync "
    "Memcpy3DPeer Memcpy3DPeerAsync MemcpyPeer MemcpyPeerAsync MemcpyArrayToArray MemcpyAsync MemcpyFromArray "
    "MemcpyFromArrayAsync MemcpyFromSymbol MemcpyFromSymbolAsync MemcpyToArray MemcpyToArrayAsync MemcpyToSymbol "
    "MemcpyToSymbolAsync ArrayGetInfo ArrayGetSparseProperties GetMipmappedArrayLevel GetSymbolAddress GetSymbolSize "
    "HostGetDevicePointer HostGetFlags HostRegister HostUnregister MemAdvise MemGetInfo MemPrefetchAsync "
    "MemRangeGetAttribute MemRangeGetAttributes MipmappedArrayGetSparseProperties PointerGetAttributes ";
static const char cuda_setup_runtime_names[] =
    " ChooseDevice DeviceGetAttribute DeviceGetByPCIBusId DeviceGetCacheConfig DeviceGetLimit DeviceGetPCIBusId "
    "DeviceGetSharedMemConfig DeviceGetStreamPriorityRange DeviceReset DeviceSetCacheConfig DeviceSetLimit "
    "DeviceSetSharedMemConfig GetDevice GetDeviceCount GetDeviceFlags GetDeviceProperties SetDevice SetDeviceFlags "
    "SetValidDevices ThreadExit ThreadGetCacheConfig ThreadGetLimit ThreadSetCacheConfig ThreadSetLimit StreamCreate "
    "StreamCreateWithFlags StreamCreateWithPriority StreamDestroy EventCreate EventCreateWithFlags EventDestroy "
    "FuncSetCacheConfig CtxResetPersistingL2Cache DeviceGetNvSciSyncAttributes DeviceGetP2PAttribute "
    "DeviceGetTexture1DLinearMaxWidth EventElapsedTime EventQuery EventRecord EventRecordWithFlags FuncGetAttributes "
    "FuncSetAttribute FuncSetSharedMemConfig GetParameterBuffer IpcCloseMemHandle IpcGetEventHandle IpcGetMemHandle "
    "IpcOpenEventHandle IpcOpenMemHandle OccupancyAvailableDynamicSMemPerBlock "
    "OccupancyMaxActiveBlocksPerMultiprocessor OccupancyMaxActiveBlocksPerMultiprocessorWithFlags SetDoubleForDevice "
    "SetDoubleForHost StreamAddCallback StreamAttachMemAsync StreamBeginCapture StreamCopyAttributes StreamEndCapture "
    "StreamGetAttribute StreamGetCaptureInfo StreamGetFlags StreamGetPriority StreamIsCapturing StreamQuery "
    "StreamSetAttribute ThreadExchangeStreamCaptureMode ";
static const char cuda_comm_driver_names[] =
    " Array3DCreate ArrayCreate ArrayDestroy MemAlloc MemAllocHost MemAllocManaged MemAllocPitch Memcpy Memcpy2D "
    "Memcpy2DAsync Memcpy2DUnaligned Memcpy3D Memcpy3DAsync Memcpy3DPeer Memcpy3DPeerAsync MemcpyAsync MemcpyAtoA "
    "MemcpyAtoD MemcpyAtoH MemcpyAtoHAsync MemcpyDtoA MemcpyDtoD MemcpyDtoDAsync MemcpyDtoH MemcpyDtoHAsync "
    "MemcpyHtoA MemcpyHtoAAsync MemcpyHtoD MemcpyHtoDAsync MemcpyPeer MemcpyPeerAsync MipmappedArrayCreate "
    "MipmappedArrayDestroy MemFree MemFreeHost MemHostAlloc Array3DGetDescriptor ArrayGetDescriptor "
    "ArrayGetSparseProperties DeviceGetByPCIBusId DeviceGetPCIBusId IpcCloseMemHandle IpcGetEventHandle "
    "IpcGetMemHandle IpcOpenEventHandle IpcOpenMemHandle MemAddressFree MemAddressReserve MemAdvise MemCreate "
    "MemExportToShareableHandle MemGetAccess MemGetAddressRange MemGetAllocationGranularity "
    "MemGetAllocationPropertiesFromHandle MemGetInfo MemHostGetDevicePointer MemHostGetFlags MemHostRegister "
    "MemHostUnregister MemImportFromShareableHandle MemMap MemMapArrayAsync MemPrefetchAsync MemRangeGetAttribute "
    "MemRangeGetAttributes MemRelease MemRetainAllocationHandle MemSetAccess MemUnmap MipmappedArrayGetLevel "
    "MipmappedArrayGetSparseProperties PointerGetAttribute PointerGetAttributes PointerSetAttribute ";
static const char cuda_setup_driver_names[] =
    " Init DeviceGet DeviceGetAttribute DeviceGetCount DeviceGetName DeviceTotalMem DeviceComputeCapability "
    "DeviceGetProperties DevicePrimaryCtxGetState DevicePrimaryCtxRelease DevicePrimaryCtxReset "
    "DevicePrimaryCtxRetain DevicePrimaryCtxSetFlags CtxCreate CtxDestroy CtxGetApiVersion CtxGetCacheConfig "
    "CtxGetCurrent CtxGetDevice CtxGetFlags CtxGetLimit CtxGetSharedMemConfig CtxGetStreamPriorityRange CtxPopCurrent "
    "CtxPushCurrent CtxSetCacheConfig CtxSetCurrent CtxSetLimit CtxSetSharedMemConfig CtxAttach CtxDetach "
    "CtxResetPersistingL2Cache LinkCreate LinkDestroy EventCreate EventDestroy StreamCreate StreamCreateWithPriority "
    "StreamDestroy DeviceGetLuid DeviceGetNvSciSyncAttributes DeviceGetTexture1DLinearMaxWidth DeviceGetUuid "
    "DriverGetVersion EventElapsedTime EventQuery EventRecord FuncSetAttribute FuncSetBlockShape FuncSetCacheConfig "
    "FuncSetSharedMemConfig FuncSetSharedSize LinkAddData LinkAddFile LinkComplete ModuleGetFunction ModuleGetGlobal "
    "ModuleGetSurfRef ModuleGetTexRef ModuleLoad ModuleLoadData ModuleLoadDataEx ModuleLoadFatBinary ModuleUnload "
    "OccupancyAvailableDynamicSMemPerBlock OccupancyMaxActiveBlocksPerMultiprocessor "
    "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags OccupancyMaxPotentialBlockSize "
    "OccupancyMaxPotentialBlockSizeWithFlags ParamSetSize ParamSetTexRef ParamSetf ParamSeti ParamSetv "
    "StreamAddCallback StreamAttachMemAsync StreamBeginCapture StreamCopyAttributes StreamEndCapture "
    "StreamGetAttribute StreamGetCaptureInfo StreamGetCtx StreamGetFlags StreamGetPriority StreamIsCapturing "
    "StreamQuery StreamSetAttribute ThreadExchangeStreamCaptureMode ";
/* Two names that scout's list runs together, so that neither is found there. */
static const char cuda_setup_run_together_names[] = " EventRecordWithFlags FuncGetAttribute ";

static bool
is_listed(const char *list, const char *name, size_t length)
{
    if (length == 0 || memchr(name, ' ', length) != NULL)
        return false;
    for (const char *at = list + 1; *at != '\0'; at = strchr(at, ' ') + 1)
        if (strncmp(at, name, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

static bool
has_listed(const char *prefix, const char *list, const char *name)
{
    size_t length = strlen(prefix);

    return strncmp(name, prefix, length) == 0 && is_listed(list, name + length, strlen(name + length));
}

/* The length of a driver function's name without "_v" and digits at its end. */
static size_t
unversioned_length(const char *name)
{
    size_t length = strlen(name);
    size_t end    = length;

    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
        end--;
    return end < length && end >= 2 && name[end - 1] == 'v' && name[end - 2] == '_' ? end - 2 : length;
}

static bool
is_cuda_function(const char *runtime_list, const char *driver_list, const char *name)
{
    if (has_listed("cuda", runtime_list, name))
        return true;
    return strncmp(name, "cu", 2) == 0 && (is_listed(driver_list, name + 2, strlen(name + 2)) ||
                                           is_listed(driver_list, name + 2, unversioned_length(name + 2)));
}

static bool
is_acc(const char *name, const char *function)
{
    size_t length = strlen(function);

    return strncmp(name, function, length) == 0 && (name[length] == '\0' || name[length] == '@');
}

static bool
is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(name, ...) is_one_of((name), (const char *const[]){ __VA_ARGS__, NULL })

static void
add_time(hd_region_metrics *metrics, hd_metric metric)
{
    HD_ASSERT(metrics->n_time < HD_MAX_REGION_METRICS);
    metrics->time[metrics->n_time++] = metric;
}

static void
add_visits(hd_region_metrics *metrics, hd_metric metric)
{
    HD_ASSERT(metrics->n_visits < HD_MAX_REGION_METRICS);
    metrics->visits[metrics->n_visits++] = metric;
}

static void
add_mpi_file(hd_region_metrics *metrics, const char *name)
{
    bool reads = strstr(name, "read") != NULL;

    if (strncmp(name, "MPI_File_", 9) == 0)
        add_time(metrics, HD_METRIC_io_time_mpi);
    if (has_listed("MPI_File_", mpi_io_individual_names, name)) {
        add_time(metrics, HD_METRIC_mpi_io_individual);
        add_visits(metrics, HD_METRIC_mpi_file_iops);
        add_visits(metrics, reads ? HD_METRIC_mpi_file_irops : HD_METRIC_mpi_file_iwops);
    } else if (has_listed("MPI_File_", mpi_io_collective_names, name)) {
        add_time(metrics, HD_METRIC_mpi_io_collective);
        add_visits(metrics, HD_METRIC_mpi_file_cops);
        add_visits(metrics, reads ? HD_METRIC_mpi_file_crops : HD_METRIC_mpi_file_cwops);
    } else if (has_listed("MPI_File_", mpi_mgmt_file_names, name)) {
        bool alone = strstr(name, "delete") != NULL || strstr(name, "get") != NULL || strstr(name, "seek") != NULL;

        add_time(metrics, HD_METRIC_mpi_mgmt_file);
        add_visits(metrics, alone ? HD_METRIC_mpi_file_iops : HD_METRIC_mpi_file_cops);
    }
}

static void
add_mpi_role(hd_region_metrics *metrics, const char *name, uint8_t role)
{
    bool completes = IS_ONE_OF(name, "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Wait", "MPI_Waitall",
                               "MPI_Waitany", "MPI_Waitsome");

    if (role == HD_ROLE_BARRIER)
        add_time(metrics, HD_METRIC_mpi_sync_collective);
    if (role == HD_ROLE_POINT2POINT || completes)
        add_time(metrics, HD_METRIC_mpi_point2point);
    if (role == HD_ROLE_COLL_ONE2ALL || role == HD_ROLE_COLL_ALL2ONE || role == HD_ROLE_COLL_ALL2ALL ||
        role == HD_ROLE_COLL_OTHER)
        add_time(metrics, HD_METRIC_mpi_collective);
    if (role == HD_ROLE_RMA || role == HD_ROLE_ATOMIC)
        add_time(metrics, HD_METRIC_mpi_rma_communication);
    if (role == HD_ROLE_ATOMIC)
        add_visits(metrics, HD_METRIC_comms_rma_atomics);
}

static void
add_mpi(hd_region_metrics *metrics, const char *name, uint8_t role)
{
    if (strcmp(name, "PARALLEL") == 0)
        return;
    add_time(metrics, HD_METRIC_mpi);
    if (IS_ONE_OF(name, "MPI_Init", "MPI_Init_thread", "MPI_Initialized", "MPI_Finalize", "MPI_Finalized"))
        add_time(metrics, HD_METRIC_mpi_init_exit);
    else if (has_listed("MPI_", mpi_mgmt_comm_names, name))
        add_time(metrics, HD_METRIC_mpi_mgmt_comm);
    else if (has_listed("MPI_Win_", mpi_mgmt_win_names, name))
        add_time(metrics, HD_METRIC_mpi_mgmt_win);
    else if (has_listed("MPI_Win_", mpi_sync_active_names, name)) {
        add_time(metrics, HD_METRIC_mpi_rma_sync_active);
        add_visits(metrics, HD_METRIC_syncs_rma_active);
    } else if (has_listed("MPI_Win_", mpi_sync_passive_names, name)) {
        add_time(metrics, HD_METRIC_mpi_rma_sync_passive);
        add_visits(metrics, HD_METRIC_syncs_rma_passive);
    } else if (IS_ONE_OF(name, "MPI_Put", "MPI_Rput"))
        add_visits(metrics, HD_METRIC_comms_rma_puts);
    else if (IS_ONE_OF(name, "MPI_Get", "MPI_Rget"))
        add_visits(metrics, HD_METRIC_comms_rma_gets);
    else
        add_mpi_file(metrics, name);
    add_mpi_role(metrics, name, role);
}

static void
add_openmp(hd_region_metrics *metrics, const char *name, uint8_t role)
{
    size_t length = strlen(name);

    if (role == HD_ROLE_BARRIER)
        add_time(metrics, HD_METRIC_omp_ebarrier);
    if (role == HD_ROLE_IMPLICIT_BARRIER)
        add_time(metrics, HD_METRIC_omp_ibarrier);
    if (role == HD_ROLE_ATOMIC || role == HD_ROLE_CRITICAL)
        add_time(metrics, HD_METRIC_omp_critical);
    if (role == HD_ROLE_ORDERED)
        add_time(metrics, HD_METRIC_omp_ordered);
    if (role == HD_ROLE_TASK_WAIT)
        add_time(metrics, HD_METRIC_omp_taskwait);
    if (role == HD_ROLE_TASK_CREATE)
        add_time(metrics, HD_METRIC_omp_task_create_time);
    if (role == HD_ROLE_FLUSH)
        add_time(metrics, HD_METRIC_omp_flush);
    if (length > 9 && strncmp(name, "omp_", 4) == 0 && strcmp(name + length - 5, "_lock") == 0 &&
        is_listed(omp_lock_names, name + 4, length - 9))
        add_time(metrics, HD_METRIC_omp_lock_api);
}

static void
add_pthread(hd_region_metrics *metrics, const char *name)
{
    if (has_listed("pthread_", " cancel create detach exit join ", name))
        add_time(metrics, HD_METRIC_pthread_management);
    else if (has_listed("pthread_mutex_", " destroy init lock trylock unlock ", name))
        add_time(metrics, HD_METRIC_pthread_lock_api);
    else if (has_listed("pthread_cond_", " broadcast destroy init signal timedwait wait ", name))
        add_time(metrics, HD_METRIC_pthread_conditional);
}

/* The name of a SHMEM call without its prefix, NULL if it has none. */
static const char *
shmem_call(const char *name)
{
    static const char *const prefixes[] = { "shmem_", "shmemx_", "pshmem_", "pshmemx_" };

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return NULL;
}

/* Of the first word of a name, without digits at its end: put64 is put. */
static size_t
word_length(const char *name)
{
    size_t length = strcspn(name, "_");

    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

static const char *
next_word(const char *name)
{
    name += strcspn(name, "_");
    return *name == '_' ? name + 1 : name;
}

static bool
has_word(const char *list, const char *name)
{
    for (; *name != '\0'; name = next_word(name))
        if (is_listed(list, name, word_length(name)))
            return true;
    return false;
}

/* What a SHMEM call does stands at the end of its name, but for words that say how. So those that ask for something do not get data:
 * info_get_name, team_get_config. */
static bool
ends_with_word(const char *list, const char *name)
{
    bool ends = false;

    for (; *name != '\0'; name = next_word(name))
        if (!is_listed(" nb nbi signal ", name, word_length(name)))
            ends = is_listed(list, name, word_length(name));
    return ends;
}

static void
add_shmem_call(hd_region_metrics *metrics, const char *call)
{
    if (is_listed(shmem_init_names, call, strlen(call)))
        add_time(metrics, HD_METRIC_shmem_init_exit);
    else if (is_listed(shmem_memory_names, call, strlen(call)))
        add_time(metrics, HD_METRIC_shmem_memory_management);
    else if (has_word(shmem_collective_words, call))
        add_time(metrics, HD_METRIC_shmem_collective);
    else if (has_word(" barrier sync ", call))
        add_time(metrics, HD_METRIC_shmem_sync_collective);
    else if (ends_with_word(" lock ", call)) {
        add_time(metrics, HD_METRIC_shmem_point2point_synchronization);
        add_time(metrics, HD_METRIC_shmem_lock_completion);
    } else if (has_word(" wait until ", call)) {
        add_time(metrics, HD_METRIC_shmem_point2point_synchronization);
        add_time(metrics, HD_METRIC_shmem_wait_until);
    } else if (has_word(" fence quiet poll test event ", call) || strcmp(call, "signal_fetch") == 0)
        add_time(metrics, HD_METRIC_shmem_point2point_synchronization);
    else if (has_word(" atomic ", call) || ends_with_word(shmem_rma_words, call))
        add_time(metrics, HD_METRIC_shmem_rma_communication);
}

static void
add_shmem(hd_region_metrics *metrics, const char *name)
{
    const char *call = shmem_call(name);

    if (strcmp(name, "PARALLEL") == 0)
        return;
    add_time(metrics, HD_METRIC_shmem);
    if (call != NULL)
        add_shmem_call(metrics, call);
    else if (strcmp(name, "start_pes") == 0)
        add_time(metrics, HD_METRIC_shmem_init_exit);
    else if (is_listed(shmem_memory_older_names, name, strlen(name)))
        add_time(metrics, HD_METRIC_shmem_memory_management);
    else if (strncmp(name, "barrier", 7) == 0)
        add_time(metrics, HD_METRIC_shmem_sync_collective);
}

static void
add_openacc(hd_region_metrics *metrics, const char *name)
{
    add_time(metrics, HD_METRIC_openacc_time);
    if (is_acc(name, "acc_init") || is_acc(name, "acc_shutdown"))
        add_time(metrics, HD_METRIC_openacc_setup);
    else if (is_acc(name, "acc_upload") || is_acc(name, "acc_download"))
        add_time(metrics, HD_METRIC_openacc_comm);
    else if (is_acc(name, "acc_wait"))
        add_time(metrics, HD_METRIC_openacc_sync);
    else if (is_acc(name, "acc_launch_kernel"))
        add_time(metrics, HD_METRIC_openacc_kernel_launches);
}

static void
add_opencl(hd_region_metrics *metrics, const char *name, const char *file)
{
    metrics->is_opencl_kernel = strcmp(file, "OPENCL_KERNEL") == 0;
    if (metrics->is_opencl_kernel) {
        add_time(metrics, HD_METRIC_opencl_kernel_executions);
        return;
    }
    add_time(metrics, HD_METRIC_opencl_time);
    if (has_listed("cl", opencl_sync_names, name) || strcmp(name, "WAIT FOR COMMAND QUEUE") == 0)
        add_time(metrics, HD_METRIC_opencl_sync);
    else if (has_listed("cl", opencl_kernel_launches_names, name))
        add_time(metrics, HD_METRIC_opencl_kernel_launches);
    else if (has_listed("cl", opencl_comm_names, name))
        add_time(metrics, HD_METRIC_opencl_comm);
    else if (has_listed("cl", opencl_setup_names, name))
        add_time(metrics, HD_METRIC_opencl_setup);
}

static void
add_cuda(hd_region_metrics *metrics, const char *name, const char *file, bool compat)
{
    metrics->is_cuda_kernel = strcmp(file, "CUDA_KERNEL") == 0;
    if (metrics->is_cuda_kernel) {
        add_time(metrics, HD_METRIC_cuda_kernel_executions);
        return;
    }
    add_time(metrics, HD_METRIC_cuda_time);
    if (is_cuda_function(cuda_sync_runtime_names, cuda_sync_driver_names, name) || strcmp(name, "DEVICE SYNCHRONIZE") == 0)
        add_time(metrics, HD_METRIC_cuda_sync);
    else if (is_cuda_function(cuda_launch_runtime_names, cuda_launch_driver_names, name))
        add_time(metrics, HD_METRIC_cuda_kernel_launches);
    else if (is_cuda_function(cuda_comm_runtime_names, cuda_comm_driver_names, name))
        add_time(metrics, HD_METRIC_cuda_comm);
    else if (is_cuda_function(cuda_setup_runtime_names, cuda_setup_driver_names, name) ||
             (!compat && is_cuda_function("  ", cuda_setup_run_together_names, name)))
        add_time(metrics, HD_METRIC_cuda_setup);
}

/* Of POSIX, ISO C, and what else is for files but MPI. */
static void
add_file(hd_region_metrics *metrics, uint8_t role)
{
    if (role != HD_ROLE_FILE_IO && role != HD_ROLE_FILE_IO_METADATA)
        return;
    add_time(metrics, HD_METRIC_io_time_other);
    if (role == HD_ROLE_FILE_IO_METADATA)
        add_time(metrics, HD_METRIC_io_time_metadata);
}

hd_region_metrics
hd_region_metrics_of(const hd_region *region, const char *name, const char *file, bool compat)
{
    hd_region_metrics metrics      = { 0 };
    bool              is_flush     = IS_ONE_OF(name, "TRACE BUFFER FLUSH", "TRACING");
    bool              is_dev_flush = strcmp(name, "BUFFER FLUSH") == 0;
    bool              is_device    = region->paradigm == HD_PARADIGM_OPENCL || region->paradigm == HD_PARADIGM_CUDA;

    if ((region->paradigm == HD_PARADIGM_MEASUREMENT && is_flush) || (is_device && is_dev_flush)) {
        add_time(&metrics, HD_METRIC_overhead);
        return metrics;
    }
    add_time(&metrics, HD_METRIC_execution);
    if (region->paradigm != HD_PARADIGM_MPI)
        add_file(&metrics, region->role);
    switch (region->paradigm) {
    case HD_PARADIGM_MPI: add_mpi(&metrics, name, region->role); break;
    case HD_PARADIGM_OPENMP: add_openmp(&metrics, name, region->role); break;
    case HD_PARADIGM_PTHREAD: add_pthread(&metrics, name); break;
    case HD_PARADIGM_SHMEM:
        if (!compat) /* computation there */
            add_shmem(&metrics, name);
        break;
    case HD_PARADIGM_OPENACC: add_openacc(&metrics, name); break;
    case HD_PARADIGM_OPENCL: add_opencl(&metrics, name, file); break;
    case HD_PARADIGM_CUDA: add_cuda(&metrics, name, file, compat); break;
    default: break;
    }
    return metrics;
}

static hd_state
state_of_time(uint32_t metric)
{
    switch (metric) {
    case HD_METRIC_overhead:
    case HD_METRIC_shmem:
    case HD_METRIC_openacc_time:
    case HD_METRIC_opencl_time:
    case HD_METRIC_cuda_time:
    case HD_METRIC_opencl_kernel_executions:
    case HD_METRIC_cuda_kernel_executions:
        return HD_STATE_OTHER;
    case HD_METRIC_mpi:
        return HD_STATE_MPI;
    case HD_METRIC_omp_ebarrier:
    case HD_METRIC_omp_ibarrier:
        return HD_STATE_BARRIER;
    case HD_METRIC_omp_critical:
    case HD_METRIC_omp_lock_api:
        return HD_STATE_LOCK;
    case HD_METRIC_pthread_lock_api:
    case HD_METRIC_pthread_conditional:
        return HD_STATE_MUTEX;
    case HD_METRIC_omp_task_create_time:
        return HD_STATE_CREATE;
    case HD_METRIC_omp_taskwait:
        return HD_STATE_TASKS;
    case HD_METRIC_omp_ordered:
        return HD_STATE_ORDERED;
    case HD_METRIC_omp_flush:
        return HD_STATE_FLUSH;
    case HD_METRIC_pthread_management:
        return HD_STATE_THREADS;
    default:
        return HD_STATE_USEFUL;
    }
}

uint8_t *
hd_region_states(const hd_defs *defs)
{
    uint8_t *states = HD_NEW_ARRAY(uint8_t, (size_t)defs->n_regions + 1);

    for (uint32_t r = 0; r < defs->n_regions; r++) {
        const hd_region  *region  = &hd_defs_regions(defs)[r];
        hd_region_metrics metrics = hd_region_metrics_of(region, hd_defs_text(defs, region->name),
                                                         hd_defs_text(defs, region->file), false);

        states[r] = region->paradigm == HD_PARADIGM_HIP ? HD_STATE_OTHER : HD_STATE_USEFUL; /* computation, by metric */
        for (uint32_t i = 0; i < metrics.n_time && states[r] == HD_STATE_USEFUL; i++)
            states[r] = (uint8_t)state_of_time(metrics.time[i]);
    }
    return states;
}

uint8_t *
hd_region_rma_calls(const hd_defs *defs)
{
    uint8_t *calls = HD_NEW_ARRAY(uint8_t, (size_t)defs->n_regions + 1);

    for (uint32_t r = 0; r < defs->n_regions; r++) {
        const hd_region  *region  = &hd_defs_regions(defs)[r];
        hd_region_metrics metrics = hd_region_metrics_of(region, hd_defs_text(defs, region->name),
                                                         hd_defs_text(defs, region->file), false);

        for (uint32_t i = 0; i < metrics.n_visits; i++)
            for (uint32_t k = 0; k < HD_N_RMA_CALLS; k++)
                calls[r] |= (uint8_t)((metrics.visits[i] == (uint32_t)hd_rma_calls[k]) << k);
    }
    return calls;
}

uint8_t *
hd_region_mpi_classes(const hd_defs *defs)
{
    uint8_t *classes = HD_NEW_ARRAY(uint8_t, (size_t)defs->n_regions + 1);

    for (uint32_t r = 0; r < defs->n_regions; r++) {
        const hd_region  *region  = &hd_defs_regions(defs)[r];
        hd_region_metrics metrics = hd_region_metrics_of(region, hd_defs_text(defs, region->name),
                                                         hd_defs_text(defs, region->file), false);

        for (uint32_t i = 0; i < metrics.n_time; i++)
            for (uint32_t time = HD_TIME_CLASSES; time < HD_N_SERIES_TIMES; time++)
                if (metrics.time[i] == (uint32_t)hd_times_over_time[time])
                    classes[r] = (uint8_t)time;
    }
    return classes;
}

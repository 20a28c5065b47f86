"""The metrics that are the time or the visits of call paths whose region belongs to a class ("Time by what the calls are",
"SHMEM", "Counts"), and the sums of metrics of several parts."""
import re

from .part import Part

TIME_CLASSES = (
    'execution', 'overhead', 'mpi', 'mpi_init_exit', 'mpi_mgmt_comm', 'mpi_mgmt_file', 'mpi_mgmt_win',
    'mpi_sync_collective', 'mpi_rma_sync_active', 'mpi_rma_sync_passive', 'mpi_point2point', 'mpi_collective',
    'mpi_rma_communication', 'mpi_io_individual', 'mpi_io_collective', 'omp_ebarrier', 'omp_ibarrier', 'omp_critical',
    'omp_lock_api', 'omp_ordered', 'omp_taskwait', 'omp_flush', 'pthread_management', 'pthread_lock_api',
    'pthread_conditional', 'openacc_time', 'openacc_setup', 'openacc_comm', 'openacc_sync', 'openacc_kernel_launches',
    'opencl_time', 'opencl_kernel_executions', 'cuda_time', 'cuda_kernel_executions')
VISIT_CLASSES = (
    'syncs_rma_active', 'syncs_rma_passive', 'comms_rma_puts', 'comms_rma_gets', 'comms_rma_atomics', 'mpi_file_iops',
    'mpi_file_irops', 'mpi_file_iwops', 'mpi_file_cops', 'mpi_file_crops', 'mpi_file_cwops')
SHMEM_CLASSES = (
    'shmem', 'shmem_init_exit', 'shmem_memory_management', 'shmem_sync_collective', 'shmem_point2point_synchronization',
    'shmem_lock_completion', 'shmem_wait_until', 'shmem_collective', 'shmem_rma_communication')
TIME_EXTENSION = ('omp_task_create_time',) + SHMEM_CLASSES           # not with --compat=scout26


def expand(prefix, words):
    """Expands 'a{b,c}d e' to {prefix + 'abd', prefix + 'acd', prefix + 'e'}."""
    result = set()
    for word in words.split():
        expanded = [word]
        while any('{' in w for w in expanded):
            step = []
            for w in expanded:
                if '{' in w:
                    head, rest = w.split('{', 1)
                    inner, tail = rest.split('}', 1)
                    step += [head + i + tail for i in inner.split(',')]
                else:
                    step.append(w)
            expanded = step
        result |= {prefix + w for w in expanded}
    return result


MPI_INIT_EXIT = expand('MPI_', 'Init Init_thread Initialized Finalize Finalized')
MPI_MGMT_COMM = expand('MPI_', '''Cart_{coords,create,get,map,rank,shift,sub} Cartdim_get
    Comm_{accept,compare,connect,create,create_group,create_keyval,delete_attr,disconnect,dup,dup_with_info,free}
    Comm_{free_keyval,get_attr,get_info,get_name,get_parent,group,idup,join,rank,remote_group,remote_size,set_attr}
    Comm_{set_info,set_name,size,spawn,spawn_multiple,split,split_type,test_inter} Dims_create
    Dist_graph_{create,create_adjacent,neighbors,neighbors_count} Graph_{create,get,map,neighbors,neighbors_count}
    Graphdims_get Intercomm_{create,merge} Topo_test {Close,Open}_port {Lookup,Publish,Unpublish}_name''')
MPI_MGMT_FILE = expand('MPI_File_', '''close delete
    get_{amode,atomicity,byte_offset,group,info,position,position_shared,size,type_extent,view} open preallocate seek
    seek_shared set_{atomicity,info,size,view} sync''')
MPI_MGMT_WIN = expand('MPI_Win_', '''allocate allocate_shared attach create create_dynamic create_keyval delete_attr detach
    free free_keyval get_{attr,group,info,name} set_{attr,info,name} shared_query''')
MPI_RMA_SYNC_ACTIVE = expand('MPI_Win_', 'complete fence post start test wait')
MPI_RMA_SYNC_PASSIVE = expand('MPI_Win_', 'flush flush_all flush_local flush_local_all lock lock_all unlock unlock_all sync')
MPI_TEST_WAIT = expand('MPI_', '{Test,Wait}{,all,any,some}')
MPI_IO_INDIVIDUAL = expand('MPI_File_', '{read,write,iread,iwrite}{,_at,_shared}')
MPI_IO_COLLECTIVE = expand('MPI_File_', '{iread,iwrite}_{all,at_all} {read,write}_{all,at_all,ordered}{,_begin,_end}')
OMP_LOCK_API = expand('omp_', '{destroy,init,set,test,unset}{,_nest}_lock')
PTHREAD_MANAGEMENT = expand('pthread_', 'cancel create detach exit join')
PTHREAD_LOCK_API = expand('pthread_mutex_', 'destroy init lock trylock unlock')
PTHREAD_CONDITIONAL = expand('pthread_cond_', 'broadcast destroy init signal timedwait wait')
OPENACC = {'openacc_setup': expand('acc_', 'init shutdown'), 'openacc_comm': expand('acc_', 'upload download'),
           'openacc_sync': {'acc_wait'}, 'openacc_kernel_launches': {'acc_launch_kernel'}}


def shmem_words(words, rest):
    return 'p?shmemx?_(?:.*_)?(?:%s)[0-9]*%s' % (words, rest)


LAST = '(?:_(?:nb|nbi|signal))*'
SHMEM = tuple((re.compile(pattern), metrics.split()) for pattern, metrics in (       # "SHMEM": the first that matches the whole name
    ('p?shmemx?_(?:init|init_thread|finalize|global_exit)|start_pes', 'shmem_init_exit'),
    ('p?shmemx?_(?:malloc|malloc_with_hints?|calloc|realloc|align|free)|sh(?:malloc|realloc|memalign|free)|shp(?:alloc|clmove|deallc)',
     'shmem_memory_management'),
    (shmem_words('(?:broadcast|f?collect|alltoalls?)(?:mem)?|alltoallv|to|reduce|inscan|exscan', '(?:_.*)?'), 'shmem_collective'),
    (shmem_words('barrier|sync', '(?:_.*)?') + '|barrier.*', 'shmem_sync_collective'),
    (shmem_words('lock', LAST), 'shmem_point2point_synchronization shmem_lock_completion'),
    (shmem_words('wait|until', '(?:_.*)?'), 'shmem_point2point_synchronization shmem_wait_until'),
    (shmem_words('fence|quiet|poll|test|event', '(?:_.*)?') + '|p?shmemx?_signal_fetch', 'shmem_point2point_synchronization'),
    (shmem_words('atomic', '(?:_.*)?'), 'shmem_rma_communication'),
    (shmem_words('(?:put|get)(?:mem)?|ib?(?:put|get)|p|g|[cm]?swap|f?add|f?inc|fetch|set', LAST), 'shmem_rma_communication')))


def shmem_masks(name):
    if name == 'PARALLEL':
        return []
    return ['shmem'] + next((metrics for pattern, metrics in SHMEM if pattern.fullmatch(name)), [])


def mpi_masks(name, role):
    """Paradigm MPI."""
    if name != 'PARALLEL':
        yield 'mpi'
    for metric, members in (('mpi_init_exit', MPI_INIT_EXIT), ('mpi_mgmt_comm', MPI_MGMT_COMM),
                            ('mpi_mgmt_file', MPI_MGMT_FILE), ('mpi_mgmt_win', MPI_MGMT_WIN),
                            ('mpi_rma_sync_active', MPI_RMA_SYNC_ACTIVE), ('syncs_rma_active', MPI_RMA_SYNC_ACTIVE),
                            ('mpi_rma_sync_passive', MPI_RMA_SYNC_PASSIVE), ('syncs_rma_passive', MPI_RMA_SYNC_PASSIVE),
                            ('mpi_io_individual', MPI_IO_INDIVIDUAL), ('mpi_io_collective', MPI_IO_COLLECTIVE),
                            ('comms_rma_puts', expand('MPI_', '{Put,Rput}')),
                            ('comms_rma_gets', expand('MPI_', '{Get,Rget}'))):
        if name in members:
            yield metric
    if role == 'BARRIER':
        yield 'mpi_sync_collective'
    if role == 'POINT2POINT' or name in MPI_TEST_WAIT:
        yield 'mpi_point2point'
    if role in ('COLL_ONE2ALL', 'COLL_ALL2ONE', 'COLL_ALL2ALL', 'COLL_OTHER'):
        yield 'mpi_collective'
    if role in ('RMA', 'ATOMIC'):
        yield 'mpi_rma_communication'
    if role == 'ATOMIC':
        yield 'comms_rma_atomics'
    if name in MPI_IO_INDIVIDUAL:
        yield 'mpi_file_iops'
        yield 'mpi_file_irops' if 'read' in name else 'mpi_file_iwops'
    if name in MPI_IO_COLLECTIVE:
        yield 'mpi_file_cops'
        yield 'mpi_file_crops' if 'read' in name else 'mpi_file_cwops'
    if name in MPI_MGMT_FILE:
        yield 'mpi_file_iops' if any(word in name for word in ('delete', 'get', 'seek')) else 'mpi_file_cops'


def masks(region, wanted):
    """The metrics of a region."""
    name, role, paradigm, found = region.name, region.role, region.paradigm, []
    overhead = (paradigm == 'MEASUREMENT_SYSTEM' and name in ('TRACE BUFFER FLUSH', 'TRACING')
                or paradigm in ('OPENCL', 'CUDA') and name == 'BUFFER FLUSH')
    found.append('overhead' if overhead else 'execution')
    if paradigm == 'MPI':
        found += mpi_masks(name, role)
    elif paradigm == 'OPENMP':
        found += {'BARRIER': ['omp_ebarrier'], 'IMPLICIT_BARRIER': ['omp_ibarrier'], 'CRITICAL': ['omp_critical'],
                  'ATOMIC': ['omp_critical'], 'ORDERED': ['omp_ordered'], 'TASK_WAIT': ['omp_taskwait'],
                  'FLUSH': ['omp_flush'], 'TASK_CREATE': ['omp_task_create_time']}.get(role, [])
        found += ['omp_lock_api'] if name in OMP_LOCK_API else []
    elif paradigm == 'PTHREAD':
        found += [metric for metric, members in (('pthread_management', PTHREAD_MANAGEMENT),
                                                 ('pthread_lock_api', PTHREAD_LOCK_API),
                                                 ('pthread_conditional', PTHREAD_CONDITIONAL)) if name in members]
    elif paradigm == 'SHMEM':
        found += shmem_masks(name)
    elif paradigm == 'OPENACC':
        found += ['openacc_time'] + [metric for metric, members in OPENACC.items() if name.split('@')[0] in members]
    elif paradigm in ('OPENCL', 'CUDA') and not overhead:
        kind = paradigm.lower()
        kernel = region.source == paradigm + '_KERNEL'               # kernels are not part of the paradigm's time
        found.append(kind + ('_kernel_executions' if kernel else '_time'))
    return [metric for metric in found if metric in wanted]


class RegionClasses(Part):
    TIMES = TIME_CLASSES + TIME_EXTENSION
    COUNTS = VISIT_CLASSES
    SUMS = (
        ('mpi_management', 'mpi_init_exit mpi_mgmt_comm mpi_mgmt_file mpi_mgmt_win'),
        ('mpi_rma_synchronization', 'mpi_rma_sync_active mpi_rma_sync_passive'),
        ('mpi_synchronization', 'mpi_sync_collective mpi_rma_synchronization'),
        ('mpi_communication', 'mpi_point2point mpi_collective mpi_rma_communication'),
        ('mpi_io', 'mpi_io_individual mpi_io_collective'),
        ('omp_barrier', 'omp_ebarrier omp_ibarrier'),
        ('omp_synchronization', 'omp_barrier omp_critical omp_lock_api omp_ordered omp_taskwait'),
        ('omp_time', 'omp_management omp_synchronization omp_flush'),
        ('pthread_synchronization', 'pthread_lock_api pthread_conditional'),
        ('pthread_time', 'pthread_management pthread_synchronization'),
        ('comp', 'execution -mpi -omp_time -pthread_time -openacc_time -opencl_time -cuda_time -shmem'),
        ('shmem_synchronization', 'shmem_sync_collective shmem_point2point_synchronization'),
        ('shmem_communication', 'shmem_collective shmem_rma_communication'),
        ('syncs_rma', 'syncs_rma_active syncs_rma_passive'),
        ('syncs', 'syncs_p2p syncs_coll syncs_rma'),
        ('comms_rma', 'comms_rma_puts comms_rma_gets comms_rma_atomics'),
        ('comms', 'comms_p2p comms_coll comms_rma'),
        ('mpi_file_ops', 'mpi_file_iops mpi_file_cops'),
        ('bytes', 'bytes_p2p bytes_coll bytes_rma'),
    )

    def finish(self):
        values, times = self.analysis.values, TIME_CLASSES + (() if self.compat else TIME_EXTENSION)
        for (path, location), value in values['time'].items():
            for metric in masks(path.region, times):
                values[metric][path, location] += value
        for (path, location), value in values['visits'].items():
            for metric in masks(path.region, VISIT_CLASSES):
                values[metric][path, location] += value

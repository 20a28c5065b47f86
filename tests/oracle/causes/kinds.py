"""The kinds of waits that have causes, and the metrics of causes ("Delay costs" and the sections after it)."""
KINDS = ('latesender', 'latereceiver', 'barrier', 'n2n', '12n', 'n21', 'ompbarrier', 'ompidle')
LOCKS = ('omplock', 'pthreadlock')
EXTENSION = ('scan', 'nbc') + LOCKS                                  # not with --compat=scout26
RMA = 'rma'                                                          # not with --compat=scout26; points of all accountings
FILES = 'fileio'                                                      # likewise
CAPPED = ('latesender', 'latereceiver') + LOCKS
CLASS_KINDS = {'barrier': 'barrier', 'nxn': 'n2n', 'one_to_n': '12n', 'n_to_one': 'n21', 'file': FILES}
SUMS = tuple(('delay_%s_aggregate' % k, 'delay_%s delay_%s_longterm' % (k, k)) for k in KINDS + EXTENSION + (RMA, FILES)) + (
    ('delay_p2p', 'delay_latesender_aggregate delay_latereceiver_aggregate'),
    ('delay_collective', 'delay_barrier_aggregate delay_n21_aggregate delay_12n_aggregate delay_n2n_aggregate '
                         'delay_scan_aggregate'),
    ('delay_mpi', 'delay_p2p delay_collective delay_nbc_aggregate'),
    ('delay_omp', 'delay_ompbarrier_aggregate delay_ompidle_aggregate delay_omplock_aggregate'),
    ('delay', 'delay_mpi delay_omp delay_pthreadlock_aggregate delay_rma_aggregate delay_fileio_aggregate'),
    ('mpi_wait_propagating', 'mpi_wait_propagating_ls mpi_wait_propagating_lr'),
    ('mpi_wait_terminal_ls', 'mpi_latesender -mpi_wait_propagating_ls'),
    ('mpi_wait_terminal_lr', 'mpi_latereceiver -mpi_wait_propagating_lr'),
    ('mpi_wait_terminal', 'mpi_wait_terminal_ls mpi_wait_terminal_lr'),
    ('waitstates_propagating_vs_terminal', 'mpi_wait_propagating mpi_wait_terminal'),
    ('mpi_wait_indirect', 'mpi_wait_indirect_latesender mpi_wait_indirect_latereceiver'),
    ('mpi_wait_direct_latesender', 'mpi_latesender -mpi_wait_indirect_latesender'),
    ('mpi_wait_direct_latereceiver', 'mpi_latereceiver -mpi_wait_indirect_latereceiver'),
    ('mpi_wait_direct', 'mpi_wait_direct_latesender mpi_wait_direct_latereceiver'),
    ('waitstates_direct_vs_indirect', 'mpi_wait_direct mpi_wait_indirect'),
    ('intra_partition_imbalance', 'critical_imbalance_impact -inter_partition_imbalance'),
    ('performance_impact_criticalpath', 'critical_path_activities critical_imbalance_impact'),
    ('performance_impact', 'performance_impact_criticalpath non_critical_path_activities'),
    ('delay_unattributed', ' '.join('delay_unattributed_' + k for k in KINDS + EXTENSION + (RMA, FILES))),
)
MEASURED = tuple(name % k for k in KINDS for name in ('delay_%s', 'delay_%s_longterm')) + (
    'mpi_wait_propagating_ls', 'mpi_wait_propagating_lr', 'mpi_wait_indirect_latesender', 'mpi_wait_indirect_latereceiver',
    'critical_path', 'critical_path_imbalance', 'critical_path_activities', 'critical_imbalance_impact',
    'inter_partition_imbalance', 'non_critical_path_activities', 'imbalance', 'imbalance_above', 'imbalance_above_single',
    'imbalance_below', 'imbalance_below_bypass', 'imbalance_below_singularity')
UNATTRIBUTED = tuple('delay_unattributed_' + k for k in KINDS)       # not under --compat
EXTENDED = tuple(name % k for k in EXTENSION + (RMA, FILES) for name in ('delay_%s', 'delay_%s_longterm', 'delay_unattributed_%s'))
METRICS = MEASURED + UNATTRIBUTED + EXTENDED + tuple(s for s, _ in SUMS)
EVERYBODY = object()                                                 # peers of MPI_Init and MPI_Finalize

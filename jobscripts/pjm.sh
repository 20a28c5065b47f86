{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#PJM --name {{JOB_NAME}}
{{IF_JOB}}#PJM -j
{{IF_JOB}}#PJM -L node={{NODES}}
{{IF_JOB}}#PJM -L elapse={{TIME}}
{{IF_JOB}}#PJM --mpi proc={{RANKS}}
{{IF_JOB}}#PJM --mpi max-proc-per-node={{RANKS_PER_NODE}}
{{IF_JOB}}#PJM -g {{ACCOUNT}}
{{IF_NO_ACCOUNT}}##PJM -g ACCOUNT
{{IF_JOB}}#PJM -L rscgrp={{QUEUE}}
{{IF_NO_QUEUE}}##PJM -L rscgrp=QUEUE
{{IF_JOB}}#PJM --step --sparam jid={{AFTER}}
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
mpiexec -n {{RANKS}} {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

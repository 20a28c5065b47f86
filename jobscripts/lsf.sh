{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#BSUB -J {{JOB_NAME}}
{{IF_JOB}}#BSUB -o {{JOB_NAME}}-%J.out
{{IF_JOB}}#BSUB -nnodes {{NODES}}
{{IF_JOB}}#BSUB -W {{MINUTES}}
{{IF_JOB}}#BSUB -wa TERM -wt {{WARNING_MINUTES}}
{{IF_JOB}}#BSUB -P {{ACCOUNT}}
{{IF_NO_ACCOUNT}}##BSUB -P ACCOUNT
{{IF_JOB}}#BSUB -q {{QUEUE}}
{{IF_NO_QUEUE}}##BSUB -q QUEUE
{{IF_JOB}}#BSUB -w "ended({{AFTER}})"
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
jsrun --nrs {{RANKS}} --rs_per_host {{RANKS_PER_NODE}} --tasks_per_rs 1 --cpu_per_rs {{THREADS}} --bind packed:{{THREADS}} \
    {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#PBS -N {{JOB_NAME}}
{{IF_JOB}}#PBS -j oe
{{IF_JOB}}#PBS -l mppwidth={{RANKS}}
{{IF_JOB}}#PBS -l mppnppn={{RANKS_PER_NODE}}
{{IF_JOB}}#PBS -l mppdepth={{THREADS}}
{{IF_JOB}}#PBS -l walltime={{TIME}}
{{IF_JOB}}#PBS -A {{ACCOUNT}}
{{IF_NO_ACCOUNT}}##PBS -A ACCOUNT
{{IF_JOB}}#PBS -q {{QUEUE}}
{{IF_NO_QUEUE}}##PBS -q QUEUE
{{IF_JOB}}#PBS -W depend=afterany:{{AFTER}}
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
{{IF_JOB}}cd "${PBS_O_WORKDIR:-.}" || exit 1
aprun -n {{RANKS}} -N {{RANKS_PER_NODE}} -d {{THREADS}} -cc depth {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#$ -S /bin/bash
{{IF_JOB}}#$ -N {{JOB_NAME}}
{{IF_JOB}}#$ -cwd
{{IF_JOB}}#$ -j y
{{IF_JOB}}#$ -pe {{PARALLEL_ENVIRONMENT}} {{SLOTS}}
{{IF_JOB}}#$ -l s_rt={{SOFT_TIME}},h_rt={{TIME}}
{{IF_JOB}}##$ -l exclusive=true
{{IF_JOB}}#$ -P {{ACCOUNT}}
{{IF_NO_ACCOUNT}}##$ -P PROJECT
{{IF_JOB}}#$ -q {{QUEUE}}
{{IF_NO_QUEUE}}##$ -q QUEUE
{{IF_JOB}}#$ -hold_jid {{AFTER}}
{{IF_JOB}}# The parallel environment (-pe; qconf -spl lists them) must give whole nodes: {{NODES}}, with {{CORES}} slots on each.
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
mpirun -n {{RANKS}} {{MPIRUN_PER_NODE}} {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#flux: --job-name={{JOB_NAME}}
{{IF_JOB}}#flux: --nodes={{NODES}}
{{IF_JOB}}#flux: --exclusive
{{IF_JOB}}#flux: --time-limit={{MINUTES}}m
{{IF_JOB}}#flux: --signal=TERM@{{WARNING_SECONDS}}s
{{IF_JOB}}#flux: --bank={{ACCOUNT}}
{{IF_JOB}}#flux: --queue={{QUEUE}}
{{IF_JOB}}#flux: --dependency=afterany:{{AFTER}}
{{IF_NO_ACCOUNT}}# Some sites need one more such line: --bank=BANK
{{IF_NO_QUEUE}}# Some sites need one more such line: --queue=QUEUE
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
flux run --nodes={{NODES}} --ntasks={{RANKS}} --cores-per-task={{THREADS}} -o pmi={{FLUX_PMI}} {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

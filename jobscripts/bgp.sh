{{IF_JOB}}#!/bin/bash
{{IF_JOB}}# @ job_name = {{JOB_NAME}}
{{IF_JOB}}# @ step_name = heddle
{{IF_JOB}}# @ job_type = bluegene
{{IF_JOB}}# @ bg_size = {{NODES}}
{{IF_JOB}}# @ bg_shape = {{SHAPE}}
{{IF_JOB}}# @ wall_clock_limit = {{TIME}},{{SOFT_TIME}}
{{IF_JOB}}# @ output = $(job_name).$(jobid).out
{{IF_JOB}}# @ error = $(job_name).$(jobid).err
{{IF_JOB}}# @ account_no = {{ACCOUNT}}
{{IF_JOB}}# @ class = {{QUEUE}}
{{IF_JOB}}# @ dependency = ({{AFTER}} >= 0)
{{IF_JOB}}# @ queue
{{IF_DEPENDENT}}# Every step of a file runs all of it: the program's lines need a condition like this one, with the name of its step.
{{IF_DEPENDENT}}[ "${LOADL_STEP_NAME:-heddle}" = heddle ] || exit 0
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
mpirun -mode {{MODE}} -np {{RANKS}} -exe {{HEDDLE}} -args "{{ARGUMENTS_TEXT}}" &
{{INCLUDE wait}}

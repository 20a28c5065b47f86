{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#COBALT --jobname {{JOB_NAME}}
{{IF_JOB}}#COBALT --output {{JOB_NAME}}.out
{{IF_JOB}}#COBALT -n {{NODES}}
{{IF_JOB}}#COBALT -t {{MINUTES}}
{{IF_JOB}}#COBALT --mode script
{{IF_JOB}}#COBALT -A {{ACCOUNT}}
{{IF_NO_ACCOUNT}}##COBALT -A ACCOUNT
{{IF_JOB}}#COBALT -q {{QUEUE}}
{{IF_NO_QUEUE}}##COBALT -q QUEUE
{{IF_JOB}}#COBALT --dependencies {{AFTER}}
{{IF_JOB}}#COBALT --geometry {{SHAPE}}
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
runjob --block "${COBALT_PARTNAME:-}" --np {{RANKS}} --ranks-per-node {{RANKS_PER_NODE}} : {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{IF_JOB}}# nodes: {{NODES}}, ranks on each: {{RANKS_PER_NODE}}, threads of each rank: {{THREADS}}
{{IF_JOB}}# In an allocation mpirun knows its nodes; without one, for several nodes, add to its line: --hostfile FILE
{{IF_JOB}}set -u
{{IF_JOB}}# To edit: what heddle and its MPI library need, for example
{{IF_JOB}}#   module load openmpi
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
mpirun -n {{RANKS}} {{MPIRUN_PER_NODE}} {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{INCLUDE loadleveler}}
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
mpirun -mode {{MODE}} -np {{RANKS}} -exe {{HEDDLE}} -args "{{ARGUMENTS_TEXT}}" &
{{INCLUDE wait}}

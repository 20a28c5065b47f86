{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#SBATCH --job-name={{JOB_NAME}}
{{IF_JOB}}#SBATCH --nodes={{NODES}}
{{IF_JOB}}#SBATCH --ntasks-per-node={{RANKS_PER_NODE}}
{{IF_JOB}}#SBATCH --cpus-per-task={{THREADS}}
{{IF_JOB}}#SBATCH --exclusive
{{IF_JOB}}#SBATCH --mem=0
{{IF_JOB}}#SBATCH --time={{TIME}}
{{IF_JOB}}#SBATCH --signal=B:TERM@{{WARNING_SECONDS}}
{{IF_JOB}}#SBATCH --account={{ACCOUNT}}
{{IF_JOB}}#SBATCH --partition={{QUEUE}}
{{IF_JOB}}#SBATCH --dependency=afterany:{{AFTER}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
srun --nodes={{NODES}} --ntasks={{RANKS}} --ntasks-per-node={{RANKS_PER_NODE}} --cpus-per-task={{THREADS}} --cpu-bind=cores \
    {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

{{IF_JOB}}#!/bin/bash
{{IF_JOB}}#SBATCH --job-name={{JOB_NAME}}
{{IF_JOB}}#SBATCH --output={{JOB_NAME}}-%j.out
{{IF_JOB}}#SBATCH --nodes={{NODES}}
{{IF_JOB}}#SBATCH --ntasks-per-node={{RANKS_PER_NODE}}
{{IF_JOB}}#SBATCH --cpus-per-task={{THREADS}}
{{IF_JOB}}#SBATCH --exclusive
{{IF_JOB}}#SBATCH --mem=0
{{IF_JOB}}#SBATCH --time={{TIME}}
{{IF_JOB}}#SBATCH --signal=B:TERM@{{WARNING_SECONDS}}
{{IF_JOB}}#SBATCH --account={{ACCOUNT}}
{{IF_NO_ACCOUNT}}##SBATCH --account=ACCOUNT
{{IF_JOB}}#SBATCH --partition={{QUEUE}}
{{IF_NO_QUEUE}}##SBATCH --partition=PARTITION
{{IF_JOB}}#SBATCH --dependency=afterany:{{AFTER}}
{{INCLUDE edit}}
{{IF_OWN_JOB}}# heddle: to be put at the end of the job that runs the program, directly behind its line; it needs {{NODES}} of its nodes.
{{IF_OWN_JOB}}program_code=$?
{{IF_OWN_JOB}}program_traps=$(trap -p TERM INT USR1 USR2 XCPU)
heddle_srun=(srun --nodes={{NODES}} --ntasks={{RANKS}} --ntasks-per-node={{RANKS_PER_NODE}} --cpus-per-task={{THREADS}} --cpu-bind=cores)
heddle_srun+=(--mpi={{SRUN_MPI}}) # srun --mpi=list shows what there is
"${heddle_srun[@]}" {{HEDDLE}} {{ARGUMENTS}} &
{{INCLUDE wait}}

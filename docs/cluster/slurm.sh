#!/bin/sh
#SBATCH --job-name=gc-pause
#SBATCH --array=1-8
#SBATCH --requeue
set -eu
simctl run redlock/gc-pause --runs 1000 --shard "$SLURM_ARRAY_TASK_ID/8" --out parts

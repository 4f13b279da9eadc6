#!/bin/sh
# An array with a task for each part of a plan, and a job that joins the results once all of them are done.
#
#   bracken plan parse --lines corpus.txt.gz --parts 400 -o plan/
#   examples/slurm/submit.sh plan/ trees.txt
#
# Options for sbatch, such as --partition, may stand in SBATCH_* variables or after the two arguments.
set -eu
plan=$1 out=$2
shift 2
here=$(dirname "$0")
parts=$(wc -l < "$plan/parts.jsonl")
array=$(sbatch --parsable --array="1-$parts" "$@" "$here/work.sbatch" "$plan")
sbatch --parsable --dependency="afterok:$array" "$@" "$here/gather.sbatch" "$plan" "$out"

#!/usr/bin/env bash
# Merge sorted indexes, such as those of several crawls, into one ZipNum cluster.
#
# Usage: jobs/merge.sh --input PATH... --output DIR [OPTION]...
#
# Input: indexes in CDXJ or CDX: the clusters of jobs/dataset.sh
# (collections/CRAWL/indexes), output folders of jobs/index.sh, or files. PATH
# is a file, a folder, a glob or a URI. No archive file is read.
#
# Output, in DIR:
#   zipnum/                     cluster.idx, cluster.loc and cdx-NNNNN.gz, a
#                               shard for each range of keys; lines that are
#                               equal byte for byte, one record listed twice,
#                               stand once
#   _rejects.tsv                lines that are none of an index: stage, reason,
#                               line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --format LAYOUT             of the lines: cdxj, cdxj-cc, cdxj-meta (as
#                               jobs/dataset.sh makes them), cdxj-all, cdx11, cdx9
#                               (default cdxj-meta)
#   --shards N                  cut the index into so many ranges, each of them
#                               one task and one shard (default 1)
#   --maps N                    so many map tasks
#   --reducers N                the same as --shards N
#   --engine local|hadoop       where it runs (default local: on this machine)
#   -D NAME=VALUE               a property of the engine, as for hadoop-streaming
#   --resume                    go on after the last finished stage
#   --force                     replace the output of an earlier job
#   --max-rejects N|N%          exit status 3 if there are more rejects
#   --keep-rejects N            keep so many in _rejects.tsv (default 100000); the
#                               others are counted by reason
#   --quiet                     print errors only
#   --help, --version
#
# Example: jobs/merge.sh --input eot/collections/*/indexes --output eot-all
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

layout=cdxj-meta
shards=

job_option() {
	case $1 in
	--format) layout=$2 ;;
	--shards) shards=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	one_of --format "$layout" cdxj cdxj-cc cdxj-meta cdxj-all cdx11 cdx9
	job_check_number --shards "$shards"
	shards=${shards:-${job_reducers:-1}}
}

# sort_ranges cuts the lines into ranges by a sample and sorts each.
sort_ranges() {
	local path lines
	local -a inputs=()
	for path in "${job_inputs[@]}"; do
		inputs+=(-input "$path")
	done
	job_set_lines lines "$job_input_files"
	job_cut_ranges "$shards" "$lines" "${inputs[@]}"
	job_stage merge "assign-ranges write-index" "${key_only[@]}" ${job_maps:+-D "mapreduce.job.maps=$job_maps"} \
		-D mapreduce.partition.keypartitioner.options=-k1,1 -D "stage.ranges=$job_ranges" "${inputs[@]}" \
		-mapper "assign-ranges --layout $layout --shards $shards" \
		-reducer "write-index --ranged --layout $layout --zipnum" -numReduceTasks "$shards" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

job_takes=index
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/ranges.bash
. "${BASH_SOURCE[0]%/*}/ranges.bash"
job_options "$@"
check_options
job_stages_expected=$((1 + (shards > 1)))
job_begin sample-keys cut-ranges assign-ranges write-index number-blocks
sort_ranges
job_number_blocks merge
job_publish=(merge)
captures=$(job_counter merge captures)
index_files=0
job_set_line_count index_files "$job_input_files"
job_end "$(job_counter merge kept)" "$((captures + $(job_counter merge rejected)))" "$captures captures of $index_files index files"

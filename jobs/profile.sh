#!/usr/bin/env bash
# Describe a collection as the MementoMap paper does, in tables and plots.
#
# Usage: jobs/profile.sh --input PATH... --output DIR [OPTION]...
#
# Input: CDX or CDXJ, as text or gzip, in any order. PATH is a file, a folder, a
# glob or a URI; a ZipNum cluster (its folder), or the output folder of
# jobs/index.sh.
#
# Output, in DIR:
#   profile.json                TLDs, totals, captures per URL with Gini
#                               coefficient and break point, most captured URLs,
#                               growth by year, hosts and keys by depth, and how
#                               far keys reduce when they are cut there (Tables
#                               1, 2 and 4 to 8 of the paper)
#   profile.html                the same as one page with plots (its Figures 5
#                               to 7)
#   _rejects.tsv                lines that are no capture: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --where EXPR                captures that count, as status == 200 (default:
#                               all)
#   --title TEXT                at the head of the page (default: Profile of a
#                               collection)
#   --top N                     most captured URLs that are named (default 20)
#   --tlds N                    TLDs that are named (default 20)
#   --maps N                    about so many map tasks
#   --reducers N                so many reduce tasks (default 1)
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
# Example: jobs/profile.sh --input index.cdxj --where 'status == 200' \
#            --output profile
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

condition=
title='Profile of a collection'
top=20
tlds=20

job_option() {
	case $1 in
	--where) condition=$2 ;;
	--title) title=$2 ;;
	--top) top=$2 ;;
	--tlds) tlds=$2 ;;
	*) return 2 ;;
	esac
}

# count_keys sorts the keys of all captures and counts what stands below each prefix.
count_keys() {
	local -a lists=()
	local i
	for i in "${job_inputs[@]}"; do
		lists+=(-input "$i")
	done
	job_stage keys "key-captures profile-keys" -D stream.num.map.output.key.fields=3 \
		-D "mapreduce.partition.keypartitioner.options=-k1,2" -D "stage.where=$condition" \
		${job_maps:+-D "mapreduce.job.maps=$job_maps"} "${lists[@]}" \
		-mapper key-captures -reducer "profile-keys --top $top" -numReduceTasks "${job_reducers:-1}" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# write_profile adds the counts up.
write_profile() {
	local size files=0 bytes=0
	while IFS=$'\t' read -r _ size _; do
		((files++, bytes += size))
	done <<<"$job_input_files"
	job_stage write write-profile -D stream.num.map.output.key.fields=3 -D mapreduce.job.maps=1 -D "stage.title=$title" \
		-input "$job_work/keys/part-*" -mapper cat \
		-reducer "write-profile --top $top --tlds $tlds --index-files $files --index-bytes $bytes" -numReduceTasks 1
}

job_takes=index
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
job_check_number --top "$top"
job_check_number --tlds "$tlds"
job_stages_expected=2
job_begin key-captures profile-keys write-profile
count_keys
write_profile
job_publish=(write)
captures=$(job_counter keys captures)
job_end "$captures" "$((captures + $(job_counter keys rejected)))" "profile of $captures captures"

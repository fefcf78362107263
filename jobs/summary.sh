#!/usr/bin/env bash
# Summarize what a collection contains, as numbers and as a page.
#
# Usage: jobs/summary.sh --input PATH... --output DIR [OPTION]...
#
# Input: CDX or CDXJ, as text or gzip. PATH is a file, a folder, a glob or a
# URI; a ZipNum cluster (its folder), or the output folder of jobs/index.sh.
# Sorted files are read once; of several whose addresses overlap, or one that is
# not sorted, the keys are sorted for the number of different ones.
#
# Output, in DIR:
#   summary.json                the members of the Internet Archive's CDX
#                               Summary: captures, urls, hosts, bytes, first,
#                               last, tophosts, mimestatus, pathquery,
#                               yearmonth, samples
#   summary.html                the same as one page with plots, which needs
#                               nothing else
#   _rejects.tsv                lines that are no capture: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --title TEXT                at the head of the page (default: Summary of
#                               captures)
#   --samples N                 captures that are shown as samples (default 10)
#   --top-hosts N               hosts that are named (default 10)
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
# Example: jobs/summary.sh --input index.cdxj --output summary
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

title='Summary of captures'
samples=10
top_hosts=10

job_option() {
	case $1 in
	--title) title=$2 ;;
	--samples) samples=$2 ;;
	--top-hosts) top_hosts=$2 ;;
	*) return 2 ;;
	esac
}

# A partial summary is parted by table and row, so that a host is in one place.
partial=(-D stream.num.map.output.key.fields=3 -D "mapreduce.partition.keypartitioner.options=-k1,2")

# summarize STAGE [OPTION]: one partial summary for each reducer.
summarize() {
	local -a lists=()
	local i
	for i in "${job_inputs[@]}"; do
		lists+=(-input "$i")
	done
	job_stage "$1" "summarize-captures merge-summaries" "${partial[@]}" ${job_maps:+-D "mapreduce.job.maps=$job_maps"} "${lists[@]}" \
		-mapper "summarize-captures --samples $samples${2:+ $2}" -reducer "merge-summaries --top-hosts $top_hosts" \
		-numReduceTasks "${job_reducers:-1}" -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

job_takes=index
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
job_check_number --samples "$samples"
job_check_number --top-hosts "$top_hosts"
job_begin summarize-captures merge-summaries write-summary
summarize summarize
partials=(-input "$job_work/summarize/part-*")
job_stages_expected=2
if (($(job_counter summarize 'overlapping runs') > 0)); then
	job_stages_expected=3
	summarize urls --each-url
	partials+=(-input "$job_work/urls/part-*")
fi
job_stage write write-summary -D stream.num.map.output.key.fields=3 -D mapreduce.job.maps=1 -D "stage.title=$title" "${partials[@]}" \
	-mapper cat -reducer "write-summary --samples $samples --top-hosts $top_hosts" -numReduceTasks 1
job_publish=(write)
captures=$(job_counter summarize captures)
job_end "$captures" "$((captures + $(job_counter summarize rejected)))" "summary of $captures captures"

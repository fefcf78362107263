#!/usr/bin/env bash
# Select captures by what an index says of them, and make a research corpus of them.
#
# Usage: jobs/select.sh --cdx PATH... --output DIR [OPTION]...
#        jobs/select.sh --archives PATH... --output DIR [OPTION]...
#
# Input: indexes: CDX with 9 to 11 fields, CDXJ, or ZipNum clusters; as text or gzip.
# PATH is a file, a folder, a glob or a URI; in a folder, names that begin with _ or
# . are skipped. A sorted index is searched where the condition says which keys it
# can hold; no other record is touched than those that are selected. Without --cdx
# the archive files are indexed first.
#
# Output, in DIR:
#   index.cdxj, index.cdx       the selected index lines (--save cdxj, cdx)
#   SELECT-NNNNNN-C.warc.gz     the selected records, byte for byte, with
#                               manifest.tsv and index.cdxj (--save warc)
#   _rejects.tsv                captures that could not be selected: stage, reason,
#                               input line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --archives DIR|URI          where the archive files lie that the index names; can
#                               be given several times: the first that has a file of
#                               that name counts
#   --path-index FILE           or a file of lines NAME, tab, path of the archive
#   --where EXPR                take the captures for which this is true, of the
#                               fields surt, timestamp, url, mime, status, digest,
#                               redirect, meta, length, offset, filename, host,
#                               domain, year and month, as in
#                               status == 200 && domain == "example.org"
#   --sample SHARE              of these, the same however many tasks there are
#   --seed TEXT                 another sample (default 1)
#   --pick latest|earliest|first-per-digest
#                               of these one of each group
#   --per url|host|domain|EXPR  what a group is (default url)
#   --save cdxj|cdx|warc        what is made (default cdxj)
#   --max-size SIZE             of the records of a part (default 100MB)
#   --prefix NAME               of the WARC files (default SELECT)
#   --date TIMESTAMP            of their header records, 14 digits (default: the date
#                               of the first record in the file)
#   --records LIST              without --cdx: types of records (default
#                               response,revisit,resource,metadata)
#   --recipe NAME|FILE          options out of a file: one of jobs/recipes, of one's
#                               own (a line each, without the dashes), or the
#                               _job.json of an earlier selection, which is made
#                               again on other archives
#   --small SIZE                what reads no more of the indexes, and no more records
#                               than a part has, is done without an engine (default
#                               64MB; 0: nothing is)
#   --maps N                    so many map tasks
#   --reducers N                so many tasks that pick (default 1)
#   --engine local|hadoop       where it runs (default local: on this machine)
#   -D NAME=VALUE               a property of the engine, as for hadoop-streaming
#   --resume                    go on after the last finished stage
#   --force                     replace the output of an earlier job
#   --max-rejects N|N%          exit status 3 if there are more rejects
#   --quiet                     print errors only
#   --help, --version
#
# Example: jobs/select.sh --cdx index.cdxj --archives /data/warcs --where 'status == 200' --pick latest --save warc --output corpus
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects.

archives=()
path_index=
where=
sample=
seed=1
pick=
per=url
save=
max_size=100MB
prefix=SELECT
date=
records=
small=64MB
scan=

job_option() {
	case $1 in
	--archives) archives+=("$2") ;;
	--path-index) path_index=$2 ;;
	--where) where=$2 ;;
	--sample) sample=$2 ;;
	--seed) seed=$2 ;;
	--pick) pick=$2 ;;
	--per) per=$2 ;;
	--save) save=$2 ;;
	--max-size) max_size=$2 ;;
	--prefix) prefix=$2 ;;
	--date) date=$2 ;;
	--records) records=$2 ;;
	--small) small=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	local i
	save=${save:-cdxj}
	one_of --save "$save" cdxj cdx warc
	[[ -z $pick ]] || one_of --pick "$pick" latest earliest first-per-digest
	[[ -z $sample || $sample =~ ^(0?\.[0-9]+|1|1\.0*)$ ]] || usage_error "--sample $sample: a share over 0 and up to 1 is wanted"
	[[ $prefix =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--prefix $prefix: letters, digits, dots, dashes and underscores are wanted"
	[[ -z $date || $date =~ ^[0-9]{14}$ ]] || usage_error "--date $date: 14 digits are wanted, as in 20260131235959"
	[[ -z $records || -n $scan ]] || usage_error "--records needs archives without --cdx: of an index --where takes the types that are wanted"
	[[ $save == cdx* || -n $scan || ${#archives[@]} -gt 0 || -n $path_index ]] || usage_error "--archives or --path-index is missing"
	max_bytes=$(job_bytes --max-size "$max_size") || exit 2
	small_bytes=0
	[[ $small == 0 ]] || small_bytes=$(job_bytes --small "$small") || exit 2
	for i in "${!archives[@]}"; do
		job_set_path "archives[i]" "${archives[i]%/}"
	done
	[[ -z $path_index ]] || job_set_path path_index "$path_index"
}

# All of a line is its key.
key_only=(-D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext -D stream.reduce.output=keyonlytext)

# find_archives makes one path index of several folders, or of the archive files
# that are scanned.
find_archives() {
	local files_found name base
	archives_base=${archives[0]-}
	archives_index=
	if [[ -n $path_index ]]; then
		files cat "$path_index"
	elif [[ -n $scan ]]; then
		files_found=$(cut -f1 <<<"$job_input_files")
		while IFS= read -r name; do printf '%s\t%s\n' "${name##*/}" "$name"; done <<<"$files_found"
	elif ((${#archives[@]} > 1)); then
		for base in "${archives[@]}"; do
			files expand "$base" | cut -f1 | while IFS= read -r name; do printf '%s\t%s\n' "${name##*/}" "$name"; done
		done
	else
		return 0
	fi | LC_ALL=C sort -s -u -t$'\t' -k1,1 -S 32M | files put "$job_work/path-index.tsv" || fail "the archive files cannot be listed"
	if [[ -n $path_index || -n $scan || ${#archives[@]} -gt 1 ]]; then
		archives_index=$job_work/path-index.tsv
	fi
	[[ -z $scan && ${#archives[@]} -le 1 ]] || archives_base=
}

# index_archives makes the index of archive files that have none.
index_archives() {
	local per_map=1 n reader="index-archives --format cdxj-all"
	n=$(wc -l <<<"$job_input_files")
	[[ -z $job_maps ]] || per_map=$(((n + job_maps - 1) / job_maps))
	[[ -z $records ]] || reader+=" --records $records"
	job_stage scan "index-archives" -D stream.map.input.ignoreKey=true "${key_only[@]}" \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/inputs.txt" -mapper "$reader" -numReduceTasks 0
	indexes=("$job_work/scan/part-*")
}

# index_files gives the arguments for the lines of the indexes: of a cluster its
# shards.
index_files() {
	local path name
	inputs=()
	if [[ -n $scan ]]; then
		inputs=(-input "${indexes[0]}")
		return
	fi
	while IFS=$'\t' read -r path _; do
		name=${path##*/}
		[[ $name == *.idx || $name == *.loc || $name == *.summary ]] || inputs+=(-input "$path")
	done <<<"$job_input_files"
}

# search filters what little of the indexes has to be read, in a pipe; plan is the
# file of lines then.
search() {
	local i
	local -a options=(--where "$where" --sample "${sample:-1}" --seed "$seed" --pick "$pick" --per "$per" --max-bytes "$small_bytes")
	for i in "${indexes[@]}"; do
		options+=(--index "$i")
	done
	job_pipe search search_pipe "${options[@]}"
	(($(job_counter search unread) > 0)) || plan=$job_work/search/part-00000
}

search_pipe() {
	local -a options=("$@" --rejects "$job_work/search/_rejects/filter-captures.tsv")
	if [[ -z $pick ]]; then
		"$job_bin/filter-captures" "${options[@]}" | job_sort_into "$job_work/search/part-00000"
	else
		"$job_bin/filter-captures" "${options[@]}" | LC_ALL=C sort -S 64M | "$job_bin/pick-captures" | job_sort_into "$job_work/search/part-00000"
	fi
}

# filter_and_pick prepares the next stage: its mapper reads the lines of a plan, or
# filters the indexes first. A pick takes a stage of its own.
filter_and_pick() {
	from=search
	if [[ -n $plan ]]; then
		inputs=(-input "$plan")
		mapper=()
		return
	fi
	index_files
	mapper=(-D "stage.where=$where" -D "stage.sample=${sample:-1}" -D "stage.seed=$seed" -D "stage.pick=$pick" -D "stage.per=$per")
	[[ -n $pick ]] || return 0
	from=pick
	job_stage pick "filter-captures pick-captures" "${key_only[@]}" "${mapper[@]}" \
		-D mapreduce.partition.keypartitioner.options=-k1,1 "${inputs[@]}" -mapper filter-captures -reducer pick-captures \
		-numReduceTasks "${job_reducers:-1}" -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
	inputs=(-input "$job_work/pick/part-*")
	mapper=()
}

# make_plan cuts the plan into splits, each for one part of the output. A plan that
# is no larger than a part stays a file.
make_plan() {
	local program=cat
	if [[ -n $plan ]] && (($(job_counter search bytes) <= max_bytes)); then
		return
	fi
	filter_and_pick
	[[ ${#mapper[@]} -eq 0 ]] || program=filter-captures from=plan
	job_stage plan "filter-captures cut-splits" "${key_only[@]}" ${mapper[@]+"${mapper[@]}"} "${inputs[@]}" \
		-mapper "$program" -reducer "cut-splits --max-size $max_bytes" -numReduceTasks 1
	plan=
}

# save_index writes the selected index lines.
save_index() {
	local layout=cdxj-all
	[[ $save == cdxj ]] || layout=cdx11
	if [[ -n $plan ]]; then
		job_pipe "index" index_pipe "$layout"
	else
		filter_and_pick
		[[ ${#mapper[@]} -eq 0 ]] || from=index
		job_stage "index" "filter-captures write-index" "${key_only[@]}" ${mapper[@]+"${mapper[@]}"} "${inputs[@]}" \
			-mapper "filter-captures --form $save" -reducer "write-index --lines --alone --layout $layout" -numReduceTasks 1
	fi
	files exists "$job_work/index/index.$save" || index_header | files put "$job_work/index/index.$save"
	made="$(job_counter "index" captures) captures"
	job_publish=(index)
}

index_header() { [[ $save != cdx ]] || printf ' CDX N b a m s k r M S V g\n'; }

index_pipe() {
	"$job_bin/filter-captures" --form "$save" <"$plan" | LC_ALL=C sort -S 64M | "$job_bin/write-index" --lines --alone --layout "$1" --output "$job_work/index"
}

# save_records copies the selected records.
save_records() {
	local -a options=(--max-size "$max_bytes" --prefix "$prefix")
	[[ -z $date ]] || options+=(--date "$date")
	make_plan
	if [[ -n $plan ]]; then
		job_pipe extract extract_pipe "${options[@]}" --archives "$archives_base" --path-index "$archives_index"
	elif (($(job_counter plan splits) > 0)); then
		job_stage extract "extract-records write-tables" -D stream.num.map.output.key.fields=2 \
			-D mapreduce.input.fileinputformat.split.minsize=1099511627776 -D mapreduce.partition.keypartitioner.options=-k1,1 \
			-D "stage.archives=$archives_base" -D "stage.path-index=$archives_index" -input "$job_work/plan/split-*" \
			-mapper "extract-records ${options[*]}" -reducer write-tables -numReduceTasks 2 \
			-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
	fi
	made="$(job_counter extract records) records, $(job_counter extract files) files"
	((${#job_publish[@]})) || ! files exists "$job_work/extract" || job_publish=(extract)
	files exists "$job_work/extract/manifest.tsv" || job_put manifest.tsv </dev/null
}

extract_pipe() {
	"$job_bin/extract-records" "$@" --number 0 --output "$job_work/extract" --rejects "$job_work/extract/_rejects/extract-records.tsv" <"$plan" |
		LC_ALL=C sort -S 64M | "$job_bin/write-tables" --output "$job_work/extract"
}

# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/pipes.bash
. "${BASH_SOURCE[0]%/*}/pipes.bash"
case " $* " in
*' --cdx '* | *' --cdx='*) job_input_option=--cdx ;;
*) job_input_option=--archives scan=1 ;;
esac
job_options "$@"
check_options
job_begin filter-captures pick-captures cut-splits extract-records write-tables write-index index-archives
find_archives
plan='' from=search indexes=("${job_inputs[@]}")
[[ -z $scan ]] || index_archives
((small_bytes == 0)) || search
case $save in
cdx*) save_index ;;
warc) save_records ;;
esac
captures=$(job_counter "$from" captures)
job_end "$((captures + $(job_counter "$from" rejected)))" "$made"

#!/usr/bin/env bash
# Extract records by offset from ARC and WARC files into new ones, byte for byte.
#
# Usage: jobs/extract.sh --input PATH... --output DIR [OPTION]...
#
# Input: lists of captures, recognised line by line: four fields separated by
# tabs (URL, archive file, offset, compressed length), CDX with 9 to 11 fields,
# with or without a header line, or CDXJ. Text or gzip. PATH is a file, a folder,
# a ZipNum cluster (its folder), the output folder of jobs/index.sh, a glob or a
# URI; in a folder, names that begin with _ or . are skipped.
#
# Output, in DIR:
#   PREFIX-NNNNNN-C.warc.gz     the records, byte for byte, behind a warcinfo
#   PREFIX-NNNNNN-C.arc.gz      record; ARC records behind a filedesc record
#                               (.warc and .arc for records that are not
#                               compressed in their source, after which line
#                               ends are added that are missing there; one that
#                               is not as long as its header says is compressed);
#                               NNNNNN is the task's number, C counts its files
#   manifest.tsv                output file, offset, length, source file, source
#                               offset, URL
#   index.cdxj                  index of the output, sorted, where the input is
#                               CDX or CDXJ
#   _rejects.tsv                captures that could not be extracted: stage,
#                               reason, input line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --archives DIR|URI          where the archive files lie that the lists name
#   --path-index FILE           or a file of lines NAME, tab, path of the archive;
#                               two paths of one name are refused
#   --format same|warc|arc      same (default): bytes unchanged; warc: ARC records
#                               become WARC records; arc: WARC responses and
#                               resources become ARC records
#   --max-size SIZE             of an output file's records (default 100MB)
#   --with-requests             next to each response and revisit its request,
#                               the record that WARC-Concurrent-To of either
#                               names, if it is one of the three before or after
#                               it in the file and begins no more than 1 MiB
#                               away; those that are not found are counted. Not
#                               with --format arc
#   --order archive|input       archive (default): by archive file and offset,
#                               which reads sequentially; input: as listed
#   --unique                    extract a record once that is listed repeatedly
#   --verify none|url|digest    check the record's URL and date against the
#                               list, or also its digests, before it is taken
#                               (default none)
#   --prefix NAME               of the output files; {digest} in it becomes
#                               twelve digits of a digest of what is extracted
#                               and of the options, so that other jobs give
#                               other names and the same job the same (default
#                               EXTRACT-{digest})
#   --date TIMESTAMP            of the header records, 14 digits (default: the
#                               date of the first record in the file)
#   --maps N                    so many map tasks of about equal size instead of
#                               one for each --max-size
#   --reducers N                so many tasks that cut the list (default 1, and
#                               always 1 with --order input or --maps)
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
# Example: jobs/extract.sh --input captures.cdxj --archives warcs --output picked
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

archives=
path_index=
format=same
max_size=100MB
order=archive
unique=
with_requests=
verify=none
prefix='EXTRACT-{digest}'
date=

job_option() {
	case $1 in
	--archives) archives=$2 ;;
	--path-index) path_index=$2 ;;
	--format) format=$2 ;;
	--max-size) max_size=$2 ;;
	--order) order=$2 ;;
	--verify) verify=$2 ;;
	--prefix) prefix=$2 ;;
	--date) date=$2 ;;
	--with-requests)
		with_requests=1
		return 1
		;;
	--unique)
		unique=1
		return 1
		;;
	*) return 2 ;;
	esac
}

check_options() {
	one_of --format "$format" same warc arc
	[[ -z $with_requests || $format != arc ]] || usage_error "--with-requests: ARC holds no requests: expected --format same or warc"
	one_of --order "$order" archive input
	one_of --verify "$verify" none url digest
	[[ ${prefix//"{digest}"/0} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--prefix $prefix: expected letters, digits, dots, dashes, underscores and {digest}"
	[[ -z $date || $date =~ ^[0-9]{14}$ ]] || usage_error "--date $date: 14 digits are wanted, as in 20260131235959"
	[[ -n $archives || -n $path_index ]] || usage_error "--archives or --path-index is missing"
	max_bytes=$(job_bytes --max-size "$max_size") || exit 2
	[[ -z $archives ]] || job_set_path archives "${archives%/}"
	[[ -z $path_index ]] || job_set_path path_index "$path_index"
	job_reads=(${archives:+"$archives"} ${path_index:+"$path_index"})
	job_also=(${archives:+folder$'\t'--archives$'\t'"$archives"} ${path_index:+lines$'\t'--path-index$'\t'"$path_index"})
}

# parse makes sorted plan lines of the lists, where they cannot be cut at once:
# equal shares need the size of all records, and duplicates are found in archive
# order only.
parse() {
	if [[ -n $unique ]]; then
		job_stage parse "parse-captures drop-duplicates" -D stream.num.map.output.key.fields=3 \
			-D stream.reduce.output=keyonlytext -D "stage.inputs=$job_work/inputs.txt" "$@" \
			-mapper "parse-captures --order archive" -reducer "drop-duplicates --order $order" -numReduceTasks "${job_reducers:-1}"
		total=$(job_counter parse kept-bytes)
	else
		job_stage parse "parse-captures" -D stream.map.output=keyonlytext -D "stage.inputs=$job_work/inputs.txt" "$@" \
			-mapper "parse-captures --order $order" -numReduceTasks 0
		total=$(job_counter parse bytes)
	fi
}

# plan cuts the lists into splits, one for each map task of the extraction.
plan() {
	local -a lists=() cut=(-D stream.num.map.output.key.fields=3)
	local i mapper="parse-captures --order $order" programs="parse-captures cut-splits"
	for i in "${job_inputs[@]}"; do
		lists+=(-input "$i")
	done
	if [[ -n $job_maps || -n $unique ]]; then
		parse "${lists[@]}"
		mapper=cat programs=cut-splits lists=(-input "$job_work/parse/part-*")
		[[ -z $job_maps ]] || cut+=(-D "stage.splits=$job_maps" -D "stage.total=$total")
	else
		cut+=(-D "stage.inputs=$job_work/inputs.txt")
	fi
	# The order of the list is one order: only archives can be dealt out. And
	# equal shares are of all records.
	[[ $order == archive && -z $job_maps ]] || job_reducers=
	if ((${job_reducers:-1} > 1)); then
		cut+=(-D "mapreduce.partition.keypartitioner.options=-k1,1")
		lists+=(-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner)
	fi
	job_stage plan "$programs" "${cut[@]}" "${lists[@]}" -mapper "$mapper" \
		-reducer "cut-splits --order $order --max-size $max_bytes --reducers ${job_reducers:-1}" \
		-numReduceTasks "${job_reducers:-1}"
}

# extract copies the records of each split. A split is one file, and a file must
# stay one map task, however large the list is. The names of the two tables fall
# into different partitions of two.
extract() { # WHAT TELLS THE PLAN FROM OTHERS
	job_stage extract "extract-records write-tables" -D stream.num.map.output.key.fields=2 \
		-D mapreduce.input.fileinputformat.split.minsize=1099511627776 \
		-D mapreduce.partition.keypartitioner.options=-k1,1 \
		-D "stage.archives=$archives" -D "stage.path-index=${path_index:+$job_work/path-index.tsv}" \
		-input "$job_work/plan/split-*" \
		-mapper "extract-records --format $format --max-size $max_bytes --verify $verify --prefix $prefix --plan $1${date:+ --date $date}${with_requests:+ --with-requests}" \
		-reducer write-tables -numReduceTasks 2 \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# looked_for says which archive files were looked for and where.
looked_for() {
	local names
	names=$(files cat "$job_work/plan/split-*" | cut -f 1 | LC_ALL=C sort -u -S 32M | wc -l) || exit 1
	printf 'the captures name %d archive files, which were looked for in %s' "$names" "$archives${archives:+${path_index:+ and }}$path_index"
}

job_takes=captures
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
check_options
job_stages_expected=2
[[ -z $job_maps && -z $unique ]] || job_stages_expected=3
job_begin parse-captures drop-duplicates cut-splits extract-records write-tables
job_set_found path_index
if [[ -n $path_index ]]; then
	index_of=("path-index=$path_index")
	[[ -z $archives || $archives == http?(s)://* ]] || index_of+=("archives=$archives")
	job_index_archives "$job_work/path-index.tsv" "${index_of[@]}"
fi
plan
job_publish=()
if (($(job_counter plan splits) > 0)); then
	extract "$(job_counter plan plan-high).$(job_counter plan plan-low)"
	job_publish=(extract)
fi
source_stage=plan
[[ -z $job_maps && -z $unique ]] || source_stage=parse
captures=$(job_counter $source_stage captures)
malformed=$(job_counter $source_stage rejected)
if ((captures + malformed == 0)); then
	job_put manifest.tsv </dev/null
elif ((captures > 0 && $(job_counter extract records) == 0)); then
	job_looked=$(looked_for) || exit 1
fi
if [[ -n $with_requests ]]; then
	lacking=$(job_counter extract "requests not found")
	((lacking == 0)) || say "$lacking responses and revisits have no request near them"
fi
job_end "$(job_counter extract records)" "$((captures + malformed))" "$(job_counter extract records) records, ${with_requests:+$(job_counter extract requests) requests, }$(job_counter extract files) files"

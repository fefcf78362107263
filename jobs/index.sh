#!/usr/bin/env bash
# Index ARC and WARC files: CDXJ or CDX, ZipNum, Parquet.
#
# Usage: jobs/index.sh --input PATH... --output DIR [OPTION]...
#
# Input: ARC and WARC files, compressed or not. PATH is a file, a folder, a glob
# or a URI; in a folder, names that begin with _ or . are skipped. Each file is
# read once, by one task.
#
# Output, in DIR:
#   index.cdxj or index.cdx     one line for each capture, sorted as by
#                               LC_ALL=C sort
#   cdx/NAME.cdxj               the same for each archive file (--per-file)
#   zipnum/                     cluster.idx, cluster.loc and cdx-NNNNN.gz, a shard
#                               for each range of keys (--zipnum)
#   table/crawl=NAME/subset=NAME/part-NNNNN.CODEC.parquet
#                               the columns of Common Crawl's index table
#                               (--parquet)
#   _rejects.tsv                damage in the archive files, with its offset:
#                               stage, reason, archive file. By what is called a
#                               warning nothing is lost; it is no reject
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --format LAYOUT|none        of the lines: cdxj (members as cdxj-indexer writes
#                               them), cdxj-cc (as Common Crawl does), cdxj-all,
#                               cdx11, cdx9; none: only what --zipnum, --parquet
#                               or --per-file make (default cdxj, with --parquet
#                               cdxj-cc, which has all that the table has)
#   --records LIST              types of records (default
#                               response,revisit,resource,metadata)
#   --crawl-metadata            also what a crawler notes for itself
#   --post-append               put what POST requests have sent into the key, as
#                               pywb looks for it
#   --verify-digests            report payloads that do not fit their digest
#   --full-paths                name archive files as in the input, not by the
#                               last element of their path
#   --relative-to DIR|URI       or relative to this folder
#   --per-file                  also an index for each archive file
#   --zipnum                    also a ZipNum cluster
#   --parquet                   also a Parquet table
#   --codec zstd|gzip           of the table (default zstd)
#   --bloom-filter              of the table's URLs
#   --crawl NAME                partition of the table (default main)
#   --subset NAME               partition of the table (default warc)
#   --shards N                  cut the index into so many ranges, each of them
#                               one task, one shard and one part of the table
#                               (default 1)
#   --update PATH               an older index, or the output folder of an older
#                               job: its captures are taken over, but for those in
#                               archive files that are indexed now
#   --remove FILE               and those in the archive files that are named
#                               here, one a line
#   --maps N                    so many map tasks instead of one for each file
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
# Example: jobs/index.sh --input warcs --output index --zipnum
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

format=
records=
per_file=
zipnum=
parquet=
bloom=
codec=zstd
crawl=main
subset=warc
shards=
update=
remove=
full_paths=
relative_to=
reader_options= # of index-archives
old_lines=0     # about how many an older index has
merged=()       # arguments for the lines of an older index

job_option() {
	case $1 in
	--format) format=$2 ;;
	--records) records=$2 ;;
	--codec) codec=$2 ;;
	--crawl) crawl=$2 ;;
	--subset) subset=$2 ;;
	--shards) shards=$2 ;;
	--update) update=$2 ;;
	--remove) remove=$2 ;;
	--relative-to) relative_to=$2 ;;
	*) job_switch "$1" ;;
	esac
}

# job_switch takes an option without a value.
job_switch() {
	case $1 in
	--per-file) per_file=1 ;;
	--zipnum) zipnum=1 ;;
	--parquet) parquet=1 ;;
	--bloom-filter) bloom=1 ;;
	--full-paths) full_paths=1 ;;
	--crawl-metadata | --post-append | --verify-digests) reader_options+=" $1" ;;
	*) return 2 ;;
	esac
	return 1
}

check_options() {
	local name
	[[ -n $format ]] || format=cdxj${parquet:+-cc}
	one_of --format "$format" cdxj cdxj-cc cdxj-all cdx11 cdx9 none
	one_of --codec "$codec" zstd gzip
	job_check_number --shards "$shards"
	shards=${shards:-${job_reducers:-1}}
	[[ $records =~ ^[a-z,]*$ ]] || usage_error "--records $records: types of records are wanted, separated by commas"
	for name in "$crawl" "$subset"; do
		[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--crawl, --subset $name: letters, digits, dots, dashes and underscores are wanted"
	done
	[[ -z $remove || -n $update ]] || usage_error "--remove needs --update: it is out of an older index that captures are removed"
	[[ $format != none || -n $zipnum$parquet$per_file ]] || usage_error "--format none needs --zipnum, --parquet or --per-file"
	[[ -z $full_paths || -z $relative_to ]] || usage_error "--full-paths and --relative-to exclude each other"
	[[ -z $update ]] || job_set_path update "${update%/}"
	[[ -z $remove ]] || job_set_path remove "$remove"
	[[ -z $relative_to ]] || job_set_path relative_to "${relative_to%/}"
	relative_to=${relative_to%/.}
	job_earlier=(${update:+"$update"})
	job_reads=(${remove:+"$remove"})
	job_also=(${remove:+lines$'\t'--remove$'\t'"$remove"})
	layout=$format
	[[ $format != none ]] || layout=cdxj${parquet:+-cc}
	suffix=.cdxj
	[[ $layout == cdxj* ]] || suffix=.cdx
}

# written gives the options of write-index that say what it makes.
written() {
	local o="--layout $layout"
	[[ $format == none ]] || o+=" --lines"
	[[ -z $zipnum ]] || o+=" --zipnum"
	[[ -z $parquet ]] || o+=" --parquet --codec $codec --crawl $crawl --subset $subset${bloom:+ --bloom-filter}"
	printf '%s' "$o"
}

# check_names refuses two archive files that the index would call the same.
check_names() {
	"$job_bin/manage-files" names "$job_output" "job=$job_name" "list=$job_work/inputs.txt" "relative-to=$relative_to" "full-paths=$full_paths" "layout=$layout" \
		"hint=give --relative-to the folder that all are in, or --full-paths" || exit 1
}

# read_archives reads each archive file in a map task of its own. With one range
# and nothing to merge its lines are sorted and written at once.
read_archives() {
	local n per_map=1 reader="index-archives --format $layout$reader_options${per_file:+ --per-file $layout}${full_paths:+ --full-paths}"
	local -a writer=(-numReduceTasks 0)
	job_set_line_count n "$job_input_files"
	[[ -z $job_maps ]] || per_map=$(((n + job_maps - 1) / job_maps))
	[[ -z $records ]] || reader+=" --records $records"
	if [[ -z $sorting ]]; then
		writer=(-reducer "write-index --alone $(written)" -numReduceTasks 1)
	fi
	job_stage index "index-archives write-index" -D stream.map.input.ignoreKey=true "${key_only[@]}" \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" -D "stage.relative-to=$relative_to" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/inputs.txt" -mapper "$reader" "${writer[@]}"
}

# find_update sets merged to the arguments for the lines of the older index, and
# about how many there are.
find_update() {
	local path older=$update found
	local -a paths=()
	[[ -n $update ]] || return 0
	job_set_found older
	mapfile -t paths <<<"$older"
	for path in "${paths[@]}"; do
		merged+=(-input "$path")
	done
	found=$(files expand "${paths[@]}") || exit 1
	job_set_lines old_lines "$found"
	{
		job_set_found remove
		[[ -z $remove ]] || files cat "$remove" || exit 1
		names_in_index
	} | files put "$job_work/dropped.txt" || fail "the names of the archive files cannot be written"
}

# names_in_index gives the names that index-archives has for the input files.
names_in_index() {
	local path
	while IFS=$'\t' read -r path _; do
		if [[ -n $relative_to ]]; then
			path=${path#"$relative_to/"}
		elif [[ -z $full_paths ]]; then
			path=${path##*/}
		fi
		printf '%s\n' "$path"
	done <<<"$job_input_files"
}

# sort_ranges cuts the lines into ranges by a sample and sorts each.
sort_ranges() {
	local -a inputs=(-input "$job_work/index/part-*" ${merged[@]+"${merged[@]}"})
	job_cut_ranges "$shards" "$(($(job_counter index indexed) + old_lines))" "${inputs[@]}"
	job_stage sort "assign-ranges write-index" "${key_only[@]}" \
		-D mapreduce.partition.keypartitioner.options=-k1,1 \
		-D "stage.ranges=$job_ranges" -D "stage.fresh=$job_work/index/" -D "stage.drop=${merged:+$job_work/dropped.txt}" "${inputs[@]}" \
		-mapper "assign-ranges --layout $layout --shards $shards" \
		-reducer "write-index --ranged$( ((shards > 1)) || printf ' --alone') $(written)" -numReduceTasks "$shards" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# finish_index STAGE: puts the ranges' files together. A job that was killed while
# it published has done so, and what it has made is partly gone from here.
finish_index() {
	local dir=$job_work/$1
	! files exists "$job_work/publishing" || return 0
	if [[ $format != none ]] && ! files exists "$dir/index$suffix"; then
		{
			! files exists "$dir/_index" || files cat "$dir/_index"
		} | files put "$dir/index$suffix" || fail "index$suffix cannot be written"
	fi
	job_number_blocks "$1"
}

# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/ranges.bash
. "${BASH_SOURCE[0]%/*}/ranges.bash"
job_options "$@"
check_options
sorting=
((shards == 1)) && [[ -z $update ]] || sorting=1
job_stages_expected=$((1 + ${sorting:-0} + (shards > 1)))
[[ -z $update ]] || job_also+=(index$'\t'--update$'\t'"$update")
job_begin index-archives sample-keys cut-ranges assign-ranges write-index number-blocks
check_names
find_update
read_archives
last='index'
if [[ -n $sorting ]]; then
	sort_ranges
	last='sort'
	[[ -z $per_file ]] || job_publish=(index/cdx)
fi
finish_index "$last"
job_publish+=("$last")
captures=$(job_counter "$last" captures)
archive_files=0
job_set_line_count archive_files "$job_input_files"
job_end "$(job_counter index "records read")" "$((captures + $(job_counter index rejected)))" "$captures captures of $archive_files archive files"

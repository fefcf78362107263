#!/usr/bin/env bash
# Publish a crawl: archive files with derivatives, indexes, a table and a summary.
#
# Usage: jobs/dataset.sh --crawl NAME --partition NAME=PATH
#          [--partition NAME=PATH]... --output DIR [OPTION]...
#
# Input: ARC and WARC files of one crawl, parted by whose they are. PATH is a
# file, a folder, a glob or a URI; a --partition can be repeated to add to it.
# The files are never changed or renamed. Each is read once for all its
# derivatives.
#
# Output, in DIR, the layout of the End of Term archive:
#   crawl-data/CRAWL/segments/NAME-NNN/{warc,wat,wet,meta,cdx}/
#                               the archive files, as links, and what was
#                               derived of them; in a segment at most
#                               --segment-size of them
#   crawl-data/CRAWL/{segment,warc,wat,wet,meta,cdx,index,table}.paths.gz
#                               lists of all files, relative to DIR
#   crawl-data/CRAWL/sha256.txt.gz
#                               their checksums, for sha256sum --check in DIR
#   collections/CRAWL/indexes/  a ZipNum cluster over all of it
#   table/crawl=CRAWL/subset=warc/part-NNNNN.zstd.parquet
#                               the columns of Common Crawl's index table, with
#                               formats in PRONOM and the score of missing pages
#   summary.json, summary.html  what the crawl contains
#   dataset.json                files and bytes by partition and kind
#   _rejects.tsv                damage in the archive files: stage, reason,
#                               file. By what is called a warning nothing is
#                               lost
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --segment-size N            archive files in a segment (default 10000)
#   --sources link|copy|none    what is in the warc folders: hard links, or
#                               symbolic ones where the file system is another;
#                               copies (always so of and on HDFS, by the tasks
#                               that make checksums); or nothing (default link)
#   --date DATE                 of the derivatives, as in 2021-02-03T04:05:06Z
#                               (default: that of each archive file's first
#                               record)
#   --shards N                  of the cluster and parts of the table (default 1)
#   --maps N                    so many map tasks instead of one for each
#                               archive file
#   --reducers N                the same as --shards N
#   --engine local|hadoop       where it runs (default local: on this machine)
#   -D NAME=VALUE               a property of the engine, as for hadoop-streaming
#   --resume                    go on after the last finished archive files
#   --force                     replace the output of an earlier job
#   --max-rejects N|N%          exit status 3 if there are more rejects
#   --keep-rejects N            keep so many in _rejects.tsv (default 100000); the
#                               others are counted by reason
#   --quiet                     print errors only
#   --help, --version
#
# Example: jobs/dataset.sh --crawl EOT-2020 --partition IA=ia \
#            --partition LOC=loc --output eot
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

crawl=
partitions=() # NAME of each input, in the order of job_inputs
segment_size=10000
sources='link'
date=
shards=
kinds=(warc wat wet meta cdx)

job_input_option=--input-of-no-name
job_option() {
	case $1 in
	--crawl) crawl=$2 ;;
	--partition)
		[[ $2 =~ ^[A-Za-z0-9][A-Za-z0-9._-]*=. ]] || usage_error "--partition $2: NAME=PATH is wanted"
		partitions+=("${2%%=*}")
		job_inputs+=("${2#*=}")
		;;
	--segment-size) segment_size=$2 ;;
	--sources) sources=$2 ;;
	--date) date=$2 ;;
	--shards) shards=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	local i
	[[ $crawl =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--crawl $crawl: a name of letters, digits, dots, dashes and underscores is wanted"
	one_of --sources "$sources" link copy none
	job_check_number --segment-size "$segment_size"
	job_check_number --shards "$shards"
	shards=${shards:-${job_reducers:-1}}
	[[ $date =~ ^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$ ]] || usage_error "--date $date: a date such as 2021-02-03T04:05:06Z is wanted"
	data=crawl-data/$crawl
	for i in "${!job_inputs[@]}"; do
		job_kinds+=(archives$'\t'"--partition ${partitions[i]}"$'\t'"${job_inputs[i]}")
	done
	job_only=("$data" "collections/$crawl" "table/crawl=$crawl")
}

# plan_segments writes lines PATH TAB NAME for all archive files, NAME being the path in
# the dataset: those of a partition in the order of their names.
plan_segments() {
	local i found line
	for i in "${!job_inputs[@]}"; do
		found=$(files expand "${job_inputs[i]}") || exit 1
		cut -f 1 <<<"$found" | sed "s|^|${job_options_of[i]#--partition }\t|" || exit 1
	done | LC_ALL=C awk -F '\t' '{ n = split($2, part, "/"); print $1 "\t" part[n] "\t" $2 }' | LC_ALL=C sort -u |
		LC_ALL=C awk -F '\t' -v size="$segment_size" -v data="$data" '
			$1 != last { last = $1; n = 0 }
			{ segment = int(n / size); n++; printf "%s\t%s/segments/%s-%03d/warc/%s\n", $3, data, $1, segment, $2 }' >"$1" ||
		fail "the plan cannot be made"
	files put "$job_work/segments.tsv" <"$1" || fail "the plan cannot be written"
	"$job_bin/manage-files" names "$job_output" "job=$job_name" "list=$job_work/segments.tsv" "stems=$job_work/plan.tsv" \
		"hint=put them into partitions of their own" || exit 1
	planned=0 copied=
	[[ $job_work != *://* ]] || copied=1
	while IFS= read -r line; do
		planned=$((planned + 1))
		[[ ${line%%$'\t'*} != *://* ]] || copied=1
	done <"$1"
	line=$(cut -f 2 "$1" | sed 's|/warc/[^/]*$||' | LC_ALL=C sort -u) || fail "the segments cannot be listed"
	mapfile -t segments <<<"$line"
}

# derive reads each archive file in a map task of its own.
derive() {
	local per_map=1
	[[ -z $job_maps ]] || per_map=$(((planned + job_maps - 1) / job_maps))
	job_stage derive derive-archives -D stream.map.input.ignoreKey=true -D stream.map.output=keyonlytext \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/plan.tsv" \
		-mapper "derive-archives --emit${date:+ --date $date}" -numReduceTasks 0
}

# index sorts the lines of all files into the cluster and the table.
index() {
	local made="--layout cdxj-meta --zipnum --parquet --crawl $crawl --subset warc"
	local -a inputs=(-input "$job_work/derive/part-*")
	job_cut_ranges "$shards" "$(job_counter derive indexed)" "${inputs[@]}"
	job_stage index "assign-ranges write-index" "${key_only[@]}" \
		-D "mapreduce.partition.keypartitioner.options=-k1,1" -D "stage.ranges=$job_ranges" "${inputs[@]}" \
		-mapper "assign-ranges --layout cdxj-meta --shards $shards" \
		-reducer "write-index --ranged $made" -numReduceTasks "$shards" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# list_files gives PATH TAB NAME for all that is published; behind it, copy for what
# the tasks copy.
list_files() {
	local segment kind
	[[ $sources == none ]] || sed "s|\$|${copied:+\tcopy}|" "$plan" || exit 1
	for segment in "${segments[@]}"; do
		for kind in wat wet meta cdx; do
			files_in "$job_work/derive/$segment/$kind" "$segment/$kind"
		done
	done
	files_in "$job_work/index/zipnum" "collections/$crawl/indexes"
	files_in "$job_work/index/table/crawl=$crawl/subset=warc" "table/crawl=$crawl/subset=warc"
}

# files_in FOLDER NAME: the files of a folder, under the name that it will have.
files_in() {
	local found path
	files exists "$1" || return 0
	found=$(files expand "$1") || exit 1
	while IFS=$'\t' read -r path _; do
		[[ -z $path ]] || printf '%s\t%s/%s\n' "$path" "$2" "${path##*/}"
	done <<<"$found"
}

# check_files reads all files for their checksums. Archive files that could not be read
# have no derivatives.
check_files() {
	if ! files exists "$job_work/publishing"; then
		list_files | files put "$job_work/files.tsv" || fail "the list of files cannot be written"
	fi
	local n per_map
	n=$(files cat "$job_work/files.tsv" | wc -l) || fail "the list of files cannot be read"
	per_map=$(((n + ${job_maps:-16} - 1) / ${job_maps:-16}))
	[[ -n $job_maps ]] || per_map=$((per_map < 100 ? per_map : 100))
	job_stage checksums list-checksums -D stream.map.input.ignoreKey=true -D stream.map.output=keyonlytext \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/files.tsv" \
		-mapper list-checksums -numReduceTasks 0
}

# write_lists writes lists of paths, checksums and sizes.
write_lists() {
	local sums=$1 kind pattern lists=$job_work/derive/$data
	files cat "$job_work/checksums/part-*" | LC_ALL=C sort >"$sums" || fail "the checksums cannot be read"
	for kind in "${kinds[@]}" index table segment; do
		case $kind in
		index) pattern="^collections/" ;;
		table) pattern="^table/" ;;
		segment) pattern= ;;
		*) pattern="^$data/segments/[^/]*/$kind/" ;;
		esac
		if [[ $kind == segment ]]; then
			printf '%s\n' "${segments[@]}"
		else
			LC_ALL=C awk -F '\t' -v pattern="$pattern" '$1 ~ pattern { print $1 }' "$sums"
		fi | gzip -n | files put "$lists/$kind.paths.gz" || fail "the list of $kind files cannot be written"
	done
	awk -F '\t' '{ print $2 "  " $1 }' "$sums" | gzip -n | files put "$lists/sha256.txt.gz" || fail "the checksums cannot be written"
	sizes "$sums" | job_put dataset.json || exit 1
}

# sizes: files and bytes by partition and kind, as JSON.
sizes() {
	LC_ALL=C awk -F '\t' -v crawl="$crawl" -v captures="$(job_counter index captures)" '
		{ n = split($1, part, "/"); whose = "-"; kind = part[1] == "table" ? "table" : "index" }
		$1 ~ /^crawl-data/ { kind = part[5]; whose = part[4]; sub(/-[0-9]+$/, "", whose) }
		{ key = whose "\t" kind; if (!(key in files)) order[++keys] = key; files[key]++; bytes[key] += $3; all++; total += $3 }
		END {
			printf "{\n  \"crawl\": \"%s\",\n  \"captures\": %d,\n  \"files\": %d,\n  \"bytes\": %.0f,\n  \"sizes\": [", crawl, captures, all, total
			for (i = 1; i <= keys; i++) {
				split(order[i], p, "\t")
				printf "%s\n    {\"partition\": %s, \"kind\": \"%s\", \"files\": %d, \"bytes\": %.0f}", (i > 1 ? "," : ""), (p[1] == "-" ? "null" : "\"" p[1] "\""), p[2], files[order[i]], bytes[order[i]]
			}
			printf "\n  ]\n}\n"
		}' "$1"
}

# summarize lets jobs/summary.sh look at the cluster.
summarize() {
	! files exists "$job_work/summary/_SUCCESS" || return 0
	"$job_root/jobs/summary.sh" --quiet --force --engine "$job_engine" ${job_properties[@]+"${job_properties[@]}"} \
		--input "$job_work/index/zipnum" --title "$crawl" --output "$job_work/summary" || fail "there is no summary"
}

# add_sources puts the archive files beside what was derived of them.
add_sources() {
	local from name segment
	[[ $sources != none ]] || return 0
	if [[ -n $copied ]]; then
		for segment in "${segments[@]}"; do
			files publish "$job_work/checksums/$segment" "$job_work/derive/$segment" || fail "the archive files of $segment cannot be put there"
		done
		return
	fi
	while IFS=$'\t' read -r from name; do
		add_source "$from" "$job_work/derive/$name" || fail "$name cannot be put there"
	done <"$plan"
}

add_source() { # FROM TO
	mkdir -p "${2%/*}" || return
	case $sources in
	link) ln -f -- "$1" "$2" 2>/dev/null || ln -sf -- "$1" "$2" ;;
	copy) cp --reflink=auto -- "$1" "$2.part" && mv -f -- "$2.part" "$2" ;;
	esac
}

# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/ranges.bash
. "${BASH_SOURCE[0]%/*}/ranges.bash"
job_options "$@"
check_options
job_stages_expected=$((3 + (shards > 1)))
job_begin derive-archives sample-keys cut-ranges assign-ranges write-index number-blocks list-checksums
if ! plan=$(mktemp) || ! sums=$(mktemp); then
	fail "no temporary file can be made"
fi
job_temporary=("$plan" "$sums")
plan_segments "$plan"
derive
index
captures=$(job_counter index captures)
job_number_blocks index
files exists "$job_work/publishing" || summarize
check_files
if ! files exists "$job_work/publishing"; then
	add_sources
	write_lists "$sums"
fi
job_publish=(derive/crawl-data "index/zipnum=collections/$crawl/indexes" index/table summary)
job_end "$(job_counter derive records)" "$((captures + $(job_counter derive rejected)))" "$planned archive files and $captures captures of $crawl"

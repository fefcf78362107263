#!/usr/bin/env bash
# Select captures by what an index says of them, and make a research corpus of
# them.
#
# Usage: jobs/select.sh --cdx PATH... --output DIR [OPTION]...
#        jobs/select.sh --archives PATH... --output DIR [OPTION]...
#
# Input: indexes: CDX with 9 to 11 fields, CDXJ, or ZipNum clusters; as text or
# gzip. PATH is a file, a folder, the output folder of jobs/index.sh, a glob or
# a URI; in a folder, names that begin with _ or . are skipped. A sorted index
# is searched where the condition says which keys it can hold; no other record
# is touched than those that are selected. Without --cdx the archive files are
# indexed first.
#
# Output, in DIR:
#   index.cdxj, index.cdx       the selected index lines (--save cdxj, cdx)
#   SELECT-DIGEST-NNNNNN-C.warc.gz
#                               the selected records, byte for byte, with
#                               manifest.tsv and index.cdxj (--save warc);
#                               requests are not among them unless the index has
#                               lines for them or --with-requests looks for them
#   part-NNNNN.json.gz          one JSON object a line for each capture, with
#                               what is derived from its record (--save json,
#                               documents)
#   part-NNNNN.csv.gz, .parquet, .txt.gz
#                               tables and texts (--save csv, parquet, text)
#   _rejects.tsv                captures that could not be selected: stage,
#                               reason, input line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --archives DIR|URI          where the archive files lie that the index
#                               names; can be given several times. Two archive
#                               files of one name are refused
#   --path-index FILE           or a file of lines NAME, tab, path of the archive
#   --allow-elsewhere           read shards that a ZipNum cluster says to be
#                               outside of its own folder: other files, other
#                               servers
#   --where EXPR                take the captures for which this is true, of the
#                               fields surt, timestamp, url, mime, status, digest,
#                               redirect, meta, length, offset, filename, host,
#                               domain, year and month, as in
#                               status == 200 && domain == "example.org"
#   --sample SHARE              of these, as in 0.05 or 5%; the same however
#                               many tasks there are
#   --seed TEXT                 another sample (default 1)
#   --pick latest|earliest|first-per-digest
#                               of these one of each group
#   --per url|host|domain|EXPR  what a group is (default url)
#   --enrich PATH,...           values that appear in the output, as in
#                               payload.string.html.title; bin/enrich-captures
#                               --help lists what can be derived
#   --map-enrich 'PATH NAME = EXPR'
#                               a value made of the one at PATH and others
#   --enrich-with 'PATH NAME = COMMAND'
#                               a value made by a program: JSON on a line in,
#                               and out
#   --keep EXPR                 keep the captures for which this is true, of the
#                               fields above and derived values; evaluated as
#                               early as can be (also where records or index
#                               lines are saved)
#   --columns 'NAME = EXPR',... of csv and parquet
#   --each PATH                 a row for each element of a list, which columns
#                               know as each, each.url and so on
#   --count NAME                equal rows once, with their number as the last
#                               column
#   --save json|csv|parquet|documents|text|warc|cdxj|cdx
#                               what is made (default json)
#   --with-requests             with --save warc: next to each response and
#                               revisit its request, the record that
#                               WARC-Concurrent-To of either names, if it is one
#                               of the three before or after it in the file and
#                               begins no more than 1 MiB away; those that are
#                               not found are counted
#   --raw-csv                   texts of CSV as they are; else an apostrophe
#                               stands before one that a spreadsheet would
#                               compute, because it begins with = + - @, a tab
#                               or a line end and is no number
#   --pretty                    JSON indented, for reading
#   --revisits resolve|keep|drop
#                               a capture without a payload of its own: gets
#                               that of an earlier capture with the same digest,
#                               of the same URL if there is one (default; its
#                               index line stays, and is what --save warc, cdxj
#                               and cdx save); stays as it is; is left out
#   --verify url|digest         what each record is held against its index line by
#                               before it is used: URL and date (default), or also
#                               the payload's digest; one that differs is rejected
#   --max-size SIZE             of the records of a part (default 100MB)
#   --prefix NAME               of the WARC files; {digest} in it becomes a
#                               digest of what is selected and of the options
#                               (default SELECT-{digest})
#   --date TIMESTAMP            of their header records, 14 digits (default: the
#                               date of the first record in the file)
#   --records LIST              without --cdx: types of records (default
#                               response,revisit,resource,metadata)
#   --recipe NAME|FILE          options out of a file: one of jobs/recipes, of
#                               one's own (a line each, without the dashes), or
#                               the _job.json of an earlier selection, which is
#                               made again on other archives; it says what is
#                               selected and made, never where it is read,
#                               written or run
#   --allow-programs            also where the recipe runs programs
#                               (--enrich-with); without it they are shown, and
#                               nothing is run
#   --small SIZE                what reads no more of the indexes, and no more
#                               records than a part has, is done without an
#                               engine (default 64MB; 0: nothing is)
#   --maps N                    so many map tasks
#   --reducers N                so many tasks that pick (default 1)
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
# Example: jobs/select.sh --cdx index.cdxj --archives warcs \
#            --where 'status == 200' --pick latest --save warc --output corpus
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

archives=()
path_index=
where=
sample=
seed=1
pick=
per=url
save=
enrich=()
map_enrich=()
enrich_with=()
keep=()
columns=()
each=
count=
pretty=
raw_csv=
with_requests=
revisits=resolve
max_size=100MB
prefix='SELECT-{digest}'
date=
records=
verify=url
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
	--enrich) enrich+=("$2") ;;
	--map-enrich) map_enrich+=("$2") ;;
	--enrich-with) enrich_with+=("$2") ;;
	--keep) keep+=("$2") ;;
	--columns) columns+=("$2") ;;
	--each) each=$2 ;;
	--count) count=$2 ;;
	--revisits) revisits=$2 ;;
	--allow-elsewhere)
		export stage_allow_elsewhere=true # for stages in a pipe
		job_properties+=(-D stage.allow-elsewhere=true)
		return 1
		;;
	--with-requests)
		with_requests=1
		return 1
		;;
	--raw-csv)
		raw_csv=1
		return 1
		;;
	--pretty)
		pretty=1
		return 1
		;;
	--max-size) max_size=$2 ;;
	--prefix) prefix=$2 ;;
	--date) date=$2 ;;
	--records) records=$2 ;;
	--verify) verify=$2 ;;
	--small) small=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	local i
	save=${save:-json}
	one_of --save "$save" json csv parquet documents text warc cdxj cdx
	one_of --revisits "$revisits" resolve keep drop
	one_of --verify "$verify" url digest
	if [[ $revisits == drop ]]; then
		where="${where:+($where) && }mime != \"warc/revisit\""
	fi
	[[ -z $count || $save == csv || $save == parquet ]] || usage_error "--count is for tables: --save csv or parquet"
	[[ -z $count || ${#columns[@]} -gt 0 ]] || usage_error "--count needs --columns"
	[[ $save != warc && $save != cdx* || ${#enrich[@]} -eq 0 && ${#columns[@]} -eq 0 && -z $each ]] ||
		usage_error "--save $save copies what is selected: --enrich, --columns and --each do not go with it; --keep does"
	[[ -z $with_requests || $save == warc ]] || usage_error "--with-requests is for --save warc"
	[[ -z $pick ]] || one_of --pick "$pick" latest earliest first-per-digest
	case $sample in
	100%) sample=1 ;;
	[0-9]% | [0-9].*%) sample=0.0${sample//[.%]/} ;;
	[0-9][0-9]% | [0-9][0-9].*%) sample=0.${sample//[.%]/} ;;
	esac
	[[ -z $sample || $sample =~ ^(0?\.[0-9]*[1-9][0-9]*|1|1\.0*)$ ]] || usage_error "--sample $sample: expected a share over 0 and up to 1, or per cent, as in 0.05 and 5%"
	[[ ${prefix//"{digest}"/0} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--prefix $prefix: expected letters, digits, dots, dashes, underscores and {digest}"
	[[ -z $date || $date =~ ^[0-9]{14}$ ]] || usage_error "--date $date: 14 digits are wanted, as in 20260131235959"
	[[ -z $records || -n $scan ]] || usage_error "--records needs archives without --cdx: of an index --where takes the types that are wanted"
	[[ $save == cdx* && ${#keep[@]} -eq 0 || -n $scan || ${#archives[@]} -gt 0 || -n $path_index ]] || usage_error "--archives or --path-index is missing"
	job_set_bytes max_bytes --max-size "$max_size"
	small_bytes=0
	[[ $small == 0 ]] || job_set_bytes small_bytes --small "$small"
	for i in "${!archives[@]}"; do
		job_set_path "archives[i]" "${archives[i]%/}"
	done
	[[ -z $path_index ]] || job_set_path path_index "$path_index"
	job_reads=(${archives[@]+"${archives[@]}"} ${path_index:+"$path_index"})
	job_also=(${archives[@]+"${archives[@]/#/folder$'\t'--archives$'\t'}"} ${path_index:+lines$'\t'--path-index$'\t'"$path_index"})
}

# shellcheck source=jobs/recipes.bash
. "${BASH_SOURCE[0]%/*}/recipes.bash"
recipe_expand "$@"
set -- ${recipe_words[@]+"${recipe_words[@]}"}
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/pipes.bash
. "${BASH_SOURCE[0]%/*}/pipes.bash"
# shellcheck source=jobs/select.bash
. "${BASH_SOURCE[0]%/*}/select.bash"
case " $* " in
*' --cdx '* | *' --cdx='*) job_input_option=--cdx job_takes=search ;;
*) job_input_option=--archives job_takes=archives scan=1 ;;
esac
job_options "$@"
check_options
check_expressions
job_begin filter-captures pick-captures cut-splits extract-records write-tables write-index index-archives \
	find-originals resolve-revisits enrich-captures count-rows
job_set_found path_index
find_archives
plan='' kept='' from=search cut=plan indexes=("${job_inputs[@]}")
[[ -z $scan ]] || index_archives
((small_bytes == 0)) || search
case $save in
cdx*)
	keep_captures
	save_index
	;;
warc)
	keep_captures
	save_records
	;;
*) save_derived ;;
esac
tell_lacking
[[ $save != warc ]] || tell_requests
captures=0 malformed=0
job_set_counter captures "$from" captures filter-captures
job_set_counter malformed "$from" rejected
count_used
job_end "$used" "$((captures + malformed))" "$made"

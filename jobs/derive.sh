#!/usr/bin/env bash
# Make WAT, WET, META, CDXJ and link lines of ARC and WARC files.
#
# Usage: jobs/derive.sh --input PATH... --output DIR [OPTION]...
#
# Input: ARC and WARC files, compressed or not. PATH is a file, a folder, a glob
# or a URI; in a folder, names that begin with _ or . are skipped. Each file is
# read once, by one task, for all that is made of it.
#
# Output, in DIR, for an archive file X.warc.gz:
#   wat/X.warc.wat.gz           metadata of each record, as the Internet
#                               Archive's and Common Crawl's extractors write it
#                               (X.warc is named alike, or X.warc.plain.wat.gz
#                               where X.warc.gz is read too)
#   wet/X.warc.wet.gz           the text of pages and plain text
#   meta/X.warc.meta.gz         what payloads are found to be: media type,
#                               PRONOM, charset, languages, pages that say that
#                               nothing is there
#   cdx/X.warc.gz.cdxj.gz       its index, sorted, with what META has
#   links/X.warc.gz.links.gz    links between hosts, for jobs/webgraph.sh
#   _rejects.tsv                damage in the archive files, with its offset:
#                               stage, reason, archive file. By what is called a
#                               warning nothing is lost; it is no reject
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --make LIST                 of wat, wet, meta, cdxj, links, separated by
#                               commas (default wat,wet,meta,cdxj)
#   --date DATE                 of the derivatives, as in 2021-02-03T04:05:06Z
#                               (default: that of each archive file's first
#                               record)
#   --maps N                    so many map tasks instead of one for each file
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
# Example: jobs/derive.sh --input warcs --output derived --make wat,wet
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

make=wat,wet,meta,cdxj
date=

job_option() {
	case $1 in
	--make) make=$2 ;;
	--date) date=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	local -r kind='(wat|wet|meta|cdxj|links)'
	[[ $make =~ ^$kind(,$kind)*$ ]] || usage_error "--make $make: some of wat, wet, meta, cdxj and links are expected, separated by commas"
	[[ $date =~ ^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$ ]] || usage_error "--date $date: a date such as 2021-02-03T04:05:06Z is wanted"
}

# name_archives refuses two archive files of one name, and names the derivatives.
name_archives() {
	"$job_bin/manage-files" names "$job_output" "job=$job_name" "list=$job_work/inputs.txt" "stems=$job_work/archives.tsv" \
		"hint=make derivatives of each folder in a job of its own" || exit 1
}

# read_archives reads each archive file in a map task of its own. The cores compress
# for one task at a time where there are fewer files than cores.
read_archives() {
	local n per_map=1
	job_set_line_count n "$job_input_files"
	[[ -z $job_maps ]] || per_map=$(((n + job_maps - 1) / job_maps))
	job_stage derive derive-archives -D stream.map.input.ignoreKey=true -D stream.map.output=keyonlytext \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/archives.tsv" \
		-mapper "derive-archives --make $make${date:+ --date $date}" -numReduceTasks 0
}

# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
check_options
job_stages_expected=1
job_begin derive-archives
name_archives
read_archives
job_publish=(derive)
job_end "$(job_counter derive records)" "$(job_counter derive records)" "derivatives of $(job_counter derive records) records in $(job_counter derive archives) archive files"

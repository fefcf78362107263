#!/usr/bin/env bash
# Find a smallest part of a collection that makes the rest redundant, by the
# user's own notion of it.
#
# Usage: jobs/redundancy.sh --documents PATH... --cover EXPR --output DIR
#          [OPTION]...
#
# Input: JSON Lines, one document a line: id and text, and attributes such as
# url, hostname, timestamp (milliseconds since 1970), mime, title, bytes and any
# others. Text or gzip. PATH is a file, a folder, a glob or a URI; in a folder,
# names that begin with _ or . are skipped.
#
# EXPR says when a document b makes a document a redundant: constraints joined by
# &&, of which at least one is about the texts.
#   containment(a, b) >= 0.7    the share of a's shingles that are in b; also
#                               containment(b, a), jaccard(a, b), dice(a, b)
#   a.timestamp <= b.timestamp  of attributes, numbers and strings, with + - * /
#                               and == != < > <= >=; an attribute that is missing
#                               makes the constraint false
#
# The cover is a set of documents such that each other one is covered directly
# by one of it. It is a smallest one in each connected component that is solved
# exactly; lib/cover/doc.go says how, and stats.json for how many components it
# is proven.
#
# Output, in DIR:
#   cover/part-NNNNN            ids of the documents that are kept
#   covered/part-NNNNN          id, id of the document of the cover that covers
#                               it (the most similar one), similarity
#   components/part-NNNNN       component (the greatest id in it), id
#   stats.json                  documents, shingles, bytes, edges, components,
#                               cover, reductions in per cent
#   report.html                 the same for reading, with the largest components
#   warc/                       with --save warc the captures of the cover
#   edges/part-NNNNN            covered id, covering id, similarity (the first
#                               content constraint's measure), sorted as by
#                               LC_ALL=C sort
#   documents/part-NNNNN        id, attributes as JSON with the numbers of bytes,
#                               terms and shingles, sorted
#   sets/                       sets of shingles, for --resume-from
#   _rejects.tsv                lines that are no documents: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --cover EXPR                when b makes a redundant
#   --preset A-1|B-1|B-2|C-1    or as in a scenario of the paper (Paudel, Anand,
#                               Berberich 2013): 1: containment(a, b) >= 0.7 and
#                               not older, 2: and of the same host
#   --explain                   print how EXPR will be evaluated, and end
#   --shingle-size K            terms in a shingle (default 5)
#   --hash-bits 64|128          that represent a shingle (default 64)
#   --join prefix|count         how pairs are found: prefix compares those that
#                               have one of their rarest shingles in common;
#                               count is the paper's join, for comparison: it
#                               counts the pairs of each shingle's list (default
#                               prefix)
#   --block-size SIZE           of sets that a task of the join holds in memory,
#                               with an index of about the same size (default
#                               64MiB)
#   --weight EXPR               what it costs to keep a document, an expression
#                               of its attributes that gives a number above 0:
#                               the sum over the cover is made small (default 1:
#                               the fewest documents; "bytes": the fewest bytes;
#                               "1 + 1 / bytes": the fewest documents, of these
#                               large ones)
#   --keep-per ATTR=N,...       keep N documents at least for each value of an
#                               attribute, as in 'hostname=1': documents are
#                               added to the cover, light ones first. What comes
#                               out need not be the smallest cover that has the
#                               minima
#   --exact-limit N             candidates that a part of a component may have,
#                               after reductions, for its optimum to be searched
#                               (default 400, which takes a second at most);
#                               larger parts are covered greedily, with a bound
#                               on the optimum
#   --save warc                 extract the captures of the cover with
#                               jobs/extract.sh; documents need the attributes
#                               filename, offset and length
#   --archives DIR|URI          where the archive files lie that they name
#   --resume-from DIR           the output of an earlier job with the same EXPR,
#                               to which the documents are added: only pairs
#                               with a new one are looked for, and only
#                               components with a new one are solved again
#   --maps N                    about so many map tasks
#   --reducers N                so many reduce tasks, and parts of what is made
#                               (default 1)
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
# Example: jobs/redundancy.sh --documents documents.jsonl --output kept \
#            --cover 'containment(a, b) >= 0.7 && a.timestamp <= b.timestamp'
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

job_input_option=--documents
cover=
preset=
explain=
shingle_size=5
hash_bits=64
join=prefix
block_size=64MiB
resume_from=
save=
archives=

job_option() {
	case $1 in
	--weight) cover_weight=$2 ;;
	--keep-per) cover_keep_per=$2 ;;
	--exact-limit) cover_exact_limit=$2 ;;
	--save) save=$2 ;;
	--archives) archives=$2 ;;
	--cover) cover=$2 ;;
	--preset) preset=$2 ;;
	--shingle-size) shingle_size=$2 ;;
	--hash-bits) hash_bits=$2 ;;
	--join) join=$2 ;;
	--block-size) block_size=$2 ;;
	--resume-from) resume_from=$2 ;;
	--explain)
		explain=1
		return 1
		;;
	*) return 2 ;;
	esac
}

# --explain needs neither input nor output.
job_check_first() {
	if [[ -n $preset ]]; then
		[[ -z $cover ]] || usage_error "--cover and --preset exclude each other"
		one_of --preset "$preset" A-1 B-1 B-2 C-1
		cover='containment(a, b) >= 0.7 && a.timestamp <= b.timestamp'
		[[ $preset != *-2 ]] || cover+=' && a.hostname == b.hostname'
	fi
	[[ -n $cover ]] || usage_error "--cover is missing"
	job_build explain-coverage
	local plan
	plan=$("$job_bin/explain-coverage" --cover "$cover" 2>&1) ||
		usage_error "$(sed -e 's/^explain-coverage: error: //' -e '/^explain-coverage: hint: /d' <<<"$plan")"
	if [[ -n $explain ]]; then
		printf '%s\n' "$plan"
		exit 0
	fi
}

check_options() {
	one_of --join "$join" prefix count
	one_of --hash-bits "$hash_bits" 64 128
	check_cover_options
	job_check_number --shingle-size "$shingle_size"
	((shingle_size <= 1000)) || usage_error "--shingle-size $shingle_size: at most 1000 terms are wanted"
	block_size=$(job_bytes --block-size "$block_size") || exit 2
	about=$(printf 'terms\t1\nshingle-size\t%d\nhash-bits\t%d\ncover\t%s' "$shingle_size" "$hash_bits" "$cover")
	job_reads=(${archives:+"$archives"})
	job_also=(${archives:+folder$'\t'--archives$'\t'"$archives"})
	[[ -n $resume_from ]] || return 0
	[[ $join == prefix ]] || usage_error "--resume-from needs --join prefix"
	job_set_path resume_from "${resume_from%/}"
	job_earlier=("$resume_from")
}

check_cover_options() {
	[[ -z $cover_exact_limit || $cover_exact_limit =~ ^[0-9]{1,6}$ ]] || usage_error "--exact-limit $cover_exact_limit: a number from 0 is wanted"
	[[ -z $save ]] || one_of --save "$save" warc
	[[ -z $save || -n $archives ]] || usage_error "--save needs --archives"
	[[ -z $archives ]] || job_set_path archives "${archives%/}"
	job_build weigh-documents
	local said
	said=$(stage_weight=$cover_weight "$job_bin/weigh-documents" --keep-per "$cover_keep_per" </dev/null 2>&1) ||
		usage_error "$(sed -e 's/^weigh-documents: error: //' -e '/^weigh-documents: hint: /d' <<<"$said")"
}

# check_earlier looks at the result that documents are added to.
check_earlier() {
	[[ -n $resume_from ]] || return 0
	local earlier
	files exists "$resume_from/sets/about.tsv" || fail "no result of this job is in $resume_from" "--resume-from names the output folder of an earlier one" 2
	earlier=$(files cat "$resume_from/sets/about.tsv") || exit 1
	[[ $earlier == "$about" ]] || fail "the result in $resume_from was made with other options: ${earlier//$'\n'/, }" "give the same --cover, --shingle-size and --hash-bits" 2
	earlier_blocks=$(files cat "$resume_from/sets/blocks.tsv") || exit 1
	# The first three digits of a block's name.
	local line
	while IFS= read -r line; do
		[[ -n $line ]] || continue
		[[ $line =~ ^([0-9]{3,9})-[0-9A-Za-z._-]*($'\t'|$) ]] || fail "$resume_from/sets/blocks.tsv: no name of a block: ${line%%$'\t'*}" "" 2
		((10#${BASH_REMATCH[1]} < generation)) || generation=$((10#${BASH_REMATCH[1]} + 1))
	done <<<"$earlier_blocks"
}

# All of a line is its key; the reducer is that of the first field.
whole_lines=(-D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext
	-D "mapreduce.partition.keypartitioner.options=-k1,1")
by_first_field=(-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner)
line_by_line=(-D stream.map.input.ignoreKey=true -D mapreduce.input.lineinputformat.linespermap=1)
lines_format=(-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat)

# make_sets reads the documents: what is known of each, and blocks of sets.
make_sets() {
	local -a inputs=() maps=()
	local path
	for path in "${job_inputs[@]}"; do
		inputs+=(-input "$path")
	done
	[[ -z $job_maps ]] || maps=(-D "mapreduce.job.maps=$job_maps")
	job_stage shingle "shingle-documents group-sets" "${maps[@]}" -D stream.num.map.output.key.fields=2 \
		-D "mapreduce.partition.keypartitioner.options=-k1,1" -D "stage.cover=$cover" "${inputs[@]}" \
		-mapper "shingle-documents --shingle-size $shingle_size --hash-bits $hash_bits" \
		-reducer "group-sets --hash-bits $hash_bits --block-size $block_size --generation $generation" \
		-numReduceTasks "$reducers" "${by_first_field[@]}"
}

# check_attributes ends the job if no documents, earlier ones included, can fulfil the
# expression because of a name that is none, or of what attributes are.
check_attributes() {
	local stage name value seen='' said
	local -a documents=(--documents "$job_work/shingle/part-*")
	(($(job_counter shingle documents) > 0)) || return 0
	while IFS=$'\t' read -r stage _ name value; do
		[[ $stage != shingle || $name != attribute* ]] || seen+=$name$'\n'
	done <<<"$job_counters"
	[[ -z $resume_from ]] || documents+=(--documents "$resume_from/documents/part-*")
	if ! said=$("$job_bin/explain-coverage" --cover "$cover" --seen "$seen" "${documents[@]}" </dev/null 2>&1); then
		fail "$(sed -e 's/^explain-coverage: error: //' -e '/^explain-coverage: hint: /d' <<<"$said")" \
			"attributes are the members of the documents: no pair of these can fulfil the expression"
	fi
}

# order_sets brings the sets into the global order; that of an earlier result stays.
order_sets() {
	local counts=$job_work/shingle/_counts sets
	[[ -z $resume_from ]] || counts=$resume_from/sets/counts
	sets=$(job_counter shingle sets)
	((sets > 0)) || return 0
	if ! files exists "$job_work/publishing"; then
		files expand "$job_work/shingle/_blocks" | cut -f1 | files put "$job_work/blocks.txt" || exit 1
	fi
	job_stage order order-sets "${line_by_line[@]}" -D stream.map.output=keyonlytext -D "stage.counts=$counts" \
		"${lines_format[@]}" -input "$job_work/blocks.txt" -mapper "order-sets --sample $(sample_of "$sets")" -numReduceTasks 0
}

# sample_of SETS: one of how many is in the sample, so that it has about 4,000.
sample_of() { printf '%d' $(($1 / 4000 + 1)); }

# tell_estimate says what is to be expected, before the join begins.
tell_estimate() {
	local estimate sets
	sets=$(job_counter shingle sets)
	[[ -z $job_quiet ]] && ((sets > 0)) || return 0
	estimate=$("$job_bin/estimate-join" --cover "$cover" --blocks "$sets_folder" --old "${resume_from:+$resume_from/sets}" --sample-folder "$job_work/order/_sample" --sample "$(sample_of "$sets")" </dev/null) ||
		fail "the sample of the sets cannot be read"
	say "$estimate"
}

# describe_sets makes the rest of the folder sets/.
describe_sets() {
	local counts=$job_work/shingle/_counts
	[[ -z $resume_from ]] || counts=$resume_from/sets/counts
	files exists "$counts" || counts=/dev/null # there is not even one document
	if ! { (($(job_counter shingle sets) == 0)) || files cat "$job_work/order"; } | LC_ALL=C sort | files put "$sets_folder/blocks.tsv" ||
		! files cat "$counts" | files put "$sets_folder/counts" || ! printf '%s\n' "$about" | files put "$sets_folder/about.tsv"; then
		fail "the list of the sets cannot be written"
	fi
}

# join_by_prefix compares the blocks that can have pairs.
join_by_prefix() {
	if ! files exists "$job_work/publishing"; then
		"$job_bin/plan-join" --cover "$cover" --blocks "$sets_folder" --old "${resume_from:+$resume_from/sets}" </dev/null |
			files put "$job_work/tasks.txt" || fail "the join cannot be planned"
	fi
	job_stage join "join-sets list-edges" "${whole_lines[@]}" "${line_by_line[@]}" -D "stage.cover=$cover" \
		"${lines_format[@]}" -input "$job_work/tasks.txt" -mapper join-sets -reducer list-edges \
		-numReduceTasks "$reducers" "${by_first_field[@]}"
}

# join_by_count makes all pairs of each shingle's list and counts them.
join_by_count() {
	local -a inputs=()
	local path
	for path in "${job_inputs[@]}"; do
		inputs+=(-input "$path")
	done
	job_stage lists "list-shingles pair-documents" -D "stage.cover=$cover" "${inputs[@]}" \
		-mapper "list-shingles --shingle-size $shingle_size --hash-bits $hash_bits" -reducer pair-documents -numReduceTasks "$reducers"
	job_stage counts "count-pairs" -D stream.num.map.output.key.fields=2 -D "stage.cover=$cover" -input "$job_work/lists/part-*" \
		-mapper cat -reducer count-pairs -numReduceTasks "$reducers"
	job_stage join "list-edges" "${whole_lines[@]}" -input "$job_work/counts/part-*" \
		-mapper cat -reducer list-edges -numReduceTasks "$reducers" "${by_first_field[@]}"
}

# add_earlier puts an earlier result and the new one together.
add_earlier() {
	local path
	job_stage documents list-documents -D "mapreduce.partition.keypartitioner.options=-k1,1" \
		-input "$resume_from/documents" -input "$job_work/shingle/part-*" -mapper cat -reducer list-documents \
		-numReduceTasks "$reducers" "${by_first_field[@]}"
	local -a inputs=(-input "$job_work/join/part-*")
	! files exists "$resume_from/edges" || inputs+=(-input "$resume_from/edges")
	job_stage edges list-edges "${whole_lines[@]}" "${inputs[@]}" -mapper cat -reducer list-edges \
		-numReduceTasks "$reducers" "${by_first_field[@]}"
	documents_stage=documents edges_stage=edges
	! files exists "$job_work/publishing" || return 0
	while IFS=$'\t' read -r path _; do
		[[ -n $path ]] || continue
		files cat "$resume_from/sets/$path" | files put "$sets_folder/$path" || fail "the sets of $resume_from cannot be copied"
	done <<<"$earlier_blocks"
	if ! files cat "$resume_from/sets/blocks.tsv" "$sets_folder/blocks.tsv" | LC_ALL=C sort -u | files put "$job_work/all-blocks.tsv" ||
		! files rename "$job_work/all-blocks.tsv" "$sets_folder/blocks.tsv"; then
		fail "the list of the sets cannot be written"
	fi
}

# save_captures extracts the captures of the cover.
save_captures() {
	local rejects
	local -a lines=(-input "$job_work/table/part-*")
	! cover_has "$job_work/$cover_solved/cover" || lines+=(-input "$job_work/$cover_solved/cover/part-*")
	components_job list "meet-kept list-kept" "${components_upwards[@]}" "${lines[@]}" -mapper meet-kept -reducer list-kept
	job_publish+=(warc=warc)
	job_stage_begin warc "$archives" || return 0
	files remove "$job_work/warc"
	"$job_root/jobs/extract.sh" --quiet --engine "$job_engine" ${job_properties[@]+"${job_properties[@]}"} --prefix 'COVER-{digest}' \
		--archives "$archives" --input "$job_work/list/part-*" --output "$job_work/warc" || fail "the captures could not be extracted"
	rejects=$(files cat "$job_work/warc/_rejects.tsv" | wc -l) || fail "what could not be extracted cannot be read"
	if ((rejects > 0)); then
		files cat "$job_work/warc/_rejects.tsv" | files put "$job_work/warc/_rejects/extract.tsv" || exit 1
		job_stage_counters=$'warc\textract\trejected\t'"$rejects"$'\n'
	fi
	job_stage_end warc
}

# stat_of NAME: a number of stats.json.
stat_of() { [[ ! $stats =~ $'\n  "'"$1"'": '([0-9.e+-]+) ]] || printf '%s' "${BASH_REMATCH[1]}"; }

# print_scenario prints the row of the paper's Table 3, and what took how long.
print_scenario() {
	local stage stats mark file=$job_work/report/stats.json
	files exists "$file" || file=${job_work%/_work}/stats.json
	stats=$(files cat "$file") || exit 1
	printf 'scenario\tdocuments\tkept\tless documents\tless bytes\n'
	printf '%s\t%s\t%s\t%.2f %%\t%.2f %%\n' "$preset" "$(stat_of documents)" "$(stat_of cover_size)" \
		"$(stat_of reduction_documents_percent)" "$(stat_of reduction_bytes_percent)"
	printf '\nstage\tseconds\n'
	for stage in "${job_stages[@]}"; do
		mark=$(files cat "$job_work/$stage.done") || fail "the mark of stage $stage cannot be read"
		mark=${mark#*$'\n'}
		printf '%s\t%s\n' "$stage" "${mark%%$'\n'*}"
	done
}

job_takes=documents
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/components.bash
. "${BASH_SOURCE[0]%/*}/components.bash"
# shellcheck source=jobs/cover.bash
. "${BASH_SOURCE[0]%/*}/cover.bash"
job_options "$@"
check_options
reducers=${job_reducers:-1}
components_reducers=$reducers
cover_earlier=$resume_from
generation=0
check_earlier
job_stages_expected=8
[[ $join == prefix ]] || job_stages_expected=9
[[ -z $resume_from ]] || job_stages_expected=10
job_begin shingle-documents group-sets order-sets plan-join estimate-join join-sets list-edges list-documents list-shingles pair-documents count-pairs \
	"${cover_programs[@]}" meet-kept list-kept
sets_folder=$job_work/order/sets
make_sets
files exists "$job_work/publishing" || check_attributes
order_sets
documents_stage=shingle edges_stage=join # what they are in
if ! files exists "$job_work/publishing"; then
	describe_sets
	[[ $join == count ]] || tell_estimate
fi
if [[ $join == count ]]; then
	join_by_count
else
	join_by_prefix
fi
[[ -z $resume_from ]] || add_earlier
documents=$(job_counter shingle documents)
edges=$(job_counter "$edges_stage" edges)
# shellcheck disable=SC2034 # cover_find takes them by their names
{
	cover_documents=("$job_work/$documents_stage/part-*")
	cover_edges=("$job_work/$edges_stage/part-*")
}
cover_find cover_documents cover_edges
job_publish=()
[[ -z $save ]] || save_captures
cover_report "$cover" "$shingle_size" "$(job_counter table shingles)"
job_publish+=("$documents_stage=documents" "$edges_stage=edges" order/sets)
[[ -z $preset ]] || print_scenario
kept=$(job_counter "$cover_solved" kept)
job_end "$documents" "$((documents + $(job_counter shingle rejected)))" "a cover of $kept of $(job_counter members documents) documents, $edges edges"

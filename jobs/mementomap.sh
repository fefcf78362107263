#!/usr/bin/env bash
# Profile what an archive holds, in one small file: a MementoMap.
#
# Usage: jobs/mementomap.sh --input PATH... --output DIR [OPTION]...
#
# Input: an archive's index, CDX with 9 to 11 fields or CDXJ; its access logs
# (URI and status, or the common log format with a URI in the request); or maps
# in UKVS. Text or gzip. PATH is a file, a folder, a ZipNum cluster (its
# folder), the output folder of jobs/index.sh, a glob or a URI; in a folder,
# names that begin with _ or . are skipped. All captures count, whatever their
# status and media type. One map that is sorted is compacted as it is, unless
# keys have queries.
#
# Output, in DIR:
#   mementomap.ukvs             keys (SURTs without query) with the numbers of
#                               captures and URIs, and wildcards, sorted as by
#                               LC_ALL=C sort. With --gzip mementomap.ukvs.gz and
#                               mementomap.ukvs.gz.idx
#   stats.json                  lines, keys, captures, URIs, relative cost,
#                               weights, curves, roll-ups by depth
#   _rejects.tsv                malformed lines: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --where EXPR                the captures that count, as in jobs/select.sh:
#                               'status == 200 && mime == "text/html"'
#   --skip-robots               leave out /robots.txt and /sitemap.xml
#   --absent                    make exclusions of requests with status 404 or 410
#   --blocked PATH              keys, wildcards and URIs, one a line, that are
#                               left out and become exclusions
#   --merge PATH                maps whose frequencies are added
#   --update PATH               an older map of the archive: keys below its
#                               wildcards are added to these
#   --meta FILE                 headers for the map, lines that begin with !
#   --gzip                      compress the map, in blocks that can be searched
#   --host-weight W             roll up a host with more than W times the mean
#                               number of children; inf: none (default 4)
#   --path-weight W             the same for paths (default 4)
#   --target-lines N            find weights for a map of at most N lines
#   --target-cost F             or of F lines for each URI; a weight that is given
#                               stays
#   --curve arquivo|measured    mean children by depth: the paper's fitted values
#                               (default), or fitted to the input
#   --host-curve A,K            mean children of a host with x labels: A x^-K
#   --path-curve A,K            of a path with x-1 segments
#   --host-means LIST           means of registered domains, hosts with 3
#                               labels, …
#   --path-means LIST           means of roots, paths with one segment, …
#   --host-depth N              roll up no hosts with more labels (default 8)
#   --path-depth N              nor paths with so many segments (default 9)
#   --keep-suffixes             roll up no hosts below which others register names
#   --roll FILE                 roll up these hosts in any case, one a line as in
#                               keys; TLDs too
#   --roll-tlds W               roll up TLDs with more than W times the registered
#                               domains that are to be expected
#   --popularity FILE           by this table, TLD and number of domains in each
#                               line (default: by the mean of the input's TLDs)
#   --maps N                    about so many map tasks
#   --reducers N                so many tasks that sort (default 1)
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
# Example: jobs/mementomap.sh --input index.cdxj --output map --target-cost 0.015
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

where=
blocked=
merge=()
update=
meta=
gzip=
weights=('' '') # hosts, paths
target_lines=
target_cost=
curve=arquivo
curves=('' '')
means=('' '')
depths=('' '')
roll=
roll_tlds=
popularity=
given=()    # inputs, without those of other options
counting=   # options of count-captures
compacting= # of compact-mementomap and measure-mementomap

job_option() {
	case $1 in
	--where) where=$2 ;;
	--blocked) blocked=$2 ;;
	--merge) merge+=("$2") ;;
	--update) update=$2 ;;
	--meta) meta=$2 ;;
	--host-weight) weights[0]=$2 ;;
	--path-weight) weights[1]=$2 ;;
	--target-lines) target_lines=$2 ;;
	--target-cost) target_cost=$2 ;;
	--curve) curve=$2 ;;
	--host-curve) curves[0]=$2 ;;
	--path-curve) curves[1]=$2 ;;
	--host-means) means[0]=$2 ;;
	--path-means) means[1]=$2 ;;
	--host-depth) depths[0]=$2 ;;
	--path-depth) depths[1]=$2 ;;
	--roll) roll=$2 ;;
	--roll-tlds) roll_tlds=$2 ;;
	--popularity) popularity=$2 ;;
	*) job_switch "$1" ;;
	esac
}

# job_switch takes an option without a value.
job_switch() {
	case $1 in
	--gzip) gzip=1 ;;
	--skip-robots | --absent) counting+=" $1" ;;
	--keep-suffixes) compacting+=" $1" ;;
	*) return 2 ;;
	esac
	return 1
}

check_options() {
	local i w kind=(host path)
	local -r number='^[0-9]+(\.[0-9]*)?$|^\.[0-9]+$' list='^[0-9.]+(,[0-9.]+)*$'
	one_of --curve "$curve" arquivo measured
	job_check_number --target-lines "$target_lines"
	[[ -z $target_cost || $target_cost =~ $number ]] || usage_error "--target-cost $target_cost: a number is wanted"
	[[ -z $target_lines || -z $target_cost ]] || usage_error "--target-lines and --target-cost exclude each other"
	[[ -z $roll_tlds || $roll_tlds =~ $number ]] || usage_error "--roll-tlds $roll_tlds: a number is wanted"
	[[ -z $popularity || -n $roll_tlds ]] || usage_error "--popularity needs --roll-tlds"
	for i in 0 1; do
		w=${weights[i]}
		[[ -z $w || $w == inf || $w =~ $number ]] || usage_error "--${kind[i]}-weight $w: a number or inf is wanted"
		[[ -z ${curves[i]} || ${curves[i]} =~ ^[0-9.]+,-?[0-9.]+$ ]] || usage_error "--${kind[i]}-curve ${curves[i]}: two numbers A,K are wanted"
		[[ -z ${means[i]} || ${means[i]} =~ $list ]] || usage_error "--${kind[i]}-means ${means[i]}: numbers, separated by commas, are wanted"
		[[ -z ${means[i]} || -z ${curves[i]} ]] || usage_error "--${kind[i]}-means and --${kind[i]}-curve exclude each other"
		[[ $curve == arquivo || -z ${means[i]}${curves[i]} ]] || usage_error "--curve measured and --${kind[i]}-curve or -means exclude each other"
		job_check_number "--${kind[i]}-depth" "${depths[i]}"
		[[ -z ${depths[i]} ]] || compacting+=" --${kind[i]}-depth ${depths[i]}"
		[[ -z ${means[i]} ]] || compacting+=" --${kind[i]}-means ${means[i]}"
		[[ -z ${curves[i]} ]] || compacting+=" --${kind[i]}-curve ${curves[i]}"
	done
	if [[ -n $target_lines$target_cost && -n ${weights[0]} && -n ${weights[1]} ]]; then
		usage_error "two weights and a wished size exclude each other"
	fi
	for i in "${!merge[@]}"; do
		job_set_path "merge[i]" "${merge[i]}"
	done
	[[ -z $update ]] || job_set_path update "$update"
	[[ -z $blocked ]] || job_set_path blocked "$blocked"
	[[ -z $meta ]] || job_set_path meta "$meta"
	[[ -z $roll ]] || job_set_path roll "$roll"
	[[ -z $popularity ]] || job_set_path popularity "$popularity"
	[[ -z $update ]] || compacting+=" --absorb"
	for i in "${!merge[@]}"; do
		job_kinds+=("map"$'\t'--merge$'\t'"${merge[i]}")
	done
	[[ -z $update ]] || job_kinds+=("map"$'\t'--update$'\t'"$update")
	[[ -z $blocked ]] || job_kinds+=(lines$'\t'--blocked$'\t'"$blocked")
	[[ -z $meta ]] || job_also+=(lines$'\t'--meta$'\t'"$meta")
	[[ -z $roll ]] || job_also+=(lines$'\t'--roll$'\t'"$roll")
	[[ -z $popularity ]] || job_also+=(lines$'\t'--popularity$'\t'"$popularity")
	job_earlier=(${update:+"$update"})
	job_reads=(${meta:+"$meta"} ${roll:+"$roll"} ${popularity:+"$popularity"})
	job_inputs+=(${merge[@]+"${merge[@]}"} ${update:+"$update"} ${blocked:+"$blocked"})
}

# take_inputs takes the inputs of each option as they are to be read.
take_inputs() {
	local name
	job_inputs_of --input
	given=("${job_of[@]}")
	job_inputs_of --merge
	merge=(${job_of[@]+"${job_of[@]}"})
	job_inputs_of --update
	update=${job_of[0]-}
	job_inputs_of --blocked
	blocked=${job_of[0]-}
	for name in meta roll popularity; do
		job_set_found "$name"
	done
}

# has_queries FILE: whether a map has keys that no lookup finds: with a query, a
# fragment, or a slash at the end.
has_queries() {
	local number
	number=$(
		set -o pipefail
		files cat "$1" | gzip -dcf | LC_ALL=C awk '
			/^!/ { next }
			$1 ~ /[?#]/ || $1 ~ /\/$/ && $1 !~ /^[^)]*\)\/$/ { n++ }
			END { printf "%d", n }'
	) || fail "$1 cannot be read"
	((number > 0))
}

# make_keys makes the sorted keys of captures, in a part for each reducer.
make_keys() {
	local i=0 bytes=0 size sample range_file='' shards=${job_reducers:-1}
	local -a inputs=() counts=(-D "stage.where=$where" -D "stage.blocked=$blocked" -D "stage.roll=$roll")
	for i in "${job_inputs[@]}"; do
		inputs+=(-input "$i")
	done
	# A TLD that is rolled up must not be cut.
	[[ -z $roll_tlds ]] || shards=1
	if ((shards > 1)); then
		while IFS=$'\t' read -r _ size _; do
			((bytes += size))
		done <<<"$job_input_files"
		sample=$(awk -v b="$bytes" -v n="$shards" 'BEGIN { s = 200000 * n / (b + 1); printf "%.9f", (s > 1 ? 1 : s) }') ||
			fail "the sample cannot be computed"
		job_stage ranges "count-captures cut-ranges" "${key_only[@]}" -D stream.reduce.output=keyonlytext "${counts[@]}" "${inputs[@]}" \
			-mapper "count-captures$counting --sample $sample" \
			-reducer "cut-ranges --ranges $shards" -numReduceTasks 1
		range_file=$job_work/ranges/part-00000
	fi
	# Without a tab a line of add-counts gets one at its end: keyonlytext would be the
	# combiner's form too.
	job_stage keys "count-captures add-counts" -D stream.num.map.output.key.fields=3 -D stream.num.reduce.output.key.fields=3 -D mapreduce.partition.keypartitioner.options=-k1,1 \
		-D "stage.ranges=$range_file" ${job_maps:+-D "mapreduce.job.maps=$job_maps"} "${counts[@]}" "${inputs[@]}" \
		-mapper "count-captures$counting --reducers $shards" -combiner "add-counts --combine" -reducer add-counts -numReduceTasks "$shards" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# list_ranges FILES: writes the ranges of sorted files, lines PATH TAB SIZE, that
# tasks compact on their own.
list_ranges() {
	local path size n i number=0 least=67108864
	while IFS=$'\t' read -r path size _; do
		n=${job_maps:-$((size / least + 1))}
		for ((i = 0; i < n; i++)); do
			printf '%s\t%d\t%d\t%d\n' "$path" $((size * i / n)) "$( ((i + 1 < n)) && printf '%d' $((size * (i + 1) / n)) || printf -- -1)" $((number++))
		done
	done <<<"$1" | files put "$job_work/ranges.tsv" || fail "the ranges cannot be written"
}

# over_ranges NAME PROGRAMS ARGUMENT...: a stage with one task for each range.
over_ranges() {
	job_stage "$1" "$2" -D stream.map.input.ignoreKey=true -D mapreduce.input.lineinputformat.linespermap=1 "${key_only[@]}" "${@:3}" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/ranges.tsv"
}

# measure NAME ARGUMENT...: measures the keys; chosen gets what choose-weights says.
measure() {
	over_ranges "$1" "measure-mementomap choose-weights" -D "stage.roll=$roll" -D "stage.popularity=$popularity" \
		-D stream.reduce.output=keyonlytext -mapper "measure-mementomap --files$compacting" -reducer "choose-weights ${*:2}" -numReduceTasks 1
	chosen=$(files cat "$job_work/$1/part-00000") || fail "what stage $1 has chosen cannot be read"
}

# set_chosen VARIABLE NAME: what choose-weights says, in a line each.
set_chosen() {
	local name value all=
	while IFS=$'\t' read -r name value; do
		[[ $name != "$2" ]] || all+=${all:+$'\n'}$value
	done <<<"$chosen"
	printf -v "$1" '%s' "$all"
}

# choose_weights sets weights, curves and what is to be rolled up by what the keys say.
choose_weights() {
	local tlds
	local -a wish=()
	[[ -z $target_lines ]] || wish+=(--lines "$target_lines")
	[[ -z $target_cost ]] || wish+=(--cost "$target_cost")
	if ((${#wish[@]})); then
		[[ -z ${weights[0]} ]] || wish+=(--host-weight "${weights[0]}")
		[[ -z ${weights[1]} ]] || wish+=(--path-weight "${weights[1]}")
	fi
	if [[ $curve == measured || -n $roll_tlds ]]; then
		measure measure ${roll_tlds:+--roll-weight "$roll_tlds"}
		if [[ $curve == measured ]]; then
			set_chosen "curves[0]" host-curve
			set_chosen "curves[1]" path-curve
			[[ -z ${curves[0]} ]] || compacting+=" --host-curve ${curves[0]}"
			[[ -z ${curves[1]} ]] || compacting+=" --path-curve ${curves[1]}"
		fi
		set_chosen tlds roll
		if [[ -n $tlds ]]; then
			{
				[[ -z $roll ]] || files cat "$roll"
				printf '%s\n' "$tlds"
			} | files put "$job_work/roll.txt" || fail "the TLDs that are rolled up cannot be written"
			roll=$job_work/roll.txt
		fi
	fi
	if ((${#wish[@]})); then
		measure weigh "${wish[@]}"
		set_chosen "weights[0]" host-weight
		set_chosen "weights[1]" path-weight
	fi
	weights=("${weights[0]:-4}" "${weights[1]:-4}")
}

# stats gives stats.json.
stats() {
	local stage name value cost rolled=('' '')
	while IFS=$'\t' read -r stage _ name value; do
		[[ $stage == compact ]] || continue
		case $name in
		'rolled up hosts at depth '*) rolled[0]+="${rolled[0]:+, }\"${name##* }\": $value" ;;
		'rolled up paths at depth '*) rolled[1]+="${rolled[1]:+, }\"${name##* }\": $value" ;;
		esac
	done <<<"$job_counters"
	printf '{\n  "lines": %d,\n  "keys": %d,\n  "captures": %d,\n  "uris": %d,\n  "exclusions": %d,\n' "$lines" "$keys" \
		"$(job_counter compact captures)" "$uris" "$(job_counter compact exclusions)"
	cost=$(awk -v l="$lines" -v u="$uris" 'BEGIN { if (u) printf "%.6g", l / u; else printf "null" }') || exit 1
	printf '  "relative_cost": %s,\n' "$cost"
	printf '  "host_weight": "%s",\n  "path_weight": "%s",\n' "${weights[@]}"
	printf '  "host_curve": "%s",\n  "path_curve": "%s",\n' "${curves[0]:-${means[0]:-16.329,0.714}}" "${curves[1]:-${means[1]:-24.546,1.429}}"
	printf '  "rolled_up": {"hosts": {%s}, "paths": {%s}}\n}\n' "${rolled[@]}"
}

# shellcheck disable=SC2317 # job_hush calls it
write_lines() { files cat "$job_work/compact/map" | "$job_bin/write-mementomap" "$@"; }

# write_map puts the parts together.
write_map() {
	local path
	local -a options=(${gzip:+--gzip} ${meta:+--meta "$meta"})
	! files exists "$job_work/publishing" || return 0
	while IFS=$'\t' read -r path _; do
		[[ -z $path ]] || options+=(--of "$path")
	done <<<"$maps"
	files remove "$job_work/result"
	job_hush write_lines "${options[@]}" --output "$job_work/result" || fail "the map cannot be written"
	stats | files put "$job_work/result/stats.json" || fail "stats.json cannot be written"
}

job_takes=holdings
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
check_options
job_begin count-captures cut-ranges add-counts measure-mementomap choose-weights compact-mementomap write-mementomap
take_inputs
job_stages_expected=1 # the compaction
[[ $curve != measured && -z $roll_tlds ]] || ((++job_stages_expected))
[[ -z $target_lines$target_cost ]] || ((++job_stages_expected))
maps= # that go into this one
if [[ ${job_input_files%%$'\n'*} == *$'\tmap' ]]; then
	maps=$(files expand "${given[@]}") || exit 1
fi
if [[ -n $maps && $job_input_files != *$'\n'* && -z $where ]] && ! has_queries "${job_input_files%%$'\t'*}"; then
	list_ranges "$job_input_files"
else
	((${#merge[@]} == 0)) || maps+=${maps:+$'\n'}$(files expand "${merge[@]}") || exit 1
	[[ -z $update ]] || maps+=${maps:+$'\n'}$update
	job_stages_expected=$((job_stages_expected + 1 + (${job_reducers:-1} > 1 && ${#roll_tlds} == 0)))
	make_keys
	found=$(files expand "$job_work/keys/part-*") || exit 1
	list_ranges "$found"
fi
choose_weights
over_ranges compact compact-mementomap -D "stage.roll=$roll" -numReduceTasks 0 \
	-mapper "compact-mementomap --files$compacting --host-weight ${weights[0]} --path-weight ${weights[1]}"
lines=$(job_counter compact lines)
keys=$(job_counter compact keys)
uris=$(job_counter compact uris)
write_map
job_publish=(result)
used=$((keys + $(job_counter compact exclusions)))
for name in captures 'lines of maps' blocked 'left out by --where' 'robots.txt and sitemap.xml' 'requests for what is there' \
	'requests for what is absent' 'requests that tell nothing'; do
	used=$((used + $(job_counter keys "$name")))
done
job_end "$used" "$(($(job_counter keys captures) + $(job_counter keys rejected) + keys))" "a map of $lines lines for $keys keys"

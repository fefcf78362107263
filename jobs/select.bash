# The stages of jobs/select.sh, as pipes for small selections and on an engine.
#
# The variables are those of select.sh and common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

key_only+=(-D stream.reduce.output=keyonlytext)

# find_archives makes one path index of several folders, or of the archive files
# that are scanned, and refuses two archive files of one name.
find_archives() {
	local -a places=()
	archives_base=${archives[0]-}
	archives_index=
	[[ -n $path_index || -n $scan || ${#archives[@]} -gt 1 ]] || return 0
	archives_index=$job_work/path-index.tsv
	[[ -z $path_index ]] || places+=("path-index=$path_index")
	if [[ -n $scan ]]; then
		archives_base=
		places+=("list=$job_work/inputs.txt")
	elif ((${#archives[@]} > 1)) || [[ $archives_base != http?(s)://* ]]; then
		places+=("${archives[@]/#/archives=}")
		((${#archives[@]} <= 1)) || archives_base=
	fi
	job_index_archives "$archives_index" "${places[@]}"
}

# index_archives makes the index of archive files that have none.
index_archives() {
	local per_map=1 n reader="index-archives --format cdxj-all"
	job_set_line_count n "$job_input_files"
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
	local path name kind
	inputs=()
	if [[ -n $scan ]]; then
		inputs=(-input "${indexes[0]}")
		return
	fi
	while IFS=$'\t' read -r path _ _ kind; do
		name=${path##*/}
		[[ $kind == cluster || $name == *.idx || $name == *.loc || $name == *.summary ]] || inputs+=(-input "$path")
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
	job_set_counter unread search unread
	((unread == 0)) || return 0
	plan=$job_work/plan.tsv
	if [[ -n $pick ]]; then
		job_set_counter plan_bytes search picked-bytes
	else
		job_set_counter plan_bytes search selected-bytes
	fi
}

# shellcheck disable=SC2317 # job_pipe calls it
search_pipe() {
	local -a options=("$@" --rejects "$job_work/search/_rejects/filter-captures.tsv")
	if [[ -z $pick ]]; then
		"$job_bin/filter-captures" "${options[@]}" | job_sort_into "$job_work/plan.tsv"
	else
		"$job_bin/filter-captures" "${options[@]}" | LC_ALL=C sort -S 64M | "$job_bin/pick-captures" | job_sort_into "$job_work/plan.tsv"
	fi
}

# filter_and_pick prepares the next stage: its mapper reads the lines of a plan, or
# filters the indexes first. A pick takes a stage of its own.
filter_and_pick() {
	[[ -n $kept ]] || from=search
	if [[ -n $plan ]]; then
		inputs=(-input "$plan")
		mapper=()
		return
	fi
	if [[ -n $kept ]]; then
		inputs=(-input "$job_work/$cut/split-*")
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

# keep_captures makes the plan of those captures of it that --keep keeps, each at its
# own place.
keep_captures() {
	local n
	[[ ${#keep[@]} -gt 0 ]] || return 0
	make_plan
	[[ $revisits != resolve ]] || resolve_revisits
	kept=1
	if [[ -n $plan ]]; then
		derive_here plan
		plan=$job_work/kept.tsv
		job_set_counter plan_bytes derive kept-bytes
		return
	fi
	derive_on_engine plan
	cut=derive
	job_set_counter n derive splits
	((n == 0)) || return 0
	plan=$job_work/kept.tsv plan_bytes=0
	files put "$plan" </dev/null || fail "the plan cannot be written"
}

# from_plan COMMAND...: runs it with the plan as input, as the last of a shell of its
# own, which becomes the command.
from_plan() {
	if [[ $plan == *://* ]]; then
		files cat "$plan" | "$@"
	else
		exec "$@" <"$plan"
	fi
}

# make_plan cuts the plan into splits, each for one part of the output. A plan that
# is no larger than a part stays a file.
make_plan() {
	local program=cat
	if [[ -n $plan ]] && ((plan_bytes <= max_bytes)) || [[ $cut != plan ]]; then
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
	local layout=cdxj-all n
	[[ $save == cdxj ]] || layout=cdx11
	if [[ -n $plan ]]; then
		job_pipe "index" index_pipe "$layout"
	else
		filter_and_pick
		[[ ${#mapper[@]} -eq 0 ]] || from=index
		job_stage "index" "filter-captures write-index" "${key_only[@]}" ${mapper[@]+"${mapper[@]}"} "${inputs[@]}" \
			-mapper "filter-captures --form $save" -reducer "write-index --lines --alone --layout $layout" -numReduceTasks 1
	fi
	files exists "$job_work/publishing" || files exists "$job_work/index/index.$save" ||
		index_header | files put "$job_work/index/index.$save" || fail "index.$save cannot be written"
	job_set_counter n "index" captures write-index
	made="$n captures"
	job_publish=(index)
}

index_header() { [[ $save != cdx ]] || printf ' CDX N b a m s k r M S V g\n'; }

# shellcheck disable=SC2317 # job_pipe calls it
index_pipe() {
	from_plan "$job_bin/filter-captures" --form "$save" --rejects "$job_work/index/_rejects/filter-captures.tsv" | LC_ALL=C sort -S 64M | "$job_bin/write-index" --lines --alone --layout "$1" --output "$job_work/index"
}

# save_records copies the selected records.
save_records() {
	local high low
	local -a options=(--max-size "$max_bytes" --prefix "$prefix" --verify "$verify")
	[[ -z $date ]] || options+=(--date "$date")
	[[ -z $with_requests ]] || options+=(--with-requests)
	make_plan
	if [[ -n $plan ]]; then
		job_pipe cut cut_pipe
		cut='cut'
	fi
	job_set_counter high "$cut" plan-high
	job_set_counter low "$cut" plan-low
	options+=(--plan "$high.$low")
	if [[ -n $plan ]]; then
		job_pipe extract extract_pipe "${options[@]}" --archives "$archives_base" --path-index "$archives_index"
	elif (($(job_counter "$cut" splits) > 0)); then
		job_stage extract "extract-records write-tables" -D stream.num.map.output.key.fields=2 \
			-D mapreduce.input.fileinputformat.split.minsize=1099511627776 -D mapreduce.partition.keypartitioner.options=-k1,1 \
			-D "stage.archives=$archives_base" -D "stage.path-index=$archives_index" -input "$job_work/$cut/split-*" \
			-mapper "extract-records ${options[*]}" -reducer write-tables -numReduceTasks 2 \
			-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
	fi
	made="$(job_counter extract records) records, ${with_requests:+$(job_counter extract requests) requests, }$(job_counter extract files) files"
	((${#job_publish[@]})) || ! files exists "$job_work/extract" || job_publish=(extract)
	files exists "$job_work/publishing" || files exists "$job_work/extract/manifest.tsv" || job_put manifest.tsv </dev/null
}

# cut_pipe sums up a plan that is one part.
#
# shellcheck disable=SC2317 # job_pipe calls it
cut_pipe() { from_plan "$job_bin/cut-splits" --max-size "$max_bytes" --output "$job_work/cut"; }

# shellcheck disable=SC2317 # job_pipe calls it
extract_pipe() {
	from_plan "$job_bin/extract-records" "$@" --number 0 --output "$job_work/extract" --rejects "$job_work/extract/_rejects/extract-records.tsv" |
		LC_ALL=C sort -S 64M | "$job_bin/write-tables" --output "$job_work/extract"
}

# resolve_revisits gives the revisits of the plan the places of the records that have
# their payload: of the same URL by a search, or of any by a join with the indexes; of
# those that are left by what their own records say.
resolve_revisits() {
	local n undigested=0 moved=''
	local -a lines given=()
	job_set_counter n "$from" revisits
	((n > 0)) || return 0
	lines=(-input "$job_work/plan/split-*")
	if [[ -n $plan ]]; then
		local -a options=()
		for i in "${indexes[@]}"; do
			options+=(--index "$i")
		done
		job_pipe originals originals_pipe "${options[@]}"
		job_set_counter n originals unresolved
		job_set_counter undigested originals undigested
		job_set_counter plan_bytes originals resolved-bytes
		plan=$job_work/resolved.tsv
		lines=(-input "$plan")
	fi
	if ((n > 0)); then
		join_originals resolve "${lines[1]}" digest
		job_set_counter undigested resolve "without an original"
		lines=(-input "$job_work/resolve/part-*") moved=1
	fi
	if ((undigested > 0)); then
		give archives "$archives_base"
		give path-index "$archives_index"
		job_stage references "find-originals" "${key_only[@]}" "${given[@]}" "${lines[@]}" -mapper "find-originals --by read" -numReduceTasks 0
		job_set_counter n references references
		if ((n > 0)); then
			lines=(-input "$job_work/references/part-*") moved=1
			join_originals refer "${lines[1]}" reference
			lines=(-input "$job_work/refer/part-*")
		fi
	fi
	[[ -n $moved ]] || return 0
	job_stage parts cut-splits "${key_only[@]}" "${lines[@]}" -mapper cat -reducer "cut-splits --max-size $max_bytes" -numReduceTasks 1
	plan='' cut=parts
}

# join_originals puts the revisits of a plan beside the index lines.
join_originals() { # NAME PLAN digest|reference
	index_files
	job_stage "$1" "find-originals resolve-revisits" "${key_only[@]}" -D "stage.wanted=$2" ${given[@]+"${given[@]}"} \
		-D mapreduce.partition.keypartitioner.options=-k1,1 -input "$2" "${inputs[@]}" -mapper "find-originals --by $3" -reducer resolve-revisits \
		-numReduceTasks "${job_reducers:-1}" -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

# shellcheck disable=SC2317 # job_pipe calls it
originals_pipe() {
	from_plan "$job_bin/find-originals" "$@" --rejects "$job_work/originals/_rejects/find-originals.tsv" | job_sort_into "$job_work/resolved.tsv"
}

# tell_made sets made to what can be counted in the parts.
tell_made() {
	local n kept thing
	job_set_counter n derive rows enrich-captures
	job_set_counter kept derive kept
	case $save in
	json) thing=captures ;;
	documents) thing=documents ;;
	text) thing=texts ;;
	*) thing=rows ;;
	esac
	if [[ -n $count ]]; then
		job_set_counter n derive rows count-rows
	fi
	made="$n $thing"
	[[ $save == json ]] || made+=" of $kept captures"
}

# tell_lacking says how many revisits stay without a payload that was asked for, and
# how many captures have errors beside their values.
tell_lacking() {
	local n
	job_set_counter n derive "records with errors"
	((n == 0)) || [[ $save != json ]] || say "$n captures have values that could not be derived: error says why"
	job_set_counter n derive "revisits without a payload"
	((n == 0)) || say "$n revisits have no payload: no record with it was found"
}

# tell_requests says which requests are not in the output.
tell_requests() {
	local n
	if [[ -z $with_requests ]]; then
		say "only records that the index has lines for are copied: requests are mostly not among them; --with-requests copies them too"
		return
	fi
	job_set_counter n extract "requests not found"
	((n == 0)) || say "$n responses and revisits have no request near them"
}

# save_derived derives values from the records and saves them.
save_derived() {
	local form=$save i n
	make_plan
	[[ $revisits != resolve ]] || resolve_revisits
	[[ -z $count ]] || form=tsv
	if [[ -n $plan ]]; then
		derive_here "$form"
	else
		job_set_counter n "$cut" splits
		if ((n > 0)); then
			derive_on_engine "$form"
		else # an empty part says what it would hold
			plan=$job_work/none.tsv
			files put "$plan" </dev/null || fail "an empty plan cannot be written"
			derive_here "$form"
		fi
	fi
	tell_made
	! files exists "$job_work/derive" || job_publish=(derive)
}

# check_expressions tells mistakes in expressions, and programs that are not there,
# before anything is made. On a cluster programs may be elsewhere.
check_expressions() {
	local form=$save what=programs
	job_build filter-captures enrich-captures
	if [[ -n $where$pick ]]; then
		check_by filter-captures --where "$where" --pick "$pick" --per "$per"
	fi
	[[ $save != warc && $save != cdx* ]] || form=plan
	[[ $job_engine != hadoop ]] || what=options
	if [[ -n $each ]] || ((${#enrich[@]} + ${#map_enrich[@]} + ${#enrich_with[@]} + ${#keep[@]} + ${#columns[@]})); then
		derive_options "$form"
		check_by enrich-captures --check "$what" "${deriving[@]}"
	fi
}

check_by() { # PROGRAM OPTION...
	local said status
	said=$("$job_bin/$1" "${@:2}" 2>&1 >/dev/null </dev/null)
	status=$?
	((status == 0)) || {
		printf '%s\n' "$said" >&2
		exit "$status"
	}
}

# derive_options sets deriving to the options that say what is derived.
derive_options() { # FORM
	local i
	deriving=(--save "$1" --verify "$verify" --each "$each" ${pretty:+--pretty} ${raw_csv:+--raw-csv})
	for i in ${enrich[@]+"${enrich[@]}"}; do deriving+=(--enrich "$i"); done
	for i in ${map_enrich[@]+"${map_enrich[@]}"}; do deriving+=(--map-enrich "$i"); done
	for i in ${enrich_with[@]+"${enrich_with[@]}"}; do deriving+=(--enrich-with "$i"); done
	for i in ${keep[@]+"${keep[@]}"}; do deriving+=(--keep "$i"); done
	for i in ${columns[@]+"${columns[@]}"}; do deriving+=(--columns "$i"); done
}

derive_here() { # FORM
	local -a deriving
	derive_options "$1"
	job_pipe derive derive_pipe --archives "$archives_base" --path-index "$archives_index" "${deriving[@]}"
}

# shellcheck disable=SC2317 # job_pipe calls it
derive_pipe() {
	local -a options=("$@" --output "$job_work/derive" --rejects "$job_work/derive/_rejects/enrich-captures.tsv")
	if [[ -n $count ]]; then
		from_plan "$job_bin/enrich-captures" "${options[@]}" | LC_ALL=C sort -S 64M |
			"$job_bin/count-rows" --save "$save" ${raw_csv:+--raw-csv} --count "$count" --columns "${columns[*]}" --output "$job_work/derive"
	elif [[ $save == warc || $save == cdx* ]]; then
		from_plan "$job_bin/enrich-captures" "${options[@]}" | job_sort_into "$job_work/kept.tsv"
	else
		from_plan "$job_bin/enrich-captures" "${options[@]}"
	fi
}

derive_on_engine() { # FORM
	local n
	local -a reducer=(-numReduceTasks 0) given=()
	job_set_counter n "$cut" splits
	((n > 0)) || return 0
	give archives "$archives_base"
	give path-index "$archives_index"
	give each "$each"
	give count "$count"
	give enrich ${enrich[@]+"${enrich[@]}"}
	give map-enrich ${map_enrich[@]+"${map_enrich[@]}"}
	give enrich-with ${enrich_with[@]+"${enrich_with[@]}"}
	give keep ${keep[@]+"${keep[@]}"}
	give columns ${columns[@]+"${columns[@]}"}
	[[ $1 != plan ]] || reducer=(-reducer "cut-splits --max-size $max_bytes" -numReduceTasks 1)
	[[ -z $count ]] || reducer=(-reducer "count-rows --save $save${raw_csv:+ --raw-csv}" -numReduceTasks "${job_reducers:-1}")
	job_stage derive "enrich-captures count-rows cut-splits" "${key_only[@]}" -D mapreduce.input.fileinputformat.split.minsize=1099511627776 \
		"${given[@]}" -input "$job_work/$cut/split-*" -mapper "enrich-captures --save $1 --verify $verify${pretty:+ --pretty}${raw_csv:+ --raw-csv}" "${reducer[@]}"
}

# count_used sets used to the number of captures that could be read: of records where
# some were asked for.
count_used() {
	local stage tried rejected
	used=$captures
	((captures > 0)) || job_set_counter used scan "records read"
	for stage in derive extract; do
		job_set_counter rejected "$stage" rejected
		if [[ $stage == derive ]]; then
			job_set_counter tried derive captures
			tried=$((tried - rejected))
		else
			job_set_counter tried extract records
		fi
		((tried > 0 || rejected == 0)) || used=0
	done
}

# give adds an option of a stage to given, of several values one a line.
give() { # NAME VALUE...
	local IFS=$'\n'
	[[ -z ${2-} ]] || given+=(-D "stage.$1=${*:2}")
}

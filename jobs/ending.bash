# The end of a job: its output published, _rejects.tsv, _job.json, exit status.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154

# --- the end ------------------------------------------------------------------

# job_end RECORDS MADE: publishes the output of each stage named in job_publish, or
# of STAGE/FOLDER that folder, or with STAGE=FOLDER the output as a folder, writes _rejects.tsv, _job.json and _SUCCESS and ends
# with the exit status. RECORDS is the number of records that a percentage in
# --max-rejects is of, MADE what the last line says was made.
job_end() {
	local records=$1 made=$2 stage into status=0
	files put "$job_work/publishing" </dev/null || fail "the output of the stages cannot be published"
	for stage in ${job_publish[@]+"${job_publish[@]}"}; do
		into=$job_output
		case $stage in
		*=*)
			into+=/${stage#*=}
			stage=${stage%%=*}
			;;
		*/*) into+=/${stage#*/} ;;
		esac
		files publish "$job_work/$stage" "$into" || fail "the output of stage $stage cannot be published"
	done
	job_write_rejects
	if job_too_many_rejects "$records"; then
		status=3
	fi
	job_json "$status" | job_put _job.json || exit 1
	job_put _SUCCESS </dev/null
	files remove "$job_work"
	say "$made in $(job_elapsed "$job_started") s: $job_output"
	((job_rejects == 0)) || say "$job_rejects rejected, see $job_output/_rejects.tsv"
	((status == 0)) || printf '%s: error: more rejects than --max-rejects %s\n' "$job_name" "$job_max_rejects" >&2
	exit "$status"
}

# job_put NAME: standard input into a file of the output. It is written in the work
# folder first, where a kill leaves what nobody takes for a result.
job_put() {
	if ! files put "$job_work/$1" || ! files rename "$job_work/$1" "$job_output/$1"; then
		fail "$1 cannot be written"
	fi
}

job_write_rejects() {
	local stage
	for stage in "${job_stages[@]}"; do
		if files exists "$job_work/$stage/_rejects"; then
			files cat "$job_work/$stage/_rejects" || exit 1
		fi
	done | LC_ALL=C sort -S 32M | job_put _rejects.tsv || exit 1
	job_rejects=0
	for stage in "${job_stages[@]}"; do
		job_rejects=$((job_rejects + $(job_counter "$stage" rejected)))
	done
}

job_too_many_rejects() { # RECORDS
	case $job_max_rejects in
	'') return 1 ;;
	*%) ((job_rejects * 100 > ${job_max_rejects%\%} * $1)) ;;
	*) ((job_rejects > job_max_rejects)) ;;
	esac
}

# job_string TEXT: as a JSON string.
job_string() {
	local s=$1
	s=${s//\\/\\\\} s=${s//\"/\\\"} s=${s//$'\n'/\\n} s=${s//$'\t'/\\t} s=${s//$'\r'/\\r}
	printf '"%s"' "${s//[$'\x01'-$'\x1f']/}"
}

job_json() { # STATUS
	local comma='' word stage name value
	printf '{\n  "job": %s,\n  "version": %s,\n  "command": [' "$(job_string "${job_name%.sh}")" "$(job_string "$(files version)")"
	for word in "${job_command[@]}"; do
		printf '%s%s' "$comma" "$(job_string "$word")"
		comma=', '
	done
	printf '],\n  "engine": "%s",\n  "status": %d,\n  "rejects": %d,\n  "inputs": [' "$job_engine" "$1" "$job_rejects"
	comma=
	while IFS=$'\t' read -r name value _; do
		printf '%s\n    {"path": %s, "size": %d}' "$comma" "$(job_string "$name")" "$value"
		comma=,
	done <<<"$job_input_files"
	printf '\n  ],\n  "seconds": {"job": %s' "$(job_elapsed "$job_started")"
	while IFS=$'\t' read -r stage value; do
		[[ -z $stage ]] || printf ', %s: %s' "$(job_string "$stage")" "$value"
	done <<<"$job_seconds"
	printf '},\n  "counters": {'
	job_json_counters
	printf '\n  }\n}\n'
}

# job_json_counters nests job_counters by stage and group.
job_json_counters() {
	local stage group name value last_stage='' last_group='' end_stage='' end_group=''
	while IFS=$'\t' read -r stage group name value; do
		[[ -n $stage ]] || continue
		if [[ $stage != "$last_stage" ]]; then
			printf '%s%s\n    %s: {' "$end_group" "$end_stage" "$(job_string "$stage")"
			end_stage=$'\n    },' end_group=
		fi
		if [[ $stage != "$last_stage" || $group != "$last_group" ]]; then
			printf '%s\n      %s: {' "${end_group:+$end_group,}" "$(job_string "$group")"
			end_group='}'
		else
			printf ', '
		fi
		printf '%s: %d' "$(job_string "$name")" "$value"
		last_stage=$stage last_group=$group
	done <<<"$job_counters"
	printf '%s%s' "$end_group" "${end_stage%,}"
}

# What all jobs share: options, the output folder and its lock, stages on either
# engine, progress, rejects, _job.json and the exit status. A job script sources
# this file, declares itself and calls the functions below in this order:
#
#   job_options "$@"            parse the options; the job's own go to job_option
#   job_begin                   check, lock and prepare the output folder
#   job_stage NAME ARGUMENT...  run one stage (arguments of hadoop-streaming)
#   job_end RECORDS MADE        publish the output and write the rest
#
# A script may define: job_option NAME VALUE (returns 2 for an unknown option, 1
# for an option without a value). The functions set job_engine, job_output,
# job_work, job_inputs, job_maps and job_reducers.
#
# shellcheck shell=bash

set -uo pipefail

readonly job_root="${BASH_SOURCE[0]%/*}/.."
readonly job_name="${0##*/}"
job_bin=$(cd "$job_root" && pwd)/bin
readonly job_bin

job_engine=local
job_output=
job_maps=
job_reducers=
job_max_rejects=
job_quiet=
job_mode=new # or resume, force
job_inputs=()
job_properties=()
job_command=("$0" "$@")
job_stages=()       # names of the finished stages, in order
job_counters=       # lines STAGE TAB GROUP TAB NAME TAB VALUE
job_seconds=        # lines STAGE TAB SECONDS
job_stages_expected=1
job_locked=

# --- messages ---------------------------------------------------------------

say() { [[ -n $job_quiet ]] || printf '%s: %s\n' "$job_name" "$*" >&2; }

# fail MESSAGE [HINT [STATUS]]: ends the job.
fail() {
	job_clear_progress
	printf '%s: error: %s\n' "$job_name" "$1" >&2
	[[ -z ${2:-} ]] || printf '%s: hint: %s\n' "$job_name" "$2" >&2
	exit "${3:-1}"
}

usage_error() { fail "$1" "${2:-try $job_name --help}" 2; }

# --- options ----------------------------------------------------------------

# job_help prints the script's header comment, which is its manual.
job_help() {
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
}

job_options() {
	local name value
	while (($#)); do
		case $1 in
		--help | -h)
			job_help
			exit 0
			;;
		--version)
			job_build manage-files
			printf '%s %s\n' "$job_name" "$("$job_bin/manage-files" version)"
			exit 0
			;;
		--resume) job_set_mode resume ;;
		--force) job_set_mode force ;;
		--quiet) job_quiet=1 ;;
		--input)
			shift
			(($#)) && [[ $1 != --* ]] || usage_error "--input needs a path"
			while (($#)) && [[ $1 != -* ]]; do
				job_inputs+=("$1")
				shift
			done
			continue
			;;
		-D)
			(($# > 1)) && [[ $2 == *=* ]] || usage_error "-D needs NAME=VALUE"
			job_properties+=(-D "$2")
			shift
			;;
		-D*=*) job_properties+=(-D "${1#-D}") ;;
		--*=*)
			name=${1%%=*} value=${1#*=}
			shift
			set -- "$name" "$value" "$@"
			continue
			;;
		--*)
			name=$1 value=${2-}
			case $name in
			--output) job_output=$value ;;
			--engine) job_engine=$value ;;
			--maps) job_maps=$value ;;
			--reducers) job_reducers=$value ;;
			--max-rejects) job_max_rejects=$value ;;
			*)
				job_option "$name" "$value"
				case $? in
				0) ;;
				1)
					shift
					continue
					;;
				*) usage_error "unknown option $name" ;;
				esac
				;;
			esac
			(($# > 1)) || usage_error "$name needs a value"
			shift
			;;
		*) usage_error "unexpected argument $1" ;;
		esac
		shift
	done
	job_check_options
}

job_set_mode() {
	[[ $job_mode == new || $job_mode == "$1" ]] || usage_error "--resume and --force exclude each other"
	job_mode=$1
}

job_check_options() {
	((${#job_inputs[@]})) || usage_error "--input is missing"
	[[ -n $job_output ]] || usage_error "--output is missing"
	case $job_engine in
	local | hadoop) ;;
	*) usage_error "--engine $job_engine: local or hadoop is wanted" ;;
	esac
	job_check_number --maps "$job_maps"
	job_check_number --reducers "$job_reducers"
	[[ $job_max_rejects =~ ^([0-9]+%?)?$ ]] || usage_error "--max-rejects $job_max_rejects: a number or a number with % is wanted"
	[[ $job_output != *[,$'\n\t']* ]] || usage_error "--output: no comma, tab or line end can be in the path"
	local i
	job_output=$(job_path "${job_output%/}")
	for i in "${!job_inputs[@]}"; do
		job_inputs[i]=$(job_path "${job_inputs[i]}")
	done
}

job_check_number() { # OPTION VALUE
	[[ -z $2 || $2 =~ ^[1-9][0-9]{0,6}$ ]] || usage_error "$1 $2: a number from 1 is wanted"
}

# job_bytes OPTION SIZE: the number of bytes that a size such as 100MB or 64MiB means.
job_bytes() {
	local n unit
	[[ $2 =~ ^([0-9]{1,15})([kKMGT]?)(i?)B?$ ]] || usage_error "$1 $2: a size such as 100MB or 64MiB is wanted"
	n=$((10#${BASH_REMATCH[1]})) unit=1000
	[[ -z ${BASH_REMATCH[3]} ]] || unit=1024
	case ${BASH_REMATCH[2]} in
	k | K) n=$((n * unit)) ;;
	M) n=$((n * unit * unit)) ;;
	G) n=$((n * unit * unit * unit)) ;;
	T) n=$((n * unit * unit * unit * unit)) ;;
	esac
	((n > 0)) || usage_error "$1 $2: more than 0 is wanted"
	printf '%s' "$n"
}

# job_path PATH: the path as every stage can open it. On Hadoop a path without a
# scheme lies on the cluster's default file system, as for Hadoop's own tools.
job_path() {
	case $1 in
	*://*) printf '%s' "$1" ;;
	/*) if [[ $job_engine == hadoop ]]; then printf 'hdfs://%s' "$1"; else printf '%s' "$1"; fi ;;
	*) if [[ $job_engine == hadoop ]]; then
		printf 'hdfs:///user/%s/%s' "${HADOOP_USER_NAME:-$(id -un)}" "$1"
	else
		printf '%s/%s' "$PWD" "$1"
	fi ;;
	esac
}

# --- the output folder --------------------------------------------------------

files() { "$job_bin/manage-files" "$@"; }

# job_build BINARY...: makes what is not there yet.
job_build() {
	local b
	for b in "$@"; do
		[[ -x $job_bin/$b ]] && continue
		say "building the programs"
		make -s -C "$job_root" >&2 || fail "the programs could not be built" "Go and make are needed"
		return
	done
}

# job_begin BINARY...: needs these programs; afterwards the output folder is this
# job's alone.
job_begin() {
	job_build manage-files run-streaming "$@"
	if [[ $job_engine == hadoop ]]; then
		command -v hadoop >/dev/null || fail "hadoop is not on the PATH" "on a machine without a cluster: scripts/hadoop.sh up; eval \"\$(scripts/hadoop.sh env)\""
		job_streaming_jar
	fi
	job_work=$job_output/_work
	job_started=$EPOCHREALTIME
	trap job_cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	local state=absent
	if files exists "$job_output"; then
		case $job_mode in
		new) fail "the output folder $job_output exists" "--force replaces it, --resume goes on with an interrupted job" 2 ;;
		force) files exists "$job_output/_job.json" || files exists "$job_output/_lock" || files exists "$job_work" ||
			fail "the output folder $job_output was not made by a job" "remove it by hand, or choose another" 2 ;;
		esac
		state=there
	elif (($? != 3)); then
		fail "the output folder $job_output cannot be looked at"
	fi
	job_lock
	if [[ $state == there && $job_mode == force ]]; then
		job_empty_output
	fi
	job_list_inputs
	if [[ $job_mode == resume ]] && files exists "$job_output/_SUCCESS"; then
		files remove "$job_work"
		say "nothing to resume: $job_output is complete"
		exit 0
	fi
}

# job_lock takes the folder's lock, also from a job of this machine that has died.
job_lock() {
	local me holder pid start
	me="$(uname -n):$$:$(job_process_start $$)"
	until printf '%s\n' "$me" | files create "$job_output/_lock"; do
		(($? == 3)) || fail "the output folder $job_output cannot be written"
		holder=$(files cat "$job_output/_lock" 2>/dev/null) || continue
		IFS=: read -r host pid start <<<"$holder"
		if [[ $host != "$(uname -n)" || $(job_process_start "$pid") == "$start" ]]; then
			fail "another job is at work in $job_output ($holder)" "if that job is gone, remove $job_output/_lock"
		fi
		files remove "$job_output/_lock"
	done
	job_locked=1
}

# job_process_start PID: when the process began, so that a reused number is not
# taken for the process of old; nothing for one that is gone.
job_process_start() {
	local stat
	if [[ -r /proc/$1/stat ]] && stat=$(<"/proc/$1/stat") 2>/dev/null; then
		# Field 22, counted behind the command's name, which may hold spaces.
		set -- ${stat##*) }
		printf '%s' "${20}"
	elif kill -0 "$1" 2>/dev/null; then
		printf running
	fi
}

job_empty_output() {
	local keep=$job_output/_lock
	# Moved aside within the folder first: a job that is killed here leaves no
	# result that looks complete.
	files remove "$job_output/_SUCCESS"
	case $job_output in
	*://*)
		files remove "$job_output" && printf '%s\n' "$(uname -n):$$:$(job_process_start $$)" | files create "$keep"
		;;
	*) find "$job_output" -mindepth 1 -maxdepth 1 ! -name _lock -exec rm -rf {} + ;;
	esac || fail "the output folder $job_output cannot be replaced"
}

# job_list_inputs finds the input files; their names, sizes and dates go into
# the fingerprints of the stages.
job_list_inputs() {
	job_input_files=$(files expand "${job_inputs[@]}") || exit 1
	[[ -n $job_input_files ]] || fail "no input: the folders are empty"
	cut -f1 <<<"$job_input_files" | files put "$job_work/inputs.txt" || exit 1
}

job_cleanup() {
	local status=$?
	trap - EXIT
	job_clear_progress
	if [[ -n ${job_engine_pid:-} ]]; then
		kill "$job_engine_pid" 2>/dev/null && wait "$job_engine_pid"
		[[ -z ${job_hadoop_id:-} ]] || mapred job -kill "$job_hadoop_id" >/dev/null 2>&1
	fi
	if [[ -n $job_locked ]]; then
		files remove "$job_output/_lock"
		if ((status != 0 && status != 3)) && [[ ${#job_stages[@]} -eq 0 ]]; then
			# Nothing is there that --resume could use.
			job_remove_unused
		fi
	fi
	exit "$status"
}

job_remove_unused() {
	if ! files exists "$job_output/_job.json" && [[ $job_mode == new ]]; then
		files remove "$job_output"
	fi
}

# --- stages -------------------------------------------------------------------

# job_stage NAME PROGRAMS [-D NAME=VALUE]... ARGUMENT...: runs one stage with the
# arguments of hadoop-streaming (without -files and -output); PROGRAMS are the
# binaries that it needs, separated by spaces. Its output is $job_work/NAME. A
# stage that an interrupted job has finished with the same input and options is
# not run again.
job_stage() {
	local name=$1 programs=$2
	shift 2
	local dir=$job_work/$name fingerprint marker seconds started=$EPOCHREALTIME
	job_stage_number=$((${#job_stages[@]} + 1))
	fingerprint=$(job_fingerprint "$name" "$programs" "$@")
	if [[ $job_mode == resume ]] && marker=$(files cat "$dir.done" 2>/dev/null) && [[ ${marker%%$'\n'*} == "$fingerprint" ]]; then
		say "stage $name is done already"
		job_counters+=$(grep "^$name"$'\t' <<<"$marker")$'\n'
		job_seconds+="$name"$'\t'"$(sed -n 2p <<<"$marker")"$'\n'
		job_stages+=("$name")
		job_last_fingerprint=$fingerprint
		return
	fi
	files remove "$dir.done"
	# A stage that was killed between its last file and its mark.
	! files exists "$dir/_SUCCESS" || files remove "$dir"
	job_engine_arguments "$name" "$programs" "$dir" "$@"
	if [[ $job_engine == hadoop ]]; then
		job_kill_leftover "$dir"
	fi
	job_stage_counters=
	job_run_engine "$name" "$dir" || fail "stage $name failed" "${job_engine_hint:-}"
	seconds=$(job_elapsed "$started")
	job_counters+=$job_stage_counters
	job_seconds+="$name"$'\t'"$seconds"$'\n'
	printf '%s\n%s\n%s' "$fingerprint" "$seconds" "$job_stage_counters" | files put "$dir.done" || fail "stage $name cannot be marked as done"
	job_stages+=("$name")
	job_last_fingerprint=$fingerprint
}

# job_fingerprint ARGUMENT...: of all that decides what a stage makes.
job_fingerprint() {
	local p
	{
		printf '%s\0' "${job_last_fingerprint:-}" "$job_engine" "$@" ${job_properties[@]+"${job_properties[@]}"}
		printf '%s\n' "$job_input_files"
		for p in $2; do
			[[ ! -e $job_bin/$p ]] || stat -c '%n %s %Y' "$job_bin/$p"
		done
	} | sha256sum | cut -d' ' -f1
}

# job_engine_arguments sets job_engine_command. The generic options have to come
# before all others, the user's behind the stage's own, so that they win.
job_engine_arguments() { # NAME PROGRAMS DIR ARGUMENT...
	local name=$1 p list= own=()
	local -r dir=$3 programs=$2
	shift 3
	while [[ ${1:-} == -D ]]; do
		own+=(-D "$2")
		shift 2
	done
	for p in $programs; do
		[[ ! -e $job_bin/$p ]] || list+=,$job_bin/$p
	done
	# A carriage return is part of a line, not its end.
	own=(-D "textinputformat.record.delimiter="$'\n' "${own[@]}")
	case $job_engine in
	local)
		job_engine_command=("$job_bin/run-streaming" -D "engine.driver.pid=$$")
		[[ $job_mode != resume ]] || own+=(-D engine.resume=true)
		;;
	hadoop)
		job_engine_command=(hadoop jar "$job_streaming_jar" -D "mapreduce.job.name=archivestream ${job_name%.sh} $name")
		# Version 2 of the committer leaves the files of a failed job's
		# finished tasks in the output folder.
		own+=(-D mapreduce.fileoutputcommitter.algorithm.version=1)
		;;
	esac
	job_engine_command+=("${own[@]}" ${job_properties[@]+"${job_properties[@]}"})
	[[ -z $list ]] || job_engine_command+=(-files "${list#,}")
	job_engine_command+=("$@" -output "$dir")
}

job_streaming_jar() {
	local j
	for j in "${HADOOP_STREAMING_JAR:-}" "${STREAMING_JAR:-}" "${HADOOP_HOME:-/nowhere}"/share/hadoop/tools/lib/hadoop-streaming*.jar /usr/lib/hadoop-mapreduce/hadoop-streaming*.jar; do
		[[ -f $j ]] || continue
		job_streaming_jar=$j
		return
	done
	fail "hadoop-streaming's jar is not found" "set HADOOP_STREAMING_JAR"
}

# job_kill_leftover DIR: ends the Hadoop job of a driver that was killed, which
# goes on without it, and removes what it has made.
job_kill_leftover() {
	local id
	if id=$(files cat "$1.job" 2>/dev/null) && [[ $id == job_* ]]; then
		mapred job -kill "$id" >/dev/null 2>&1
	fi
	files remove "$1" "$1.job"
}

# job_run_engine NAME DIR: runs job_engine_command, shows how far it is, collects
# its counters and, where it fails, prints what it said last.
job_run_engine() {
	local name=$1 dir=$2 line group= fd said=() status
	job_stage_started=$EPOCHREALTIME
	exec {fd}< <(exec "${job_engine_command[@]}" 2>&1)
	job_engine_pid=$!
	while IFS= read -r -u "$fd" line; do
		case $line in
		$'\t\t'*=*) job_stage_counters+="$name"$'\t'"$group"$'\t'"${line#$'\t\t'}"$'\n' ;;
		$'\t'*) group=${line#$'\t'} ;;
		*' map '*'% reduce '*'%'*) job_show_progress "$name" "${line##* map }" ;;
		*'Running job: job_'*)
			job_hadoop_id=${line##*Running job: }
			printf '%s' "$job_hadoop_id" | files put "$dir.job"
			;;
		*)
			said+=("$line")
			((${#said[@]} <= 20)) || said=("${said[@]:1}")
			;;
		esac
	done
	exec {fd}<&-
	wait "$job_engine_pid"
	status=$?
	job_engine_pid= job_hadoop_id=
	job_clear_progress
	job_stage_counters=$(sed 's/=\([^=]*\)$/\t\1/' <<<"$job_stage_counters")
	[[ -z $job_stage_counters ]] || job_stage_counters+=$'\n'
	if ((status)); then
		((${#said[@]} == 0)) || printf '%s\n' "${said[@]}" >&2
		return 1
	fi
	[[ $job_engine != hadoop ]] || files remove "$dir.job"
}

# job_counter STAGE NAME: the sum of a stage's counters of that name.
job_counter() {
	awk -F'\t' -v stage="$1" -v name="$2" '$1 == stage && $3 == name { n += $4 } END { printf "%d", n }' <<<"$job_counters"
}

# --- progress -----------------------------------------------------------------

# job_elapsed FROM: the seconds since an $EPOCHREALTIME.
job_elapsed() {
	local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
	printf '%d.%03d' $((us / 1000000)) $((us / 1000 % 1000))
}

# job_show_progress NAME 'M% reduce R%': one line that moves on a terminal, a
# plain line every ten seconds elsewhere.
job_show_progress() {
	[[ -z $job_quiet ]] || return 0
	local map=${2%%\%*} reduce=${2##* } done elapsed left=
	reduce=${reduce%\%*}
	[[ $map =~ ^[0-9]+$ && $reduce =~ ^[0-9]+$ ]] || return 0
	done=$(((map + reduce) / 2))
	elapsed=$(job_elapsed "$job_stage_started")
	elapsed=${elapsed%.*}
	if ((done > 0 && done < 100 && elapsed > 1)); then
		left=", about $((elapsed * (100 - done) / done)) s left"
	fi
	local text="stage $job_stage_number of $job_stages_expected: $1: map $map%, reduce $reduce%, $elapsed s$left"
	if [[ -t 2 ]]; then
		printf '\r%s: %s\e[K' "$job_name" "$text" >&2
		job_progress_shown=1
	elif ((elapsed >= ${job_progress_last:-0} + 10)); then
		printf '%s: %s\n' "$job_name" "$text" >&2
		job_progress_last=$elapsed
	fi
}

job_clear_progress() {
	[[ -z ${job_progress_shown:-} ]] || printf '\r\e[K' >&2
	job_progress_shown= job_progress_last=
}

# --- the end ------------------------------------------------------------------

# job_end RECORDS MADE: publishes the output of each stage named in job_publish, writes
# _rejects.tsv, _job.json and _SUCCESS and ends with the exit status. RECORDS is
# the number of records that a percentage in --max-rejects is of, MADE what the
# last line says was made.
job_end() {
	local records=$1 made=$2 stage status=0
	for stage in ${job_publish[@]+"${job_publish[@]}"}; do
		files publish "$job_work/$stage" "$job_output" || fail "the output of stage $stage cannot be published"
	done
	job_write_rejects
	if job_too_many_rejects "$records"; then
		status=3
	fi
	job_json "$status" | files put "$job_output/_job.json" || fail "_job.json cannot be written"
	files put "$job_output/_SUCCESS" </dev/null || fail "_SUCCESS cannot be written"
	files remove "$job_work"
	say "$made in $(job_elapsed "$job_started") s: $job_output"
	((job_rejects == 0)) || say "$job_rejects rejected, see $job_output/_rejects.tsv"
	((status == 0)) || printf '%s: error: more rejects than --max-rejects %s\n' "$job_name" "$job_max_rejects" >&2
	exit "$status"
}

job_write_rejects() {
	local stage
	for stage in "${job_stages[@]}"; do
		if files exists "$job_work/$stage/_rejects"; then
			files cat "$job_work/$stage/_rejects" || exit 1
		fi
	done | LC_ALL=C sort -S 32M | files put "$job_output/_rejects.tsv" || fail "_rejects.tsv cannot be written"
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
	local comma= word stage name value
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
	local stage group name value last_stage= last_group= end_stage= end_group=
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

# The stages of a job, on either engine, and what is seen of their progress.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

# --- stages -------------------------------------------------------------------

# Arguments of a stage: all of a line is its key.
key_only=(-D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext)

# job_stage NAME PROGRAMS [-D NAME=VALUE]... ARGUMENT...: runs one stage with the
# arguments of hadoop-streaming (without -files and -output); PROGRAMS are the
# binaries that it needs, separated by spaces. Its output is $job_work/NAME. A
# stage that an interrupted job has finished with the same input and options is
# not run again.
job_stage() {
	local name=$1 programs=$2
	shift 2
	local dir=$job_work/$name
	job_stage_begin "$name" "$@" || return 0
	if [[ $job_mode == resume ]]; then
		# A stage that was killed between its last file and its mark. The embedded
		# engine goes on where it was, Hadoop begins anew.
		if [[ $job_engine == hadoop ]] || files exists "$dir/_SUCCESS"; then
			files remove "$dir"
		fi
	fi
	job_engine_arguments "$name" "$programs" "$dir" "$@"
	job_run_engine "$name" || fail "stage $name failed" "${job_engine_hint:-}"
	job_stage_end "$name"
}

# job_stage_begin NAME ARGUMENT...: status 1 where an interrupted job has finished
# the stage with the same arguments.
job_stage_begin() {
	local name=$1 marker=
	job_stage_number=$((${#job_stages[@]} + 1))
	job_stage_began=$EPOCHREALTIME
	job_stage_counters=
	# All that decides what a stage makes; the stage before, or the job's begin,
	# stands for the inputs and the programs.
	printf -v job_fingerprint "%q " "$name" "$job_engine" "${@:2}" ${job_properties[@]+"${job_properties[@]}"}
	job_fingerprint="$job_last_fingerprint $job_fingerprint"
	[[ $job_mode == resume ]] || return 0
	if files exists "$job_work/$name.done"; then
		marker=$(files cat "$job_work/$name.done") || fail "the mark of stage $name cannot be read"
	fi
	if [[ ${marker%%$'\n'*} == "$job_fingerprint" && $marker == *$'\n'done ]]; then
		say "stage $name is done already"
		# Behind the fingerprint and the seconds.
		marker=${marker#*$'\n'}
		marker=${marker#*$'\n'}
		job_counters+=${marker%done}
		job_stages+=("$name")
		job_last_fingerprint=$job_fingerprint
		return 1
	fi
	if files exists "$job_work/publishing"; then
		fail "a part of what other options or inputs made is in $job_output already" "--force makes all of it anew"
	fi
	files remove "$job_work/$name.done"
}

# job_stage_end NAME: marks the stage as done. The last line says that the mark is
# whole; renaming it would take a process.
job_stage_end() {
	local name=$1 mark=$job_work/$1.done seconds text
	job_elapsed seconds "$job_stage_began"
	job_counters+=$job_stage_counters
	text=$job_fingerprint$'\n'$seconds$'\n'$job_stage_counters
	[[ $text == *$'\n' ]] || text+=$'\n'
	if [[ $mark == *://* ]]; then
		printf '%sdone\n' "$text" | files put "$mark"
	else
		printf '%sdone\n' "$text" >"$mark"
	fi || fail "stage $name cannot be marked as done"
	job_stages+=("$name")
	job_last_fingerprint=$job_fingerprint
}

# job_discard STAGE: removes the output of a stage that no later one needs, except
# what it has rejected. --resume does not do the stage again for that.
job_discard() {
	local found path
	files exists "$job_work/$1" || return 0
	found=$(files expand "$job_work/$1") || fail "the output of stage $1 cannot be listed"
	[[ -n $found ]] || return 0
	while IFS=$'\t' read -r path _; do
		printf '%s\n' "$path"
	done <<<"$found" | xargs -d '\n' "$job_bin/manage-files" remove || fail "the output of stage $1 cannot be removed"
}

# job_engine_arguments sets job_engine_command. The generic options have to come
# before all others, the user's behind the stage's own, so that they win.
job_engine_arguments() { # NAME PROGRAMS DIR ARGUMENT...
	local name=$1 p list='' own=() shipped=
	job_stage_reduces=1
	local -r dir=$3 programs=$2
	shift 3
	while [[ ${1:-} == -D ]]; do
		own+=(-D "$2")
		shift 2
	done
	for p in $programs; do
		[[ -e $job_bin/$p ]] || continue
		if job_is_shipped "$p"; then
			shipped=",$job_shipped#archivestream"
		else
			list+=,$job_bin/$p
		fi
	done
	list+=$shipped
	# A carriage return is part of a line, not its end.
	own=(-D "textinputformat.record.delimiter="$'\n' "${own[@]}")
	case $job_engine in
	local)
		# What is done stays for --resume, also when the stage fails or this
		# script is killed.
		job_engine_command=("$job_bin/run-streaming" -D "engine.driver.pid=$$" -D engine.resume=true)
		;;
	hadoop)
		# Java takes all names for ASCII without a locale, also in the tasks.
		job_engine_command=(env LC_ALL=C.UTF-8 hadoop jar "$job_streaming_jar" -D "mapreduce.job.name=archivestream ${job_name%.sh} $name")
		own+=(-D mapreduce.map.env.LC_ALL=C.UTF-8 -D mapreduce.reduce.env.LC_ALL=C.UTF-8)
		# A client that outlives this script could still submit its job after
		# --resume has looked for one.
		if setpriv --pdeathsig KILL true 2>/dev/null; then
			job_engine_command=(setpriv --pdeathsig KILL "${job_engine_command[@]}")
		fi
		own+=(-D "mapreduce.job.tags=$job_tag")
		# Version 2 of the committer leaves the files of a failed job's
		# finished tasks in the output folder.
		own+=(-D mapreduce.fileoutputcommitter.algorithm.version=1)
		;;
	esac
	job_engine_command+=("${own[@]}" ${job_properties[@]+"${job_properties[@]}"})
	[[ -z $list ]] || job_engine_command+=(-files "${list#,}")
	while (($#)); do
		case $1 in
		-input)
			job_set_pattern p "$2"
			job_engine_command+=(-input "$p")
			shift 2
			;;
		-mapper | -combiner | -reducer)
			# A file of the distributed cache has one name in a task's folder.
			p=
			! job_is_shipped "${2%% *}" || p='archivestream '
			job_engine_command+=("$1" "$p$2")
			shift 2
			;;
		*)
			[[ "$1 ${2-}" != '-numReduceTasks 0' ]] || job_stage_reduces=
			job_engine_command+=("$1")
			shift
			;;
		esac
	done
	job_engine_command+=(-output "$dir")
}

# job_is_shipped PROGRAM: whether the cluster has it as a part of bin/archivestream.
job_is_shipped() { [[ $job_engine == hadoop && $job_bin/$1 -ef $job_bin/archivestream ]]; }

# job_set_pattern VARIABLE PATH: the path as an argument of -input, which is a list of
# globs: of a file or folder that is called so what would make a glob is escaped. A comma
# cannot be.
job_set_pattern() {
	local _path=$2
	local -r _choice='\{.*,.*\}' # of a glob
	if [[ $_path == *,* && (-e $_path || ! $_path =~ $_choice) ]]; then
		fail "a comma is in the path $_path, which separates inputs" "rename it, or give the folder that the file is in"
	fi
	if [[ $_path == *[][*?{}\\]* && $_path != http?(s)://* ]] && files exists "$_path"; then
		_path=${_path//\\/\\\\}
		_path=${_path//\[/\\[} _path=${_path//\]/\\]} _path=${_path//\*/\\*} _path=${_path//\?/\\?} _path=${_path//\{/\\\{} _path=${_path//\}/\\\}}
	fi
	printf -v "$1" '%s' "$_path"
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

# job_kill_leftover ends the Hadoop jobs of a driver that was killed, which go on
# without it. They are known by a tag that is the output folder's.
job_kill_leftover() {
	local id left
	left=$(yarn application -list -appTags "$job_tag" -appStates NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING 2>/dev/null) ||
		fail "what an interrupted job may have left running on the cluster cannot be listed"
	while read -r id _; do
		[[ ! $id =~ ^application_[0-9_]+$ ]] || mapred job -kill "job_${id#application_}" </dev/null >/dev/null 2>&1
	done <<<"$left"
}

# job_run_engine NAME: runs job_engine_command, shows how far it is, collects its
# counters and, where it fails, prints what it said last.
job_run_engine() {
	local name=$1 line group='' fd status
	job_said=()
	job_stage_started=$EPOCHREALTIME
	exec {fd}< <(exec "${job_engine_command[@]}" 2>&1)
	job_engine_pid=$!
	while IFS= read -r -u "$fd" line; do
		case $line in
		$'\t\t'*=*)
			line=${line#$'\t\t'}
			job_add_counter "$name" "$group" "${line%=*}" "${line##*=}" || job_keep_said "$line"
			;;
		$'\t'*)
			group=${line#$'\t'}
			group=${group% } # the names of some of Hadoop's groups end in a space
			;;
		*' map '*'% reduce '*'%'*) job_show_progress "$name" "${line##* map }" ;;
		*'Running job: job_'*)
			line=${line##*Running job: }
			[[ ! $line =~ ^job_[0-9]+_[0-9]+$ ]] || job_hadoop_id=$line
			;;
		*) job_keep_said "$line" ;;
		esac
	done
	exec {fd}<&-
	wait "$job_engine_pid"
	status=$?
	job_engine_pid=''
	job_hadoop_id=''
	job_clear_progress
	# The signal that stopped the engine was meant for this script too, which may
	# not have seen it yet.
	case $status in
	129 | 130 | 143) exit "$status" ;;
	esac
	if ((status)); then
		((${#job_said[@]} == 0)) || printf '%s\n' "${job_said[@]}" >&2
		return 1
	fi
}

# job_keep_said LINE: keeps the last lines of what a stage says, for when it fails.
job_keep_said() {
	job_said+=("$1")
	((${#job_said[@]} <= 20)) || job_said=("${job_said[@]:1}")
}

# job_is_count VALUE: whether it is a number that the shell can count with.
job_is_count() {
	local -r digits=${1#-} most=9223372036854775807
	# shellcheck disable=SC2071 # of equal length, strings compare as numbers
	[[ $digits =~ ^(0|[1-9][0-9]{0,18})$ ]] && { ((${#digits} < 19)) || [[ ! $digits > $most ]]; }
}

# job_add_counter STAGE GROUP NAME VALUE: takes note of what a stage has counted. What
# it is told may come from outside: status 1 where it is no counter. A value that is no
# number would be code where it is added up.
job_add_counter() {
	job_is_count "$4" && [[ -n $2 && -n $3 && $2$3 != *$'\t'* ]] || return 1
	job_stage_counters+=$1$'\t'$2$'\t'$3$'\t'$4$'\n'
}

# job_counter STAGE NAME: the sum of a stage's counters of that name.
job_counter() {
	local counter
	job_set_counter counter "$@"
	printf '%d' "$counter"
}

# job_set_counter VARIABLE STAGE NAME [PROGRAM]: job_counter into a variable, of one of
# the stage's programs where both count something of that name. What is no number is
# not added: a mark in a work folder can be anybody's.
job_set_counter() {
	local stage group name value sum=0
	while IFS=$'\t' read -r stage group name value; do
		if [[ $stage == "$2" && $name == "$3" && $group == "${4:-$group}" ]] && job_is_count "$value"; then
			sum=$((sum + value))
		fi
	done <<<"$job_counters"
	printf -v "$1" '%d' "$sum"
}

# --- progress -----------------------------------------------------------------

# job_elapsed VARIABLE FROM: sets the variable to the seconds since an
# $EPOCHREALTIME.
job_elapsed() {
	local us=$((${EPOCHREALTIME/[.,]/} - ${2/[.,]/}))
	printf -v "$1" '%d.%03d' $((us / 1000000)) $((us / 1000 % 1000))
}

# job_show_progress NAME 'M% reduce R%': one line that moves on a terminal, a
# plain line every ten seconds elsewhere.
job_show_progress() {
	[[ -z $job_quiet ]] || return 0
	local map=${2%%\%*} reduce=${2##* } percent elapsed left='' of
	reduce=${reduce%\%*}
	[[ $map =~ ^[0-9]{1,3}$ && $reduce =~ ^[0-9]{1,3}$ ]] || return 0
	percent=$((10#$map)) of="map $map%"
	if [[ $job_stage_reduces ]]; then
		percent=$(((10#$map + 10#$reduce) / 2)) of+=", reduce $reduce%"
	fi
	job_elapsed elapsed "$job_stage_started"
	elapsed=${elapsed%.*}
	if ((percent > 0 && percent < 100 && elapsed > 1)); then
		left=", about $((elapsed * (100 - percent) / percent)) s left"
	fi
	local text="stage $job_stage_number${job_stages_expected:+ of $job_stages_expected}: $1: $of, $elapsed s$left"
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
	job_progress_shown=''
	job_progress_last=''
}

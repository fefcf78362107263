# What all jobs share: options, the output folder and its lock, stages on either
# engine, progress, rejects, _job.json and the exit status. A job script sources
# this file, declares itself and calls the functions below in this order:
#
#   job_options "$@"            parse the options; the job's own go to job_option
#   job_begin                   check, lock and prepare the output folder
#   job_stage NAME ARGUMENT...  run one stage (arguments of hadoop-streaming)
#   job_end USED RECORDS MADE         publish the output and write the rest
#
# A script may define: job_option NAME VALUE (returns 2 for an unknown option, 1
# for an option without a value), and job_input_option, the name of the option
# that gives the inputs (--input unless set), job_takes, what these must be (a role of
# lib/jobfiles/gather.go: archives unless set), and job_check_first, which is called
# before the options that all jobs share are checked. The functions set job_engine, job_output,
# job_work, job_inputs, job_maps and job_reducers.
#
# The stages themselves are in stages.bash, the end of a job in ending.bash.
#
# shellcheck shell=bash disable=SC2034

set -uo pipefail

# A subshell costs as much as a small program: what can do without does.
case ${BASH_SOURCE[0]%/*} in
/*) job_root=${BASH_SOURCE[0]%/*}/.. ;;
*) job_root=$PWD/${BASH_SOURCE[0]%/*}/.. ;;
esac
job_root=${job_root%/jobs/..}
readonly job_root job_name="${0##*/}" job_bin=$job_root/bin

job_input_option=${job_input_option:---input}
job_takes=${job_takes:-archives}
job_engine=local
job_output=
job_maps=
job_reducers=
job_max_rejects=
job_keep_rejects=
job_quiet=
job_mode=new # or resume, force
job_inputs=()
job_kinds=()   # what inputs of other options must be: ROLE TAB OPTION TAB PATH
job_also=()    # the same of what is no input, but looked at too
job_reads=()   # what else the job reads
job_earlier=() # results of earlier jobs that it adds to
job_only=()    # names in the output, of which those beside them are not the job's
job_properties=()
job_command=("$0" "$@")
job_stages=()        # names of the finished stages, in order
job_counters=        # lines STAGE TAB GROUP TAB NAME TAB VALUE
job_stages_expected= # how many stages there will be, where that is known
job_publish=()       # stages whose output is the job's
declare -A job_found=()
job_locked=
job_temporary=() # files that go when the job ends

# shellcheck source=jobs/stages.bash
. "${BASH_SOURCE[0]%/*}/stages.bash"
# shellcheck source=jobs/ending.bash
. "${BASH_SOURCE[0]%/*}/ending.bash"

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
	local installed=()
	# Where it is installed, the suite's program starts the jobs and stages.
	[[ -e $job_root/Makefile ]] || installed=(-e 's#\bjobs/\([a-z][a-z-]*\)\.sh#archivestream \1#g;s#\bbin/\([a-z]\)#archivestream \1#g')
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0" | sed "${installed[@]}" -e ''
}

job_options() {
	local name value
	while (($#)); do
		case $1 in
		--help | -h)
			job_help
			exit
			;;
		--version)
			job_build manage-files
			value=$("$job_bin/manage-files" version) || exit 1
			printf '%s %s\n' "$job_name" "$value"
			exit 0
			;;
		--resume) job_set_mode resume ;;
		--force) job_set_mode force ;;
		--quiet) job_quiet=1 ;;
		"$job_input_option")
			shift
			if ! (($#)) || [[ $1 == --* ]]; then
				usage_error "$job_input_option needs a path"
			fi
			while (($#)) && [[ $1 != -* ]]; do
				job_inputs+=("$1")
				shift
			done
			continue
			;;
		-D)
			if (($# < 2)) || [[ $2 != *=* ]]; then
				usage_error "-D needs NAME=VALUE"
			fi
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
			--keep-rejects) job_keep_rejects=$value ;;
			*)
				job_option "$name" "$value"
				case $? in
				0) ;;
				1)
					shift
					continue
					;;
				*) usage_error "unknown option $name$(job_help | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p' | job_nearest "$name")" ;;
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
	! declare -F job_check_first >/dev/null || job_check_first
	job_check_options
}

# job_nearest WORD: asks whether the line of the input was meant that takes the fewest
# changes to become the word, of up to a third of it.
job_nearest() {
	LC_ALL=C awk -v word="$1" '
		function distance(a, b,   i, j, row, corner, change) {
			for (j = 0; j <= length(b); j++) row[j] = j
			for (i = 1; i <= length(a); i++) {
				corner = row[0]
				row[0] = i
				for (j = 1; j <= length(b); j++) {
					change = corner + (substr(a, i, 1) != substr(b, j, 1))
					corner = row[j]
					if (row[j] + 1 < change) change = row[j] + 1
					if (row[j - 1] + 1 < change) change = row[j - 1] + 1
					row[j] = change
				}
			}
			return row[length(b)]
		}
		BEGIN { least = int(length(word) / 3) + 1 }
		{ if ((d = distance(word, $0)) < least) { least = d; best = $0 } }
		END { if (best != "") printf ": did you mean %s?", best }'
}

job_set_mode() {
	[[ $job_mode == new || $job_mode == "$1" ]] || usage_error "--resume and --force exclude each other"
	job_mode=$1
}

job_check_options() {
	((${#job_inputs[@]})) || usage_error "$job_input_option is missing"
	[[ -n $job_output ]] || usage_error "--output is missing"
	case $job_engine in
	local | hadoop) ;;
	*) usage_error "--engine $job_engine: local or hadoop is wanted" ;;
	esac
	job_check_number --maps "$job_maps"
	job_check_number --reducers "$job_reducers"
	[[ $job_max_rejects =~ ^([0-9]+%?)?$ ]] || usage_error "--max-rejects $job_max_rejects: a number or a number with % is wanted"
	if [[ -n $job_keep_rejects ]]; then
		[[ $job_keep_rejects =~ ^[0-9]{1,9}$ ]] || usage_error "--keep-rejects $job_keep_rejects: expected a number of rejects"
		job_properties+=(-D "stage.keep-rejects=$job_keep_rejects")
		export stage_keep_rejects=$job_keep_rejects # of the programs in pipes
	fi
	# Stages read each other's output by globs.
	local -r odd='[][,*?{}\\[:cntrl:]]'
	[[ ! $job_output =~ $odd ]] || usage_error "--output $(printf '%q' "$job_output"): expected a path without a comma, a tab, a line end or one of * ? [ ] { } \\"
	job_output=${job_output#file://}
	if [[ $job_engine == local && $job_output == *://* ]]; then
		usage_error "--output $job_output: the embedded engine writes to this machine's disks only" "give a folder, or --engine hadoop"
	fi
	local i
	while [[ $job_output == ?*/ && $job_output != *://*([^/])/ ]]; do job_output=${job_output%/}; done
	job_set_path job_output "$job_output"
	for i in "${!job_inputs[@]}"; do
		job_set_path "job_inputs[i]" "${job_inputs[i]}"
	done
}

job_check_number() { # OPTION VALUE
	[[ -z $2 || $2 =~ ^[1-9][0-9]{0,6}$ ]] || usage_error "$1 $2: a number from 1 is wanted"
}

# one_of OPTION VALUE ALLOWED...
one_of() {
	local option=$1 value=$2 allowed
	shift 2
	for allowed in "$@"; do
		[[ $value != "$allowed" ]] || return 0
	done
	usage_error "$option $value: one of $* is wanted"
}

# job_bytes OPTION SIZE: the number of bytes that a size such as 100MB or 64MiB means.
job_bytes() {
	local bytes
	job_set_bytes bytes "$@"
	printf '%s' "$bytes"
}

# job_set_bytes VARIABLE OPTION SIZE: job_bytes into a variable.
job_set_bytes() {
	local -r variable=$1
	shift
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
	printf -v "$variable" '%s' "$n"
}

# job_set_path VARIABLE PATH: sets it to the path as every stage can open it. On Hadoop a
# path without a scheme lies on the cluster's default file system, as for Hadoop's own
# tools.
job_set_path() {
	case $2 in
	*://*) printf -v "$1" '%s' "$2" ;;
	/*) if [[ $job_engine == hadoop ]]; then printf -v "$1" 'hdfs://%s' "$2"; else printf -v "$1" '%s' "$2"; fi ;;
	*) if [[ $job_engine == hadoop ]]; then
		if [[ -z ${HADOOP_USER_NAME:-} ]]; then
			HADOOP_USER_NAME=$(id -un) || fail "the name of the user is not known" "set HADOOP_USER_NAME"
		fi
		printf -v "$1" 'hdfs:///user/%s/%s' "$HADOOP_USER_NAME" "$2"
	else
		printf -v "$1" '%s/%s' "$PWD" "$2"
	fi ;;
	esac
}

# job_set_line_count VARIABLE TEXT: the number of lines, of which there is one at least.
job_set_line_count() {
	local -a _each
	mapfile -t _each <<<"$2"
	printf -v "$1" '%d' "${#_each[@]}"
}

# job_index_archives FILE NAME=VALUE...: makes the path index FILE of a path index, of
# folders and globs and of a list of archive files: see manage-files --help. Two archive
# files of one name end the job.
job_index_archives() {
	"$job_bin/manage-files" archives "$job_output" "job=$job_name" "to=$1" "${@:2}" \
		"hint=rename one, or use each folder in a job of its own" || exit 1
}

# --- the output folder --------------------------------------------------------

# files COMMAND PATH...: bin/manage-files. What the shell can do itself on this
# machine's disks does not start a program. Its status counts, of a pipe's part too:
# what reads writes "|| fail" behind it. Only exists answers by its status, and so it
# ends the (sub)shell where there is no answer; so does remove.
files() {
	local status
	if [[ "${*:2}" != *://* ]]; then
		case $1 in
		exists)
			[[ -e $2 ]] || return 3
			return
			;;
		matches)
			compgen -G "$2" >/dev/null || return 3
			return
			;;
		remove)
			rm -rf -- "${@:2}" || fail "$2 cannot be removed"
			return
			;;
		rename)
			mv -fT -- "$2" "$3"
			return
			;;
		esac
	fi
	"$job_bin/manage-files" "$@"
	status=$?
	case $1/$status in
	*/0 | exists/3 | matches/3) ;;
	exists/* | matches/*) fail "it is not known whether $2 is there" ;;
	remove/*) fail "$2 cannot be removed" ;;
	esac
	return "$status"
}

# job_hush COMMAND...: what the command says is shown if it fails, without lines of the
# streaming protocol.
job_hush() {
	local said line status
	said=$("$@" 2>&1 >/dev/null) && return
	status=$?
	while IFS= read -r line; do
		[[ -z $line || $line == reporter:* ]] || printf '%s\n' "$line" >&2
	done <<<"$said"
	return "$status"
}

# job_build BINARY...: makes what is not there yet.
job_build() {
	local b
	for b in "$@"; do
		[[ -x $job_bin/$b ]] && continue
		[[ -e $job_root/Makefile ]] || fail "$job_bin/$b is missing" "install archivestream again"
		if ! command -v go >/dev/null || ! command -v make >/dev/null; then
			fail "the programs are not built yet, for which Go and make are needed" "on Debian: apt-get install golang make; or install the package archivestream, which has them"
		fi
		say "building the programs"
		make -s -C "$job_root" >&2 || fail "the programs could not be built"
		return
	done
}

# job_begin BINARY...: needs these programs; afterwards the output folder is this
# job's alone, and job_input_files lists the input files: PATH TAB SIZE TAB DATE. An
# earlier output stays as it is until the end; nothing that the job reads may lie in it,
# but for the results in job_earlier. All inputs are what they must be; job_inputs has
# them without what was left out of folders, and with files in the place of pipes.
job_begin() {
	job_build manage-files run-streaming "$@"
	job_started=$EPOCHREALTIME
	# By this the one that resumes a killed job finds what it has left running.
	export ARCHIVESTREAM_DRIVER=$$
	if [[ $job_engine == hadoop ]]; then
		command -v hadoop >/dev/null || fail "hadoop is not on the PATH" "on a machine without a cluster: scripts/hadoop.sh up; eval \"\$(scripts/hadoop.sh env)\""
		job_streaming_jar
		job_tag=$(printf '%s' "$job_output" | sha256sum) || fail "sha256sum failed"
		job_tag=archivestream-${job_tag:0:32}
	fi
	trap job_cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	local holder=("job=$job_name" "mode=$job_mode" "pid=$$") answer status
	job_locked=1
	if [[ $job_engine == hadoop && $job_mode != new ]]; then
		"$job_bin/manage-files" lock "$job_output" "${holder[@]}" || job_refuse $?
		job_kill_leftover
	fi
	job_ask answer "$job_bin/manage-files" begin "$job_output" "${holder[@]}" "engine=$job_engine" "option=$job_input_option" "takes=$job_takes" \
		"${@/#/program=$job_bin/}" "${job_inputs[@]/#/input=}" ${job_kinds[@]+"${job_kinds[@]/#/kind=}"} ${job_also[@]+"${job_also[@]/#/also=}"} \
		${job_reads[@]+"${job_reads[@]/#/reads=}"} ${job_earlier[@]+"${job_earlier[@]/#/earlier=}"} ${job_only[@]+"${job_only[@]/#/only=}"}
	status=$?
	if ((status == 3)); then
		say "nothing to resume: $job_output is complete"
		job_refuse 0
	fi
	((status == 0)) || job_refuse $status
	job_last_fingerprint=${answer%%$'\n'*}
	answer=${answer#*$'\n'}
	job_work=${answer%%$'\n'*}/_work
	answer=${answer#*$'\n'}
	job_input_files=${answer#*$'\n\n'}
	job_take_inputs "${answer%%$'\n\n'*}"
	[[ $job_engine == local ]] || job_ship
}

# job_ship puts the programs onto the cluster, which takes them from there for each
# stage: once for a version.
job_ship() {
	local folder
	[[ -x $job_bin/archivestream ]] || return 0 # they are programs of their own
	job_set_path folder .archivestream
	job_ask job_shipped "$job_bin/manage-files" ship "$job_bin/archivestream" "$folder" ||
		fail "the programs cannot be put into $folder"
}

# job_take_inputs LINES: takes over what manage-files says of the inputs. job_inputs gets
# the paths that are to be read, job_options_of the option that each is of; job_found
# has the files in the place of other pipes and folders.
job_take_inputs() {
	local word rest path
	job_inputs=() job_options_of=()
	while read -r word rest; do
		case $word in
		input)
			job_options_of+=("${rest%%$'\t'*}")
			job_inputs+=("${rest#*$'\t'}")
			;;
		also)
			path=${rest%%$'\t'*}
			job_found[$path]+=${job_found[$path]:+$'\n'}${rest#*$'\t'}
			;;
		say) say "$rest" ;;
		esac
	done <<<"$1"
}

# job_inputs_of OPTION: sets job_of to the inputs of an option.
job_inputs_of() {
	local i
	job_of=()
	for i in "${!job_inputs[@]}"; do
		[[ ${job_options_of[i]} != "$1" ]] || job_of+=("${job_inputs[i]}")
	done
}

# job_set_found VARIABLE: puts the file into the place of the pipe that the variable
# names; of the folder of an index its files, a line each.
job_set_found() {
	[[ -z ${!1} ]] || printf -v "$1" '%s' "${job_found[${!1}]-${!1}}"
}

# job_ask VARIABLE COMMAND...: what a command prints, and its status. A signal ends the
# job while the command still runs, as it does not with a command substitution.
job_ask() {
	local _fd _status
	exec {_fd}< <(exec "${@:2}")
	job_engine_pid=$!
	IFS= read -r -d '' -u "$_fd" "$1"
	exec {_fd}<&-
	wait "$job_engine_pid"
	_status=$?
	job_engine_pid=''
	printf -v "$1" '%s' "${!1%$'\n'}"
	return $_status
}

# job_refuse STATUS: ends a job that has no output folder to give free.
job_refuse() {
	job_locked=
	exit "$1"
}

job_cleanup() {
	local status=$?
	trap - EXIT
	((${#job_temporary[@]} == 0)) || rm -f -- "${job_temporary[@]}"
	job_clear_progress
	if [[ -n ${job_engine_pid:-} ]]; then
		kill "$job_engine_pid" 2>/dev/null && wait "$job_engine_pid"
		if [[ -n ${job_hadoop_id:-} ]]; then
			mapred job -kill "$job_hadoop_id" >/dev/null 2>&1
		elif [[ $job_engine == hadoop ]]; then
			(job_kill_leftover)
		fi
	fi
	if [[ -n $job_locked ]]; then
		local unused=
		((${#job_stages[@]})) || unused=1
		"$job_bin/manage-files" release "$job_output" "mode=$job_mode" "pid=$$" "unused=$unused"
	fi
	case $status in
	129) job_say_stopped SIGHUP ;;
	130) job_say_stopped SIGINT ;;
	143) job_say_stopped SIGTERM ;;
	esac
	exit "$status"
}

# job_say_stopped SIGNAL: the last line of a job that a signal ends.
job_say_stopped() {
	local rest=
	trap '' PIPE # who reads it may have been stopped too
	if [[ -n $job_locked && -n ${job_work-} ]] && "$job_bin/manage-files" exists "$job_work" 2>/dev/null; then
		rest=', --resume goes on'
	fi
	printf '%s: stopped by %s%s\n' "$job_name" "$1" "$rest" >&2
}

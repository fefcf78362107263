# Stages that are so small that starting an engine would cost more than they do: a
# pipe of programs on this machine, which makes what the engine's stages make.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

# job_pipe NAME FUNCTION ARGUMENT...: runs a stage as FUNCTION, whose programs put
# what they make below $job_work/NAME and their rejects into _rejects there. Like
# that of job_stage, it is not run again where an interrupted job has finished it.
job_pipe() {
	local name=$1 fd line rest status
	shift
	job_said=()
	job_stage_begin "$name" "$@" || return 0
	[[ $job_mode != resume ]] || files remove "$job_work/$name"
	exec {fd}< <("$@" 2>&1 >/dev/null)
	job_engine_pid=$!
	while IFS= read -r -u "$fd" line; do
		case $line in
		reporter:counter:*,*,*)
			rest=${line#reporter:counter:}
			rest=${rest#*,}
			line=${line#reporter:counter:}
			job_add_counter "$name" "${line%%,*}" "${rest%,*}" "${rest##*,}" || job_keep_said "reporter:counter:$line"
			;;
		reporter:status:*) ;;
		*) job_keep_said "$line" ;;
		esac
	done
	exec {fd}<&-
	wait "$job_engine_pid"
	status=$?
	job_engine_pid=''
	if ((status)); then
		((${#job_said[@]} == 0)) || printf '%s\n' "${job_said[@]}" >&2
		fail "stage $name failed"
	fi
	job_stage_end "$name"
}

# job_sort_into FILE: standard input, sorted by bytes. The end of a pipe: its shell
# becomes the program.
job_sort_into() {
	if [[ $1 == *://* ]]; then
		LC_ALL=C sort -S 64M | files put "$1"
	else
		LC_ALL=C exec sort -S 64M -o "$1"
	fi
}

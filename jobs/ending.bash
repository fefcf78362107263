# The end of a job: its output published, _rejects.tsv, _job.json, exit status.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

# job_end USED RECORDS MADE: fails where USED, the number of things in the input that
# the job could use, is 0 and something was rejected, and says $job_looked then; publishes the output of each stage named in job_publish, of
# STAGE/FOLDER that folder, of STAGE=FOLDER the output as a folder; writes
# _rejects.tsv, _job.json and _SUCCESS and ends with the exit status. RECORDS is the number of records that a percentage in
# --max-rejects is of, MADE what the last line says was made.
job_end() {
	local answer status rejects warnings seconds
	local -a words=("job=$job_name" "engine=$job_engine" "mode=$job_mode" "pid=$$" "started=$job_started"
		"used=$1" "records=$2" "keep-rejects=$job_keep_rejects" "max-rejects=$job_max_rejects" "${job_stages[@]/#/stage=}" "${job_command[@]/#/command=}")
	[[ -z ${job_looked-} ]] || words+=("looked=$job_looked")
	((${#job_publish[@]} == 0)) || words+=("${job_publish[@]/#/publish=}")
	answer=$("$job_bin/manage-files" end "$job_output" "${words[@]}") || exit 1
	job_locked=
	read -r status rejects warnings <<<"$answer"
	job_elapsed seconds "$job_started"
	say "$3 in $seconds s: $job_output"
	((rejects == 0)) || say "$rejects rejected, see $job_output/_rejects.tsv"
	((warnings == 0)) || say "$warnings warnings of damage by which nothing is lost, see $job_output/_rejects.tsv"
	((status == 0)) || printf '%s: error: more rejects than --max-rejects %s\n' "$job_name" "$job_max_rejects" >&2
	exit "$status"
}

# job_put NAME: standard input into a file of the output, which is published with the
# rest.
job_put() {
	files put "$job_work/put/$1" || fail "$1 cannot be written"
}

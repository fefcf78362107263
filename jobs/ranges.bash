# What jobs share that sort lines of an index in ranges of keys, each of them one task,
# and make a ZipNum cluster of them.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

# job_set_lines VARIABLE FILES: about how many lines of an index the files have, which
# are lines PATH TAB SIZE as of `files expand`.
job_set_lines() {
	local path size sum=0
	while IFS=$'\t' read -r path size _; do
		# Compressed lines take about a fifth of 300 bytes.
		[[ $path != *.gz ]] || size=$((size * 5))
		((sum += size / 300)) || :
	done <<<"$2"
	printf -v "$1" '%d' "$sum"
}

# job_cut_ranges RANGES LINES ARGUMENT...: a stage that cuts the inputs, of about so many
# lines, into ranges by a sample. It sets job_ranges to the file of what they begin with,
# to nothing for a single range.
job_cut_ranges() {
	local ranges=$1 lines=$2
	shift 2
	job_ranges=
	((ranges > 1)) || return 0
	job_stage ranges "sample-keys cut-ranges" "${key_only[@]}" -D stream.reduce.output=keyonlytext "$@" \
		-mapper "sample-keys --ranges $ranges --lines $lines" -reducer "cut-ranges --ranges $ranges" -numReduceTasks 1
	job_ranges=$job_work/ranges/part-00000
}

# shellcheck disable=SC2317 # job_hush calls it
job_number() { files cat "$1/_cluster" | "$job_bin/number-blocks" --output "$1/_numbered"; }

# job_number_blocks STAGE: makes one cluster of the ranges that the stage has sorted. A
# job that was killed while it published has done so.
job_number_blocks() {
	local dir=$job_work/$1
	! files exists "$job_work/publishing" || return 0
	files exists "$dir/_cluster" || return 0
	# Beside the shards, where a kill leaves nothing half written.
	files remove "$dir/_numbered"
	if ! job_hush job_number "$dir" || ! files publish "$dir/_numbered" "$dir/zipnum"; then
		fail "cluster.idx cannot be written"
	fi
}

# The components of a graph, for jobs that need them.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

components_programs=(union-edges span-forest link-stars key-vertices spread-labels keep-labels meet-labels pass-labels check-labels)
components_rounds=0  # that were needed
components_reducers= # tasks of a stage (default: --reducers, or 4)

# components_find LIMIT ROUNDS EDGES VERTICES: finds the components of the graph
# whose edges are in the array EDGES and which has the vertices in the array
# VERTICES too, both arrays of paths. Edges of up to LIMIT bytes are read by one
# task; more in up to ROUNDS rounds. Lines ID TAB LABEL are in the output of stage
# components_stage then.
components_find() {
	local -n _edges=$3 _vertices=$4
	local path size total=0 found n
	found=$(files expand "${_edges[@]}") || exit 1
	while IFS=$'\t' read -r path size _; do
		# Compressed lines take about a fifth.
		[[ $path != *.gz ]] || size=$((size * 5))
		((total += size))
	done <<<"$found"
	if ((total <= $1)); then
		cut -f1 <<<"$found" | files put "$job_work/edge-files.txt" || exit 1
		job_set_line_count n "$found"
		components_in_one_task "$n"
	else
		components_in_rounds "$2"
	fi
}

components_in_one_task() { # FILES
	local vertex_files=
	if ((${#_vertices[@]})); then
		vertex_files=$job_work/vertex-files.txt
		found=$(files expand "${_vertices[@]}") || exit 1
		cut -f1 <<<"$found" | files put "$vertex_files" || exit 1
	fi
	components_stage=components
	job_stage components union-edges -D stream.map.input.ignoreKey=true -D stream.map.output=keyonlytext \
		-D "mapreduce.input.lineinputformat.linespermap=$1" -D "stage.vertex-files=$vertex_files" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/edge-files.txt" \
		-mapper "union-edges --files" -numReduceTasks 0
}

# All of a line is its key, the reducer that of the first field. The second one
# sorts downwards: a vertex's greatest neighbour comes first.
components_downwards=(
	-D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext
	-D "mapreduce.partition.keypartitioner.options=-k1,1"
	-D mapreduce.job.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator
	-D "mapreduce.partition.keycomparator.options=-k1,1 -k2,2r"
)
components_upwards=(
	-D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext
	-D "mapreduce.partition.keypartitioner.options=-k1,1"
)

# components_job NAME PROGRAMS [-D NAME=VALUE]... ARGUMENT...: a stage of as many
# tasks as are wanted, its lines dealt out by their first field.
components_job() {
	local name=$1 programs=$2 maps=()
	shift 2
	[[ -z $job_maps ]] || maps=(-D "mapreduce.job.maps=$job_maps")
	job_stage "$name" "$programs" ${maps[@]+"${maps[@]}"} "$@" -numReduceTasks "${components_reducers:-${job_reducers:-4}}" \
		-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
}

components_in_rounds() { # ROUNDS
	local star=large i name last='' keys='' inputs=() labels=()
	for i in "${_edges[@]}"; do
		inputs+=(-input "$i")
	done
	while :; do
		((++components_rounds <= $1)) || fail "the components are not found after $1 rounds" "--rounds N allows more"
		name=round-$components_rounds
		job_stages_expected=
		components_job "$name" "span-forest link-stars" "${components_downwards[@]}" "${inputs[@]}" \
			-mapper "span-forest --star $star$keys${components_held:+ --vertices $components_held}" -reducer "link-stars --star $star"
		[[ -z $last ]] || job_discard "$last"
		say "round $components_rounds: $(job_counter "$name" left) edges left, $(job_counter "$name" unfinished) vertices unfinished"
		[[ $star == small || $(job_counter "$name" unfinished) != 0 ]] || break
		if [[ $star == large ]]; then star=small; else star=large; fi
		last=$name keys=' --keys' inputs=(-input "$job_work/$name/part-*")
	done
	labels=(-input "$job_work/$name/part-*")
	if ((${#_vertices[@]})); then
		components_loops
		labels+=(-input "$job_work/vertices/part-*")
	fi
	components_job labels "spread-labels keep-labels" "${components_downwards[@]}" "${labels[@]}" -mapper spread-labels -reducer keep-labels
	job_discard "$name"
	components_check
}

components_loops() {
	local i inputs=()
	for i in "${_vertices[@]}"; do
		inputs+=(-input "$i")
	done
	job_stage vertices key-vertices -D stream.map.output=keyonlytext "${inputs[@]}" -mapper key-vertices -numReduceTasks 0
}

# components_check holds the labels against every edge as it was given.
components_check() {
	local i inputs=(-input "$job_work/labels/part-*")
	for i in "${_edges[@]}"; do
		inputs+=(-input "$i")
	done
	components_job check "meet-labels pass-labels" "${components_upwards[@]}" "${inputs[@]}" -mapper meet-labels -reducer pass-labels
	job_discard labels
	components_stage=components
	components_job components check-labels "${components_upwards[@]}" -input "$job_work/check/part-*" -mapper cat -reducer check-labels
	job_discard check
	(($(job_counter components checked) == $(job_counter round-1 edges))) ||
		fail "$(job_counter components checked) of $(job_counter round-1 edges) edges were checked"
}

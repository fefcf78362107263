# A smallest cover of the documents of a coverage graph, for jobs that have the
# documents and the edges. components.bash is needed too.
#
# The variables are those of common.bash.
# shellcheck shell=bash disable=SC2154,SC2034

cover_programs=("${components_programs[@]}" weigh-documents count-versions meet-documents join-components solve-components top-up-cover report-cover)

# What a job can set.
cover_weight=      # expression: what it costs to keep a document
cover_keep_per=    # ATTRIBUTE=N,...: so many documents of each value are kept
cover_exact_limit= # candidates of a part whose optimum is searched for
cover_held_edges=  # of a component in memory
cover_one_task=1000000000
cover_earlier= # output folder of an earlier job, to whose documents some were added
cover_solved=  # stage whose output is the result

# cover_find DOCUMENTS EDGES: finds a cover of the documents in the array DOCUMENTS,
# whose edges are in the array EDGES, both arrays of paths. The lines of documents are
# ID TAB JSON, each id once. The result is in the output of stage $cover_solved:
# cover, covered, components; _state is in that of stage solve.
cover_find() {
	local -n _documents=$1
	local i none=() inputs=() lines=()
	for i in "${_documents[@]}"; do
		inputs+=(-input "$i")
	done
	job_stage table weigh-documents -D stream.map.output=keyonlytext -D "stage.weight=$cover_weight" -D "stage.keep-per=$cover_keep_per" \
		"${inputs[@]}" -mapper weigh-documents -numReduceTasks 0
	cover_check_names
	components_job versions count-versions "${components_upwards[@]}" -input "$job_work/table/part-*" -mapper "cut -f4" -reducer count-versions
	components_find "$cover_one_task" 100 "$2" none
	cover_join "$2"
	lines=(-input "$job_work/members/part-*")
	if [[ -n $cover_earlier ]] && cover_reusable && cover_has "$cover_earlier/_state"; then
		lines+=(-input "$cover_earlier/_state/part-*")
	fi
	cover_solve solve "${lines[@]}"
	cover_solved=solve
	if ! files exists "$job_work/publishing"; then
		cover_about | files put "$job_work/solve/_state/about.tsv" || fail "the options of the cover cannot be written"
	fi
	[[ -z $cover_keep_per ]] || cover_top_up
}

# cover_check_names ends the job if no document has what the weight or a minimum is of.
cover_check_names() {
	local minima i documents
	documents=$(job_counter table documents)
	((documents > 0)) || return 0
	if [[ -n $cover_weight && $(job_counter table without-weight) == "$documents" ]]; then
		fail "--weight $cover_weight is no number above 0 for any document" "it is an expression of the documents' attributes"
	fi
	IFS=, read -ra minima <<<"$cover_keep_per"
	for i in "${!minima[@]}"; do
		(($(job_counter table "with-minimum-$((i + 1))") > 0)) ||
			fail "--keep-per: no document has a text, number or truth value ${minima[i]%=*}" "attributes are the members of the documents"
	done
}

# cover_about tells what a solution depends on besides documents and edges.
cover_about() { printf 'solver\t1\nweight\t%s\nexact-limit\t%s\n' "$cover_weight" "$cover_exact_limit"; }

# cover_reusable says whether an earlier solution was made in the same way.
cover_reusable() {
	local about=
	if files exists "$cover_earlier/_state/about.tsv"; then
		about=$(files cat "$cover_earlier/_state/about.tsv") || fail "the cover in $cover_earlier cannot be read"
	fi
	[[ $about == "$(cover_about)" ]] && return
	say "the cover in $cover_earlier was made with other options: all components are solved anew"
	return 1
}

# cover_has says whether there is any part in a folder, which a stage makes with the
# first line of it.
cover_has() { files matches "$1/part-*"; }

# cover_join gives documents and edges to their components.
cover_join() { # EDGES
	local -n _joined=$1
	local i inputs=(-input "$job_work/table/part-*" -input "$job_work/$components_stage/part-*")
	for i in "${_joined[@]}"; do
		inputs+=(-input "$i")
	done
	components_job members "meet-documents join-components" "${components_upwards[@]}" "${inputs[@]}" -mapper meet-documents -reducer join-components
	job_discard "$components_stage"
}

cover_solve() { # STAGE [-input PATH]...
	local stage=$1 options=''
	shift
	[[ -z $cover_exact_limit ]] || options+=" --exact-limit $cover_exact_limit"
	[[ -z $cover_held_edges ]] || options+=" --edges $cover_held_edges"
	[[ -z $cover_keep_per || $stage != solve ]] || options+=" --groups"
	components_job "$stage" solve-components "${components_upwards[@]}" "$@" -mapper cat -reducer "solve-components$options"
}

# cover_top_up adds documents for the minima and finds anew which documents of the
# cover the others are covered by.
cover_top_up() {
	components_job top-up top-up-cover -D "stage.keep-per=$cover_keep_per" -D stream.map.output=keyonlytext -D stream.reduce.input=keyonlytext \
		-D "mapreduce.partition.keypartitioner.options=-k1,1" \
		-D mapreduce.job.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator \
		-D "mapreduce.partition.keycomparator.options=-k1,1 -k2,2 -k3,3r" \
		-input "$job_work/solve/part-*" -mapper cat -reducer top-up-cover
	local lines=(-input "$job_work/members/part-*" -input "$job_work/top-up/part-*")
	! cover_has "$job_work/solve/_state" || lines+=(-input "$job_work/solve/_state/part-*")
	cover_solve fill "${lines[@]}"
	cover_solved=fill
}

# shellcheck disable=SC2317 # job_hush calls it
cover_write_report() {
	{
		! files exists "$job_work/$cover_solved/_summary" || files cat "$job_work/$cover_solved/_summary" || exit 1
	} | "$job_bin/report-cover" "$@"
}

# cover_report COVER SHINGLE_SIZE SHINGLES: makes stats.json and report.html in
# $job_work/report, and appends what the cover consists of to job_publish.
cover_report() {
	local folder added=0
	if ! files exists "$job_work/publishing"; then
		[[ $cover_solved != fill ]] || added=$(job_counter top-up added)
		files remove "$job_work/report"
		job_hush cover_write_report --cover "$1" --shingle-size "$2" --shingles "$3" --weight "$cover_weight" --keep-per "$cover_keep_per" \
			${cover_exact_limit:+--exact-limit "$cover_exact_limit"} --urls "$(job_counter versions urls)" \
			--versions "$(job_counter versions versions)" --squares "$(job_counter versions squares)" --added "$added" \
			--without-weight "$(job_counter table without-weight)" --output "$job_work/report" || fail "the report cannot be written"
	fi
	job_publish+=(report)
	for folder in "$cover_solved/cover" "$cover_solved/covered" "$cover_solved/components" solve/_state; do
		! files exists "$job_work/$folder" || job_publish+=("$folder")
	done
}

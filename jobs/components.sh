#!/usr/bin/env bash
# Find the connected components of a graph.
#
# Usage: jobs/components.sh --edges PATH... --output DIR [OPTION]...
#
# Input: edges, one a line: the ids of two vertices, separated by a tab; further
# fields are not looked at. Text or gzip. PATH is a file, a folder, a glob or a
# URI; in a folder, names that begin with _ or . are skipped. Direction and
# repetition do not count.
#
# Output, in DIR:
#   components/part-NNNNN       id, component: the greatest id in it. Numbers
#                               (decimal digits, no leading zeros) are compared as
#                               numbers and come before all other ids, those byte
#                               by byte. Sorted by id, in one part or dealt out
#   stats.json                  vertices, edges, components, largest, rounds, and
#                               sizes: pairs of a size and how many components
#                               have it
#   _rejects.tsv                lines that are no edges: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --vertices PATH             vertices, which need not have an edge: lines whose
#                               first field is an id (may be given repeatedly)
#   --one-task SIZE             edges of up to SIZE are read by one task, which
#                               holds the vertices in memory, some 80 bytes each
#                               and the bytes of ids that are no numbers; more
#                               are dealt with in rounds, which hold no more
#                               than --held of them (default 1GB; 0 for rounds
#                               in any case)
#   --held N                    vertices that a task of a round holds at once, 2
#                               or more (default 1048576)
#   --rounds N                  give up after so many (default 100)
#   --maps N                    about so many map tasks
#   --reducers N                so many reduce tasks of each round, and parts of
#                               what rounds make (default 4)
#   --engine local|hadoop       where it runs (default local: on this machine)
#   -D NAME=VALUE               a property of the engine, as for hadoop-streaming
#   --resume                    go on after the last finished round
#   --force                     replace the output of an earlier job
#   --max-rejects N|N%          exit status 3 if there are more rejects
#   --keep-rejects N            keep so many in _rejects.tsv (default 100000); the
#                               others are counted by reason
#   --quiet                     print errors only
#   --help, --version
#
# Example: jobs/components.sh --edges edges.tsv --output parts
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

job_input_option=--edges
vertices=()
one_task=1GB
rounds=100
components_held=

job_option() {
	case $1 in
	--vertices) vertices+=("$2") ;;
	--one-task) one_task=$2 ;;
	--held) components_held=$2 ;;
	--rounds) rounds=$2 ;;
	*) return 2 ;;
	esac
}

check_options() {
	local i
	limit=0
	[[ $one_task == 0 ]] || limit=$(job_bytes --one-task "$one_task") || exit 2
	job_check_number --rounds "$rounds"
	job_check_number --held "$components_held"
	[[ ! $components_held =~ ^1$ ]] || usage_error "--held 1: expected a number from 2: an edge has two vertices"
	for i in "${!vertices[@]}"; do
		job_set_path "vertices[i]" "${vertices[i]}"
		job_kinds+=(lines$'\t'--vertices$'\t'"${vertices[i]}")
	done
	job_inputs+=(${vertices[@]+"${vertices[@]}"})
}

# measure counts the sizes of the components that were found in rounds.
measure() {
	components_job sizes count-sizes "${components_upwards[@]}" -input "$job_work/components/part-*" -mapper "cut -f2" -reducer count-sizes
}

# shellcheck disable=SC2317 # job_hush calls it
sum_up() {
	files cat "$job_work/$sizes/_sizes" | "$job_bin/sum-sizes" --edges "$edge_count" --rounds "$components_rounds" --output "$job_work/result"
}

job_takes=edges
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
# shellcheck source=jobs/components.bash
. "${BASH_SOURCE[0]%/*}/components.bash"
job_options "$@"
check_options
job_begin "${components_programs[@]}" count-sizes sum-sizes
job_inputs_of --edges
# shellcheck disable=SC2034 # components_find takes it by its name
edges=("${job_of[@]}")
job_inputs_of --vertices
vertices=(${job_of[@]+"${job_of[@]}"})
components_find "$limit" "$rounds" edges vertices
sizes=components counted=components
if ((components_rounds)); then
	measure
	sizes=sizes counted=round-1
fi
edge_count=$(job_counter "$counted" edges)
if ! files exists "$job_work/publishing"; then
	files remove "$job_work/result"
	job_hush sum_up || fail "stats.json cannot be written"
fi
job_publish=(components=components result)
job_end "$edge_count" "$((edge_count + $(job_counter "$counted" rejected)))" "components of $edge_count edges$( ((components_rounds == 0)) || printf ' in %d rounds' "$components_rounds")"

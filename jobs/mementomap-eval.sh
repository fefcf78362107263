#!/usr/bin/env bash
# Evaluate maps of an archive's holdings: what they cost and how well they answer.
#
# Usage: jobs/mementomap-eval.sh --map PATH... --lookups FILE --truth PATH
#          --output DIR [OPTION]...
#
# Input: maps (MementoMaps) in UKVS, as jobs/mementomap.sh makes them; URIs that
# are looked up, one a line; and the index of what the archive holds: CDX or
# CDXJ, a ZipNum cluster, the output folder of jobs/index.sh, or with --by key a
# map without wildcards. Text or gzip. PATH is a file, a folder, a glob or a
# URI.
#
# Output, in DIR:
#   evaluation.json             of each map lines, relative cost (lines for each
#                               different URI-R), accuracy, recall, false
#                               positives
#   evaluation.html             the same as one page with a plot
#   maps/hW-pW.ukvs             the maps of --grid
#   _rejects.tsv                lines that are no capture: stage, reason, line
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# Options:
#   --grid LIST                 make the maps of all pairs of these weights, for
#                               hosts and paths, out of the one that is given,
#                               each out of the one before it, and evaluate them
#                               too; as 4,2,1,0.5,0.25,0
#   --by uri|key                what is looked up: URIs with their queries
#                               (default), or keys without
#   --where EXPR                captures of the truth that count, as status == 200
#   --title TEXT                at the head of the page
#   --host-curve A,K, --path-curve A,K, --host-depth N, --path-depth N
#                               of --grid, as for jobs/mementomap.sh
#   --maps N                    about so many map tasks that read the truth
#   --reducers N                so many that tell which lookups are present
#                               (default 1)
#   --engine local|hadoop       where it runs (default local: on this machine)
#   -D NAME=VALUE               a property of the engine, as for hadoop-streaming
#   --resume                    go on after the last finished stage
#   --force                     replace the output of an earlier job
#   --max-rejects N|N%          exit status 3 if there are more rejects
#   --keep-rejects N            keep so many in _rejects.tsv (default 100000); the
#                               others are counted by reason
#   --quiet                     print errors only
#   --help, --version
#
# Example: jobs/mementomap-eval.sh --map map/mementomap.ukvs \
#            --grid 4,2,1,0.5,0.25,0 --lookups uris.txt --truth index.cdxj \
#            --output evaluation
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

lookups=
truth=
grid=
by=uri
condition=
title='Evaluation of maps'
shape= # of the grid's maps
job_input_option=--map

job_option() {
	case $1 in
	--lookups) lookups=$2 ;;
	--truth) truth=$2 ;;
	--grid) grid=$2 ;;
	--by) by=$2 ;;
	--where) condition=$2 ;;
	--title) title=$2 ;;
	--host-curve | --path-curve | --host-depth | --path-depth)
		[[ $2 =~ ^[0-9.,e+-]+$ ]] || usage_error "$1 $2: numbers are wanted"
		shape+=" $1 $2"
		;;
	*) return 2 ;;
	esac
}

check_options() {
	[[ -n $lookups ]] || usage_error "--lookups is missing"
	[[ -n $truth ]] || usage_error "--truth is missing"
	one_of --by "$by" uri key
	[[ $grid =~ ^([0-9.]+(,[0-9.]+)*)?$ ]] || usage_error "--grid $grid: weights are wanted, separated by commas"
	[[ -n $grid || -z $shape ]] || usage_error "${shape# } is of the maps that --grid makes"
	job_set_path lookups "$lookups"
	job_set_path truth "${truth%/}"
	job_reads=("$lookups" "$truth")
	job_also=(lines$'\t'--lookups$'\t'"$lookups" truth$'\t'--truth$'\t'"$truth")
}

# tell_lookups tells of each lookup whether the truth has it.
tell_lookups() {
	local path
	local -a inputs=(-input "$job_work/keys/part-*")
	for path in "${truths[@]}"; do
		inputs+=(-input "$path")
	done
	job_stage keys key-lookups -D stream.map.output=keyonlytext -input "$lookups" -mapper key-lookups -numReduceTasks 0
	job_stage lookups "meet-lookups tell-lookups" -D "stage.where=$condition" ${job_maps:+-D "mapreduce.job.maps=$job_maps"} \
		"${inputs[@]}" -mapper "meet-lookups --by $by" -reducer tell-lookups -numReduceTasks "${job_reducers:-1}"
}

# make_grid makes maps out of one, which must stay one split.
make_grid() {
	job_stage grid grid-mementomaps -D mapreduce.input.fileinputformat.split.minsize=1099511627776 \
		-input "$1" -mapper "grid-mementomaps --weights $grid$shape" -numReduceTasks 0
	maps+=$'\n'$(files expand "$job_work/grid/maps") || exit 1
	job_publish=(grid)
}

# evaluate looks all lookups up in each map.
evaluate() {
	cut -f1 <<<"$maps" | awk '{ printf "%05d\t%s\n", NR, $0 }' | files put "$job_work/maps.tsv" || fail "the list of maps cannot be written"
	job_stage evaluate "evaluate-mementomaps write-evaluation" -D stream.num.map.output.key.fields=3 -D stream.map.input.ignoreKey=true \
		-D mapreduce.input.lineinputformat.linespermap=1 -D "stage.lookups=$job_work/lookups/part-*" -D "stage.title=$title" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/maps.tsv" -mapper evaluate-mementomaps \
		-reducer "write-evaluation --uris $(job_counter lookups uris)" -numReduceTasks 1
}

job_takes=map
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
check_options
job_stages_expected=3
[[ -z $grid ]] || job_stages_expected=4
job_begin key-lookups meet-lookups tell-lookups grid-mementomaps evaluate-mementomaps write-evaluation
maps=$job_input_files
job_set_found lookups
job_set_found truth
[[ -z $grid || $maps != *$'\n'* ]] || fail "--grid makes maps out of one" "give one file with --map" 2
mapfile -t truths <<<"$truth"
others=$(files expand "$lookups" "${truths[@]}") || exit 1
job_input_files+=$'\n'$others
tell_lookups
[[ -z $grid ]] || make_grid "${maps%%$'\t'*}"
evaluate
job_publish+=(evaluate)
job_end "$(job_counter lookups "lines of the truth")" "$(job_counter lookups lookups)" "evaluation of $(job_counter evaluate maps) maps with $(job_counter lookups lookups) lookups"

#!/usr/bin/env bash
# Make a graph of hosts or domains out of links, and rank its vertices.
#
# Usage: jobs/webgraph.sh --input PATH... --output DIR [OPTION]...
#
# Input: WAT files, ARC and WARC files, or link lines of jobs/derive.sh. PATH is
# a file, a folder, a glob or a URI; in a folder, names that begin with _ or .
# are skipped.
#
# Output, in DIR:
#   vertices/part-00000.txt.gz  ID TAB NAME, for domains with the number of
#                               hosts behind it; names are reversed
#                               (org.example.www), ids count from 0 in the order
#                               of names
#   edges/part-NNNNN.txt.gz     FROM TAB TO, in numeric order; no self-loops
#   ranks/part-00000.txt.gz     harmonic centrality and PageRank with positions,
#                               in the columns of cc-webgraph, the highest first
#   graph.graphml               the graph for Gephi, networkx and igraph
#                               (--graphml): label (www.example.org), hosts,
#                               harmonic and pagerank of nodes, weight of edges
#   stats.json                  vertices, edges, vertices without edges to others,
#                               iterations
#   _rejects.tsv                what could not be read: stage, reason, input
#   _job.json, _SUCCESS         how it was made; that it is complete
#
# A host that was captured, or linked to, is a vertex, with or without edges.
# Addresses, names of one label and names under no public suffix are left out.
#
# Options:
#   --level host|domain         vertices are hosts, or the domains that these were
#                               registered under (default host)
#   --links hyperlinks|requisites|all
#                               what readers can follow, what pages need to be
#                               shown, or both (default hyperlinks)
#   --nofollow keep|drop        hyperlinks that are marked rel=nofollow (default
#                               keep)
#   --weights                   the number of links as third column of edges/
#   --no-ranks                  the graph alone
#   --graphml                   also graph.graphml
#   --iterations N              of PageRank, at most (default 100)
#   --tolerance N               stop when one part in 10^N of all rank moves
#                               (default 7)
#   --exact N                   count up to N vertices exactly (default 64)
#   --bits N                    2^N registers of a counter beyond that (default
#                               8, for a relative standard deviation of 6.5 %)
#   --maps N                    so many map tasks instead of one for each
#                               archive file
#   --reducers N                so many reduce tasks and parts of edges/
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
# Example: jobs/webgraph.sh --input derived/wat --output graph --level domain
#
# Exit status: 0 done; 1 failed; 2 usage; 3 done, with too many rejects;
# 75 another job is at work in the output folder.

# Called by a link, the script is where that leads to.
[[ ! -L $0 ]] || exec "$(readlink -f -- "$0")" "$@"

level=host
links=hyperlinks
nofollow=keep
weights=
ranked=1
graphml=
iterations=100
tolerance=7
exact=64
bits=8

job_option() {
	case $1 in
	--level) level=$2 ;;
	--links) links=$2 ;;
	--nofollow) nofollow=$2 ;;
	--iterations) iterations=$2 ;;
	--tolerance) tolerance=$2 ;;
	--exact) exact=$2 ;;
	--bits) bits=$2 ;;
	--weights) weights=1 && return 1 ;;
	--no-ranks) ranked='' && return 1 ;;
	--graphml) graphml=1 && return 1 ;;
	*) return 2 ;;
	esac
}

check_options() {
	one_of --level "$level" host domain
	one_of --links "$links" hyperlinks requisites all
	one_of --nofollow "$nofollow" keep drop
	job_check_number --iterations "$iterations"
	job_check_number --exact "$exact"
	[[ $tolerance =~ ^([1-9]|1[0-5])$ ]] || usage_error "--tolerance $tolerance: a number from 1 to 15 is wanted"
	[[ $bits =~ ^([4-9]|1[0-6])$ ]] || usage_error "--bits $bits: a number from 4 to 16 is wanted"
	reducers=${job_reducers:-1}
}

# sorted_by N: the key of N fields, of which the first decides on the reducer.
sorted_by() {
	key=(-D "stream.num.map.output.key.fields=$1" -D "mapreduce.partition.keypartitioner.options=-k1,1")
	partitioned=(-partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner)
}

# read_links lists the links of archive files; what is a list already is taken as it
# is. It sets inputs to the arguments for all of them.
read_links() {
	local path kind n per_map=1 archives=''
	inputs=()
	while IFS=$'\t' read -r path _ _ kind; do
		case $kind/$path in
		links/* | *.links | *.links.gz) inputs+=(-input "$path") ;;
		*) archives+=$path$'\n' ;;
		esac
	done <<<"$job_input_files"
	[[ -n $archives ]] || return 0
	printf '%s' "$archives" | files put "$job_work/archives.txt" || fail "the names of the archive files cannot be written"
	job_set_line_count n "$archives"
	[[ -z $job_maps ]] || per_map=$(((n + job_maps - 2) / job_maps))
	[[ -z $job_stages_expected ]] || job_stages_expected=6
	job_stage read list-links -D stream.map.input.ignoreKey=true -D stream.map.output=keyonlytext \
		-D "mapreduce.input.lineinputformat.linespermap=$per_map" \
		-inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -input "$job_work/archives.txt" \
		-mapper list-links -numReduceTasks 0
	inputs+=(-input "$job_work/read/part-*")
}

# make_graph numbers the vertices and puts their ids into the place of their names.
make_graph() {
	sorted_by 3
	job_stage links "fold-links sum-links" "${key[@]}" -D stream.num.reduce.output.key.fields=3 "${inputs[@]}" \
		-mapper "fold-links --level $level --links $links --nofollow $nofollow" \
		-reducer sum-links -numReduceTasks "$reducers" "${partitioned[@]}"
	sorted_by 2
	job_stage vertices "list-vertices number-vertices" "${key[@]}" -input "$job_work/links/part-*" \
		-mapper list-vertices -reducer "number-vertices --level $level" -numReduceTasks 1
	vertices=$(job_counter vertices vertices)
	((vertices > 0)) || fail "no vertices: there are no links and no pages of hosts with a public name in the input"
	job_stage sources "key-sources join-vertices" "${key[@]}" -input "$job_work/links/part-*" -input "$job_work/vertices/part-*" \
		-mapper key-sources -reducer join-vertices -numReduceTasks "$reducers" "${partitioned[@]}"
	job_stage targets join-vertices "${key[@]}" -input "$job_work/sources/part-*" -input "$job_work/vertices/part-*" \
		-mapper cat -reducer join-vertices -numReduceTasks "$reducers" "${partitioned[@]}"
	sorted_by 3
	job_stage edges "key-edges write-edges" "${key[@]}" -input "$job_work/targets/part-*" -input "$job_work/vertices/part-*" \
		-mapper "key-edges --vertices $vertices --parts $reducers" \
		-reducer "write-edges${weights:+ --weights}" -numReduceTasks "$reducers" "${partitioned[@]}"
}

# rank_vertices iterates until no counter grows and hardly any rank moves.
rank_vertices() {
	local whole=$((1 << 60)) last=edges changed=1 moved dangling options total share
	moved=$whole step=0
	# In the first iteration each vertex has its equal share.
	share=$((whole / vertices))
	dangling=$((share * $(job_counter edges "without edges to others")))
	while ((step < iterations && (changed > 0 || moved > whole / 10 ** tolerance))); do
		step=$((step + 1))
		options="--vertices $vertices --step $step --exact $exact --bits $bits"
		job_stage "step$step" "spread-ranks gather-ranks" -input "$job_work/$last/part-*" \
			-mapper "spread-ranks $options" -reducer "gather-ranks $options --dangling $dangling" -numReduceTasks "$reducers"
		last=step$step
		changed=$(job_counter "$last" changed)
		moved=$(job_counter "$last" moved)
		dangling=$(job_counter "$last" dangling)
	done
	total=$(job_counter "$last" rank)
	sorted_by 2
	job_stage pagerank "order-ranks place-ranks" "${key[@]}" -input "$job_work/$last/part-*" \
		-mapper "order-ranks --total $total" -reducer place-ranks -numReduceTasks 1
	job_stage harmonic "order-ranks place-ranks" "${key[@]}" -input "$job_work/pagerank/part-*" \
		-mapper "order-ranks --by harmonic" -reducer "place-ranks --by harmonic --level $level" -numReduceTasks 1
}

write_stats() {
	printf '{"level": "%s", "links": "%s", "nofollow": "%s", "vertices": %d, "edges": %d, "without_edges_to_others": %d, "iterations": %d}\n' \
		"$level" "$links" "$nofollow" "$vertices" "$(job_counter edges edges)" "$(job_counter edges "without edges to others")" "$step" |
		job_put stats.json || exit 1
}

# stored FILES: the lines of parts of the output.
stored() { files cat "$1" | gzip -dc; }

# nodes: the lines of vertices, with --ranks those of their ranks beside them: in the
# order of ids, which is that of names.
nodes() {
	if [[ -n $ranked ]]; then
		paste <(stored "$job_work/vertices/vertices/part-*") \
			<(stored "$job_work/harmonic/ranks/part-*" | grep -v '^#' | LC_ALL=C sort -S 64M -t $'\t' -k 5,5)
	else
		stored "$job_work/vertices/vertices/part-*"
	fi
}

# graph_nodes and graph_edges make GraphML of the lines; status 1 where some lack.
graph_nodes() {
	nodes | LC_ALL=C awk -F '\t' -v level="$level" -v ranked="$ranked" -v weights="$weights" -v vertices="$vertices" '
		function key(id, of, type) {
			printf "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", id, of, id, type
		}
		function data(id, value) { printf "<data key=\"%s\">%s</data>", id, value }
		BEGIN {
			print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
			print "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
			key("label", "node", "string")
			if (level == "domain") key("hosts", "node", "long")
			if (ranked) { key("harmonic", "node", "double"); key("pagerank", "node", "double") }
			if (weights) key("weight", "edge", "double")
			print "  <graph edgedefault=\"directed\">"
		}
		{
			first = level == "domain" ? 4 : 3 # of the ranks
			if (ranked && $(first + 4) != $2) exit 1
			n = split($2, part, ".")
			name = part[n]
			while (--n) name = name "." part[n]
			gsub(/&/, "\\&amp;", name)
			gsub(/</, "\\&lt;", name)
			gsub(/>/, "\\&gt;", name)
			printf "    <node id=\"%s\">", $1
			data("label", name)
			if (level == "domain") data("hosts", $3)
			if (ranked) { data("harmonic", $(first + 1)); data("pagerank", $(first + 3)) }
			print "</node>"
			written++
		}
		END { exit written != vertices }'
}

graph_edges() {
	stored "$job_work/edges/edges/part-*" | LC_ALL=C awk -F '\t' -v weights="$weights" -v edges="$1" '
		{
			printf "    <edge source=\"%s\" target=\"%s\">", $1, $2
			if (weights) printf "<data key=\"weight\">%s</data>", $3
			print "</edge>"
			written++
		}
		END { exit written != edges }'
}

# write_graphml writes the graph with names. A job that was killed while it published
# has done so.
write_graphml() {
	local edges
	edges=$(job_counter edges edges)
	! files exists "$job_work/publishing" || return 0
	{
		graph_nodes || fail "the nodes of graph.graphml cannot be written"
		[[ $edges == 0 ]] || graph_edges "$edges" || fail "the edges of graph.graphml cannot be written"
		printf '  </graph>\n</graphml>\n'
	} | job_put graph.graphml || exit 1
}

job_takes=links
# shellcheck source=jobs/common.bash
. "${BASH_SOURCE[0]%/*}/common.bash"
job_options "$@"
check_options
step=0
[[ -n $ranked ]] || job_stages_expected=5
job_begin list-links fold-links sum-links list-vertices number-vertices key-sources join-vertices key-edges write-edges \
	spread-ranks gather-ranks order-ranks place-ranks
read_links
make_graph
job_publish=(vertices/vertices)
! files exists "$job_work/edges/edges" || job_publish+=(edges/edges)
if [[ -n $ranked ]]; then
	rank_vertices
	job_publish+=(harmonic/ranks)
fi
write_stats
[[ -z $graphml ]] || write_graphml
job_end "$vertices" "$vertices" "$vertices vertices and $(job_counter edges edges) edges"

# What the benchmarks share. A script that sources this file is done with its options,
# and has:
#
#   root, folder, rounds   the project, BENCH_FOLDER and BENCH_ROUNDS
#   use_python             python: that with the tools to compare with
#   use_corpus             corpus: the one that bench.sh makes by default
#   use_work NAME          work: an empty folder, which is removed at the end
#   cpu COMMAND...         CPU seconds, wall seconds and KiB of the largest process
#   contender, take_turns  commands that are measured one after the other, in rounds
#   least                  what an awk program begins with that prints their table
#
# shellcheck shell=bash disable=SC2034

set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
rounds=${BENCH_ROUNDS:-3}

fail() { # MESSAGE HINT [STATUS]
	printf '%s: error: %s\n%s: hint: %s\n' "$name" "$1" "$name" "$2" >&2
	exit "${3:-1}"
}

case ${1:-} in
-h | --help)
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
	exit
	;;
?*) fail "unexpected argument $1" "the settings are environment variables, see $name --help" 2 ;;
esac
if [[ ! $rounds =~ ^[1-9][0-9]*$ ]]; then
	fail "BENCH_ROUNDS $rounds: a number from 1 is wanted" "see $name --help" 2
fi
"${MAKE:-make}" -s -C "$root"
mkdir -p "$folder"

use_python() { python=${ARCHIVESTREAM_PYTHON:-$("$root/scripts/python-tools.sh")}; }

# make_corpus NAME OPTION...: sets corpus to that of an earlier run, or makes it.
make_corpus() {
	corpus=$folder/$1
	[[ ! -e $corpus/corpus.json ]] || return 0
	rm -rf "$corpus"
	"$root/build/tools/make-corpus" --output "$corpus" "${@:2}"
}

use_corpus() { make_corpus corpus-300000-100000 --records 300000 --pick 100000 --seed 1; }

use_work() {
	work=$folder/$1
	trap 'rm -rf "$work"' EXIT
	rm -rf "$work"
	mkdir -p "$work"
}

load() { cut -d' ' -f1 /proc/loadavg; }

# cpu_into FILE COMMAND...: cpu, with the command's output in FILE.
cpu_into() {
	python3 - "$@" <<-'END'
		import resource, subprocess, sys, tempfile, time
		# A python3 that is a script has had children of its own before it became this.
		before = resource.getrusage(resource.RUSAGE_CHILDREN)
		begin = time.perf_counter()
		with open(sys.argv[1], "wb") as out, tempfile.TemporaryFile() as said:
		    status = subprocess.run(sys.argv[2:], stdout=out, stderr=said).returncode
		    if status:
		        said.seek(0)
		        sys.exit("%s: exit status %d\n%s" % (sys.argv[2:], status, said.read().decode(errors="replace")))
		wall = time.perf_counter() - begin
		u = resource.getrusage(resource.RUSAGE_CHILDREN)
		cpu = u.ru_utime + u.ru_stime - before.ru_utime - before.ru_stime
		print("%.3f %.3f %d" % (cpu, wall, u.ru_maxrss))
	END
}

cpu() { cpu_into /dev/null "$@"; }

titles=() commands=()
contender() { # TITLE COMMAND
	titles+=("$1")
	commands+=("$2")
}

# take_turns FILE: writes a line TITLE TAB CPU WALL KIB for each turn.
take_turns() {
	local round i
	for ((round = 0; round < rounds; round++)); do
		for i in "${!titles[@]}"; do
			printf '%s\t%s\n' "${titles[i]}" "$(cpu bash -c "${commands[i]}")"
		done
	done >"$1"
}

# The lines of turns: cpu, wall and rss by title, the least seconds and the most KiB;
# after settle the seconds in the middle. table prints them, bar whether a value is one
# that the project wants.
# shellcheck disable=SC2016 # awk's own
least='
	BEGIN { FS = "\t" }
	{ split($2, v, " ") }
	!($1 in cpu) { order[++n] = $1; cpu[$1] = v[1]; wall[$1] = v[2] }
	{ if (v[1] < cpu[$1]) cpu[$1] = v[1]; if (v[2] < wall[$1]) wall[$1] = v[2]; if (v[3] > rss[$1]) rss[$1] = v[3] }
	{ turns[$1]++; cpus[$1, turns[$1]] = v[1]; walls[$1, turns[$1]] = v[2] }
	function middle(all, title,   i, j, m) {
		for (i = 1; i <= turns[title]; i++) {
			m = 0
			for (j = 1; j <= turns[title]; j++) m += all[title, j] < all[title, i] || all[title, j] == all[title, i] && j < i
			if (m == int((turns[title] - 1) / 2)) return all[title, i]
		}
	}
	function settle(   i) {
		for (i = 1; i <= n; i++) { cpu[order[i]] = middle(cpus, order[i]); wall[order[i]] = middle(walls, order[i]) }
	}
	function table(   i) {
		printf "%-34s %8s %8s %8s\n", "", "CPU s", "wall s", "MiB"
		for (i = 1; i <= n; i++) printf "%-34s %8.3f %8.3f %8s\n", order[i], cpu[order[i]], wall[order[i]], (rss[order[i]] ? sprintf("%.1f", rss[order[i]] / 1024) : "-")
		print "\nBars"
	}
	function bar(title, value, limit, wanted) {
		printf "  %-58s %10.2f   %-8s %-8s %s\n", title, value, limit, wanted, ((limit == "at least" ? value >= wanted : value <= wanted) ? "met" : "NOT MET")
	}'

# bar TITLE VALUE LIMIT WANTED: one such line, LIMIT being at least or at most.
bar() {
	awk -v title="$1" -v value="$2" -v limit="$3" -v wanted="$4" "$least"' BEGIN { bar(title, value, limit, wanted); exit }'
}

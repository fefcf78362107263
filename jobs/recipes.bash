# Options out of a recipe, for jobs/select.sh: a file of lines OPTION VALUE, or the
# _job.json of an earlier selection.
#
# shellcheck shell=bash

# recipe_expand WORD...: sets recipe_words to the words of a command line with what
# its --recipe stands for in front, so that options behind it overrule that. A recipe
# may be anybody's: its programs run only where --allow-programs says so.
recipe_expand() {
	local -a own=() recipe_programs=()
	local allowed='' command commands=''
	recipe_words=()
	while (($#)); do
		case $1 in
		--recipe)
			(($# > 1)) || recipe_fail "--recipe needs a value"
			recipe_read "$2"
			shift
			;;
		--recipe=*) recipe_read "${1#*=}" ;;
		--allow-programs) allowed=1 ;;
		*) own+=("$1") ;;
		esac
		shift
	done
	if [[ -z $allowed && ${#recipe_programs[@]} -gt 0 ]]; then
		for command in "${recipe_programs[@]}"; do
			commands+=$'\n  '${command//[[:cntrl:]]/?}
		done
		recipe_fail "the recipe runs programs, of which nothing has been run:$commands" "read them, and give --allow-programs if they may run"
	fi
	recipe_words+=(${own[@]+"${own[@]}"})
}

# recipe_take RECIPE WORD...: appends the options of a recipe. It may say what is
# selected, derived and made of it; not where that is read, written or run.
recipe_take() {
	local -r recipe=$1
	shift
	while (($#)); do
		case ${1%%=*} in
		--pretty | --raw-csv | --with-requests)
			recipe_words+=("$1")
			shift
			continue
			;;
		--where | --sample | --seed | --pick | --per | --enrich | --map-enrich | --enrich-with | --keep | --columns | --each | --count | --save | --revisits | --verify | --max-size | --prefix | --date | --records) ;;
		*) recipe_fail "--recipe $recipe: $1 is no option that a recipe may have" ;;
		esac
		if [[ $1 != *=* ]]; then
			(($# > 1)) || recipe_fail "--recipe $recipe: $1 needs a value"
			set -- "$1=$2" "${@:3}"
		fi
		[[ $1 != --enrich-with=* ]] || recipe_programs+=("${1#*=}")
		recipe_words+=("${1%%=*}" "${1#*=}")
		shift
	done
}

recipe_fail() { # MESSAGE [HINT]
	printf '%s: error: %s\n%s: hint: %s\n' "${0##*/}" "$1" "${0##*/}" "${2:-try ${0##*/} --help}" >&2
	exit 2
}

# recipe_read NAME|FILE: appends the words of a recipe. A name is that of one of the
# project's before it is that of a file which lies around.
recipe_read() {
	local file=$1 line
	local -a words=()
	if [[ $file != */* && (! -e $file || -e ${BASH_SOURCE[0]%/*}/recipes/$file) ]]; then
		file=${BASH_SOURCE[0]%/*}/recipes/$1
	fi
	if [[ ! -f $file || ! -r $file ]]; then
		words=("${BASH_SOURCE[0]%/*}"/recipes/*)
		recipe_fail "--recipe $1: there is no such file, and no such recipe" "recipes: ${words[*]##*/}"
	fi
	if [[ $file == *.json ]]; then
		recipe_read_job "$file"
		return
	fi
	while IFS= read -r line || [[ -n $line ]]; do
		[[ -n ${line//[[:space:]]/} && $line != '#'* ]] || continue
		if [[ $line == *' '* ]]; then
			words+=("--${line%% *}=${line#* }")
		else
			words+=("--$line")
		fi
	done <"$file"
	recipe_take "$1" ${words[@]+"${words[@]}"}
}

# recipe_read_job FILE: the command line that a job notes, without what says where
# and how it ran.
recipe_read_job() {
	local -r recipe=$1
	local line rest word backslash=$'\x5c' string='^[^"]*"(([^"\\]|\\.)*)"(.*)$'
	local -a words=() taken=()
	while IFS= read -r line; do
		[[ $line != '  "command": ['* ]] || break
	done <"$1"
	rest=${line#*:}
	while [[ $rest =~ $string ]]; do
		rest=${BASH_REMATCH[3]} word=${BASH_REMATCH[1]}
		# A backslash of its own waits as a byte that JSON has in no string.
		word=${word//"$backslash$backslash"/$'\x01'} word=${word//"$backslash\""/'"'} word=${word//"$backslash/"/'/'}
		printf -v word '%b' "$word"
		word=${word//$'\x01'/"$backslash"}
		words+=("$word")
	done
	[[ ${words[0]-} == *"${0##*/}" ]] || recipe_fail "--recipe $1: no selection has written that"
	set -- "${words[@]:1}"
	while (($#)); do
		case $1 in
		--cdx | --archives | --input)
			while (($# > 1)) && [[ $2 != -* ]]; do shift; done
			;;
		--path-index | --output | --engine | --maps | --reducers | --max-rejects | --keep-rejects | --small | -D) shift ;;
		--resume | --force | --quiet | --allow-programs | --allow-elsewhere | -D* | --cdx=* | --archives=* | --path-index=* | --output=* | --engine=* | --maps=* | --reducers=* | --max-rejects=* | --keep-rejects=* | --small=*) ;;
		*) taken+=("$1") ;;
		esac
		(($# == 0)) || shift
	done
	recipe_take "$recipe" ${taken[@]+"${taken[@]}"}
}

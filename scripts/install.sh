#!/usr/bin/env bash
# Summary: Put the suite below a prefix, or take it away
#
# Usage: install.sh PROGRAM DESTDIR PREFIX
#        install.sh --remove DESTDIR PREFIX
#
# PROGRAM is bin/archivestream, maybe of another machine's kind. DESTDIR, "" or the
# folder of a package, stands in front of PREFIX. Below PREFIX:
#
#   bin/archivestream                the program
#   lib/archivestream/bin/NAME       links to it, one for each stage
#   lib/archivestream/jobs/          job scripts and recipes
#   share/man/man1/                  manual pages
#   share/bash-completion/, zsh/, fish/
#   share/doc/archivestream/         README.md, CHANGELOG.md, licences of what is linked
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail
umask 022

name=${0##*/}
[[ $# == 3 && $3 == /* ]] || {
	printf '%s: error: expected a program, a folder or "" and an absolute prefix\n%s: hint: make install PREFIX=/usr/local DESTDIR=\n' "$name" "$name" >&2
	exit 2
}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$1 prefix=$2${3%/}
own=$prefix/lib/archivestream

remove() {
	rm -rf "$own" "$prefix/share/doc/archivestream"
	rm -f "$prefix/bin/archivestream" "$prefix"/share/man/man1/archivestream{,-[a-z]*}.1 \
		"$prefix/share/bash-completion/completions/archivestream" "$prefix/share/zsh/site-functions/_archivestream" \
		"$prefix/share/fish/vendor_completions.d/archivestream.fish"
}

# An older version may have had other files.
remove
[[ $program != --remove ]] || exit 0

install -d "$prefix/bin" "$own/bin" "$own/jobs/recipes" "$prefix/share/doc/archivestream"
install -m 755 "$program" "$prefix/bin/archivestream"
for main in mappers/*/main.go reducers/*/main.go jobs/*/main.go; do
	ln -s ../../../bin/archivestream "$own/bin/$(basename "${main%/main.go}")"
done
install -m 755 jobs/*.sh "$own/jobs"
install -m 644 jobs/*.bash "$own/jobs"
install -m 644 jobs/recipes/* "$own/jobs/recipes"
install -m 644 README.md CHANGELOG.md "$prefix/share/doc/archivestream"
# These run here, for whatever machine the program is.
GOOS='' GOARCH='' scripts/licences.sh >"$prefix/share/doc/archivestream/LICENCES"
version=$(git describe --tags --always --dirty 2>/dev/null || echo unversioned)
GOOS='' GOARCH='' go run -ldflags "-X archivestream/lib/stage.Version=$version" ./scripts/make-manuals jobs "$prefix/share"

#!/usr/bin/env bash
# Summary: Run the scenarios of bench-select.sh with ArchiveSpark
#
# Usage: archivespark.sh FOLDER INDEX.cdx ARCHIVES CORES REPETITIONS URL DOMAIN MONTH
#
# Fetches ArchiveSpark and Spark into FOLDER with Maven (about 170 MB) and compiles a
# program that calls them; what is there already stays. Prints a line for each
# repetition of each scenario, in one JVM: number, sum, CPU seconds, wall seconds.
#
# Needs Java 17 and Maven.
#
# Exit status: 0 done; 1 failed; 2 usage; 3 ArchiveSpark cannot be had here.
set -euo pipefail

name=${0##*/}
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/archivespark

missing() { # MESSAGE HINT
	printf '%s: error: %s\n%s: hint: %s\n' "$name" "$1" "$name" "$2" >&2
	exit 3
}

case ${1:-} in
-h | --help)
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
	exit
	;;
esac
if (($# != 8)); then
	printf '%s: error: %d arguments instead of 8\n%s: hint: see %s --help\n' "$name" $# "$name" "$name" >&2
	exit 2
fi
folder=$1
shift

for program in java mvn; do
	command -v $program >/dev/null || missing "$program is not installed" "on Debian: apt-get install openjdk-17-jre-headless maven"
done
mkdir -p "$folder"
if [[ ! -e $folder/jars ]]; then
	rm -rf "$folder/jars.new"
	mvn -B -q -ntp -Dstyle.color=never -f "$sources/pom.xml" -DincludeScope=runtime -DoutputDirectory="$folder/jars.new" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies >"$folder/maven.log" 2>&1 ||
		missing "the jars could not be fetched" "Maven must reach a repository, its log: $folder/maven.log"
	mv "$folder/jars.new" "$folder/jars"
fi
if [[ ! $folder/classes -nt $sources/Select.scala ]]; then
	rm -rf "$folder/classes" "$folder/classes.new"
	mkdir "$folder/classes.new"
	java -Xss8m -cp "$folder/jars/*" scala.tools.nsc.Main -usejavacp -nowarn -d "$folder/classes.new" "$sources/Select.scala" \
		>"$folder/compiler.log" 2>&1 || missing "the program could not be compiled" "Java 17 is wanted; the compiler's log: $folder/compiler.log"
	mv "$folder/classes.new" "$folder/classes"
fi

opened=()
for package in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
	opened+=(--add-opens "java.base/java.$package=ALL-UNNAMED")
done
for package in nio.ch nio.cs security.action util.calendar; do
	opened+=(--add-opens "java.base/sun.$package=ALL-UNNAMED")
done
if ! SPARK_LOCAL_IP=127.0.0.1 java -Xmx4g -Djava.io.tmpdir="$folder" "${opened[@]}" -cp "$folder/classes:$folder/jars/*" Select "$@" 2>"$folder/spark.log"; then
	tail -n 20 "$folder/spark.log" >&2
	printf '%s: error: ArchiveSpark has failed\n%s: hint: its log: %s\n' "$name" "$name" "$folder/spark.log" >&2
	exit 1
fi

#!/usr/bin/env bash
# Summary: A real one-node Hadoop: HDFS, YARN, MapReduce and hadoop-streaming
#
# Usage: hadoop.sh up            fetch what is missing and start; nothing to do when it runs
#        hadoop.sh down          stop; the files in HDFS stay
#        hadoop.sh status        each daemon, its pid and its memory
#        hadoop.sh run CMD...    run CMD where Hadoop can be reached, with its environment
#        hadoop.sh env           print that environment, for eval "$(hadoop.sh env)"
#        hadoop.sh wipe          stop and remove everything, with the files in HDFS
#
# The daemons run in a network namespace that has only the loopback interface:
# nothing of them can be reached from another machine, whatever they bind. The
# commands hadoop, hdfs, yarn and mapred, which `env` puts on the PATH, enter it
# by themselves; other programs that talk to Hadoop are started with `run`, or
# behind the words in $HADOOP_RUN.
#
# Environment:
#   HADOOP_LAB   folder for jars, configuration, logs and data
#                (default: build/hadoop in the project)
#   JAVA_HOME    a Java 11 or 17 (default: the java on the PATH)
#
# Needs root, Java, Maven (about 95 MB on the first run), iproute2, util-linux, curl.
#
# Exit status: 0 done; 1 failed, or not all daemons run; 2 usage; of `run`: the
# command's own.
set -euo pipefail

name=${0##*/}
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab=$(realpath -m "${HADOOP_LAB:-$(dirname "$scripts")/build/hadoop}")
# Two Hadoops of different folders must not share a namespace.
namespace=hadoop-$(cksum <<<"$lab" | cut -d' ' -f1)
classes=$lab/share/hadoop/classes.jsa
daemons=(namenode datanode resourcemanager nodemanager historyserver)

# What all JVMs get: they live for seconds, so quick to start counts.
jvm_options="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true"

fail() { # MESSAGE [HINT]
	printf '%s: error: %s\n' "$name" "$1" >&2
	[[ -z ${2:-} ]] || printf '%s: hint: %s\n' "$name" "$2" >&2
	exit 1
}

# --- what the machine must have -----------------------------------------------

check_machine() {
	local program package
	while read -r program package; do
		command -v "$program" >/dev/null || fail "$program is not installed" "on Debian: apt-get install $package"
	done <<-END
		java openjdk-17-jre-headless
		mvn maven
		ip iproute2
		nsenter util-linux
		setsid util-linux
		curl curl
	END
	((EUID == 0)) || fail "a network namespace needs root" "run it as root, for example in a container"
	[[ $lab != *[[:space:],]* ]] || fail "no blank or comma can be in the path $lab" "set HADOOP_LAB to another folder"
	: "${JAVA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}"
	[[ -x $JAVA_HOME/bin/java ]] || fail "there is no java in $JAVA_HOME/bin" "JAVA_HOME must name a Java 11 or 17"
	export JAVA_HOME
}

# --- installation -------------------------------------------------------------

# fetch_jars copies the jars out of Maven's repository, which keeps them between
# runs. The streaming jar stays off the class path, as in a real installation.
fetch_jars() {
	local tools=$lab/share/hadoop/tools/lib new=$lab/share/hadoop/lib.new
	[[ ! -e $tools/hadoop-streaming.jar ]] || return 0
	printf '%s: fetching the jars\n' "$name" >&2
	rm -rf "$new" "$lab/share/hadoop/lib" "$tools"
	mkdir -p "$tools"
	mvn -B -q -ntp -Dstyle.color=never -f "$scripts/hadoop/pom.xml" -DincludeScope=runtime -DoutputDirectory="$new" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies >"$lab/maven.log" 2>&1 ||
		{
			tail -n 20 "$lab/maven.log" >&2
			fail "the jars could not be fetched" "Maven must reach a repository, its log: $lab/maven.log"
		}
	mv "$new"/hadoop-streaming-*.jar "$tools/"
	mv "$new" "$lab/share/hadoop/lib"
	# Last: its presence says that all the others are there.
	ln -s "$(basename "$tools"/hadoop-streaming-*.jar)" "$tools/hadoop-streaming.jar"
}

configure() {
	local file command jars
	mkdir -p "$lab"/{bin,etc/hadoop,logs,pids,data/tmp}
	# The daemons look for their web pages, which the jars do not have, and
	# refuse to start without the folders.
	mkdir -p "$lab"/etc/hadoop/webapps/{hdfs,datanode}
	for file in "$scripts"/hadoop/conf/*; do
		sed -e "s|@LAB@|$lab|g" -e "s|@GROUP@|$(id -gn)|g" -e "s|@JVM@|$jvm_options|g" \
			"$file" >"$lab/etc/hadoop/${file##*/}"
	done
	printf '%s\n' "$namespace" >"$lab/namespace"
	printf '%s\n' "$jvm_options" >"$lab/jvm-options"
	# The jars one by one and first: classes are shared only along the same class path.
	jars=$(printf '%s:' "$lab"/share/hadoop/lib/*.jar)
	printf '%s\n' "${jars%:}" >"$lab/jars"
	printf -- '-XX:SharedArchiveFile=%s\n-cp %s\n' "$classes" "$jars$lab/etc/hadoop:job.jar/job.jar:job.jar/classes:job.jar/lib/*:*" >"$lab/task-options"
	for command in hadoop hdfs yarn mapred; do
		ln -sfn "$scripts/hadoop/command.sh" "$lab/bin/$command"
	done
}

# share_classes makes an archive of the classes as they are in memory, which spares each
# JVM half of its start. The client of a small job, which runs in its application master
# alone, and this master tell which classes.
share_classes() {
	local work=$lab/data/tmp/classes
	[[ ! -e $classes ]] || return 0
	printf '%s: making an archive of classes\n' "$name" >&2
	rm -rf "$work"
	mkdir -p "$work"
	if ! HADOOP_CLIENT_OPTS="-Xshare:off -XX:DumpLoadedClassList=$work/client" "$lab/bin/hadoop" jar "$lab/share/hadoop/tools/lib/hadoop-streaming.jar" \
		-D mapreduce.job.ubertask.enable=true \
		-D "yarn.app.mapreduce.am.command-opts=$jvm_options -Xmx384m @$lab/task-options -Xshare:off -XX:DumpLoadedClassList=$work/master" \
		-input "file://$lab/etc/hadoop/core-site.xml" -output "file://$work/output" -mapper cat -reducer cat >"$lab/logs/classes.log" 2>&1 ||
		! awk '!/ source: / && !seen[$0]++' "$work/client" "$work/master" >"$work/list" ||
		! "$JAVA_HOME/bin/java" -Xshare:dump -XX:SharedClassListFile="$work/list" -XX:SharedArchiveFile="$classes.new" -cp "$(<"$lab/jars")" >>"$lab/logs/classes.log" 2>&1; then
		printf '%s: there is no archive of classes, all takes longer: see %s\n' "$name" "$lab/logs/classes.log" >&2
		return
	fi
	mv "$classes.new" "$classes"
	rm -rf "$work"
}

# --- the namespace ------------------------------------------------------------

make_namespace() {
	[[ -e /run/netns/$namespace ]] || ip netns add "$namespace" ||
		fail "the network namespace could not be made" "in a container: it needs CAP_SYS_ADMIN and CAP_NET_ADMIN"
	ip -n "$namespace" link set lo up
}

inside() { nsenter --net="/run/netns/$namespace" -- "$@"; }

# --- daemons ------------------------------------------------------------------

# pid_of DAEMON prints its pid; fails when it does not run. A pid file outlives
# its process, and another process may have got the number.
pid_of() {
	local pid
	pid=$(cat "$lab/pids/$1" 2>/dev/null) || return
	tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "hadoop.home.dir=$lab " || return
	printf '%s\n' "$pid"
}

all_run() {
	local daemon
	for daemon in "${daemons[@]}"; do
		pid_of "$daemon" >/dev/null || return
	done
}

start() { # DAEMON HEAP
	! pid_of "$1" >/dev/null || return 0
	(
		# What the caller has open, such as the file of a lock, is not the daemon's.
		for fd in /proc/"$BASHPID"/fd/*; do
			fd=${fd##*/}
			((fd < 3 || fd == 255)) || exec {fd}>&-
		done
		HADOOP_HEAPSIZE_MAX=$2 HADOOP_CONF_DIR=$lab/etc/hadoop \
			exec setsid "$lab/bin/hadoop" "$1" >"$lab/logs/$1.log" 2>&1 </dev/null
	) &
	# setsid, the command and nsenter become the JVM: the pid stays.
	echo $! >"$lab/pids/$1"
}

# stop DAEMON...: all at once, hard after 15 seconds.
stop() {
	local daemon pid end=$((SECONDS + 15))
	for daemon in "$@"; do
		if pid=$(pid_of "$daemon"); then kill "$pid"; fi
	done
	for daemon in "$@"; do
		while pid_of "$daemon" >/dev/null && ((SECONDS < end)); do sleep 0.1; done
		if pid=$(pid_of "$daemon"); then
			printf '%s: %s does not stop, it is killed\n' "$name" "$daemon" >&2
			kill -9 "$pid"
		fi
		rm -f "$lab/pids/$daemon"
	done
}

page() { # PORT/PATH [CURL OPTION]...
	inside curl -sf -m 30 "http://127.0.0.1:$1" "${@:2}"
}

# await DAEMON PATTERN PORT/PATH: until the page has the pattern.
await() {
	local end=$((SECONDS + 120))
	until page "$3" 2>/dev/null | grep -q "$2"; do
		# A daemon that has just been started is not yet its JVM.
		sleep 0.2
		if ((SECONDS >= end)) || ! kill -0 "$(cat "$lab/pids/$1")" 2>/dev/null; then
			tail -n 5 "$lab/logs/$1.log" >&2
			fail "the $1 did not come up" "its log: $lab/logs/$1.log"
		fi
	done
}

# --- commands -----------------------------------------------------------------

up() {
	check_machine
	if all_run; then
		return
	fi
	fetch_jars
	configure
	make_namespace
	if [[ ! -d $lab/data/namenode/current ]]; then
		"$lab/bin/hdfs" namenode -format -nonInteractive >"$lab/logs/format.log" 2>&1 ||
			fail "the NameNode could not be formatted" "its log: $lab/logs/format.log"
	fi
	start namenode 384m
	start datanode 256m
	start resourcemanager 384m
	start nodemanager 384m
	await datanode '"NumLiveDataNodes" : 1' '9870/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState'
	await namenode '"Safemode" : ""' '9870/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo'
	make_folder /tmp 1777
	make_folder /user 755
	make_folder "/user/$(id -un)" 755
	# Only now: when it finds no file system it sleeps for ten seconds.
	start historyserver 256m
	# Both: the ResourceManager counts a node for minutes that was killed.
	await nodemanager '"nodeHealthy":true' 8042/ws/v1/node/info
	await resourcemanager '"activeNodes":1' 8088/ws/v1/cluster/metrics
	await historyserver hadoopVersion 19888/ws/v1/history/info
	share_classes
}

# make_folder FOLDER MODE, over HTTP because a client of its own takes two seconds.
make_folder() {
	page "9870/webhdfs/v1$1?op=MKDIRS&permission=$2&user.name=$(id -un)" -X PUT >/dev/null ||
		fail "the folder $1 could not be made in HDFS" "the NameNode's log: $lab/logs/namenode.log"
}

down() {
	# A NodeManager that has lost its ResourceManager takes 30 seconds to stop.
	stop nodemanager
	stop historyserver resourcemanager datanode namenode
	if [[ -e /run/netns/$namespace ]]; then
		ip netns del "$namespace"
	fi
}

status() {
	local daemon pid result=0
	for daemon in "${daemons[@]}"; do
		if pid=$(pid_of "$daemon"); then
			awk -v d="$daemon" -v p="$pid" '/^VmRSS/ { printf "%-16s up    pid %-7d %4d MiB\n", d, p, $2 / 1024 }' "/proc/$pid/status"
		else
			printf '%-16s down\n' "$daemon"
			result=1
		fi
	done
	return $result
}

wipe() {
	down
	rm -rf "$lab"
}

environment() {
	printf 'export %s=%q\n' \
		HADOOP_HOME "$lab" \
		HADOOP_CONF_DIR "$lab/etc/hadoop" \
		HADOOP_STREAMING_JAR "$lab/share/hadoop/tools/lib/hadoop-streaming.jar" \
		STREAMING_JAR "$lab/share/hadoop/tools/lib/hadoop-streaming.jar" \
		HADOOP_RUN "nsenter --net=/run/netns/$namespace --"
	printf 'export PATH=%q:"%s"\n' "$lab/bin" "\$PATH"
}

run() {
	(($#)) || usage "run needs a command"
	[[ -e /run/netns/$namespace ]] || fail "hadoop is down" "$0 up"
	eval "$(environment)"
	exec nsenter --net="/run/netns/$namespace" -- "$@"
}

usage() { # MESSAGE
	printf '%s: error: %s\n%s: hint: see %s --help\n' "$name" "$1" "$name" "$name" >&2
	exit 2
}

case ${1:-} in
up | down | status | wipe)
	(($# == 1)) || usage "$1 takes no argument"
	"$1"
	;;
env) environment ;;
run)
	shift
	run "$@"
	;;
-h | --help) sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0" ;;
'') usage "a command is missing" ;;
*) usage "unknown command $1" ;;
esac

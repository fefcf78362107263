#!/usr/bin/env bash
# Summary: The commands hadoop, hdfs, yarn and mapred of the one-node Hadoop
# Usage: hadoop|hdfs|yarn|mapred SUBCOMMAND [ARGUMENT]...
#
# scripts/hadoop.sh links this file under those names into the bin folder of its
# Hadoop. The jars come without the scripts of a binary distribution, so the
# names of the main classes stand here. A command enters the network namespace
# of the daemons by itself.
set -euo pipefail

# Not resolved: the link's own place tells which Hadoop is meant.
lab=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
namespace=$(<"$lab/namespace")
jvm_options=$(<"$lab/jvm-options")
jars=$(<"$lab/jars")

# The NodeManager hands these to its tasks.
if [[ -z ${JAVA_HOME:-} ]]; then
	JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
fi
export JAVA_HOME HADOOP_HOME=$lab HADOOP_CONF_DIR=${HADOOP_CONF_DIR:-$lab/etc/hadoop}

# inside COMMAND...: becomes COMMAND, within the namespace.
inside() {
	if [[ $(readlink /proc/self/ns/net) == "net:[$(stat -Lc %i "/run/netns/$namespace" 2>/dev/null)]" ]]; then
		exec "$@"
	fi
	if [[ ! -e /run/netns/$namespace ]]; then
		printf '%s: error: hadoop is down\n%s: hint: scripts/hadoop.sh up\n' "${0##*/}" "${0##*/}" >&2
		exit 1
	fi
	exec nsenter --net="/run/netns/$namespace" -- "$@"
}

# run_class CLASS ARGUMENT...: becomes the JVM that runs CLASS.
run_class() {
	# Not as an option: its 12,000 characters would hide all others from ps.
	export CLASSPATH=$jars:$HADOOP_CONF_DIR${HADOOP_CLASSPATH:+:$HADOOP_CLASSPATH}
	# ResourceManager and NodeManager need java.lang opened on Java 17 (Guice
	# makes classes at run time).
	# shellcheck disable=SC2086 # options, separated by spaces
	inside "$JAVA_HOME/bin/java" $jvm_options --add-opens=java.base/java.lang=ALL-UNNAMED \
		"-Xmx${HADOOP_HEAPSIZE_MAX:-512m}" \
		-Djava.io.tmpdir="$lab/data/tmp" -Dhadoop.home.dir="$lab" -Dhadoop.log.dir="$lab/logs" \
		-XX:SharedArchiveFile="$lab/share/hadoop/classes.jsa" ${HADOOP_CLIENT_OPTS:-} "$@"
}

subcommand=${1:-}
shift || true
apache=org.apache.hadoop
case $subcommand in
fs | dfs) run_class $apache.fs.FsShell "$@" ;;
jar) run_class $apache.util.RunJar "$@" ;;
job) run_class $apache.mapred.JobClient "$@" ;;
application | app | applicationattempt | container) run_class $apache.yarn.client.cli.ApplicationCLI "$subcommand" "$@" ;;
node) run_class $apache.yarn.client.cli.NodeCLI "$@" ;;
logs) run_class $apache.yarn.client.cli.LogsCLI "$@" ;;
dfsadmin) run_class $apache.hdfs.tools.DFSAdmin "$@" ;;
fsck) run_class $apache.hdfs.tools.DFSck "$@" ;;
getconf) run_class $apache.hdfs.tools.GetConf "$@" ;;
version) run_class $apache.util.VersionInfo ;;
classpath) printf '%s\n' "$HADOOP_CONF_DIR:$lab/share/hadoop/lib/*" ;;
namenode) run_class $apache.hdfs.server.namenode.NameNode "$@" ;;
datanode) run_class $apache.hdfs.server.datanode.DataNode "$@" ;;
resourcemanager) run_class $apache.yarn.server.resourcemanager.ResourceManager "$@" ;;
nodemanager) run_class $apache.yarn.server.nodemanager.NodeManager "$@" ;;
historyserver) run_class $apache.mapreduce.v2.hs.JobHistoryServer "$@" ;;
# As with the real command, any other main class.
[a-z]*.*) run_class "$subcommand" "$@" ;;
*)
	printf '%s: error: there is no subcommand "%s"\n' "${0##*/}" "$subcommand" >&2
	exit 2
	;;
esac

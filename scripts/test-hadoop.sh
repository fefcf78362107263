#!/usr/bin/env bash
# Summary: The tests that need a real Hadoop, and the two engines compared
#
# Usage: test-hadoop.sh
#
# Starts the one-node Hadoop when it is down, and then stops it at the end.
#
# Exit status: 0 all passed; 1 not.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! scripts/hadoop.sh status >/dev/null; then
	trap 'scripts/hadoop.sh down' EXIT
	scripts/hadoop.sh up
fi
eval "$(scripts/hadoop.sh env)"
export ARCHIVESTREAM_REQUIRE=hadoop ARCHIVESTREAM_SLOW=1
failed=0
scripts/test.sh -run '^TestHadoop' ./... || failed=1
scripts/compare-engines.sh || failed=1
exit $failed

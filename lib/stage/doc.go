// Package stage is the ground of every mapper and reducer: options, lines,
// key groups, counters, rejected records, side files and the exit status. It is
// the only place that knows the protocol of hadoop-streaming, which the
// embedded engine (lib/engine) speaks too.
//
// # Lines
//
// A stage reads lines from standard input and writes lines to standard output.
// A line ends in a line feed; one that is longer than --max-line (128 MiB) is
// rejected. Its fields are separated
// by tabs; the first fields are the key. Between two stages lines are sorted by
// the bytes of the key, as LC_ALL=C sort does it.
//
// A field that could hold any byte is escaped: a backslash becomes \\, a tab
// \t, a line feed \n, a carriage return \r and every other byte below 0x20
// \xHH with two lower-case hexadecimal digits. Nothing else is changed: no
// character encoding is assumed. Because no byte below the tab is left, a sort
// of whole lines orders keys as a sort of the key fields does, whatever engine
// sorts.
//
// # Options
//
// Each option --NAME can also be given as environment variable stage_NAME
// (dashes as underscores), which is how -D stage.NAME=VALUE of a job reaches
// its tasks, with spaces and quotes in VALUE.
//
// # Counters, status, rejects
//
// Counters and status go to standard error as hadoop-streaming reads them:
//
//	reporter:counter:GROUP,NAME,N
//	reporter:status:TEXT
//
// GROUP is the stage's name. On a terminal a summary is printed instead.
//
// A record that cannot be processed is rejected: counted, written to the
// rejects and left out. Under an engine the rejects of a task are its side file
// _rejects/STAGE-{m|r}-NNNNN.tsv; in a plain pipe they go to the file that
// --rejects names, or to standard error. A line of it has three fields, the
// last two escaped: stage, reason, input. The input of a rejected line is that
// line, up to 8 KiB of it. After the 10,000 rejects of a task that are kept, or 16 MiB
// of them (--keep-rejects, --keep-reject-bytes), follows a line of four fields for each
// kind of reason: stage, the reason with N for each number and without what is quoted,
// nothing, and how many were left out. The counter has all. Damage by which nothing is
// left out is a warning: it stands among the rejects, its reason behind "warning: ", and
// has a counter of its own.
//
// A task all of whose lines were rejected has not failed: under an engine that would
// run it four times and then end a job of which one file of many is bad. The job
// itself fails when nothing of all its input could be used (lib/jobfiles).
//
// # Side files
//
// Under an engine a side file is written into the attempt's work folder
// (mapreduce_task_output_dir), which the engine commits or throws away as a
// whole. In a plain pipe it is written into the folder that --output names,
// under a temporary name until it is complete.
//
// # Exit status
//
// 0 done, 1 failed, 2 usage. Everything written is flushed and checked before a
// stage is done: a full disk is a failure.
package stage

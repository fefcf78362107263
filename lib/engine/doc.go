// Package engine runs hadoop-streaming jobs on one machine, without Hadoop and
// Java: the same command line, the same environment of the tasks, splits,
// partitions, order, attempts, commits and counters as Hadoop 3.4.
//
// # What happens
//
// Inputs are cut into splits, one map task each. Tasks are numbered by the
// splits' size, largest first, as Hadoop submits them. A map task's program
// gets the lines of its split; what it prints is either its part file (no
// reducers) or sorted by GNU sort into one file per reducer. When all map tasks
// are done each reduce task merges its files. Each try of a task, an attempt,
// has a folder of its own under OUTPUT/_temporary; the attempt that wins is
// renamed once, and when all tasks have one, their files are moved into OUTPUT,
// side files and folders included. _SUCCESS is written last.
//
// A text line's key is its first stream.num.map.output.key.fields fields (one
// unless set); a line with fewer tabs gets one at its end, unless
// stream.map.output or stream.reduce.output is keyonlytext. A carriage return
// in what a program prints ends the line.
//
// # What differs from Hadoop
//
//   - Input lines end in a line feed only, as on Hadoop with
//     textinputformat.record.delimiter set to it. (Hadoop's NLineInputFormat
//     does not read that setting and ends lines at carriage returns too.)
//   - Lines with equal keys reach a reducer in the order of the inputs and of
//     the mappers' output, as in a pipe with a stable sort; Hadoop promises no
//     order.
//   - mapreduce.job.maps is the number of cores unless set (Hadoop: 2), and
//     mapreduce.{map,reduce}.speculative is false (Hadoop: true).
//   - A program that ends with status 0 before it has read its input is fine;
//     Hadoop fails it when the input was larger than the pipe.
//   - -n of KeyFieldBasedComparator is GNU sort's, which skips leading blanks.
//     A field that a key does not have is equal to an empty one.
//   - Tasks find their share of the cores in GOMAXPROCS.
//   - The combiner runs exactly once per map task and reducer.
//   - gzip is the only compression of inputs; outputs are plain text.
//   - A setting of more than 128 KiB does not reach the tasks; there is a
//     warning. On Hadoop no task starts.
//
// As on Hadoop, a reducer without input loses what it prints and counts, an
// input folder that holds folders is an error unless
// mapreduce.input.fileinputformat.input.dir.nonrecursive.ignore.subdirs=true,
// files whose names begin with _ or . are no input, and a byte order mark at the
// begin of a file is left out.
//
// # When a run ends early
//
// After a failure, SIGINT or SIGTERM all programs are killed and everything is
// removed that the run made. With engine.resume=true a failed run, one that was
// killed, and one whose engine.driver.pid ended leave OUTPUT/_temporary with
// the finished tasks; the next run with the same arguments, inputs and -files
// (size and time of change) does only the others. When the engine itself is
// killed its programs die with it.
package engine

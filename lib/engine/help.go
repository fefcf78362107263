package engine

const helpText = `run-streaming runs a hadoop-streaming job on this machine.

Usage: run-streaming [OPTION VALUE]… -input PATH -output DIR -mapper COMMAND

  -D KEY=VALUE            configuration; tasks see it as environment variable
  -files PATH[#NAME],…    files that appear in each task's folder
  -input PATH,…           files, folders or globs; can be repeated
  -output DIR             made by the job, must not be there
  -mapper COMMAND         reads lines of a split, prints KEY TAB VALUE
  -combiner COMMAND       reduces the sorted lines of each map task
  -reducer COMMAND|NONE   reads lines sorted by key; NONE: maps only
  -numReduceTasks N       default 1
  -inputformat CLASS      org.apache.hadoop.mapred.TextInputFormat (default) or
                          org.apache.hadoop.mapred.lib.NLineInputFormat
  -partitioner CLASS      org.apache.hadoop.mapred.lib.HashPartitioner (default)
                          or
                          org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner
  -cmdenv NAME=VALUE      environment variable of the tasks
  -lazyOutput             no part file for a task that prints nothing

Settings of the engine, with -D:
  mapreduce.local.map.tasks.maximum, mapreduce.local.reduce.tasks.maximum
                          tasks at a time (default: cores)
  mapreduce.job.maps      wanted number of map tasks (default: cores)
  mapreduce.task.io.sort.mb  memory of each sort, MiB (default 32)
  engine.resume=true      keep what finished tasks made when the run is killed
                          or fails, and go on from there
  engine.driver.pid=PID   stop when that process ends

Exit status: 0 done; 1 failed; 2 usage; 128 and more stopped by a signal.
Example: run-streaming -input words.txt -output counted -mapper cat \
           -reducer 'uniq -c'
`

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const programName = "run-streaming"

// errDriverGone says that the process of engine.driver.pid has ended.
var errDriverGone = errors.New("the job script that started this run has ended")

// Main runs a command line of hadoop-streaming on this machine and returns the
// exit status: 0 done, 1 failed, 2 usage. Progress, counters and errors go to
// stderr; stdout gets the help text only.
func Main(args []string, stdout, stderr io.Writer) int {
	// Caught rather than ignored, which the tasks would inherit: a closed
	// standard error must not end the run before it has cleaned up.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(stop)
	go func() {
		select {
		case s := <-stop:
			cancel(stopped(s.(syscall.Signal)))
		case <-ctx.Done():
		}
	}()
	status := Run(ctx, args, stdout, stderr)
	// A signal that comes when all is done changes nothing.
	if s, ok := errors.AsType[stopped](context.Cause(ctx)); ok && status != 0 {
		return 128 + int(s)
	}
	return status
}

// stopped is the signal that has stopped the job.
type stopped syscall.Signal

func (s stopped) Error() string {
	return fmt.Sprintf("stopped by signal %d (%v)", int(s), syscall.Signal(s))
}

// Run is Main without signals: the end of ctx stops the job.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a, err := parseArguments(args)
	if err != nil {
		return report(stderr, err)
	}
	if a.help {
		fmt.Fprint(stdout, helpText)
		return 0
	}
	j, err := newJob(ctx, a)
	if err != nil {
		return report(stderr, err)
	}
	totals, err := j.execute(ctx, stderr)
	if err != nil {
		return report(stderr, err)
	}
	totals.print(stderr)
	if n := totals.user(); n > hadoopCounterLimit {
		fmt.Fprintf(stderr, "%s: warning: %d counters, of which Hadoop takes %d at most\n", programName, n, hadoopCounterLimit)
	}
	return 0
}

// execute makes the work folder, runs both phases and commits.
func (j *job) execute(ctx context.Context, log io.Writer) (*counters, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if j.driver > 0 {
		go func() {
			waitForDeath(j.driver)
			cancel(errDriverGone)
		}()
	}
	if j.reduces > 0 {
		if err := checkSort(); err != nil {
			return nil, err
		}
	}
	if err := j.shareEnvironment(log); err != nil {
		return nil, err
	}
	var err error
	if j.work, err = openWork(j.output, j.fingerprint, j.resume); err != nil {
		return nil, err
	}
	totals := newCounters()
	err = j.runPhases(ctx, totals, log)
	if err == nil {
		return totals, nil
	}
	keep := j.resume && (ctx.Err() == nil || errors.Is(err, errDriverGone))
	return nil, errors.Join(err, j.work.discard(keep))
}

func (j *job) runPhases(ctx context.Context, totals *counters, log io.Writer) error {
	maps, reduces := j.tasks()
	shown := &progress{log: log, reduces: len(reduces) > 0}
	if j.work.state.Phase == phaseRunning {
		if err := j.runTasks(ctx, maps, reduces, totals, shown, log); err != nil {
			return err
		}
	} else {
		// The earlier run was killed between its last task and its end.
		totals.merge(j.work.state.Counters)
	}
	var names []string
	for _, t := range append(maps, reduces...) {
		names = append(names, "task_"+t.id)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := j.work.commit(names, totals); err != nil {
		return err
	}
	shown.put(1, 1)
	return nil
}

func (j *job) runTasks(ctx context.Context, maps, reduces []*task, totals *counters, shown *progress, log io.Writer) error {
	var err error
	if j.spawner, err = newSpawner(); err != nil {
		return err
	}
	defer j.spawner.close()
	first := &phase{job: j, limits: j.maps, tasks: maps, totals: totals, log: log,
		status: func(done float64) { shown.put(done, 0) }}
	if err := first.run(ctx); err != nil {
		return err
	}
	second := &phase{job: j, limits: j.reds, tasks: reduces, totals: totals, log: log,
		status: func(done float64) { shown.put(1, done) }}
	return second.run(ctx)
}

// tasks numbers the job's tasks.
func (j *job) tasks() (maps, reduces []*task) {
	for i := range j.splits {
		maps = append(maps, &task{id: j.taskID('m', i), index: i, split: &j.splits[i]})
	}
	for i := range j.reduces {
		reduces = append(reduces, &task{id: j.taskID('r', i), index: i})
	}
	return maps, reduces
}

// progress prints lines as Hadoop's client does, when they change.
type progress struct {
	log     io.Writer
	reduces bool
	last    string
}

func (p *progress) put(maps, reduces float64) {
	if !p.reduces && maps < 1 {
		reduces = 0
	}
	line := fmt.Sprintf(" map %d%% reduce %d%%\n", int(maps*100), int(reduces*100))
	if line != p.last {
		p.last = line
		io.WriteString(p.log, line)
	}
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// phase runs the tasks of one kind: a queue, retries, second attempts of slow
// tasks, and commits. Everything but the attempts themselves happens in one
// goroutine, so that of two attempts that end together one is committed.
type phase struct {
	job    *job
	limits phaseLimits
	tasks  []*task
	totals *counters
	status func(done float64) // told about progress
	log    io.Writer

	began     time.Time
	queue     []*task
	open      int // tasks that are neither done nor given up
	given     int
	busy      int // attempts that run
	results   chan result
	durations time.Duration // of the attempts that were committed
	committed int
}

type result struct {
	attempt *attempt
	err     error
}

var errSuperseded = errors.New("another attempt was faster")

const (
	slowerThanMean = 1.5 // a task that takes this many times the mean is slow
	slowAtLeast    = time.Second
	progressEvery  = 500 * time.Millisecond
	removeAttempts = 3
)

// run returns when all tasks are done, or, with an error, when the first
// failed for good or ctx ended; no attempt runs any more then.
func (p *phase) run(ctx context.Context) error {
	p.began = time.Now()
	p.results = make(chan result, p.limits.slots+1)
	for _, t := range p.tasks {
		if sums, ok := p.job.work.finished("task_" + t.id); ok {
			t.done = true
			p.totals.merge(sums)
			continue
		}
		t.running = map[*attempt]bool{}
		p.queue = append(p.queue, t)
		p.open++
	}
	err := p.loop(ctx)
	for _, t := range p.tasks {
		for a := range t.running {
			a.cancel(errSuperseded)
		}
	}
	for ; p.busy > 0; p.busy-- {
		p.remove((<-p.results).attempt)
	}
	return err
}

func (p *phase) loop(ctx context.Context) error {
	progress := time.NewTicker(progressEvery)
	defer progress.Stop()
	for p.open > 0 {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		for p.busy < p.limits.slots && len(p.queue) > 0 {
			t := p.queue[0]
			p.queue = p.queue[1:]
			p.start(ctx, t)
		}
		wait, slow := p.slowest()
		if slow != nil && wait <= 0 {
			fmt.Fprintf(p.log, "%s: second attempt of task_%s, which is slow\n", programName, slow.id)
			p.start(ctx, slow)
			continue
		}
		var alarm <-chan time.Time
		if slow != nil {
			alarm = time.After(wait)
		}
		select {
		case r := <-p.results:
			p.busy--
			if err := p.settle(ctx, r); err != nil {
				return err
			}
		case <-alarm:
		case <-progress.C:
			p.status(p.done())
		case <-ctx.Done():
		}
	}
	return nil
}

// done is how much of the phase's work is done, 0 to 1.
func (p *phase) done() float64 {
	if len(p.tasks) == 0 {
		return 1
	}
	sum := 0.0
	for _, t := range p.tasks {
		best := 0.0
		if t.done || t.given {
			best = 1
		}
		for a := range t.running {
			best = max(best, a.progress())
		}
		sum += best
	}
	return sum / float64(len(p.tasks))
}

// slowest finds the task that should get a second attempt first, and how long
// until then: one with a single attempt that runs clearly longer than the
// finished ones took, when a slot is free and nothing waits for it.
func (p *phase) slowest() (time.Duration, *task) {
	if !p.limits.speculative || p.committed == 0 || len(p.queue) > 0 || p.busy >= p.limits.slots {
		return 0, nil
	}
	mean := p.durations / time.Duration(p.committed)
	limit := max(slowAtLeast, time.Duration(slowerThanMean*float64(mean)))
	var slowest *task
	var rest time.Duration
	for _, t := range p.tasks {
		if t.done || len(t.running) != 1 {
			continue
		}
		for a := range t.running {
			wait := limit - (time.Since(p.began) - time.Duration(a.began))
			if slowest == nil || wait < rest {
				slowest, rest = t, wait
			}
		}
	}
	return rest, slowest
}

func (p *phase) start(ctx context.Context, t *task) {
	a := &attempt{task: t, counters: newCounters(), began: int64(time.Since(p.began))}
	a.id = fmt.Sprintf("attempt_%s_%d", t.id, t.attempts)
	a.dir = p.job.work.attempt(a.id)
	ctx, a.cancel = context.WithCancelCause(ctx)
	t.attempts++
	t.running[a] = true
	p.busy++
	p.totals.add(groupJob, "Launched "+t.kind()+" tasks", 1)
	go func() { p.results <- result{a, p.job.run(ctx, a)} }()
}

// settle takes an attempt that has ended.
func (p *phase) settle(ctx context.Context, r result) error {
	a, t := r.attempt, r.attempt.task
	delete(t.running, a)
	defer a.cancel(nil)
	switch {
	case t.done || t.given:
		p.remove(a)
		return nil
	case r.err == nil:
		return p.commit(a)
	}
	p.remove(a)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	t.failures++
	p.totals.add(groupJob, "Failed "+t.kind()+" tasks", 1)
	if status, ok := errors.AsType[exitStatus](r.err); ok && status == unusable {
		return fmt.Errorf("task_%s failed, in %s: %w", t.id, a.id, r.err)
	}
	if t.failures < p.limits.attempts {
		fmt.Fprintf(p.log, "%s: %s failed and is tried again: %v\n", programName, a.id, r.err)
		if len(t.running) == 0 {
			p.queue = append([]*task{t}, p.queue...)
		}
		return nil
	}
	t.given = true
	p.open--
	p.given++
	if p.given*100 > p.limits.failures*len(p.tasks) {
		return fmt.Errorf("task_%s failed %d times, last in %s: %w", t.id, t.failures, a.id, r.err)
	}
	fmt.Fprintf(p.log, "%s: task_%s failed %d times, its output is missing: %v\n", programName, t.id, t.failures, r.err)
	p.supersede(t)
	return nil
}

// supersede ends the attempts of a task that is settled.
func (p *phase) supersede(t *task) {
	for a := range t.running {
		p.totals.add(groupJob, "Killed "+t.kind()+" tasks", 1)
		a.cancel(errSuperseded)
	}
}

func (p *phase) commit(a *attempt) error {
	t := a.task
	if err := p.job.work.commitTask(a.id, "task_"+t.id); err != nil {
		return err
	}
	t.done = true
	p.open--
	p.committed++
	p.durations += time.Since(p.began) - time.Duration(a.began)
	p.totals.merge(a.counters.sums)
	p.supersede(t)
	return nil
}

// remove clears away an attempt that does not count.
func (p *phase) remove(a *attempt) {
	var err error
	// What a killed process still writes can get in between once.
	for range removeAttempts {
		if err = os.RemoveAll(a.dir); err == nil {
			return
		}
	}
	fmt.Fprintf(p.log, "%s: warning: %v\n", programName, err)
}

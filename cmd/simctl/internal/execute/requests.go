package execute

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/sim"
)

// replay is a runner that has no nodes: one that replays requests, or trials.
type replay interface {
	// Ask makes it ask now and then whether to continue.
	Ask(func(done, total int64) bool)
	// Err is why the last run has no result.
	Err() error
	// Path is the file that it reads, "" if it reads none, and Input what it found.
	Path() string
	Input() []string
	// LeftOut is how many of its lines were not used, of how many, and Caution what else
	// makes the result worth less than it seems.
	LeftOut() (n, of int64)
	Caution() string
	// Bound changes the bytes that it may keep.
	Bound(memory int64)
	// Span is how long the requests of the last run take, below 0 if no time passes in it.
	Span() time.Duration
}

// refusing is a replay of a log that knows which clients were refused something.
type refusing interface {
	EachRefused(do func(name string, requests, refused int64))
}

// replays are the replays of requests that a point is made of. A run of an engine is
// short and there are many; a replay may be one of hours, so it is asked while it runs
// whether to continue, and tells how far it is.
type replays struct {
	ctx      context.Context
	memory   int64          // that each may keep, 0 is as they are
	progress func(Progress) // nil if there are several runs: then they are counted

	mu      sync.Mutex
	list    []replay
	stopped bool // before the end of its requests
}

// watched is the program with its replays watched, if it is one of replays.
func (r *replays) watched(p sim.Program) sim.Program {
	newWorld := p.NewWorld
	p.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := newWorld(c)
		if one, ok := w.(replay); ok {
			r.watch(one)
		}
		return w, err
	}
	return p
}

func (r *replays) watch(w replay) {
	r.mu.Lock()
	r.list = append(r.list, w)
	r.mu.Unlock()
	if r.memory > 0 {
		w.Bound(r.memory)
	}
	w.Ask(func(done, total int64) bool {
		if r.progress != nil {
			r.progress(Progress{Total: 1, Part: done, Whole: total, Bytes: w.Path() != ""})
		}
		if r.ctx.Err() == nil {
			return true
		}
		r.mu.Lock()
		r.stopped = true
		r.mu.Unlock()
		return false
	})
}

// err is why one of them failed, if one did.
func (r *replays) err() error {
	for _, one := range r.list {
		if err := one.Err(); err != nil {
			return err
		}
	}
	return nil
}

// inputs adds what was read, which is known only now.
func (r *replays) inputs() (list []result.Input, span time.Duration) {
	for _, one := range r.list {
		path := filepath.ToSlash(one.Path())
		if path == "" || len(one.Input()) == 0 {
			span = min(one.Span(), 0)
			continue
		}
		for _, line := range one.Input() {
			list = append(list, result.Input{Path: path, Summary: line})
		}
		if log, ok := one.(refusing); ok {
			log.EachRefused(func(name string, requests, refused int64) {
				list = append(list, result.Input{Path: path, Client: name, Requests: requests, Refused: refused,
					Summary: fmt.Sprintf("  %s: %d of its %d requests are over the limit", name, refused, requests)})
			})
		}
		list[0].LeftOut, list[0].Lines = one.LeftOut()
		list[0].Caution = one.Caution()
		return list, one.Span()
	}
	return nil, span
}

// readInto adds what the replays of a point have read to the report, once, and how long
// their requests take.
func readInto(r *reports.Run, inputs []result.Input, span int64) {
	known := map[result.Input]bool{}
	for _, i := range r.Inputs {
		known[i] = true
	}
	for _, i := range inputs {
		if !known[i] {
			r.Inputs = append(r.Inputs, i)
		}
	}
	if span != 0 {
		r.UntilNS = max(span, 0)
	}
}

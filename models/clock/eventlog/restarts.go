package eventlog

import (
	"fmt"
	"strconv"
)

// restarts are the executions of a log without delimiters, told by their counters: every
// host of it counts from 1 again.
type restarts struct {
	of    []int32 // the execution of each event, from 0
	count int32
	line  int // where the second begins
}

// restarts finds executions that stand one behind the other, or one behind the other for
// each host. A log has one if a host does not begin again with the others, or if none goes
// back: then its first event may just be counted twice.
func (l *Log) restarts(hosts int) restarts {
	at, last := make([]int32, hosts), make([]uint64, hosts)
	one := restarts{count: 1}
	r := restarts{of: make([]int32, len(l.Events))}
	back := false
	for i := range l.Events {
		e := &l.Events[i]
		switch {
		case e.Count != 1 && last[e.Host] == 0:
			return one
		case e.Count == 1 && last[e.Host] > 0:
			back = back || last[e.Host] > 1
			if at[e.Host]++; r.line == 0 {
				r.line = int(e.Line)
			}
		}
		r.of[i], last[e.Host] = at[e.Host], e.Count
		r.count = max(r.count, at[e.Host]+1)
	}
	for h, n := range at {
		if last[h] > 0 && n+1 != r.count {
			return one
		}
	}
	if !back {
		return one
	}
	return r
}

// pickRestart keeps the events of one execution of a log that no delimiter parts.
func (r *reader) pickRestart() error {
	if r.parted {
		return nil
	}
	runs, wanted := r.log.restarts(len(r.clock.hosts)), r.options.Execution
	if runs.count == 1 {
		if wanted != "" && r.delimiter == nil {
			return fmt.Errorf("execution %q: the log has no delimiter of executions", excerpt(wanted))
		}
		return nil
	}
	e := &ExecutionsError{Picked: wanted, Restart: runs.line}
	for i := range min(runs.count, maxExecutions) {
		number := strconv.Itoa(int(i) + 1)
		e.Names = append(e.Names, "#"+number)
		if wanted == "#"+number || wanted == number {
			r.log.Execution = "#" + number
			r.log.keep(runs.of, i)
			return nil
		}
	}
	return e
}

// keep keeps the events of one execution.
func (l *Log) keep(of []int32, execution int32) {
	kept := l.Events[:0]
	for i, e := range l.Events {
		if of[i] == execution {
			kept = append(kept, e)
		}
	}
	l.Events = kept
}

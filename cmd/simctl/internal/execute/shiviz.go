package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/models/clock/eventlog"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Limits of an export: the run is kept in memory while its log is written, about a
// kilobyte for each step, and a line of the log has a counter for each node.
const (
	MaxExportSteps    = 1_000_000
	maxExportCounters = 50_000_000 // of all lines, if each knew of each node: about a gigabyte
)

// Exportable says why the first run of a scenario is too long for an export, before
// anything of it is kept.
func Exportable(ctx context.Context, s *format.Scenario) error {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	r, err := abandon(ctx, s.Name, patience, func() (*sim.Result, error) { return w.Run(s.Seed), nil })
	if err != nil {
		return err
	}
	if o := w.Order(); o != nil {
		return fits(s.Name, "events", uint64(o.Len()), uint64(len(s.Program.Nodes)))
	}
	return fits(s.Name, "steps", r.Steps, uint64(len(s.Program.Nodes)))
}

func fits(name, what string, steps, nodes uint64) error {
	const remedy = "--set until=... ends it sooner"
	switch {
	case steps > MaxExportSteps:
		return fmt.Errorf("%s: --export: the run has %d %s, and a log at most %d: %s", name, steps, what, MaxExportSteps, remedy)
	case steps*nodes > maxExportCounters:
		return fmt.Errorf("%s: --export: the run has %d %s of %d nodes, and the clocks of a log at most %d counters: %s",
			name, steps, what, nodes, maxExportCounters, remedy)
	}
	return nil
}

// ShiViz writes the first run of a scenario as a log with vector clocks, as ShiViz and
// simctl order read it. The scenario is [Exportable]. The events are those of the model, or
// of a model without events of its own the steps of its nodes and what was done to them.
func ShiViz(s *format.Scenario, out io.Writer) error {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	log, err := eventlog.NewWriter(out, s.Program.Nodes...)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	nodes := len(s.Program.Nodes)
	if s.Program.Ordered {
		w.Run(s.Seed)
		o := w.Order()
		err = causally(o.Len(), nodes, func(i int) caused {
			e := o.Event(i)
			return caused{e.Node, e.From}
		}, func(i int, v clock.Vector) error {
			e := o.Event(i)
			return log.Add(int(e.Node)-1, v, e.At.String()+" "+e.Text)
		})
		return errors.Join(err, log.Flush())
	}
	j := &sim.Journal{}
	w.Watch(sim.Watch{Journal: j})
	if p := w.Run(s.Seed).Panic; p != nil {
		panicked(j, p)
	}
	err = causally(len(j.Entries), nodes, func(i int) caused { return cause(j, i) }, func(i int, v clock.Vector) error {
		e := &j.Entries[i]
		return log.Add(int(e.Node)-1, v, account(e))
	})
	return errors.Join(err, log.Flush())
}

// panicked completes the step that a panic has cut short.
func panicked(j *sim.Journal, p *sim.Panic) {
	for i := len(j.Entries) - 1; i >= 0; i-- {
		if e := &j.Entries[i]; e.Step > 0 {
			e.Text = fmt.Sprintf("panicked, handling %s: %s", p.Message, p.Value)
			return
		}
	}
}

// caused is whose event it is, none if it is no event, and which event of another node
// sent what it handles, -1 if none did.
type caused struct {
	node sim.NodeID
	from int
}

// causally gives the events of a run their vector clocks, in the order of the run: visit
// gets each with its clock, which is good until visit returns. An event comes after the one
// before it on its node, and after the one that sent what it handles.
func causally(events, nodes int, of func(i int) caused, visit func(i int, v clock.Vector) error) error {
	unread := make([]int32, events) // messages of the event that are still to be received
	for i := range events {
		if c := of(i); c.node != sim.None && c.from >= 0 {
			unread[c.from]++
		}
	}
	now := make([]clock.Vector, nodes+1) // by node
	for id := range now {
		now[id] = make(clock.Vector, nodes)
	}
	sent := map[int]clock.Vector{} // by event, while there is something unread
	for i := range events {
		c := of(i)
		if c.node == sim.None {
			continue
		}
		v := now[c.node]
		if c.from >= 0 {
			if err := v.Merge(sent[c.from]); err != nil {
				return err
			}
			if unread[c.from]--; unread[c.from] == 0 {
				delete(sent, c.from)
			}
		}
		v.Tick(int(c.node) - 1)
		if unread[i] > 0 {
			sent[i] = slices.Clone(v)
		}
		if err := visit(i, v); err != nil {
			return err
		}
	}
	return nil
}

// cause is what an entry of a journal is. The events are the steps of nodes, and what was
// done to them; what became of a message in the network is none. A timer says nothing about
// other nodes, and what a node does after a crash comes after what it did before.
func cause(j *sim.Journal, i int) caused {
	e := &j.Entries[i]
	switch {
	case e.To != sim.None:
		return caused{sim.None, -1}
	case e.Step == 0 || e.Cause < 0 || j.Entries[e.Cause].Node == e.Node:
		return caused{e.Node, -1}
	}
	return caused{e.Node, e.Cause}
}

// account is an event in words, with the true time of it.
func account(e *sim.Entry) string {
	text := strings.TrimSpace(e.Text)
	if text == "" {
		text = strings.Join(slices.Concat(e.Description, e.Detail), "; ")
	}
	return e.At.String() + " " + text
}

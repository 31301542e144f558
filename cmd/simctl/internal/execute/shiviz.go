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
	"fencepost/scenarios"
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
func Exportable(ctx context.Context, s *scenarios.Scenario) error {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	r, err := abandon(ctx, s.Name, patience, func() (*sim.Result, error) { return w.Run(s.Seed), nil })
	if err != nil {
		return err
	}
	return fits(s.Name, r.Steps, uint64(len(s.Program.Nodes)))
}

func fits(name string, steps, nodes uint64) error {
	const remedy = "--set until=... ends it sooner"
	switch {
	case steps > MaxExportSteps:
		return fmt.Errorf("%s: --export: the run has %d steps, and a log at most %d: %s", name, steps, MaxExportSteps, remedy)
	case steps*nodes > maxExportCounters:
		return fmt.Errorf("%s: --export: the run has %d steps of %d nodes, and the clocks of a log at most %d counters: %s",
			name, steps, nodes, maxExportCounters, remedy)
	}
	return nil
}

// ShiViz writes the first run of a scenario as a log with vector clocks, as ShiViz and
// simctl order read it. The scenario is [Exportable].
func ShiViz(s *scenarios.Scenario, out io.Writer) error {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	j := &sim.Journal{}
	w.SetJournal(j)
	if p := w.Run(s.Seed).Panic; p != nil {
		panicked(j, p)
	}
	log, err := eventlog.NewWriter(out, s.Program.Nodes...)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	err = causally(j, len(s.Program.Nodes), func(e *sim.Entry, v clock.Vector) error {
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

// causally gives the events of a run their vector clocks, in the order of the run. The
// events are the steps of nodes, and what was done to them; what became of a message in
// the network is none. An event comes after the one before it on its node and, if it
// handles a message of another node, after the step that sent it: a timer says nothing
// about other nodes, and what a node does after a crash comes after what it did before.
// The clock v is good until visit returns.
func causally(j *sim.Journal, nodes int, visit func(e *sim.Entry, v clock.Vector) error) error {
	unread := make([]int32, len(j.Entries)) // messages of the entry that are still to be received
	for i := range j.Entries {
		if from := sender(j, i); from >= 0 {
			unread[from]++
		}
	}
	now := make([]clock.Vector, nodes+1) // by node
	for id := range now {
		now[id] = make(clock.Vector, nodes)
	}
	sent := map[int]clock.Vector{} // by entry, while there is something unread
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Node == sim.None || e.To != sim.None {
			continue
		}
		v := now[e.Node]
		if from := sender(j, i); from >= 0 {
			if err := v.Merge(sent[from]); err != nil {
				return err
			}
			if unread[from]--; unread[from] == 0 {
				delete(sent, from)
			}
		}
		v.Tick(int(e.Node) - 1)
		if unread[i] > 0 {
			sent[i] = slices.Clone(v)
		}
		if err := visit(e, v); err != nil {
			return err
		}
	}
	return nil
}

// sender is the entry of another node that sent what an entry handles, -1 if there is
// none.
func sender(j *sim.Journal, i int) int {
	e := &j.Entries[i]
	if e.Step == 0 || e.Cause < 0 || j.Entries[e.Cause].Node == e.Node {
		return -1
	}
	return e.Cause
}

// account is an event in words, with the true time of it.
func account(e *sim.Entry) string {
	text := strings.TrimSpace(e.Text)
	if text == "" {
		text = strings.Join(slices.Concat(e.Told, e.Detail), "; ")
	}
	return e.At.String() + " " + text
}

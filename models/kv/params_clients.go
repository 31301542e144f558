package kv

import (
	"fmt"
	"slices"

	"fencepost/internal/text"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// nameProblems are those of the names of clients: each names one node of the run.
func (p *Params) nameProblems(found *model.Errors) {
	taken := map[string]bool{"controller": true}
	for i := range p.clientCount() {
		if i >= len(p.Clients) || p.Clients[i].Name == "" {
			taken[p.clientName(uint32(i+1))] = true
		}
	}
	for i, c := range p.Clients {
		path := fmt.Sprintf("clients.%d.name", i)
		switch {
		case c.Name == "":
		case !isName(c.Name):
			found.Add(path, "%q is no name: want 1 to %d letters, digits and -, a letter first", text.Excerpt(c.Name, maxWord), maxWord)
		case taken[c.Name] || p.node(c.Name) != sim.None:
			found.Add(path, "the name %s is taken: want another one", c.Name)
		}
		taken[c.Name] = true
	}
}

func isName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(s) <= maxWord
}

// clientCount is the number of clients, with a script and without.
func (p *Params) clientCount() int {
	if p.Workload == nil {
		return len(p.Clients)
	}
	return len(p.Clients) + p.Workload.Clients
}

// nodeProblems are those of the nodes that a step names.
func (p *Params) nodeProblems(found *model.Errors, path string, s *ScriptStep) {
	for i, name := range append([]string{s.Via}, s.From...) {
		switch {
		case name != "" && p.node(name) == sim.None:
			found.Add(path, "no node %q: want node-1 to node-%d", text.Excerpt(name, maxWord), p.all())
			return
		case i > 0 && slices.Contains(s.From[:i-1], name):
			found.Add(path, "%s is named twice", name)
			return
		}
	}
	switch {
	case len(s.From) == 0:
	case p.all() > 63:
		found.Add(path, "from works with at most 63 nodes, there are %d", p.all())
	case p.Leader == nil && len(s.From) < p.r():
		found.Add(path, "a read waits for %d answers: want at least as many nodes to read from, got %d", p.r(), len(s.From))
	}
}

// mixProblems are those of a step after which the scripts have values and items: a store has
// the one or the other.
func (p *Params) mixProblems(found *model.Errors, path string, w *names, s *ScriptStep) {
	if len(*found) > 0 || len(w.items.list) == 0 {
		return
	}
	if op, writes := s.Verb.op(); writes && op != version.Delete && (len(w.values.list) > 0 || p.Workload != nil) {
		found.Add(path, "a store has values or items: want all scripts to put or cas, or all to add and remove, and no workload with items")
	}
}

package replicas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Versioning string `yaml:"versioning,oneof=client-vectors|server-vectors|vnode|dvv|dvvset|last-write-wins"` // dvvset
	Counter    string `yaml:"counter,oneof=read|own" of:"versioning=client-vectors"`                           // of client-vectors, what a client counts on from: read, what it has read; own, its own counter
	Merges     string `yaml:"merges,oneof=counted|uncounted" of:"versioning=server-vectors"`                   // of server-vectors, a write in the place of several siblings: counted
	Stamps     string `yaml:"stamps,oneof=wall|hybrid" of:"versioning=last-write-wins"`                        // of last-write-wins, the clock of the replica: wall
	Prune      *Prune `yaml:"prune" of:"versioning=client-vectors|server-vectors"`                             // of vectors: none

	Replicas  []string      `yaml:"replicas" many:"1..64" because:"of each value it is known by a bit which replicas have dropped it"` // their names: [a, b, c]
	Replicate string        `yaml:"replicate,oneof=at-once|never"`                                                                     // a write to all other replicas: at-once
	Sync      time.Duration `yaml:"sync" range:"0s..1000h"`                                                                            // how often a replica hands on what it keeps to the next one: 0s, never
	Disk      string        `yaml:"disk,oneof=kept|lost"`                                                                              // in a crash of a replica: kept
	Actor     string        `yaml:"actor,oneof=node|epoch"`                                                                            // a replica that has lost its disk continues under its id, or takes a new one: node
	Settle    time.Duration `yaml:"settle" range:"0s..1000h"`                                                                          // after the last write and the last fault, in which replicas reach agreement: twice sync for each replica

	Clients  []ClientParams `yaml:"clients" many:"0..1000"`      // two, that read and write ten times each
	Patience time.Duration  `yaml:"patience" range:"1ns..1000h"` // after which a client gives a request up: 1s
	Cart     string         `yaml:"cart,oneof=union|tombstones"` // how a client merges carts: union

	Final  []Final   `yaml:"final"`  // what replicas are to keep at the end
	Clocks []ClockOf `yaml:"clocks"` // the versions that values are to have
}

// ClientParams is a client and its script.
type ClientParams struct {
	Name   string        `yaml:"name"`                    // client-1, ...
	Start  time.Duration `yaml:"start" range:"0s..1000h"` // 0s
	Steps  []Step        `yaml:"steps,required" many:"1..1000"`
	Repeat *int          `yaml:"repeat" range:"1..1000000"` // how often: 1
	Think  sim.Dist      `yaml:"think" range:"0s..1000h"`   // between two times: 0s
}

// Prune is when a vector forgets: never with at most Small entries, and never while its
// oldest entry is younger than Young; else entries go, oldest first, while there are more
// than Big or the oldest is older than Old.
type Prune struct {
	Small int           `yaml:"small,required" range:"1..1000000"`
	Big   int           `yaml:"big,required" range:"1..1000000"`
	Young time.Duration `yaml:"young" range:"0s..1000h"` // 0s
	Old   time.Duration `yaml:"old" range:"0s..1000h"`   // 1000h
}

// Limits of the parameters.
const (
	maxWrites    = 2000 // in a run: what is kept can grow with each of them
	maxVersions  = 500  // the same where each value has a version, and each sync compares all with all
	maxAdditions = 64
	maxLength    = 1000 * time.Hour
	leastSync    = time.Millisecond
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Versioning: "dvvset", Counter: "read", Merges: "counted", Stamps: "wall", Replicas: []string{"a", "b", "c"},
		Replicate: "at-once", Disk: "kept", Actor: "node", Patience: time.Second, Cart: "union"}
}

// clients are the clients, with what their list leaves out.
func (p *Params) clients() []ClientParams {
	all := slices.Clone(p.Clients)
	if len(all) == 0 {
		ten := 10
		for _, replica := range p.Replicas[:min(2, len(p.Replicas))] {
			all = append(all, ClientParams{Repeat: &ten, Think: sim.Constant(10 * time.Millisecond),
				Steps: []Step{{Verb: ReadKey, Replica: replica}, {Verb: WriteKey, Replica: replica}}})
		}
	}
	for i := range all {
		if all[i].Name == "" {
			all[i].Name = fmt.Sprintf("client-%d", i+1)
		}
	}
	return all
}

func (c *ClientParams) repeat() int { return values.Or(c.Repeat, 1) }

// Problems is what is wrong with the parameters, with one reason for each of them.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	if slices.ContainsFunc(found, func(e model.ValidationError) bool { return e.Path == "replicas" || e.Path == "clients" }) {
		return found // the rest would take long
	}
	p.nameProblems(&found)
	found.If(p.Sync > 0 && p.Sync < leastSync, "sync", "want at least %v, or 0s for never, got %v", leastSync, p.Sync)
	prune := values.Or(p.Prune, Prune{})
	found.If(prune.Big < prune.Small, "prune", "want small <= big, got small %d, big %d", prune.Small, prune.Big)
	found.If(p.Actor == "epoch" && p.Disk != "lost", "actor", "a replica takes a new id when its disk is lost: want disk: lost")
	p.scriptProblems(&found)
	p.writtenProblems(&found)
	return found.OnePerPath()
}

func (p *Params) nameProblems(found *model.Errors) {
	var taken []string
	check := func(path, name string) {
		switch {
		case !isName(name):
			found.Add(path, "%q is no name: want 1 to %d letters, digits and -, a letter first", text.Excerpt(name, maxWord), maxWord)
		case slices.Contains(taken, name):
			found.Add(path, "the name %s is taken", name)
		}
		taken = append(taken, name)
	}
	for i, name := range p.Replicas {
		check(fmt.Sprintf("replicas.%d", i), name)
	}
	for i, c := range p.clients() {
		path := "replicas" // clash with the name of a client that has none of its own
		if i < len(p.Clients) {
			path = fmt.Sprintf("clients.%d.name", i)
		}
		check(path, c.Name)
	}
}

func isName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != "" && len(s) <= maxWord
}

func (p *Params) scriptProblems(found *model.Errors) {
	writes, additions := 0, 0
	for i, c := range p.Clients {
		path := fmt.Sprintf("clients.%d", i)
		for j, s := range c.Steps {
			at := fmt.Sprintf("%s.steps.%d", path, j)
			p.stepProblems(found, at, &s)
			if s.writes() {
				writes += c.repeat()
			}
			if s.Verb == AddItems {
				additions += len(s.Words)
			}
			found.If((s.Verb == AddItems || s.Verb == RemoveItem) && c.repeat() > 1, at, "a script with carts is played once: want repeat: 1, got %d", c.repeat())
		}
	}
	most := p.mostWrites()
	found.If(writes > most, "clients", "want at most %d writes in a run with %s, got %d: what is kept may grow with each of them", most, p.Versioning, writes)
	found.If(additions > maxAdditions, "clients", "want at most %d items added to carts, got %d: a cart has a bit for each", maxAdditions, additions)
}

func (p *Params) mostWrites() int {
	switch p.Versioning {
	case "client-vectors", "server-vectors", "dvv":
		return maxVersions
	}
	return maxWrites
}

func (p *Params) stepProblems(found *model.Errors, at string, s *Step) {
	known := func(name string) {
		found.If(!slices.Contains(p.Replicas, name), at, "%q is no replica: they are %v", text.Excerpt(name, maxWord), p.Replicas)
	}
	found.If(s.Length > maxLength, at, "want at most %v, got %v", maxLength, s.Length)
	if s.Replica == "" { // a wait, or a line that could not be read
		return
	}
	known(s.Replica)
	if s.Verb == SyncKey {
		known(s.Words[0])
		found.If(s.Words[0] == s.Replica, at, "%s has what it keeps already", s.Replica)
	}
}

func (p *Params) writtenProblems(found *model.Errors) {
	for i, f := range p.Final {
		found.If(!slices.Contains(p.Replicas, f.Replica), fmt.Sprintf("final.%d.replica", i), "%q is no replica: they are %v", text.Excerpt(f.Replica, maxWord), p.Replicas)
	}
	for i, c := range p.Clocks {
		found.If(!p.writesValue(c.Value), fmt.Sprintf("clocks.%d.value", i), "no step writes a value %q", text.Excerpt(c.Value, maxWord))
	}
}

// writesValue reports whether a step writes a value of that name; those without a name are
// v1, v2, and so on.
func (p *Params) writesValue(name string) bool {
	for _, c := range p.clients() {
		for _, s := range c.Steps {
			if (s.Verb == WriteKey || s.Verb == BlindWrite) && slices.Contains(s.Words, name) {
				return true
			}
		}
	}
	number, ok := strings.CutPrefix(name, "v")
	n, err := strconv.Atoi(number)
	return ok && err == nil && n > 0
}

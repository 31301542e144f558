package kv

import (
	"cmp"
	"slices"
	"strings"

	"fencepost/models/kv/version"
	"fencepost/sim/model"
)

// idleProblems are parameters that differ from what they are when left out, but on which
// nothing depends: a person who sets one expects an effect.
func (p *Params) idleProblems(found *model.Errors) {
	c, usual := &p.Conflict, version.DefaultPolicyParams()
	strategy := cmp.Or(p.Ring.Strategy, "ordered")
	for _, k := range []struct {
		path string
		set  bool
		is   string
		of   []string
	}{
		{"conflict.stamps", c.Stamps != usual.Stamps, c.Conflict, []string{"last-write-wins"}},
		{"conflict.resolution", c.Resolution != usual.Resolution, c.Conflict, []string{"last-write-wins"}},
		{"conflict.moved", c.Moved != usual.Moved, c.Conflict, []string{"last-write-wins-hlc"}},
		{"conflict.max-offset", c.MaxOffset != usual.MaxOffset, c.Conflict, []string{"last-write-wins-hlc"}},
		{"conflict.truncate", c.Truncate != usual.Truncate, c.Conflict, []string{"client-vectors", "server-vectors"}},
		{"ring.virtual-nodes", p.Ring.VirtualNodes != nil, strategy, []string{"hashed", "random"}},
		{"ring.partitions", p.Ring.Partitions != nil, strategy, []string{"partitions"}},
		{"ring.seed", p.Ring.Seed != 0, strategy, []string{"random"}},
		{"ring.hash", p.Ring.Hash != "", strategy, []string{"hashed", "random", "partitions", "explicit", "modulo"}},
	} {
		found.If(k.set && !slices.Contains(k.of, k.is), k.path, "without effect with %s: want it left out, or %s", k.is, strings.Join(k.of, " or "))
	}
}

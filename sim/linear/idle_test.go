package linear

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A history says whether an order could contradict it at all.
func TestIdle(t *testing.T) {
	op := func(k Kind, o Outcome) Op { return Op{Kind: k, Outcome: o} }
	for _, c := range []struct {
		model Model
		ops   []Op
		idle  bool
	}{
		{Register, nil, true},
		{Register, []Op{op(Write, OK), op(Write, Open)}, true},
		{Register, []Op{op(Write, OK), op(Read, Open), op(CAS, Failed)}, true},
		{Register, []Op{op(Write, OK), op(Read, OK)}, false},
		{Register, []Op{op(CAS, Refused)}, false},
		{KV, []Op{op(Append, OK)}, true},
		{Lock, []Op{op(Acquire, OK)}, false},
		{Lock, []Op{op(Acquire, Open)}, true},
		{Set, []Op{op(Add, OK), op(Remove, OK)}, true},
		{Counter, []Op{op(Add, OK)}, true},
		{Queue, []Op{op(Enqueue, OK)}, true},
		{Queue, []Op{op(Enqueue, OK), op(Dequeue, Refused)}, false},
	} {
		h := History{Model: c.model, Ops: c.ops}
		assert.Equal(t, c.idle, h.Idle() != "", "%v %v", c.model, c.ops)
	}
}

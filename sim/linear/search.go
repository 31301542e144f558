package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sort"

	"github.com/anishathalye/porcupine"
)

// A search looks for an order of the operations of one key with porcupine, which goes
// depth first through all that could be, and remembers each set of operations together
// with the state that they lead to.
//
// Porcupine has a bound in time and none in memory, and its bound in time leaves a
// goroutine behind. So the bounds are here, in the functions of the model that it calls:
// once one is hit no operation can take effect any more, and the search runs out of
// things to try. What is remembered can be counted exactly: porcupine asks for the hash
// of each state that it reaches, and adds it unless an equal one is found.
//
// Source: Lowe, "Testing for linearizability", Concurrency and Computation 2017.
type search struct {
	ctx    context.Context
	limits Limits
	seed   maphash.Seed
	steps  int64  // tried, over all keys
	memory int64  // bytes in use
	each   int64  // bytes of what is remembered once, but for the state
	bound  string // which was hit; "" is none
}

// Bytes that porcupine needs, measured with version 1.3.1 and rounded up: for an
// operation, and for a set of operations that is remembered, but for the set itself.
const (
	perOp    = 640
	perState = 192
)

// run reports whether there is an order, or else the bound that was hit.
func (s *search) run(m Model, ops []Op) (ok bool, bound string) {
	history := make([]porcupine.Operation, 0, len(ops))
	for i := range ops {
		if o := &ops[i]; !o.idle() {
			history = append(history, porcupine.Operation{Input: o, Call: o.Call, Return: o.end()})
		}
	}
	n := int64(len(history))
	s.memory, s.each, s.bound = n*perOp, perState+(n+63)/64*8, ""
	s.check()
	if n == 0 || s.bound != "" {
		return n == 0, s.bound
	}
	ok = porcupine.CheckOperations(porcupine.Model{
		Init:  m.start,
		Step:  func(state, op, _ any) (bool, any) { return s.step(m, state, op.(*Op)) },
		Equal: s.equal,
		Hash:  s.hash,
	}, history)
	return ok, s.bound
}

// check finds out whether a bound is hit.
func (s *search) check() {
	const seldom = 1 << 10 // steps from one look at the context to the next
	switch {
	case s.steps >= s.limits.Steps:
		s.bound = fmt.Sprintf("%d steps", s.limits.Steps)
	case s.memory > s.limits.Memory:
		s.bound = fmt.Sprintf("%d bytes of memory", s.limits.Memory)
	case s.steps%seldom == 0 && s.ctx.Err() != nil:
		s.bound = "time"
		if !errors.Is(s.ctx.Err(), context.DeadlineExceeded) {
			s.bound = "interrupted"
		}
	}
}

func (s *search) step(m Model, state any, o *Op) (bool, any) {
	if s.bound == "" {
		s.check()
	}
	if s.bound != "" {
		return false, nil
	}
	s.steps++
	return m.step(state, o)
}

// hash is called for each state that is reached, which will be remembered ...
func (s *search) hash(state any) uint64 {
	s.memory += s.each + beside(state)
	if text, ok := state.(string); ok {
		return maphash.String(s.seed, text)
	}
	return maphash.Comparable(s.seed, state)
}

// ... unless equal finds that it is.
func (s *search) equal(a, b any) bool {
	if a != b {
		return false
	}
	s.memory -= s.each + beside(a)
	return true
}

// beside is how many bytes a state takes that is more than a word.
func beside(state any) int64 {
	switch state := state.(type) {
	case string:
		return int64(len(state))
	case lease:
		return 56
	}
	return 0
}

// explain says at which return a history stops being linearizable. What has an order
// has one at any earlier instant too, so that the return can be found by halving.
func (s *search) explain(m Model, ops []Op) string {
	var returns []int // operations in the order in which they return
	for i := range ops {
		if o := &ops[i]; o.Outcome != Open && !o.idle() {
			returns = append(returns, i)
		}
	}
	slices.SortStableFunc(returns, func(a, b int) int { return cmp.Compare(ops[a].Return, ops[b].Return) })
	bounded := false
	k := sort.Search(len(returns), func(k int) bool {
		s.steps = 0
		ok, bound := s.run(m, until(ops, returns[:k+1]))
		bounded = bounded || bound != ""
		return !ok
	})
	if bounded || k == len(returns) {
		return fmt.Sprintf("there is no order of its %d operations", len(ops))
	}
	return fmt.Sprintf("there is an order of all that returned before the %v, and none with it", &ops[returns[k]])
}

// until returns the history as it was when the last of some operations returned: what
// returned after it was still open.
func until(ops []Op, returned []int) []Op {
	now := ops[returned[len(returned)-1]].Return
	early := slices.Clone(ops)
	for i := range early {
		if !early[i].idle() {
			early[i].Outcome = Open
		}
	}
	for _, i := range returned {
		early[i].Outcome = ops[i].Outcome
	}
	return slices.DeleteFunc(early, func(o Op) bool { return o.Call > now })
}

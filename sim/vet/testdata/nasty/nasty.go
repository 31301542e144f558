// Package nasty hides the wall clock and worse as its author can.
package nasty

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	. "time"

	"example/far"
	"example/fencepost/sim"
	"example/msg"
)

// Dot imports time.
type Dot struct{}

func (Dot) Step(in msg.In, out *msg.Out) {
	_ = Now() // want `^time.Now`
}

// Alias is another name for a type with a clock.
type Alias = far.Clock

type Aliased struct{ c Alias }

func (n Aliased) Step(in msg.In, out *msg.Out) {
	n.c.Read() // want `^Aliased.Step calls far.Clock.Read`
}

// Expression calls a method expression.
type Expression struct{}

func (Expression) Step(in msg.In, out *msg.Out) {
	f := far.Clock.Read // want `^Expression.Step calls far.Clock.Read`
	_ = f(far.Clock{})
}

// Embedded gets the clock from what it embeds.
type Embedded struct {
	far.Clock
	sync.Mutex
}

func (n *Embedded) Step(in msg.In, out *msg.Out) {
	n.Read() // want `^Embedded.Step calls far.Clock.Read`
	n.Lock() // want `sync.Mutex.Lock`
}

// Returned gets a function from a function.
type Returned struct{}

func (Returned) Step(in msg.In, out *msg.Out) { _ = maker()() }

func maker() func() Time {
	return func() Time {
		return Now() // want `^Returned.Step calls maker: time.Now`
	}
}

// Iterator hides it in a sequence.
type Iterator struct{}

func (Iterator) Step(in msg.In, out *msg.Out) {
	for t := range times() {
		_ = t
	}
}

func times() iter.Seq[Time] {
	return func(yield func(Time) bool) {
		yield(Now()) // want `^Iterator.Step calls times: time.Now`
	}
}

// Deferred does it on the way out, after a panic.
type Deferred struct{}

func (n Deferred) Step(in msg.In, out *msg.Out) {
	defer func() {
		if recover() != nil {
			_ = Now() // want `^time.Now`
		}
	}()
	panic("x")
}

// Chosen sets a variable of the package in a function that nobody seems to call.
type Chosen struct{}

var choice = func() Time { return Time{} }

func Choose() { choice = Now } // want `^Chosen.Step uses choice: time.Now`

func (Chosen) Step(in msg.In, out *msg.Out) {
	_ = choice() // want `the variable choice is read, which Choose writes`
}

// Nested keeps functions in a field of a field, set through a pointer.
type Nested struct{ tools *tools }

type tools struct{ clocks []func() Time }

func NewNested() *Nested {
	n := &Nested{tools: new(tools)}
	t := n.tools
	t.clocks = append(t.clocks, Now) // want `^Nested.Step uses clocks: time.Now`
	return n
}

func (n *Nested) Step(in msg.In, out *msg.Out) { _ = n.tools.clocks[0]() }

// Curried passes the function through two parameters.
type Curried struct{ f func() }

func NewCurried() *Curried {
	return newCurried(func() {
		_ = Now() // want `^Curried.Step uses f, which uses g, which uses h: time.Now`
	})
}
func newCurried(h func()) *Curried   { return newerCurried(h) }
func newerCurried(g func()) *Curried { return &Curried{g} }

func (n *Curried) Step(in msg.In, out *msg.Out) { n.f() }

// GenericNode is a node for any message, with the clock as a type argument.
type GenericNode[M sim.Message, C clocklike] struct{ clock C }

type clocklike interface{ Read() int64 }

type wall struct{}

func (wall) Read() int64 {
	return Now().UnixNano() // want `^GenericNode.Step calls wall.Read: time.Now`
}

func (n *GenericNode[M, C]) Step(in sim.In[M], out *sim.Out[M]) {
	n.clock.Read() // want `^GenericNode.Step calls far.Clock.Read`
}

var _ sim.Node[msg.Msg] = new(GenericNode[msg.Msg, wall])

// Erring reads the clock in the text of an error.
type Erring struct{}

type failure struct{}

func (failure) Error() string {
	return Now().String() // want `^Erring.Step calls failure.Error: time.Now`
}

func (Erring) Step(in msg.In, out *msg.Out) {
	var err error = failure{}
	out.Note(msg.Msg{Text: err.Error()})
}

// Memo is a cache that all nodes share.
type Memo struct{}

var memo = struct {
	seen map[int64]int64
	hits int
}{seen: map[int64]int64{}}

func (Memo) Step(in msg.In, out *msg.Out) {
	cache := memo.seen
	if v, ok := cache[in.Mono]; ok {
		out.Send(1, msg.Msg{N: v})
	}
	cache[in.Mono] = in.Boot // want `cache refers to a variable of the package and is written`
	hits := &memo.hits       // want `the address of the variable memo is taken`
	*hits++                  // want `hits refers to a variable of the package and is written`
}

// Collect sorts half of what it collected.
type Collect struct {
	m map[string]int
	a []string
	b []int
}

func (n *Collect) Step(in msg.In, out *msg.Out) {
	for k, v := range n.m { // want `the order of a map reaches n.b, which is not sorted`
		n.a = append(n.a, k)
		n.b = append(n.b, v)
	}
	slices.Sort(n.a)
	var first string
	for k := range n.m { // want `the order of a map reaches the assignment to first`
		first = k
		break
	}
	var all strings.Builder
	for k := range n.m { // want `the order of a map reaches the call of all.WriteString`
		all.WriteString(k)
	}
	for k := range n.m { // want `the order of a map reaches the call of n.note`
		n.note(k)
	}
	func() {
		for k := range n.m { // want `the order of a map reaches the call of out.Note`
			out.Note(msg.Msg{Text: first + k})
		}
	}()
	sum := 0.0
	for _, v := range n.m { // want `the order of a map reaches the assignment to sum`
		sum += 1 / float64(v)
	}
	for k, v := range n.m { // want `the order of a map reaches the assignment to n.b`
		n.b[v] = len(k)
	}
	last := 0
	for _, v := range n.m { // want `the order of a map reaches what the loop reads of last`
		if v != last {
			last = 3
		}
	}
}

func (n *Collect) note(string) {}

// Held keeps what it was given in ways that look like copies.
type Held struct {
	data  []byte
	views [][]byte
	any   any
	f     func() int64
}

func (n *Held) Step(in msg.In, out *msg.Out) {
	data := in.Msg.Data
	view := data[1:3]
	n.views = append(n.views, view) // want `memory of the message is kept`
	n.any = &in.Msg                 // want `memory of the message is kept`
	n.any = out                     // want `out is kept`
	n.f = func() int64 {
		return in.Mono // want `a function that is kept holds in`
	}
	held := n
	held.data = in.Msg.Data // want `memory of the message is kept`
	n.data = bytes.Clone(data)
}

// Handed keeps memory of the message that it was handed as an argument.
type Handed struct{ data []byte }

func (n *Handed) Step(in msg.In, out *msg.Out) { n.handle(&in, in.Msg) }

func (n *Handed) handle(in *msg.In, m msg.Msg) {
	n.data = m.Data // want `^Handed.Step calls Handed.handle: memory of the message is kept`
	n.keep(m.Data)
}

func (n *Handed) keep(b []byte) {
	n.data = b // want `^Handed.Step calls Handed.handle, which calls Handed.keep: memory of the message is kept`
}

// Thread starts a goroutine in a literal, in an argument.
type Thread struct{}

func (Thread) Step(in msg.In, out *msg.Out) {
	do(func() {
		go func() {}() // want `a goroutine is started`
	})
	_ = errors.Join(fmt.Errorf("%v", out.Send)) // want `%v of func\(to example/fencepost/sim.NodeID, m example/msg.Msg\) prints an address`
}

func do(f func()) { f() }

// Inner declares a type with a clock inside the step.
type Inner struct{}

func (Inner) Step(in msg.In, out *msg.Out) {
	type clock struct{ f func() Time }
	c := clock{Now} // want `^time.Now`
	_ = c.f()
}

// Init has its start from an initial value.
type Init struct{}

var began = Now().Add(-Hour) // want `^Init.Step uses began: time.Now`

func (Init) Step(in msg.In, out *msg.Out) {
	out.Send(1, msg.Msg{N: began.Unix()})
}

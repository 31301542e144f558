// Package paths hides things from the check.
package paths

import (
	"fmt"
	"sort"
	"time"

	"example/msg"
)

type Clock interface{ Now() time.Time }

type real struct{}

func (real) Now() time.Time { return time.Now() } // want `^Values.Step calls real.Now: time.Now is`

type Values struct{ clock Clock }

// Step calls through an interface.
func (n *Values) Step(in msg.In, out *msg.Out) { _ = n.clock.Now() }

type Deep struct{}

func (n *Deep) Step(in msg.In, out *msg.Out) { one() }

func one() { two() }

func two() {
	_ = time.Now() // want `^Deep.Step calls one, which calls two: time.Now is`
}

var now = time.Now // want `^Variable.Step uses now: time.Now is`

type Variable struct{}

func (n *Variable) Step(in msg.In, out *msg.Out) { _ = now() }

var start time.Time

func init() { start = time.Now() } // want `^Started.Step uses start: time.Now is`

type Started struct{}

func (n *Started) Step(in msg.In, out *msg.Out) { _ = in.Mono - start.UnixNano() }

type Field struct{ now func() time.Time }

func NewField() *Field { return &Field{now: time.Now} } // want `^Field.Step uses now: time.Now is`

func (n *Field) Step(in msg.In, out *msg.Out) { _ = n.now() }

type Param struct{ tell func() }

func NewParam(tell func()) *Param { return &Param{tell: tell} }

var _ = NewParam(func() {
	fmt.Println() // want `^Param.Step uses tell, which uses tell: fmt.Println is`
})

func (n *Param) Step(in msg.In, out *msg.Out) { n.tell() }

type Generic struct{}

func (n *Generic) Step(in msg.In, out *msg.Out) { read[wall](wall{}) }

type wall struct{}

func (wall) Read() int64 {
	return time.Now().UnixNano() // want `^Generic.Step calls wall.Read: time.Now is`
}

func read[C interface{ Read() int64 }](c C) int64 { return c.Read() }

type base struct{}

func (b *base) tick() {
	_ = time.Now() // want `^Embeds.Step calls base.tick: time.Now is`
}

type Embeds struct{ base }

func (n *Embeds) Step(in msg.In, out *msg.Out) { defer n.tick() }

type Promoted struct{ Embeds }

type Sorted struct{ list byTime }

type byTime []int

func (b byTime) Len() int      { return len(b) }
func (b byTime) Swap(i, j int) {}
func (b byTime) Less(i, j int) bool {
	return time.Now().IsZero() // want `^Sorted.Step calls byTime.Less: time.Now is`
}

func (n *Sorted) Step(in msg.In, out *msg.Out) { sort.Sort(n.list) }

type Printed struct{ v verbose }

type verbose struct{}

func (verbose) String() string {
	return time.Now().String() // want `^Printed.Step calls verbose.String: time.Now is`
}

func (n *Printed) Step(in msg.In, out *msg.Out) { _ = fmt.Sprint(n.v) }

type Method struct{}

func (n *Method) Step(in msg.In, out *msg.Out) {
	f := n.hidden
	g := func() { f() }
	g()
}

func (n *Method) hidden() {
	_ = time.Now() // want `^Method.Step calls Method.hidden: time.Now is`
}

// StepFunc is a node made of a function: literals that take out are steps themselves.
type StepFunc func(in msg.In, out *msg.Out)

func (f StepFunc) Step(in msg.In, out *msg.Out) { f(in, out) }

func New() StepFunc {
	fmt.Println("is made") // no step
	return func(in msg.In, out *msg.Out) {
		_ = time.Now() // want `^time.Now is`
	}
}

type Table struct{}

var rules = map[int]func(){
	1: func() { _ = time.Now() }, // want `^Table.Step uses rules: time.Now is`
}

func (n *Table) Step(in msg.In, out *msg.Out) { rules[1]() }

// Package blind is what the check does not see, as the documentation of vet says.
package blind

import (
	"os"
	"reflect"
	"slices"
	"text/tabwriter"
	"time"

	"example/fencepost/sim"
	"example/msg"
)

// Reflected calls a method by its name.
type Reflected struct{ clock any }

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func New() *Reflected { return &Reflected{clock{}} }

func (n *Reflected) Step(in msg.In, out *msg.Out) {
	reflect.ValueOf(n.clock).MethodByName("Now").Call(nil)
}

// Asserted takes a function out of an any that others have filled.
type Asserted struct{ f any }

func NewAsserted() *Asserted { return &Asserted{time.Now} }

func (n *Asserted) Step(in msg.In, out *msg.Out) { _ = n.f.(func() time.Time)() }

// Writer was given a real file, behind a type of the standard library.
type Writer struct{ w *tabwriter.Writer }

func NewWriter() *Writer { return &Writer{tabwriter.NewWriter(os.Stderr, 0, 0, 0, ' ', 0)} }

func (n *Writer) Step(in msg.In, out *msg.Out) { n.w.Flush() }

// Sharer shares memory with another node, which is in no package but in the values.
type Sharer struct{ at *int64 }

func (n *Sharer) Step(in msg.In, out *msg.Out) { *n.at++ }

// Lender sends memory that it goes on writing.
type Lender struct{ data []byte }

func (n *Lender) Step(in msg.In, out *msg.Out) {
	out.Send(1, msg.Msg{Data: n.data})
	n.data[0]++
}

// Tied sorts by what can be equal: which of two comes first is the map's order.
type Tied struct{ m map[sim.NodeID]int }

func (n *Tied) Step(in msg.In, out *msg.Out) {
	var list []sim.NodeID
	for id := range n.m {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b sim.NodeID) int { return n.m[a] - n.m[b] })
	out.Send(list[0], msg.Msg{})
}

// Converted makes an integer of a float that may be too large for it.
type Converted struct{ f float64 }

func (n *Converted) Step(in msg.In, out *msg.Out) { out.Send(1, msg.Msg{N: int64(n.f)}) }

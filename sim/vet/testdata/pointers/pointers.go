package pointers

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"example/fencepost/sim"
	"example/msg"
)

type inner struct{ p *int }

type name struct{ n int }

func (n *name) String() string { return "name" }

type tree struct {
	n    int
	kids []tree
}

type helper struct{ out *msg.Out }

type Node struct {
	out   *sim.Out[msg.Msg] // want `the field out of a node holds out, which the engine owns and reuses`
	in    *msg.In
	data  []byte
	last  msg.Msg
	log   []msg.Msg
	texts []string
	ptr   *int
	text  string
	n     int64
	f     func()
	h     any
	x     inner
	named *name
	later func()
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	n.out = out                   // want `^out is kept, which the engine owns and reuses; hand it to what sends, and forget it$`
	n.h = helper{out: out}        // want `out is kept`
	n.in = &in                    // want `memory of the message is kept, which its sender and other receivers share; copy it`
	n.data = in.Msg.Data          // want `memory of the message is kept`
	n.data = in.Msg.Data[1:]      // want `memory of the message is kept`
	n.last = in.Msg               // want `memory of the message is kept`
	n.log = append(n.log, in.Msg) // want `memory of the message is kept`
	m := in.Msg
	n.ptr = m.Ptr                    // want `memory of the message is kept`
	n.later = func() { out.Note(m) } // want `a function that is kept holds out`
	n.prints()
	n.harmless(in, out)
}

func (n *Node) prints() {
	n.text = fmt.Sprintf("%p", n)           // want `^Node.Step calls Node.prints: %p prints an address`
	n.text = fmt.Sprintf("%d %v", 1, n.ptr) // want `%v of \*int prints an address, another one in every run`
	n.text = fmt.Sprint(n.f)                // want `%v of func\(\) prints an address`
	n.text = fmt.Sprintf("%+v", n.x)        // want `%v of inner prints an address`
	_ = uintptr(unsafe.Pointer(n.ptr))      // want `unsafe.Pointer lays open addresses`
	_ = reflect.ValueOf(n.ptr).Pointer()    // want `reflect.Value.Pointer is an address`
}

func (n *Node) harmless(in msg.In, out *msg.Out) {
	n.data = slices.Clone(in.Msg.Data)
	n.data = append(n.data, in.Msg.Data...)
	n.n = in.Msg.N
	n.texts = append(n.texts, in.Msg.Text)
	n.text = in.Msg.Text
	look(&in)
	h := helper{out: out}
	h.out.Note(msg.Msg{})
	local := in.Msg
	local.Data = in.Msg.Data
	n.text = fmt.Sprintf("%v %T %v %d", n.named, n.ptr, &struct{ a int }{}, 3)
	n.text = fmt.Sprint(tree{})
	send := func() { out.Note(msg.Msg{}) }
	send()
}

func look(in *msg.In) {}

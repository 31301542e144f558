package near

import (
	"example/far"
	"example/msg"
)

var clock far.Clock

type Node struct {
	clock far.Clock
	Say   func()                    // want Say:`used in a step`
	Clock interface{ Read() int64 } // want Clock:`used in a step`
	table map[int]int
}

func New(say func()) *Node { return &Node{Say: say} } // want say:`used in a step`

func (n *Node) Step(in msg.In, out *msg.Out) {
	_ = far.Now()     // want `^Node.Step calls far.Now, which calls now: time.Now is the wall clock of the machine, which no seed repeats; use in.Mono or in.Wall \(example/far/far.go:8\)$`
	f := n.clock.Read // want `^Node.Step calls far.Clock.Read, which calls now: time.Now`
	_ = f()
	_ = far.Table[1]    // want `the variable far.Table is read, which Set writes`
	far.Set(3)          // want `^Node.Step calls far.Set: the variable Table is written, which all nodes and runs share; keep it in the node \(example/far/far.go:20\)$`
	clock.Tick()        // want `the variable clock is written`
	far.Fill(far.Fixed) // want `the variable far.Fixed is written`
	far.Fill(n.table)
	n.clock.Tick()
	_ = far.Pure(far.Allowed())
	n.Say()
	n.Clock.Read()
}

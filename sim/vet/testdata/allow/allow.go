package allow

import (
	"fmt"
	"time"

	"example/far"
	"example/msg"
)

type Node struct{}

func (n *Node) Step(in msg.In, out *msg.Out) {
	fmt.Println() //fencepost:allow the trace of a test is read by nobody else
	//fencepost:allow so is this one
	fmt.Println()
	fmt.Println() // want `fmt.Println`
	fmt.Println() //fencepost:allow // want `fencepost:allow says no reason, so whether it still holds is unknown; write one after it`
	_ = 3         //fencepost:allow nothing is here // want `fencepost:allow allows nothing here, and would hide what comes next; remove it`

	n.a()         //fencepost:allow it is called on this line only
	_ = far.Now() //fencepost:allow it is for the log
	n.b()
	fmt.Println() /* fencepost:allow is a comment that begins with it */ // want `fmt.Println`
	//fencepost:allowed is another word
	fmt.Println() // want `fmt.Println`
}

func (n *Node) a() { _ = time.Now() }

func (n *Node) b() {
	_ = time.Now() // want `Node.Step calls Node.b: time.Now`
}

// enter takes out: the step that calls it answers for it.
func (n *Node) enter(out *msg.Out) { _ = time.Now() }

type Other struct{ Node }

func (n *Other) Step(in msg.In, out *msg.Out) {
	n.enter(out) //fencepost:allow nobody looks at it
}

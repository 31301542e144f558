package broadcast_test

import (
	"fmt"

	"fencepost/models/clock/broadcast"
)

// An answer comes before its question. Its vector says that something is missing, and it
// waits.
func ExampleCausal() {
	a, b, c := broadcast.NewCausal(1, 3), broadcast.NewCausal(2, 3), broadcast.NewCausal(3, 3)
	question := a.Broadcast(broadcast.Msg{Kind: broadcast.Cast, Sender: 1, Seq: 1})
	b.Receive(1, question)
	b.Next()
	answer := b.Broadcast(broadcast.Msg{Kind: broadcast.Cast, Sender: 2, Seq: 1})
	fmt.Println(question.Vector, answer.Vector)

	c.Receive(2, answer)
	_, ok := c.Next()
	fmt.Println("delivered:", ok, "waiting:", c.Waiting())
	c.Receive(1, question)
	for m, ok := c.Next(); ok; m, ok = c.Next() {
		fmt.Println("delivered: the message of", m.Sender)
	}
	// Output:
	// [1,0,0] [1,1,0]
	// delivered: false waiting: 1
	// delivered: the message of 1
	// delivered: the message of 2
}

// Two messages with the same stamp. Each process delivers that of process 1 first, and
// only when it has heard of the other with a later stamp.
func ExampleTotal() {
	a, b := broadcast.NewTotal(1, 2), broadcast.NewTotal(2, 2)
	fromA := a.Broadcast(broadcast.Msg{Kind: broadcast.Cast, Sender: 1, Seq: 1})
	fromB := b.Broadcast(broadcast.Msg{Kind: broadcast.Cast, Sender: 2, Seq: 1})
	fmt.Println("stamped", fromA.Stamp(), fromB.Stamp())
	_, ok := b.Next()
	fmt.Println("process 2 delivers its own at once:", ok)
	b.Receive(1, fromA)
	a.Receive(2, fromB)
	for _, p := range []*broadcast.Total{&a, &b} {
		first, _ := p.Next()
		fmt.Println("first: the message of", first.Sender)
	}
	// Output:
	// stamped 1 1
	// process 2 delivers its own at once: false
	// first: the message of 1
	// first: the message of 1
}

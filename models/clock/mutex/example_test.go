package mutex_test

import (
	"fmt"

	"fencepost/models/clock/mutex"
)

// Two processes ask at the same time. Both stamps are 1, so the smaller name is first:
// process 1 does not reply until it leaves.
func ExampleRicartAgrawala() {
	a, b := mutex.NewRicartAgrawala(1, 2), mutex.NewRicartAgrawala(2, 2)
	askA, askB := a.Request(), b.Request()

	_, now := a.Receive(2, askB)
	fmt.Println("1 replies at once:", now)
	reply, now := b.Receive(1, askA)
	fmt.Println("2 replies at once:", now)
	a.Receive(2, reply)
	fmt.Println("granted:", a.Granted(), b.Granted())

	reply, to := a.Release(nil)
	b.Receive(1, reply)
	fmt.Println("1 tells", to, "granted:", a.Granted(), b.Granted())
	// Output:
	// 1 replies at once: false
	// 2 replies at once: true
	// granted: true false
	// 1 tells [2] granted: false true
}

// The same with queues: who hears of both requests puts them in the same order.
func ExampleLamport() {
	a, b := mutex.NewLamport(1, 2), mutex.NewLamport(2, 2)
	askA, askB := a.Request(), b.Request()

	ackB, _ := a.Receive(2, askB)
	ackA, _ := b.Receive(1, askA)
	a.Receive(2, ackA)
	b.Receive(1, ackB)
	fmt.Println("granted:", a.Granted(), b.Granted())

	release, to := a.Release(nil)
	b.Receive(1, release)
	fmt.Println("1 tells", to, "granted:", a.Granted(), b.Granted())
	// Output:
	// granted: true false
	// 1 tells [2] granted: false true
}

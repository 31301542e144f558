package threads

import (
	"context"
	"sync"
	"sync/atomic"

	"example/msg"
)

type Node struct {
	mu    sync.Mutex
	c     chan int
	count atomic.Int64
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	n.mu.Lock()         // want `sync.Mutex.Lock is of use among goroutines only`
	n.count.Add(1)      // want `atomic.Int64.Add is of use among goroutines only`
	go n.later()        // want `^a goroutine is started, whose order is the scheduler's and in no seed; call the function`
	c := make(chan int) // want `make of a channel`
	n.c <- 1            // want `a send to a channel`
	<-n.c               // want `a receive from a channel`
	for range c {       // want `a loop receives from a channel`
	}
	close(c) // want `close of a channel`
	select { // want `a select waits`
	default:
	}
	_, _ = context.WithCancel(nil) // want `context.WithCancel ends when real time`
	first(c)
	_ = make([]int, 3)
}

func (n *Node) later() {}

func first[C ~chan int](c C) {
	<-c // want `^Node.Step calls first: a receive from a channel`
}

func unused(c chan int) { c <- 1 }

// Package user puts what is impure into the fields of a node of another package.
package user

import (
	"fmt"
	"time"

	"example/far"
	"example/near"
)

type clock struct{}

func (clock) Read() int64 {
	return time.Now().UnixNano() // want `^near.Clock calls clock.Read: time.Now is`
}

func New() *near.Node {
	n := &near.Node{Say: func() { fmt.Println() }, Clock: clock{}} // want `^near.Say: fmt.Println is`
	n.Clock = far.Clock{}                                          // want `^near.Clock calls far.Clock.Read, which calls now: time.Now is`
	fmt.Println("is made")
	near.New(func() { fmt.Println() }) // want `^near.say: fmt.Println is`
	return n
}

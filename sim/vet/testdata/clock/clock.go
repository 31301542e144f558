package clock

import (
	"time"

	"example/msg"
)

type Node struct {
	until int64
	every time.Duration
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	n.until = time.Now().UnixNano() // want `^time.Now is the wall clock of the machine, which no seed repeats; use in.Mono or in.Wall$`
	time.Sleep(n.every)             // want `time.Sleep runs on real time`
	_ = time.Since(time.Time{})     // want `time.Since is the wall clock`
	<-time.After(n.every)           // want `time.After runs on real time` `a receive from a channel`
	_ = time.Unix(0, 0).Local()     // want `time.Time.Local depends on the machine's time zone`
	n.harmless(in)
}

func (n *Node) harmless(in msg.In) {
	n.every = 3 * time.Second
	n.until = in.Mono + int64(n.every.Round(time.Millisecond))
	_ = time.Unix(0, n.until).UTC().Format(time.RFC3339)
}

// Elapsed is called by no step.
func Elapsed(start time.Time) time.Duration { return time.Since(start) }

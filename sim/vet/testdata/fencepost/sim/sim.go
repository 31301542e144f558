// Package sim is what the check needs to know of the real one.
package sim

import (
	"fmt"
	"time"
)

type NodeID int32

type Kind uint8

type Digest uint64

func (d Digest) Fold(words ...uint64) Digest { return d + Digest(len(words)) }

type Message interface {
	Label() Kind
	Fold(Digest) Digest
	String() string
}

type In[M Message] struct {
	Self, From       NodeID
	Mono, Boot, Wall int64
	Msg              M
}

type Mono int64

func (m Mono) Before(n Mono) bool { return m < n }

type Boot int64

type Wall int64

func (w Wall) Add(d time.Duration) Wall { return w + Wall(d) }
func (w Wall) Before(v Wall) bool       { return w < v }
func (w Wall) Sub(v Wall) time.Duration { return time.Duration(w - v) }

type Out[M Message] struct{ sent []M }

// Send does what a step must not: the engine is not looked into.
func (o *Out[M]) Send(to NodeID, m M) { fmt.Println(to, m); o.sent = append(o.sent, m) }

func (o *Out[M]) Note(m M) { o.sent = append(o.sent, m) }

type Node[M Message] interface {
	Step(in In[M], out *Out[M])
}

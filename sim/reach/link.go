package reach

import (
	"slices"

	"fencepost/sim"
)

// link is a link in numbers: messages are numbered, and so are its contents, the empty
// one being number 0.
type link struct {
	at       int // in Space.Links
	to       *node
	capacity int
	order    sim.Order
	content  field // of no bits if the capacity is 0
	part     part
	travels  bool // from one node to another, with a capacity

	contents []content
	index    map[string]uint32
	puts     grid // number of a content and a message: that of both together, plus 1
	steps    grid // number of a state of to and a message: that of the outcome, plus 1
}

// content is what is in flight, in the order of sending or, if it does not matter,
// sorted.
type content struct {
	msgs  []uint32
	takes []take
}

// take is a message that may arrive next, and the number of the content it leaves.
type take struct{ msg, rest uint32 }

// full is no content: that of a link with no room for a message. One more is still a number.
const full = ^uint32(0) - 1

// known is the number of a content with one more message, if it was asked for before.
func (l *link) known(c, msg uint32) (uint32, bool) {
	next := l.puts.at(c, msg)
	return next - 1, next != 0
}

// put numbers a content with one more message.
func (l *link) put(c, msg uint32) uint32 {
	before, next := l.contents[c].msgs, full
	if len(before) < l.capacity {
		after := append(slices.Clone(before), msg)
		if l.order == sim.Free {
			slices.Sort(after)
		}
		next = l.number(after)
	}
	l.puts.set(c, msg, next+1)
	return next
}

// number is the number of a content, a new one if it was not seen before.
func (l *link) number(msgs []uint32) uint32 {
	name := make([]byte, 0, 4*maxCapacity)
	for _, m := range msgs {
		name = append(name, byte(m), byte(m>>8), byte(m>>16), byte(m>>24))
	}
	if i, known := l.index[string(name)]; known {
		return i
	}
	i := uint32(len(l.contents))
	l.index[string(name)] = i
	l.contents = append(l.contents, content{msgs: msgs})
	var takes []take
	for j, m := range msgs {
		if j > 0 && (l.order == sim.FIFO || m == msgs[j-1]) {
			continue
		}
		takes = append(takes, take{msg: m, rest: l.number(slices.Delete(slices.Clone(msgs), j, j+1))})
	}
	l.contents[i].takes = takes
	return i
}

// bytes is an estimate.
func (l *link) bytes() int64 {
	return l.puts.bytes() + l.steps.bytes() + int64(len(l.contents))*int64(96+24*l.capacity)
}

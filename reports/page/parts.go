package page

import (
	"fmt"
	"strings"

	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/sim"
)

// part is an event of the page: an entry of the journal, or of one in which the model made events of its own a part
// with at most one of them. So each export has each of them, as [sim.EventOrder] has it.
type part struct {
	entry int32
	own   int32 // the event of the model's own, -1 if it is none
	first bool  // of its entry: it has what the entry handles
}

// parts are those of all entries, in their order.
func (c *collector) divide() {
	j := c.in.Journal
	c.parts, c.firstOf, c.ownOf = make([]part, 0, len(j.Entries)), make([]int, len(j.Entries)), make([]int, len(j.Own))
	k := 0
	for i := range j.Entries {
		c.firstOf[i] = len(c.parts)
		begin := k
		for k < len(j.Own) && j.Own[k].Entry == i {
			k++
		}
		if begin == k || c.arrives(&j.Entries[i], begin) {
			c.parts = append(c.parts, part{int32(i), -1, true})
		}
		for own := begin; own < k; own++ {
			c.ownOf[own] = len(c.parts)
			c.parts = append(c.parts, part{int32(i), int32(own), len(c.parts) == c.firstOf[i]})
		}
	}
}

// arrives reports whether an entry handles a message that the event of the model is not the receipt of: it was
// kept for later, and its arrival comes before nothing but its receipt.
func (c *collector) arrives(e *sim.Entry, own int) bool {
	return e.Step > 0 && e.From != e.Node && c.in.Order.Event(own).From != e.Sender-1
}

// lastOf is the last part of an entry.
func (c *collector) lastOf(entry int) int {
	if entry+1 < len(c.firstOf) {
		return c.firstOf[entry+1] - 1
	}
	return len(c.parts) - 1
}

// causeOf is the part that sent or armed what a part handles, -1 if there is none; of an event of the model's own,
// the event that sent what it receives.
func (c *collector) causeOf(p part) int {
	e := &c.in.Journal.Entries[p.entry]
	switch {
	case p.own >= 0:
		if from := c.in.Order.Event(int(p.own)).From; from >= 0 {
			return c.ownOf[from]
		}
		return -1
	case e.Cause < 0:
		return -1
	case e.Sender > 0: // of several parts of the sender's step the one after which it sent
		return max(c.firstOf[e.Cause], c.ownOf[e.Sender-1])
	}
	return c.firstOf[e.Cause]
}

// words are what a part handled and did, and what the model says of it.
func (c *collector) words(n int) (text, told []string) {
	p := c.parts[n]
	e := &c.in.Journal.Entries[p.entry]
	text, told = c.text(int(p.entry)), e.Description
	if c.lastOf(int(p.entry)) == c.firstOf[p.entry] && p.own < 0 {
		return text, told
	}
	own := c.ownIn(int(p.entry))
	groups, k := groups(text, own), int(p.own-c.parts[c.lastOf(int(p.entry))].own)+len(own)
	if p.own < 0 {
		return groups[0], nil
	}
	begin, end := 0, own[k-1].Told
	if k > 1 {
		begin = own[k-2].Told
	}
	if k == len(own) {
		end = len(told)
	}
	if text, told = groups[k], told[begin:end]; p.first {
		text = append(groups[0], text...)
	}
	said := c.in.Order.Event(int(p.own)).Text
	if len(told) == 0 {
		told = []string{c.in.Program.Nodes[e.Node-1] + " " + said}
	}
	if len(text) == 0 {
		text = []string{said}
	}
	return text, told
}

// ownIn are the events of the model's own in an entry.
func (c *collector) ownIn(entry int) []sim.OwnEvent {
	last := int(c.parts[c.lastOf(entry)].own)
	first := last
	for first > 0 && c.in.Journal.Own[first-1].Entry == entry {
		first--
	}
	return c.in.Journal.Own[first : last+1]
}

// counted says what the events of the page are: simctl run counts steps, and the order of events those of the model.
func (c *collector) counted() string {
	steps, own, onTheWay, notes, faults := 0, 0, 0, 0, 0
	for n := c.from; n < c.to; n++ {
		p, e := c.parts[n], c.entry(n)
		if p.own >= 0 {
			own++
		}
		switch {
		case !p.first:
		case e.Step > 0:
			steps++
		case e.To != sim.None:
			onTheWay++
		case e.Fault == 0 && (e.Noted || p.own >= 0):
			notes++
		default:
			faults++
		}
	}
	all := text.Count(c.to-c.from, "event") + ": " + text.Count(steps, "step") + " of nodes, as " + program.Name() + " run counts them"
	for _, more := range []struct {
		n    int
		what string
	}{{own, "of the model's own in them"}, {faults, "of faults"}, {onTheWay, "of messages on their way"}, {notes, "of notes that were buffered"}} {
		if more.n > 0 {
			all += fmt.Sprintf("; %d %s", more.n, more.what)
		}
	}
	return all
}

// groups divides the parts of a text: those before the notes of events, and those from each of the notes on.
func groups(text []string, own []sim.OwnEvent) [][]string {
	list := make([][]string, 1, len(own)+1)
	for _, s := range text {
		if n := len(list) - 1; n < len(own) && s == "notes "+own[n].Note {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], s)
	}
	return append(list, make([][]string, len(own)+1-len(list))...)
}

// text is what an entry handled and did, in the parts between semicolons.
func (c *collector) text(entry int) []string {
	e := &c.in.Journal.Entries[entry]
	text := strings.TrimSpace(e.Text)
	if entry == c.panicked {
		text = "panics, handling " + c.in.Result.Panic.Message + ": " + c.in.Result.Panic.Value
	}
	if text == "" {
		text = strings.Join(e.Detail, "; ")
	}
	if text == "" {
		return nil
	}
	return strings.Split(text, "; ")
}

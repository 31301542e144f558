package sim

import (
	"slices"
	"strings"
)

// Journal is what happened in one run, entry by entry, with what caused what.
type Journal struct {
	Entries []Entry
	// Turned is, by property, the entry with which its verdict became Violated; -1 if
	// that did not happen, or at the end of the run. What is wrong at an instant may
	// show only later, see [Finding].First.
	Turned []int
	// Own are the events of the model's own, in the order of [EventOrder]: it has as many.
	Own []OwnEvent
	// Inspect, if not nil, is shown a node after each of its steps, and returns what the step changed
	// of its state: see [Entry].Changed. It must not change the node.
	Inspect func(id NodeID, node any) []Field

	now    int            // the entry of the step under way, plus 1; 0: there is none
	doing  int32          // the entry that asked for the effect that is leaving, plus 1
	about  about          // what is being done
	latest map[NodeID]int // by node: its last event of [Journal].Own, plus 1
}

// OwnEvent is where in a journal an event of the model's own is. A step may make several.
type OwnEvent struct {
	Entry    int    // in which it is
	Note     string // the note of it, in words
	Told     int    // how many sentences of the entry's Description are of it and of those before it in the entry
	Violates []int  // the properties whose verdict became Violated with it
}

// about is what the entries are about that are not steps.
type about struct {
	fault int // that does it, plus 1
	to    NodeID
	kind  Kind
	ends  bool
}

// Entry is a step or, with Step 0, what was done to a node, what became of a message,
// or the note of an earlier step that had been buffered.
type Entry struct {
	Step uint64 // its number in the run, from 1
	// Cause is the entry that sent or armed the message; of what is done in the midst
	// of a step, to a message that one sends, or of a note, that step; -1 if there is none.
	Cause int
	// Sender is the event of the model's own that the sender of the message had made last when it sent it: its
	// place in [Journal].Own, plus 1; 0 if it had made none.
	Sender int
	At     Time
	Due    Time   // when the message was due: later than that, the node was stopped
	Sent   Time   // when the message was sent or armed
	Node   NodeID // None is the network; of what became of a message, its sender
	From   NodeID // of the message; Node for a timer
	To     NodeID // of what became of a message: its receiver
	Fault  int    // that did it: its place among the faults of the run, from 1; 0: none
	Ends   bool   // it is the end of what a fault did
	Mono   Mono
	Wall   Wall
	Kind   Kind // of the message
	// Alarm says that the message came from an alarm, set for the reading Reading.
	Alarm       bool
	Reading     Wall
	Msg         string   // the message in words
	Text        string   // the message and what the step asked for, or what was done, in words
	Description []string // what the model says of its notes: sentences
	Detail      []string // and of those too small for a log: what the node does
	Noted       bool     // the step noted something
	Idle        bool     // the step changed nothing and asked for nothing
	Changed     []Field  // what the step changed of the state of its node, of a journal with Inspect
	// Digest is that of the run up to the beginning of the step's effects.
	Digest uint64
}

// Field is a part of the state of a node, in words. An empty value is the zero value.
type Field struct{ Name, Value string }

// asked is who asked for an event, and when.
type asked struct {
	by  int32 // the entry, plus 1
	own int32 // see [Entry].Sender
	at  Time
}

func (j *Journal) reset(properties int) {
	if j == nil {
		return
	}
	*j = Journal{Entries: j.Entries[:0], Turned: j.Turned[:0], Own: j.Own[:0], Inspect: j.Inspect}
	for range properties {
		j.Turned = append(j.Turned, -1)
	}
}

// current is the entry of the step under way, plus 1.
func (j *Journal) current() int32 {
	if j == nil {
		return 0
	}
	return int32(j.now)
}

// blame says which fault does what comes, from 1, and to which message; 0 is none.
func (j *Journal) blame(fault int, to NodeID, k Kind) {
	if j != nil {
		j.about = about{fault: fault, to: to, kind: k}
	}
}

// ending says that what comes is the end of what a fault did; fault 0 is any.
func (j *Journal) ending(fault int) {
	if j != nil {
		j.about = about{fault: fault, ends: true}
	}
}

// context is the entry that what happens now is part of, or -1.
func (j *Journal) context() int {
	if j.now > 0 {
		return j.now - 1
	}
	return int(j.doing) - 1
}

// enter begins the entry of a step.
func (w *World[M]) enter(e *event[M]) {
	in := &w.handling
	j := w.watch.Journal
	entry := Entry{Step: w.steps, Cause: -1, At: w.now, Due: Time(e.At), Sent: Time(e.At), Node: in.Self, From: in.From, Mono: in.Mono,
		Wall: in.Wall, Kind: in.Msg.Label(), Msg: in.Msg.String(), Digest: w.digest.Sum()}
	if e.Seq < uint64(len(w.causes)) && w.causes[e.Seq].by > 0 {
		c := w.causes[e.Seq]
		entry.Cause, entry.Sender, entry.Sent = int(c.by)-1, int(c.own), c.at
	}
	if e.Body.class == alarm {
		entry.Alarm, entry.Reading = true, Wall(e.Body.due)
	}
	j.Entries = append(j.Entries, entry)
	j.now = len(j.Entries)
}

// leave completes the entry of a step.
func (w *World[M]) leave(idle bool) {
	j := w.watch.Journal
	e := &j.Entries[j.now-1]
	t := tracer[M]{}
	t.what(w)
	e.Text, e.Idle = t.line.String(), idle
	if j.Inspect != nil {
		e.Changed = j.Inspect(e.Node, w.nodes[e.Node].node)
	}
	j.now = 0
}

// caused records who asked for the events pushed since the given sequence.
func (w *World[M]) caused(seq uint64, self NodeID, cause int32) {
	for uint64(len(w.causes)) <= w.q.Seq() {
		w.causes = append(w.causes, asked{})
	}
	for s := seq + 1; s <= w.q.Seq(); s++ {
		w.causes[s] = asked{by: cause, own: int32(w.watch.Journal.latest[self]), at: w.now}
	}
	w.watch.Journal.doing = 0
}

// renumber follows alarms to their new sequences.
func (w *World[M]) renumber(due []turn, seqs []uint64) {
	if w.watch.Journal == nil {
		return
	}
	before := slices.Clone(w.causes)
	for i := range due {
		if due[i].seq < uint64(len(before)) && seqs[i] < uint64(len(before)) {
			w.causes[seqs[i]] = before[due[i].seq]
		}
	}
}

// relate passes on what the model says of an observation.
func (w *World[M]) relate(text string) {
	if w.watch.Moments != nil {
		w.watch.Moments(Moment{At: w.now, Text: text})
	}
	if w.watch.Journal != nil {
		e := w.observed()
		e.Description = append(e.Description, text)
	}
}

// observed is the entry of the observation under way.
func (w *World[M]) observed() *Entry {
	if i := w.observation(); i >= 0 {
		return &w.watch.Journal.Entries[i]
	}
	e := w.remark(w.seen.Node, "")
	e.Noted = w.seen.Event == Noted
	return e
}

// observation is the entry of the observation under way, -1 if it has none: that of
// the step that notes something, or else one of its own.
func (w *World[M]) observation() int {
	j, noted := w.watch.Journal, w.seen.Event == Noted
	if noted && j.now > 0 {
		return j.now - 1
	}
	last := len(j.Entries) - 1
	if last < 0 {
		return -1
	}
	e := &j.Entries[last]
	if e.Step == 0 && e.Node == w.seen.Node && e.At == w.now && (e.Noted || !noted) {
		return last
	}
	return -1
}

// witness takes down an observation, and which properties it violates.
func (w *World[M]) witness() {
	j := w.watch.Journal
	if w.detail != nil {
		if text := w.detail(&w.view, &w.seen); text != "" {
			e := w.observed()
			e.Detail = append(e.Detail, text)
		}
	}
	own := w.own()
	entry := w.observation()
	if entry < 0 {
		entry = j.context()
	} else if w.seen.Event == Noted {
		j.Entries[entry].Noted = true
	}
	for i, p := range w.system.Properties {
		if j.Turned[i] < 0 && p.Finding().Verdict == Violated {
			j.Turned[i] = entry
			if own != nil {
				own.Violates = append(own.Violates, i)
			}
		}
	}
}

// own takes down the event of the model's own that the observation is, nil if it is none.
func (w *World[M]) own() *OwnEvent {
	j := w.watch.Journal
	if w.system.Order == nil || w.system.Order(&w.view).Len() == len(j.Own) {
		return nil
	}
	told := len(w.observed().Description)
	j.Own = append(j.Own, OwnEvent{Entry: w.observation(), Note: w.seen.Msg.String(), Told: told})
	if j.latest == nil {
		j.latest = map[NodeID]int{}
	}
	j.latest[w.seen.Node] = len(j.Own)
	return &j.Own[len(j.Own)-1]
}

// remark enters what is not a step.
func (w *World[M]) remark(id NodeID, text string) *Entry {
	j := w.watch.Journal
	if j == nil {
		return nil
	}
	e := Entry{Cause: j.context(), At: w.now, Due: w.now, Sent: w.now, Node: id, Text: text,
		Fault: j.about.fault, Ends: j.about.ends, To: j.about.to, Kind: j.about.kind, Sender: j.latest[id]}
	if id != None {
		e.Mono, e.Wall = w.clocks[id].mono(w.now), w.clocks[id].wall(w.now)
	}
	j.Entries = append(j.Entries, e)
	return &j.Entries[len(j.Entries)-1]
}

// missed enters that a message found its node down.
func (w *World[M]) missed(e *body[M]) {
	if j := w.watch.Journal; j != nil {
		j.blame(0, e.to, e.msg.Label())
		w.remark(e.from, "sends "+w.names[e.to]+" "+e.msg.String()+", which finds it down")
		j.blame(0, None, 0)
	}
}

// lost enters that a message was lost on its link.
func (w *World[M]) lost(from, to NodeID, m M) {
	if j := w.watch.Journal; j != nil {
		j.blame(0, to, m.Label())
		w.remark(from, "sends "+w.names[to]+" "+m.String()+", which is lost")
		j.blame(0, None, 0)
	}
}

// Line is the entry on one line, but for its instant.
func (e *Entry) Line(names func(NodeID) string) string {
	name := "network"
	if e.Node != None {
		name = names(e.Node)
	}
	switch {
	case e.Text == "" && len(e.Description) > 0:
		return strings.Join(e.Description, "; ")
	case e.Text == "":
		return name + ": " + strings.Join(e.Detail, "; ")
	}
	return name + ": " + strings.TrimSpace(e.Text)
}

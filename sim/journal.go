package sim

import (
	"slices"
	"strings"
)

// Journal is what happened in one run, entry by entry, with what caused what.
type Journal struct {
	Entries []Entry

	now int // the entry of the step under way, plus 1; 0: there is none
}

// Entry is a step, or, with Step 0, what was done to a node.
type Entry struct {
	Step  uint64 // its number in the run, from 1
	Cause int    // the entry that sent or armed the message, or -1
	At    Time
	Due   Time   // when the message was due: later than that, the node was stopped
	Node  NodeID // None is the network
	From  NodeID // of the message; Node for a timer
	Mono  Mono
	Wall  Wall
	Kind  Kind     // of the message
	Text  string   // the message and what the step asked for, or what was done, in words
	Told  []string // what the model says of its notes
	Idle  bool     // the step changed nothing and asked for nothing
	// Digest is that of the run up to the beginning of the step's effects.
	Digest uint64
}

// SetJournal makes the following runs write into j, until it is called with nil. A
// journal changes no digest.
func (w *World[M]) SetJournal(j *Journal) { w.journal = j }

func (j *Journal) reset() {
	if j != nil {
		j.Entries, j.now = j.Entries[:0], 0
	}
}

// current is the entry of the step under way, plus 1.
func (j *Journal) current() int32 {
	if j == nil {
		return 0
	}
	return int32(j.now)
}

// enter begins the entry of a step.
func (w *World[M]) enter(e *event[M]) {
	in := &w.handling
	j := w.journal
	entry := Entry{Step: w.steps, Cause: -1, At: w.now, Due: e.at, Node: in.Self, From: in.From, Mono: in.Mono,
		Wall: in.Wall, Kind: in.Msg.Label(), Digest: w.digest.Sum()}
	if e.seq < uint64(len(w.causes)) {
		entry.Cause = int(w.causes[e.seq]) - 1
	}
	j.Entries = append(j.Entries, entry)
	j.now = len(j.Entries)
}

// leave completes the entry of a step.
func (w *World[M]) leave(unchanged bool) {
	j := w.journal
	e := &j.Entries[j.now-1]
	t := tracer[M]{}
	t.what(w)
	e.Text, e.Idle = t.line.String(), unchanged && len(w.log) == 0
	j.now = 0
}

// caused records which entry asked for the events pushed since the given sequence.
func (w *World[M]) caused(seq uint64, cause int32) {
	for uint64(len(w.causes)) <= w.q.seq {
		w.causes = append(w.causes, 0)
	}
	for s := seq + 1; s <= w.q.seq; s++ {
		w.causes[s] = cause
	}
}

// renumber follows alarms to their new sequences.
func (w *World[M]) renumber(due []turn, seqs []uint64) {
	if w.journal == nil {
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
	if w.story != nil {
		w.story(Moment{At: w.now, Text: text})
	}
	j := w.journal
	switch {
	case j == nil:
	case w.seen.Event == Noted && j.now > 0:
		e := &j.Entries[j.now-1]
		e.Told = append(e.Told, text)
	default:
		w.remark(w.seen.Node, text)
	}
}

// remark enters what was done to a node.
func (w *World[M]) remark(id NodeID, text string) {
	if w.journal == nil {
		return
	}
	e := Entry{Cause: -1, At: w.now, Due: w.now, Node: id, Text: text}
	if id != None {
		e.Mono, e.Wall = w.clocks[id].mono(w.now), w.clocks[id].wall(w.now)
	}
	w.journal.Entries = append(w.journal.Entries, e)
}

// Line is the entry on one line, but for its instant.
func (e *Entry) Line(names func(NodeID) string) string {
	name := "network"
	if e.Node != None {
		name = names(e.Node)
	}
	return name + ": " + strings.TrimSpace(e.Text)
}

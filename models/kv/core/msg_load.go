package core

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message by which the controller measures the load: a digest has their numbers.
const (
	LoadAsk    sim.Kind = 24 // controller to node
	LoadAnswer sim.Kind = 25 // node to controller
	SampleDue  sim.Kind = 43 // controller timer: ask for the load
	Sampled    sim.Kind = 70 // note of the controller: the load of the members
)

var loadKinds = model.Kinds{
	LoadAsk:    model.MessageKind("load-ask"),
	LoadAnswer: model.MessageKind("load-answer"),
	SampleDue:  model.TimerKind("sample-due"),
	Sampled:    model.NoteKind("sampled"),
}

// NewLoadAsk asks for a sample.
func NewLoadAsk(sample uint32) Msg { return Msg{Kind: LoadAsk, number: sample} }

// NewLoadAnswer is how many requests a node has handled since it was asked last.
func NewLoadAnswer(ask *Msg, handled uint64) Msg {
	return Msg{Kind: LoadAnswer, number: ask.number, word: handled}
}

// Sample is the sample that is asked for or answered, from 1.
func (m *Msg) Sample() uint32 { return m.number }

// Handled is how many requests a node has handled.
func (m *Msg) Handled() uint64 { return m.word }

// NewSampled notes the load, in thousandths of what the members can do.
func NewSampled(load uint32, members int) Msg {
	return Msg{Kind: Sampled, number: load, word: uint64(members)}
}

// Load is the load in thousandths.
func (m *Msg) Load() uint32 { return m.number }

// Members is how many members were sampled.
func (m *Msg) Members() int { return int(m.word) }

package sim

import "fencepost/internal/splitmix"

// A draw is a pure function of (seed, stream, index), so that what one node or
// link draws does not depend on what any other has drawn: toggling a fault or
// adding a node leaves every other draw as it was.
//
// Source: the finaliser is variant 13 of Stafford's mixers, as used by SplitMix64
// (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).

// Purpose is what a stream of draws decides.
type Purpose uint8

// The streams of a run.
const (
	Delays     Purpose = iota + 1 // of a link: how long each message travels
	Losses                        // of a link: whether each message is lost
	Duplicates                    // of a link: whether message i arrives twice and, at index ^i, how much later
	Timers                        // of a node: the length of each drawn timer
	Costs                         // of a node: how long each step occupies it
	Faults                        // of a fault: when it is injected and for how long
)

// Draw names one draw of a run. A link's stream is (From, To) when the network
// keeps messages in order, since such a link has a state of its own, and (From,
// None) when it does not; a node's stream is (From, None); a fault's stream is its
// name in Name.
type Draw struct {
	Purpose  Purpose
	From, To NodeID
	Name     uint64 // hash of the fault's name, see [Fault.Stream]
	Index    uint64 // 0 and up
}

// Of is the word that the draw gives in a run of a seed that overrides nothing, uniform over
// all 64-bit words and independent of every other draw.
func (d Draw) Of(seed uint64) uint64 { return d.mix(baseOf(seed, d.Purpose)) }

// mix is the word of the draw among those of its purpose.
func (d *Draw) mix(base uint64) uint64 {
	return splitmix.Mix(base + d.Name + uint64(d.From)*0x8EBC6AF09C88C6E3 + uint64(d.To)*0xC2B2AE3D27D4EB4F + d.Index*splitmix.Gamma)
}

// baseOf is where the draws of a purpose begin.
func baseOf(seed uint64, p Purpose) uint64 { return splitmix.Mix(seed ^ uint64(p)*0xA24BAED4963EE407) }

// Override replaces one draw. Value 0 is the minimal choice of every distribution:
// the shortest delay, no loss, no fault.
type Override struct {
	Draw  Draw
	Value uint64 // what the draw gives, uniform over all 64-bit words if not overridden
}

// source gives the draws of one run.
type source struct {
	seed      uint64
	bases     [Faults + 1]uint64
	overrides []Override
	minimal   bool               // what is not overridden is 0
	special   bool               // there are overrides, or the draws are minimal, chosen or watched
	watch     func(Draw, uint64) // sees each draw
	choose    func(Draw) uint64  // gives each draw, if not nil
}

func (s *source) reset(seed uint64) {
	s.seed = seed
	for p := range s.bases {
		s.bases[p] = baseOf(seed, Purpose(p))
	}
}

// fork makes the draws from now on those of another seed.
func (s *source) fork(seed uint64, minimal bool) {
	s.reset(seed)
	s.overrides, s.minimal = nil, minimal
}

// at is the draw of a node's or link's stream.
func (s *source) at(p Purpose, from, to NodeID, index uint64) uint64 {
	if s.special {
		return s.overridden(Draw{Purpose: p, From: from, To: to, Index: index})
	}
	// The multipliers are odd and unrelated, so that the arithmetic progressions
	// of two streams do not meet within 2^40 draws.
	return splitmix.Mix(s.bases[p] + uint64(from)*0x8EBC6AF09C88C6E3 + uint64(to)*0xC2B2AE3D27D4EB4F + index*splitmix.Gamma)
}

// plainDelay is at for the delay of a sender's message, where nothing is special.
func (s *source) plainDelay(from NodeID, index uint64) uint64 {
	return splitmix.Mix(s.bases[Delays] + uint64(from)*0x8EBC6AF09C88C6E3 + index*splitmix.Gamma)
}

// fault is the draw of a fault's stream.
func (s *source) fault(name, index uint64) uint64 {
	d := Draw{Purpose: Faults, Name: name, Index: index}
	if s.special {
		return s.overridden(d)
	}
	return s.plain(d)
}

func (s *source) overridden(d Draw) uint64 {
	v := s.chosen(d)
	if s.watch != nil {
		s.watch(d, v)
	}
	return v
}

func (s *source) chosen(d Draw) uint64 {
	for i := range s.overrides {
		if s.overrides[i].Draw == d {
			return s.overrides[i].Value
		}
	}
	switch {
	case s.choose != nil:
		return s.choose(d)
	case s.minimal:
		return 0
	}
	return s.plain(d)
}

func (s *source) plain(d Draw) uint64 { return d.mix(s.bases[d.Purpose]) }

// Hash is a 64-bit hash of a name, for streams and files: FNV-1a, then mixed.
func Hash(name string) uint64 {
	h := uint64(0xCBF29CE484222325)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001B3
	}
	return splitmix.Mix(h)
}

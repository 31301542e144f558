package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// A setting that the explorer does not follow is refused: a proof without it would be one of another system.
func TestWhatIsNotCoveredIsRefused(t *testing.T) {
	plain := func() certify.Search {
		return certify.Search{Program: fischer(2, 10*time.Millisecond, 11*time.Millisecond), Config: sim.Config{Until: sim.Time(time.Second), Network: sim.Network{Order: sim.Free}}}
	}
	s := plain()
	require.NoError(t, s.Refusals(), "and what is covered is not")
	for want, set := range map[string]func(s *certify.Search){
		"clock of process-2":          func(s *certify.Search) { s.Config.Clocks = []sim.Clock{{}, {Rate: 100_000}} },
		"clock of process-1":          func(s *certify.Search) { s.Config.Clocks = []sim.Clock{{Offset: time.Second}} },
		"cost of a step of process-1": func(s *certify.Search) { s.Config.Costs = []sim.Dist{sim.Uniform(0, time.Millisecond)} },
		"cost of a step of process-1: want at most 1000h0m0s, got 1001h0m0s": func(s *certify.Search) { s.Config.Costs = []sim.Dist{sim.Constant(1001 * time.Hour)} },
		"network: want delays of at most 1000h0m0s, got 1001h0m0s":           func(s *certify.Search) { s.Config.Network.Default.Delay = sim.Constant(1001 * time.Hour) },
		"copies of messages: want them within 0 to 1000h0m0s, got 1001h0m0s": func(s *certify.Search) { s.CopyWithin = 1001 * time.Hour },
		"long: want at most 1000h0m0s, got 1001h0m0s": func(s *certify.Search) {
			s.Faults = []certify.Fault{{Name: "long", Nodes: []sim.NodeID{1}, Most: 1001 * time.Hour, Count: 1}}
		},
		"only the order of arrival":       func(s *certify.Search) { s.Config.Resume = sim.TimersFirst },
		"want no overrides":               func(s *certify.Search) { s.Config.Minimal = true },
		"network: messages that are lost": func(s *certify.Search) { s.Config.Network.Default.Loss = 1 },
		"rule 1 of the network: messages that are duplicated": func(s *certify.Search) {
			s.Config.Network.Rules = []sim.LinkRule{{Link: sim.Link{Duplicate: 1}}}
		},
		"want 0 to 255, got 256 and 0": func(s *certify.Search) { s.Losses = 256 },
		"property 1: the system has 1": func(s *certify.Search) { s.Property = 1 },
		"property -1":                  func(s *certify.Search) { s.Property = -1 },
	} {
		s := plain()
		set(&s)
		_, err := s.Run(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

// unset compares a reading with a number.
type unset struct {
	within
	Number sim.Time
}

func (u *unset) Symbolic() sim.Property[word] { return u }
func (u *unset) Observe(v *sim.View[word], _ *sim.Observation[word]) {
	u.Saw()
	if v.Now().Before(u.Number) {
		u.Violate(v.Now(), 1)
	}
}

// A reading that is compared with what no clock has read is refused in words that say so.
func TestAReadingIsComparedWithAReading(t *testing.T) {
	for number, want := range map[sim.Time]string{
		0: "the property: it compares a clock reading with an unset time, which cannot be certified yet",
		7: "the property: it compares a clock reading with 7ns, which is not a reading",
	} {
		s := kept(20, within{})
		s.Program = sim.NewProgram(func() sim.System[word] {
			y := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves}, Properties: []sim.Property[word]{&unset{Number: number}}}
			sim.Put(&y, y.Node("keeper"), keeper{Lease: 20})
			return y
		})
		_, err := s.Run(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

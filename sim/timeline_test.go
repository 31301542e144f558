package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lasts is a system of one node that notes alpha at 10 ms, beta at 30 ms, gamma at 60 ms and
// mark at 70 ms. It is in "one" from alpha to gamma, and in "two" from then until its
// wall clock reads 40 ms, or 80 ms from beta on.
func lasts() System[tm] {
	s := System[tm]{Kinds: kindNames, Notes: []Kind{alpha, beta, gamma, mark}}
	s.Nodes = append(s.Nodes, Place[tm]("a", actor{rig: &rig{w: &World[tm]{}}, do: func(in In[tm], out *Out[tm]) {
		for k, millis := range [...]int64{alpha: 10, beta: 30, gamma: 60, mark: 70} {
			k := Kind(k)
			if millis == 0 {
				continue
			}
			if in.Msg.kind == start && in.Mono == 0 {
				out.After(time.Duration(millis)*ms, tm{kind: k})
			} else if in.Msg.kind == k {
				out.Note(tm{kind: k, n: millis})
			}
		}
	}}))
	s.States = []State[tm]{
		{Name: "one", Enter: []Kind{alpha}, Leave: []Kind{gamma}},
		{Name: "two", Enter: []Kind{alpha, beta}, Leave: []Kind{gamma}, Until: func(m *tm) (ClockID, int64) {
			if m.kind == alpha {
				return WallClock, int64(40 * ms)
			}
			return WallClock, int64(80 * ms)
		}},
	}
	s.Marks = []Mark[tm]{{Name: "there", On: []Kind{mark}, By: func(m *tm) NodeID { return 1 }}}
	return s
}

func timeline(t *testing.T, s System[tm], most int, faults ...Fault) (*Timeline, *Result) {
	t.Helper()
	w, err := NewWorld(s, Config{Until: at(100), Faults: faults})
	require.NoError(t, err)
	plain := *w.Run(1)
	line := &Timeline{Most: most}
	w.Watch(Watch{Timeline: line})
	w.Run(7) // leaves nothing behind
	r := w.Run(1)
	require.Equal(t, plain.Digest, r.Digest)
	require.Equal(t, plain.Steps, r.Steps)
	w.Watch(Watch{})
	w.Run(1)
	return line, r
}

func span(state string, from, to int64) Span { return Span{1, state, at(from), at(to)} }

// TestTimeline: states end by a note, by a clock, by a crash and with the run.
func TestTimeline(t *testing.T) {
	there := []Instant{{1, 1, "there", at(70)}}
	for name, c := range map[string]struct {
		faults   []Fault
		spans    []Span
		instants []Instant
	}{
		"calm": {nil, []Span{span("one", 10, 60), span("two", 10, 60)}, there},
		"a step forward ends what a clock ends, and a step back begins it again": {
			[]Fault{{Do: StepClock, Node: 1, By: 70 * ms, When: When{At: at(50)}}, {Do: StepClock, Node: 1, By: -60 * ms, When: When{At: at(55)}}},
			[]Span{span("one", 10, 60), span("two", 10, 50), span("two", 55, 60)},
			append([]Instant{{1, 0, MarkStepped, at(50)}, {1, 0, MarkStepped, at(55)}}, there...),
		},
		"a reading that has passed, and a later note": {
			[]Fault{{Do: StepClock, Node: 1, By: 20 * ms, When: When{At: at(15)}}},
			[]Span{span("one", 10, 60), span("two", 10, 20), span("two", 30, 60)},
			append([]Instant{{1, 0, MarkStepped, at(15)}}, there...),
		},
		"a pause ends nothing": {
			[]Fault{{Do: Pause, Node: 1, For: forMillis(30), When: When{At: at(50)}}},
			[]Span{span("one", 10, 80), span("two", 10, 80), span(StatePaused, 50, 80)},
			[]Instant{{1, 1, "there", at(80)}},
		},
		"a crash in a pause": {
			[]Fault{{Do: Pause, Node: 1, For: forMillis(40), When: When{At: at(12)}}, {Do: Crash, Node: 1, For: forMillis(100), When: When{At: at(20)}}},
			[]Span{span("one", 10, 20), span("two", 10, 20), span(StatePaused, 12, 20), span(StateDown, 20, 100)},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			line, _ := timeline(t, lasts(), 0, c.faults...)
			require.Equal(t, c.spans, line.Spans)
			require.ElementsMatch(t, c.instants, line.Instants)
			require.Zero(t, line.More)
		})
	}
}

// TestTimelineLimit: what is too much is counted.
func TestTimelineLimit(t *testing.T) {
	line, _ := timeline(t, lasts(), 1)
	require.Equal(t, []Span{span("one", 10, 60)}, line.Spans)
	require.Empty(t, line.Instants)
	require.Equal(t, 2, line.More, "two, which beta does not begin again, and the mark")
	line, _ = timeline(t, lasts(), 1, Fault{Do: StepClock, Node: 1, By: 20 * ms, When: When{At: at(15)}})
	require.Equal(t, 4, line.More, "two, which is over at 20 ms and begins again at beta, the step and the mark")
}

// TestTimelineRefused: states and marks that no note can bring about.
func TestTimelineRefused(t *testing.T) {
	for want, change := range map[string]func(s *System[tm]){
		`state "one": kind 4 is no note`:          func(s *System[tm]) { s.States[0].Leave = []Kind{tick} },
		`state "one": no note begins or ends it`:  func(s *System[tm]) { s.States[0].Leave = nil },
		`state "one": kind 1 begins and ends it`:  func(s *System[tm]) { s.States[0].Leave = []Kind{alpha} },
		`state "one": want a name of its own`:     func(s *System[tm]) { s.States[1].Name = "one" },
		`mark "": want a name of its own`:         func(s *System[tm]) { s.Marks[0].Name = "" },
		`mark "paused": want a name of its own`:   func(s *System[tm]) { s.Marks[0].Name = StatePaused },
		`mark "there": no note begins or ends it`: func(s *System[tm]) { s.Marks[0].On = nil },
		`mark "there": kind 4 is no note`:         func(s *System[tm]) { s.Marks[0].On = []Kind{tick} },
	} {
		s := lasts()
		change(&s)
		_, err := NewWorld(s, Config{Until: at(100)})
		require.ErrorContains(t, err, want)
	}
}

// TestTimelineOfNothingNew: of a node that is in a state a further note begins nothing, and
// neither does one whose reading is there already.
func TestTimelineOfNothingNew(t *testing.T) {
	s := lasts()
	s.States[0].Enter = []Kind{alpha, beta}
	line, _ := timeline(t, s, 0)
	require.Equal(t, []Span{span("one", 10, 60), span("two", 10, 60)}, line.Spans)

	// At 30 ms, when beta sets the end of "two" to a reading of 80 ms, the clock has just that.
	line, _ = timeline(t, lasts(), 0, Fault{Do: StepClock, Node: 1, By: 50 * ms, When: When{At: at(15)}})
	require.Equal(t, []Span{span("one", 10, 60), span("two", 10, 15)}, line.Spans)
}

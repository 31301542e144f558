package execute

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/models/clock/eventlog"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// logged is an event as it stands in a log.
type logged struct {
	host, text string
	clock      map[string]uint64
}

// readBack reads a log as ShiViz does: with the expression of its first line, match
// after match.
func readBack(t *testing.T, log string) (events []logged) {
	t.Helper()
	form, rest, ok := strings.Cut(log, "\n")
	require.True(t, ok)
	delimiter, rest, ok := strings.Cut(rest, "\n")
	require.True(t, ok)
	require.Empty(t, delimiter, "one execution")
	r, err := regexp.Compile("(?m)" + form)
	require.NoError(t, err)
	host, text, stamp := r.SubexpIndex("host"), r.SubexpIndex("event"), r.SubexpIndex("clock")
	for len(rest) > 1 {
		lines := twoLines(rest) // an expression on a short text is ten times as fast
		m := r.FindStringSubmatch(lines)
		if len(m) == 0 || len(m[0]) != len(lines) {
			require.Fail(t, "something is left out", "%q", lines)
		}
		e := logged{host: m[host], text: m[text]}
		if err := json.Unmarshal([]byte(m[stamp]), &e.clock); err != nil {
			require.NoError(t, err, m[stamp])
		}
		events = append(events, e)
		rest = strings.TrimPrefix(rest[len(lines):], "\n")
	}
	require.Empty(t, rest)
	require.True(t, strings.HasSuffix(log, "\n"))
	return events
}

// twoLines are the first two lines of a text, without the end of the second.
func twoLines(text string) string {
	first := strings.IndexByte(text, '\n')
	second := strings.IndexByte(text[first+1:], '\n')
	if first < 0 || second < 0 {
		return text
	}
	return text[:first+1+second]
}

// vector is the clock of an event by the numbers of the hosts.
func (e *logged) vector(hosts []string) clock.Vector {
	v := make(clock.Vector, len(hosts))
	for i, h := range hosts {
		v[i] = e.clock[h]
	}
	return v
}

// journalOf runs a scenario once more for what caused what.
func journalOf(t *testing.T, s *format.Scenario) *sim.Journal {
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	j := &sim.Journal{}
	w.Watch(sim.Watch{Journal: j})
	w.Run(s.Seed)
	return j
}

// pastOf is the history of each of the first events of a run, a set of bits, by going
// back from each to what caused it; and the nodes of all events.
func pastOf(t *testing.T, j *sim.Journal, most int) (past [][]uint64, nodes []sim.NodeID) {
	number, last := map[int]int{}, map[sim.NodeID]int{} // entries and nodes to events
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Node == sim.None || e.To != sim.None {
			require.Zero(t, e.Step)
			continue
		}
		n := len(nodes)
		nodes = append(nodes, e.Node)
		if n >= most {
			continue
		}
		set := make([]uint64, (most+63)/64)
		add := func(cause int) {
			for w, b := range past[cause] {
				set[w] |= b
			}
			set[cause/64] |= 1 << (cause % 64)
		}
		if at, ok := last[e.Node]; ok {
			add(at)
		}
		if e.Step > 0 && e.From != e.Node {
			require.Equal(t, e.From, j.Entries[e.Cause].Node, "the message of entry %d", i)
			add(number[e.Cause])
		}
		number[i], last[e.Node] = n, n
		past = append(past, set)
	}
	return past, nodes
}

// pastOfEvents is the same of a model with events of its own, by what it says caused them.
func pastOfEvents(t *testing.T, s *format.Scenario, most int) (past [][]uint64, nodes []sim.NodeID) {
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	w.Run(s.Seed)
	o, last := w.Order(), map[sim.NodeID]int{}
	for i := range o.Len() {
		e := o.Event(i)
		nodes = append(nodes, e.Node)
		if i < most {
			set := make([]uint64, (most+63)/64)
			add := func(cause int) {
				for w, b := range past[cause] {
					set[w] |= b
				}
				set[cause/64] |= 1 << (cause % 64)
			}
			if at, ok := last[e.Node]; ok {
				add(at)
			}
			if e.From >= 0 {
				add(e.From)
			}
			past, last[e.Node] = append(past, set), i
		}
	}
	return past, nodes
}

// requireExact exports a run, reads it back, and compares the order of its clocks with
// what caused what.
func requireExact(t *testing.T, s *format.Scenario) {
	var b bytes.Buffer
	require.NoError(t, Exportable(t.Context(), s))
	require.NoError(t, ShiViz(s, &b))
	events, hosts := readBack(t, b.String()), s.Program.Nodes
	log, err := eventlog.Read(bytes.NewReader(b.Bytes()), eventlog.Options{})
	require.NoError(t, err)
	require.Len(t, log.Events, len(events))
	order := log.Order(1)
	require.True(t, order.Consistent(), order.String())

	most := min(700, 100+100_000/len(hosts))
	past, nodes := pastOf(t, journalOf(t, s), most)
	if s.Program.Ordered {
		past, nodes = pastOfEvents(t, s, most)
	}
	require.Len(t, events, len(nodes))
	require.NotEmpty(t, events)

	counts := map[string]uint64{}
	clocks := make([]clock.Vector, len(past))
	for i := range events {
		e := &events[i]
		counts[e.host]++
		if e.host != hosts[nodes[i]-1] || e.text == "" || e.clock[e.host] != counts[e.host] {
			require.Fail(t, "not the next of its host", "event %d, %+v, is number %d of %s", i, e, counts[e.host], hosts[nodes[i]-1])
		}
		if i < len(past) {
			clocks[i] = e.vector(hosts)
		}
	}
	for y := range past {
		for x := range y {
			r, err := clocks[x].Compare(clocks[y])
			want := clock.Concurrent
			if past[y][x/64]>>(x%64)&1 == 1 {
				want = clock.Before
			}
			if r != want || err != nil { // of millions of pairs
				require.Equal(t, want, r, "events %d and %d: %v\n%v\n%v", x, y, err, events[x], events[y])
			}
		}
	}
}

// shorten lets a run of more than so many steps end earlier, but not before it begins: after
// the longest of its halves, their halves and so on that has no more. It begins with a short
// one, as the whole of a run may be millions of steps.
func shorten(t *testing.T, s *format.Scenario, steps uint64) {
	whole := s.Config.Until
	parts := sim.Time(1)
	for ; parts < 1<<12 && whole/parts > sim.Time(time.Millisecond); parts *= 2 {
	}
	for ; parts > 0; parts /= 2 {
		longer := s.Config
		longer.Until = whole / parts
		w, err := s.Program.NewWorld(longer)
		require.NoError(t, err)
		if s.Config.Until = longer.Until; w.Run(s.Seed).Steps > steps {
			s.Config.Until = max(whole/(2*parts), 1)
			return
		}
	}
}

// TestEveryExport: "Traces of any fencepost run can be exported in ShiViz format,
// verified by reading them back". The order of the clocks is exactly what caused what.
// Without -whole it takes one scenario of twelve, and the first thousand steps of it.
func TestEveryExport(t *testing.T) {
	for i, name := range scenarios.Names() {
		if n := map[bool]int{true: 24, false: 12}[testing.Short()]; !whole.Takes(i, n) {
			continue
		}
		s, err := scenarios.Load(name, format.Options{})
		if err == nil && s.Replays() {
			continue // it has no nodes
		}
		t.Run(name, func(t *testing.T) {
			require.NoError(t, err)
			if len(s.Variants) > 0 {
				s = s.Variants[0].Scenario
			}
			shorten(t, s, uint64(whole.Of(1000, 3000)))
			requireExact(t, s)
		})
	}
}

// word is a message that stands in a log as it is.
type word struct {
	kind sim.Kind
	text string
}

func (w word) Label() sim.Kind              { return w.kind }
func (w word) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(w.kind), uint64(len(w.text))) }
func (w word) String() string               { return w.text }

const hostile = "a\n\"b\": {\"client one\":9}\r\n\u2028 (?<event>.*) {x}"

// talker sends a hostile word to the second node, which may panic when it hears it.
type talker struct{ Panics bool }

func (k *talker) Step(in sim.In[word], out *sim.Out[word]) {
	switch {
	case in.Self == 1:
		out.Note(word{2, "said"})
		out.Send(2, word{1, hostile})
		out.After(10*time.Millisecond, word{3, "again"})
	case k.Panics && in.Mono > sim.Mono(9*time.Millisecond):
		panic("enough\nof this")
	}
}

func talk(panics bool) *format.Scenario {
	return &format.Scenario{
		Name: "talk", Seed: 1, Runs: 1,
		Config: sim.Config{
			Until:   sim.Time(45 * time.Millisecond),
			Network: sim.Network{Default: sim.Link{Delay: sim.Constant(8 * time.Millisecond)}},
			Faults: []sim.Fault{
				{Name: "crash", Do: sim.Crash, Node: 2, When: sim.When{Note: 2, By: 1, Nth: 2}, For: sim.Constant(10 * time.Millisecond)},
				{Name: "pause", Do: sim.Pause, Node: 1, When: sim.When{Note: 2, Nth: 2}, For: sim.Constant(2 * time.Millisecond)},
			},
		},
		Program: sim.NewProgram(func() sim.System[word] {
			return sim.System[word]{
				Nodes: []sim.Spec[word]{sim.Place[word]("client one", talker{}), sim.Place[word]("a {b}:\n\"c\"", talker{panics})},
				Kinds: []string{"start", "word", "said", "again"}, Notes: []sim.Kind{2},
			}
		}),
	}
}

// TestExportOfHostileText: names and texts are made such that they can be read back.
func TestExportOfHostileText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, ShiViz(talk(false), &b))
	events := readBack(t, b.String())
	hosts := map[string]uint64{}
	for _, e := range events {
		hosts[e.host]++
		require.Equal(t, hosts[e.host], e.clock[e.host])
		require.LessOrEqual(t, len(e.clock), 2)
	}
	require.Len(t, hosts, 2)
	require.NotContains(t, b.String(), "\u2028")
	require.NotContains(t, b.String(), "\r")
}

// TestExportOfFaults: what is done to a node is an event of it and of no other, and what
// becomes of a message is none.
func TestExportOfFaults(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, ShiViz(talk(false), &b))
	var said []string
	for _, e := range readBack(t, b.String()) {
		if text := e.text[strings.Index(e.text, " ")+1:]; !strings.HasPrefix(text, "from ") {
			said = append(said, e.host[:6]+" "+text)
			if text == "crashes" { // because of what client-1 noted, of which it cannot know
				require.Equal(t, map[string]uint64{"client_one": 1, e.host: 3}, e.clock)
			}
		}
	}
	require.Equal(t, []string{
		`client starts; notes said; sends a {b}: "c": a "b": {"client one":9}    (?<event>.*) {x}; after 10ms: again`,
		"a_{b}: starts", "a_{b}: crashes", "client is paused for 2ms", "client resumes", "a_{b}: restarts", "a_{b}: starts",
	}, said)
	require.NotContains(t, b.String(), "finds it down")
}

// TestExportOfPanic: the step that panicked is the last of the log.
func TestExportOfPanic(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, ShiViz(talk(true), &b))
	events := readBack(t, b.String())
	last := events[len(events)-1]
	require.True(t, strings.HasPrefix(last.text, "0.030s panicked, handling a "), last.text)
	require.Contains(t, last.text, "enough of this")
}

// TestExportLimits: a run that is too long for memory is refused before it is kept.
func TestExportLimits(t *testing.T) {
	require.NoError(t, fits("x", "steps", MaxExportSteps, 50))
	require.EqualError(t, fits("x", "steps", MaxExportSteps+1, 1),
		"x: --export: the run has 1000001 steps, and a log at most 1000000: --set until=... ends it sooner")
	require.EqualError(t, fits("x", "steps", 1_000_000, 51),
		"x: --export: the run has 1000000 steps of 51 nodes, and the clocks of a log at most 50000000 counters: --set until=... ends it sooner")
	s := talk(false)
	s.Config.Until = -1 // which the engine refuses
	require.ErrorContains(t, Exportable(t.Context(), s), "talk: until: must be positive")
	require.ErrorContains(t, ShiViz(s, io.Discard), "talk: until: must be positive")
}

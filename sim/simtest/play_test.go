package simtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// begin schedule

func theAnswerIsLost(t testing.TB, system func() sim.System[Msg]) *simtest.Played {
	return simtest.Play(t, system, sim.Config{Until: sim.Time(20 * time.Second)},
		simtest.Delay(time.Millisecond),
		simtest.Disturb("standby", "primary", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Taken, Nth: 1}}))
}

func TestTheAnswerIsLost(t *testing.T) {
	r := theAnswerIsLost(t, handOver)
	r.Holds("one-in-charge")
	r.Logs("5.000s primary notes relieved", "5.001s standby notes in-charge")
}

// end schedule

// What the page shows of an impatient primary, asked as a test would.
func TestTheAnswerIsLostToTheImpatient(t *testing.T) {
	theAnswerIsLost(t, impatient().System).Violated("one-in-charge", at(6))
}

// begin forgets

func TestOneInChargeForgets(t *testing.T) {
	simtest.Forgets(t, handOver, sim.Config{Until: sim.Time(20 * time.Second)},
		simtest.Inject("standby", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(5 * time.Second)}, For: sim.Constant(time.Second)}))
}

// end forgets

// at is an instant in seconds.
func at(s int64) sim.Time { return sim.Time(s * 1e9) }

// measured is a system with a meter of how often somebody takes charge, another of
// nothing, and a property that is blind.
func measured() sim.System[Msg] {
	s := impatient().System()
	s.Properties = append(s.Properties, &blind{})
	s.Measures = []sim.Measure{{Name: "charges"}, {Name: "nothing"}}
	s.Meters = append(s.Meters, &charges{})
	return s
}

// charges records each note of being in charge; one that has grown records what it
// saw in the runs before as well.
type charges struct{ grown, seen int64 }

func (c *charges) Reset(*sim.View[Msg]) { c.seen *= c.grown }
func (c *charges) End(*sim.View[Msg])   {}
func (c *charges) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == InCharge {
		c.seen++
		v.Record(0, c.grown*(c.seen-1)+1)
	}
}

// lost loses the first answer of the standby.
func lost() simtest.Change {
	return simtest.Disturb("standby", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Taken, Nth: 1}})
}

// minute is a config for a minute at most.
var minute = sim.Config{Until: at(60)}

func TestPlay(t *testing.T) {
	r := simtest.Play(t, measured, minute, lost(), simtest.Until(at(7)))
	assert.Equal(t, at(7), r.Result.End)
	assert.Equal(t, []string{"primary", "standby"}, r.Program.Nodes)
	assert.Equal(t, []string{"primary notes in-charge while standby is still in", ""}, r.Why)
	assert.Contains(t, r.Trace(), "from primary: take; notes in-charge; sends primary: taken")
	assert.Equal(t, []sim.Moment{{At: 0, Text: "primary notes in-charge"}, {At: at(5), Text: "primary notes relieved"},
		{At: at(5), Text: "standby notes in-charge"},
		{At: at(5), Text: "standby sends primary taken, which is lost", Fault: "lost messages of standby", Until: at(5)}, {At: at(6), Text: "primary notes in-charge"}}, r.Moments)

	r.Violated("one-in-charge", at(6))
	r.OnlyViolates("one-in-charge")
	assert.Equal(t, [2]sim.NodeID{1, 2}, r.Finding("one-in-charge").Nodes)
	assert.Equal(t, []string{"blind"}, r.Verdicts(sim.NotExercised))
	assert.EqualValues(t, 3, r.Measure("charges"))
	assert.Zero(t, r.Measure("nothing"))
	assert.Equal(t, at(5), r.Moment("standby notes"))
	r.Logs("primary notes in-charge", "notes relieved", "6.000s primary notes in-charge")
	assert.Equal(t, `0.000s primary notes in-charge
5.000s primary notes relieved
5.000s standby notes in-charge
5.000s standby sends primary taken, which is lost
6.000s primary notes in-charge

one-in-charge            violated  primary notes in-charge while standby is still in
blind                    not-exercised
charges                  3
nothing                  0`, r.String())

	calm := simtest.Play(t, measured, minute)
	calm.OnlyViolates()
	calm.Holds("one-in-charge")
	assert.NotEqual(t, r.Result.Digest, calm.Result.Digest)
	assert.Equal(t, calm.Result.Digest, simtest.Play(t, measured, minute, simtest.Once()).Result.Digest)
}

// Each question is answered otherwise than a test wants it.
func TestPlayFails(t *testing.T) {
	const log = "6.000s primary notes in-charge\n"
	for _, v := range []struct {
		ask  func(r *simtest.Played)
		want string
	}{
		{func(r *simtest.Played) { r.Violated("one-in-charge", at(5)) }, "one-in-charge is violated at 6.000s, want at 5.000s\n0.000s primary notes"},
		{func(r *simtest.Played) { r.Violated("blind", at(5)) }, "blind is not violated, but not-exercised; want it violated at 5.000s\n0.000s"},
		{func(r *simtest.Played) { r.Holds("one-in-charge") }, "one-in-charge does not hold: it is violated at 6.000s\n0.000s"},
		{func(r *simtest.Played) { r.Holds("blind") }, "blind was not exercised\n0.000s"},
		{func(r *simtest.Played) { r.OnlyViolates() }, "violated are one-in-charge; want none\n0.000s"},
		{func(r *simtest.Played) { r.OnlyViolates("one-in-charge", "blind") }, "violated are one-in-charge; want one-in-charge, blind\n"},
		{func(r *simtest.Played) { r.Moment("nobody") }, "the log does not contain \"nobody\"\n0.000s"},
		{func(r *simtest.Played) { r.Logs("standby notes") }, "the log does not contain \"standby notes\"\n0.000s"},
		{func(r *simtest.Played) { r.Logs("1.000s primary notes in-charge") }, "the log does not contain \"1.000s primary notes in-charge\"\n0.000s"},
		{func(r *simtest.Played) { r.Logs("0s primary notes in-charge") }, "the log does not contain \"0s primary notes in-charge\"\n0.000s"},
		{func(r *simtest.Played) { r.Logs("notes relieved", "notes relieved") }, "the log does not contain \"notes relieved\" after \"notes relieved\"\n0.000s"},
	} {
		k := again("TestX", func(t testing.TB) { v.ask(simtest.Play(t, measured, minute, lost())) })
		assert.True(t, k.failed, v.want)
		assert.Contains(t, k.log.String(), v.want)
		assert.Contains(t, k.log.String(), log, v.want)
	}
	for _, v := range []struct {
		ask  func(r *simtest.Played)
		want string
	}{
		{func(r *simtest.Played) { r.Finding("none") }, `simtest: the system has no property "none": it has one-in-charge, blind`},
		{func(r *simtest.Played) { r.OnlyViolates("none") }, `simtest: the system has no property "none"`},
		{func(r *simtest.Played) { r.Measure("none") }, `simtest: the system has no measure "none": it has charges, nothing`},
	} {
		k := again("TestX", func(t testing.TB) { v.ask(simtest.Play(t, measured, minute)) })
		assert.True(t, k.failed, v.want)
		assert.Contains(t, k.log.String(), v.want)
	}
}

func TestWhatCannotBePlayed(t *testing.T) {
	system := func(nodes ...sim.Spec[Msg]) func() sim.System[Msg] { return round(nodes...).System }
	for _, v := range []struct {
		system func() sim.System[Msg]
		change simtest.Change
		want   string
	}{
		{nil, lost(), "simtest: there is no system to play"},
		{handOver, simtest.Until(0), "simtest: until: must be positive"},
		{handOver, simtest.Inject("prim", sim.Fault{Do: sim.Pause}), `simtest: fault "pause prim 0": node: there is no node -1, only 1 to 2`},
		{handOver, simtest.Inject("", sim.Fault{Do: sim.Pause}), `pause needs a node`},
		{handOver, simtest.Disturb("prim", "", sim.Fault{Do: sim.Lose}), `simtest: fault "lose from \"prim\" to \"\" 0": from: there is no node -1`},
		{handOver, simtest.Disturb("", "prim", sim.Fault{Do: sim.Lose}), `to: there is no node -1`},
		{handOver, simtest.Part(sim.Fault{Do: sim.Cut}, []string{"primary"}, []string{"prim"}), `simtest: fault "cut [[\"primary\"] [\"prim\"]] 0": side: there is no node -1`},
		{system(sim.Place[Msg]("ann", counted{})), simtest.Until(at(1)), "a step of ann panics at 0.000s, with seed 1, handling \"start\": sim: the same state and message gave two different steps"},
		{system(sim.Place[Msg]("ann", shaky{})), simtest.Until(at(2)), "a step of ann panics at 1.000s, with seed 1, handling \"retire\": fell over\nfencepost/sim/simtest_test.(*shaky).Step"},
	} {
		k := again("TestX", func(t testing.TB) { simtest.Play(t, v.system, minute, v.change) })
		assert.True(t, k.failed, v.want)
		assert.Contains(t, k.log.String(), v.want)
	}
}

// shaky falls over at its first timer.
type shaky struct{}

func (*shaky) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == retire {
		panic("fell over")
	}
	out.After(time.Second, Say(retire))
}

// The changes do what they say, and what the caller gave stays as it was.
func TestChanges(t *testing.T) {
	played := func(change simtest.Change) string { // without what the engine tells of faults
		lines := strings.SplitAfter(simtest.Play(t, handOver, minute, change).Log(), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, " notes ") }), "")
	}
	const calm = "0.000s primary notes in-charge\n5.000s primary notes relieved\n5.000s standby notes in-charge\n"
	standby := func(when string) string { return strings.Replace(calm, "5.000s standby", when+" standby", 1) }
	cut := sim.Fault{Do: sim.Cut, When: sim.When{At: at(5)}, For: sim.Constant(1500 * time.Millisecond)}
	hold := cut
	hold.Do = sim.Hold
	for _, v := range []struct {
		want   string
		change simtest.Change
	}{
		{calm, simtest.Once()},
		{"0.000s primary notes in-charge\n", simtest.Until(at(5))},
		{standby("5.250s"), simtest.Delay(250 * time.Millisecond)},
		{standby("8.000s"), simtest.Inject("standby", sim.Fault{Do: sim.Pause, When: sim.When{At: at(4)}, For: sim.Constant(4 * time.Second)})},
		{standby("6.000s"), simtest.Disturb("", "standby", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Take, Nth: 1}})},
		{calm, simtest.Disturb("standby", "primary", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Take}})},
		{standby("7.000s"), simtest.Part(cut, []string{"primary"}, []string{"standby"})},
		{standby("6.500s"), simtest.Part(hold, []string{"primary"}, []string{"standby"})},
	} {
		assert.Equal(t, v.want, played(v.change))
		assert.Equal(t, v.want, played(v.change), "a second time")
	}

	given := minute
	given.Faults = append(make([]sim.Fault, 0, 8), sim.Fault{Name: "mine", Do: sim.Pause, Node: 1, Forever: true})
	simtest.Play(t, handOver, given, lost())
	require.Len(t, given.Faults, 1)
	assert.Empty(t, given.Faults[:2][1].Name, "what the caller goes on to write there")
}

func TestForgets(t *testing.T) {
	pause := simtest.Inject("standby", sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Exponential(2 * time.Second)})
	k := again("TestX", func(t testing.TB) { simtest.Forgets(t, measured, minute, lost(), pause) })
	require.False(t, k.failed, k.log.String())
	k = again("TestX", func(t testing.TB) { simtest.Count(t, measured, minute, 20, lost(), pause).Forgets() })
	require.False(t, k.failed, k.log.String())

	with := func(change func(s *sim.System[Msg])) func() sim.System[Msg] {
		return func() sim.System[Msg] {
			s := round(sim.Place[Msg]("ann", ticker{})).System()
			s.Properties = append(s.Properties, &blind{})
			change(&s)
			return s
		}
	}
	const begins, node = "a world that has run does not begin like one that has not\n", "It is a node or a meter. A node that owns slices or maps implements sim.Resetter; a meter forgets all in Reset.\n"
	for _, v := range []struct {
		name   string
		change func(s *sim.System[Msg])
		want   string
	}{
		{"a property", func(s *sim.System[Msg]) { s.Properties = append(s.Properties, &grudging{}) },
			begins + "It is a property: content. A property forgets all in Reset.\n"},
		{"a node", func(s *sim.System[Msg]) { s.Nodes[0] = sim.Place[Msg]("ann", sharing{[]int{0}}) }, begins + node},
		{"a meter", func(s *sim.System[Msg]) {
			s.Measures, s.Meters = []sim.Measure{{Name: "charges"}}, append(s.Meters, &charges{grown: 1})
		}, "a world that has run does not measure what it first measured with the same seed\n" + node},
		{"the steps", func(s *sim.System[Msg]) { s.Nodes[0] = sim.Place[Msg]("ann", counted{}) },
			"a world that has run does not take the steps that it first took with the same seed\n" + node},
		{"the findings", func(s *sim.System[Msg]) { s.Properties = append(s.Properties, unseen()) },
			"a world that has run does not find of content what it first found with the same seed\nIt is a property: content. A property forgets all in Reset.\n"},
		{"nothing happens", func(s *sim.System[Msg]) { s.Nodes = nil }, "simtest: no node takes a step: there is nothing to forget\n"},
		{"a panic", func(s *sim.System[Msg]) { s.Nodes[0] = sim.Place[Msg]("ann", shaky{}) }, "a step of ann panics at 1.000s, with seed 1"},
	} {
		t.Run(v.name, func(t *testing.T) {
			k := again("TestX", func(t testing.TB) { simtest.Forgets(t, with(v.change), minute) })
			require.True(t, k.failed)
			assert.Equal(t, v.want, k.log.String()[:min(len(v.want), k.log.Len())])

			k = again("TestX", func(t testing.TB) { simtest.Count(t, with(v.change), minute, 8).Forgets() })
			require.True(t, k.failed)
			assert.Equal(t, v.want, k.log.String()[:min(len(v.want), k.log.Len())])
		})
	}
}

// elsewhere is a property that keeps what it remembers where no fingerprint sees it.
type elsewhere struct {
	content
	ran func(now bool) bool
}

func unseen() *elsewhere {
	before := false
	return &elsewhere{ran: func(now bool) bool {
		was := before
		before = before || now
		return was
	}}
}

func (p *elsewhere) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.content.Observe(v, o)
	if p.ran(false) {
		p.Violate(v.Now(), o.Node)
	}
}

func (p *elsewhere) End(*sim.View[Msg]) { p.ran(true) }

package ratelimit

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model"
)

// event is what a gate is sent and says.
type event sim.Kind

const (
	opened event = iota
	comes        // timer: a request
	passes       // note: it is admitted
)

func (e event) Label() sim.Kind              { return sim.Kind(e) }
func (e event) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(e), 0) }
func (e event) String() string               { return [...]string{"opened", "comes", "passes"}[e] }

// gate asks a rule for some requests, of which each comes at any time up to Gap after the one before.
type gate[S, R any, P interface {
	*R
	Rule[S]
}] struct {
	Rule     R
	Gap      time.Duration
	Requests int

	key   S
	known bool
}

// Step implements [sim.Node].
func (g *gate[S, R, P]) Step(in sim.In[event], out *sim.Out[event]) {
	if in.Msg == comes {
		if !g.known {
			g.key, g.known = P(&g.Rule).Start(Reading(in.Wall)), true
		}
		if g.Requests--; P(&g.Rule).Take(&g.key, Reading(in.Wall), 1).Allowed {
			out.Note(passes)
		}
	}
	if g.Requests > 0 {
		out.AfterDraw(sim.Uniform(0, g.Gap+1), comes)
	}
}

func (g *gate[S, R, P]) Symbolic() string                 { return "" }
func (g *gate[S, R, P]) Forget()                          {}
func (g *gate[S, R, P]) Ignores(*sim.Arrival[event]) bool { return false }

// most holds if at most Any requests are admitted in any window (t - Window, t].
type most struct {
	Any    int
	Window time.Duration
	Last   []sim.Time // admissions, the oldest first
}

func (m *most) Check(r *model.Report[event]) {
	r.Saw()
	if m.Last = append(m.Last, r.Now()); len(m.Last) > m.Any {
		if first := m.Last[0]; r.Now().Before(first.Add(m.Window)) {
			r.Violated(r.Node)
		}
		m.Last = slices.Delete(m.Last, 0, 1)
	}
}

func (m *most) Symbolic() (model.Checker[event], []sim.Kind) {
	return &most{Any: m.Any, Window: m.Window}, []sim.Kind{sim.Kind(passes)}
}

// own holds if at most Limit requests are admitted in a window that begins at the first after the last one.
type own struct {
	Limit  int
	Window time.Duration
	Start  sim.Time
	Count  int
}

func (o *own) Check(r *model.Report[event]) {
	r.Saw()
	if o.Count == 0 || !r.Now().Before(o.Start.Add(o.Window)) {
		o.Start, o.Count = r.Now(), 0
	}
	if o.Count++; o.Count > o.Limit {
		r.Violated(r.Node)
	}
}

func (o *own) Symbolic() (model.Checker[event], []sim.Kind) {
	return &own{Limit: o.Limit, Window: o.Window}, []sim.Kind{sim.Kind(passes)}
}

// windowByBefore is the anchored [FixedWindow], and gcraByBefore the [GCRA], that compare readings by
// Before and in no other way, as a proof wants it: that costs the cores half of their speed. What a decision says
// beside its verdict is left out, since it is made of differences.
type (
	windowByBefore struct{ FixedWindow }
	gcraByBefore   struct{ GCRA }
)

func before(a, b Reading) bool { return sim.Wall(a).Before(sim.Wall(b)) }

func (w *windowByBefore) Take(k *FixedWindowState, now Reading, cost int64) (d Decision) {
	if before(now, k.start) {
		now = k.start
	}
	if k.count == 0 || !before(now, k.start+Reading(w.window)) {
		*k = FixedWindowState{start: now}
	}
	if d.Allowed = cost <= w.limit-k.count; d.Allowed {
		k.count += cost
	}
	return d
}

func (g *gcraByBefore) Take(k *GCRAState, now Reading, cost int64) (d Decision) {
	base := *k // max(TAT, now)
	if before(k.tat, now) {
		base = GCRAState{now, 0}
	}
	slack := g.full - cost*g.p - base.part // a n-th of it is how far ahead the base may be
	if slack < 0 || before(now+Reading(g.byN.floor(slack)), base.tat) {
		return d
	}
	charge := base.part + cost*g.p
	*k = GCRAState{base.tat + Reading(g.byN.floor(charge)), charge % g.n}
	return Decision{Allowed: true}
}

// asCore asks a rule and its core at the same times, most of them near those at which something changes.
func asCore[S comparable](t *testing.T, rule, core Rule[S], near time.Duration, r *rand.Rand) {
	now := Reading(1e18)
	k, same := rule.Start(now), core.Start(now)
	for range 2000 {
		switch r.IntN(4) {
		case 0:
			now += Reading(r.Int64N(int64(2 * near)))
		case 1:
			now += Reading(near) + Reading(r.IntN(5)-2)
		case 2:
			now += Reading(r.IntN(3) - 1)
		}
		cost := int64(1 + r.IntN(2))
		got, want := rule.Take(&k, now, cost).Allowed, core.Take(&same, now, cost).Allowed
		require.Equal(t, want, got, "%v at %d", core, now)
		require.Equal(t, same, k, "%v at %d", core, now)
	}
}

// What is proven decides as the cores do, and remembers the same.
func TestRulesByBeforeDecideAsTheirCores(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	for range whole.Of(60, 200) {
		p := time.Duration(1 + r.Int64N(2e9))
		w, err := NewFixedWindow(FixedWindowParams{Limit: 1 + r.Int64N(4), Window: p, Anchored: true})
		require.NoError(t, err)
		asCore[FixedWindowState](t, &windowByBefore{*w}, w, p, r)
		g, err := NewGCRA(GCRAParams{Burst: 2 + r.Int64N(4), Rate: Rate{Tokens: 1 + r.Int64N(9), Per: p}})
		require.NoError(t, err)
		asCore[GCRAState](t, &gcraByBefore{*g}, g, p/time.Duration(g.n), r)
	}
}

// search is of all times at which some requests come, up to gap apart.
func search[S, R any, P interface {
	*R
	Rule[S]
}](rule P, requests int, gap time.Duration, checker model.Checker[event]) *certify.Search {
	program := sim.NewProgram(func() sim.System[event] {
		return sim.System[event]{
			Kinds: []string{"opened", "comes", "passes"}, Notes: []sim.Kind{sim.Kind(passes)},
			Nodes:      []sim.Spec[event]{sim.Place[event]("gate", gate[S, R, P]{Rule: *rule, Gap: gap, Requests: requests})},
			Properties: []sim.Property[event]{model.NewProperty("most", checker, sim.Kind(passes))},
		}
	})
	return &certify.Search{Program: program, Config: sim.Config{Until: sim.Time(time.Hour)}, Limits: certify.Limits{States: 200_000}}
}

// proven is what a proof finds.
func proven[S, R any, P interface {
	*R
	Rule[S]
}](t *testing.T, rule P, requests int, gap time.Duration, checker model.Checker[event]) certify.Result {
	t.Helper()
	s := search[S, R, P](rule, requests, gap, checker)
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	t.Logf("%+v: %v %v, %d states", checker, r.Verdict, r.Bound, r.States)
	return r
}

// The anchored window admits its limit in a window of its own, and in any window of that length up to 2 L - 1: the limit
// less one at the end of one, and the limit at the start of the next. A nanosecond more has the first request too: 2 L.
func TestTheAnchoredWindowAdmitsAtMostTwiceItsLimit(t *testing.T) {
	const w = 100 * time.Millisecond
	for _, limit := range []int{1, 2, 3, 4} {
		rule, err := NewFixedWindow(FixedWindowParams{Limit: int64(limit), Window: w, Anchored: true})
		require.NoError(t, err)
		for _, c := range []struct {
			checker model.Checker[event]
			want    certify.Verdict
		}{
			{&own{Limit: limit, Window: w}, certify.Certified},
			{&own{Limit: limit - 1, Window: w}, certify.Violated},
			{&most{Any: limit, Window: w}, map[bool]certify.Verdict{true: certify.Certified, false: certify.Violated}[limit == 1]},
			{&most{Any: 2*limit - 1, Window: w}, certify.Certified},
			{&most{Any: 2*limit - 2, Window: w}, certify.Violated},
			{&most{Any: 2*limit - 1, Window: w + 1}, certify.Violated},
		} {
			r := proven[FixedWindowState](t, &windowByBefore{*rule}, 2*limit+3, 2*w, c.checker)
			assert.Equal(t, c.want, r.Verdict, "limit %d: %+v", limit, c.checker)
		}
	}
}

// GCRA with b requests at once and n per p admits in any window w at most floor((b*p + n*(w-1))/p), the 1 being a
// nanosecond, and that much.
func TestGCRAAdmitsWhatItsLawSays(t *testing.T) {
	const p = 100 * time.Millisecond
	for _, c := range []struct {
		burst, n int64
		window   time.Duration
	}{
		{1, 1, p}, {1, 1, p + 1}, {2, 1, p}, {2, 1, p + 1}, {2, 2, p}, {3, 2, p / 2}, {3, 2, p/2 + 1}, {2, 3, p - 1}, {2, 3, p + 1},
	} {
		rule, err := NewGCRA(GCRAParams{Burst: c.burst, Rate: Rate{Tokens: c.n, Per: p}})
		require.NoError(t, err)
		law := int((c.burst*int64(p) + c.n*int64(c.window-1)) / int64(p))
		for any, want := range map[int]certify.Verdict{law: certify.Certified, law - 1: certify.Violated} {
			r := proven[GCRAState](t, &gcraByBefore{*rule}, law+2, 2*p, &most{Any: any, Window: c.window})
			assert.Equal(t, want, r.Verdict, "%+v: at most %d", c, any)
		}
	}
}

// Where the time between two requests is no whole nanosecond, instants between whole nanoseconds let one more pass in a
// window that whole ones just fill: no run shows it.
func TestGCRAOfAThirdIsExactInWholeNanoseconds(t *testing.T) {
	const p = 100 * time.Millisecond
	rule, err := NewGCRA(GCRAParams{Burst: 2, Rate: Rate{Tokens: 3, Per: p}})
	require.NoError(t, err)
	r := proven[GCRAState](t, &gcraByBefore{*rule}, 6, 2*p, &most{Any: 4, Window: p})
	assert.Equal(t, certify.Unknown, r.Verdict)
	assert.Equal(t, certify.Between, r.Bound)
}

// hasty is a GCRA that remembers an arrival time a nanosecond too early.
type hasty struct{ gcraByBefore }

func (h *hasty) Take(k *GCRAState, now Reading, cost int64) Decision {
	d := h.gcraByBefore.Take(k, now, cost)
	if d.Allowed {
		k.tat--
	}
	return d
}

// A rule that is wrong by a nanosecond is found, and one that looks at readings otherwise than by Before is refused.
func TestARuleThatIsWrongIsFound(t *testing.T) {
	const p = 100 * time.Millisecond
	rule, err := NewGCRA(GCRAParams{Burst: 1, Rate: Rate{Tokens: 1, Per: p}})
	require.NoError(t, err)
	for window, want := range map[time.Duration]certify.Verdict{p: certify.Violated, p - 1: certify.Certified} {
		r := proven[GCRAState](t, &hasty{gcraByBefore{*rule}}, 4, 2*p, &most{Any: 1, Window: window})
		assert.Equal(t, want, r.Verdict, "%v", window)
	}
	bucket, err := NewTokenBucket(TokenBucketParams{Capacity: 1, Refill: Rate{Tokens: 1, Per: p}})
	require.NoError(t, err)
	s := search[TokenBucketState](bucket, 3, 2*p, &most{Any: 1, Window: p})
	_, err = s.Run(t.Context())
	assert.ErrorContains(t, err, "a step of gate depends on the number of a reading: it is to compare readings with Before")
}

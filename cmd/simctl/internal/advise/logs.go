package advise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"time"

	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/scenarios/clocklog"
	"fencepost/scenarios/format"
	"fencepost/scenarios/gclog"
	"fencepost/sim/stats"
)

// Logs are what a reader's own machines wrote, and what is asked of them.
type Logs struct {
	GC           string // stops of the holder's process: a log of a collector
	Latency      string // delays of messages, one way: a table
	Clock        string // the servers' clocks: a log of a time daemon
	Acquisitions int    // that are sampled, 1 and up
	PerDay       float64
	Below        float64       // the probability per acquisition that is looked for; 0: none
	Gap          time.Duration // from the check to when the write leaves, and for each other step of the holder

	files *format.Files // those that are read already
	stops *gclog.Log    // of GC
	clock *clocklog.Log // of Clock
}

// Given reports whether there is a log.
func (g *Logs) Given() bool { return g.GC+g.Latency+g.Clock != "" }

// Read reads the logs of the collector and of the time daemon, unless that was done before. Its
// error has a line for each that cannot be read.
func (g *Logs) Read() error {
	var gcs, clocks error
	if g.files == nil {
		g.files = &format.Files{}
	}
	if g.GC != "" && g.stops == nil {
		if g.stops, gcs = gclog.ReadFile(g.GC); gcs != nil {
			gcs = fmt.Errorf("--gclog: %w", gcs)
		}
	}
	if g.Clock != "" && g.clock == nil {
		if g.clock, clocks = clocklog.ReadFile(g.Clock, clocklog.Options{}); clocks != nil {
			clocks = fmt.Errorf("--clocklog: %w", clocks)
		}
	}
	return errors.Join(gcs, clocks)
}

// LongestDelay is the longest delay of the table.
func (g *Logs) LongestDelay(load Loader) (time.Duration, error) {
	if g.files == nil {
		g.files = &format.Files{}
	}
	s, err := (&scene{from: load, service: "redis", delay: g.delay(""), until: time.Second, files: g.files}).load()
	if wrong := (*format.Invalid)(nil); errors.As(err, &wrong) {
		return 0, errors.New(wrong.Problems[0].Message) // not its place in a scenario that the reader has not written
	}
	if err != nil {
		return 0, err
	}
	return s.Config.Network.Default.Delay.Sample(math.MaxUint64), nil
}

func (g *Logs) delay(without string) string {
	if g.Latency == "" {
		return without
	}
	return fmt.Sprintf("{csv: %q}", g.Latency)
}

// sample is an acquisition: the first client wants the lock once, to work for this long, and
// the second all the time.
func (l *lease) sample(i int, work, extra time.Duration) *scene {
	s := l.scene(0, i)
	s.until = s.waits + 2*work + 8*l.cycle + extra
	return s.set("start", "[%v, 0s]", s.waits).set("work", "%v", work).set("rounds", "[1, 0]").set("think", "[0s, %v]", l.retry)
}

func (x *session) sample(i int, work, extra time.Duration) *scene {
	s, _ := x.scene(i, 0)
	s.until = s.waits + x.opens + 2*work + x.poll + extra
	return s.set("start", "[%v, 0s]", s.waits).set("work", "%v", work).set("rounds", "[1, 0]").set("think", "[0s, %v]", x.opens)
}

const fenced = "check and fencing"

// protections are what a holder may do against its own lateness.
var protections = []struct {
	name   string
	checks bool // it looks at a deadline, where the lock has one
	params [][2]string
}{
	{"no check", false, [][2]string{{"check", "false"}}},
	{"check before the write", true, [][2]string{{"check", "true"}}},
	{fenced, false, [][2]string{{"check", "true"}, {"tokens", "counter"}, {"fencing", "lex"}}},
}

// Risk is how often a lock fails in acquisitions that are sampled from the logs.
func (s *Settings) Risk(ctx context.Context, g *Logs, progress func(string)) (*reports.Risk, error) {
	r := &reports.Risk{Acquisitions: g.Acquisitions, PerDay: g.PerDay}
	if err := g.Read(); err != nil {
		return nil, err
	}
	for _, p := range protections {
		if p.checks && s.Lock.Unchecked {
			continue
		}
		progress(p.name)
		t := s.sampling(g, p.params)
		t.progress = func(done, all int) {
			progress(fmt.Sprintf("%s: %d of %d acquisitions", p.name, done, all))
		}
		if len(r.Inputs) == 0 {
			first, err := t.scenes[0].load()
			if err != nil {
				return nil, err
			}
			for _, in := range first.Inputs {
				r.Inputs = append(r.Inputs, in.Summary)
			}
		}
		two, lost, n, err := t.count(ctx, g.Acquisitions)
		if err != nil {
			return nil, err
		}
		r.Acquisitions = n
		if p.name != fenced {
			r.Rows = append(r.Rows, row("two holders at once, "+p.name, two, n, g.PerDay))
		}
		r.Rows = append(r.Rows, row("an update is lost, "+p.name, lost, n, g.PerDay))
	}
	if g.stops != nil {
		s.outlasted(r, g)
	}
	if g.Below > 0 {
		return r, s.cheapest(ctx, r, g, progress)
	}
	return r, nil
}

// maxPlaces bounds the places in a log of a clock from which acquisitions are sampled.
const maxPlaces = 500

// sampling is the trial of acquisitions with the logs.
func (s *Settings) sampling(g *Logs, params [][2]string) *trial {
	t := &trial{}
	places, part := phases, time.Duration(0) // in the clock's log
	if g.clock != nil {
		places = max(phases, min(g.Acquisitions/fewest, maxPlaces))
		part = g.clock.Span() / time.Duration(places+1)
	}
	extra := time.Duration(0)
	if g.stops != nil {
		extra = 2 * g.stops.Summary().Max
	}
	for i := range places {
		sc := s.tests().sample(i%phases, s.Duration("work"), extra)
		sc.delay, sc.files = g.delay(sc.delay), g.files
		for _, p := range params {
			sc.set(p[0], "%s", p[1])
		}
		if g.Gap > 0 {
			sc.costs = append(sc.costs, fmt.Sprintf("client-1: %v", g.Gap))
		}
		if g.stops != nil {
			sc.fault("pause: client-1, for: {gclog: {file: %q}}", g.GC)
		}
		if g.Clock != "" {
			for _, server := range s.Lock.Servers {
				sc.fault("follow-log: %s, log: {file: %q, from: %v}", server, g.Clock, time.Duration(i)*part)
			}
		}
		t.scenes = append(t.scenes, sc)
	}
	return t
}

// count is in how many of n acquisitions two held the lock at once, and an update was lost.
func (t *trial) count(ctx context.Context, runs int) (two, lost, n int, err error) {
	const twoHeld, lostUpdate = 1, 2
	t.value = func(_ int, r *run) (v int64) {
		if r.of("overlap") > 0 {
			v |= twoHeld
		}
		if r.of("lost-updates") > 0 {
			v |= lostUpdate
		}
		return v
	}
	got, err := t.play(ctx, runs)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, v := range got.values {
		two += int(v & twoHeld)
		lost += int(v&lostUpdate) / lostUpdate
	}
	return two, lost, len(got.values), nil
}

// row is a share of the acquisitions with its interval, and what that is in a year.
func row(what string, k, n int, perDay float64) reports.RiskRow {
	i := stats.Wilson(k, n)
	if k == 0 {
		i.High = min(1, 3/float64(n))
	}
	year := func(p float64) float64 { return -math.Expm1(365 * perDay * math.Log1p(-min(p, 1-1e-16))) }
	return reports.RiskRow{What: what, Count: k, Of: n, P: float64(k) / float64(n), Low: i.Low, High: i.High,
		YearLow: year(i.Low), Year: year(float64(k) / float64(n)), YearHigh: year(i.High)}
}

// outlasted is what the log itself says, with the closed form of the harmless pause: how
// many of its stops are longer, and at most how often one of them comes at a bad moment.
func (s *Settings) outlasted(r *reports.Risk, g *Logs) {
	stops := g.stops
	harmless, most := s.Duration(s.formula("pause")), stops.Summary().Max
	longer := 0
	for _, p := range stops.Pauses {
		if p.For >= harmless {
			longer++
		}
	}
	last := stops.Pauses[len(stops.Pauses)-1]
	r.Notes = append(r.Notes, fmt.Sprintf("%s of the log's %s stops are longer than the harmless pause of %v; the longest is %v",
		units.Number(longer), units.Number(len(stops.Pauses)), harmless, most))
	if span := last.At + last.For; span > 0 && last.At >= 0 {
		high := max(float64(longer), stats.Wilson(longer, len(stops.Pauses)).High*float64(len(stops.Pauses)))
		if longer == 0 {
			high = 3
		}
		for _, at := range []struct {
			risk time.Duration
			what string
		}{{s.Duration("work"), "without a check, while it works"}, {g.Gap, "with one, between the check and the write"}} {
			r.Notes = append(r.Notes, fmt.Sprintf("such a stop comes %s for %v of each acquisition: p at most %.1e (%.1f in %v of log)",
				at.what, at.risk, min(1, high*float64(at.risk)/float64(span)), high, span.Round(time.Second)))
		}
	}
	knob := s.Lock.Settings[0].Name
	if at, ok := s.outlasting(most); ok {
		r.Notes = append(r.Notes, fmt.Sprintf("--%s %s outlasts every stop of this log: %s is then above %v", knob, at, s.formula("pause"), most))
	}
}

// formula is that of a promise.
func (s *Settings) formula(name string) string {
	for _, p := range s.Lock.Promises {
		if p.Name == name {
			return p.Formula
		}
	}
	panic("advise: no promise " + name)
}

// with is the settings with another value of the first of them, the lease.
func (s *Settings) with(lease time.Duration) (*Settings, error) {
	given := map[string]string{}
	for _, set := range s.Lock.Settings[1:] {
		given[set.Name] = s.Text(set.Name)
	}
	given[s.Lock.Settings[0].Name] = lease.String()
	return Read(s.Lock, given, s.load)
}

// outlasting is the shortest lease of which the harmless pause is longer than the given one.
func (s *Settings) outlasting(pause time.Duration) (time.Duration, bool) {
	grain := s.grain()
	enough := func(n int) bool {
		t, err := s.with(time.Duration(n) * grain)
		return err == nil && t.Duration(t.formula("pause")) > pause
	}
	high, most := 1, int(maxLength/grain)
	for !enough(high) && high < most { // from below: far above, other settings are too short
		high *= 2
	}
	n := high/2 + sort.Search(high-high/2, func(n int) bool { return enough(high/2 + n) })
	return time.Duration(n) * grain, enough(n)
}

// cheapest looks for the shortest lease with which an update is lost in fewer of the
// acquisitions than is asked for, without a check. Where sampling cannot say so, it says
// what it can.
func (s *Settings) cheapest(ctx context.Context, r *reports.Risk, g *Logs, progress func(string)) error {
	r.Below = g.Below
	if least := 3 / float64(r.Acquisitions); least > g.Below {
		need := int64(math.Ceil(3 / g.Below))
		r.Notes = append(r.Notes, fmt.Sprintf("%s acquisitions can show at most p < %.1e: for %g it takes --acquisitions %d",
			units.Number(r.Acquisitions), least, g.Below, need))
		return nil
	}
	for _, row := range r.Rows {
		if row.High <= g.Below {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: below %g with the settings as they are", row.What, g.Below))
		}
	}
	ladder := s.ladder()
	knob := s.Lock.Settings[0].Name
	found := reports.RiskRow{}
	var failed error
	n := sort.Search(len(ladder), func(i int) bool {
		progress(fmt.Sprintf("--%s %v", knob, ladder[i].Duration(knob)))
		_, lost, n, err := ladder[i].sampling(g, protections[0].params).count(ctx, g.Acquisitions)
		if err != nil {
			failed = err
			return true
		}
		got := row("", lost, n, g.PerDay)
		if got.High <= g.Below {
			found = got
		}
		return got.High <= g.Below
	})
	switch {
	case failed != nil:
		return failed
	case n == len(ladder):
		r.Notes = append(r.Notes, fmt.Sprintf("no lease up to %v brings p below %g without a check", longestLease, g.Below))
	default:
		r.Notes = append(r.Notes, fmt.Sprintf("the shortest lease for p below %g without a check, each twice the one before: --%s %v (p at most %.1e)",
			g.Below, knob, ladder[n].Duration(knob), found.High))
	}
	return nil
}

// longestLease is the longest that is tried.
const longestLease = time.Hour

// grain is the step in which a lease is looked for.
func (s *Settings) grain() time.Duration {
	return s.Duration(s.Lock.Tuned[len(s.Lock.Tuned)-1].Grain)
}

// ladder are the settings with leases of which each is twice as long as the one before, as
// far as the lock takes them and leave time for the work.
func (s *Settings) ladder() (list []*Settings) {
	for lease := 8 * s.grain(); lease <= longestLease; lease *= 2 {
		if t, err := s.with(lease); err == nil && t.Duration(t.formula("pause")) > 0 {
			list = append(list, t)
		}
	}
	return list
}

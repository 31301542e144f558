package traffic

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestRateText(t *testing.T) {
	for text, want := range map[string]Rate{
		"100/s": {100, time.Second}, "6/min": {6, time.Minute}, "1/h": {1, time.Hour}, "1000/day": {1000, 24 * time.Hour},
		"5/10s": {5, 10 * time.Second}, "1000000000/s": {1_000_000_000, time.Second}, "3/minute": {3, time.Minute},
	} {
		var got Rate
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, got, text)
		var again Rate
		require.NoError(t, again.UnmarshalText([]byte(got.String())), "%v", got)
		assert.Equal(t, got, again)
	}
	const form = "not a rate: want a count per s, min, h or day such as 100/min, or per duration such as 5/10s"
	for text, want := range map[string]string{
		"": form, "5": form, "5/": form, "/s": form, "1.5/s": form, "5/fortnight": form, "5 /s": form, "99999999999999999999/s": form,
		"0/s":          "want a rate of 1 or more requests, got 0",
		"-1/s":         "want a rate of 1 or more requests, got -1",
		"5/0s":         "want a rate per 1ns to 24h0m0s, got 0s",
		"5/-1s":        "want a rate per 1ns to 24h0m0s, got -1s",
		"5/25h":        "want a rate per 1ns to 24h0m0s, got 25h0m0s",
		"1000000001/s": "want a rate of at most 1000000000 a second, got 1000000001/1s",
	} {
		got := Rate{1, 2}
		assert.EqualError(t, got.UnmarshalText([]byte(text)), want, text)
		assert.Equal(t, Rate{1, 2}, got, "it stays as it was")
		var none Rate
		require.Error(t, none.UnmarshalText([]byte(text)))
		assert.NoError(t, none.check(), "one mistake is one message")
	}
}

func TestExponentText(t *testing.T) {
	for text, want := range map[string]Exponent{"0": 0, "1": 1000, "1.05": 1050, "0.5": 500, "4": 4000, "1.007": 1007, "4.0": 4000} {
		var got Exponent
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, got, text)
		var again Exponent
		require.NoError(t, again.UnmarshalText([]byte(got.String())), "%v", got)
		assert.Equal(t, got, again)
	}
	for _, text := range []string{"", ".5", "1.", "-1", "+1", "4.001", "5", "1.0001", "one", "1e3", "1.-5"} {
		assert.ErrorContains(t, new(Exponent).UnmarshalText([]byte(text)), "want 0 to 4 with at most three decimals", text)
	}
}

// Every mistake is reported, at its path, with the value and what is wanted.
func TestProblems(t *testing.T) {
	good := Class{Arrivals: "poisson", Rate: perSecond(1)}
	with := func(change func(*Class)) Params {
		c := good
		change(&c)
		return Params{Class: c}
	}
	for _, c := range []struct {
		about string
		p     Params
		want  []Problem
	}{
		{"an empty block", Params{}, nil},
		{"one class", Params{Class: good}, nil},
		{"length", Params{For: -1, Requests: -2, Class: Class{Rate: perSecond(1), Stop: 1}}, []Problem{{"for", "want 0s to 8784h0m0s, got -1ns"}, {"requests", "want 0 (without end) or more, got -2"}, {"start", "the class starts at 0s and stops at -1ns: it would send nothing"}}},
		{"both forms", Params{Class: good, Classes: []Class{good}}, []Problem{{"classes", "these are all there is: what stands beside them (arrivals, rate, clients and so on) belongs into one of them"}}},
		{"names", Params{Classes: []Class{{Name: "a", Rate: perSecond(1)}, {Name: "a", Rate: perSecond(1)}}}, []Problem{{"classes.1.name", `there is a class "a" already`}}},
		{"too many", Params{Classes: make([]Class, 65)}, []Problem{{"classes", "want at most 64 classes, got 65"}}},
		{"no rate", with(func(c *Class) { c.Rate = nil }), []Problem{{"rate", "poisson arrivals need one, such as 100/s"}}},
		{"rate", with(func(c *Class) { c.Rate = &Rate{0, 1} }), []Problem{{"rate", "want a rate of 1 or more requests, got 0"}}},
		{"clients and cost", with(func(c *Class) { c.Clients, c.Cost = -1, 1<<40+1 }), []Problem{{"clients", "want 1 to 16777216, got -1"}, {"cost", "want 1 to 1099511627776, got 1099511627777"}}},
		{"zipf", with(func(c *Class) { c.Zipf = 4001 }), []Problem{{"zipf", "want 0 to 4, got 4.001"}}},
		{"zipf in turn", with(func(c *Class) { c.Zipf, c.Pick = 1, "in-turn" }), []Problem{{"zipf", "clients that come in turn send equally often"}}},
		{"repeats", with(func(c *Class) { c.Repeats = -1 }), []Problem{{"repeats", "want 0 to 1000000, got -1"}}},
		{"gap alone", with(func(c *Class) { c.Gap = 1 }), []Problem{{"gap", "there are no repeats that it could be between"}}},
		{"long repeats", with(func(c *Class) { c.Repeats, c.Gap = 1000, MaxFor }), []Problem{{"gap", "want 0s or more, and all 1000 repeats within 8784h0m0s, got 8784h0m0s"}}},
		{"many trains", with(func(c *Class) { c.Rate, c.Repeats, c.Gap = perSecond(1e6), 2, time.Second }), []Problem{{"gap", "at 1000000/1s more than 1048576 clients would repeat at the same time"}}},
		{"limit without boundary", with(func(c *Class) { c.Limit = 1 }), []Problem{{"limit", "poisson arrivals have a rate: limit and window are of boundaries"}}},
		{"on without on-off", with(func(c *Class) { c.On = dist(sim.Constant(1)) }), []Problem{{"on", "on and off are of on-off arrivals, these are poisson"}}},
		{"day without diurnal", with(func(c *Class) { c.Day = 1 }), []Problem{{"day", "day and curve are of diurnal arrivals, these are poisson"}}},
		{"short phases", with(func(c *Class) { c.Arrivals, c.On, c.Off = "on-off", dist(sim.Constant(1)), dist(sim.Uniform(0, 0)) }), []Problem{{"on", "a typical on and off together last less than 1ms"}}},
		{"flat curve", with(func(c *Class) { c.Arrivals, c.Curve = "diurnal", []int64{0, 0} }), []Problem{{"curve", "all values are 0: nothing would be sent"}}},
		{"empty curve", with(func(c *Class) { c.Arrivals, c.Curve = "diurnal", []int64{} }), []Problem{{"curve", "want 1 to 10080 values, got 0"}}},
		{"weights", with(func(c *Class) { c.Arrivals, c.Curve = "diurnal", []int64{5, 1001} }), []Problem{{"curve.1", "want 0 to 1000, got 1001"}}},
		{"day", with(func(c *Class) { c.Arrivals, c.Day = "diurnal", time.Second+1 }), []Problem{{"day", "want 24 equal parts of 1ms or more in at most 8784h0m0s, got 1.000000001s"}}},
		{"boundary alone", Params{Class: Class{Arrivals: "boundary"}}, []Problem{{"limit", "want 1 to 1048576, got 0"}, {"window", "want 1µs to 8784h0m0s, got 0s"}}},
		{"boundary of a rate", Params{Class: Class{Arrivals: "boundary", Limit: 5, Window: time.Second, Rate: perSecond(1), Repeats: 1, Pick: "random"}}, []Problem{
			{"pick", "clients at a boundary come in turn: each sends the whole limit"}, {"rate", "what boundary sends follows from limit and window"}, {"repeats", "what boundary sends follows from limit and window"}}},
		{"narrow boundary", Params{Class: Class{Arrivals: "sliding-boundary", Limit: 1000, Window: time.Microsecond * 999}}, []Problem{{"window", "want at least 1µs for each of the 1000 requests, got 999µs"}}},
		{"late start", with(func(c *Class) { c.Start = 10 * time.Minute }), []Problem{{"start", "the class starts at 10m0s and stops at 10m0s: it would send nothing"}}},
	} {
		t.Run(c.about, func(t *testing.T) { assert.Equal(t, c.want, c.p.Problems()) })
	}
	assert.PanicsWithValue(t, "traffic: rate: poisson arrivals need one, such as 100/s", func() { New(with(func(c *Class) { c.Rate = nil }), 1) })
}

func TestAgainst(t *testing.T) {
	p := Params{Classes: []Class{{Rate: perSecond(1)}, {Arrivals: "boundary"}, {Arrivals: "sliding-boundary", Limit: 7}}}
	require.Len(t, p.Problems(), 3)
	p = p.Against(5, time.Minute)
	assert.Empty(t, p.Problems())
	assert.Zero(t, p.Classes[0].Limit)
	assert.EqualValues(t, 5, p.Classes[1].Limit)
	assert.EqualValues(t, 7, p.Classes[2].Limit)
	assert.Equal(t, time.Minute, p.Classes[2].Window)
}

// Whatever the parameters: either their problems are told, or the requests come in
// order, within the time, of known clients.
func FuzzParams(f *testing.F) {
	seed := func(kind byte, words ...int64) {
		data := []byte{kind}
		for _, w := range words {
			data = binary.LittleEndian.AppendUint64(append(data, 0), uint64(w))
		}
		f.Add(data)
	}
	for kind := range byte(12) {
		seed(kind, int64(time.Hour), 0, 100, int64(time.Second), 10, 1000, 1, 0, 0, 5, int64(time.Minute), 2, int64(time.Second), 1e9, 5e9, int64(24*time.Hour))
		seed(kind, math.MaxInt64, 0, math.MaxInt64, math.MaxInt64, math.MaxInt64, 4000, math.MaxInt64, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		p := drawn(data)
		if len(p.Problems()) > 0 || p.Keys() > 1<<12 {
			return
		}
		s, r, last := New(p, 1), p.resolve(), Request{}
		for range 1000 {
			q, ok := s.Next()
			if !ok {
				break
			}
			c := r.Classes[q.Class]
			require.False(t, q.At < last.At || q.At < sim.Time(0).Add(c.Start) || q.At >= sim.Time(0).Add(min(r.For, c.Stop)), "%+v after %+v: %+v", q, last, c)
			require.Less(t, q.Key-uint64(q.Class)<<32, uint64(c.Clients))
			require.Equal(t, c.Cost, q.Cost)
			last = q
		}
	})
}

// drawn makes parameters of bytes: numbers of every size.
func drawn(data []byte) Params {
	kind := data[0]
	data = data[1:]
	word := func() int64 {
		var b [9]byte
		data = data[copy(b[:], data):]
		return int64(binary.LittleEndian.Uint64(b[1:])) >> (b[0] & 63)
	}
	length := func() time.Duration { return time.Duration(word()) }
	p := Params{For: min(length(), 24*time.Hour), Requests: word()}
	rate := Rate{word(), length()}
	c := Class{Arrivals: []string{"constant", "poisson", "on-off", "diurnal", "boundary", "sliding-boundary"}[kind%6], Clients: word(), Zipf: Exponent(word()),
		Cost: word(), Start: length(), Stop: length()}
	limit, window, repeats, gap, on, off, day := word(), length(), word(), length(), length(), length(), length()
	switch {
	case c.isBoundary():
		c.Limit, c.Window = limit, window
	case c.Arrivals == "on-off":
		c.On, c.Off = dist(sim.Exponential(on)), dist(sim.Uniform(0, off))
	case c.Arrivals == "diurnal":
		c.Day, c.Curve = day, []int64{limit & 1023, 0, repeats & 1023}
	}
	if !c.isBoundary() {
		c.Rate, c.Repeats, c.Gap = &rate, repeats, gap
	}
	p.Class = c
	if kind >= 128 {
		p.Classes, p.Class = []Class{c, {Rate: perSecond(1)}}, Class{}
	}
	return p
}

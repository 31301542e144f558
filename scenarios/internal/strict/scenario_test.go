package strict

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// header and scenario are shaped like a scenario file.
type header struct {
	About  string   `yaml:"about"`
	Model  string   `yaml:"model,required"`
	Seed   uint64   `yaml:"seed"`
	Runs   int      `yaml:"runs"`
	Strict bool     `yaml:"strict"`
	Tags   []string `yaml:"tags,one-or-many"`
}

type scenario struct {
	header
	Until   time.Duration `yaml:"until"`
	Params  params        `yaml:"params"`
	Network struct {
		Delay delay     `yaml:"delay"`
		Loss  int64     `yaml:"loss,proportion"`
		Load  Frequency `yaml:"load"`
	} `yaml:"network"`
	Clocks Map[clock]   `yaml:"clocks"`
	Faults []fault      `yaml:"faults"`
	Expect Map[verdict] `yaml:"expect"`
	Vary   Map[*Value]  `yaml:"vary"`
}

type params struct {
	TTL     time.Duration  `yaml:"ttl"`
	Fencing string         `yaml:"fencing,oneof=none|ge|gt|lex"`
	Retry   *time.Duration `yaml:"retry"`
	Clients int8           `yaml:"clients"`
	Memory  int64          `yaml:"memory,size"`
}

type clock struct {
	Drift  int64         `yaml:"drift,ppb"`
	Offset time.Duration `yaml:"offset,signed"`
}

type fault struct {
	Pause string        `yaml:"pause"`
	At    time.Duration `yaml:"at"`
	On    string        `yaml:"on"`
	For   delay         `yaml:"for"`
	Cut   [2]string     `yaml:"cut"`
	Sizes []int64       `yaml:"sizes,size,one-or-many"`
	Next  *fault        `yaml:"next"`
}

// verdict is read through encoding.TextUnmarshaler.
type verdict string

func (v *verdict) UnmarshalText(text []byte) error {
	*v = verdict(text)
	return nil
}

// delay is 5ms | {exp: 5ms} | {uniform: [1ms, 9ms]} | {csv: rtt.csv}.
type delay struct {
	Kind      string
	Low, High time.Duration
	File      string
}

// UnmarshalStrict implements Unmarshaler.
func (d *delay) UnmarshalStrict(v *Value) {
	if v.Kind() == Scalar {
		d.Kind = "constant"
		v.Decode(&d.Low)
		return
	}
	kind, value := v.Choice("exp", "uniform", "csv", "gclog")
	d.Kind = kind
	switch kind {
	case "exp":
		value.Decode(&d.Low)
	case "uniform":
		var bounds [2]time.Duration
		if value.Decode(&bounds) && bounds[0] > bounds[1] {
			value.Errorf("the first bound is above the second")
		}
		d.Low, d.High = bounds[0], bounds[1]
	case "csv", "gclog":
		value.Decode(&d.File)
	}
}

const good = `# The pause Kleppmann described.
about: no
model: lock
seed: 18446744073709551615
runs: 3
strict: true
tags: one
until: 1h30m
params:
  ttl: 10s
  fencing: gt
  retry: 1.5s
  memory: 10KB
network:
  delay: {uniform: [1ms, 9ms]}
  loss: 0.5 %
  load: 100/min
clocks:
  redis-3: {drift: -100ppm, offset: -2s}
  redis-1: {drift: 0.01%}
faults:
  - pause: client-1
    on: checked
    for: 15s
    sizes: 1KiB
  - {cut: [a, b], for: {exp: 10020ms}}
expect:
  mutual-exclusion: violated
vary:
  params.ttl: [1s, 2s]
`

func parse(t testing.TB, text string) *Doc {
	d, err := Parse("a.yaml", []byte(text))
	require.NoError(t, err)
	return d
}

func TestDecode(t *testing.T) {
	s := scenario{Params: params{Clients: 2}}
	require.NoError(t, parse(t, good).Decode(&s))
	require.Equal(t, "no", s.About)
	require.Equal(t, uint64(1<<64-1), s.Seed)
	require.Equal(t, 3, s.Runs)
	require.True(t, s.Strict)
	require.Equal(t, []string{"one"}, s.Tags)
	require.Equal(t, 90*time.Minute, s.Until)
	require.Equal(t, 1500*time.Millisecond, *s.Params.Retry)
	require.Equal(t, int8(2), s.Params.Clients, "a default stays")
	require.Equal(t, int64(10_000), s.Params.Memory)
	require.Equal(t, delay{Kind: "uniform", Low: time.Millisecond, High: 9 * time.Millisecond}, s.Network.Delay)
	require.Equal(t, int64(5_000_000), s.Network.Loss)
	require.Equal(t, Frequency{100, time.Minute}, s.Network.Load)
	require.Equal(t, []string{"redis-3", "redis-1"}, s.Clocks.Keys(), "file order")
	require.Equal(t, clock{Drift: -100_000, Offset: -2 * time.Second}, s.Clocks[0].Value)
	require.Equal(t, "a.yaml:19:3", s.Clocks[0].Pos.String())
	require.Equal(t, "clocks", s.Clocks[0].Pos.Path)
	require.Equal(t, []int64{1024}, s.Faults[0].Sizes)
	require.Equal(t, [2]string{"a", "b"}, s.Faults[1].Cut)
	require.Equal(t, 10020*time.Millisecond, s.Faults[1].For.Low)
	v, ok := s.Expect.Get("mutual-exclusion")
	require.True(t, ok)
	require.Equal(t, verdict("violated"), v)
	require.Equal(t, "vary.params.ttl", s.Vary[0].Value.Pos().Path)
}

func TestDefaultsAreNotShared(t *testing.T) {
	retry := time.Second
	s := scenario{Params: params{Retry: &retry}}
	require.NoError(t, parse(t, "model: x\nparams: {retry: 3s}").Decode(&s))
	require.Equal(t, 3*time.Second, *s.Params.Retry)
	require.Equal(t, time.Second, retry)
	require.NoError(t, parse(t, "model: x\nparams: {retry: null}").Decode(&s))
	require.Nil(t, s.Params.Retry)

	shared := &fault{Pause: "a", On: "b"}
	f := fault{Next: shared}
	require.NoError(t, parse(t, "next: {on: c}").Decode(&f))
	require.Equal(t, fault{Pause: "a", On: "c"}, *f.Next)
	require.Equal(t, fault{Pause: "a", On: "b"}, *shared)
}

func TestSameWithCRLFAndBOM(t *testing.T) {
	var a, b scenario
	require.NoError(t, parse(t, good).Decode(&a))
	crlf := "\uFEFF" + strings.ReplaceAll(good, "\n", "\r\n")
	d := parse(t, crlf)
	require.NoError(t, d.Decode(&b))
	a.Vary, b.Vary = nil, nil // they hold their documents
	require.Equal(t, a, b)
	require.Equal(t, "a.yaml:22:12", d.At("faults.0.pause").String())
}

func TestLookup(t *testing.T) {
	d := parse(t, good)
	require.Equal(t, "lock", d.Text("model"))
	require.Equal(t, "1s", d.Text("vary.params.ttl.0"), "a key that holds a dot")
	require.Equal(t, "", d.Text("params"))
	require.Nil(t, d.Lookup("faults.2"))
	require.Nil(t, d.Lookup("faults.00"))
	require.Nil(t, d.Lookup("model.x"))
	require.Equal(t, 2, d.Lookup("faults").Len())
	require.Equal(t, "a.yaml:24:10", d.At("faults.0.for").String())
	require.Equal(t, "a.yaml:24:10", d.At("faults.0.for.exp").String(), "the nearest value around it")
	require.Equal(t, "faults.0.for.exp", d.At("faults.0.for.exp").Path)
}

func TestProgramMistakesPanic(t *testing.T) {
	d := parse(t, "x: 1")
	require.Panics(t, func() { d.Decode(scenario{}) })
	require.Panics(t, func() { d.Decode((*scenario)(nil)) })
	require.Panics(t, func() {
		d.Decode(&struct {
			X float64 `yaml:"x"`
		}{})
	})
	require.Panics(t, func() {
		d.Decode(&struct {
			X int `yaml:"x,requird"`
		}{})
	})
	require.Panics(t, func() {
		d.Decode(&struct {
			x int `yaml:"x"`
		}{})
	})
}

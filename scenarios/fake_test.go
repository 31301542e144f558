package scenarios

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// The fake model: clients that check, then write to a store, each once.
const (
	fakeStart sim.Kind = iota
	fakeWrite
	fakeAck
	fakeWorked
	fakeChecked
	fakeApplied
)

var fakeKinds = []string{"start", "write", "ack", "worked", "checked", "applied"}

type fakeMsg struct{ kind sim.Kind }

func (m fakeMsg) Label() sim.Kind              { return m.kind }
func (m fakeMsg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.kind), 0) }
func (m fakeMsg) String() string               { return fakeKinds[m.kind] }

// fakeParams has a field of each kind that a model may use.
type fakeParams struct {
	Clients int             `yaml:"clients"`
	TTL     time.Duration   `yaml:"ttl"`
	Mode    string          `yaml:"mode,oneof=calm|wild"`
	Again   bool            `yaml:"again"`
	Work    sim.Dist        `yaml:"work"`
	Retry   *sim.Dist       `yaml:"retry"`
	Start   []time.Duration `yaml:"start,one-or-many"`
}

type fakeProblem struct{ Path, Message string }

func (p *fakeParams) problems() (list []fakeProblem) {
	if p.Clients < 1 || p.Clients > 9 {
		list = append(list, fakeProblem{"clients", fmt.Sprintf("want 1 to 9 clients, got %d", p.Clients)})
	}
	if p.TTL == 0 {
		list = append(list, fakeProblem{"ttl", "must be positive, got 0s"})
	}
	if len(p.Start) > p.Clients {
		list = append(list, fakeProblem{"", fmt.Sprintf("%d starts for %d clients", len(p.Start), p.Clients)})
	}
	return list
}

func (p *fakeParams) system() sim.System[fakeMsg] {
	s := sim.System[fakeMsg]{
		Kinds: fakeKinds, Notes: []sim.Kind{fakeChecked, fakeApplied},
		Properties: []sim.Property[fakeMsg]{&fakeOnTime{ttl: p.TTL}},
		Measures:   []sim.Measure{{Name: "writes", Total: true}, {Name: "latency", Unit: sim.Duration}},
	}
	for i := range p.Clients {
		s.Nodes = append(s.Nodes, sim.Place[fakeMsg](fmt.Sprintf("client-%d", i+1), fakeClient{Store: sim.NodeID(p.Clients + 3), Work: p.Work}))
	}
	for i := range 2 {
		s.Nodes = append(s.Nodes, sim.Place[fakeMsg](fmt.Sprintf("redis-%d", i+1), fakeStore{}))
	}
	s.Nodes = append(s.Nodes, sim.Place[fakeMsg]("store", fakeStore{}))
	return s
}

type fakeClient struct {
	Store sim.NodeID
	Work  sim.Dist
}

func (c *fakeClient) Step(in sim.In[fakeMsg], out *sim.Out[fakeMsg]) {
	switch in.Msg.kind {
	case fakeStart:
		out.AfterDraw(c.Work, fakeMsg{fakeWorked})
	case fakeWorked:
		out.Note(fakeMsg{fakeChecked})
		out.Send(c.Store, fakeMsg{fakeWrite})
	}
}

type fakeStore struct{}

func (*fakeStore) Step(in sim.In[fakeMsg], out *sim.Out[fakeMsg]) {
	if in.Msg.kind == fakeWrite {
		out.Note(fakeMsg{fakeApplied})
		out.Send(in.From, fakeMsg{fakeAck})
	}
}

// fakeOnTime is violated by a write that is applied after the TTL.
type fakeOnTime struct {
	sim.Check
	ttl time.Duration
}

func (*fakeOnTime) Name() string                  { return "on-time" }
func (p *fakeOnTime) Reset(*sim.View[fakeMsg])    { p.Clear() }
func (*fakeOnTime) End(*sim.View[fakeMsg])        {}
func (*fakeOnTime) Why(*sim.View[fakeMsg]) string { return "late" }
func (p *fakeOnTime) Observe(v *sim.View[fakeMsg], o *sim.Observation[fakeMsg]) {
	if o.Event != sim.Noted || o.Msg.kind != fakeApplied {
		return
	}
	if p.Saw(); v.Now() > sim.Time(p.ttl) {
		p.Violate(v.Now(), o.Node)
	}
}

var fakeModels = []Model{
	modelOf("fake", "a model for tests", func() fakeParams {
		return fakeParams{Clients: 2, TTL: 10 * time.Second, Work: sim.Constant(time.Second)}
	}, (*fakeParams).problems, (*fakeParams).system).with([]Count{{Path: "clients", Default: 2}}, "start"),
	modelOf("lock", "not the real one", func() fakeParams { return fakeParams{Clients: 1, TTL: 1} },
		(*fakeParams).problems, (*fakeParams).system),
}

// minimal is what a file must have.
const minimal = "model: fake\nuntil: 60s\n"

const gcLog = `[0.500s][gc] GC(0) Pause Young (Normal) 1M->1M(8M) 100.000ms
[1.500s][gc] GC(1) Pause Young (Normal) 1M->1M(8M) 200.000ms
[2.500s][gc] GC(2) Pause Young (Normal) 1M->1M(8M) 300.000ms
`

// shelf stands in for the embedded files, with some text as fake/x.yaml.
func shelf(text string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"fake/x.yaml":           file(text),
		"fake/y.yaml":           file(minimal),
		"lock/naive-crash.yaml": file("model: lock\nuntil: 1s\n"),
		"fake/gc.log":           file(gcLog),
		"fake/none.log":         file("hello\nworld\n"),
		"fake/empty.log":        file(""),
		"fake/cut.log":          file(gcLog + "[3.500s][gc] GC(3) Pause Yo"),
		"fake/mixed.log":        file(gcLog + "6.062: [GC (Allocation Failure) [PSYoungGen: 1K->1K(2K)] 1K->1K(2K), 0.0532200 secs]\n"),
		"fake/binary.log":       file("a\x00b\n"),
		"fake/back.csv":         file("t_ms,pause_ms\n90000,1\n10,1\n"),
		"fake/short.csv":        file("t_ms,pause_ns\n0,1\n"),
		"fake/timeless.csv":     file("pause_ms\n1\n2\n"),
		"fake/series.csv":       file("t_ms,pause_ms,series\n0,1,a\n5,2,b\n"),
		"fake/rtt.csv":          file("# measured\ndelay_ms\n1.5\n\n2.25\n0.1234567\n"),
		"fake/own.csv":          file("1ms\n2.5 ms\n1h\n"),
		"fake/bad.csv":          file("delay_ms\n1\nfast\n"),
		"fake/wide.csv":         file("1ms,2ms\n"),
		"fake/twice.csv":        file("delay_ms\n1ms\n"),
		"fake/nounit.csv":       file("1\n2\n"),
		"fake/zeros.csv":        file("0s\n0s\n"),
		"fake/hollow.csv":       file("delay_ms\n\n"),
		"fake/long.csv":         file(strings.Repeat("1", 100_000)),
		"fake/large.csv":        file(strings.Repeat("1ms\n", maxTableSize/4+1)),
		"fake/many.csv":         file(strings.Repeat("1s\n", maxTableRows+1)),
	}
}

// loadText loads a text as the embedded scenario fake/x.
func loadText(text string, o Options) (*Scenario, error) {
	return load("fake/x", o, shelf(text), fakeModels)
}

// good loads what must be good.
func good(t *testing.T, text string, sets ...Setting) *Scenario {
	t.Helper()
	s, err := loadText(text, Options{Sets: sets})
	require.NoError(t, err)
	return s
}

// lines are the problems of a text, one line each.
func lines(text string, sets ...Setting) (list []string) {
	_, err := loadText(text, Options{Sets: sets})
	return linesOf(err)
}

func linesOf(err error) (list []string) {
	if e := (*Invalid)(nil); errors.As(err, &e) {
		for _, p := range e.Problems {
			p.Excerpt, p.Detail = "", ""
			list = append(list, strings.TrimPrefix((&Invalid{Problems: []Problem{p}}).Error(), "fake/x.yaml:"))
		}
	}
	return list
}

// write writes a file into a folder of the test and returns its path.
func write(t testing.TB, dir, name, text string) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

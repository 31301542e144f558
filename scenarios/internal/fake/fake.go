// Package fake is a model for tests of scenarios, and files that name it. Only tests import it.
package fake

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// The fake model: clients that check, then write to a store, each once.
const (
	start sim.Kind = iota
	Write
	Ack
	worked
	Checked
	Applied
)

var kinds = []string{"start", "write", "ack", "worked", "checked", "applied"}

type msg struct{ kind sim.Kind }

func (m msg) Label() sim.Kind              { return m.kind }
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.kind), 0) }
func (m msg) String() string               { return kinds[m.kind] }

// params has a field of each kind that a model may use.
type params struct {
	Clients int             `yaml:"clients" about:"how many write"`
	TTL     time.Duration   `yaml:"ttl"`
	Mode    string          `yaml:"mode,oneof=calm|wild"`
	Again   bool            `yaml:"again"`
	Work    sim.Dist        `yaml:"work"`
	Retry   *sim.Dist       `yaml:"retry"`
	Start   []time.Duration `yaml:"start,one-or-many"`
}

type problem struct{ Path, Message string }

func (p *params) problems() (list []problem) {
	if p.Clients < 1 || p.Clients > 9 {
		list = append(list, problem{"clients", fmt.Sprintf("want 1 to 9 clients, got %d", p.Clients)})
	}
	if p.TTL == 0 {
		list = append(list, problem{"ttl", "must be positive, got 0s"})
	}
	if len(p.Start) > p.Clients {
		list = append(list, problem{"", fmt.Sprintf("%d starts for %d clients", len(p.Start), p.Clients)})
	}
	return list
}

func (p *params) system() sim.System[msg] {
	s := sim.System[msg]{
		Kinds: kinds, Notes: []sim.Kind{Checked, Applied},
		Properties: []sim.Property[msg]{&onTime{ttl: p.TTL}},
		Measures:   []sim.Measure{{Name: "writes", Total: true}, {Name: "latency", Unit: sim.Duration}},
	}
	for i := range p.Clients {
		s.Nodes = append(s.Nodes, sim.Place[msg](fmt.Sprintf("client-%d", i+1), client{Store: sim.NodeID(p.Clients + 3), Work: p.Work}))
	}
	for i := range 2 {
		s.Nodes = append(s.Nodes, sim.Place[msg](fmt.Sprintf("redis-%d", i+1), store{}))
	}
	s.Nodes = append(s.Nodes, sim.Place[msg]("store", store{}))
	return s
}

type client struct {
	Store sim.NodeID
	Work  sim.Dist
}

func (c *client) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.kind {
	case start:
		out.AfterDraw(c.Work, msg{worked})
	case worked:
		out.Note(msg{Checked})
		out.Send(c.Store, msg{Write})
	}
}

type store struct{}

func (*store) Step(in sim.In[msg], out *sim.Out[msg]) {
	if in.Msg.kind == Write {
		out.Note(msg{Applied})
		out.Send(in.From, msg{Ack})
	}
}

// onTime is violated by a write that is applied after the TTL.
type onTime struct {
	sim.Check
	ttl time.Duration
}

func (*onTime) Name() string              { return "on-time" }
func (p *onTime) Reset(*sim.View[msg])    { p.Clear() }
func (*onTime) End(*sim.View[msg])        {}
func (*onTime) Why(*sim.View[msg]) string { return "late" }
func (p *onTime) Observe(v *sim.View[msg], o *sim.Observation[msg]) {
	if o.Event != sim.Noted || o.Msg.kind != Applied {
		return
	}
	if p.Saw(); v.Now() > sim.Time(p.ttl) {
		p.Violate(v.Now(), o.Node)
	}
}

// Models are the fake model, and one that is called lock.
var Models = []format.Model{
	format.ModelOf("fake", "a model for tests", func() params {
		return params{Clients: 2, TTL: 10 * time.Second, Work: sim.Constant(time.Second)}
	}, (*params).problems, (*params).system).With([]format.Count{{Path: "clients", Default: 2}}, "start"),
	format.ModelOf("lock", "not the real one", func() params { return params{Clients: 1, TTL: 1} },
		(*params).problems, (*params).system),
}

// Minimal is what a file must have.
const Minimal = "model: fake\nuntil: 60s\n"

// GCLog is the log of three pauses.
const GCLog = `[0.500s][gc] GC(0) Pause Young (Normal) 1M->1M(8M) 100.000ms
[1.500s][gc] GC(1) Pause Young (Normal) 1M->1M(8M) 200.000ms
[2.500s][gc] GC(2) Pause Young (Normal) 1M->1M(8M) 300.000ms
`

// tableRows is how many rows a table of durations may have.
const tableRows = 1_000_000

// Program is the program of the fake model.
func Program() *sim.Program {
	p := Models[0].New().Program()
	return &p
}

// Shelf stands in for the embedded files, with some text as fake/x.yaml.
func Shelf(text string) fstest.MapFS {
	files := maps.Clone(others)
	files["fake/x.yaml"] = &fstest.MapFile{Data: []byte(text)}
	return files
}

// others are the files beside fake/x.yaml, of which some are large: made once.
var others = func() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"fake/y.yaml":           file(Minimal),
		"lock/naive-crash.yaml": file("model: lock\nuntil: 1s\n"),
		"fake/gc.log":           file(GCLog),
		"fake/none.log":         file("hello\nworld\n"),
		"fake/empty.log":        file(""),
		"fake/cut.log":          file(GCLog + "[3.500s][gc] GC(3) Pause Yo"),
		"fake/mixed.log":        file(GCLog + "6.062: [GC (Allocation Failure) [PSYoungGen: 1K->1K(2K)] 1K->1K(2K), 0.0532200 secs]\n"),
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
		"fake/many.csv":         file(strings.Repeat("1s\n", tableRows+1)),
	}
}()

// LoadText loads a text as the embedded scenario fake/x.
func LoadText(text string, o format.Options) (*format.Scenario, error) {
	return LoadFrom(Shelf(text), o, Models)
}

// LoadFrom loads fake/x of some files, with some models.
func LoadFrom(files fs.FS, o format.Options, models []format.Model) (*format.Scenario, error) {
	text, err := fs.ReadFile(files, "fake/x.yaml")
	if err != nil {
		return nil, err
	}
	doc, err := strict.Parse("fake/x.yaml", text)
	if err := format.InvalidOf(err); err != nil {
		return nil, err
	}
	return format.Load("fake/x", doc, format.Folder{FS: files, Dir: "fake", Shipped: files}, o, models)
}

// LoadPath loads a file of the fake model.
func LoadPath(path string, o format.Options) (*format.Scenario, error) {
	doc, err := strict.ReadFile(path)
	if err := format.InvalidOf(err); err != nil {
		return nil, err
	}
	return format.Load(path, doc, format.Folder{Dir: filepath.Dir(path)}, o, Models)
}

// Good loads what must be good.
func Good(t *testing.T, text string, sets ...result.Setting) *format.Scenario {
	t.Helper()
	s, err := LoadText(text, format.Options{Sets: sets})
	require.NoError(t, err)
	return s
}

// Lines are the problems of a text, one line each.
func Lines(text string, sets ...result.Setting) (list []string) {
	_, err := LoadText(text, format.Options{Sets: sets})
	return LinesOf(err)
}

// LinesOf are the problems of an error, one line each.
func LinesOf(err error) (list []string) {
	if e := (*format.Invalid)(nil); errors.As(err, &e) {
		for _, p := range e.Problems {
			p.Excerpt, p.Detail = "", ""
			list = append(list, strings.TrimPrefix((&format.Invalid{Problems: []format.Problem{p}}).Error(), "fake/x.yaml:"))
		}
	}
	return list
}

// WriteFile writes a file into a folder of the test and returns its path.
func WriteFile(t testing.TB, dir, name, text string) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Check compares what is said of texts that follow the two lines of minimal,
// each with one mistake.
func Check(t *testing.T, want map[string]string) {
	t.Helper()
	for text, problem := range want {
		assert.Equal(t, []string{problem}, Lines(Minimal+text+"\n"), text)
	}
}

// Run makes the worlds of what was loaded, and runs the first for a moment.
func Run(t *testing.T, s *format.Scenario) {
	for _, v := range s.Variants {
		if _, err := v.Scenario.Program.NewWorld(v.Scenario.Config); err != nil {
			t.Fatal(err)
		}
	}
	c := s.Config
	c.Until = min(c.Until, sim.Time(50*time.Microsecond))
	w, err := s.Program.NewWorld(c)
	if err != nil {
		t.Fatal(err)
	}
	w.Run(s.Seed)
}

// TwoCases is a file with an axis of cases.
const TwoCases = Minimal + `faults: [{pause: client-1, on: checked, for: 15s}]
vary:
  store:
    near: {}
    far and slow: {network.delay: 5ms, costs.store: 1s}
  params.ttl: [1s, 2s]
`

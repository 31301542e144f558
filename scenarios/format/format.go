package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/result"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// File is a scenario file. What needs more than its own text to be checked stays
// a value: it is read when the model is known.
type File struct {
	About    string                    `yaml:"about"`                                            // what happens, in a sentence or two
	Source   string                    `yaml:"source"`                                           // where it is told: paper, issue, vector
	Model    *strict.Value             `yaml:"model,required" schema:"model"`                    // which model
	Seed     uint64                    `yaml:"seed"`                                             // of the first run; the runs have seed, seed + 1, ...: 1
	Until    *strict.Value             `yaml:"until,required" schema:"duration"`                 // the length of a run, more than 0
	Runs     *strict.Value             `yaml:"runs" schema:"count"`                              // how many: 1
	Params   *strict.Value             `yaml:"params" schema:"params"`                           // the parameters of the model: the model's
	Network  networkFormat             `yaml:"network"`                                          // how messages travel: at once, none lost, in order
	Clocks   strict.Map[clockFormat]   `yaml:"clocks"`                                           // by node or pattern, how the nodes' clocks start out: perfect
	Costs    strict.Map[sim.Dist]      `yaml:"costs"`                                            // by node or pattern, how long each step occupies a node: 0s
	Resume   string                    `yaml:"resume,oneof=arrival|timers-first|messages-first"` // what a node that was stopped handles first: arrival, by due time and arrival
	Faults   []*strict.Value           `yaml:"faults" schema:"fault"`                            // what goes wrong: nothing
	Budget   *strict.Value             `yaml:"budget" schema:"budget"`                           // what a search may let go wrong besides: the search's own
	Expect   strict.Map[*strict.Value] `yaml:"expect" schema:"expectation"`                      // by property or measure, what is expected: nothing is, and a violation is reported
	ExpectAt []*strict.Value           `yaml:"expect-at" schema:"expect-row"`                    // what is expected at points of the grid: each row says where, and takes the place of what expect says of the same; a later row that of one before
	Show     []*strict.Value           `yaml:"show,one-or-many" schema:"text"`                   // properties and measures that are reported, and of which nothing is expected: none
	Control  strict.Map[*strict.Value] `yaml:"control" schema:"any"`                             // by path, the changes that take the cause away: running without faults
	Vary     strict.Map[grid.Values]   `yaml:"vary"`                                             // by path, the values of a grid, which has each combination of them; or by a name, cases that change several
	Plots    []plotFormat              `yaml:"plots"`                                            // figures of the results: none
}

// decoding is one pass over a document: over the file as it is, at a point of its
// grid, or with its control applied.
type decoding struct {
	doc     *strict.Doc
	files   *files // what was read for an earlier pass need not be read again
	models  []Model
	format  File
	details map[strict.Position]string // what does not fit into a line, by place

	point    []result.Setting // of the grid: what was picked of each axis, in a pass over one
	inputs   []*input         // that were read
	sizes    []int64          // of access logs that the model will read
	scripted []Written
	alone    bool   // one fault is read, and others that it names are elsewhere
	params   Params // nil if the model is not known
	words    words
	until    sim.Time // 0 if it is wrong
	changed  bool     // a command changes the scenario: then what its file expects excuses nothing, and need not fit
	scenario *Scenario
}

// MaxRuns is the most runs of a scenario.
const MaxRuns = 1e9

// decode reads a document. The scenario is whole if the document has no mistakes. Sets are what a command has replaced in it.
func decode(doc *strict.Doc, in *files, models []Model, point, sets []result.Setting) *decoding {
	d := &decoding{doc: doc, files: in, models: models, point: point, changed: changed(sets), details: map[strict.Position]string{}, scenario: &Scenario{}}
	d.format = File{Seed: 1, Resume: "arrival", Network: networkFormat{Order: "fifo"}}
	strict.Teach(doc, d.dist)
	strict.Teach(doc, d.accessLog)
	doc.Decode(&d.format)
	f, s := &d.format, d.scenario
	s.About, s.Source, s.Seed = f.About, f.Source, f.Seed
	d.readModel()
	d.refuseNodes()
	d.readUntil()
	d.readRuns()
	s.Config.Network = d.network()
	s.Config.Clocks = d.clocks()
	s.Config.Costs = d.costs()
	s.Config.Resume = resumeOrders[f.Resume]
	s.Config.Faults = d.faults()
	s.Budget = d.budget(f.Budget, true)
	s.Expect = d.expectations()
	s.Show = d.shown()
	s.Plots = d.plots()
	return d
}

// changed reports whether a command changes a scenario, and says nothing itself about what is expected of it.
func changed(sets []result.Setting) bool {
	expects := func(set result.Setting) bool { return strings.HasPrefix(set.Path, "expect") }
	return len(sets) > 0 && !slices.ContainsFunc(sets, expects)
}

// note says what is read now, and should be written otherwise.
func (d *decoding) note(at strict.Position, format string, args ...any) {
	d.scenario.Notes = append(d.scenario.Notes, at.String()+": "+fmt.Sprintf(format, args...))
}

var resumeOrders = map[string]sim.ResumeOrder{
	"arrival": sim.ByArrival, "timers-first": sim.TimersFirst, "messages-first": sim.MessagesFirst,
}

func (d *decoding) readUntil() {
	until, ok := strict.Read[time.Duration](d.format.Until)
	if ok && until == 0 {
		d.format.Until.Errorf("until is 0: want the length of a run, such as 60s")
	}
	d.until = sim.Time(until)
	d.scenario.Until, d.scenario.Config.Until = until, d.until
}

func (d *decoding) readRuns() {
	d.scenario.Runs = 1
	if n, ok := d.count(d.format.Runs, "runs", MaxRuns); ok {
		d.scenario.Runs = n
	}
}

// count reads a whole number from 1.
func (d *decoding) count(v *strict.Value, noun string, most int64) (int, bool) {
	n, ok := strict.Read[int64](v)
	if ok && (n < 1 || n > most) {
		v.Errorf("%s is %d: want 1 to %d", noun, n, most)
		ok = false
	}
	return int(n), ok
}

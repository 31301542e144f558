package scenarios

import (
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// format is a scenario file. What needs more than its own text to be checked stays
// a value: it is read when the model is known.
type format struct {
	About   string                    `yaml:"about"`
	Source  string                    `yaml:"source"`
	Model   *strict.Value             `yaml:"model,required"`
	Seed    uint64                    `yaml:"seed"`
	Until   *strict.Value             `yaml:"until,required"`
	Runs    *strict.Value             `yaml:"runs"`
	Params  *strict.Value             `yaml:"params"`
	Network networkFormat             `yaml:"network"`
	Clocks  strict.Map[clockFormat]   `yaml:"clocks"`
	Costs   strict.Map[sim.Dist]      `yaml:"costs"`
	Resume  string                    `yaml:"resume,oneof=arrival|timers-first|messages-first"`
	Faults  []*strict.Value           `yaml:"faults"`
	Budget  *strict.Value             `yaml:"budget"`
	Expect  strict.Map[*strict.Value] `yaml:"expect"`
	Control strict.Map[*strict.Value] `yaml:"control"`
	Vary    strict.Map[strictList]    `yaml:"vary"`
}

// decoding is one pass over a document: over the file as it is, at a point of its
// grid, or with its control applied.
type decoding struct {
	doc     *strict.Doc
	files   *files // what was read for an earlier pass need not be read again
	models  []Model
	format  format
	details map[strict.Position]string // what does not fit into a line, by place

	inputs   []*input // that were read
	scripted []scripted
	params   Params // nil if the model is not known
	words    words
	until    sim.Time // 0 if it is wrong
	scenario *Scenario
}

// maxRuns is the most runs of a scenario.
const maxRuns = 1e9

// decode reads a document. The scenario is whole if the document has no mistakes.
func decode(doc *strict.Doc, in *files, models []Model) *decoding {
	d := &decoding{doc: doc, files: in, models: models, details: map[strict.Position]string{}, scenario: &Scenario{}}
	d.format = format{Seed: 1, Resume: "arrival", Network: networkFormat{Order: "fifo"}}
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
	return d
}

var resumeOrders = map[string]sim.ResumeOrder{
	"arrival": sim.ByArrival, "timers-first": sim.TimersFirst, "messages-first": sim.MessagesFirst,
}

func (d *decoding) readUntil() {
	until, ok := read[time.Duration](d.format.Until)
	if ok && until == 0 {
		d.format.Until.Errorf("until is 0: want the length of a run, such as 60s")
	}
	d.until = sim.Time(until)
	d.scenario.Until, d.scenario.Config.Until = until, d.until
}

func (d *decoding) readRuns() {
	d.scenario.Runs = 1
	if n, ok := d.count(d.format.Runs, "runs", maxRuns); ok {
		d.scenario.Runs = n
	}
}

// count reads a whole number from 1.
func (d *decoding) count(v *strict.Value, noun string, most int64) (int, bool) {
	n, ok := read[int64](v)
	if ok && (n < 1 || n > most) {
		v.Errorf("%s is %d: want 1 to %d", noun, n, most)
		ok = false
	}
	return int(n), ok
}

// read decodes a value, if there is one, and reports whether it was good.
func read[T any](v *strict.Value) (x T, ok bool) {
	ok = v != nil && v.Decode(&x)
	return x, ok
}

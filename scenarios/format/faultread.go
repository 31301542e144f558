package format

import (
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// ReadFault reads a fault from one line.
func ReadFault(p *sim.Program, text string) (sim.Fault, error) {
	doc, err := strict.Parse("fault", []byte("faults: ["+text+"]"))
	if err != nil {
		return sim.Fault{}, err
	}
	d := &decoding{doc: doc, files: &files{}, scenario: &Scenario{}, details: map[strict.Position]string{}}
	d.words.know(p)
	strict.Teach(doc, d.dist)
	var f struct {
		Faults []*strict.Value `yaml:"faults"`
	}
	doc.Decode(&f)
	d.format.Faults = f.Faults
	list := d.faults()
	if err := doc.Err(); err != nil {
		return sim.Fault{}, err
	}
	return list[0], nil
}

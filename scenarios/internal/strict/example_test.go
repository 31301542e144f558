package strict_test

import (
	"fmt"
	"time"

	"fencepost/scenarios/internal/strict"
)

// Delay is 5ms or {exp: 5ms}.
type Delay struct {
	Mean  time.Duration
	Drawn bool
}

// UnmarshalStrict implements strict.Unmarshaler.
func (d *Delay) UnmarshalStrict(v *strict.Value) {
	switch v.Kind() {
	case strict.Scalar:
		v.Decode(&d.Mean)
	case strict.Mapping:
		_, mean := v.Choice("exp")
		d.Drawn = mean != nil && mean.Decode(&d.Mean)
	default:
		v.Reject("a delay", "5ms or {exp: 5ms}")
	}
}

func Example() {
	doc, err := strict.Parse("gc.yaml", []byte("model: lock\ndelya: {exp: 5ms}\nnodes: [a, b]\npause: c\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := doc.Set("delay.exp", "5"); err != nil {
		fmt.Println(err)
	}
	var s struct {
		Model string   `yaml:"model,required"`
		Delay Delay    `yaml:"delay"`
		Nodes []string `yaml:"nodes,one-or-many"`
		Pause string   `yaml:"pause"`
	}
	doc.Decode(&s)
	if s.Pause != "a" && s.Pause != "b" {
		doc.Add(doc.At("pause"), s.Pause, fmt.Sprintf("unknown node %q", s.Pause), s.Nodes...)
	}
	fmt.Println(doc.Err())
	// Output:
	// gc.yaml:2:1: unknown key "delya"; did you mean "delay"?
	//         2 | delya: {exp: 5ms}
	//           | ^^^^^
	// gc.yaml:4:8: unknown node "c"; want one of a, b (at pause)
	//         4 | pause: c
	//           |        ^
	// --set delay.exp=5: "5" is not a duration: want a unit, as in 5ms or 5s
}

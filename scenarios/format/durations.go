package format

import (
	"fmt"
	"time"

	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
)

// Length is a single duration that a scenario writes.
type Length struct {
	Path string // as in params.ttl or params.start.1
	Is   time.Duration
}

// Lengths are the single durations that the file and its settings write below params and costs and as the delay
// of the network, in this order; what is left to a default is not among them.
func (s *Scenario) Lengths() (list []Length) {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil // it was read before
	}
	for _, set := range s.Sets {
		if err := grid.Set(doc, set); err != nil {
			return nil
		}
	}
	var walk func(path string, v *strict.Value)
	walk = func(path string, v *strict.Value) {
		switch {
		case v == nil:
		case v.Kind() == strict.Scalar:
			if d, err := strict.Duration(v.Scalar()); err == nil {
				list = append(list, Length{path, d})
			}
		default:
			keys := v.Keys()
			for i, item := range v.Items() {
				key := fmt.Sprint(i)
				if v.Kind() == strict.Mapping {
					key = keys[i]
				}
				walk(path+"."+key, item)
			}
		}
	}
	walk("params", doc.Root().Field("params"))
	walk("costs", doc.Root().Field("costs"))
	if n := doc.Root().Field("network"); n != nil && n.Kind() == strict.Mapping {
		if d := n.Field("delay"); d != nil && d.Kind() == strict.Scalar {
			walk("network.delay", d)
		}
	}
	return list
}

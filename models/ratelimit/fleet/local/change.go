package local

import (
	"strings"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim/model"
)

// ChangeParams are another algorithm that the limiters take while they run. It starts with
// nothing counted.
type ChangeParams struct {
	At        time.Duration `yaml:"at"`                                                                                                                                 // after the start of a limiter: 0s, never
	Algorithm string        `yaml:"algorithm,oneof=token-bucket|interval-bucket|leaky-meter|gcra|fixed-window|anchored-window|sliding-log|sliding-counter|sub-windows"` // fixed-window
	Burst     *int64        `yaml:"burst"`                                                                                                                              // of the buckets: the limit
}

// later are the states of the other algorithm, nil if there is none.
func (c *ChangeParams) later(f *core.Fleet, count int) (core.Keys, error) {
	if c.At == 0 {
		return nil, nil
	}
	a := f.Algorithm
	a.Algorithm, a.Burst = c.Algorithm, c.Burst
	return a.Keys(f.Share(), count)
}

// Problems adds what is wrong with the parameters, of a fleet of whatever form.
func (c *ChangeParams) Problems(f *core.Fleet, form string, found *model.Errors) {
	switch {
	case c.At < 0 || c.At > core.MaxLength:
		found.Add("change.at", "want 0s to %v, got %v", core.MaxLength, c.At)
	case c.At == 0 && (c.Algorithm != "" || c.Burst != nil):
		found.Add("change.at", "0s is never: want when the limiters take the other algorithm")
	case c.At > 0 && form != "local":
		found.Add("change.at", "limiters of the form %s do not change their algorithm: want form local", form)
	}
	if _, err := c.later(f, 1); err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if key, what, _ := strings.Cut(line, ": "); core.PathOf(key) == "burst" {
				found.Add("change.burst", "%s", what)
			}
		}
	}
}

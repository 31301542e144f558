package execute

import (
	"errors"
	"fmt"

	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// ErrModel is that a model as such is not covered by proofs, whatever its ranges and faults.
var ErrModel = errors.New("is not covered as such")

// uncovered says in one line that nodes of a scenario say nothing of what a proof may leave out.
func uncovered(s *format.Scenario) error {
	stage, err := s.Program.NewStage()
	if err != nil {
		return err
	}
	var silent []string
	for i, name := range s.Program.Nodes {
		if stage.RefusesNode(sim.NodeID(i+1)) == sim.SaysNothing {
			silent = append(silent, name)
		}
	}
	switch others := len(silent) - 1; {
	case others < 0:
		return nil
	case others == 0:
		return fmt.Errorf("model %s %w here: %s: %s", s.Model, ErrModel, silent[0], sim.SaysNothing)
	default:
		return fmt.Errorf("model %s %w here: %s, as %s: %s", s.Model, ErrModel, silent[0], units.Plural(others, "other node"), sim.SaysNothing)
	}
}

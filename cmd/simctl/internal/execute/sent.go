package execute

import (
	"fmt"

	"fencepost/reports"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// sentBy runs the first run of a scenario again, for what its nodes answer.
func sentBy(s *format.Scenario) (*reports.Sent, error) {
	world, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	sent := &reports.Sent{Answers: []reports.Answer{}}
	name := func(id sim.NodeID) string { return s.Program.Nodes[id-1] }
	world.Watch(sim.Watch{Shown: func(a sim.Shown) {
		if sent.Total++; sent.Total <= reports.MostSent {
			sent.Answers = append(sent.Answers, reports.Answer{AtNS: int64(a.At), Node: name(a.Node), To: name(a.To), Lines: a.Lines})
		}
	}})
	world.Run(s.Seed)
	return sent, nil
}

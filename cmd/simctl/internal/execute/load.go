package execute

import (
	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// Loader loads a scenario by its name or as a file.
type Loader func(nameOrPath string, o format.Options) (*format.Scenario, error)

// LoadControl loads a scenario without the cause of its failure, and returns the mode of
// the run. The control of one without a control block is the run without faults.
func LoadControl(load Loader, name string, sets []result.Setting) (*format.Scenario, string, error) {
	s, err := load(name, format.Options{Sets: sets})
	if err != nil {
		return s, "", err
	}
	return ControlOf(load, name, s, sets)
}

// ControlOf is LoadControl of a scenario that is loaded.
func ControlOf(load Loader, name string, s *format.Scenario, sets []result.Setting) (*format.Scenario, string, error) {
	o, mode := format.Options{Sets: sets, Control: true}, reports.Control
	if len(s.Control) == 0 {
		o, mode = format.Options{Sets: sets, NoFaults: true}, reports.NoFaults
	}
	c, err := load(name, o)
	return c, mode, err
}

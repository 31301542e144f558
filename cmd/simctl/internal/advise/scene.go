package advise

import (
	"fmt"
	"strings"
	"time"

	"fencepost/scenarios/format"
)

// Loader reads a scenario of model lock, as [catalog.Catalog.LoadText] does.
type Loader func(name string, text []byte, o format.Options) (*format.Scenario, error)

// scene is a scenario of model lock, as a file has it.
type scene struct {
	service string
	params  [][2]string // key and value
	delay   string
	links   []string
	clocks  []string
	costs   []string
	faults  []string
	until   time.Duration
	waits   time.Duration // from when on the second client wants the lock

	files *format.Files // that it shares with others; nil: none
	from  Loader
}

// set gives a parameter a value.
func (s *scene) set(key, format string, values ...any) *scene {
	pair := [2]string{key, fmt.Sprintf(format, values...)}
	for i := range s.params {
		if s.params[i][0] == key {
			s.params[i] = pair
			return s
		}
	}
	s.params = append(s.params, pair)
	return s
}

// get is the value of a parameter, "" if it has none.
func (s *scene) get(key string) string {
	for _, p := range s.params {
		if p[0] == key {
			return p[1]
		}
	}
	return ""
}

// fault adds a fault.
func (s *scene) fault(format string, values ...any) *scene {
	s.faults = append(s.faults, "{"+fmt.Sprintf(format, values...)+"}")
	return s
}

// faultFor adds a fault that lasts, unless it is over at once.
func (s *scene) faultFor(d time.Duration, format string, values ...any) *scene {
	if d <= 0 {
		return s
	}
	return s.fault(format+fmt.Sprintf(", for: %v", d), values...)
}

// text is the file.
func (s *scene) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: lock\nuntil: %v\nparams:\n  service: %s\n", s.until, s.service)
	for _, p := range s.params {
		fmt.Fprintf(&b, "  %s: %s\n", p[0], p[1])
	}
	fmt.Fprintf(&b, "network:\n  delay: %s\n", s.delay)
	for _, block := range []struct {
		name, mark string
		lines      []string
	}{{"  links", "    - ", s.links}, {"clocks", "  ", s.clocks}, {"costs", "  ", s.costs}, {"faults", "  - ", s.faults}} {
		if len(block.lines) > 0 {
			fmt.Fprintf(&b, "%s:\n%s%s\n", block.name, block.mark, strings.Join(block.lines, "\n"+block.mark))
		}
	}
	return b.String()
}

func (s *scene) load() (*format.Scenario, error) {
	return s.from("advise", []byte(s.text()), format.Options{Files: s.files})
}

// steps is how many a run takes.
func (s *scene) steps() (int, error) {
	loaded, err := s.load()
	if err != nil {
		return 0, err
	}
	w, err := loaded.Program.NewWorld(loaded.Config)
	if err != nil {
		return 0, err
	}
	return max(1, int(w.Run(1).Steps)), nil
}

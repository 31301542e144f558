// Package proving is what simctl certify does beside its flags: the scenario with its ranges, how its edge depends on
// durations, and the map of its certified region.
package proving

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/certify"
)

// Request is what to prove, of which ranges, and within which limits.
type Request struct {
	cli.Subject
	Verb     string // the command that it is of, "" is certify
	Over     []ranges.Value
	Property string // "" is the first that can be proven
	Budget   string // "" is the file's, [format.NoBudget] none
	Limits   certify.Limits
	For      time.Duration // 0 is any time
	NoEdge   bool
	// LawStates is how many states all searches for a law may keep together, 0 for any number.
	LawStates int

	fixed time.Duration // a single duration that the file gives its pause, which is proven from none on: see [Request.FromNone]
}

// Settings are what gives the values of the file their ranges. A figure of the file may have an axis that is one, and is not drawn,
// and what is expected at points of that axis is left out.
func (r *Request) Settings() (list []result.Setting) {
	if slices.ContainsFunc(r.Over, func(v ranges.Value) bool { return v.Axis }) {
		list = append(list, result.Setting{Path: "plots", Value: "[]"}, result.Setting{Path: "expect-at", Value: "[]"})
	}
	for i := range r.Over {
		if r.Budget == "" || r.Over[i].OfBudget() == "" {
			list = append(list, r.Over[i].Setting())
		}
	}
	return list
}

// provenKeys are the keys of a budget of which all is covered.
var provenKeys = []string{"pauses", "crashes", "clock-steps", "slews", "lost", "duplicated", "pause-for", "down-for", "late-by", "step-by", "slew-to", "nodes"}

// ranged are the keys of a budget that may have a range.
var ranged = []string{"pause-for", "down-for", "late-by"}

// budget is the budget that was asked for, with its ranges.
func (r *Request) budget() (string, error) {
	text := r.Budget
	for i := range r.Over {
		v := &r.Over[i]
		key := v.OfBudget()
		switch {
		case key == "":
		case !slices.Contains(ranged, key):
			return "", fmt.Errorf("%s: want one of budget.%s: what else a budget has is no duration", v.Name(), strings.Join(ranged, ", budget."))
		case r.Budget == format.NoBudget:
			return "", fmt.Errorf("%s: --budget %s has none: want one of the two", v.Name(), format.NoBudget)
		case strings.Contains(","+r.Budget, ","+key+"="):
			return "", fmt.Errorf("%s: --budget has %s as well: want one of the two", v.Name(), key)
		default:
			text += "," + key + "=" + v.Span.Value()
		}
	}
	return text, nil
}

// steps are the ranges of steps of clocks.
func (r *Request) steps() (list []execute.Step) {
	for i := range r.Over {
		if v := &r.Over[i]; v.Step() {
			list = append(list, execute.Step{Path: v.Path, Least: v.Least, Most: v.Most})
		}
	}
	return list
}

// Load loads the scenario with its ranges.
func (r *Request) Load(a *cli.App) (*format.Scenario, error) {
	if err := cli.NoRecord(r.Name); err != nil {
		return nil, err
	}
	base, err := a.Load(r.Name, format.Options{Sets: r.Sets, NoFaults: r.NoFaults})
	if err != nil {
		return nil, err
	}
	var errs []error
	for i := range r.Over {
		v := &r.Over[i]
		v.Axis = len(base.Variants) > 0 && slices.ContainsFunc(base.Variants[0].Settings, func(s result.Setting) bool { return s.Path == v.Path })
		if err := r.in(v, base); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", v.Name(), err))
		} else if v.Cap {
			errs = append(errs, v.From(base))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, cli.Usage(r.prefixed(err))
	}
	if err := r.pick(base); err != nil {
		return nil, err
	}
	s, err := a.LoadPoint(&r.Subject, r.Settings()...)
	return s, ranges.Located(r.Over, err)
}

// in says what is wrong with a range of a value that the scenario does not have.
func (r *Request) in(v *ranges.Value, s *format.Scenario) error {
	faults, links := s.Config.Faults, len(s.Config.Network.Rules)
	of, rest, _ := strings.Cut(v.Path, ".")
	index, key, _ := strings.Cut(strings.TrimPrefix(rest, "links."), ".")
	i, err := strconv.Atoi(index)
	switch {
	case of == "costs":
		return fmt.Errorf("a step takes the same time in all of a proof: want --set %s=%v", v.Path, v.Most)
	case v.Axis && slices.ContainsFunc(r.Sets, func(s result.Setting) bool { return s.Path == v.Path }):
		return errors.New("--set gives it a value as well: leave that out")
	case of == "faults" && r.NoFaults:
		return errors.New("--no-faults leaves it out: want one of the two")
	case err != nil:
	case of == "faults" && i >= len(faults):
		return fmt.Errorf("the file has %s, the first of which is faults.0: a budget may have pauses besides", units.Plural(len(faults), "fault"))
	case of == "faults" && key == "by" && i >= 0 && faults[i].Do != sim.StepClock:
		return errors.New("it is no step of a clock: want the duration of a fault, such as faults.0.for")
	case of == "network" && strings.HasPrefix(rest, "links.") && i >= links:
		return fmt.Errorf("the file has %s of links: want network.delay, which is of all others", units.Plural(links, "rule"))
	}
	return nil
}

// Proof is what to prove of the scenario.
func (r *Request) Proof(c *format.Scenario) (*execute.Proof, error) {
	p := &execute.Proof{Scenario: c, Jobs: r.Jobs, Limits: r.Limits, For: r.For, NoEdge: r.NoEdge, Steps: r.steps()}
	can, err := execute.Provable(&c.Program)
	if err != nil {
		return nil, cli.Failure(err)
	}
	if r.Property != "" {
		if p.Property, err = cli.FindProperty(c, r.Property); err != nil {
			return nil, err
		}
		if len(can) > 0 && !slices.Contains(can, p.Property) {
			return nil, cli.Usage(fmt.Errorf("%s: --property: %s has no form that compares instants with Before alone: want one of %s", cmp.Or(r.Verb, "certify"), r.Property, namesOf(&c.Program, can)))
		}
	} else if len(can) > 0 {
		p.Property = can[0]
	}
	if r.Budget == "" {
		p.Budget = c.BudgetOrNone()
		return p, nil
	}
	text, err := r.budget()
	if err == nil {
		p.Budget, err = format.ParseBudget(text, &c.Program, sim.Time(amount.MaxSpan), provenKeys...)
	}
	if err != nil {
		return nil, cli.Usage(r.prefixed(ranges.Located(r.Over, err)))
	}
	return p, nil
}

// namesOf are the names of some properties.
func namesOf(p *sim.Program, properties []int) string {
	var names []string
	for _, i := range properties {
		names = append(names, p.Properties[i])
	}
	return strings.Join(names, ", ")
}

// Command is the command that proves the same.
func (r *Request) Command(seed uint64) string {
	var flags []string
	for _, v := range r.Over {
		flags = append(flags, "--"+v.Flag(), v.Path+"="+v.Text())
	}
	for _, f := range [][2]string{{"--property", r.Property}, {"--budget", r.Budget}} {
		if f[1] != "" {
			flags = append(flags, f[:]...)
		}
	}
	return r.Subject.Command("certify", seed, flags...)
}

// remedies are what helps where something is not covered, by words of the reason.
var remedies = [][2]string{
	{"want a range", "--over PATH=A..B gives a value its range, --cap PATH=MOST one that has no longest"},
	{"and a trigger", "--set faults.0.at=0s gives the first fault of the file a trigger in place of its log"},
	{"want a budget", "--budget pauses=1, of crashes crashes=1, says how often those of the file may begin in all"},
	{"faults.", "--no-faults leaves out the faults of the file"},
	{"cost of a step", "--set costs.NODE=1ms gives a step one duration"},
	{"", "--set changes a value, as in --set network.loss=0"},
}

// covered are the models of which a scenario may be certified.
const covered = `  covered are the locks of service naive, redis, redlock, watchdog, and etcd and zookeeper on one machine, the elections of Kubernetes, flows of
  idempotency that end, and a limiter of form central with algorithm anchored-window: see docs/certify.md`

// NotCovered is the error of a scenario that cannot be certified, with what would help.
func NotCovered(c *format.Scenario, err error) error {
	if errors.Is(err, execute.ErrModel) {
		return cli.Usage(fmt.Errorf("%s cannot be certified:\n  %w\n%s", c.Name, err, covered))
	}
	lines := []string{c.Name + " cannot be certified:", strings.ReplaceAll(err.Error(), "\n", "\n  ")}
	for _, r := range remedies {
		if strings.Contains(err.Error(), r[0]) {
			lines = append(lines, r[1])
		}
	}
	return cli.Usage(errors.New(strings.Join(lines, "\n  ")))
}

// prefixed begins each line of an error with the command of the request.
func (r *Request) prefixed(err error) error { return Prefixed(cmp.Or(r.Verb, "certify"), err) }

// Prefixed begins each line of an error with a command.
func Prefixed(verb string, err error) error {
	return errors.New(verb + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+verb+": "))
}

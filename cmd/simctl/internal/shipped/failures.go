package shipped

import (
	"context"
	"errors"
	"path"
	"slices"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim"
)

// Failure is a violation that a scenario expects.
type Failure struct {
	Scenario *format.Scenario // of a grid, the first point that expects it
	Property string
}

// File is the replay file of a violation, below the folder of the scenarios.
func (f *Failure) File() string {
	folder, name := path.Split(f.Scenario.Name)
	return path.Join(folder, "replays", name+"."+f.Property+record.Suffix)
}

// tooLong are scenarios without replay files: a run has up to 500,000 steps and nearly as many draws, and making one
// smaller, draw by draw, takes minutes.
var tooLong = []string{
	"etcd/jepsen-locks", "etcd/jepsen-locks-guarded", "fleet/sync-overshoot-wso2", "fleet/sync-overshoot-wso2-10ms", "kv/compare", "kv/jepsen-lww-healthy", "kv/jepsen-lww-lock-partition",
	"kv/jepsen-lww-strict-concurrent", "kv/jepsen-lww-strict-in-doubt", "kv/jepsen-lww-strict-partition", "kv/jepsen-set-partition", "lock/compare",
}

// Failures lists the violations that a scenario expects and that have replay files. Those of single points of a grid,
// under expect-at, compare what has a scenario of its own.
func Failures(name string) (list []Failure, err error) {
	if slices.Contains(tooLong, name) {
		return nil, nil
	}
	s, err := scenarios.Load(name, format.Options{})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, p := range Points(s) {
		for i := range p.Expect {
			e := &p.Expect[i]
			wanted := !e.Row && (e.Verdict == sim.Violated || e.Low != nil && *e.Low > 0)
			if e.Property != "" && wanted && !known[e.Property] {
				known[e.Property] = true
				list = append(list, Failure{p, e.Property})
			}
		}
	}
	return list, nil
}

// trail is how many steps the replay files in the repository say in words: enough to see
// where a changed model parts from them.
const trail = 150

// Record finds the violation, makes it small, and records it.
func (f *Failure) Record(ctx context.Context) (*record.Record, error) {
	targets := execute.TargetsOf(&f.Scenario.Program, []string{f.Property})
	r, err := execute.First(ctx, f.Scenario, targets, 0, nil)
	switch {
	case err != nil:
		return nil, err
	case r.Found == nil:
		return nil, errors.New("it is not violated")
	}
	shrunk, small, err := execute.Shrink(ctx, f.Scenario, r.Found, nil)
	switch {
	case err != nil:
		return nil, err
	case !shrunk.Whole:
		return nil, errors.New("interrupted")
	}
	command := "simctl explain " + f.Scenario.Name + " --property " + f.Property
	return record.New(small, &shrunk.Failure, record.Options{Command: command, Trail: trail})
}

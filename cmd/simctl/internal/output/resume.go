package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/journal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/reports"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// HasGrid reports whether any of the plans is one of a grid.
func HasGrid(plans []*execute.Plan) bool {
	for _, p := range plans {
		if len(p.Scenario.Variants) > 0 {
			return true
		}
	}
	return false
}

// openDir begins the folder of --out. That of a grid is there at once, so that its
// points are kept in it as they are finished.
func (d *Results) openDir(plans []*execute.Plan) (err error) {
	o := d.options
	if !HasGrid(plans) {
		if d.dir, err = files.NewDir(o.Out); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return nil
	}
	var found bool
	if d.dir, found, err = files.OpenDir(o.Out, o.Resume); err != nil {
		if !o.Resume && errors.Is(err, files.ErrNotEmpty) {
			err = fmt.Errorf("%w; --resume continues what is in it", err)
		}
		return fmt.Errorf("--out: %w", err)
	}
	d.resumed = found
	for i, p := range plans {
		folder := d.folder(p.Scenario.Name, i+1)
		if found {
			if err := d.replaceable(p.Scenario, folder); err != nil {
				return fmt.Errorf("--resume: %w", err)
			}
		}
		if len(p.Scenario.Variants) == 0 {
			continue
		}
		if err := d.keep(p, folder, found); err != nil {
			return err
		}
	}
	return nil
}

// replaceable refuses what stands in the place of a file that the scenario will write, so
// that it is not known only after all has been run.
func (d *Results) replaceable(s *format.Scenario, folder string) error {
	names := []string{"report.txt", "report.json", "trace.txt"}
	for _, r := range renderings {
		names = append(names, r.file)
	}
	for i := range s.Plots {
		names = append(names, s.Plots[i].File+".svg")
	}
	for _, name := range names {
		if err := d.dir.Replaceable(path.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

// keep lets the points of a grid be kept in a folder, and takes those that are there.
func (d *Results) keep(p *execute.Plan, folder string, resume bool) error {
	file, err := d.dir.Path(path.Join(folder, journal.Name))
	if err != nil {
		return err
	}
	var j *journal.Journal
	switch h := header(p); {
	case resume:
		if j, p.Kept, err = journal.Open(file, h); err == nil {
			if err = p.CheckKept(); err != nil {
				err = errors.Join(fmt.Errorf("%s: %w%s", file, err, journal.Cut), j.Close())
			}
		}
	default:
		j, err = journal.New(file, h)
	}
	switch {
	case resume && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--resume: there is no %s: want the folder of a grid that was interrupted", file)
	case resume && err != nil:
		return fmt.Errorf("--resume: %w", err)
	case err != nil:
		return err
	}
	d.journals = append(d.journals, j)
	p.Keep = j.Add
	return nil
}

// header says what run the points are of.
func header(p *execute.Plan) *journal.Header {
	s, v := p.Scenario, version.This()
	h := &journal.Header{
		Schema: journal.Schema, Version: v.Version, Digests: sim.DigestVersion,
		Scenario: s.Name, Mode: p.Mode, Settings: p.Settings, Seed: s.Seed, Runs: s.Runs,
		Points: len(s.Variants), Checksum: s.Checksum(),
	}
	if v.Revision != "" {
		h.Version += " " + v.Revision
	}
	if v.Modified {
		h.Version += " modified"
	}
	return h
}

// Abandon takes away what has been written, unless the folder is finished, or points of
// a grid are kept in it.
func (d *Results) Abandon() {
	for _, j := range d.journals {
		_ = j.Close() // what could not be written has been said
	}
	switch {
	case d.dir == nil:
	case !d.dir.Stays():
		d.dir.Abandon()
	case !d.resumed && !d.Document && d.kept() == 0:
		_ = d.dir.Clear()
	}
}

// kept is how many points of grids are kept.
func (d *Results) kept() (n int) {
	for _, j := range d.journals {
		n += j.Count
	}
	return n
}

// stale takes away what an interrupted run left in the forms that this one does not
// write.
func (d *Results) stale(folder string) error {
	if !d.resumed {
		return nil
	}
	for _, r := range renderings {
		if err := d.dir.Remove(path.Join(folder, r.file)); err != nil {
			return err
		}
	}
	return nil
}

// Interrupted is what is printed of a run that was interrupted, with the command that resumes it.
func (d *Results) Interrupted(r *reports.Run) error {
	switch {
	case d.kept() > 0 && (r == nil || r.PointsWanted > 0):
		return errors.New("interrupted; the points that are finished are kept, and the same command with --resume continues")
	case len(d.done) == 0:
		return errors.New("interrupted; nothing was finished")
	}
	return cli.ErrInterrupted
}
